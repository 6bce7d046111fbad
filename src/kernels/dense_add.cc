#include "kernels/dense_add.h"

#include <algorithm>
#include <cstring>

#include "kernels/float_environment.h"

// This file is compiled once for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/dense_add.cc"
// clang-format off
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>
#include <hwy/cache_control.h>
#include "kernels/flat_slice_add-inl.h"
#include "kernels/half_simd-inl.h"
#include "kernels/small_slice_add-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace belay::kernels {
namespace HWY_NAMESPACE {
namespace {

constexpr std::size_t kHalfBytes = sizeof(std::uint16_t);

// Products that are made at a time, before they are added; they stay in the first-level cache.
constexpr std::size_t kProducts = 1024;

// And while the next slice is fetched between them: so few that lines are asked for one by one.
constexpr std::size_t kStepProducts = 128;
constexpr std::size_t kLineBytes = 64;

// From so many on it pays to find out how lanes move in small slices.
constexpr std::size_t kManySlices = 8;

// What stands for a NaN of the target among the sums: a signalling one, which any addition makes
// quiet. So a NaN that is still signalling in the end was not touched.
constexpr std::uint32_t kUntouchedNan = 0x7F800001;

HWY_INLINE std::size_t LoadIndex(const std::byte* indices, std::size_t k) {
  std::int32_t index = 0;
  std::memcpy(&index, indices + k * sizeof(index), sizeof(index));
  return static_cast<std::size_t>(index);
}

template <class Half>
void WidenSums(const std::byte* target, std::size_t count, float* sums) {
  ForEachVector(0, count, [&](auto d, std::size_t i) HWY_ATTR {
    const auto value = LoadHalves(Half(), d, target + i * kHalfBytes);
    const hn::RebindToUnsigned<decltype(d)> du;
    const auto mark = hn::BitCast(d, hn::Set(du, kUntouchedNan));
    hn::StoreU(hn::IfThenElse(hn::IsNaN(value), mark, value), d, sums + i);
  });
}

template <class Half>
void NarrowSums(const float* sums, std::size_t count, std::byte* target) {
  ForEachVector(0, count, [&](auto d, std::size_t i) HWY_ATTR {
    const auto sum = hn::LoadU(d, sums + i);
    std::byte* const to = target + i * kHalfBytes;
    if (HWY_LIKELY(hn::AllFalse(d, hn::IsNaN(sum)))) {
      return StoreBits(d, NarrowCanonical(Half(), d, sum), to);
    }
    const hn::RebindToUnsigned<decltype(d)> du;
    const Halves<decltype(d)> d16;
    const auto untouched = hn::Eq(hn::BitCast(du, sum), hn::Set(du, kUntouchedNan));
    const auto keeps = hn::MaskFromVec(hn::TruncateTo(d16, hn::VecFromMask(du, untouched)));
    StoreBits(d, hn::IfThenElse(keeps, LoadBits(d, to), Narrow(Half(), d, sum)), to);
  });
}

HWY_INLINE void AddRow(const float* products, std::size_t width, float* sums) {
  std::size_t c = 0;
  const auto add = [&](auto d) HWY_ATTR {
    const std::size_t lanes = hn::Lanes(d);
    for (; width - c >= lanes; c += lanes) {
      hn::StoreU(hn::Add(hn::LoadU(d, sums + c), hn::LoadU(d, products + c)), d, sums + c);
    }
  };
  add(Floats());
  add(hn::CappedTag<float, 8>());
  add(hn::CappedTag<float, 4>());
  for (; c < width; ++c) sums[c] += products[c];
}

// For each k, row product_of(k) of the products to row row_of(k) of the sums.
template <class RowOf, class ProductOf>
HWY_INLINE void AddRows(const RowOf& row_of, const ProductOf& product_of, std::size_t count,
                        std::size_t width, const float* products, float* sums) {
  if (width == 1) {
    std::size_t k = 0;
    for (; count - k >= 4; k += 4) {
      sums[row_of(k)] += products[product_of(k)];
      sums[row_of(k + 1)] += products[product_of(k + 1)];
      sums[row_of(k + 2)] += products[product_of(k + 2)];
      sums[row_of(k + 3)] += products[product_of(k + 3)];
    }
    for (; k < count; ++k) sums[row_of(k)] += products[product_of(k)];
  } else if (width == 2) {
    for (std::size_t k = 0; k < count; ++k) {
      float* const row = sums + row_of(k) * 2;
      const float* const product = products + product_of(k) * 2;
      row[0] += product[0];
      row[1] += product[1];
    }
  } else {
    for (std::size_t k = 0; k < count; ++k) {
      AddRow(products + product_of(k) * width, width, sums + row_of(k) * width);
    }
  }
}

// The products in the order of `indices`.
HWY_INLINE void AddInOrder(const std::byte* indices, std::size_t count, std::size_t width,
                           const float* products, float* sums) {
  AddRows([&](std::size_t k) { return LoadIndex(indices, k); }, [](std::size_t k) { return k; },
          count, width, products, sums);
}

// The part of `bytes` bytes from `from` on that is step `step` of `steps`.
HWY_INLINE void FetchStep(const std::byte* from, std::size_t bytes, std::size_t step,
                          std::size_t steps) {
  const std::size_t lines = bytes / kLineBytes;
  const std::size_t end = lines * (step + 1) / steps;
  for (std::size_t i = lines * step / steps; i < end; ++i) hwy::Prefetch(from + i * kLineBytes);
}

// One slice, whose sums are widened already. Meanwhile the next one is fetched, if there is one: to
// add takes longer than to bring it, but uses none of the way to memory.
template <class Half>
void AddOneSlice(const DenseAddTask& task, const std::byte* updates, const std::byte* target,
                 bool fetch_next, float* sums) {
  const std::size_t width = task.width;
  const std::size_t target_bytes = task.rows * width * kHalfBytes;
  const std::size_t updates_bytes = task.stride * width * kHalfBytes;
  HWY_ALIGN float products[kStepProducts];
  const std::size_t most = kStepProducts / width;
  const std::size_t steps = (task.count + most - 1) / most;
  for (std::size_t step = 0; step < steps; ++step) {
    const std::size_t begin = step * most;
    const std::size_t count = std::min(most, task.count - begin);
    MakeProducts<Half>(task.factor, updates + begin * width * kHalfBytes, count * width, products);
    if (fetch_next) {
      FetchStep(target + target_bytes, target_bytes, step, steps);
      FetchStep(updates + updates_bytes, updates_bytes, step, steps);
    }
    AddInOrder(task.indices + begin * sizeof(std::int32_t), count, width, products, sums);
  }
}

// False where slices are no small ones. Not inlined: the tables would be a burden to who adds a few
// rows.
template <class Half>
HWY_NOINLINE bool AddManySmallSlices(const DenseAddTask& task, std::size_t begin, std::size_t end) {
  LaneRounds rounds;
  if (!rounds.Fill(task)) return false;
#if BELAY_LOOKS_UP_IN_TWO
  if (FlatRounds::Serves(task, end - begin)) {
    AddFlatSlices<Half>(task, rounds, begin, end);
    return true;
  }
#endif
  AddAllSmallSlices<Half>(task, rounds, begin, end);
  return true;
}

template <class Half>
void AddSlices(const DenseAddTask& task, std::size_t begin, std::size_t end, float* sums,
               std::size_t capacity) {
  if (end - begin >= kManySlices && AddManySmallSlices<Half>(task, begin, end)) return;
  const std::size_t slice = task.rows * task.width;
  const std::size_t updates_slice = task.stride * task.width;
  // Small slices are converted many at a time. A lone one is spared the divisions, which take as
  // long as a few rows.
  const bool is_lone = end - begin == 1 && updates_slice <= kProducts;
  const std::size_t most = is_lone ? 1 : std::min(capacity / slice, kProducts / updates_slice);
  HWY_ALIGN float products[kProducts];
  for (std::size_t at = begin; at < end;) {
    const std::size_t together = std::clamp<std::size_t>(most, 1, end - at);
    std::byte* const target = task.target + at * slice * kHalfBytes;
    const std::byte* const updates = task.updates + at * updates_slice * kHalfBytes;
    WidenSums<Half>(target, together * slice, sums);
    if (is_lone || most > 1) {
      MakeProducts<Half>(task.factor, updates, together * updates_slice, products);
      for (std::size_t s = 0; s < together; ++s) {
        AddInOrder(task.indices, task.count, task.width, products + s * updates_slice,
                   sums + s * slice);
      }
    } else {
      AddOneSlice<Half>(task, updates, target, at + 1 < end, sums);
    }
    NarrowSums<Half>(sums, together * slice, target);
    at += together;
  }
}

void DenseAddSlices(const DenseAddTask& task, std::size_t begin, std::size_t end, float* sums,
                    std::size_t capacity) {
  const DefaultFloatEnvironment environment;
  if (task.format == HalfFormat::kFp16) {
    AddSlices<Fp16>(task, begin, end, sums, capacity);
  } else {
    AddSlices<Bf16>(task, begin, end, sums, capacity);
  }
}

// The indices of a block that name rows of a part.
struct Chosen {
  std::size_t count = 0;
  HWY_ALIGN std::uint32_t rows[kProducts + hn::MaxLanes(Floats())];       // within the part
  HWY_ALIGN std::uint32_t positions[kProducts + hn::MaxLanes(Floats())];  // within the block
};

void Choose(const std::byte* indices, std::size_t count, std::uint32_t begin, std::uint32_t rows,
            Chosen& chosen) {
  const hn::RebindToUnsigned<Floats> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t found = 0;
  std::size_t k = 0;
  for (; count - k >= lanes; k += lanes) {
    const auto* const at =
        reinterpret_cast<const std::uint32_t*>(indices + k * sizeof(std::uint32_t));
    const auto row = hn::Sub(hn::LoadU(d, at), hn::Set(d, begin));
    const auto inside = hn::Lt(row, hn::Set(d, rows));
    // Whole vectors are stored, the rest of which the next ones overwrite.
    const auto position = hn::Iota(d, static_cast<std::uint32_t>(k));
    hn::StoreU(hn::Compress(position, inside), d, chosen.positions + found);
    hn::StoreU(hn::Compress(row, inside), d, chosen.rows + found);
    found += hn::CountTrue(d, inside);
  }
  for (; k < count; ++k) {
    const std::uint32_t row = static_cast<std::uint32_t>(LoadIndex(indices, k)) - begin;
    chosen.positions[found] = static_cast<std::uint32_t>(k);
    chosen.rows[found] = row;
    found += row < rows ? 1 : 0;
  }
  chosen.count = found;
}

template <class Half>
void AddPartOfRows(const DenseAddTask& task, std::size_t begin, std::size_t end, float* sums) {
  const std::size_t width = task.width;
  const std::size_t block = kProducts / width;
  HWY_ALIGN float products[kProducts];
  Chosen chosen;
  std::byte* const target = task.target + begin * width * kHalfBytes;
  WidenSums<Half>(target, (end - begin) * width, sums);
  for (std::size_t k = 0; k < task.count; k += block) {
    const std::size_t count = std::min(block, task.count - k);
    Choose(task.indices + k * sizeof(std::int32_t), count, static_cast<std::uint32_t>(begin),
           static_cast<std::uint32_t>(end - begin), chosen);
    if (chosen.count == 0) continue;
    MakeProducts<Half>(task.factor, task.updates + k * width * kHalfBytes, count * width, products);
    AddRows([&](std::size_t i) { return std::size_t{chosen.rows[i]}; },
            [&](std::size_t i) { return std::size_t{chosen.positions[i]}; }, chosen.count, width,
            products, sums);
  }
  NarrowSums<Half>(sums, (end - begin) * width, target);
}

void DenseAddRows(const DenseAddTask& task, std::size_t begin, std::size_t end, float* sums) {
  const DefaultFloatEnvironment environment;
  if (task.format == HalfFormat::kFp16) {
    AddPartOfRows<Fp16>(task, begin, end, sums);
  } else {
    AddPartOfRows<Bf16>(task, begin, end, sums);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace belay::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace belay::kernels {
namespace {

HWY_EXPORT(DenseAddSlices);
HWY_EXPORT(DenseAddRows);

}  // namespace

void DenseAddSlices(const DenseAddTask& task, std::size_t begin, std::size_t end, float* sums,
                    std::size_t capacity) {
  HWY_DYNAMIC_DISPATCH(DenseAddSlices)(task, begin, end, sums, capacity);
}

void DenseAddRows(const DenseAddTask& task, std::size_t begin, std::size_t end, float* sums) {
  HWY_DYNAMIC_DISPATCH(DenseAddRows)(task, begin, end, sums);
}

}  // namespace belay::kernels
#endif  // HWY_ONCE
