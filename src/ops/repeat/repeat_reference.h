// torch.Tensor.repeat and the published checks in plain loops, to hold the operator against.
// Linked by tests alone; shares no code with the operator or its kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/behaviour.h"
#include "base/status.h"

namespace belay::ops {

struct RepeatCase {
  std::vector<std::int64_t> x;
  std::vector<std::int64_t> multiples;
};

/// The first check of creation that fails on a product that serves the operator.
Fault ReferenceRepeatCreateFault(const RepeatCase& data, Behaviour behaviour);

/// The first check of InferShape that fails, for dimensions that do not overflow.
Fault ReferenceRepeatShapeFault(const RepeatCase& data, Behaviour behaviour);

/// The shape and the bytes of y, for a case without a fault.
std::vector<std::int64_t> ReferenceRepeatDims(const RepeatCase& data);
std::vector<std::byte> ReferenceRepeat(const RepeatCase& data, std::size_t item_bytes,
                                       const std::vector<std::byte>& x);

}  // namespace belay::ops
