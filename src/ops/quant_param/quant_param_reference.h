// The document's formula in plain loops, to hold the operator against. Linked by tests alone;
// shares no code with the operator or its kernel.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/behaviour.h"

namespace belay::ops {

struct QuantParamCase {
  std::vector<float> scale;                  // not empty
  std::optional<std::vector<float>> offset;  // not empty when given
};

/// The words of the result, padded as published.
std::vector<std::uint64_t> ReferenceQuantParam(const QuantParamCase& data, Behaviour behaviour);

}  // namespace belay::ops
