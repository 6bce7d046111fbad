#include "kernels/strided_cast.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "kernels/box_walk.h"
#include "kernels/copy_policy.h"

namespace belay::kernels {
namespace {

using Byte = std::uint8_t;

// Elements with gaps between them are put together so many at a time, before and after the cast:
// both rows stay in the first-level cache.
constexpr std::uint64_t kChunk = 512;
constexpr std::uint64_t kLargestItem = 16;

// Rows of adjacent elements of this length are cast where they are; below it a cast of its own for
// each costs more than to move it.
constexpr std::uint64_t kWholeRow = 64;

// Transposed ones go in blocks of this size, before and after the cast, where there are so many
// rows: 2 of 512 floats to halves take 0.7 us in blocks and 0.54 in chunks, 16 of 64 0.40 and 0.59,
// 512 of 512 87 and 313.
constexpr std::uint64_t kBlockBytes = std::uint64_t{16} << 10;
constexpr std::uint64_t kLeastBlockRows = 4;

struct Side {
  std::uint64_t item_bytes;
  std::uint64_t stride;  // between the items of a row
};

template <std::size_t kBytes>
void MoveItems(Byte* dst, std::uint64_t dst_stride, const Byte* src, std::uint64_t src_stride,
               std::uint64_t count) {
  for (; count != 0; --count, dst += dst_stride, src += src_stride) {
    std::array<Byte, kBytes> item;
    std::memcpy(item.data(), src, kBytes);
    std::memcpy(dst, item.data(), kBytes);
  }
}

void MoveRow(Byte* dst, std::uint64_t dst_stride, const Byte* src, std::uint64_t src_stride,
             std::uint64_t item_bytes, std::uint64_t count) {
  if (dst_stride == item_bytes && src_stride == item_bytes) {
    std::memcpy(dst, src, count * item_bytes);
    return;
  }
  switch (item_bytes) {
    case 1:
      return MoveItems<1>(dst, dst_stride, src, src_stride, count);
    case 2:
      return MoveItems<2>(dst, dst_stride, src, src_stride, count);
    case 4:
      return MoveItems<4>(dst, dst_stride, src, src_stride, count);
    case 8:
      return MoveItems<8>(dst, dst_stride, src, src_stride, count);
    default:
      return MoveItems<kLargestItem>(dst, dst_stride, src, src_stride, count);
  }
}

// A place among the items of a box.
class Place {
 public:
  Place(const StridedBox& box, Byte* dst, const Byte* src, std::uint64_t at)
      : row_items_(box.rank == 0 ? 1 : box.sizes[box.rank - 1]),
        in_row_(at % row_items_),
        walk_(box, 0, box.rank == 0 ? 0 : box.rank - 1, dst, src, at / row_items_) {}

  // Calls use(dst row, src row, first, count) for the next `items` items, row by row.
  template <class Use>
  void Take(std::uint64_t items, const Use& use) {
    while (items != 0) {
      const std::uint64_t count = std::min(row_items_ - in_row_, items);
      use(walk_.dst(), walk_.src(), in_row_, count);
      items -= count;
      in_row_ += count;
      if (in_row_ != row_items_) return;
      in_row_ = 0;
      walk_.Advance(1);
    }
  }

 private:
  std::uint64_t row_items_;
  std::uint64_t in_row_;
  BoxWalk<StridedBox> walk_;
};

// One cast for each so many elements, wherever the rows end.
void CastInChunks(const StridedBox& box, CastKind kind, const Byte* src, Byte* dst,
                  std::uint64_t begin, std::uint64_t end) {
  const bool is_row = box.rank != 0;
  const Side to{ItemBytes(kind.to), is_row ? box.dst_stride_bytes[box.rank - 1] : 0};
  const Side from{ItemBytes(kind.from), is_row ? box.src_stride_bytes[box.rank - 1] : 0};
  Place place(box, dst, src, begin);
  alignas(kLineBytes) std::array<Byte, kChunk * kLargestItem> loaded;
  alignas(kLineBytes) std::array<Byte, kChunk * kLargestItem> cast;
  while (begin != end) {
    const std::uint64_t items = std::min(kChunk, end - begin);
    Byte* load_to = loaded.data();
    Place(place).Take(items, [&](Byte*, const Byte* row, std::uint64_t first, std::uint64_t count) {
      MoveRow(load_to, from.item_bytes, row + first * from.stride, from.stride, from.item_bytes,
              count);
      load_to += count * from.item_bytes;
    });
    Cast(kind.from, kind.to, reinterpret_cast<const std::byte*>(loaded.data()),
         reinterpret_cast<std::byte*>(cast.data()), items, kind.overflow);
    const Byte* store_from = cast.data();
    place.Take(items, [&](Byte* row, const Byte*, std::uint64_t first, std::uint64_t count) {
      MoveRow(row + first * to.stride, to.stride, store_from, to.item_bytes, to.item_bytes, count);
      store_from += count * to.item_bytes;
    });
    begin += items;
  }
}

// Rows of the destination whose elements are nearer to those of the next row, in the source, than
// to each other. Blocks of as many rows as a line of the source has elements for are put together
// first, so that each line is read once.
class TransposedCast {
 public:
  // Dimension `row` is nearer in the source than the last one.
  TransposedCast(const StridedBox& box, CastKind kind, std::size_t row)
      : box_(box),
        kind_(kind),
        row_(row),
        last_(box.rank - 1),
        to_{ItemBytes(kind.to), box.dst_stride_bytes[last_]},
        from_item_bytes_(ItemBytes(kind.from)),
        block_rows_(std::min(box.sizes[row],
                             kLineBytes / std::max(box.src_stride_bytes[row], from_item_bytes_))),
        block_items_(kBlockBytes / (block_rows_ * std::max(from_item_bytes_, to_.item_bytes))) {
    for (std::size_t i = row + 1; i <= last_; ++i) row_items_ *= box.sizes[i];
  }

  // The elements [begin, end). Rows of which only some are taken go the other way.
  void Run(const Byte* src, Byte* dst, std::uint64_t begin, std::uint64_t end) const {
    const std::uint64_t first = (begin + row_items_ - 1) / row_items_;
    const std::uint64_t stop = end / row_items_;
    if (first >= stop) return CastInChunks(box_, kind_, src, dst, begin, end);
    CastInChunks(box_, kind_, src, dst, begin, first * row_items_);
    BoxWalk<StridedBox> walk(box_, 0, row_ + 1, dst, src, first);
    for (std::uint64_t left = stop - first; left != 0;) {
      const std::uint64_t rows = std::min(walk.Ahead(), left);
      CastRows(walk.dst(), walk.src(), rows);
      left -= rows;
      walk.Advance(rows);
    }
    CastInChunks(box_, kind_, src, dst, stop * row_items_, end);
  }

 private:
  // Whole rows, with all dimensions that lie between them and the last one.
  void CastRows(Byte* dst, const Byte* src, std::uint64_t rows) const {
    BoxWalk<StridedBox> between(box_, row_ + 1, last_, dst, src, 0);
    for (std::uint64_t left = row_items_ / box_.sizes[last_]; left != 0; --left) {
      for (std::uint64_t r = 0; r < rows; r += block_rows_) {
        for (std::uint64_t i = 0; i < box_.sizes[last_]; i += block_items_) {
          CastBlock(
              between.dst() + r * box_.dst_stride_bytes[row_] + i * to_.stride,
              between.src() + r * box_.src_stride_bytes[row_] + i * box_.src_stride_bytes[last_],
              std::min(block_rows_, rows - r), std::min(block_items_, box_.sizes[last_] - i));
        }
      }
      between.Advance(1);
    }
  }

  void CastBlock(Byte* dst, const Byte* src, std::uint64_t rows, std::uint64_t items) const {
    alignas(kLineBytes) std::array<std::byte, kBlockBytes> loaded;
    alignas(kLineBytes) std::array<std::byte, kBlockBytes> cast;
    StridedBox block;
    block.rank = 2;
    block.sizes = {rows, items};
    block.dst_stride_bytes = {items * from_item_bytes_, from_item_bytes_};
    block.src_stride_bytes = {box_.src_stride_bytes[row_], box_.src_stride_bytes[last_]};
    block.item_bytes = from_item_bytes_;
    StridedCopy(block, reinterpret_cast<const std::byte*>(src), loaded.data(), 0, rows * items);
    Cast(kind_.from, kind_.to, loaded.data(), cast.data(), rows * items, kind_.overflow);
    const auto* row = reinterpret_cast<const Byte*>(cast.data());
    for (std::uint64_t r = 0; r < rows; ++r, row += items * to_.item_bytes) {
      MoveRow(dst + r * box_.dst_stride_bytes[row_], to_.stride, row, to_.item_bytes,
              to_.item_bytes, items);
    }
  }

  const StridedBox& box_;
  const CastKind kind_;
  const std::size_t row_;
  const std::size_t last_;
  const Side to_;
  const std::uint64_t from_item_bytes_;
  const std::uint64_t block_rows_;
  const std::uint64_t block_items_;
  std::uint64_t row_items_ = 1;
};

}  // namespace

void StridedCast(const StridedBox& box, CastKind kind, const std::byte* src, std::byte* dst,
                 std::uint64_t begin, std::uint64_t end) {
  if (begin == end) return;
  const auto* const from = reinterpret_cast<const Byte*>(src);
  auto* const to = reinterpret_cast<Byte*>(dst);
  if (box.rank == 0 || box.sizes[box.rank - 1] < kWholeRow) {
    return CastInChunks(box, kind, from, to, begin, end);
  }
  const std::size_t last = box.rank - 1;
  const std::uint64_t to_bytes = ItemBytes(kind.to);
  const std::uint64_t from_bytes = ItemBytes(kind.from);
  if (box.dst_stride_bytes[last] == to_bytes && box.src_stride_bytes[last] == from_bytes) {
    Place place(box, to, from, begin);
    place.Take(end - begin, [&](Byte* to_row, const Byte* from_row, std::uint64_t first,
                                std::uint64_t count) {
      Cast(kind.from, kind.to, reinterpret_cast<const std::byte*>(from_row + first * from_bytes),
           reinterpret_cast<std::byte*>(to_row + first * to_bytes), count, kind.overflow);
    });
    return;
  }
  const std::size_t nearest = NearestInSource(box);
  if (nearest == last || box.sizes[nearest] < kLeastBlockRows) {
    return CastInChunks(box, kind, from, to, begin, end);
  }
  TransposedCast(box, kind, nearest).Run(from, to, begin, end);
}

}  // namespace belay::kernels
