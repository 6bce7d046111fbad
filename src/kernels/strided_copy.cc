#include "kernels/strided_copy.h"

#include <algorithm>
#include <span>

#include "kernels/box_walk.h"
#include "kernels/copy_nd.h"

// This file is compiled once for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/strided_copy.cc"
// clang-format off
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>
// clang-format on

#include "kernels/strided_grid-inl.h"
#include "kernels/tile_run-inl.h"

HWY_BEFORE_NAMESPACE();
namespace belay::kernels {
namespace HWY_NAMESPACE {
namespace {

using Walk = BoxWalk<StridedBox>;

HWY_INLINE Line LineOf(const StridedBox& box, std::size_t dim) {
  return {box.sizes[dim], box.dst_stride_bytes[dim], box.src_stride_bytes[dim]};
}

// Calls whole(dst, src, rows) for rows that are taken as a whole, up to the end of a dimension at a
// time, and part(dst, src, begin, end) for the items of a row of which only some are taken. A row
// has the dimensions from `dim` on.
template <class Whole, class Part>
HWY_INLINE void ForRows(const StridedBox& box, std::size_t dim, Byte* dst, const Byte* src,
                        std::uint64_t begin, std::uint64_t end, const Whole& whole,
                        const Part& part) {
  std::uint64_t row_items = 1;
  for (std::size_t i = dim; i < box.rank; ++i) row_items *= box.sizes[i];
  Walk walk(box, 0, dim, dst, src, begin / row_items);
  std::uint64_t left = end - begin;
  if (const std::uint64_t in_row = begin % row_items; in_row != 0) {
    const std::uint64_t items = std::min(row_items - in_row, left);
    part(walk.dst(), walk.src(), in_row, in_row + items);
    walk.Advance(1);
    left -= items;
  }
  while (left >= row_items) {
    const std::uint64_t rows = std::min(walk.Ahead(), left / row_items);
    whole(walk.dst(), walk.src(), rows);
    left -= rows * row_items;
    if (left != 0) walk.Advance(rows);
  }
  if (left != 0) part(walk.dst(), walk.src(), 0, left);
}

// The dimensions before `dim` and their strides; none: a single row.
HWY_INLINE Line RowsBefore(const StridedBox& box, std::size_t dim) {
  return dim == 0 ? Line{1, 0, 0} : LineOf(box, dim - 1);
}

template <class T>
void CopyItems(const StridedBox& box, const Byte* src, Byte* dst, std::uint64_t begin,
               std::uint64_t end) {
  const std::size_t last = box.rank - 1;
  const Line items = LineOf(box, last);
  Line rows = RowsBefore(box, last);
  ForRows(
      box, last, dst, src, begin, end,
      [&](Byte* to, const Byte* from, std::uint64_t count) HWY_ATTR {
        rows.size = count;
        CopyGrid<T>(to, from, rows, items);
      },
      [&](Byte* to, const Byte* from, std::uint64_t first, std::uint64_t stop) HWY_ATTR {
        const Line some{stop - first, items.dst_stride, items.src_stride};
        CopyGrid<T>(to + first * some.dst_stride, from + first * some.src_stride, {1, 0, 0}, some);
      });
}

// Rows of one value each.
void FillRows(const StridedBox& box, const Byte* src, Byte* dst, std::uint64_t begin,
              std::uint64_t end) {
  const std::size_t last = box.rank - 1;
  const std::uint64_t item_bytes = box.item_bytes;
  const std::uint64_t run = box.sizes[last];
  const Line rows = RowsBefore(box, last);
  const Written written{box.TotalBytes(), run * item_bytes, false};
  // Who else writes here is not known.
  const bool streams = written.total_bytes > kSharedStreamFillBytes && RowsStream(written);
  const auto fill = [&](Byte* to, const Byte* from, const Runs& runs) HWY_ATTR {
    if (streams && IsTinyRow(item_bytes)) return StreamFills(to, from, runs);
    WriteRuns(to, from, runs);
  };
  // Runs in a row, of values in a row, go together: that is what short ones gain from.
  const bool adjacent = rows.src_stride == item_bytes && rows.dst_stride == run * item_bytes;
  ForRows(
      box, last, dst, src, begin, end,
      [&](Byte* to, const Byte* from, std::uint64_t count) HWY_ATTR {
        if (adjacent) return fill(to, from, {count, item_bytes, run});
        for (; count != 0; --count, to += rows.dst_stride, from += rows.src_stride) {
          fill(to, from, {1, item_bytes, run});
        }
      },
      [&](Byte* to, const Byte* from, std::uint64_t first, std::uint64_t stop) HWY_ATTR {
        fill(to + first * item_bytes, from, {1, item_bytes, stop - first});
      });
  if (streams) hwy::FlushStream();
}

// Dimension `row` is nearer in the source than the last one.
template <class T>
void CopyTransposed(const StridedBox& box, std::size_t row, const Byte* src, Byte* dst,
                    std::uint64_t begin, std::uint64_t end) {
  const std::size_t last = box.rank - 1;
  const Line items = LineOf(box, last);
  Line rows = LineOf(box, row);
  std::uint64_t between = 1;
  for (std::size_t i = row + 1; i < last; ++i) between *= box.sizes[i];
  StridedBox inner;  // what a row consists of
  for (std::size_t i = row + 1; i <= last; ++i, ++inner.rank) {
    inner.sizes[inner.rank] = box.sizes[i];
    inner.dst_stride_bytes[inner.rank] = box.dst_stride_bytes[i];
    inner.src_stride_bytes[inner.rank] = box.src_stride_bytes[i];
  }
  ForRows(
      box, row + 1, dst, src, begin, end,
      [&](Byte* to, const Byte* from, std::uint64_t count) HWY_ATTR {
        rows.size = count;
        Walk walk(box, row + 1, last, to, from, 0);
        for (std::uint64_t i = 0; i < between; ++i, walk.Advance(1)) {
          CopyGridInBlocks<T>(walk.dst(), walk.src(), rows, items);
        }
      },
      [&](Byte* to, const Byte* from, std::uint64_t first, std::uint64_t stop)
          HWY_ATTR { CopyItems<T>(inner, from, to, first, stop); });
}

void StridedCopy(const StridedBox& box, const Byte* src, Byte* dst, std::uint64_t begin,
                 std::uint64_t end) {
  const std::size_t last = box.rank - 1;
  if (box.src_stride_bytes[last] == 0 && box.dst_stride_bytes[last] == box.item_bytes) {
    return FillRows(box, src, dst, begin, end);
  }
  const std::size_t nearest = NearestInSource(box);
  WithItem(box.item_bytes, [&](auto item) HWY_ATTR {
    using Item = decltype(item);
    if (nearest == last) return CopyItems<Item>(box, src, dst, begin, end);
    CopyTransposed<Item>(box, nearest, src, dst, begin, end);
  });
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace belay::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace belay::kernels {
namespace {

HWY_EXPORT(StridedCopy);

bool HasAdjacentItems(const StridedBox& box) {
  return box.rank == 0 || (box.dst_stride_bytes[box.rank - 1] == box.item_bytes &&
                           box.src_stride_bytes[box.rank - 1] == box.item_bytes);
}

// Rows without gaps, as CopyNd takes them; those of more dimensions than it has, part by part.
void CopyRows(const StridedBox& box, const std::uint8_t* src, std::uint8_t* dst,
              std::uint64_t begin, std::uint64_t end) {
  const std::size_t dims = box.rank == 0 ? 0 : box.rank - 1;
  const std::size_t outer = dims > Box::kMaxRank ? dims - Box::kMaxRank : 0;
  Box rows;
  rows.rank = dims - outer;
  rows.row_bytes = box.item_bytes * (box.rank == 0 ? 1 : box.sizes[dims]);
  for (std::size_t i = 0; i < rows.rank; ++i) {
    rows.sizes[i] = box.sizes[outer + i];
    rows.dst_stride_bytes[i] = box.dst_stride_bytes[outer + i];
    rows.src_stride_bytes[i] = box.src_stride_bytes[outer + i];
  }
  const Writing writing = WritingOf(rows, reinterpret_cast<const std::byte*>(dst));
  const std::uint64_t part_bytes = rows.TotalBytes();
  begin *= box.item_bytes;
  end *= box.item_bytes;
  BoxWalk<StridedBox> walk(box, 0, outer, dst, src, begin / part_bytes);
  for (std::uint64_t in_part = begin % part_bytes; begin != end; in_part = 0, walk.Advance(1)) {
    const std::uint64_t bytes = std::min(part_bytes - in_part, end - begin);
    CopyNd(rows, reinterpret_cast<const std::byte*>(walk.src()),
           reinterpret_cast<std::byte*>(walk.dst()), in_part, in_part + bytes, writing);
    begin += bytes;
  }
}

}  // namespace

StridedBox WithMergedDims(const StridedBox& box) noexcept {
  std::array<std::size_t, StridedBox::kMaxRank> order{};
  std::size_t count = 0;
  for (std::size_t i = 0; i < box.rank; ++i) {
    if (box.sizes[i] != 1) order[count++] = i;
  }
  std::ranges::sort(std::span(order).first(count), [&](std::size_t a, std::size_t b) {
    return box.dst_stride_bytes[a] > box.dst_stride_bytes[b];
  });

  StridedBox merged;
  merged.item_bytes = box.item_bytes;
  for (const std::size_t dim : std::span(order).first(count)) {
    const std::uint64_t size = box.sizes[dim];
    const std::uint64_t dst_stride = box.dst_stride_bytes[dim];
    const std::uint64_t src_stride = box.src_stride_bytes[dim];
    const std::size_t before = merged.rank - 1;
    if (merged.rank != 0 && merged.dst_stride_bytes[before] == dst_stride * size &&
        merged.src_stride_bytes[before] == src_stride * size) {
      merged.sizes[before] *= size;
      merged.dst_stride_bytes[before] = dst_stride;
      merged.src_stride_bytes[before] = src_stride;
      continue;
    }
    merged.sizes[merged.rank] = size;
    merged.dst_stride_bytes[merged.rank] = dst_stride;
    merged.src_stride_bytes[merged.rank] = src_stride;
    ++merged.rank;
  }
  return merged;
}

StridedBox Merged(const StridedBox& box) noexcept {
  constexpr std::uint64_t kLargestItem = 16;
  StridedBox merged = WithMergedDims(box);
  while (merged.rank != 0 && merged.item_bytes < kLargestItem && HasAdjacentItems(merged) &&
         merged.sizes[merged.rank - 1] % 2 == 0) {
    const std::size_t last = merged.rank - 1;
    merged.item_bytes *= 2;
    merged.sizes[last] /= 2;
    merged.dst_stride_bytes[last] = merged.item_bytes;
    merged.src_stride_bytes[last] = merged.item_bytes;
    if (merged.sizes[last] == 1) --merged.rank;
  }
  return merged;
}

void StridedCopy(const StridedBox& box, const std::byte* src, std::byte* dst, std::uint64_t begin,
                 std::uint64_t end) {
  if (begin == end) return;
  const auto* const from = reinterpret_cast<const std::uint8_t*>(src);
  auto* const to = reinterpret_cast<std::uint8_t*>(dst);
  if (HasAdjacentItems(box)) return CopyRows(box, from, to, begin, end);
  HWY_DYNAMIC_DISPATCH(StridedCopy)(box, from, to, begin, end);
}

}  // namespace belay::kernels
#endif  // HWY_ONCE
