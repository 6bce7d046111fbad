// Which instruction set the kernels use here; for information, nothing depends on it.
#pragma once

#include <string_view>

#include "base/export.h"

namespace belay::kernels {

/// Highway's name of the best compiled instruction set that this machine has: "AVX2", "NEON".
BELAY_EXPORT std::string_view SimdTargetName();

}  // namespace belay::kernels
