// The inner loop of adding rows of 16-bit floats up in float32.
//
// Pointers need no alignment. Results are the same on every target: the caller's rounding mode,
// flush-to-zero flags and floating-point traps play no part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/export.h"
#include "kernels/half.h"

namespace belay::kernels {

/// row[c] = row[c] + factor * updates[k, c] for each k of `which`, in that order.
///   row      [width]     in and out
///   updates  [*, width]  of the same format, not overlapping row
/// The sum starts from row[c] and is kept in float32; each product and each sum is rounded to
/// float32, and the end result to the format. A NaN becomes the canonical one.
BELAY_EXPORT void RowAdd(HalfFormat format, float factor, const std::byte* updates,
                         std::span<const std::uint64_t> which, std::size_t width, std::byte* row);

}  // namespace belay::kernels
