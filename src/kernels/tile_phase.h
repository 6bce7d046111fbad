// What the inner loops of repeating share on all instruction sets.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace belay::kernels {

/// Rows up to this size are repeated by shuffling one 128-bit vector.
inline constexpr std::size_t kTinyRow = 16;

/// Runs of at most this many repeats are shuffled together; the shuffles' indices, 16 bytes for
/// each repeat, are made anew for each call and pay from this many bytes of the source on.
inline constexpr std::size_t kMaxInterleaved = 16;
inline constexpr std::size_t kInterleaveFromBytes = 256;

/// kPhase[n][i] is i % n: from any phase on, the shuffle that repeats the first n bytes of a
/// vector.
inline constexpr auto kPhase = [] {
  std::array<std::array<std::uint8_t, 2 * kTinyRow>, kTinyRow + 1> phase{};
  for (std::size_t n = 1; n <= kTinyRow; ++n) {
    for (std::size_t i = 0; i < phase[n].size(); ++i) {
      phase[n][i] = static_cast<std::uint8_t>(i % n);
    }
  }
  return phase;
}();

}  // namespace belay::kernels
