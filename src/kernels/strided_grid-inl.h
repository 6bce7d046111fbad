// Grids of items: rows of equal spacing, in which items have another; for files that are compiled
// once for each instruction set.
//
// clang-format off
#if defined(BELAY_KERNELS_STRIDED_GRID_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BELAY_KERNELS_STRIDED_GRID_INL_H_
#undef BELAY_KERNELS_STRIDED_GRID_INL_H_
#else
#define BELAY_KERNELS_STRIDED_GRID_INL_H_
#endif
// clang-format on

#include <algorithm>

#include "kernels/move-inl.h"

HWY_BEFORE_NAMESPACE();
namespace belay::kernels {
namespace HWY_NAMESPACE {

// One dimension on both sides.
struct Line {
  std::uint64_t size;
  std::uint64_t dst_stride;
  std::uint64_t src_stride;
};

struct Item16 {
  std::uint64_t low;
  std::uint64_t high;
};

// Calls use(item) with a value of the type that has so many bytes.
template <class Use>
HWY_INLINE void WithItem(std::uint64_t item_bytes, const Use& use) {
  switch (item_bytes) {
    case 1:
      return use(std::uint8_t{});
    case 2:
      return use(std::uint16_t{});
    case 4:
      return use(std::uint32_t{});
    case 8:
      return use(std::uint64_t{});
    default:
      return use(Item16{});
  }
}

// Item by item, along each row.
template <class T>
HWY_INLINE void CopyGrid(Byte* dst, const Byte* src, const Line& rows, const Line& items) {
  for (std::uint64_t r = 0; r < rows.size; ++r) {
    Byte* to = dst + r * rows.dst_stride;
    const Byte* from = src + r * rows.src_stride;
    for (std::uint64_t i = 0; i < items.size; ++i) {
      Word<T>::Copy(to, from);
      to += items.dst_stride;
      from += items.src_stride;
    }
  }
}

// A transposition meets a line of the source for each item of a row. It is done in blocks of so
// many rows that each line is read once.
constexpr std::uint64_t kBlockLine = kLineBytes;
// And so many bytes of each row that pages are not changed too often.
constexpr std::uint64_t kBlockRowBytes = 256;
// Squares are transposed in vectors of this size, which every instruction set has.
constexpr std::size_t kTransposedBytes = 16;

#if HWY_TARGET != HWY_SCALAR
// A square of items of which each row is a vector.
template <class T>
constexpr std::uint64_t kSquare = kTransposedBytes / sizeof(T);

// Row i of dst is made of item i of each of the rows of src.
template <class T>
HWY_INLINE void TransposeSquare(Byte* dst, std::uint64_t dst_stride, const Byte* src,
                                std::uint64_t src_stride) {
  constexpr std::size_t kRows = kSquare<T>;
  const Vectors16 bytes;
  const hn::Repartition<T, Vectors16> d;
  hn::Vec<decltype(d)> rows[kRows];
  hn::Vec<decltype(d)> mixed[kRows];
#pragma GCC unroll 16
  for (std::size_t i = 0; i < kRows; ++i) {
    rows[i] = hn::BitCast(d, hn::LoadU(bytes, src + i * src_stride));
  }
  // Each round turns the number of an item, row and place together, round by one bit.
#pragma GCC unroll 4
  for (std::size_t round = 1; round < kRows; round *= 2) {
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kRows / 2; ++i) {
      mixed[2 * i] = hn::InterleaveLower(d, rows[i], rows[i + kRows / 2]);
      mixed[2 * i + 1] = hn::InterleaveUpper(d, rows[i], rows[i + kRows / 2]);
    }
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kRows; ++i) rows[i] = mixed[i];
  }
#pragma GCC unroll 16
  for (std::size_t i = 0; i < kRows; ++i) {
    hn::StoreU(hn::BitCast(bytes, rows[i]), bytes, dst + i * dst_stride);
  }
}

// Items are adjacent in the rows of dst and in the columns of src; there is at least a square of
// them and at most a block. The last squares may overlap the ones before.
template <class T>
HWY_INLINE void TransposeBlock(Byte* dst, const Byte* src, const Line& rows, const Line& items) {
  constexpr std::uint64_t kSide = kSquare<T>;
  HWY_ALIGN Byte block[kBlockLine / sizeof(T) * kBlockRowBytes];
  const std::uint64_t stride = items.src_stride;
  const std::uint64_t last_row = rows.size - kSide;
  for (std::uint64_t i = 0; i < items.size; i += kSide) {
    const std::uint64_t item = std::min(i, items.size - kSide);
    const Byte* const from = src + item * stride;
    Byte* const to = block + item * sizeof(T);
    for (std::uint64_t row = 0; row <= last_row; row += kSide) {
      TransposeSquare<T>(to + row * kBlockRowBytes, kBlockRowBytes, from + row * sizeof(T), stride);
    }
    if (rows.size % kSide != 0) {
      TransposeSquare<T>(to + last_row * kBlockRowBytes, kBlockRowBytes,
                         from + last_row * sizeof(T), stride);
    }
  }
  // Rows of dst that lie apart by a power of two would drive each other out of the cache if they
  // were written a vector at a time.
  for (std::uint64_t r = 0; r < rows.size; ++r) {
    CopyCached(dst + r * rows.dst_stride, block + r * kBlockRowBytes, items.size * sizeof(T));
  }
}
#endif  // HWY_TARGET

// The same as CopyGrid where the rows are near each other in the source and the items are not.
template <class T>
HWY_INLINE void CopyGridInBlocks(Byte* dst, const Byte* src, const Line& rows, const Line& items) {
  [[maybe_unused]] const bool adjacent =
      items.dst_stride == sizeof(T) && rows.src_stride == sizeof(T);
  const std::uint64_t block_rows = std::max<std::uint64_t>(kBlockLine / rows.src_stride, 1);
  constexpr std::uint64_t kBlockItems = kBlockRowBytes / sizeof(T);
  for (std::uint64_t r = 0; r < rows.size; r += block_rows) {
    const Line some_rows{std::min(block_rows, rows.size - r), rows.dst_stride, rows.src_stride};
    for (std::uint64_t i = 0; i < items.size; i += kBlockItems) {
      const Line some_items{std::min(kBlockItems, items.size - i), items.dst_stride,
                            items.src_stride};
      Byte* const to = dst + r * rows.dst_stride + i * items.dst_stride;
      const Byte* const from = src + r * rows.src_stride + i * items.src_stride;
#if HWY_TARGET != HWY_SCALAR
      if constexpr (sizeof(T) < kTransposedBytes) {
        constexpr std::uint64_t kSide = kSquare<T>;
        if (adjacent && some_rows.size >= kSide && some_items.size >= kSide) {
          TransposeBlock<T>(to, from, some_rows, some_items);
          continue;
        }
      }
#endif
      CopyGrid<T>(to, from, some_rows, some_items);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace belay::kernels
HWY_AFTER_NAMESPACE();

#endif  // BELAY_KERNELS_STRIDED_GRID_INL_H_
