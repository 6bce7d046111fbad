#include "kernels/row_add.h"

#include <algorithm>
#include <cstring>

#include "kernels/float_environment.h"

// This file is compiled once for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/row_add.cc"
// clang-format off
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>
#include <hwy/cache_control.h>
#include "kernels/half_simd-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace belay::kernels {
namespace HWY_NAMESPACE {
namespace {

constexpr std::size_t kHalfBytes = sizeof(std::uint16_t);

// Update rows that are read side by side: enough to save most passes over the sums, few enough for
// the processor to follow each as a stream.
constexpr std::size_t kSideBySide = 8;

// Columns whose float32 sums are kept between such passes; they stay in the first-level cache.
constexpr std::size_t kBlock = 2048;

// Where the rows of a pair start is fetched this many pairs ahead, up to so many bytes; from there
// on the processor finds them by itself.
constexpr std::size_t kPairsAhead = 6;
constexpr std::size_t kBytesAhead = 256;
constexpr std::size_t kLineBytes = 64;

// A few rows of the updates, and the sums that they are added to.
struct FewUpdates {
  const std::byte* rows[kSideBySide];
  std::size_t count;
};

// Sums of some columns while they are in the row, where they are 16-bit floats.
template <class Half>
struct InRow {
  std::byte* row;

  template <class D>
  HWY_INLINE hn::Vec<D> Load(D d, std::size_t c) const {
    return LoadHalves(Half(), d, row + c * kHalfBytes);
  }
  template <class D>
  HWY_INLINE void Store(D d, hn::Vec<D> sums, std::size_t c) const {
    StoreHalves(Half(), d, sums, row + c * kHalfBytes);
  }
  template <class D>
  HWY_INLINE TwoVectors<D> LoadTwoAt(D d, std::size_t c) const {
    return LoadTwo(Half(), d, row + c * kHalfBytes);
  }
  template <class D>
  HWY_INLINE void StoreTwiceAt(D d, TwoVectors<D> a, TwoVectors<D> b, std::size_t c) const {
    StoreTwice(Half(), d, a, b, row + c * kHalfBytes);
  }
};

// And while they are kept apart, from column `begin` on. All passes go in the same steps, so that
// the order within two vectors plays no part.
struct InBlock {
  float* sums;
  std::size_t begin;

  template <class D>
  HWY_INLINE hn::Vec<D> Load(D d, std::size_t c) const {
    return hn::LoadU(d, sums + (c - begin));
  }
  template <class D>
  HWY_INLINE void Store(D d, hn::Vec<D> values, std::size_t c) const {
    hn::StoreU(values, d, sums + (c - begin));
  }
  template <class D>
  HWY_INLINE TwoVectors<D> LoadTwoAt(D d, std::size_t c) const {
    return {Load(d, c), Load(d, c + hn::Lanes(d))};
  }
  template <class D>
  HWY_INLINE void StoreTwiceAt(D d, TwoVectors<D> a, TwoVectors<D> b, std::size_t c) const {
    const std::size_t lanes = hn::Lanes(d);
    Store(d, a.first, c);
    Store(d, a.second, c + lanes);
    Store(d, b.first, c + 2 * lanes);
    Store(d, b.second, c + 3 * lanes);
  }
};

template <class Half, bool kScaled>
class RowAdder {
 public:
  explicit RowAdder(const RowAddTask& task) : task_(task), row_bytes_(task.width * kHalfBytes) {}

  void Run(const RowAddPart& part) const {
    std::size_t pair = part.pair_begin;
    // The first pair of a row adds all of them up; the others have nothing to do.
    while (pair != 0 && pair < part.pair_end && Row(pair) == Row(pair - 1)) ++pair;
    while (pair < part.pair_end) {
      const std::int32_t row = Row(pair);
      std::size_t end = pair + 1;
      while (end < task_.pairs.count && Row(end) == row) ++end;
      AddPairs(pair, end, task_.target + static_cast<std::size_t>(row) * row_bytes_, part);
      pair = end;
    }
  }

 private:
  [[nodiscard]] std::int32_t Row(std::size_t pair) const {
    std::int32_t row = 0;
    std::memcpy(&row, task_.pairs.rows + pair * sizeof(row), sizeof(row));
    return row;
  }

  [[nodiscard]] const std::byte* Update(std::size_t pair) const {
    const std::size_t at =
        task_.pairs.positions == nullptr ? pair : std::size_t{task_.pairs.positions[pair]};
    return task_.updates + at * row_bytes_;
  }

  void FetchAhead(std::size_t pair, const RowAddPart& part) const {
    if (pair >= task_.pairs.count) return;
    const std::size_t begin = part.column_begin * kHalfBytes;
    const std::size_t bytes =
        std::min(kBytesAhead, (part.column_end - part.column_begin) * kHalfBytes);
    const std::byte* const update = Update(pair) + begin;
    const std::byte* const row =
        task_.target + static_cast<std::size_t>(Row(pair)) * row_bytes_ + begin;
    for (std::size_t at = 0; at < bytes; at += kLineBytes) {
      hwy::Prefetch(update + at);
      hwy::Prefetch(row + at);
    }
  }

  [[nodiscard]] FewUpdates Few(std::size_t begin, std::size_t end, const RowAddPart& part) const {
    FewUpdates few;
    few.count = end - begin;
    for (std::size_t j = 0; j < few.count; ++j) {
      few.rows[j] = Update(begin + j);
      FetchAhead(begin + j + kPairsAhead, part);
    }
    return few;
  }

  void AddPairs(std::size_t begin, std::size_t end, std::byte* row, const RowAddPart& part) const {
    const InRow<Half> in_row{row};
    if (end - begin <= kSideBySide) {
      AddFew(Few(begin, end, part), in_row, in_row, part.column_begin, part.column_end);
      return;
    }
    HWY_ALIGN float sums[kBlock];
    for (std::size_t at = part.column_begin; at < part.column_end; at += kBlock) {
      const std::size_t limit = std::min(at + kBlock, part.column_end);
      const InBlock in_block{sums, at};
      std::size_t pair = begin;
      AddFew(Few(pair, pair + kSideBySide, part), in_row, in_block, at, limit);
      for (pair += kSideBySide; end - pair > kSideBySide; pair += kSideBySide) {
        AddFew(Few(pair, pair + kSideBySide, part), in_block, in_block, at, limit);
      }
      AddFew(Few(pair, end, part), in_block, in_row, at, limit);
    }
  }

  // Compiled without contraction: the product is rounded before it is added.
  template <class D>
  HWY_INLINE hn::Vec<D> Scaled(D d, hn::Vec<D> values) const {
    return kScaled ? hn::Mul(hn::Set(d, task_.factor), values) : values;
  }

  template <class D>
  HWY_INLINE TwoVectors<D> SumTwo(D d, TwoVectors<D> sums, const std::byte* update) const {
    const TwoVectors<D> values = LoadTwo(Half(), d, update);
    return {hn::Add(sums.first, Scaled(d, values.first)),
            hn::Add(sums.second, Scaled(d, values.second))};
  }

  // Columns [begin, end) of the sums, which come from one place and go to another.
  template <class From, class To>
  void AddFew(const FewUpdates& updates, const From& from, const To& to, std::size_t begin,
              std::size_t end) const {
    const Floats d;
    const std::size_t two = 2 * hn::Lanes(d);
    const std::size_t count = updates.count;
    std::size_t c = begin;
    for (; end - c >= 2 * two; c += 2 * two) {
      auto a = from.LoadTwoAt(d, c);
      auto b = from.LoadTwoAt(d, c + two);
      for (std::size_t j = 0; j < count; ++j) {
        const std::byte* const update = updates.rows[j] + c * kHalfBytes;
        a = SumTwo(d, a, update);
        b = SumTwo(d, b, update + two * kHalfBytes);
      }
      to.StoreTwiceAt(d, a, b, c);
    }
    ForEachVector(c, end, [&](auto any, std::size_t at) HWY_ATTR {
      auto sum = from.Load(any, at);
      for (std::size_t j = 0; j < count; ++j) {
        const std::byte* const update = updates.rows[j] + at * kHalfBytes;
        sum = hn::Add(sum, Scaled(any, LoadHalves(Half(), any, update)));
      }
      to.Store(any, sum, at);
    });
  }

  const RowAddTask& task_;
  const std::size_t row_bytes_;
};

template <class Half>
void RunScaledOrNot(const RowAddTask& task, const RowAddPart& part) {
  // Nothing changes by a factor of 1, a NaN apart, which becomes the canonical one anyway.
  if (task.factor == 1.0F) {
    RowAdder<Half, false>(task).Run(part);
  } else {
    RowAdder<Half, true>(task).Run(part);
  }
}

void RowAdd(const RowAddTask& task, const RowAddPart& part) {
  const DefaultFloatEnvironment environment;
  if (task.format == HalfFormat::kFp16) {
    RunScaledOrNot<Fp16>(task, part);
  } else {
    RunScaledOrNot<Bf16>(task, part);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace belay::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace belay::kernels {
namespace {

HWY_EXPORT(RowAdd);

}  // namespace

void RowAdd(const RowAddTask& task, const RowAddPart& part) {
  HWY_DYNAMIC_DISPATCH(RowAdd)(task, part);
}

}  // namespace belay::kernels
#endif  // HWY_ONCE
