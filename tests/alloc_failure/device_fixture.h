// A device with one of everything, for calls that need something to work on.
#pragma once

#include <acl/acl.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <thread>

namespace belay::alloc_failure {

class OnDevice : public testing::Test {
 protected:
  static constexpr std::size_t kBytes = 4096;

  void SetUp() override {
    ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    ASSERT_EQ(aclrtGetCurrentContext(&context_), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateStream(&stream_), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateStream(&other_stream_), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateEvent(&event_), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateEventWithFlag(&gate_, ACL_EVENT_SYNC), ACL_SUCCESS);
    ASSERT_EQ(aclrtMalloc(&device_, kBytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    ASSERT_EQ(aclrtMalloc(&other_device_, kBytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    ASSERT_EQ(aclrtMallocHost(&pinned_, kBytes), ACL_SUCCESS);
    ASSERT_EQ(aclrtMemset(device_, kBytes, 0, kBytes), ACL_SUCCESS);
    ASSERT_EQ(aclrtMemset(other_device_, kBytes, 0, kBytes), ACL_SUCCESS);
  }

  void TearDown() override {
    OpenGate();
    EXPECT_EQ(aclrtFree(device_), ACL_SUCCESS);
    EXPECT_EQ(aclrtFree(other_device_), ACL_SUCCESS);
    EXPECT_EQ(aclrtFreeHost(pinned_), ACL_SUCCESS);
    EXPECT_EQ(aclrtDestroyEvent(event_), ACL_SUCCESS);
    EXPECT_EQ(aclrtDestroyEvent(gate_), ACL_SUCCESS);
    EXPECT_EQ(aclrtDestroyStream(stream_), ACL_SUCCESS);
    EXPECT_EQ(aclrtDestroyStream(other_stream_), ACL_SUCCESS);
    EXPECT_EQ(aclrtResetDeviceForce(0), ACL_SUCCESS);
    EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  }

  /// Holds `stream_` until OpenGate, so that everything after it is queued.
  void CloseGate() {
    ASSERT_EQ(aclrtResetEvent(gate_, other_stream_), ACL_SUCCESS);
    ASSERT_EQ(aclrtStreamWaitEvent(stream_, gate_), ACL_SUCCESS);
  }
  void OpenGate() {
    EXPECT_EQ(aclrtRecordEvent(gate_, other_stream_), ACL_SUCCESS);
    EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
    // The queue lets go of its last task a moment after the wait for it returns.
    aclrtEventWaitStatus waits = ACL_EVENT_WAIT_STATUS_NOT_READY;
    while (waits != ACL_EVENT_WAIT_STATUS_COMPLETE) {
      ASSERT_EQ(aclrtQueryEventWaitStatus(gate_, &waits), ACL_SUCCESS);
      std::this_thread::yield();
    }
  }

  aclrtContext context_ = nullptr;
  aclrtStream stream_ = nullptr;
  aclrtStream other_stream_ = nullptr;
  aclrtEvent event_ = nullptr;
  aclrtEvent gate_ = nullptr;
  void* device_ = nullptr;
  void* other_device_ = nullptr;
  void* pinned_ = nullptr;
  std::array<char, kBytes> pageable_{};
};

}  // namespace belay::alloc_failure
