// The inner loop of repeating a tensor along its dimensions.
//
// Bits are moved as they are; element types play no part. Pointers need no alignment.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/export.h"
#include "kernels/copy_policy.h"

namespace belay::kernels {

/// A tensor without gaps, [sizes[0], sizes[1], ..], whose dimension i is repeated as a whole
/// repeats[i] times. The last size is in bytes: a row.
struct Tiling {
  static constexpr std::size_t kMaxRank = 8;
  using Sizes = std::array<std::uint64_t, kMaxRank>;

  std::uint64_t rank = 0;  // 1 or above
  Sizes sizes{};           // each 1 or above, as are the repeats
  Sizes repeats{};

  /// Rows of the result. Row r of it starts at r * row_bytes().
  [[nodiscard]] std::uint64_t RowCount() const noexcept;
  [[nodiscard]] std::uint64_t TotalBytes() const noexcept { return RowCount() * row_bytes(); }
  [[nodiscard]] std::uint64_t row_bytes() const noexcept { return sizes[rank - 1]; }
};

/// The same result in the fewest dimensions and the longest rows.
BELAY_EXPORT Tiling Merged(const Tiling& tiling) noexcept;

/// A row that does not fit into the caches, repeated as a whole: it is copied piece by piece, each
/// piece to all its places while it is in the cache.
[[nodiscard]] BELAY_EXPORT bool IsWide(const Tiling& tiling) noexcept;

/// How many bytes of work there are to be split: those of the result; when wide, of the source.
[[nodiscard]] BELAY_EXPORT std::uint64_t WorkBytes(const Tiling& tiling) noexcept;

/// The best way for so many threads to write the result, all pieces of it alike.
[[nodiscard]] BELAY_EXPORT Writing WritingOf(const Tiling& tiling, unsigned threads) noexcept;

/// Does the bytes [begin, end) of the work, of which all pieces are written alike. `src` and `dst`
/// do not overlap.
BELAY_EXPORT void Tile(const Tiling& tiling, const std::byte* src, std::byte* dst,
                       std::uint64_t begin, std::uint64_t end, Writing writing);

inline std::uint64_t Tiling::RowCount() const noexcept {
  std::uint64_t count = repeats[rank - 1];
  for (std::size_t i = 0; i + 1 < rank; ++i) count *= repeats[i] * sizes[i];
  return count;
}

}  // namespace belay::kernels
