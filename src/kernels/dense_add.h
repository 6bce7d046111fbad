// Adds narrow rows of 16-bit floats up in float32, by keeping a sum for each element of the target:
// where rows are a few elements wide, ordering the updates would cost more than adding them.
//
// Pointers need no alignment. Results are the same on every target: the caller's rounding mode,
// flush-to-zero flags and floating-point traps play no part.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/export.h"
#include "kernels/half.h"

namespace belay::kernels {

/// target[s, indices[k], c] += factor * updates[s, k, c], in the order of k
///   target   [*, rows, width]     in and out
///   updates  [*, stride, width]   of the same format, not overlapping the target
///   indices  [count] int32        count at most stride, each in [0, rows)
/// Each sum starts from the target and is kept in float32; each product and each sum is rounded to
/// float32, and the end result to the format. A NaN becomes the canonical one. Elements that no
/// index names keep their bits.
struct DenseAddTask {
  HalfFormat format = HalfFormat::kFp16;
  float factor = 1.0F;
  std::size_t rows = 0;
  std::size_t width = 0;  // at most kMaxDenseWidth
  std::size_t stride = 0;
  std::size_t count = 0;
  const std::byte* indices = nullptr;
  const std::byte* updates = nullptr;
  std::byte* target = nullptr;
};

inline constexpr std::size_t kMaxDenseWidth = 64;

/// Slices [begin, end) of target and updates.
///   sums  room for `capacity` floats, at least one slice of the target
BELAY_EXPORT void DenseAddSlices(const DenseAddTask& task, std::size_t begin, std::size_t end,
                                 float* sums, std::size_t capacity);

/// Rows [begin, end) of slice 0. Passes over all indices, so rows had better be many.
///   sums  room for (end - begin) * width floats
BELAY_EXPORT void DenseAddRows(const DenseAddTask& task, std::size_t begin, std::size_t end,
                               float* sums);

}  // namespace belay::kernels
