// Scalar arguments: one value of any element type, and the value it is in another type.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/data_type.h"
#include "base/export.h"
#include "base/status.h"

namespace belay::ops {

struct ScalarValue {
  DataType dtype = DataType::kUndefined;
  std::array<std::byte, 16> bytes{};  // begins with a value of the type
};

/// Bytes that begin with a value of some type of at most 8.
using CastValue = std::array<std::byte, 8>;

/// kInvalidParam for a type that kernels::Cast does not know.
BELAY_EXPORT Status CheckNumber(std::string_view name, const ScalarValue& scalar);

/// kInvalidParam for a number that loses its fraction, or an imaginary part, as a value of `to`.
BELAY_EXPORT Status CheckCastable(std::string_view name, const ScalarValue& scalar, DataType to);

/// The number as one of a type of at most 8 bytes, by the rules of kernels::Cast.
[[nodiscard]] BELAY_EXPORT CastValue CastTo(DataType to, const ScalarValue& scalar) noexcept;

}  // namespace belay::ops
