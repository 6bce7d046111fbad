// Looks for NaN and infinity among float32 values.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace belay::ops {

struct NonFinite {
  std::uint64_t index = 0;
  std::string_view name;  // "nan", "inf", "-inf"
};

/// The first value that is not finite. `values` need no alignment.
std::optional<NonFinite> FindNonFinite(const float* values, std::uint64_t count);

}  // namespace belay::ops
