// What becomes of a floating-point result that a 16-bit type cannot hold.
#pragma once

#include <cstdint>

namespace belay {

enum class FloatOverflow : std::uint8_t {
  kInfNan,    // infinity, and NaN stays NaN
  kSaturate,  // the largest finite value, also of an infinity; NaN stays NaN
};

}  // namespace belay
