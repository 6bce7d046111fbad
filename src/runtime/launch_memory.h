// Whether the tensors of a launch lie in memory that the stream's device may use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/export.h"
#include "base/status.h"
#include "runtime/memory_map.h"

namespace belay::runtime {

/// The block that holds [address, address + size): of the device, or none for registered host
/// memory. Anything else is refused with `fault`; the message says what the address is.
BELAY_EXPORT StatusOr<BlockRef> RequireLaunchMemory(std::string_view argument, const void* address,
                                                    std::size_t size, std::int32_t device,
                                                    Fault fault);

}  // namespace belay::runtime
