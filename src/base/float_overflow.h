// What becomes of a floating-point result that its type cannot hold.
#pragma once

#include <cstdint>

namespace belay {

enum class FloatOverflow : std::uint8_t {
  kInfNan,    // infinity, and NaN stays NaN
  kSaturate,  // the largest finite value
};

}  // namespace belay
