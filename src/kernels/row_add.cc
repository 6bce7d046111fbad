#include "kernels/row_add.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "kernels/float_environment.h"

namespace belay::kernels {
namespace {

// Columns that are summed up at a time; their sums stay in the first-level cache.
constexpr std::size_t kBlock = 512;
constexpr std::size_t kHalfBytes = sizeof(std::uint16_t);

template <class Half>
float Load(const std::byte* values, std::size_t i) noexcept {
  std::uint16_t bits = 0;
  std::memcpy(&bits, values + i * kHalfBytes, kHalfBytes);
  return Half::ToFloat(bits);
}

template <class Half>
void Store(float value, std::byte* values, std::size_t i) noexcept {
  const std::uint16_t bits = Half::FromFloat(value);
  std::memcpy(values + i * kHalfBytes, &bits, kHalfBytes);
}

template <class Half>
void AddColumns(float factor, const std::byte* updates, std::span<const std::uint64_t> which,
                std::size_t width, std::size_t columns, std::byte* row) {
  std::array<float, kBlock> sums;
  for (std::size_t c = 0; c < columns; ++c) sums[c] = Load<Half>(row, c);
  for (const std::uint64_t k : which) {
    const std::byte* const update = updates + k * width * kHalfBytes;
    for (std::size_t c = 0; c < columns; ++c) sums[c] += factor * Load<Half>(update, c);
  }
  for (std::size_t c = 0; c < columns; ++c) Store<Half>(sums[c], row, c);
}

template <class Half>
void AddRow(float factor, const std::byte* updates, std::span<const std::uint64_t> which,
            std::size_t width, std::byte* row) {
  for (std::size_t at = 0; at < width; at += kBlock) {
    AddColumns<Half>(factor, updates + at * kHalfBytes, which, width, std::min(kBlock, width - at),
                     row + at * kHalfBytes);
  }
}

}  // namespace

void RowAdd(HalfFormat format, float factor, const std::byte* updates,
            std::span<const std::uint64_t> which, std::size_t width, std::byte* row) {
  const DefaultFloatEnvironment environment;
  if (format == HalfFormat::kFp16) {
    AddRow<Fp16>(factor, updates, which, width, row);
  } else {
    AddRow<Bf16>(factor, updates, which, width, row);
  }
}

}  // namespace belay::kernels
