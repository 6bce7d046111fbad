// Inner loops that pack scales and offsets into the 64-bit words the hardware's requantisation
// reads; belay/quant_param.h says what is in them.
//
// Pointers need no alignment. Every function works on bit patterns with integer instructions alone,
// so results are the same on every target and the caller's rounding mode, flush-to-zero flags and
// floating-point traps play no part.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/export.h"
#include "belay/quant_param.h"
#include "kernels/copy_policy.h"

namespace belay::kernels {

/// out[i] = (bits of scale[i] & mask) | kQuantScaleMark | offset bits of offset[i], for i in [0,
/// n), where a null array leaves its bits clear (without scale, kQuantScaleMark too). An offset is
/// rounded half away from zero and clamped to [-256, 255]; NaN counts as 0. Returns whether all
/// values are finite; the words are written either way. `writing` is kCached or kStreaming. Overlap
/// is not allowed.
BELAY_EXPORT bool PackQuant(const float* scale, const float* offset, std::size_t n,
                            std::uint32_t mask, std::uint64_t* out, Writing writing);

/// An array of as many values as there are words, or one value for all of them.
struct QuantOperand {
  const float* values = nullptr;  // null: there is none
  bool single = false;
};

/// The same for aclnnTransQuantParamV2 and V3: `rounding` says how scales become 19 bits and
/// offsets integers, and either operand may be a single value. There always are scales; one operand
/// at least is an array unless n is 1.
BELAY_EXPORT bool PackQuantTensor(QuantOperand scale, QuantOperand offset, std::size_t n,
                                  QuantRounding rounding, std::uint64_t* out, Writing writing);

/// Whether none of the values is NaN or infinite.
BELAY_EXPORT bool AllFinite(const float* values, std::size_t n);

}  // namespace belay::kernels
