// The two 16-bit float formats: IEEE binary16 (fp16) and the upper half of a float32 (bf16).
//
// Conversions are integer arithmetic on bit patterns alone, so the caller's rounding mode and
// flush-to-zero flags play no part and no floating-point flag is raised. Widening is exact and
// keeps NaN payloads. Narrowing rounds to nearest, ties to even, overflows to infinity, and makes
// every NaN the canonical quiet one.
#pragma once

#include <bit>
#include <cstdint>

namespace belay::kernels {

enum class HalfFormat : std::uint8_t { kFp16, kBf16 };

/// value / 2^shift to nearest, ties to even; shift in 1..31.
constexpr std::uint32_t ShiftToNearestEven(std::uint32_t value, std::uint32_t shift) noexcept {
  const std::uint32_t kept = value >> shift;
  const std::uint32_t rest = value & ((1U << shift) - 1);
  const std::uint32_t half = 1U << (shift - 1);
  return kept + ((rest > half || (rest == half && (kept & 1) != 0)) ? 1 : 0);
}

inline constexpr std::uint32_t kFloatInfinity = 0x7F800000;
inline constexpr std::uint32_t kFloatMagnitude = 0x7FFFFFFF;

struct Fp16 {
  static constexpr std::uint16_t kQuietNan = 0x7E00;

  static constexpr float ToFloat(std::uint16_t bits) noexcept {
    const std::uint32_t sign = (bits & 0x8000U) << 16;
    const std::uint32_t magnitude = bits & 0x7FFFU;
    if (magnitude == 0) return std::bit_cast<float>(sign);
    if (magnitude < kFirstNormal) {
      // magnitude * 2^-24, with the leading one moved to where a float has its implied bit.
      const auto zeros = static_cast<std::uint32_t>(std::countl_zero(magnitude));
      const std::uint32_t exponent = 134 - zeros;
      return std::bit_cast<float>(sign | exponent << 23 | ((magnitude << (zeros - 8)) & 0x7FFFFFU));
    }
    if (magnitude >= kInfinity) {
      return std::bit_cast<float>(sign | kFloatInfinity | (magnitude & 0x3FFU) << 13);
    }
    return std::bit_cast<float>(sign | ((magnitude << 13) + kRebias));
  }

  static constexpr std::uint16_t FromFloat(float value) noexcept {
    constexpr std::uint32_t kFirstNormalFloat = 0x38800000;  // 2^-14
    constexpr std::uint32_t kHalfOfSmallest = 0x33000000;    // 2^-25
    constexpr std::uint32_t kBeyond = 0x47800000;            // 2^16
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t magnitude = bits & kFloatMagnitude;
    std::uint32_t half = 0;
    if (magnitude > kFloatInfinity) return kQuietNan;
    if (magnitude >= kBeyond) {
      half = kInfinity;
    } else if (magnitude >= kFirstNormalFloat) {
      // A carry out of the mantissa raises the exponent, up to infinity, as it must.
      half = ShiftToNearestEven(magnitude - kRebias, 13);
    } else if (magnitude >= kHalfOfSmallest) {
      half = ShiftToNearestEven((magnitude & 0x7FFFFFU) | 0x800000U, 126 - (magnitude >> 23));
    }
    return static_cast<std::uint16_t>((bits >> 16 & 0x8000U) | half);
  }

 private:
  static constexpr std::uint32_t kInfinity = 0x7C00;
  static constexpr std::uint32_t kFirstNormal = 0x0400;
  static constexpr std::uint32_t kRebias = (127U - 15U) << 23;
};

struct Bf16 {
  static constexpr std::uint16_t kQuietNan = 0x7FC0;

  static constexpr float ToFloat(std::uint16_t bits) noexcept {
    return std::bit_cast<float>(std::uint32_t{bits} << 16);
  }

  static constexpr std::uint16_t FromFloat(float value) noexcept {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t magnitude = bits & kFloatMagnitude;
    if (magnitude > kFloatInfinity) return kQuietNan;
    return static_cast<std::uint16_t>((bits >> 16 & 0x8000U) | ShiftToNearestEven(magnitude, 16));
  }
};

/// A value of either format as a float32.
constexpr float HalfToFloat(HalfFormat format, std::uint16_t bits) noexcept {
  return format == HalfFormat::kFp16 ? Fp16::ToFloat(bits) : Bf16::ToFloat(bits);
}

}  // namespace belay::kernels
