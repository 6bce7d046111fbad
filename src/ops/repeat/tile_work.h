// What Repeat does with tensors without gaps, whichever face asks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/tensor_desc.h"
#include "kernels/tile.h"

namespace belay::ops {

struct TileWork {
  kernels::Tiling tiling;
  std::uint64_t work_bytes = 0;
  kernels::Writing writing = kernels::Writing::kCached;
};

/// Dimension i of a tensor once it has as many dimensions as there are entries.
std::int64_t AlignedDim(const Dims& dims, std::size_t entries, std::size_t i);

/// A tensor of `dims`, none of which is 0, repeated along its dimensions: at least one and at most
/// 8 entries, each 1 or above, and no fewer than dimensions.
TileWork MakeTileWork(std::span<const std::int64_t> multiples, const Dims& dims,
                      std::uint64_t item_bytes);

/// Spread over the compute threads. `x` and `y` share no bytes.
void RunTileWork(const TileWork& work, const std::byte* x, std::byte* y);

}  // namespace belay::ops
