// Integer arithmetic on sizes that come from a caller: the result, or that it does not fit.
#pragma once

#include <concepts>
#include <optional>

namespace belay {

template <std::integral T>
[[nodiscard]] constexpr std::optional<T> CheckedAdd(T a, T b) noexcept {
  T result{};
  if (__builtin_add_overflow(a, b, &result)) return std::nullopt;
  return result;
}

template <std::integral T>
[[nodiscard]] constexpr std::optional<T> CheckedMultiply(T a, T b) noexcept {
  T result{};
  if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
  return result;
}

/// `value` rounded up to a multiple of `step` (step > 0).
template <std::unsigned_integral T>
[[nodiscard]] constexpr std::optional<T> CheckedRoundUp(T value, T step) noexcept {
  const T rest = value % step;
  return rest == 0 ? std::optional<T>(value) : CheckedAdd<T>(value, step - rest);
}

}  // namespace belay
