// The document's assignment and its published checks in plain loops, to hold the operator against.
// Linked by tests alone; shares no code with the operator or its kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/status.h"

namespace belay::ops {

struct SetValueCase {
  std::vector<std::int64_t> dst;
  std::vector<std::int64_t> src;
  std::vector<std::int64_t> starts;
  std::vector<std::int64_t> ends;
  std::vector<std::int64_t> strides;
};

/// The first published check that fails, for ranks in 1..8 and dimensions above 0.
Fault ReferenceSetValueFault(const SetValueCase& data);

/// dst[starts[0]:ends[0], ..] = src, for a case without a fault.
void ReferenceSetValue(const SetValueCase& data, std::size_t item_bytes,
                       std::vector<std::byte>& dst, const std::vector<std::byte>& src);

}  // namespace belay::ops
