// Waiting for streams and asking about them.
#include <gtest/gtest.h>

#include <thread>

#include "acl/acl.h"
#include "support/device_test.h"
#include "support/threads.h"

namespace belay::test {
namespace {

class StreamSync : public DeviceTest {};

TEST_F(StreamSync, NullMeansTheDefaultStream) {
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(nullptr, -1), ACL_SUCCESS);
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  EXPECT_EQ(aclrtStreamQuery(nullptr, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_STREAM_STATUS_COMPLETE);

  Blocker blocker(nullptr);
  aclrtStream by_handle = nullptr;
  ASSERT_EQ(aclrtCtxGetCurrentDefaultStream(&by_handle), ACL_SUCCESS);
  EXPECT_EQ(aclrtStreamQuery(by_handle, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_STREAM_STATUS_NOT_READY);
}

TEST_F(StreamSync, RefusesAThreadWithoutContext) {
  const OwnStream stream;
  OnFreshThread([&stream] {
    for (const aclrtStream each : {static_cast<aclrtStream>(stream), aclrtStream{nullptr}}) {
      ExpectRefused(aclrtSynchronizeStream(each), ACL_ERROR_RT_CONTEXT_NULL,
                    "aclrtSynchronizeStream: ", "no current context");
      ExpectRefused(aclrtSynchronizeStreamWithTimeout(each, 1), ACL_ERROR_RT_CONTEXT_NULL,
                    "aclrtSynchronizeStreamWithTimeout: ", "no current context");
      aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
      ExpectRefused(aclrtStreamQuery(each, &status), ACL_ERROR_RT_CONTEXT_NULL,
                    "aclrtStreamQuery: ", "no current context");
      EXPECT_EQ(status, ACL_STREAM_STATUS_RESERVED);
    }
    ExpectRefused(aclrtSynchronizeDevice(), ACL_ERROR_RT_CONTEXT_NULL, "aclrtSynchronizeDevice: ");
    ExpectRefused(aclrtSynchronizeDeviceWithTimeout(1), ACL_ERROR_RT_CONTEXT_NULL,
                  "aclrtSynchronizeDeviceWithTimeout: ");
  });
}

TEST_F(StreamSync, RefusesHandlesThatAreNoLiveStream) {
  OwnStream own;
  const aclrtStream destroyed = own.Release();
  ASSERT_EQ(aclrtDestroyStream(destroyed), ACL_SUCCESS);
  const OwnEvent event;
  int local = 0;
  for (void* const bad : {static_cast<void*>(destroyed), static_cast<void*>(event),
                          static_cast<void*>(&local), reinterpret_cast<void*>(~uintptr_t{0})}) {
    ExpectRefused(aclrtSynchronizeStream(bad), ACL_ERROR_RT_INVALID_HANDLE,
                  "aclrtSynchronizeStream: stream is ", "allowed a live stream");
    ExpectRefused(aclrtSynchronizeStreamWithTimeout(bad, -1), ACL_ERROR_RT_INVALID_HANDLE,
                  "aclrtSynchronizeStreamWithTimeout: stream is ");
    aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
    ExpectRefused(aclrtStreamQuery(bad, &status), ACL_ERROR_RT_INVALID_HANDLE,
                  "aclrtStreamQuery: stream is ");
    EXPECT_EQ(status, ACL_STREAM_STATUS_RESERVED);
    EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_INVALID_HANDLE);
  }
}

TEST_F(StreamSync, AcceptsAStreamOfAnotherContext) {
  const OwnStream stream;
  aclrtContext first = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&first), ACL_SUCCESS);
  aclrtContext second = nullptr;
  ASSERT_EQ(aclrtCreateContext(&second, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 1000), ACL_SUCCESS);
  aclrtContext still = nullptr;
  EXPECT_EQ(aclrtGetCurrentContext(&still), ACL_SUCCESS);
  EXPECT_EQ(still, second);
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  ExpectRefused(aclrtStreamQuery(stream, &status), ACL_ERROR_RT_STREAM_CONTEXT,
                "belongs to another context");
  EXPECT_EQ(status, ACL_STREAM_STATUS_RESERVED);
  ASSERT_EQ(aclrtDestroyContext(second), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetCurrentContext(first), ACL_SUCCESS);
}

TEST_F(StreamSync, RefusesTimeoutsThatMeanNothing) {
  for (const int32_t timeout : {0, -2, INT32_MIN}) {
    const std::string seen = "timeout is " + std::to_string(timeout);
    ExpectRefused(aclrtSynchronizeStreamWithTimeout(nullptr, timeout), ACL_ERROR_RT_PARAM_INVALID,
                  "aclrtSynchronizeStreamWithTimeout: " + seen, "-1 (for ever), or 1 and above");
    ExpectRefused(aclrtSynchronizeDeviceWithTimeout(timeout), ACL_ERROR_RT_PARAM_INVALID,
                  "aclrtSynchronizeDeviceWithTimeout: " + seen, "-1 (for ever), or 1 and above");
  }
}

TEST_F(StreamSync, ABadTimeoutIsFoundBeforeABadStreamAndAMissingContext) {
  int local = 0;
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(&local, 0), ACL_ERROR_RT_PARAM_INVALID);
  OnFreshThread([] {
    EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(nullptr, 0), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_EQ(aclrtSynchronizeDeviceWithTimeout(-2), ACL_ERROR_RT_PARAM_INVALID);
  });
}

TEST_F(StreamSync, TimesOutWhileAnEventIsMissing) {
  const OwnStream stream;
  Blocker blocker(stream);
  ExpectRefused(aclrtSynchronizeStreamWithTimeout(stream, 1), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT,
                "aclrtSynchronizeStreamWithTimeout: stream ", "after 1 ms", "wait longer");
  ExpectRefused(aclrtSynchronizeDeviceWithTimeout(1), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT,
                "aclrtSynchronizeDeviceWithTimeout: stream ", "after 1 ms");
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  blocker.Open();
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, INT32_MAX), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeDeviceWithTimeout(INT32_MAX), ACL_SUCCESS);
}

TEST_F(StreamSync, SynchronizeDeviceWaitsForAllStreams) {
  const OwnStream one;
  const OwnStream two;
  Blocker first(one);
  Blocker second(two);
  first.Open();
  EXPECT_EQ(aclrtSynchronizeDeviceWithTimeout(1), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  second.Open();
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  EXPECT_EQ(aclrtStreamQuery(two, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_STREAM_STATUS_COMPLETE);
}

TEST_F(StreamSync, SynchronizeDeviceWaitsForStreamsOfOtherContexts) {
  const OwnStream stream;
  Blocker blocker(stream);
  aclrtContext first = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&first), ACL_SUCCESS);
  aclrtContext second = nullptr;
  ASSERT_EQ(aclrtCreateContext(&second, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeDeviceWithTimeout(1), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  ASSERT_EQ(aclrtSetCurrentContext(first), ACL_SUCCESS);
  blocker.Open();
  ASSERT_EQ(aclrtSetCurrentContext(second), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
  ASSERT_EQ(aclrtDestroyContext(second), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetCurrentContext(first), ACL_SUCCESS);
}

TEST_F(StreamSync, PersistentAndDeviceStreamsAreNotWaitedFor) {
  for (const uint32_t flag :
       {ACL_STREAM_PERSISTENT, ACL_STREAM_CPU_SCHEDULE, ACL_STREAM_DEVICE_USE_ONLY}) {
    aclrtStream stream = nullptr;
    ASSERT_EQ(aclrtCreateStreamWithConfig(&stream, 0, flag), ACL_SUCCESS);
    {
      Blocker blocker(stream);
      EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
      EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 1), ACL_SUCCESS);
      EXPECT_EQ(aclrtSynchronizeDeviceWithTimeout(1), ACL_SUCCESS);
    }
    EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  }
}

TEST_F(StreamSync, QueryRefusesANullOutput) {
  int local = 0;
  ExpectRefused(aclrtStreamQuery(nullptr, nullptr), ACL_ERROR_INVALID_PARAM,
                "aclrtStreamQuery: status is null");
  EXPECT_EQ(aclrtStreamQuery(&local, nullptr), ACL_ERROR_INVALID_PARAM);  // before a bad stream
}

TEST_F(StreamSync, QueryTellsWhetherWorkIsLeft) {
  const OwnStream stream;
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  EXPECT_EQ(aclrtStreamQuery(stream, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_STREAM_STATUS_COMPLETE);
  Blocker blocker(stream);
  EXPECT_EQ(aclrtStreamQuery(stream, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_STREAM_STATUS_NOT_READY);
  blocker.Open();
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtStreamQuery(stream, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_STREAM_STATUS_COMPLETE);
}

TEST_F(StreamSync, TheDefaultStreamDoesNotWaitForOthersNorTheyForIt) {
  const OwnStream stream;
  {
    Blocker blocker(stream);
    EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  }
  Blocker blocker(nullptr);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
}

}  // namespace
}  // namespace belay::test
