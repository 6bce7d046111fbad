// The overflow mode of a device.
#include <gtest/gtest.h>

#include <string>

#include "support/api_test_support.h"
#include "support/threads.h"

namespace belay::test {
namespace {

class SatMode : public DeviceTest {};

aclrtFloatOverflowMode Mode() {
  aclrtFloatOverflowMode mode = ACL_RT_OVERFLOW_MODE_UNDEF;
  EXPECT_EQ(aclrtGetDeviceSatMode(&mode), ACL_SUCCESS);
  return mode;
}

TEST_F(SatMode, IsInfNanAtFirst) { EXPECT_EQ(Mode(), ACL_RT_OVERFLOW_MODE_INFNAN); }

TEST_F(SatMode, IsWhatWasSetLast) {
  for (const auto mode : {ACL_RT_OVERFLOW_MODE_SATURATION, ACL_RT_OVERFLOW_MODE_SATURATION,
                          ACL_RT_OVERFLOW_MODE_INFNAN}) {
    ASSERT_EQ(aclrtSetDeviceSatMode(mode), ACL_SUCCESS);
    EXPECT_EQ(Mode(), mode);
  }
}

TEST_F(SatMode, BelongsToTheDeviceAndNotToTheThread) {
  ASSERT_EQ(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_SATURATION), ACL_SUCCESS);
  OnFreshThread([] {
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    EXPECT_EQ(Mode(), ACL_RT_OVERFLOW_MODE_SATURATION);
  });
  ASSERT_EQ(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_INFNAN), ACL_SUCCESS);
}

TEST_F(SatMode, RefusesOtherModes) {
  for (const int mode : {2, 3, -1}) {
    ExpectRefused(aclrtSetDeviceSatMode(static_cast<aclrtFloatOverflowMode>(mode)), 107000,
                  "mode is " + std::to_string(mode), "SATURATION (0)", "INFNAN (1)");
  }
  EXPECT_EQ(Mode(), ACL_RT_OVERFLOW_MODE_INFNAN);
}

TEST_F(SatMode, NeedsADevice) {
  OnFreshThread([] {
    Output<aclrtFloatOverflowMode> mode;
    ExpectRefused(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_INFNAN), 107002, "no current context");
    ExpectRefused(aclrtGetDeviceSatMode(&mode), 107002, "no current context");
    EXPECT_TRUE(mode.Untouched());
  });
}

}  // namespace
}  // namespace belay::test
