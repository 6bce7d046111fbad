// What the saturation mode of a device makes of 16-bit floats that are infinite.
//
// Pointers need no alignment.
#pragma once

#include <cstddef>

#include "base/export.h"
#include "kernels/half.h"
#include "kernels/indexed_rows.h"

namespace belay::kernels {

/// Infinities become the largest finite value of their sign, in all rows of the target that an
/// index names. Whatever rounds to infinity is beyond the largest value, so this is what rounding
/// with saturation gives.
BELAY_EXPORT void SaturateRows(HalfFormat format, const IndexedRows& rows, std::size_t slices);

}  // namespace belay::kernels
