// How rows that have been brought into order are spread over threads.
#pragma once

#include <cstdint>

#include "base/function_ref.h"
#include "kernels/row_add.h"

namespace belay::ops {

/// Bytes of updates for one piece of work. Waking another thread takes as long as adding some 128
/// KiB.
inline constexpr std::uint64_t kAddGrainBytes = std::uint64_t{256} << 10;

/// Slices whose pairs of rows are the same.
struct PairWork {
  std::uint64_t outer = 0;
  std::uint64_t width = 0;
  std::uint64_t item_bytes = 0;
  const kernels::RowPairs& pairs;
};

/// Calls add(outer, part) for parts that together cover all slices, pairs and columns, on the
/// compute threads.
void ForPairs(const PairWork& work,
              FunctionRef<void(std::uint64_t outer, const kernels::RowAddPart& part)> add);

}  // namespace belay::ops
