// aclFloat16 conversions. Source: acl API, data types; the format has no infinity and no NaN here:
// its highest exponent is an ordinary one, and everything too large saturates.
#include <bit>
#include <cmath>
#include <cstdint>

#include "acl/acl.h"

namespace {

constexpr std::uint32_t kHalfMantissaBits = 10;
constexpr std::uint32_t kDroppedBits = 13;     // of a float's mantissa
constexpr std::uint32_t kExponentShift = 112;  // float's bias less half's
constexpr std::uint32_t kLargestHalf = 0x7BFF;
constexpr std::uint32_t kInfinityBits = 0x7C00;  // first pattern that is not a finite half

// value / 2^shift to nearest, ties to even.
constexpr std::uint32_t ShiftToNearestEven(std::uint32_t value, std::uint32_t shift) noexcept {
  const std::uint32_t kept = value >> shift;
  const std::uint32_t rest = value & ((1U << shift) - 1);
  const std::uint32_t half = 1U << (shift - 1);
  return kept + ((rest > half || (rest == half && (kept & 1) != 0)) ? 1 : 0);
}

}  // namespace

float aclFloat16ToFloat(aclFloat16 value) {
  const std::uint32_t sign = (value & 0x8000U) << 16;
  const std::uint32_t exponent = value >> kHalfMantissaBits & 0x1F;
  const std::uint32_t mantissa = value & 0x3FFU;
  if (exponent == 0) {
    const float magnitude = std::ldexp(static_cast<float>(mantissa), -24);
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
  }
  return std::bit_cast<float>(sign | (exponent + kExponentShift) << 23 | mantissa << kDroppedBits);
}

aclFloat16 aclFloatToFloat16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16 & 0x8000U;
  const std::uint32_t exponent = bits >> 23 & 0xFF;
  const std::uint32_t mantissa = bits & 0x7FFFFF;
  std::uint32_t half = 0;
  if (exponent > 0x8F) {
    half = kLargestHalf;
  } else if (exponent > kExponentShift) {
    // A carry out of the mantissa raises the exponent, as it must.
    half = ShiftToNearestEven((exponent - kExponentShift) << 23 | mantissa, kDroppedBits);
    if (half >= kInfinityBits) half = kLargestHalf;
  } else if (exponent >= kExponentShift - kHalfMantissaBits) {
    half = ShiftToNearestEven(mantissa | 0x800000U, kDroppedBits + 1 + kExponentShift - exponent);
  }
  return static_cast<aclFloat16>(sign | half);
}
