// Inner loops that pack scales and offsets into the 64-bit words the hardware's requantisation
// reads:
//
//   bits  0..31  scale, float32 bits      bit  46      set where there is a scale
//   bits 37..45  offset, signed 9 bits    all others   zero
//
// Pointers need no alignment. Every function works on bit patterns with integer instructions alone,
// so results are the same on every target and the caller's rounding mode, flush-to-zero flags and
// floating-point traps play no part.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/export.h"
#include "kernels/copy_policy.h"

namespace belay::kernels {

inline constexpr std::uint64_t kScaleMark = std::uint64_t{1} << 46;
inline constexpr std::uint64_t kScaleBits = 0xFFFFFFFF;
inline constexpr int kOffsetShift = 37;

/// out[i] = (bits of scale[i] & mask) | kScaleMark | offset bits of offset[i], for i in [0, n),
/// where a null array leaves its bits clear (without scale, kScaleMark too). An offset is rounded
/// half away from zero and clamped to [-256, 255]; NaN counts as 0. Returns whether all values are
/// finite; the words are written either way. `writing` is kCached or kStreaming. Overlap is not
/// allowed.
BELAY_EXPORT bool PackQuant(const float* scale, const float* offset, std::size_t n,
                            std::uint32_t mask, std::uint64_t* out, Writing writing);

/// Whether none of the values is NaN or infinite.
BELAY_EXPORT bool AllFinite(const float* values, std::size_t n);

}  // namespace belay::kernels
