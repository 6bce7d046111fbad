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

/// The words of aclnnTransQuantParamV2 and V3: either array may be a single value for all words; a
/// NaN offset counts as 0.
std::vector<std::uint64_t> ReferenceQuantParamTensor(const QuantParamCase& data, int round_mode);

}  // namespace belay::ops
