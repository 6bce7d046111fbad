// Copying items between two views of any strides: expanded, transposed, sliced.
//
// Bits are moved as they are; element types play no part. Pointers need no alignment.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/export.h"
#include "kernels/copy_policy.h"

namespace belay::kernels {

/// Items of 1, 2, 4, 8 or 16 bytes in `rank` dimensions, in any order. Item [i, j, ..] lies at
/// i * stride_bytes[0] + j * stride_bytes[1] + .. on its side.
struct StridedBox {
  /// Two tensors of 8 dimensions need no more, whatever view one takes of the other.
  static constexpr std::size_t kMaxRank = 16;
  using Sizes = std::array<std::uint64_t, kMaxRank>;

  std::uint64_t rank = 0;
  Sizes sizes{};             // one of 0: nothing is copied
  Sizes dst_stride_bytes{};  // no two items share a byte
  Sizes src_stride_bytes{};  // anything; 0 where the source is expanded
  std::uint64_t item_bytes = 1;

  [[nodiscard]] std::uint64_t ItemCount() const noexcept;
  [[nodiscard]] std::uint64_t TotalBytes() const noexcept { return ItemCount() * item_bytes; }
};

/// The same items in the fewest dimensions, the one that is nearest in the destination last.
BELAY_EXPORT StridedBox WithMergedDims(const StridedBox& box) noexcept;

/// The same bytes in the fewest dimensions and the largest items.
BELAY_EXPORT StridedBox Merged(const StridedBox& box) noexcept;

/// The dimension in which items of the source are nearest, if that is a better order to read them
/// in than the destination's: several lie in a line. Else the last one.
inline std::size_t NearestInSource(const StridedBox& box) noexcept {
  std::size_t nearest = box.rank - 1;
  for (std::size_t i = nearest; i-- > 0;) {
    const std::uint64_t stride = box.src_stride_bytes[i];
    if (stride != 0 && stride < box.src_stride_bytes[nearest] && stride < kLineBytes) nearest = i;
  }
  return nearest;
}

/// Copies the items [begin, end) of a merged box, its last dimension moving fastest. The sides do
/// not overlap.
BELAY_EXPORT void StridedCopy(const StridedBox& box, const std::byte* src, std::byte* dst,
                              std::uint64_t begin, std::uint64_t end);

inline std::uint64_t StridedBox::ItemCount() const noexcept {
  std::uint64_t count = 1;
  for (std::size_t i = 0; i < rank; ++i) count *= sizes[i];
  return count;
}

}  // namespace belay::kernels
