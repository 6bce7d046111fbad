// Additions to a tile of a group of slices, each column of which is the same row of all slices.
//
// Included by slice_group_add.cc, which is compiled once for each instruction set.
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernels/slice_group_add.h"

// Per-target include guard.
#if defined(BELAY_KERNELS_GROUP_TILE_ADD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BELAY_KERNELS_GROUP_TILE_ADD_INL_H_
#undef BELAY_KERNELS_GROUP_TILE_ADD_INL_H_
#else
#define BELAY_KERNELS_GROUP_TILE_ADD_INL_H_
#endif

#include <hwy/highway.h>

#include "kernels/half_simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace belay::kernels {
namespace HWY_NAMESPACE {
namespace {

using Slices = hn::CappedTag<float, kGroupSlices>;

template <class Half>
HWY_INLINE hn::Vec<Slices> LoadColumn(const std::uint16_t* column) {
  return Widen(Half(), Slices(), hn::LoadU(Halves<Slices>(), column));
}

template <class Half>
HWY_INLINE void StoreColumn(hn::Vec<Slices> values, std::uint16_t* column) {
  hn::StoreU(Narrow(Half(), Slices(), values), Halves<Slices>(), column);
}

// Whether two columns together are a whole vector.
#undef BELAY_PAIRS_COLUMNS
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
#define BELAY_PAIRS_COLUMNS 1

template <class Half>
HWY_INLINE hn::Vec<Floats> LoadColumns(const std::uint16_t* a, const std::uint16_t* b) {
  const Halves<Slices> d;
  return Widen(Half(), Floats(), hn::Combine(Halves<Floats>(), hn::LoadU(d, b), hn::LoadU(d, a)));
}

template <class Half>
HWY_INLINE void StoreColumns(hn::Vec<Floats> values, std::uint16_t* a, std::uint16_t* b) {
  const Halves<Slices> d;
  const auto halves = Narrow(Half(), Floats(), values);
  hn::StoreU(hn::LowerHalf(d, halves), d, a);
  hn::StoreU(hn::UpperHalf(d, halves), d, b);
}
#else
#define BELAY_PAIRS_COLUMNS 0
#endif

// For each vector of a column.
template <class Step>
HWY_INLINE void ForSlices(const Step& step) {
  for (std::size_t s = 0; s < kGroupSlices; s += hn::Lanes(Slices())) step(s);
}

// Additions to some columns of a tile.
template <class Half>
class TileAdder {
 public:
  using Addition = SliceGroupPlan::Addition;

  TileAdder(float factor, const std::uint16_t* updates, std::uint16_t* tile)
      : factor_(factor), updates_(updates), tile_(tile) {}

  // Columns that no addition names stay as they are. Returns the end of the tile's additions.
  const Addition* Add(const SliceGroupPlan::Tile& counts, const Addition* addition) const {
    HWY_ALIGN float sums[SliceGroupPlan::kTileRows * kGroupSlices];
    AddOnly(addition, counts.only);
    addition += counts.only;
    const Addition* const firsts = addition;
    AddFirst(firsts, counts.first, sums);
    addition += counts.first;
    for (const auto* const end = addition + counts.more; addition != end; ++addition) {
      float* const sum = sums + addition->to * kGroupSlices;
      ForSlices([&, update = addition->update](std::size_t s) HWY_ATTR {
        const Slices d;
        hn::StoreU(hn::Add(hn::LoadU(d, sum + s), Product(update, s)), d, sum + s);
      });
    }
    NarrowSums(sums, firsts, counts.first);
    return addition;
  }

 private:
  // At half the instructions for each column, but with one unit less to run them. bf16, which is
  // rounded in integers, gains a tenth on the whole; fp16 gains nothing.
  static constexpr bool kPairs = std::is_same_v<Half, Bf16>;

  HWY_INLINE std::uint16_t* Column(const Addition& addition) const {
    return tile_ + addition.to * kGroupSlices;
  }
  HWY_INLINE const std::uint16_t* Update(const Addition& addition) const {
    return updates_ + addition.update * kGroupSlices;
  }

  HWY_INLINE hn::Vec<Slices> Product(std::size_t update, std::size_t s) const {
    return hn::Mul(hn::Set(Slices(), factor_),
                   LoadColumn<Half>(updates_ + update * kGroupSlices + s));
  }

#if BELAY_PAIRS_COLUMNS
  HWY_INLINE hn::Vec<Floats> SumOfTwo(const Addition& a, const Addition& b) const {
    const auto product =
        hn::Mul(hn::Set(Floats(), factor_), LoadColumns<Half>(Update(a), Update(b)));
    return hn::Add(LoadColumns<Half>(Column(a), Column(b)), product);
  }
#endif

  HWY_INLINE void AddOnly(const Addition* additions, std::size_t count) const {
    std::size_t k = 0;
#if BELAY_PAIRS_COLUMNS
    for (; kPairs && count - k >= 2; k += 2) {
      const Addition a = additions[k];
      const Addition b = additions[k + 1];
      StoreColumns<Half>(SumOfTwo(a, b), Column(a), Column(b));
    }
#endif
    for (; k < count; ++k) {
      std::uint16_t* const column = Column(additions[k]);
      ForSlices([&, update = additions[k].update](std::size_t s) HWY_ATTR {
        const auto before = LoadColumn<Half>(column + s);
        StoreColumn<Half>(hn::Add(before, Product(update, s)), column + s);
      });
    }
  }

  HWY_INLINE void AddFirst(const Addition* additions, std::size_t count, float* sums) const {
    std::size_t k = 0;
#if BELAY_PAIRS_COLUMNS
    for (; kPairs && count - k >= 2; k += 2) {
      hn::StoreU(SumOfTwo(additions[k], additions[k + 1]), Floats(), sums + k * kGroupSlices);
    }
#endif
    for (; k < count; ++k) {
      const Addition first = additions[k];
      ForSlices([&](std::size_t s) HWY_ATTR {
        const auto before = LoadColumn<Half>(Column(first) + s);
        hn::StoreU(hn::Add(before, Product(first.update, s)), Slices(),
                   sums + k * kGroupSlices + s);
      });
    }
  }

  // Sums to where their first additions say.
  HWY_INLINE void NarrowSums(const float* sums, const Addition* firsts, std::size_t count) const {
    std::size_t k = 0;
#if BELAY_PAIRS_COLUMNS
    for (; kPairs && count - k >= 2; k += 2) {
      StoreColumns<Half>(hn::LoadU(Floats(), sums + k * kGroupSlices), Column(firsts[k]),
                         Column(firsts[k + 1]));
    }
#endif
    for (; k < count; ++k) {
      ForSlices([&](std::size_t s) HWY_ATTR {
        StoreColumn<Half>(hn::LoadU(Slices(), sums + k * kGroupSlices + s), Column(firsts[k]) + s);
      });
    }
  }

  const float factor_;
  const std::uint16_t* const updates_;
  std::uint16_t* const tile_;
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace belay::kernels
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
