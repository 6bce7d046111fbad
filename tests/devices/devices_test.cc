// Several devices in one process: what belongs to a thread, what to a device, and what they share.
#include <gtest/gtest.h>

#include <pthread.h>

#include <atomic>
#include <string>

#include "support/api_test_support.h"
#include "support/gate.h"
#include "support/many_devices.h"
#include "support/threads.h"

namespace belay::test {
namespace {

constexpr std::size_t kBytes = 4096;

class SeveralDevices : public ManyDevices {};

int32_t CurrentDevice() {
  int32_t device = -1;
  EXPECT_EQ(aclrtGetDevice(&device), ACL_SUCCESS);
  return device;
}

std::size_t FreeBytes() {
  std::size_t free = 0;
  std::size_t total = 0;
  EXPECT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total), ACL_SUCCESS);
  return free;
}

// Holds a stream until a door opens.
void Hold(aclrtStream stream, Door& door) {
  ASSERT_EQ(aclrtLaunchHostFunc(
                stream, [](void* at) { EXPECT_TRUE(static_cast<Door*>(at)->Wait()); }, &door),
            ACL_SUCCESS);
}

TEST_F(SeveralDevices, EachThreadHasItsOwnCurrentDevice) {
  uint32_t count = 0;
  ASSERT_EQ(aclrtGetDeviceCount(&count), ACL_SUCCESS);
  ASSERT_EQ(count, static_cast<uint32_t>(kDevices));
  aclrtContext primary[kDevices] = {};
  RunTogether(kDevices, [&primary](std::size_t i) {
    Output<int32_t> none;
    EXPECT_EQ(aclrtGetDevice(&none), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_TRUE(none.Untouched());
    for (int round = 0; round < 100; ++round) {
      ASSERT_EQ(aclrtSetDevice(static_cast<int32_t>(i)), ACL_SUCCESS);
      ASSERT_EQ(CurrentDevice(), static_cast<int32_t>(i));
    }
    ASSERT_EQ(aclrtGetCurrentContext(&primary[i]), ACL_SUCCESS);
  });
  EXPECT_EQ(CurrentDevice(), 0);
  EXPECT_NE(primary[0], primary[1]);
  EXPECT_NE(primary[1], primary[2]);
  aclrtContext own = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&own), ACL_SUCCESS);
  EXPECT_EQ(own, primary[0]) << "threads share a device's primary context";
}

TEST_F(SeveralDevices, AContextBringsItsDevice) {
  aclrtContext primary = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&primary), ACL_SUCCESS);
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtCreateContext(&context, 2), ACL_SUCCESS);
  EXPECT_EQ(CurrentDevice(), 2);
  ASSERT_EQ(aclrtSetCurrentContext(primary), ACL_SUCCESS);
  EXPECT_EQ(CurrentDevice(), 0);
  ASSERT_EQ(aclrtSetCurrentContext(context), ACL_SUCCESS);
  EXPECT_EQ(CurrentDevice(), 2);
  ASSERT_EQ(aclrtDestroyContext(context), ACL_SUCCESS);
  Output<int32_t> device;
  EXPECT_EQ(aclrtGetDevice(&device), ACL_ERROR_RT_CONTEXT_NULL);
}

TEST_F(SeveralDevices, AStreamOfAnotherDeviceTakesNoWorkAndIsNotDestroyed) {
  const Block block(kBytes);
  const OwnEvent event;
  ASSERT_EQ(aclrtRecordEvent(event, nullptr), ACL_SUCCESS);
  aclrtStream other = nullptr;
  {
    const OnDevice one(1);
    ASSERT_EQ(aclrtCreateStream(&other), ACL_SUCCESS);
  }
  constexpr auto kCode = ACL_ERROR_RT_STREAM_CONTEXT;
  const std::string kText = "of device 1, which belongs to another context";
  Output<int32_t> id;
  Output<aclrtStreamStatus> status;
  ExpectRefused(aclrtMemsetAsync(block.get(), kBytes, 0, kBytes, other), kCode, kText);
  ExpectRefused(
      aclrtMemcpyAsync(block.get(), 8, block.At(8), 8, ACL_MEMCPY_DEVICE_TO_DEVICE, other), kCode,
      kText);
  ExpectRefused(aclrtRecordEvent(event, other), kCode, kText);
  ExpectRefused(aclrtStreamWaitEvent(other, event), kCode, kText);
  ExpectRefused(aclrtStreamQuery(other, &status), kCode, kText);
  ExpectRefused(aclrtStreamGetId(other, &id), kCode, kText);
  ExpectRefused(aclrtDestroyStream(other), kCode, kText);
  ExpectRefused(aclrtDestroyStreamForce(other), kCode, kText);
  ExpectRefused(aclrtSubscribeReport(1, other), kCode, kText);
  ExpectRefused(aclrtUnSubscribeReport(1, other), kCode, kText);
  ExpectRefused(aclrtLaunchHostFunc(
                    other, [](void*) {}, nullptr),
                kCode, kText);
  ExpectRefused(aclrtLaunchCallback([](void*) {}, nullptr, ACL_CALLBACK_BLOCK, other), kCode,
                kText);
  EXPECT_TRUE(id.Untouched() && status.Untouched());
  EXPECT_EQ(aclrtSynchronizeStream(other), ACL_SUCCESS) << "waiting is legal from anywhere";
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(other, 1000), ACL_SUCCESS);
  const OnDevice one(1);
  EXPECT_EQ(aclrtDestroyStream(other), ACL_SUCCESS);
}

TEST_F(SeveralDevices, AnEventOrdersStreamsOfTwoDevices) {
  const OwnStream stream;
  const OwnEvent event;
  const Gate gate;
  Door door = gate.door();
  Hold(stream, door);
  ASSERT_EQ(aclrtRecordEvent(event, stream), ACL_SUCCESS);
  std::atomic<bool> passed{false};
  aclrtStream other = nullptr;
  {
    const OnDevice one(1);
    ASSERT_EQ(aclrtCreateStream(&other), ACL_SUCCESS);
    ASSERT_EQ(aclrtStreamWaitEvent(other, event), ACL_SUCCESS);
    ASSERT_EQ(
        aclrtLaunchHostFunc(
            other, [](void* flag) { static_cast<std::atomic<bool>*>(flag)->store(true); }, &passed),
        ACL_SUCCESS);
    EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(other, 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    EXPECT_FALSE(passed.load());
  }
  gate.Open();
  EXPECT_EQ(aclrtSynchronizeStream(other), ACL_SUCCESS);
  EXPECT_TRUE(passed.load());
  EXPECT_EQ(aclrtSynchronizeEvent(event), ACL_SUCCESS);
}

TEST_F(SeveralDevices, ABusyDeviceDoesNotHoldUpAnother) {
  const OwnStream busy;
  const Gate gate;
  Door door = gate.door();
  Hold(busy, door);
  {
    const OnDevice one(1);
    const Block block(Bytes(kBytes, 1));
    const OwnStream stream;
    ASSERT_EQ(aclrtMemsetAsync(block.get(), kBytes, 7, kBytes, stream), ACL_SUCCESS);
    EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
    EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS) << "waits for the current device alone";
    EXPECT_EQ(block.Read(kBytes), Bytes(kBytes, 7));
  }
  EXPECT_EQ(aclrtSynchronizeDeviceWithTimeout(20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  gate.Open();
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
}

TEST_F(SeveralDevices, WorkTogether) {
  RunTogether(kDevices, [](std::size_t i) {
    ASSERT_EQ(aclrtSetDevice(static_cast<int32_t>(i)), ACL_SUCCESS);
    const Block block(Bytes(kBytes, 0xEE));
    const Block copy(kBytes);
    const OwnStream stream;
    for (int round = 0; round < 200; ++round) {
      const auto value = static_cast<std::uint8_t>(round * kDevices + static_cast<int>(i));
      ASSERT_EQ(aclrtMemsetAsync(block.get(), kBytes, value, kBytes, stream), ACL_SUCCESS);
      ASSERT_EQ(aclrtMemcpyAsync(copy.get(), kBytes, block.get(), kBytes,
                                 ACL_MEMCPY_DEVICE_TO_DEVICE, stream),
                ACL_SUCCESS);
      if (round % 50 != 49) continue;
      ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
      ASSERT_EQ(copy.Read(kBytes), Bytes(kBytes, value));
    }
  });
}

TEST_F(SeveralDevices, TheResetOfOneLeavesTheOthersAlone) {
  const Block block(SomeBytes(kBytes));
  const OwnStream stream;
  const OwnEvent event;
  const std::size_t free = FreeBytes();
  void* others = nullptr;
  aclrtStream other_stream = nullptr;
  {
    const OnDevice one(1);
    ASSERT_EQ(aclrtMalloc(&others, kBytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateStream(&other_stream), ACL_SUCCESS);
  }
  ASSERT_EQ(aclrtResetDeviceForce(1), ACL_SUCCESS);
  EXPECT_EQ(CurrentDevice(), 0);
  EXPECT_EQ(FreeBytes(), free);
  EXPECT_EQ(block.Read(kBytes), SomeBytes(kBytes));
  EXPECT_EQ(aclrtRecordEvent(event, stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
  ExpectRefused(aclrtSynchronizeStream(other_stream), ACL_ERROR_RT_INVALID_HANDLE,
                "already destroyed");
  ExpectRefused(aclrtFree(others), 107000, "freed by aclrtResetDeviceForce");
}

TEST_F(SeveralDevices, EachAccountsForItsOwnMemory) {
  const std::size_t free = FreeBytes();
  void* others = nullptr;
  {
    const OnDevice one(1);
    const std::size_t free_there = FreeBytes();
    ASSERT_EQ(aclrtMalloc(&others, kBytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    EXPECT_LT(FreeBytes(), free_there);
  }
  EXPECT_EQ(FreeBytes(), free);
  aclrtPtrAttributes attributes{};
  ASSERT_EQ(aclrtPointerGetAttributes(others, &attributes), ACL_SUCCESS);
  EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_DEVICE);
  EXPECT_EQ(attributes.location.id, 1U);
  EXPECT_EQ(aclrtFree(others), ACL_SUCCESS) << "from whichever device";
  EXPECT_EQ(FreeBytes(), free);
}

TEST_F(SeveralDevices, AThreadServesCallbacksOfOneDevice) {
  const OwnStream stream;
  const auto self = static_cast<uint64_t>(::pthread_self());
  ASSERT_EQ(aclrtSubscribeReport(self, stream), ACL_SUCCESS);
  {
    const OnDevice one(1);
    ExpectRefused(aclrtSubscribeReport(self, nullptr), ACL_ERROR_RT_THREAD_SUBSCRIBE,
                  "serves streams of device 0");
  }
  ASSERT_EQ(aclrtUnSubscribeReport(self, stream), ACL_SUCCESS);
  const OnDevice one(1);
  EXPECT_EQ(aclrtSubscribeReport(self, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtUnSubscribeReport(self, nullptr), ACL_SUCCESS);
}

TEST_F(SeveralDevices, EachHasItsOwnOverflowMode) {
  ASSERT_EQ(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_SATURATION), ACL_SUCCESS);
  aclrtFloatOverflowMode mode = ACL_RT_OVERFLOW_MODE_UNDEF;
  {
    const OnDevice one(1);
    ASSERT_EQ(aclrtGetDeviceSatMode(&mode), ACL_SUCCESS);
    EXPECT_EQ(mode, ACL_RT_OVERFLOW_MODE_INFNAN);
  }
  ASSERT_EQ(aclrtGetDeviceSatMode(&mode), ACL_SUCCESS);
  EXPECT_EQ(mode, ACL_RT_OVERFLOW_MODE_SATURATION);
  ASSERT_EQ(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_INFNAN), ACL_SUCCESS);
}

TEST(VisibleDevices, AreNumberedAsTheVariableListsThem) {
  ExpectChildPasses({{"BELAY_NUM_DEVICES", "4"}, {"ASCEND_RT_VISIBLE_DEVICES", "3,1,1,0"}}, [] {
    uint32_t count = 0;
    ASSERT_EQ(aclrtGetDeviceCount(&count), ACL_SUCCESS);
    ASSERT_EQ(count, 2U) << "reading stops at the repeated id";
    int64_t chip = -1;
    ASSERT_EQ(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_PHY_CHIP_ID, &chip), ACL_SUCCESS);
    EXPECT_EQ(chip, 3);
    ASSERT_EQ(aclrtGetDeviceInfo(1, ACL_DEV_ATTR_PHY_CHIP_ID, &chip), ACL_SUCCESS);
    EXPECT_EQ(chip, 1);
    ExpectRefused(aclrtSetDevice(2), ACL_ERROR_RT_INVALID_DEVICEID, "allowed 0 to 1");
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    EXPECT_EQ(aclrtDeviceEnablePeerAccess(1, 0), ACL_SUCCESS) << "as the program counts";
    ExpectRefused(aclrtDeviceEnablePeerAccess(3, 0), ACL_ERROR_RT_INVALID_DEVICEID,
                  "peerDeviceId is 3");
  });
}

}  // namespace
}  // namespace belay::test
