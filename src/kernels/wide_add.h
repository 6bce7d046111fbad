// Adds rows of floats up in double: each target row is read once and rounded once, to nearest even
// and straight from the double, whatever the number of rows that go there.
//
// Pointers need no alignment. Results are the same on every target: the caller's rounding mode,
// flush-to-zero flags and floating-point traps play no part.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/export.h"
#include "kernels/row_add.h"

namespace belay::kernels {

enum class WideType : std::uint8_t { kFp16, kBf16, kFloat };

[[nodiscard]] constexpr std::size_t ItemBytes(WideType type) noexcept {
  return type == WideType::kFloat ? 4 : 2;
}

/// target[rows[j], c] += factor * updates[positions[j], c], in the order of j, as RowAdd does it.
/// Each product and each sum is rounded to double, and the end result to the type. A NaN becomes
/// the canonical one.
struct WideAddTask {
  WideType type = WideType::kFloat;
  double factor = 1.0;
  std::size_t width = 0;
  const std::byte* updates = nullptr;  // [*, width], not overlapping the target
  std::byte* target = nullptr;         // [*, width]
  RowPairs pairs;
};

/// Parts as RowAdd has them.
BELAY_EXPORT void WideAdd(const WideAddTask& task, const RowAddPart& part);

}  // namespace belay::kernels
