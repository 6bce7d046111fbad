// Choosing, resetting and asking about devices.
#include <gtest/gtest.h>

#include <climits>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "support/api_test_support.h"
#include "support/threads.h"

namespace belay::test {
namespace {

class Devices : public testing::Test {
 protected:
  void SetUp() override { (void)TakeMessages(); }
  void TearDown() override { (void)aclrtResetDeviceForce(0); }
};

aclError Malloc8(void** memory) { return aclrtMalloc(memory, 8, ACL_MEM_MALLOC_HUGE_FIRST); }

TEST_F(Devices, IdsOutsideTheCountAreRefused) {
  for (const int32_t id : {-1, 1, 16, INT_MAX, INT_MIN}) {
    const std::string seen = "deviceId is " + std::to_string(id) + "; allowed 0 to 0";
    constexpr aclError kCode = ACL_ERROR_RT_INVALID_DEVICEID;
    ExpectRefused(aclrtSetDevice(id), kCode, "aclrtSetDevice", seen);
    ExpectRefused(aclrtResetDevice(id), kCode, "aclrtResetDevice", seen);
    ExpectRefused(aclrtResetDeviceForce(id), kCode, "aclrtResetDeviceForce", seen);
    Output<aclrtDeviceStatus> status;
    ExpectRefused(aclrtQueryDeviceStatus(id, &status), kCode, "aclrtQueryDeviceStatus", seen);
    EXPECT_TRUE(status.Untouched());
  }
  ExpectRefused(aclrtQueryDeviceStatus(-1, nullptr), 100000, "deviceStatus is null");
}

TEST_F(Devices, WithoutADevice) {
  Output<int32_t> id;
  ExpectRefused(aclrtGetDevice(&id), ACL_ERROR_RT_CONTEXT_NULL, "aclrtGetDevice",
                "no current context", "aclrtSetDevice");
  EXPECT_TRUE(id.Untouched());
  ExpectRefused(aclrtSynchronizeDevice(), ACL_ERROR_RT_CONTEXT_NULL, "aclrtSynchronizeDevice",
                "no current context");
  ExpectRefused(aclrtSynchronizeDeviceWithTimeout(1), ACL_ERROR_RT_CONTEXT_NULL,
                "aclrtSynchronizeDeviceWithTimeout", "no current context");
  Output<void*> memory;
  ExpectRefused(Malloc8(&memory), ACL_ERROR_RT_CONTEXT_NULL, "aclrtMalloc");
  EXPECT_TRUE(memory.Untouched());
}

TEST_F(Devices, ResetOfADeviceThatIsNotSet) {
  constexpr aclError kCode = ACL_ERROR_RT_CONTEXT_RELEASE_ERROR;
  ExpectRefused(aclrtResetDevice(0), kCode, "aclrtResetDevice", "device 0 is not set");
  ExpectRefused(aclrtResetDeviceForce(0), kCode, "aclrtResetDeviceForce", "device 0 is not set");
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  ExpectRefused(aclrtResetDevice(0), kCode, "aclrtResetDevice", "as often as it was set");
}

TEST_F(Devices, EachSetNeedsItsReset) {
  for (int i = 0; i < 3; ++i) ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  void* memory = nullptr;
  ASSERT_EQ(Malloc8(&memory), ACL_SUCCESS);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
    int32_t id = -1;
    EXPECT_EQ(aclrtGetDevice(&id), ACL_SUCCESS);
    EXPECT_EQ(id, 0);
    EXPECT_EQ(aclrtMemset(memory, 8, 0, 8), ACL_SUCCESS);
  }
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  Output<int32_t> id;
  ExpectRefused(aclrtGetDevice(&id), ACL_ERROR_RT_CONTEXT_NULL, "any more");
  EXPECT_TRUE(id.Untouched());
}

TEST_F(Devices, ForceReleasesWhateverTheCount) {
  for (int i = 0; i < 5; ++i) ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDeviceForce(0), ACL_SUCCESS);
  int32_t id = -1;
  EXPECT_EQ(aclrtGetDevice(&id), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_EQ(aclrtResetDevice(0), ACL_ERROR_RT_CONTEXT_RELEASE_ERROR);
  EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(0), ACL_ERROR_RT_CONTEXT_RELEASE_ERROR);
}

TEST_F(Devices, TheChoiceIsPerThreadAndThePrimaryContextShared) {
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  aclrtContext mine = nullptr;
  aclrtStream my_stream = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&mine), ACL_SUCCESS);
  ASSERT_EQ(aclrtCtxGetCurrentDefaultStream(&my_stream), ACL_SUCCESS);
  OnFreshThread([=] {
    int32_t id = -1;
    EXPECT_EQ(aclrtGetDevice(&id), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    aclrtContext theirs = nullptr;
    aclrtStream their_stream = nullptr;
    EXPECT_EQ(aclrtGetCurrentContext(&theirs), ACL_SUCCESS);
    EXPECT_EQ(aclrtCtxGetCurrentDefaultStream(&their_stream), ACL_SUCCESS);
    EXPECT_EQ(theirs, mine);
    EXPECT_EQ(their_stream, my_stream);
  });
  // The counts of all threads are one.
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  int32_t id = -1;
  EXPECT_EQ(aclrtGetDevice(&id), ACL_SUCCESS);
  OnFreshThread([] { EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS); });
  EXPECT_EQ(aclrtGetDevice(&id), ACL_ERROR_RT_CONTEXT_NULL);
}

TEST_F(Devices, ThreadsSetAndResetInBalance) {
  RunTogether(8, [](std::size_t) {
    for (int i = 0; i < 200; ++i) {
      EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
      EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
    }
  });
  EXPECT_EQ(aclrtResetDevice(0), ACL_ERROR_RT_CONTEXT_RELEASE_ERROR);
}

TEST_F(Devices, Answers) {
  aclrtRunMode mode = ACL_DEVICE;
  EXPECT_EQ(aclrtGetRunMode(&mode), ACL_SUCCESS);
  EXPECT_EQ(mode, ACL_HOST);
  uint32_t count = 0;
  EXPECT_EQ(aclrtGetDeviceCount(&count), ACL_SUCCESS);
  EXPECT_EQ(count, 1U);
  auto status = ACL_RT_DEVICE_STATUS_END;
  EXPECT_EQ(aclrtQueryDeviceStatus(0, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_RT_DEVICE_STATUS_NORMAL);
  int32_t least = -1;
  int32_t greatest = -1;
  EXPECT_EQ(aclrtDeviceGetStreamPriorityRange(&least, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtDeviceGetStreamPriorityRange(nullptr, &greatest), ACL_SUCCESS);
  EXPECT_EQ(aclrtDeviceGetStreamPriorityRange(nullptr, nullptr), ACL_SUCCESS);
  EXPECT_EQ(least, 7);
  EXPECT_EQ(greatest, 0);
  EXPECT_EQ(TakeMessages(), "");
}

TEST_F(Devices, SynchroniseTimeouts) {
  // The time-out is looked at first, whether or not there is a device.
  for (const int with_device : {0, 1}) {
    if (with_device == 1) {
      ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    }
    for (const int32_t timeout : {0, -2, INT_MIN}) {
      ExpectRefused(aclrtSynchronizeDeviceWithTimeout(timeout), ACL_ERROR_RT_PARAM_INVALID,
                    "aclrtSynchronizeDeviceWithTimeout",
                    "timeout is " + std::to_string(timeout) + ";");
    }
  }
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
  for (const int32_t timeout : {-1, 1, INT_MAX}) {
    EXPECT_EQ(aclrtSynchronizeDeviceWithTimeout(timeout), ACL_SUCCESS);
  }
}

TEST_F(Devices, SynchroniseRunsOutOfTime) {
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  const OwnStream stream;
  Blocker blocker(stream);
  ExpectRefused(aclrtSynchronizeDeviceWithTimeout(1), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT,
                "aclrtSynchronizeDeviceWithTimeout", "after 1 ms");
  blocker.Open();
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
}

TEST_F(Devices, InfoRefusals) {
  Output<int64_t> value;
  constexpr auto kAttr = ACL_DEV_ATTR_L2_CACHE_SIZE;
  ExpectRefused(aclrtGetDeviceInfo(0, kAttr, nullptr), 100000, "aclrtGetDeviceInfo",
                "value is null");
  ExpectRefused(aclrtGetDeviceInfo(7, kAttr, nullptr), 100000, "value is null");
  ExpectRefused(aclrtGetDeviceInfo(1, kAttr, &value), 107000, "aclrtGetDeviceInfo",
                "deviceId is 1;");
  ExpectRefused(aclrtGetDeviceInfo(UINT32_MAX, kAttr, &value), 107000, "deviceId is 4294967295");
  for (const int attr : {-1, 0, 2, 100, 103, 200, 213, 300, 303, 400, 410, 500, 502, 600, 602}) {
    ExpectRefused(aclrtGetDeviceInfo(0, static_cast<aclrtDevAttr>(attr), &value), 107000,
                  "aclrtGetDeviceInfo", "attr is " + std::to_string(attr) + ";");
  }
  for (const int attr : {1, 202, 203, 205, 206, 207, 208, 209, 210, 211, 212, 401, 403, 404, 405,
                         406, 407, 408, 409}) {
    ExpectRefused(aclrtGetDeviceInfo(0, static_cast<aclrtDevAttr>(attr), &value), 207000,
                  "aclrtGetDeviceInfo", "attr is " + std::to_string(attr) + ",", "Ascend910B4");
  }
  EXPECT_TRUE(value.Untouched());
}

struct Figures {
  const char* soc;
  int64_t arch, ai_cores, cube_cores, vector_cores, unified_buffer, memory, l2;
};

constexpr int64_t k32GiB = 34359738368;

const Figures kFigures[] = {
    {"Ascend910A", 1001, 32, 32, 0, 262144, k32GiB, 33554432},
    {"Ascend310P3", 2002, 8, 8, 7, 262144, 24000000000, 16777216},
    {"Ascend310B1", 3002, 1, 1, 1, 253952, k32GiB, 4194304},
    {"Ascend910B2C", 2201, 24, 24, 48, 196608, k32GiB, 201326592},
    {"Ascend910B3", 2201, 20, 20, 40, 196608, 68719476736, 201326592},
    {"Ascend910B4", 2201, 20, 20, 40, 196608, k32GiB, 100663296},
    {"Ascend910_9363", 2201, 20, 20, 40, 196608, k32GiB, 176160768},
    {"Ascend950PR_9599", 3510, 36, 36, 72, 253952, 137438953472, 134217728},
    {"Ascend950PR_957d", 3510, 28, 28, 56, 253952, 103079215104, 100663296},
    {"Ascend350_355e", 3510, 16, 16, 32, 253952, 68719476736, 67108864},
};

void ExpectFiguresOfTheEnvironment() {
  for (const Figures& row : kFigures) {
    if (Variable("BELAY_SOC") != row.soc) continue;
    const std::pair<aclrtDevAttr, int64_t> expected[] = {
        {ACL_DEV_ATTR_NPU_ARCH, row.arch},
        {ACL_DEV_ATTR_AICORE_CORE_NUM, row.ai_cores},
        {ACL_DEV_ATTR_CUBE_CORE_NUM, row.cube_cores},
        {ACL_DEV_ATTR_VECTOR_CORE_NUM, row.vector_cores},
        {ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE, row.unified_buffer},
        {ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE, row.memory},
        {ACL_DEV_ATTR_L2_CACHE_SIZE, row.l2},
        {ACL_DEV_ATTR_IS_VIRTUAL, 0},
        {ACL_DEV_ATTR_PHY_CHIP_ID, 0},
    };
    for (const auto& [attr, figure] : expected) {
      int64_t value = -1;
      EXPECT_EQ(aclrtGetDeviceInfo(0, attr, &value), ACL_SUCCESS) << attr;
      EXPECT_EQ(value, figure) << attr;
    }
    return;
  }
  FAIL() << "no such row";
}

TEST_F(Devices, InfoOfEveryFamily) {
  for (const Figures& row : kFigures) {
    ExpectChildPasses({{"BELAY_SOC", row.soc}}, ExpectFiguresOfTheEnvironment);
  }
}

// The physical ids that a program sees, from TEST_VISIBLE.
void ExpectVisibleDevices() {
  const std::string expected = Variable("TEST_VISIBLE");
  uint32_t count = 99;
  EXPECT_EQ(aclrtGetDeviceCount(&count), ACL_SUCCESS);
  EXPECT_EQ(count, expected.size());
  for (uint32_t id = 0; id < count; ++id) {
    int64_t chip = -1;
    EXPECT_EQ(aclrtGetDeviceInfo(id, ACL_DEV_ATTR_PHY_CHIP_ID, &chip), ACL_SUCCESS);
    EXPECT_EQ(std::to_string(chip), expected.substr(id, 1));
    EXPECT_EQ(aclrtSetDevice(static_cast<int32_t>(id)), ACL_SUCCESS);
    int32_t current = -1;
    EXPECT_EQ(aclrtGetDevice(&current), ACL_SUCCESS);
    EXPECT_EQ(current, static_cast<int32_t>(id)) << "ids are those of the program";
  }
  const std::string allowed =
      count == 0 ? "allowed none" : "allowed 0 to " + std::to_string(count - 1);
  ExpectRefused(aclrtSetDevice(static_cast<int32_t>(count)), ACL_ERROR_RT_INVALID_DEVICEID, allowed,
                "ASCEND_RT_VISIBLE_DEVICES");
}

TEST_F(Devices, VisibleDevices) {
  const std::pair<const char*, const char*> lists[] = {
      {"2,0", "20"},  {"1,1,3", "1"}, {"x", ""},  {"", ""},      {"0,1,2,3", "0123"}, {"3", "3"},
      {"3,4,1", "3"}, {"0,-1", "0"},  {" 1", ""}, {"1,,2", "1"}, {"2,", "2"},         {"0;1", ""},
  };
  for (const auto& [list, visible] : lists) {
    ExpectChildPasses({{"BELAY_NUM_DEVICES", "4"},
                       {"ASCEND_RT_VISIBLE_DEVICES", list},
                       {"TEST_VISIBLE", visible}},
                      ExpectVisibleDevices);
  }
  ExpectChildPasses({{"BELAY_NUM_DEVICES", "4"}, {"TEST_VISIBLE", "0123"}}, ExpectVisibleDevices);
}

TEST_F(Devices, SeveralDevicesAreIndependent) {
  ExpectChildPasses({{"BELAY_NUM_DEVICES", "4"}}, [] {
    std::vector<void*> memory(4);
    for (int32_t id = 0; id < 4; ++id) {
      EXPECT_EQ(aclrtSetDevice(id), ACL_SUCCESS);
      EXPECT_EQ(Malloc8(&memory[static_cast<std::size_t>(id)]), ACL_SUCCESS);
      std::size_t free = 0;
      std::size_t total = 0;
      EXPECT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total), ACL_SUCCESS);
      EXPECT_EQ(total - free, 64U) << "its own account";
    }
    EXPECT_EQ(aclrtResetDevice(1), ACL_SUCCESS);
    ExpectRefused(aclrtFree(memory[1]), 107000, "freed by aclrtResetDevice");
    for (const std::size_t id : {0U, 2U, 3U}) EXPECT_EQ(aclrtFree(memory[id]), ACL_SUCCESS);
    int32_t current = -1;
    EXPECT_EQ(aclrtGetDevice(&current), ACL_SUCCESS);
    EXPECT_EQ(current, 3) << "another device's reset leaves this thread's choice alone";
    EXPECT_EQ(aclrtResetDevice(1), ACL_ERROR_RT_CONTEXT_RELEASE_ERROR);
    for (const int32_t id : {0, 2, 3}) EXPECT_EQ(aclrtResetDevice(id), ACL_SUCCESS);
  });
}

}  // namespace
}  // namespace belay::test
