// Runs a test's body with every instruction set that this machine has.
#pragma once

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <cstdint>
#include <vector>

#include "kernels/simd_target.h"

namespace belay::testing {

/// Puts the machine's own choice back afterwards.
template <class Body>
void OnEveryTarget(Body body) {
  const std::vector<std::int64_t> targets = hwy::SupportedAndGeneratedTargets();
  ASSERT_FALSE(targets.empty());
  for (const std::int64_t target : targets) {
    hwy::SetSupportedTargetsForTest(target);
    SCOPED_TRACE(hwy::TargetName(target));
    EXPECT_EQ(kernels::SimdTargetName(), hwy::TargetName(target));
    body();
  }
  hwy::SetSupportedTargetsForTest(0);
}

}  // namespace belay::testing
