#include "kernels/row_add.h"

#include <algorithm>

#include "kernels/float_environment.h"

// This file is compiled once for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/row_add.cc"
// clang-format off
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>
#include "kernels/half_simd-inl.h"
#include "kernels/row_walk-inl.h"
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

// A few rows of the updates, or one.
struct FewUpdates {
  const std::byte* updates;
  std::size_t row_bytes;
  const std::uint32_t* positions;  // null: rows 0, 1, ..
  std::size_t count;

  HWY_INLINE const std::byte* operator[](std::size_t j) const {
    return updates + (positions == nullptr ? j : positions[j]) * row_bytes;
  }
};
struct OneUpdate {
  const std::byte* update;
  static constexpr std::size_t count = 1;

  HWY_INLINE const std::byte* operator[](std::size_t /*j*/) const { return update; }
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
  explicit RowAdder(const RowAddTask& task)
      : task_(task),
        rows_{task.pairs, task.updates, task.target, kHalfBytes, task.width * kHalfBytes} {}

  void Run(const RowAddPart& part) const {
    ForEachRow(rows_, part, [&](std::size_t begin, std::size_t end, std::byte* row) HWY_ATTR {
      AddPairs(begin, end, row, part);
    });
  }

 private:
  [[nodiscard]] FewUpdates Few(std::size_t begin, std::size_t end) const {
    const std::uint32_t* const positions = rows_.pairs.positions;
    const std::size_t count = end - begin;
    if (positions != nullptr) return {rows_.updates, rows_.row_bytes, positions + begin, count};
    return {rows_.Update(begin), rows_.row_bytes, nullptr, count};
  }

  // Inlined, since most rows have one update: of narrow ones the call would be a fifth.
  HWY_INLINE void AddPairs(std::size_t begin, std::size_t end, std::byte* row,
                           const RowAddPart& part) const {
    if (end - begin > 1) return AddSeveral(begin, end, row, part);
    const InRow<Half> in_row{row};
    Add(OneUpdate{rows_.Update(begin)}, in_row, in_row, part.column_begin, part.column_end);
  }

  HWY_NOINLINE void AddSeveral(std::size_t begin, std::size_t end, std::byte* row,
                               const RowAddPart& part) const {
    const InRow<Half> in_row{row};
    if (end - begin <= kSideBySide) {
      Add(Few(begin, end), in_row, in_row, part.column_begin, part.column_end);
    } else {
      AddMany(begin, end, in_row, part);
    }
  }

  HWY_NOINLINE void AddMany(std::size_t begin, std::size_t end, const InRow<Half>& in_row,
                            const RowAddPart& part) const {
    HWY_ALIGN float sums[kBlock];
    for (std::size_t at = part.column_begin; at < part.column_end; at += kBlock) {
      const std::size_t limit = std::min(at + kBlock, part.column_end);
      const InBlock in_block{sums, at};
      std::size_t pair = begin;
      Add(Few(pair, pair + kSideBySide), in_row, in_block, at, limit);
      for (pair += kSideBySide; end - pair > kSideBySide; pair += kSideBySide) {
        Add(Few(pair, pair + kSideBySide), in_block, in_block, at, limit);
      }
      Add(Few(pair, end), in_block, in_row, at, limit);
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
  template <class Updates, class From, class To>
  HWY_INLINE void Add(const Updates& updates, const From& from, const To& to, std::size_t begin,
                      std::size_t end) const {
    const Floats d;
    const std::size_t two = 2 * hn::Lanes(d);
    const std::size_t count = updates.count;
    std::size_t c = begin;
    for (; end - c >= 2 * two; c += 2 * two) {
      auto a = from.LoadTwoAt(d, c);
      auto b = from.LoadTwoAt(d, c + two);
      for (std::size_t j = 0; j < count; ++j) {
        const std::byte* const update = updates[j] + c * kHalfBytes;
        a = SumTwo(d, a, update);
        b = SumTwo(d, b, update + two * kHalfBytes);
      }
      to.StoreTwiceAt(d, a, b, c);
    }
    ForEachVector(c, end, [&](auto any, std::size_t at) HWY_ATTR {
      auto sum = from.Load(any, at);
      for (std::size_t j = 0; j < count; ++j) {
        const std::byte* const update = updates[j] + at * kHalfBytes;
        sum = hn::Add(sum, Scaled(any, LoadHalves(Half(), any, update)));
      }
      to.Store(any, sum, at);
    });
  }

  const RowAddTask& task_;
  const PairedRows rows_;
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
