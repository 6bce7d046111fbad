// One number of any type as another one, in plain C++; wants the default float environment
// (kernels/float_environment.h). The 16-bit floats come and go as float32.
//
// Each conversion is defined for every value: nothing here is left to the compiler or processor.
#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace belay::kernels {

/// A BOOL: true where the byte is not zero.
struct Bool {
  std::uint8_t byte;
};

template <std::floating_point Real>
struct Complex {
  using Part = Real;

  Real real;
  Real imaginary;
};

template <class T>
inline constexpr bool kIsComplex = false;
template <class Real>
inline constexpr bool kIsComplex<Complex<Real>> = true;

/// Every NaN becomes the canonical quiet one: positive, without payload.
template <std::floating_point To, std::floating_point From>
To ConvertFloat(From value) noexcept {
  return value != value ? std::numeric_limits<To>::quiet_NaN() : static_cast<To>(value);
}

/// Towards zero, what is beyond the range to its end, NaN to 0.
template <std::integral To, std::floating_point From>
To Truncate(From value) noexcept {
  constexpr To kMost = std::numeric_limits<To>::max();
  constexpr To kLeast = std::numeric_limits<To>::min();
  constexpr From kBeyond = static_cast<From>(kMost / 2 + 1) * 2;  // a power of two
  if (value != value) return 0;
  if (value >= kBeyond) return kMost;
  if (std::signed_integral<To> ? value < -kBeyond : value <= From{-1}) return kLeast;
  return static_cast<To>(value);
}

/// The number itself, one of its two neighbours in To otherwise: that with an odd last bit. So what
/// is lost still shows, and rounding the result to fewer bits is right as if it were done at once.
inline float RoundToOdd(double value) noexcept {
  const auto nearest = static_cast<float>(value);
  auto bits = std::bit_cast<std::uint32_t>(nearest);
  const double back = nearest;
  bits -= std::fabs(back) > std::fabs(value) ? 1 : 0;  // towards zero, from infinity as well
  bits |= back != value ? 1 : 0;
  return std::bit_cast<float>(bits);
}

inline double RoundToOdd(std::uint64_t value) noexcept {
  constexpr std::uint64_t kExact = std::uint64_t{1} << std::numeric_limits<double>::digits;
  constexpr unsigned kShift = 64 - std::numeric_limits<double>::digits;
  if (value < kExact) return static_cast<double>(value);
  const std::uint64_t lost = value & ((1U << kShift) - 1);
  return static_cast<double>(value >> kShift | (lost != 0 ? 1U : 0U)) * (1U << kShift);
}

/// A number with so many bits, odd ones where it does not fit, that rounding it to a 16-bit float
/// is the only rounding.
template <class From>
float ForHalf(From value) noexcept {
  if constexpr (kIsComplex<From>) {
    return ForHalf(value.real);
  } else if constexpr (std::same_as<From, Bool>) {
    return value.byte != 0 ? 1.0F : 0.0F;
  } else if constexpr (std::same_as<From, double>) {
    return RoundToOdd(value);
  } else if constexpr (std::same_as<From, float> || sizeof(From) <= 2) {
    return static_cast<float>(value);
  } else if constexpr (sizeof(From) == 4) {
    return RoundToOdd(static_cast<double>(value));
  } else {
    const auto bits = static_cast<std::uint64_t>(value);
    if (std::signed_integral<From> && value < 0) return -RoundToOdd(RoundToOdd(-bits));
    return RoundToOdd(RoundToOdd(bits));
  }
}

/// Integers wrap; a complex number is its real part, for BOOL both parts count.
template <class To, class From>
To Convert(From value) noexcept {
  if constexpr (std::same_as<To, Bool>) {
    if constexpr (kIsComplex<From>) {
      return {static_cast<std::uint8_t>(value.real != 0 || value.imaginary != 0 ? 1 : 0)};
    } else if constexpr (std::same_as<From, Bool>) {
      return value;
    } else {
      return {static_cast<std::uint8_t>(value != 0 ? 1 : 0)};
    }
  } else if constexpr (std::same_as<From, Bool>) {
    return Convert<To>(static_cast<std::uint8_t>(value.byte != 0 ? 1 : 0));
  } else if constexpr (kIsComplex<To>) {
    using Real = typename To::Part;
    if constexpr (kIsComplex<From>) {
      return {Convert<Real>(value.real), Convert<Real>(value.imaginary)};
    } else {
      return {Convert<Real>(value), 0};
    }
  } else if constexpr (kIsComplex<From>) {
    return Convert<To>(value.real);
  } else if constexpr (std::floating_point<From>) {
    if constexpr (std::floating_point<To>) {
      return ConvertFloat<To>(value);
    } else {
      return Truncate<To>(value);
    }
  } else {
    return static_cast<To>(value);
  }
}

}  // namespace belay::kernels
