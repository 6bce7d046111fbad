// Adds rows of 16-bit floats up in float32: each target row is read once and rounded once, whatever
// the number of rows that go there.
//
// Pointers need no alignment. Results are the same on every target: the caller's rounding mode,
// flush-to-zero flags and floating-point traps play no part.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/export.h"
#include "kernels/half.h"

namespace belay::kernels {

/// Which row of the updates goes to which row of the target, in ascending order of target rows:
/// pair j adds row positions[j] of the updates to row rows[j] of the target.
struct RowPairs {
  const std::byte* rows = nullptr;           // [count] int32, not negative, ascending
  const std::uint32_t* positions = nullptr;  // [count]; null: pair j adds row j
  std::size_t count = 0;
};

/// Pairs [begin, end) and columns [begin, end).
struct RowAddPart {
  std::size_t pair_begin = 0;
  std::size_t pair_end = 0;
  std::size_t column_begin = 0;
  std::size_t column_end = 0;
  bool prefetch = false;  // for rows that are more than the caches hold
};

/// target[rows[j], c] += factor * updates[positions[j], c], in the order of j
///   target   [*, width]  in and out
///   updates  [*, width]  of the same format, not overlapping the target
/// Each sum starts from the target and is kept in float32; each product and each sum is rounded to
/// float32, and the end result to the format. A NaN becomes the canonical one.
struct RowAddTask {
  HalfFormat format = HalfFormat::kFp16;
  float factor = 1.0F;
  std::size_t width = 0;
  const std::byte* updates = nullptr;
  std::byte* target = nullptr;
  RowPairs pairs;
};

/// All pairs of each target row whose first pair is in the part, for the columns of the part. Parts
/// that split the pairs and columns between them may run at the same time.
BELAY_EXPORT void RowAdd(const RowAddTask& task, const RowAddPart& part);

}  // namespace belay::kernels
