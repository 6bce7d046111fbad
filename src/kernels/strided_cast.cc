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

}  // namespace

void StridedCast(const StridedBox& box, CastKind kind, const std::byte* src, std::byte* dst,
                 std::uint64_t begin, std::uint64_t end) {
  if (begin == end) return;
  const bool is_row = box.rank != 0;
  const std::uint64_t row_items = is_row ? box.sizes[box.rank - 1] : 1;
  const Side to{ItemBytes(kind.to), is_row ? box.dst_stride_bytes[box.rank - 1] : 0};
  const Side from{ItemBytes(kind.from), is_row ? box.src_stride_bytes[box.rank - 1] : 0};
  Place place(box, reinterpret_cast<Byte*>(dst), reinterpret_cast<const Byte*>(src), begin);

  if (row_items >= kWholeRow && to.stride == to.item_bytes && from.stride == from.item_bytes) {
    place.Take(end - begin, [&](Byte* to_row, const Byte* from_row, std::uint64_t first,
                                std::uint64_t count) {
      Cast(kind.from, kind.to,
           reinterpret_cast<const std::byte*>(from_row + first * from.item_bytes),
           reinterpret_cast<std::byte*>(to_row + first * to.item_bytes), count, kind.overflow);
    });
    return;
  }

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

}  // namespace belay::kernels
