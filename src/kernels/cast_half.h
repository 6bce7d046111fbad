// Rows of float32 to and from the two 16-bit float formats.
//
// Pointers are aligned to their elements. The default float environment
// (kernels/float_environment.h) is wanted.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/export.h"
#include "base/float_overflow.h"
#include "kernels/half.h"

namespace belay::kernels {

/// Exact; NaN becomes the canonical quiet one.
BELAY_EXPORT void HalvesToFloats(HalfFormat format, const std::byte* halves, std::byte* floats,
                                 std::size_t count);

/// To nearest, ties to even; what saturates is finite also where the float is infinite. NaN becomes
/// the canonical quiet one.
BELAY_EXPORT void FloatsToHalves(HalfFormat format, const std::byte* floats, std::byte* halves,
                                 std::size_t count, FloatOverflow overflow);

}  // namespace belay::kernels
