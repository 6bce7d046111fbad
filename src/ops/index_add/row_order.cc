#include "ops/index_add/row_order.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <utility>

#include "kernels/index_scan.h"

namespace belay::ops {
namespace {

std::uint32_t LoadIndex(const std::byte* indices, std::size_t k) noexcept {
  std::uint32_t index = 0;
  std::memcpy(&index, indices + k * sizeof(index), sizeof(index));
  return index;
}

// One pass of a radix sort goes by so many bits at most: 1 MiB of counters.
constexpr unsigned kMaxDigitBits = 18;
// By so many where more would mean more counters than indices.
constexpr unsigned kShortDigitBits = 11;

struct Digits {
  unsigned bits;    // of each
  unsigned passes;  // from the lowest digit on
};

Digits DigitsOf(std::size_t count, std::uint64_t rows) noexcept {
  const auto bits = static_cast<unsigned>(std::bit_width(rows - 1));
  // Clearing and adding up a counter costs a fraction of moving an index.
  const auto affordable = static_cast<unsigned>(std::bit_width(count)) + 1;
  const unsigned digit = std::clamp(affordable, kShortDigitBits, kMaxDigitBits);
  if (bits <= digit) return {std::max(bits, 1U), 1};
  const unsigned passes = (bits + kShortDigitBits - 1) / kShortDigitBits;
  return {(bits + passes - 1) / passes, passes};
}

// Writes the positions to `sorted` in order of one digit; those with the same digit keep the order
// in which position_of(0), position_of(1), .. gives them.
template <class PositionOf>
void SortByDigit(const std::byte* indices, unsigned shift, const PositionOf& position_of,
                 std::span<std::uint32_t> counters, std::span<std::uint32_t> sorted) {
  const auto mask = static_cast<std::uint32_t>(counters.size() - 1);
  const auto digit = [&](std::size_t k) { return LoadIndex(indices, k) >> shift & mask; };
  std::ranges::fill(counters, 0U);
  for (std::size_t k = 0; k < sorted.size(); ++k) ++counters[digit(k)];
  std::uint32_t start = 0;
  for (std::uint32_t& counter : counters) start += std::exchange(counter, start);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const std::uint32_t k = position_of(i);
    sorted[counters[digit(k)]++] = k;
  }
}

}  // namespace

RowOrder::RowOrder(const std::byte* indices, std::size_t count, std::uint64_t rows) {
  if (kernels::IsAscending(indices, count)) {
    pairs_ = {indices, nullptr, count};
  } else if (count <= kFew) {
    SortFew(indices, count);
  } else {
    SortMany(indices, count, rows);
  }
}

void RowOrder::SortFew(const std::byte* indices, std::size_t count) {
  std::array<std::uint64_t, kFew> keys;
  for (std::size_t k = 0; k < count; ++k) {
    keys[k] = std::uint64_t{LoadIndex(indices, k)} << 32 | k;
  }
  std::sort(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(count));
  for (std::size_t j = 0; j < count; ++j) {
    few_rows_[j] = static_cast<std::uint32_t>(keys[j] >> 32);
    few_positions_[j] = static_cast<std::uint32_t>(keys[j]);
  }
  Show(few_rows_.data(), few_positions_.data(), count);
}

void RowOrder::SortMany(const std::byte* indices, std::size_t count, std::uint64_t rows) {
  const Digits digits = DigitsOf(count, rows);
  const std::size_t counter_count = std::size_t{1} << digits.bits;
  const auto counters = std::make_unique_for_overwrite<std::uint32_t[]>(counter_count);
  many_ = std::make_unique_for_overwrite<std::uint32_t[]>(3 * count);
  const std::span<std::uint32_t> all(many_.get(), 3 * count);
  std::span<std::uint32_t> sorted = all.subspan(0, count);
  std::span<std::uint32_t> other = all.subspan(count, count);

  const std::span<std::uint32_t> counting(counters.get(), counter_count);
  SortByDigit(
      indices, 0, [](std::size_t k) { return static_cast<std::uint32_t>(k); }, counting, sorted);
  for (unsigned pass = 1; pass < digits.passes; ++pass) {
    SortByDigit(
        indices, pass * digits.bits, [&](std::size_t i) { return sorted[i]; }, counting, other);
    std::swap(sorted, other);
  }
  const std::span<std::uint32_t> sorted_rows = all.subspan(2 * count, count);
  for (std::size_t j = 0; j < count; ++j) sorted_rows[j] = LoadIndex(indices, sorted[j]);
  Show(sorted_rows.data(), sorted.data(), count);
}

void RowOrder::Show(const std::uint32_t* rows, const std::uint32_t* positions, std::size_t count) {
  pairs_ = {reinterpret_cast<const std::byte*>(rows), positions, count};
}

}  // namespace belay::ops
