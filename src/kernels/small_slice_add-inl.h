// Slices that are so small that each is one vector: the updates are moved to the lanes of their
// rows and added there.
//
// Included by dense_add.cc, which is compiled once for each instruction set.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/dense_add.h"

// Per-target include guard.
#if defined(BELAY_KERNELS_SMALL_SLICE_ADD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BELAY_KERNELS_SMALL_SLICE_ADD_INL_H_
#undef BELAY_KERNELS_SMALL_SLICE_ADD_INL_H_
#else
#define BELAY_KERNELS_SMALL_SLICE_ADD_INL_H_
#endif

#include <hwy/highway.h>

#include "kernels/half_simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace belay::kernels {
namespace HWY_NAMESPACE {
namespace {

/// The products of `count` updates.
template <class Half>
void MakeProducts(float factor, const std::byte* updates, std::size_t count, float* products) {
  ForEachVector(0, count, [&](auto d, std::size_t i) HWY_ATTR {
    const auto value = LoadHalves(Half(), d, updates + i * sizeof(std::uint16_t));
    hn::StoreU(hn::Mul(hn::Set(d, factor), value), d, products + i);
  });
}

/// Which lane of the updates goes to which lane of the target. The first update of each row is
/// added in round 0, the second in round 1, and so on.
struct LaneRounds {
  static constexpr std::size_t kMaxRounds = 4;
  static constexpr std::size_t kLanes = hn::MaxLanes(Floats());
  static constexpr std::size_t kMinLanes = 4;  // fewer would leave most of a vector unused

  std::size_t count = 0;
  HWY_ALIGN std::int32_t from[kMaxRounds][kLanes];
  HWY_ALIGN std::uint32_t takes_part[kMaxRounds][kLanes];  // all bits or none
  HWY_ALIGN std::uint16_t touched[kLanes];                 // all bits or none

  /// False when the slices are too large or too small, or a row has too many updates.
  bool Fill(const DenseAddTask& task) {
    const std::size_t slice = task.rows * task.width;
    const std::size_t updates_slice = task.stride * task.width;
    if (std::min(slice, updates_slice) < kMinLanes) return false;
    if (std::max(slice, updates_slice) > hn::Lanes(Floats())) return false;
    std::fill_n(touched, kLanes, std::uint16_t{0});
    std::uint8_t updates_of[kLanes] = {};
    for (std::size_t k = 0; k < task.count; ++k) {
      std::int32_t index = 0;
      std::memcpy(&index, task.indices + k * sizeof(index), sizeof(index));
      const auto row = static_cast<std::size_t>(index);
      const std::size_t round = updates_of[row]++;
      if (round == kMaxRounds) return false;
      if (round == count) {
        std::fill_n(from[round], kLanes, 0);
        std::fill_n(takes_part[round], kLanes, 0U);
        ++count;
      }
      for (std::size_t c = 0; c < task.width; ++c) {
        const std::size_t lane = row * task.width + c;
        from[round][lane] = static_cast<std::int32_t>(k * task.width + c);
        takes_part[round][lane] = UINT32_MAX;
        touched[lane] = UINT16_MAX;
      }
    }
    return true;
  }
};

/// `count` slices that lie side by side; reads a whole vector from the start of each, and writes
/// one to `results`, of which the next slice overwrites what is not its own.
template <class Half>
void AddSmallSlices(const DenseAddTask& task, const LaneRounds& rounds, const std::byte* updates,
                    const std::byte* target, std::size_t count, std::byte* results) {
  const Floats d;
  const hn::RebindToUnsigned<Floats> du;
  const Halves<Floats> d16;
  const std::size_t slice = task.rows * task.width;
  const std::size_t updates_slice = task.stride * task.width;
  const auto factor = hn::Set(d, task.factor);
  const auto touched = hn::MaskFromVec(hn::Load(d16, rounds.touched));
  for (std::size_t s = 0; s < count; ++s) {
    const auto before = LoadBits(d, target + s * slice * sizeof(std::uint16_t));
    const auto values = LoadHalves(Half(), d, updates + s * updates_slice * sizeof(std::uint16_t));
    const auto products = hn::Mul(factor, values);
    auto sums = Widen(Half(), d, before);
    for (std::size_t round = 0; round < rounds.count; ++round) {
      const auto from = hn::SetTableIndices(d, rounds.from[round]);
      const auto takes_part =
          hn::RebindMask(d, hn::MaskFromVec(hn::Load(du, rounds.takes_part[round])));
      const auto added = hn::Add(sums, hn::TableLookupLanes(products, from));
      sums = hn::IfThenElse(takes_part, added, sums);
    }
    StoreBits(d, hn::IfThenElse(touched, Narrow(Half(), d, sums), before),
              results + s * slice * sizeof(std::uint16_t));
  }
}

// memcpy of sizes with a known bound becomes `rep movs`, which takes its time to start.
HWY_INLINE void CopyHalves(const std::byte* from, std::size_t count, std::byte* to) {
  ForEachVector(0, count, [&](auto d, std::size_t i) HWY_ATTR {
    StoreBits(d, LoadBits(d, from + i * sizeof(std::uint16_t)), to + i * sizeof(std::uint16_t));
  });
}

/// Slices [begin, end) of the task. Touches nothing outside of them.
template <class Half>
void AddAllSmallSlices(const DenseAddTask& task, const LaneRounds& rounds, std::size_t begin,
                       std::size_t end) {
  constexpr std::size_t kLanes = LaneRounds::kLanes;
  // Results are kept apart for a while: a load cannot soon follow a store that it partly overlaps.
  constexpr std::size_t kResults = 1024;
  const std::size_t slice = task.rows * task.width;
  const std::size_t updates_slice = task.stride * task.width;
  const std::size_t target_bytes = slice * sizeof(std::uint16_t);
  const std::size_t updates_bytes = updates_slice * sizeof(std::uint16_t);
  // The last slices from which a whole vector cannot be read go through room of their own.
  const std::size_t last =
      std::min(end - begin, 1 + (hn::Lanes(Floats()) - 1) / std::min(slice, updates_slice));
  const std::size_t whole_end = end - last;
  HWY_ALIGN std::byte results[(kResults + kLanes) * sizeof(std::uint16_t)];
  for (std::size_t s = begin; s < whole_end;) {
    const std::size_t count = std::min(kResults / slice, whole_end - s);
    std::byte* const target = task.target + s * target_bytes;
    AddSmallSlices<Half>(task, rounds, task.updates + s * updates_bytes, target, count, results);
    CopyHalves(results, count * slice, target);
    s += count;
  }
  constexpr std::size_t kMaxLast = 1 + (kLanes - 1) / LaneRounds::kMinLanes;
  HWY_ALIGN std::byte target_copy[(kMaxLast + 1) * kLanes * sizeof(std::uint16_t)] = {};
  HWY_ALIGN std::byte updates_copy[(kMaxLast + 1) * kLanes * sizeof(std::uint16_t)] = {};
  std::byte* const target = task.target + whole_end * target_bytes;
  CopyHalves(target, last * slice, target_copy);
  CopyHalves(task.updates + whole_end * updates_bytes, last * updates_slice, updates_copy);
  AddSmallSlices<Half>(task, rounds, updates_copy, target_copy, last, results);
  CopyHalves(results, last * slice, target);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace belay::kernels
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
