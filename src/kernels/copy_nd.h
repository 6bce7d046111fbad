// The inner loop of copying a box of bytes from one layout into another.
//
// Bits are moved as they are; element types play no part. Pointers need no alignment.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/export.h"
#include "kernels/copy_policy.h"

namespace belay::kernels {

/// A box: rows of `row_bytes` adjacent bytes, arranged in `rank` dimensions, outermost first. Row
/// [i, j, ..] starts at i * stride_bytes[0] + j * stride_bytes[1] + .. on its side.
struct Box {
  static constexpr std::size_t kMaxRank = 8;
  using Sizes = std::array<std::uint64_t, kMaxRank>;

  std::uint64_t rank = 0;
  Sizes sizes{};  // each 1 or above
  Sizes dst_stride_bytes{};
  Sizes src_stride_bytes{};
  std::uint64_t row_bytes = 0;

  [[nodiscard]] std::uint64_t RowCount() const noexcept;
  [[nodiscard]] std::uint64_t TotalBytes() const noexcept { return RowCount() * row_bytes; }
};

/// The same bytes in the fewest dimensions and the longest rows.
BELAY_EXPORT Box Merged(const Box& box) noexcept;

/// The best way to write a box at `dst`, all pieces of it alike.
BELAY_EXPORT Writing WritingOf(const Box& box, const std::byte* dst) noexcept;

/// Copies the bytes [begin, end) of the rows, one row after the other, the last dimension moving
/// fastest. The sides do not overlap.
BELAY_EXPORT void CopyNd(const Box& box, const std::byte* src, std::byte* dst, std::uint64_t begin,
                         std::uint64_t end, Writing writing);

inline std::uint64_t Box::RowCount() const noexcept {
  std::uint64_t count = 1;
  for (std::size_t i = 0; i < rank; ++i) count *= sizes[i];
  return count;
}

}  // namespace belay::kernels
