// Making and destroying streams.
#include <gtest/gtest.h>

#include <thread>
#include <utility>

#include "acl/acl.h"
#include "support/device_test.h"
#include "support/threads.h"

namespace belay::test {
namespace {

class StreamCreate : public DeviceTest {};

// What a refused call must leave as it is.
int untouched_object = 0;
void* const kUntouched = &untouched_object;

TEST_F(StreamCreate, GivesPriorityZeroAndNoFlags) {
  const OwnStream stream;
  uint32_t priority = 99;
  uint32_t flags = 99;
  EXPECT_EQ(aclrtStreamGetPriority(stream, &priority), ACL_SUCCESS);
  EXPECT_EQ(aclrtStreamGetFlags(stream, &flags), ACL_SUCCESS);
  EXPECT_EQ(priority, 0U);
  EXPECT_EQ(flags, 0U);
  EXPECT_EQ(TakeMessages(), "");
}

TEST_F(StreamCreate, RefusesANullOutput) {
  ExpectRefused(aclrtCreateStream(nullptr), ACL_ERROR_INVALID_PARAM,
                "aclrtCreateStream: stream is null", "allowed a valid pointer");
  ExpectRefused(aclrtCreateStreamWithConfig(nullptr, 0, 0), ACL_ERROR_INVALID_PARAM,
                "aclrtCreateStreamWithConfig: stream is null");
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);  // not the runtime's refusal
}

TEST_F(StreamCreate, RefusesAThreadWithoutContext) {
  OnFreshThread([] {
    aclrtStream stream = kUntouched;
    ExpectRefused(aclrtCreateStream(&stream), ACL_ERROR_RT_CONTEXT_NULL, "aclrtCreateStream",
                  "no current context", "aclrtSetDevice");
    ExpectRefused(aclrtCreateStreamWithConfig(&stream, 0, 0), ACL_ERROR_RT_CONTEXT_NULL,
                  "aclrtCreateStreamWithConfig", "no current context");
    EXPECT_EQ(stream, kUntouched);
    EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  });
}

TEST_F(StreamCreate, ANullOutputIsFoundBeforeAMissingContext) {
  OnFreshThread([] { EXPECT_EQ(aclrtCreateStream(nullptr), ACL_ERROR_INVALID_PARAM); });
}

TEST_F(StreamCreate, ClampsThePriority) {
  for (const auto& [asked, given] :
       {std::pair{0U, 0U}, {3U, 3U}, {7U, 7U}, {8U, 7U}, {UINT32_MAX, 7U}}) {
    aclrtStream stream = nullptr;
    ASSERT_EQ(aclrtCreateStreamWithConfig(&stream, asked, 0), ACL_SUCCESS);
    uint32_t priority = 99;
    EXPECT_EQ(aclrtStreamGetPriority(stream, &priority), ACL_SUCCESS);
    EXPECT_EQ(priority, given) << asked;
    EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  }
}

TEST_F(StreamCreate, KeepsKnownFlagsAndIgnoresOthers) {
  for (const auto& [asked, given] : {std::pair{0x1U, 0x1U},
                                     {0x2U, 0x2U},
                                     {0x3U, 0x3U},
                                     {0x4U, 0x4U},
                                     {0x8U, 0x8U},
                                     {0x10U, 0x10U},
                                     {0x20U, 0x20U},
                                     {0x41U, 0x1U},
                                     {0xFFFFFF00U, 0x0U}}) {
    aclrtStream stream = nullptr;
    ASSERT_EQ(aclrtCreateStreamWithConfig(&stream, 0, asked), ACL_SUCCESS) << asked;
    uint32_t flags = 99;
    EXPECT_EQ(aclrtStreamGetFlags(stream, &flags), ACL_SUCCESS);
    EXPECT_EQ(flags, given) << asked;
    EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  }
}

TEST_F(StreamCreate, RefusesDeviceUseOnlyWithAnotherFlag) {
  for (const uint32_t other : {0x1U, 0x2U, 0x4U, 0x8U, 0x10U}) {
    aclrtStream stream = kUntouched;
    ExpectRefused(aclrtCreateStreamWithConfig(&stream, 0, 0x20U | other),
                  ACL_ERROR_RT_PARAM_INVALID, "aclrtCreateStreamWithConfig: flag is 0x",
                  "allowed ACL_STREAM_DEVICE_USE_ONLY (0x20) alone");
    EXPECT_EQ(stream, kUntouched);
  }
}

TEST_F(StreamCreate, IdsDiffer) {
  const OwnStream one;
  const OwnStream two;
  int32_t id_of_one = -1;
  int32_t id_of_two = -1;
  int32_t id_of_default = -1;
  EXPECT_EQ(aclrtStreamGetId(one, &id_of_one), ACL_SUCCESS);
  EXPECT_EQ(aclrtStreamGetId(two, &id_of_two), ACL_SUCCESS);
  EXPECT_EQ(aclrtStreamGetId(nullptr, &id_of_default), ACL_SUCCESS);
  EXPECT_NE(id_of_one, id_of_two);
  EXPECT_NE(id_of_one, id_of_default);
  EXPECT_GE(id_of_default, 0);
}

TEST_F(StreamCreate, AvailableNumCountsStreamsDownAndUp) {
  uint32_t before = 0;
  ASSERT_EQ(aclrtGetStreamAvailableNum(&before), ACL_SUCCESS);
  EXPECT_EQ(before, 1984U - 1U);  // the default stream is one of those an A2 chip has
  for (int round = 0; round < 100; ++round) {
    aclrtStream stream = nullptr;
    ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
    uint32_t with_one = 0;
    ASSERT_EQ(aclrtGetStreamAvailableNum(&with_one), ACL_SUCCESS);
    ASSERT_EQ(with_one, before - 1);
    ASSERT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
    uint32_t after = 0;
    ASSERT_EQ(aclrtGetStreamAvailableNum(&after), ACL_SUCCESS);
    ASSERT_EQ(after, before);
  }
}

TEST_F(StreamCreate, AvailableNumIsExactAfterAStreamThatHadQueuedWork) {
  uint32_t before = 0;
  ASSERT_EQ(aclrtGetStreamAvailableNum(&before), ACL_SUCCESS);
  for (int round = 0; round < 100; ++round) {
    {
      const OwnStream stream;
      Blocker blocker(stream);
    }
    uint32_t after = 0;
    ASSERT_EQ(aclrtGetStreamAvailableNum(&after), ACL_SUCCESS);
    ASSERT_EQ(after, before) << round;
  }
}

TEST_F(StreamCreate, AvailableNumRefusesNullAndNoContext) {
  ExpectRefused(aclrtGetStreamAvailableNum(nullptr), ACL_ERROR_INVALID_PARAM,
                "aclrtGetStreamAvailableNum: streamCount is null");
  OnFreshThread([] {
    uint32_t count = 77;
    ExpectRefused(aclrtGetStreamAvailableNum(&count), ACL_ERROR_RT_CONTEXT_NULL,
                  "aclrtGetStreamAvailableNum", "no current context");
    EXPECT_EQ(count, 77U);
  });
}

class StreamDestroy : public DeviceTest {
 protected:
  // Both ways to destroy a stream refuse the same.
  static void ExpectBothRefuse(aclrtStream stream, aclError code, const char* seen) {
    ExpectRefused(aclrtDestroyStream(stream), code, "aclrtDestroyStream: ", seen, "allowed");
    ExpectRefused(aclrtDestroyStreamForce(stream), code, "aclrtDestroyStreamForce: ", seen,
                  "allowed");
  }
};

TEST_F(StreamDestroy, RefusesNull) {
  ExpectBothRefuse(nullptr, ACL_ERROR_INVALID_PARAM, "stream is null");
}

TEST_F(StreamDestroy, RefusesAThreadWithoutContext) {
  const OwnStream stream;
  OnFreshThread([&stream] {
    ExpectBothRefuse(stream, ACL_ERROR_RT_CONTEXT_NULL, "no current context");
    ExpectBothRefuse(nullptr, ACL_ERROR_INVALID_PARAM, "stream is null");
  });
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);  // still alive
}

TEST_F(StreamDestroy, RefusesAStreamOfAnotherContext) {
  const OwnStream stream;
  aclrtContext first = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&first), ACL_SUCCESS);
  aclrtContext second = nullptr;
  ASSERT_EQ(aclrtCreateContext(&second, 0), ACL_SUCCESS);
  ExpectBothRefuse(stream, ACL_ERROR_RT_STREAM_CONTEXT, "belongs to another context");
  ASSERT_EQ(aclrtDestroyContext(second), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetCurrentContext(first), ACL_SUCCESS);
}

TEST_F(StreamDestroy, RefusesADestroyedStream) {
  OwnStream own;
  const aclrtStream stream = own.Release();
  ASSERT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  ExpectBothRefuse(stream, ACL_ERROR_RT_INVALID_HANDLE, "a stream that is already destroyed");
}

TEST_F(StreamDestroy, RefusesHandlesOfOtherKindsAndForeignPointers) {
  const OwnEvent event;
  ExpectBothRefuse(event, ACL_ERROR_RT_INVALID_HANDLE, "the handle of an event");
  int local = 0;
  ExpectBothRefuse(&local, ACL_ERROR_RT_INVALID_HANDLE, "no handle that this library gave out");
}

TEST_F(StreamDestroy, RefusesTheDefaultStream) {
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCtxGetCurrentDefaultStream(&stream), ACL_SUCCESS);
  ExpectBothRefuse(stream, ACL_ERROR_RT_PARAM_INVALID, "default stream");
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
}

TEST_F(StreamDestroy, AHandleIsNotGivenOutAgain) {
  OwnStream own;
  const aclrtStream old = own.Release();
  ASSERT_EQ(aclrtDestroyStream(old), ACL_SUCCESS);
  const OwnStream next;
  EXPECT_NE(static_cast<aclrtStream>(next), old);
  EXPECT_EQ(aclrtSynchronizeStream(old), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(StreamDestroy, WaitsForQueuedWork) {
  OwnStream own;
  const aclrtStream stream = own.Release();
  Blocker blocker(stream);
  const OwnEvent behind;
  ASSERT_EQ(aclrtRecordEvent(behind, stream), ACL_SUCCESS);
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&context), ACL_SUCCESS);
  {
    const std::jthread destroyer([&] {
      ASSERT_EQ(aclrtSetCurrentContext(context), ACL_SUCCESS);
      EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
      aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
      EXPECT_EQ(aclrtQueryEventStatus(behind, &status), ACL_SUCCESS);
      EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_COMPLETE);
    });
    blocker.Open();
  }
}

TEST_F(StreamDestroy, ForceDropsQueuedWorkAndDoesNotWait) {
  OwnStream own;
  const aclrtStream stream = own.Release();
  Blocker blocker(stream);
  const OwnEvent behind(EventKind::kEx, ACL_EVENT_TIME_LINE | ACL_EVENT_SYNC);
  ASSERT_EQ(aclrtRecordEvent(behind, stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStreamForce(stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeEvent(behind), ACL_SUCCESS);  // a dropped record holds nobody up
  uint64_t timestamp = 77;
  ExpectRefused(aclrtEventGetTimestamp(behind, &timestamp), ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID,
                "aclrtEventGetTimestamp", "no time stamp");
  EXPECT_EQ(timestamp, 77U);
}

}  // namespace
}  // namespace belay::test
