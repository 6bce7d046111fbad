// Small slices, each of which leaves much of a vector unused, taken as one flat array instead: a
// vector holds the ends and beginnings of slices, and its lanes look their products up.
//
// Included by dense_add.cc, which is compiled once for each instruction set.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "kernels/dense_add.h"

// Per-target include guard.
#if defined(BELAY_KERNELS_FLAT_SLICE_ADD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BELAY_KERNELS_FLAT_SLICE_ADD_INL_H_
#undef BELAY_KERNELS_FLAT_SLICE_ADD_INL_H_
#else
#define BELAY_KERNELS_FLAT_SLICE_ADD_INL_H_
#endif

#include <hwy/highway.h>

#include "kernels/half_simd-inl.h"
#include "kernels/small_slice_add-inl.h"

// Only where one instruction looks up in two vectors, which this Highway has no name for.
#undef BELAY_LOOKS_UP_IN_TWO
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
#define BELAY_LOOKS_UP_IN_TWO 1
#else
#define BELAY_LOOKS_UP_IN_TWO 0
#endif

HWY_BEFORE_NAMESPACE();
namespace belay::kernels {
namespace HWY_NAMESPACE {
namespace {

#if BELAY_LOOKS_UP_IN_TWO

/// Which product each lane of a vector takes in each round, of the 32 from the first of the slice
/// on that the vector begins in. Vectors begin at other elements of a slice until, after a period,
/// the first one comes again.
class FlatRounds {
 public:
  static constexpr std::size_t kLanes = 16;
  static_assert(LaneRounds::kLanes == kLanes);
  static constexpr std::size_t kMaxPeriod = 15;  // in vectors
  static constexpr std::int32_t kNone = 31;      // stands for -0.0, which changes no sum

  FlatRounds(const DenseAddTask& task, const LaneRounds& rounds)
      : slice_(task.rows * task.width),
        updates_slice_(task.stride * task.width),
        count_(rounds.count),
        period_(slice_ >> CommonTwos(slice_)) {
    const hn::RebindToSigned<Floats> d;
    const auto none = hn::Set(d, kNone);
    const auto slice = hn::Set(d, static_cast<std::int32_t>(slice_));
    const auto last = hn::Set(d, static_cast<std::int32_t>(slice_ - 1));
    const auto updates = hn::Set(d, static_cast<std::int32_t>(updates_slice_));
    hn::Vec<decltype(d)> from[LaneRounds::kMaxRounds];
    for (std::size_t round = 0; round < count_; ++round) {
      const auto takes_part = hn::RebindMask(
          d, hn::MaskFromVec(hn::Load(hn::RebindToUnsigned<Floats>(), rounds.takes_part[round])));
      from[round] = hn::IfThenElse(takes_part, hn::Load(d, rounds.from[round]), none);
    }
    std::size_t first = 0;  // the slice in which the vector begins
    std::size_t begin = 0;  // at which of its elements
    for (std::size_t p = 0; p < period_; ++p) {
      window_[p] = first * updates_slice_;
      auto element = hn::Iota(d, static_cast<std::int32_t>(begin));
      auto offset = hn::Zero(d);
      for (std::size_t beyond = slice_; beyond < begin + kLanes; beyond += slice_) {
        const auto in_next = hn::Gt(element, last);
        element = hn::Sub(element, hn::IfThenElseZero(in_next, slice));
        offset = hn::Add(offset, hn::IfThenElseZero(in_next, updates));
      }
      const auto lanes = hn::IndicesFromVec(d, element);
      for (std::size_t round = 0; round < count_; ++round) {
        const auto index = hn::TableLookupLanes(from[round], lanes);
        const auto moved = hn::IfThenElse(hn::Eq(index, none), none, hn::Add(index, offset));
        hn::Store(moved, d, index_[p][round]);
      }
      for (begin += kLanes; begin >= slice_; begin -= slice_) ++first;
    }
  }

  /// Whether vectors need no more than 31 products, and slices are so many that this pays.
  static bool Serves(const DenseAddTask& task, std::size_t slices) {
    const std::size_t slice = task.rows * task.width;
    const std::size_t period = slice >> CommonTwos(slice);
    // A vector that begins anywhere goes through so many slices at most.
    const std::size_t through = (slice + kLanes - 2) / slice + 1;
    return through * task.stride * task.width <= kNone && slices * slice >= 3 * period * kLanes;
  }

  /// Slices after which vectors begin at a slice again.
  [[nodiscard]] std::size_t PeriodSlices() const { return kLanes >> CommonTwos(slice_); }

  /// `count` slices that lie side by side.
  ///   products  of these slices, and 32 more floats that may have any value
  template <class Half>
  void Add(const float* products, std::size_t count, std::byte* target) const {
    switch (count_) {
      case 1:
        return AddRounds<1, Half>(products, count, target);
      case 2:
        return AddRounds<2, Half>(products, count, target);
      case 3:
        return AddRounds<3, Half>(products, count, target);
      default:
        return AddRounds<4, Half>(products, count, target);
    }
  }

 private:
  // How often two divides both the slice and the vector; divisions take as long as a few vectors.
  static int CommonTwos(std::size_t slice) {
    return std::min(std::countr_zero(slice), std::countr_zero(kLanes));
  }

  template <std::size_t kRounds, class Half>
  void AddRounds(const float* products, std::size_t count, std::byte* target) const {
    constexpr std::size_t kVectorBytes = kLanes * sizeof(std::uint16_t);
    const std::size_t elements = count * slice_;
    const std::size_t period_products = PeriodSlices() * updates_slice_;
    std::size_t p = 0;
    std::size_t i = 0;
    for (; elements - i >= kLanes; i += kLanes) {
      AddVector<kRounds, Half>(products, p, target + i * sizeof(std::uint16_t));
      if (++p == period_) {
        p = 0;
        products += period_products;
      }
    }
    if (i == elements) return;
    HWY_ALIGN std::byte rest[kVectorBytes] = {};
    CopyHalves(target + i * sizeof(std::uint16_t), elements - i, rest);
    AddVector<kRounds, Half>(products, p, rest);
    CopyHalves(rest, elements - i, target + i * sizeof(std::uint16_t));
  }

  // Vector p of a period.
  template <std::size_t kRounds, class Half>
  HWY_INLINE void AddVector(const float* products, std::size_t p, std::byte* target) const {
    const Floats d;
    const auto before = LoadBits(d, target);
    auto sums = Widen(Half(), d, before);
    const auto low = hn::LoadU(d, products + window_[p]);
    const auto high =
        hn::IfThenElse(hn::RebindMask(d, hn::FirstN(d, kLanes - 1)),
                       hn::LoadU(d, products + window_[p] + kLanes), hn::Set(d, -0.0F));
    for (std::size_t round = 0; round < kRounds; ++round) {
      const __m512i index = _mm512_load_si512(index_[p][round]);
      const hn::Vec<Floats> added{_mm512_permutex2var_ps(low.raw, index, high.raw)};
      sums = hn::Add(sums, added);
    }
    if (HWY_UNLIKELY(!hn::AllFalse(d, hn::IsNaN(sums)))) {
      return StoreBits(d, hn::IfThenElse(Touched(p), Narrow(Half(), d, sums), before), target);
    }
    // Elements that no index names are what they were, as 16-bit floats again.
    StoreBits(d, NarrowCanonical(Half(), d, sums), target);
  }

  // Every element that is added to takes part in the first round.
  [[nodiscard]] HWY_NOINLINE hn::Mask<Halves<Floats>> Touched(std::size_t p) const {
    const hn::RebindToSigned<Floats> d;
    const hn::RebindToUnsigned<Floats> du;
    const auto is_touched = hn::Ne(hn::Load(d, index_[p][0]), hn::Set(d, kNone));
    const auto bits = hn::BitCast(du, hn::VecFromMask(d, is_touched));
    return hn::MaskFromVec(hn::TruncateTo(Halves<Floats>(), bits));
  }

  const std::size_t slice_;
  const std::size_t updates_slice_;
  const std::size_t count_;
  const std::size_t period_;
  std::size_t window_[kMaxPeriod];
  HWY_ALIGN std::int32_t index_[kMaxPeriod][LaneRounds::kMaxRounds][kLanes];
};

/// Slices [begin, end) of the task, which FlatRounds serves.
template <class Half>
void AddFlatSlices(const DenseAddTask& task, const LaneRounds& rounds, std::size_t begin,
                   std::size_t end) {
  constexpr std::size_t kProducts = 1024;
  const FlatRounds flat(task, rounds);
  const std::size_t slice_bytes = task.rows * task.width * sizeof(std::uint16_t);
  const std::size_t updates_slice = task.stride * task.width;
  const std::size_t period = flat.PeriodSlices();
  const std::size_t slices = end - begin;
  const std::size_t together =
      slices * updates_slice <= kProducts ? slices : kProducts / updates_slice / period * period;
  HWY_ALIGN float products[kProducts + 2 * FlatRounds::kLanes];
  for (std::size_t at = begin; at < end; at += together) {
    const std::size_t count = std::min(together, end - at);
    MakeProducts<Half>(task.factor, task.updates + at * updates_slice * sizeof(std::uint16_t),
                       count * updates_slice, products);
    std::fill_n(products + count * updates_slice, 2 * FlatRounds::kLanes, 0.0F);
    flat.Add<Half>(products, count, task.target + at * slice_bytes);
  }
}

#endif  // BELAY_LOOKS_UP_IN_TWO

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace belay::kernels
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
