// Elements of one type as elements of another.
//
//   to an integer   from an integer: two's complement, what does not fit wraps; from a float:
//                   towards zero, the nearest end of the range where it does not fit, NaN to 0
//   to BOOL         1 where the number is not zero, so also for NaN
//   to a float      one rounding to nearest, ties to even; every NaN the canonical quiet one
//   from BOOL       1 where the byte is not zero
//   from complex    the real part; to BOOL both parts count
//   to complex      the imaginary part is 0
//   the same type   bits are kept
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/data_type.h"
#include "base/export.h"
#include "kernels/cast_half.h"

namespace belay::kernels {

/// Whether Cast knows the type: integers of 8 to 64 bits, FLOAT16, BF16, FLOAT, DOUBLE, BOOL,
/// COMPLEX64 and COMPLEX128.
[[nodiscard]] BELAY_EXPORT bool CanCast(DataType type) noexcept;
/// All of them.
[[nodiscard]] BELAY_EXPORT std::span<const DataType> CastableTypes() noexcept;

/// Casts `count` adjacent elements, of types that CanCast. Pointers need no alignment; `dst` may be
/// `src` where elements have the same size, else the sides do not overlap. The caller's rounding
/// mode, flush-to-zero flags and traps play no part.
BELAY_EXPORT void Cast(DataType from, DataType to, const std::byte* src, std::byte* dst,
                       std::size_t count, FloatOverflow overflow) noexcept;

}  // namespace belay::kernels
