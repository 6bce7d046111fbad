#include "kernels/slice_group_add.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "kernels/float_environment.h"

// This file is compiled once for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/slice_group_add.cc"
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

// Columns that are transposed together: a line of each slice.
constexpr std::size_t kColumns = 32;
// Lanes of the 128 bits within which vectors are interleaved.
constexpr std::size_t kBlock = 8;
static_assert(kBlock == kGroupSlices);

using Columns = hn::CappedTag<std::uint16_t, kColumns>;
using Slices = hn::CappedTag<float, kGroupSlices>;

// Transposes each block of 8 vectors, of which each is `step` bytes behind the one before.
HWY_INLINE void Transpose(const std::byte* from, std::size_t from_step, std::byte* to,
                          std::size_t to_step) {
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t i = 0; i < kBlock; ++i) {
    for (std::size_t j = 0; j < kBlock; ++j) {
      std::memcpy(to + i * to_step + j * kHalfBytes, from + j * from_step + i * kHalfBytes,
                  kHalfBytes);
    }
  }
#else
  const Columns d;
  const auto load = [&](std::size_t i) HWY_ATTR {
    return hn::LoadU(d, reinterpret_cast<const std::uint16_t*>(from + i * from_step));
  };
  const auto store = [&](std::size_t i, auto values) HWY_ATTR {
    hn::StoreU(values, d, reinterpret_cast<std::uint16_t*>(to + i * to_step));
  };
  auto v0 = load(0);
  auto v1 = load(1);
  auto v2 = load(2);
  auto v3 = load(3);
  auto v4 = load(4);
  auto v5 = load(5);
  auto v6 = load(6);
  auto v7 = load(7);
  // Three bits number the vector and three the lane. To interleave the first half of the vectors
  // with the second one rotates the six by one, so three times swap vector and lane.
  for (int bit = 0; bit < 3; ++bit) {
    const auto upper0 = hn::InterleaveUpper(d, v0, v4);
    const auto upper1 = hn::InterleaveUpper(d, v1, v5);
    const auto upper2 = hn::InterleaveUpper(d, v2, v6);
    const auto upper3 = hn::InterleaveUpper(d, v3, v7);
    v0 = hn::InterleaveLower(d, v0, v4);
    v4 = hn::InterleaveLower(d, v2, v6);
    v2 = hn::InterleaveLower(d, v1, v5);
    v6 = hn::InterleaveLower(d, v3, v7);
    v1 = upper0;
    v3 = upper1;
    v5 = upper2;
    v7 = upper3;
  }
  store(0, v0);
  store(1, v1);
  store(2, v2);
  store(3, v3);
  store(4, v4);
  store(5, v5);
  store(6, v6);
  store(7, v7);
#endif
}

// kColumns columns of 8 slices, to and from where GroupPlace has them.
HWY_INLINE void TransposeColumns(const std::byte* from, std::size_t from_step, std::byte* to,
                                 std::size_t to_step) {
  const std::size_t bytes = std::max(hn::Lanes(Columns()), kBlock) * kHalfBytes;
  for (std::size_t at = 0; at < kColumns * kHalfBytes; at += bytes) {
    Transpose(from + at, from_step, to + at, to_step);
  }
}

constexpr std::size_t kSliceBytes = kColumns * kHalfBytes;

// Rows or updates of a group.
struct Piece {
  std::byte* halves = nullptr;
  std::size_t stride = 0;  // bytes from slice to slice
  std::size_t slices = 0;
  std::size_t columns = 0;
};

// Calls whole(halves, c) for kColumns columns from c on, and part(halves, c, count) for those that
// are fewer or of fewer slices than a group.
template <class Whole, class Part>
HWY_INLINE void ForColumns(const Piece& piece, const Whole& whole, const Part& part) {
  for (std::size_t c = 0; c < piece.columns; c += kColumns) {
    std::byte* const halves = piece.halves + c * kHalfBytes;
    const std::size_t count = std::min(kColumns, piece.columns - c);
    if (HWY_LIKELY(count == kColumns && piece.slices == kGroupSlices)) {
      whole(halves, c);
    } else {
      part(halves, c, count * kHalfBytes);
    }
  }
}

// Meanwhile the first columns of `next` are fetched, as many: caches do not foresee the steps from
// slice to slice.
void Gather(const Piece& piece, const Piece& next, std::uint16_t* room) {
  const auto place = [room](std::size_t c) {
    return reinterpret_cast<std::byte*>(room + c * kGroupSlices);
  };
  const auto fetch = [&next](std::size_t c) HWY_ATTR {
    if (c >= next.columns) return;
    for (std::size_t s = 0; s < next.slices; ++s) {
      hwy::Prefetch(next.halves + s * next.stride + c * kHalfBytes);
    }
  };
  ForColumns(
      piece,
      [&](const std::byte* halves, std::size_t c) HWY_ATTR {
        fetch(c);
        TransposeColumns(halves, piece.stride, place(c), kSliceBytes);
      },
      [&](const std::byte* halves, std::size_t c, std::size_t bytes) HWY_ATTR {
        std::byte copy[kGroupSlices * kSliceBytes] = {};
        for (std::size_t s = 0; s < piece.slices; ++s) {
          std::memcpy(copy + s * kSliceBytes, halves + s * piece.stride, bytes);
        }
        TransposeColumns(copy, kSliceBytes, place(c), kSliceBytes);
      });
}

void Scatter(const std::uint16_t* room, const Piece& piece) {
  const auto place = [room](std::size_t c) {
    return reinterpret_cast<const std::byte*>(room + c * kGroupSlices);
  };
  ForColumns(
      piece,
      [&](std::byte* halves, std::size_t c)
          HWY_ATTR { TransposeColumns(place(c), kSliceBytes, halves, piece.stride); },
      [&](std::byte* halves, std::size_t c, std::size_t bytes) HWY_ATTR {
        std::byte copy[kGroupSlices * kSliceBytes];
        TransposeColumns(place(c), kSliceBytes, copy, kSliceBytes);
        for (std::size_t s = 0; s < piece.slices; ++s) {
          std::memcpy(halves + s * piece.stride, copy + s * kSliceBytes, bytes);
        }
      });
}

template <class Half>
HWY_INLINE hn::Vec<Slices> LoadColumn(const std::uint16_t* column) {
  return Widen(Half(), Slices(), hn::LoadU(Halves<Slices>(), column));
}

template <class Half>
HWY_INLINE void StoreColumn(hn::Vec<Slices> values, std::uint16_t* column) {
  hn::StoreU(Narrow(Half(), Slices(), values), Halves<Slices>(), column);
}

// For each vector of a column.
template <class Step>
HWY_INLINE void ForSlices(const Step& step) {
  for (std::size_t s = 0; s < kGroupSlices; s += hn::Lanes(Slices())) step(s);
}

// Columns that no addition names stay as they are. Returns the end of the tile's additions.
template <class Half>
const SliceGroupPlan::Addition* AddTile(float factor, const SliceGroupPlan::Tile& counts,
                                        const SliceGroupPlan::Addition* addition,
                                        const std::uint16_t* updates, std::uint16_t* tile) {
  const Slices d;
  HWY_ALIGN float sums[SliceGroupPlan::kTileRows * kGroupSlices];
  const auto product = [&](std::size_t update, std::size_t s) HWY_ATTR {
    return hn::Mul(hn::Set(d, factor), LoadColumn<Half>(updates + update * kGroupSlices + s));
  };
  for (const auto* const end = addition + counts.only; addition != end; ++addition) {
    std::uint16_t* const column = tile + addition->to * kGroupSlices;
    ForSlices([&, update = addition->update](std::size_t s) HWY_ATTR {
      const auto before = LoadColumn<Half>(column + s);
      StoreColumn<Half>(hn::Add(before, product(update, s)), column + s);
    });
  }
  const SliceGroupPlan::Addition* const firsts = addition;
  for (std::size_t k = 0; k < counts.first; ++k) {
    const SliceGroupPlan::Addition first = firsts[k];
    ForSlices([&](std::size_t s) HWY_ATTR {
      const auto before = LoadColumn<Half>(tile + first.to * kGroupSlices + s);
      hn::StoreU(hn::Add(before, product(first.update, s)), d, sums + k * kGroupSlices + s);
    });
  }
  addition += counts.first;
  for (const auto* const end = addition + counts.more; addition != end; ++addition) {
    float* const sum = sums + addition->to * kGroupSlices;
    ForSlices([&, update = addition->update](std::size_t s) HWY_ATTR {
      hn::StoreU(hn::Add(hn::LoadU(d, sum + s), product(update, s)), d, sum + s);
    });
  }
  for (std::size_t k = 0; k < counts.first; ++k) {
    ForSlices([&](std::size_t s) HWY_ATTR {
      StoreColumn<Half>(hn::LoadU(d, sums + k * kGroupSlices + s),
                        tile + firsts[k].to * kGroupSlices + s);
    });
  }
  return addition;
}

template <class Half>
void AddGroups(const DenseAddTask& task, const SliceGroupPlan& plan, std::size_t begin,
               std::size_t end, std::uint16_t* room) {
  constexpr std::size_t kTile = SliceGroupPlan::kTileRows;
  HWY_ALIGN std::uint16_t tile[kTile * kGroupSlices];
  const auto columns = [&](const std::byte* halves, std::size_t stride, std::size_t slice,
                           std::size_t column) {
    // Only what is of the target is written.
    return Piece{const_cast<std::byte*>(halves) + (slice * stride + column) * kHalfBytes,
                 stride * kHalfBytes, std::min(kGroupSlices, end - slice), kTile};
  };
  const auto updates_at = [&](std::size_t slice, std::size_t column) {
    Piece piece = columns(task.updates, task.stride, slice, column);
    piece.columns = std::min(kTile, task.count - column);
    return piece;
  };
  const auto target_at = [&](std::size_t slice, std::size_t column) {
    Piece piece = columns(task.target, task.rows, slice, column);
    piece.columns = std::min(kTile, task.rows - column);
    return piece;
  };
  for (std::size_t at = begin; at < end; at += kGroupSlices) {
    for (std::size_t k = 0; k < task.count; k += kTile) {
      const std::size_t next = k + kTile;
      Gather(updates_at(at, k), next < task.count ? updates_at(at, next) : target_at(at, 0),
             room + k * kGroupSlices);
    }
    const std::size_t next_slice = at + kGroupSlices;
    const Piece next_group = next_slice < end ? updates_at(next_slice, 0) : Piece{};
    const SliceGroupPlan::Addition* addition = plan.additions().data();
    std::size_t row = 0;
    for (const SliceGroupPlan::Tile& counts : plan.tiles()) {
      const Piece rows = target_at(at, row);
      row += kTile;
      Gather(rows, row < task.rows ? target_at(at, row) : next_group, tile);
      addition = AddTile<Half>(task.factor, counts, addition, room, tile);
      Scatter(tile, rows);
    }
  }
}

void GroupAddSlices(const DenseAddTask& task, const SliceGroupPlan& plan, std::size_t begin,
                    std::size_t end, std::uint16_t* room) {
  const DefaultFloatEnvironment environment;
  if (task.format == HalfFormat::kFp16) {
    AddGroups<Fp16>(task, plan, begin, end, room);
  } else {
    AddGroups<Bf16>(task, plan, begin, end, room);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace belay::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace belay::kernels {
namespace {

HWY_EXPORT(GroupAddSlices);

// Where a column lies once transposed: vectors have up to four blocks, of which the first lanes are
// stored together, then the second ones, and so on.
constexpr std::uint16_t GroupPlace(std::size_t column) {
  constexpr std::size_t kTogether = 32;
  constexpr std::size_t kLanes = 8;
  const std::size_t within = column % kTogether;
  return static_cast<std::uint16_t>(column - within + within % kLanes * (kTogether / kLanes) +
                                    within / kLanes);
}

using Additions = std::vector<SliceGroupPlan::Addition>;

// Brings the additions [begin, end) to rows of a tile into the order of its plan.
SliceGroupPlan::Tile OrderTile(Additions::const_iterator begin, Additions::const_iterator end,
                               Additions::iterator to) {
  constexpr std::uint16_t kNone = UINT16_MAX;
  SliceGroupPlan::Tile tile;
  std::array<std::uint32_t, SliceGroupPlan::kTileRows> additions{};
  std::array<std::uint16_t, SliceGroupPlan::kTileRows> sums;
  sums.fill(kNone);
  for (auto at = begin; at != end; ++at) ++additions[at->to];
  for (auto at = begin; at != end; ++at) {
    if (additions[at->to] != 1) continue;
    *to++ = {GroupPlace(at->to), at->update};
    ++tile.only;
  }
  for (auto at = begin; at != end; ++at) {
    if (additions[at->to] == 1 || sums[at->to] != kNone) continue;
    *to++ = {GroupPlace(at->to), at->update};
    sums[at->to] = tile.first++;
  }
  std::array<bool, SliceGroupPlan::kTileRows> begun{};
  for (auto at = begin; at != end; ++at) {
    if (additions[at->to] == 1 || !std::exchange(begun[at->to], true)) continue;
    *to++ = {sums[at->to], at->update};
    ++tile.more;
  }
  return tile;
}

}  // namespace

SliceGroupPlan::SliceGroupPlan(const DenseAddTask& task)
    : tiles_((task.rows + kTileRows - 1) / kTileRows), additions_(task.count) {
  const auto row_of = [&](std::size_t k) {
    std::int32_t index = 0;
    std::memcpy(&index, task.indices + k * sizeof(index), sizeof(index));
    return static_cast<std::size_t>(index);
  };
  std::vector<std::size_t> ends(tiles_.size());
  for (std::size_t k = 0; k < task.count; ++k) ++ends[row_of(k) / kTileRows];
  std::size_t before = 0;
  for (std::size_t& end : ends) before += std::exchange(end, before);
  Additions by_tile(task.count);
  for (std::size_t k = 0; k < task.count; ++k) {
    const std::size_t row = row_of(k);
    by_tile[ends[row / kTileRows]++] = {static_cast<std::uint16_t>(row % kTileRows), GroupPlace(k)};
  }
  std::size_t begin = 0;
  for (std::size_t t = 0; t < tiles_.size(); ++t) {
    const auto first = static_cast<std::ptrdiff_t>(begin);
    const auto last = static_cast<std::ptrdiff_t>(ends[t]);
    tiles_[t] =
        OrderTile(by_tile.cbegin() + first, by_tile.cbegin() + last, additions_.begin() + first);
    begin = ends[t];
  }
}

void GroupAddSlices(const DenseAddTask& task, const SliceGroupPlan& plan, std::size_t begin,
                    std::size_t end, std::uint16_t* room) {
  HWY_DYNAMIC_DISPATCH(GroupAddSlices)(task, plan, begin, end, room);
}

}  // namespace belay::kernels
#endif  // HWY_ONCE
