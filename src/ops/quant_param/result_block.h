// The block that receives the words: of the C heap, since the caller frees it with free().
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "kernels/copy_policy.h"

namespace belay::ops {

struct FreeBlock {
  void operator()(std::uint64_t* block) const noexcept { std::free(block); }
};

struct ResultBlock {
  std::unique_ptr<std::uint64_t, FreeBlock> words;  // null where the heap has none; not zeroed
  kernels::Writing writing = kernels::Writing::kCached;
};

/// A block and the best way to write all of it.
ResultBlock AllocateResult(std::size_t bytes) noexcept;

}  // namespace belay::ops
