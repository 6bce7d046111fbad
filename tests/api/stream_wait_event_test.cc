// Streams that wait for events: which event may be waited for, and what the wait then stands for.
#include <gtest/gtest.h>

#include "acl/acl.h"
#include "support/device_test.h"
#include "support/threads.h"

namespace belay::test {
namespace {

constexpr uint32_t kProgressAndTime = ACL_EVENT_CAPTURE_STREAM_PROGRESS | ACL_EVENT_TIME_LINE;

class StreamWaitEvent : public DeviceTest {
 protected:
  static bool IsIdle(aclrtStream stream) {
    aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
    EXPECT_EQ(aclrtStreamQuery(stream, &status), ACL_SUCCESS);
    return status == ACL_STREAM_STATUS_COMPLETE;
  }
  // Both ways to wait refuse the same; the stream stays idle.
  static void ExpectBothRefuse(aclrtStream stream, aclrtEvent event, aclError code,
                               const char* seen) {
    ExpectRefused(aclrtStreamWaitEvent(stream, event), code, "aclrtStreamWaitEvent: ", seen,
                  "allowed");
    ExpectRefused(aclrtStreamWaitEventWithTimeout(stream, event, 0), code,
                  "aclrtStreamWaitEventWithTimeout: ", seen, "allowed");
  }
};

TEST_F(StreamWaitEvent, RefusesANullEvent) {
  ExpectRefused(aclrtStreamWaitEvent(nullptr, nullptr), ACL_ERROR_INVALID_PARAM,
                "aclrtStreamWaitEvent: event is null");
  ExpectRefused(aclrtStreamWaitEventWithTimeout(nullptr, nullptr, 0), ACL_ERROR_RT_PARAM_INVALID,
                "aclrtStreamWaitEventWithTimeout: event is null");
}

TEST_F(StreamWaitEvent, RefusesANegativeTimeoutFirst) {
  for (const int32_t timeout : {-1, INT32_MIN}) {
    ExpectRefused(
        aclrtStreamWaitEventWithTimeout(nullptr, nullptr, timeout), ACL_ERROR_RT_PARAM_INVALID,
        "timeout is " + std::to_string(timeout) + "; allowed 0 (no limit), or 1 and above");
  }
}

TEST_F(StreamWaitEvent, RefusesBadStreamsAndEvents) {
  const OwnEvent event;
  const OwnStream stream;
  OwnEvent gone;
  const aclrtEvent destroyed = gone.Release();
  ASSERT_EQ(aclrtDestroyEvent(destroyed), ACL_SUCCESS);
  int local = 0;
  ExpectBothRefuse(&local, event, ACL_ERROR_RT_INVALID_HANDLE, "stream is ");
  ExpectBothRefuse(event, event, ACL_ERROR_RT_INVALID_HANDLE, "the handle of an event");
  ExpectBothRefuse(stream, stream, ACL_ERROR_RT_INVALID_HANDLE, "the handle of a stream");
  ExpectBothRefuse(stream, destroyed, ACL_ERROR_RT_INVALID_HANDLE,
                   "an event that is already destroyed");
  ExpectBothRefuse(&local, destroyed, ACL_ERROR_RT_INVALID_HANDLE, "stream is ");  // stream first
  OnFreshThread([&event] {
    ExpectBothRefuse(nullptr, event, ACL_ERROR_RT_CONTEXT_NULL, "no current context");
  });
}

TEST_F(StreamWaitEvent, RefusesAStreamOfAnotherContext) {
  const OwnStream stream;
  const OwnEvent event;
  aclrtContext first = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&first), ACL_SUCCESS);
  aclrtContext second = nullptr;
  ASSERT_EQ(aclrtCreateContext(&second, 0), ACL_SUCCESS);
  ExpectBothRefuse(stream, event, ACL_ERROR_RT_STREAM_CONTEXT, "belongs to another context");
  ASSERT_EQ(aclrtDestroyContext(second), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetCurrentContext(first), ACL_SUCCESS);
}

TEST_F(StreamWaitEvent, ExEventNeverRecordedIsNoWait) {
  const OwnStream stream;
  for (const uint32_t flag : {uint32_t{ACL_EVENT_SYNC}, uint32_t{ACL_EVENT_TIME_LINE}}) {
    const OwnEvent event(EventKind::kEx, flag);
    EXPECT_EQ(aclrtStreamWaitEvent(stream, event), ACL_SUCCESS);
    EXPECT_EQ(aclrtStreamWaitEventWithTimeout(stream, event, 1), ACL_SUCCESS);
    EXPECT_TRUE(IsIdle(stream));
  }
}

TEST_F(StreamWaitEvent, DefaultEventNeverRecordedIsRefused) {
  const OwnStream stream;
  const OwnEvent event(EventKind::kDefault);
  ExpectBothRefuse(stream, event, ACL_ERROR_RT_PARAM_INVALID, "was never recorded");
  EXPECT_TRUE(IsIdle(stream));
}

TEST_F(StreamWaitEvent, EventLastRecordedOnTheSameStreamIsNoWait) {
  const OwnStream stream;
  Blocker blocker(stream);
  for (const EventKind kind : {EventKind::kDefault, EventKind::kFlagged, EventKind::kEx}) {
    const OwnEvent event(kind);
    ASSERT_EQ(aclrtRecordEvent(event, stream), ACL_SUCCESS);
    EXPECT_EQ(aclrtStreamWaitEvent(stream, event), ACL_SUCCESS);
    if (kind == EventKind::kEx) continue;
    aclrtEventWaitStatus status = ACL_EVENT_WAIT_STATUS_RESERVED;
    EXPECT_EQ(aclrtQueryEventWaitStatus(event, &status), ACL_SUCCESS);
    EXPECT_EQ(status, ACL_EVENT_WAIT_STATUS_COMPLETE);
  }
}

TEST_F(StreamWaitEvent, SyncEventNotYetRecordedHoldsTheStreamUntilARecord) {
  const OwnStream waiting;
  const OwnStream recording;
  const OwnEvent event(EventKind::kFlagged, ACL_EVENT_SYNC);
  ASSERT_EQ(aclrtStreamWaitEvent(waiting, event), ACL_SUCCESS);
  EXPECT_FALSE(IsIdle(waiting));
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(waiting, 1), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  ASSERT_EQ(aclrtRecordEvent(event, recording), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(waiting), ACL_SUCCESS);
}

TEST_F(StreamWaitEvent, AWaitBeforeTheRecordCountsARecordThatIsItselfHeldUp) {
  const OwnStream waiting;
  const OwnStream recording;
  const OwnEvent event(EventKind::kFlagged, ACL_EVENT_SYNC);
  ASSERT_EQ(aclrtStreamWaitEvent(waiting, event), ACL_SUCCESS);
  Blocker blocker(recording);
  ASSERT_EQ(aclrtRecordEvent(event, recording), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(waiting, 1), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  blocker.Open();
  EXPECT_EQ(aclrtSynchronizeStream(waiting), ACL_SUCCESS);
}

TEST_F(StreamWaitEvent, EventsWithoutTheSyncBitAreRefused) {
  const OwnStream stream;
  const OwnStream other;
  for (const uint32_t flag : {uint32_t{ACL_EVENT_CAPTURE_STREAM_PROGRESS},
                              uint32_t{ACL_EVENT_TIME_LINE}, kProgressAndTime}) {
    const OwnEvent event(EventKind::kFlagged, flag);
    ExpectBothRefuse(stream, event, ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "has flag 0x");
    ASSERT_EQ(aclrtRecordEvent(event, other), ACL_SUCCESS);
    ExpectBothRefuse(stream, event, ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "has flag 0x");
  }
  EXPECT_TRUE(IsIdle(stream));
}

TEST_F(StreamWaitEvent, DeviceUseOnlyEventsAreRefused) {
  const OwnStream stream;
  const OwnEvent event(EventKind::kFlagged, ACL_EVENT_DEVICE_USE_ONLY);
  ExpectBothRefuse(stream, event, ACL_ERROR_RT_PARAM_INVALID, "ACL_EVENT_DEVICE_USE_ONLY");
}

TEST_F(StreamWaitEvent, EveryKindWithTheSyncBitOrdersStreams) {
  for (const EventKind kind : {EventKind::kDefault, EventKind::kFlagged, EventKind::kEx}) {
    const OwnStream producer;
    const OwnStream consumer;
    const OwnEvent event(kind);
    Blocker blocker(producer);
    ASSERT_EQ(aclrtRecordEvent(event, producer), ACL_SUCCESS);
    ASSERT_EQ(aclrtStreamWaitEvent(consumer, event), ACL_SUCCESS);
    EXPECT_FALSE(IsIdle(consumer));
    blocker.Open();
    EXPECT_EQ(aclrtSynchronizeStream(consumer), ACL_SUCCESS);
  }
}

TEST_F(StreamWaitEvent, ALaterRecordDoesNotMoveAnEarlierWait) {
  const OwnStream producer;
  const OwnStream consumer;
  const OwnEvent event;
  Blocker first(producer);
  ASSERT_EQ(aclrtRecordEvent(event, producer), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(consumer, event), ACL_SUCCESS);
  Blocker second(producer);
  ASSERT_EQ(aclrtRecordEvent(event, producer), ACL_SUCCESS);  // would be reached much later
  first.Open();
  EXPECT_EQ(aclrtSynchronizeStream(consumer), ACL_SUCCESS);
  EXPECT_FALSE(IsIdle(producer));
}

TEST_F(StreamWaitEvent, AnEarlyRecordElsewhereDoesNotReleaseAnEarlierWait) {
  const OwnStream producer;
  const OwnStream idle;
  const OwnStream consumer;
  const OwnEvent event;
  Blocker blocker(producer);
  ASSERT_EQ(aclrtRecordEvent(event, producer), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(consumer, event), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(event, idle), ACL_SUCCESS);  // reached at once
  EXPECT_EQ(aclrtSynchronizeEvent(event), ACL_SUCCESS);
  EXPECT_FALSE(IsIdle(consumer));
  blocker.Open();
  EXPECT_EQ(aclrtSynchronizeStream(consumer), ACL_SUCCESS);
}

TEST_F(StreamWaitEvent, AfterAResetTheEventIsWaitedForAnew) {
  const OwnStream producer;
  const OwnStream consumer;
  for (const EventKind kind : {EventKind::kDefault, EventKind::kFlagged}) {
    const OwnEvent event(kind);
    ASSERT_EQ(aclrtRecordEvent(event, producer), ACL_SUCCESS);
    ASSERT_EQ(aclrtResetEvent(event, producer), ACL_SUCCESS);
    ASSERT_EQ(aclrtStreamWaitEvent(consumer, event), ACL_SUCCESS);
    EXPECT_FALSE(IsIdle(consumer));
    ASSERT_EQ(aclrtRecordEvent(event, producer), ACL_SUCCESS);
    EXPECT_EQ(aclrtSynchronizeStream(consumer), ACL_SUCCESS);
  }
}

TEST_F(StreamWaitEvent, TheDefaultStreamMayWait) {
  const OwnStream producer;
  const OwnEvent event;
  Blocker blocker(producer);
  ASSERT_EQ(aclrtRecordEvent(event, producer), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(nullptr, event), ACL_SUCCESS);
  EXPECT_FALSE(IsIdle(nullptr));
  blocker.Open();
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
}

TEST_F(StreamWaitEvent, PingPongBetweenTwoStreams) {
  const OwnStream one;
  const OwnStream two;
  const OwnEvent ping;
  const OwnEvent pong;
  Blocker blocker(one);
  for (int round = 0; round < 2000; ++round) {
    ASSERT_EQ(aclrtRecordEvent(ping, one), ACL_SUCCESS);
    ASSERT_EQ(aclrtStreamWaitEvent(two, ping), ACL_SUCCESS);
    ASSERT_EQ(aclrtRecordEvent(pong, two), ACL_SUCCESS);
    ASSERT_EQ(aclrtStreamWaitEvent(one, pong), ACL_SUCCESS);
  }
  blocker.Open();
  EXPECT_EQ(aclrtSynchronizeStream(one), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(two), ACL_SUCCESS);
}

TEST_F(StreamWaitEvent, TimesOutAtTheStreamsSynchronise) {
  const OwnStream stream;
  const OwnEvent event(EventKind::kFlagged, ACL_EVENT_SYNC);
  uint32_t id = 0;
  ASSERT_EQ(aclrtGetEventId(event, &id), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEventWithTimeout(stream, event, 1), ACL_SUCCESS);
  ExpectRefused(aclrtSynchronizeStream(stream), ACL_ERROR_RT_WAIT_TIMEOUT,
                "aclrtSynchronizeStream: wait for event " + std::to_string(id),
                "not recorded within 1000 ms", "allowed");
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);  // told once
}

TEST_F(StreamWaitEvent, SetOpWaitTimeoutBoundsLaterWaitsOfAllStreams) {
  const OwnStream before;
  const OwnStream after;
  const OwnStream unlimited;
  const OwnEvent event(EventKind::kFlagged, ACL_EVENT_SYNC);
  ASSERT_EQ(aclrtStreamWaitEvent(before, event), ACL_SUCCESS);
  EXPECT_EQ(aclrtSetOpWaitTimeout(1), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(after, event), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEventWithTimeout(unlimited, event, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtSetOpWaitTimeout(0), ACL_SUCCESS);
  ExpectRefused(aclrtSynchronizeStream(after), ACL_ERROR_RT_WAIT_TIMEOUT, "within 1000 ms");
  EXPECT_FALSE(IsIdle(before));
  EXPECT_FALSE(IsIdle(unlimited));
  ASSERT_EQ(aclrtRecordEvent(event, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(before), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(unlimited), ACL_SUCCESS);
}

TEST_F(StreamWaitEvent, LaterTasksRunAfterAWaitThatTimedOut) {
  const OwnStream stream;
  const OwnEvent missing(EventKind::kFlagged, ACL_EVENT_SYNC);
  const OwnEvent behind;
  ASSERT_EQ(aclrtStreamWaitEventWithTimeout(stream, missing, 1), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(behind, stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeEvent(behind), ACL_ERROR_RT_WAIT_TIMEOUT);
}

}  // namespace
}  // namespace belay::test
