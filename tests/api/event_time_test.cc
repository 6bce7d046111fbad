// The times of events.
#include <gtest/gtest.h>

#include "acl/acl.h"
#include "support/device_test.h"
#include "support/threads.h"

namespace belay::test {
namespace {

constexpr uint32_t kTimed = ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE;
constexpr float kUntouched = 77.0F;

class EventTime : public DeviceTest {};

TEST_F(EventTime, ElapsedTimeIsPositiveAndNegativeWhenReversed) {
  for (const EventKind kind : {EventKind::kDefault, EventKind::kFlagged, EventKind::kEx}) {
    const OwnStream stream;
    const OwnEvent start(kind, kTimed);
    const OwnEvent end(kind, kTimed);
    ASSERT_EQ(aclrtRecordEvent(start, stream), ACL_SUCCESS);
    {
      Blocker blocker(stream);
      ASSERT_EQ(aclrtRecordEvent(end, stream), ACL_SUCCESS);
      EXPECT_EQ(aclrtSynchronizeEventWithTimeout(end, 1), ACL_ERROR_RT_EVENT_SYNC_TIMEOUT);
    }
    ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
    float forward = 0;
    float backward = 0;
    EXPECT_EQ(aclrtEventElapsedTime(&forward, start, end), ACL_SUCCESS);
    EXPECT_EQ(aclrtEventElapsedTime(&backward, end, start), ACL_SUCCESS);
    EXPECT_GE(forward, 1.0F);  // milliseconds: the time-out above passed between the two
    EXPECT_EQ(backward, -forward);
  }
}

TEST_F(EventTime, ElapsedTimeOfAnEventToItselfIsZero) {
  const OwnEvent event(EventKind::kEx, kTimed);
  ASSERT_EQ(aclrtRecordEvent(event, nullptr), ACL_SUCCESS);
  float ms = kUntouched;
  EXPECT_EQ(aclrtEventElapsedTime(&ms, event, event), ACL_SUCCESS);
  EXPECT_EQ(ms, 0.0F);
}

TEST_F(EventTime, TimestampsAreMicrosecondsThatAgreeWithTheElapsedTime) {
  const OwnStream stream;
  const OwnEvent start(EventKind::kEx, kTimed);
  const OwnEvent end(EventKind::kEx, kTimed);
  ASSERT_EQ(aclrtRecordEvent(start, stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(end, stream), ACL_SUCCESS);
  uint64_t from = 0;
  uint64_t to = 0;
  float ms = 0;
  EXPECT_EQ(aclrtEventGetTimestamp(start, &from), ACL_SUCCESS);
  EXPECT_EQ(aclrtEventGetTimestamp(end, &to), ACL_SUCCESS);
  EXPECT_EQ(aclrtEventElapsedTime(&ms, start, end), ACL_SUCCESS);
  EXPECT_LE(from, to);
  EXPECT_NEAR(static_cast<double>(to - from), static_cast<double>(ms) * 1000, 1.01);
}

TEST_F(EventTime, NullArgumentsAreFoundFirst) {
  const OwnEvent event(EventKind::kEx, kTimed);
  const OwnStream no_event;
  float ms = kUntouched;
  uint64_t timestamp = 77;
  ExpectRefused(aclrtEventElapsedTime(nullptr, event, event), ACL_ERROR_INVALID_PARAM,
                "aclrtEventElapsedTime: ms is null");
  ExpectRefused(aclrtEventElapsedTime(&ms, nullptr, event), ACL_ERROR_INVALID_PARAM,
                "aclrtEventElapsedTime: startEvent is null");
  ExpectRefused(aclrtEventElapsedTime(&ms, event, nullptr), ACL_ERROR_INVALID_PARAM,
                "aclrtEventElapsedTime: endEvent is null");
  ExpectRefused(aclrtEventElapsedTime(&ms, no_event, nullptr), ACL_ERROR_INVALID_PARAM,
                "aclrtEventElapsedTime: endEvent is null");
  ExpectRefused(aclrtEventGetTimestamp(nullptr, &timestamp), ACL_ERROR_INVALID_PARAM,
                "aclrtEventGetTimestamp: event is null");
  ExpectRefused(aclrtEventGetTimestamp(event, nullptr), ACL_ERROR_INVALID_PARAM,
                "aclrtEventGetTimestamp: timestamp is null");
  ExpectRefused(aclrtEventGetTimestamp(no_event, nullptr), ACL_ERROR_INVALID_PARAM,
                "aclrtEventGetTimestamp: timestamp is null");
  EXPECT_EQ(ms, kUntouched);
  EXPECT_EQ(timestamp, 77U);
}

TEST_F(EventTime, BadHandlesAreRefused) {
  const OwnEvent event(EventKind::kEx, kTimed);
  const OwnStream no_event;
  ASSERT_EQ(aclrtRecordEvent(event, nullptr), ACL_SUCCESS);
  float ms = kUntouched;
  uint64_t timestamp = 77;
  ExpectRefused(aclrtEventElapsedTime(&ms, no_event, event), ACL_ERROR_RT_INVALID_HANDLE,
                "aclrtEventElapsedTime: event is ", "the handle of a stream");
  ExpectRefused(aclrtEventElapsedTime(&ms, event, no_event), ACL_ERROR_RT_INVALID_HANDLE,
                "aclrtEventElapsedTime: event is ");
  ExpectRefused(aclrtEventGetTimestamp(no_event, &timestamp), ACL_ERROR_RT_INVALID_HANDLE,
                "aclrtEventGetTimestamp: event is ");
  EXPECT_EQ(ms, kUntouched);
  EXPECT_EQ(timestamp, 77U);
}

TEST_F(EventTime, EventsNeverRecordedAreRefused) {
  const OwnEvent recorded(EventKind::kEx, kTimed);
  const OwnEvent fresh(EventKind::kEx, kTimed);
  ASSERT_EQ(aclrtRecordEvent(recorded, nullptr), ACL_SUCCESS);
  float ms = kUntouched;
  uint64_t timestamp = 77;
  ExpectRefused(aclrtEventElapsedTime(&ms, fresh, recorded), ACL_ERROR_RT_INTERNAL_ERROR,
                "aclrtEventElapsedTime: startEvent is event ", "never recorded; allowed");
  ExpectRefused(aclrtEventElapsedTime(&ms, recorded, fresh), ACL_ERROR_RT_INTERNAL_ERROR,
                "aclrtEventElapsedTime: endEvent is event ", "never recorded; allowed");
  ExpectRefused(aclrtEventGetTimestamp(fresh, &timestamp), ACL_ERROR_RT_INTERNAL_ERROR,
                "aclrtEventGetTimestamp: event is event ", "never recorded; allowed");
  EXPECT_EQ(ms, kUntouched);
  EXPECT_EQ(timestamp, 77U);
}

TEST_F(EventTime, RecordsNotYetReachedHaveNoTime) {
  const OwnStream stream;
  const OwnEvent start(EventKind::kEx, kTimed);
  const OwnEvent end(EventKind::kEx, kTimed);
  ASSERT_EQ(aclrtRecordEvent(start, stream), ACL_SUCCESS);
  Blocker blocker(stream);
  ASSERT_EQ(aclrtRecordEvent(end, stream), ACL_SUCCESS);
  float ms = kUntouched;
  uint64_t timestamp = 77;
  ExpectRefused(aclrtEventElapsedTime(&ms, start, end), ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID,
                "aclrtEventElapsedTime: endEvent is event ", "not reached", "allowed");
  ExpectRefused(aclrtEventGetTimestamp(end, &timestamp), ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID,
                "aclrtEventGetTimestamp: event is event ", "not reached");
  EXPECT_EQ(ms, kUntouched);
  EXPECT_EQ(timestamp, 77U);
}

TEST_F(EventTime, EventsWithoutTimeLineHaveNoTime) {
  const OwnEvent timed(EventKind::kEx, kTimed);
  const OwnEvent plain(EventKind::kEx, ACL_EVENT_SYNC);
  ASSERT_EQ(aclrtRecordEvent(timed, nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(plain, nullptr), ACL_SUCCESS);
  float ms = kUntouched;
  uint64_t timestamp = 77;
  ExpectRefused(aclrtEventElapsedTime(&ms, timed, plain), ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID,
                "endEvent is event ", "it keeps no time", "ACL_EVENT_TIME_LINE");
  ExpectRefused(aclrtEventElapsedTime(&ms, plain, timed), ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID,
                "startEvent is event ");
  ExpectRefused(aclrtEventGetTimestamp(plain, &timestamp), ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID,
                "it keeps no time");
  EXPECT_EQ(ms, kUntouched);
  EXPECT_EQ(timestamp, 77U);
}

TEST_F(EventTime, AResetTakesTheTimeAway) {
  const OwnEvent event(EventKind::kDefault);
  ASSERT_EQ(aclrtRecordEvent(event, nullptr), ACL_SUCCESS);
  uint64_t timestamp = 77;
  EXPECT_EQ(aclrtEventGetTimestamp(event, &timestamp), ACL_SUCCESS);
  ASSERT_EQ(aclrtResetEvent(event, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtEventGetTimestamp(event, &timestamp), ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID);
}

TEST_F(EventTime, ElapsedTimeRefusesExternalAndIpcEvents) {
  const OwnEvent event(EventKind::kEx, kTimed);
  ASSERT_EQ(aclrtRecordEvent(event, nullptr), ACL_SUCCESS);
  for (const uint32_t flag : {uint32_t{ACL_EVENT_EXTERNAL}, uint32_t{ACL_EVENT_IPC}}) {
    const OwnEvent special(EventKind::kFlagged, flag);
    float ms = kUntouched;
    ExpectRefused(aclrtEventElapsedTime(&ms, special, event), ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                  "aclrtEventElapsedTime: event ", "has flag 0x");
    ExpectRefused(aclrtEventElapsedTime(&ms, event, special), ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                  "aclrtEventElapsedTime: event ", "has flag 0x");
    EXPECT_EQ(ms, kUntouched);
  }
}

}  // namespace
}  // namespace belay::test
