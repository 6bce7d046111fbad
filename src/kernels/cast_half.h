// Rows of float32 to and from the two 16-bit float formats.
//
// Pointers need no alignment. The default float environment (kernels/float_environment.h) is
// wanted.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/export.h"
#include "kernels/half.h"

namespace belay::kernels {

/// What becomes of a value beyond the range of a 16-bit float.
enum class Overflow : std::uint8_t {
  kInfinity,  // as IEEE 754 has it
  kLargest,   // the largest finite value; also of an infinity. NaN stays NaN
};

/// Exact; NaN becomes the canonical quiet one.
BELAY_EXPORT void HalvesToFloats(HalfFormat format, const std::byte* halves, std::byte* floats,
                                 std::size_t count);

/// To nearest, ties to even; NaN becomes the canonical quiet one.
BELAY_EXPORT void FloatsToHalves(HalfFormat format, const std::byte* floats, std::byte* halves,
                                 std::size_t count, Overflow overflow);

}  // namespace belay::kernels
