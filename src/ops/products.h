// Sets of products that several operators' documents name alike.
#pragma once

#include "base/product.h"

namespace belay::ops {

/// All but the 950 and its generation ("Atlas 350" in the documents).
inline constexpr FamilySet kAllBefore950 = {
    Family::kAscend910,  Family::kAscend310P,   Family::kAscend310B,
    Family::kAscend910B, Family::kAscend910_93, Family::kAscend031,
    Family::kAscend035,  Family::kKirinX90,     Family::kKirin9030};

}  // namespace belay::ops
