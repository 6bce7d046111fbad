// Looks over a list of int32 indices, which needs no alignment.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/export.h"

namespace belay::kernels {

/// Whether each index is in [0, limit]; limit is at least 0.
BELAY_EXPORT bool AllWithin(const std::byte* indices, std::size_t count, std::int32_t limit);

/// Whether no index is less than the one before it. Ends early when one is.
BELAY_EXPORT bool IsAscending(const std::byte* indices, std::size_t count);

}  // namespace belay::kernels
