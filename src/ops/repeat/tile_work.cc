#include "ops/repeat/tile_work.h"

#include "base/parallel.h"
#include "ops/byte_ranges.h"

namespace belay::ops {

std::int64_t AlignedDim(const Dims& dims, std::size_t entries, std::size_t i) {
  const std::size_t added = entries - dims.rank;
  return i < added ? 1 : dims[i - added];
}

TileWork MakeTileWork(std::span<const std::int64_t> multiples, const Dims& dims,
                      std::uint64_t item_bytes) {
  kernels::Tiling tiling;
  tiling.rank = multiples.size();
  for (std::size_t i = 0; i < tiling.rank; ++i) {
    tiling.sizes[i] = static_cast<std::uint64_t>(AlignedDim(dims, multiples.size(), i));
    tiling.repeats[i] = static_cast<std::uint64_t>(multiples[i]);
  }
  tiling.sizes[tiling.rank - 1] *= item_bytes;
  tiling = kernels::Merged(tiling);
  return {tiling, kernels::WorkBytes(tiling), kernels::WritingOf(tiling, ComputeThreadCount())};
}

void RunTileWork(const TileWork& work, const std::byte* x, std::byte* y) {
  ForByteRanges(work.work_bytes, [&](std::uint64_t begin, std::uint64_t end) {
    kernels::Tile(work.tiling, x, y, begin, end, work.writing);
  });
}

}  // namespace belay::ops
