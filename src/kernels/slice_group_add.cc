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
#include "kernels/group_tile_add-inl.h"
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

void Gather(const Piece& piece, std::uint16_t* room) {
  const auto place = [room](std::size_t c) {
    return reinterpret_cast<std::byte*>(room + c * kGroupSlices);
  };
  ForColumns(
      piece,
      [&](const std::byte* halves, std::size_t c)
          HWY_ATTR { TransposeColumns(halves, piece.stride, place(c), kSliceBytes); },
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
void AddGroups(const DenseAddTask& task, const SliceGroupPlan& plan, std::size_t begin,
               std::size_t end, std::uint16_t* room) {
  constexpr std::size_t kTile = SliceGroupPlan::kTileRows;
  HWY_ALIGN std::uint16_t tile[kTile * kGroupSlices];
  const TileAdder<Half> adder(task.factor, room, tile);
  const auto piece = [&](const std::byte* halves, std::size_t stride, std::size_t slice) {
    // Only what is of the target is written.
    return Piece{const_cast<std::byte*>(halves) + slice * stride * kHalfBytes, stride * kHalfBytes,
                 std::min(kGroupSlices, end - slice), 0};
  };
  for (std::size_t at = begin; at < end; at += kGroupSlices) {
    Piece updates = piece(task.updates, task.stride, at);
    updates.columns = task.count;
    Gather(updates, room);
    Piece rows = piece(task.target, task.rows, at);
    const SliceGroupPlan::Addition* addition = plan.additions().data();
    std::size_t left = task.rows;
    for (const SliceGroupPlan::Tile& counts : plan.tiles()) {
      rows.columns = std::min(kTile, left);
      Gather(rows, tile);
      addition = adder.Add(counts, addition);
      Scatter(tile, rows);
      rows.halves += rows.columns * kHalfBytes;
      left -= rows.columns;
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
