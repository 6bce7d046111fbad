// Three devices, of which device 0 is the thread's current one when a test begins.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>

#include "acl/acl.h"
#include "support/device_test.h"

namespace belay::test {

inline constexpr int32_t kDevices = 3;

/// Makes another device current for a while.
class OnDevice {
 public:
  explicit OnDevice(int32_t device) {
    EXPECT_EQ(aclrtGetCurrentContext(&outer_), ACL_SUCCESS);
    EXPECT_EQ(aclrtSetDevice(device), ACL_SUCCESS);
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  ~OnDevice() { EXPECT_EQ(aclrtSetCurrentContext(outer_), ACL_SUCCESS); }

 private:
  aclrtContext outer_ = nullptr;
};

/// Every test of the program has this fixture, so that the variable is there at the first call.
class ManyDevices : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(::setenv("BELAY_NUM_DEVICES", "3", 1), 0);
    for (int32_t device = kDevices - 1; device >= 0; --device) {
      ASSERT_EQ(aclrtSetDevice(device), ACL_SUCCESS);
    }
    (void)TakeMessages();
    (void)aclrtGetLastError(ACL_RT_THREAD_LEVEL);
  }
  void TearDown() override {
    for (int32_t device = 0; device < kDevices; ++device) (void)aclrtResetDeviceForce(device);
  }
};

}  // namespace belay::test
