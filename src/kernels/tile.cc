#include "kernels/tile.h"

#include <cstring>

namespace belay::kernels {
namespace {

// Which row of the source a row of the result is.
std::uint64_t SourceRow(const Tiling& tiling, std::uint64_t row) noexcept {
  std::uint64_t rest = row / tiling.repeats[tiling.rank - 1];
  std::uint64_t source = 0;
  std::uint64_t pitch = 1;
  for (std::size_t i = tiling.rank - 1; i-- > 0;) {
    source += rest % tiling.sizes[i] * pitch;
    pitch *= tiling.sizes[i];
    rest /= tiling.sizes[i] * tiling.repeats[i];
  }
  return source;
}

}  // namespace

Tiling Merged(const Tiling& tiling) noexcept {
  Tiling merged;
  for (std::size_t i = 0; i < tiling.rank; ++i) {
    const std::uint64_t size = tiling.sizes[i];
    const std::uint64_t repeats = tiling.repeats[i];
    const std::size_t outer = merged.rank - 1;
    if (merged.rank != 0 && repeats == 1) {
      merged.sizes[outer] *= size;
    } else if (merged.rank != 0 && merged.sizes[outer] == 1) {
      merged.sizes[outer] = size;
      merged.repeats[outer] *= repeats;
    } else {
      merged.sizes[merged.rank] = size;
      merged.repeats[merged.rank] = repeats;
      ++merged.rank;
    }
  }
  return merged;
}

void Tile(const Tiling& tiling, const std::byte* src, std::byte* dst, std::uint64_t begin,
          std::uint64_t end) {
  const std::uint64_t row_bytes = tiling.row_bytes();
  for (std::uint64_t row = begin; row < end; ++row) {
    std::memcpy(dst + row * row_bytes, src + SourceRow(tiling, row) * row_bytes, row_bytes);
  }
}

}  // namespace belay::kernels
