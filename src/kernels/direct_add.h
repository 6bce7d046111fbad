// Adds rows to the rows that an index names, in the elements' own type: each update is added to
// what is there by then.
//
// Pointers need no alignment. Results are the same on every target: the caller's rounding mode,
// flush-to-zero flags and floating-point traps play no part.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/export.h"
#include "kernels/indexed_rows.h"

namespace belay::kernels {

/// Integers wrap around, so signed and unsigned ones are the same. A bool is a byte, true unless it
/// is 0; a sum is 0 or 1.
enum class DirectType : std::uint8_t { kFloat, kDouble, kInt8, kInt16, kInt32, kInt64, kBool };

[[nodiscard]] constexpr std::size_t ItemBytes(DirectType type) noexcept {
  switch (type) {
    case DirectType::kInt8:
    case DirectType::kBool:
      return 1;
    case DirectType::kInt16:
      return 2;
    case DirectType::kFloat:
    case DirectType::kInt32:
      return 4;
    default:
      return 8;
  }
}

/// target[s, indices[k], c] += factor * source[s, k, c], in the order of k. Floating-point products
/// and sums are each rounded, and a NaN becomes the canonical one. Sums of bools are "or", products
/// "and".
struct DirectAddTask {
  DirectType type = DirectType::kFloat;
  std::array<std::byte, 8> factor{};  // begins with a value of the type
  IndexedRows indexed;
};

BELAY_EXPORT void DirectAdd(const DirectAddTask& task, const IndexedPart& part);

}  // namespace belay::kernels
