// Asking about events and waiting for them on the host.
#include <gtest/gtest.h>

#include "acl/acl.h"
#include "support/device_test.h"
#include "support/threads.h"

namespace belay::test {
namespace {

class EventQuery : public DeviceTest {
 protected:
  static aclrtEventStatus Query(aclrtEvent event) {
    aclrtEventStatus status = ACL_EVENT_STATUS_RESERVED;
    EXPECT_EQ(QueryEvent(event, &status), ACL_SUCCESS);
    return status;
  }
  static aclrtEventRecordedStatus Recorded(aclrtEvent event) {
    auto status = static_cast<aclrtEventRecordedStatus>(0);
    EXPECT_EQ(aclrtQueryEventStatus(event, &status), ACL_SUCCESS);
    return status;
  }
  static aclrtEventWaitStatus Waited(aclrtEvent event) {
    aclrtEventWaitStatus status = ACL_EVENT_WAIT_STATUS_RESERVED;
    EXPECT_EQ(aclrtQueryEventWaitStatus(event, &status), ACL_SUCCESS);
    return status;
  }
};

TEST_F(EventQuery, NullArgumentsAreFoundBeforeBadHandles) {
  const OwnEvent event(EventKind::kDefault);
  const OwnStream no_event;
  aclrtEventStatus status = ACL_EVENT_STATUS_RESERVED;
  aclrtEventWaitStatus wait_status = ACL_EVENT_WAIT_STATUS_RESERVED;
  auto recorded = ACL_EVENT_RECORDED_STATUS_COMPLETE;
  ExpectRefused(QueryEvent(nullptr, &status), ACL_ERROR_INVALID_PARAM,
                "aclrtQueryEvent: event is null");
  ExpectRefused(aclrtQueryEventStatus(nullptr, &recorded), ACL_ERROR_INVALID_PARAM,
                "aclrtQueryEventStatus: event is null");
  ExpectRefused(aclrtQueryEventWaitStatus(nullptr, &wait_status), ACL_ERROR_INVALID_PARAM,
                "aclrtQueryEventWaitStatus: event is null");
  for (const aclrtEvent each : {aclrtEvent{event}, aclrtEvent{no_event}}) {
    ExpectRefused(QueryEvent(each, nullptr), ACL_ERROR_INVALID_PARAM,
                  "aclrtQueryEvent: status is null");
    ExpectRefused(aclrtQueryEventStatus(each, nullptr), ACL_ERROR_INVALID_PARAM,
                  "aclrtQueryEventStatus: status is null");
    ExpectRefused(aclrtQueryEventWaitStatus(each, nullptr), ACL_ERROR_INVALID_PARAM,
                  "aclrtQueryEventWaitStatus: status is null");
  }
}

TEST_F(EventQuery, BadHandlesAreRefused) {
  const OwnStream stream;
  OwnEvent own;
  const aclrtEvent destroyed = own.Release();
  ASSERT_EQ(aclrtDestroyEvent(destroyed), ACL_SUCCESS);
  int local = 0;
  for (const aclrtEvent bad : {aclrtEvent{stream}, aclrtEvent{destroyed}, aclrtEvent{&local}}) {
    aclrtEventStatus status = ACL_EVENT_STATUS_RESERVED;
    aclrtEventWaitStatus wait_status = ACL_EVENT_WAIT_STATUS_RESERVED;
    auto recorded = ACL_EVENT_RECORDED_STATUS_COMPLETE;
    ExpectRefused(QueryEvent(bad, &status), ACL_ERROR_RT_INVALID_HANDLE,
                  "aclrtQueryEvent: event is ", "allowed a live event");
    ExpectRefused(aclrtQueryEventStatus(bad, &recorded), ACL_ERROR_RT_INVALID_HANDLE,
                  "aclrtQueryEventStatus: event is ");
    ExpectRefused(aclrtQueryEventWaitStatus(bad, &wait_status), ACL_ERROR_RT_INVALID_HANDLE,
                  "aclrtQueryEventWaitStatus: event is ");
    ExpectRefused(aclrtSynchronizeEvent(bad), ACL_ERROR_RT_INVALID_HANDLE,
                  "aclrtSynchronizeEvent: event is ");
    ExpectRefused(aclrtSynchronizeEventWithTimeout(bad, -1), ACL_ERROR_RT_INVALID_HANDLE,
                  "aclrtSynchronizeEventWithTimeout: event is ");
    EXPECT_EQ(status, ACL_EVENT_STATUS_RESERVED);
    EXPECT_EQ(wait_status, ACL_EVENT_WAIT_STATUS_RESERVED);
    EXPECT_EQ(recorded, ACL_EVENT_RECORDED_STATUS_COMPLETE);
  }
}

TEST_F(EventQuery, QueryEventIsNotReadyOnlyWhileARecordIsPending) {
  for (const EventKind kind : {EventKind::kDefault, EventKind::kFlagged}) {
    const OwnStream stream;
    const OwnEvent event(kind);
    EXPECT_EQ(Query(event), ACL_EVENT_STATUS_COMPLETE);  // never recorded
    {
      Blocker blocker(stream);
      ASSERT_EQ(aclrtRecordEvent(event, stream), ACL_SUCCESS);
      EXPECT_EQ(Query(event), ACL_EVENT_STATUS_NOT_READY);
    }
    ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
    EXPECT_EQ(Query(event), ACL_EVENT_STATUS_COMPLETE);
  }
}

TEST_F(EventQuery, QueryEventRefusesExAndExternalAndIpcEvents) {
  const OwnEvent ex;
  const OwnEvent external(EventKind::kFlagged, ACL_EVENT_EXTERNAL);
  const OwnEvent ipc(EventKind::kFlagged, ACL_EVENT_IPC);
  aclrtEventStatus status = ACL_EVENT_STATUS_RESERVED;
  ExpectRefused(QueryEvent(ex, &status), ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "aclrtQueryEvent: event ", "aclrtCreateEventExWithFlag; allowed");
  for (const aclrtEvent event : {aclrtEvent{external}, aclrtEvent{ipc}}) {
    ExpectRefused(QueryEvent(event, &status), ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "has flag 0x",
                  "allowed events without ACL_EVENT_EXTERNAL");
  }
  EXPECT_EQ(status, ACL_EVENT_STATUS_RESERVED);
}

TEST_F(EventQuery, StatusOfAnEventNeverRecordedDependsOnItsKind) {
  EXPECT_EQ(Recorded(OwnEvent(EventKind::kEx)), ACL_EVENT_RECORDED_STATUS_COMPLETE);
  EXPECT_EQ(Recorded(OwnEvent(EventKind::kDefault)), ACL_EVENT_RECORDED_STATUS_NOT_READY);
  EXPECT_EQ(Recorded(OwnEvent(EventKind::kFlagged)), ACL_EVENT_RECORDED_STATUS_NOT_READY);
}

TEST_F(EventQuery, StatusFollowsTheNewestRecord) {
  for (const EventKind kind : {EventKind::kDefault, EventKind::kFlagged, EventKind::kEx}) {
    const OwnStream stream;
    const OwnEvent event(kind);
    ASSERT_EQ(aclrtRecordEvent(event, stream), ACL_SUCCESS);
    ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
    EXPECT_EQ(Recorded(event), ACL_EVENT_RECORDED_STATUS_COMPLETE);
    {
      Blocker blocker(stream);
      ASSERT_EQ(aclrtRecordEvent(event, stream), ACL_SUCCESS);
      EXPECT_EQ(Recorded(event), ACL_EVENT_RECORDED_STATUS_NOT_READY);
    }
    ASSERT_EQ(aclrtSynchronizeEvent(event), ACL_SUCCESS);
    EXPECT_EQ(Recorded(event), ACL_EVENT_RECORDED_STATUS_COMPLETE);
  }
}

TEST_F(EventQuery, StatusRefusesExternalEvents) {
  const OwnEvent event(EventKind::kFlagged, ACL_EVENT_EXTERNAL);
  auto status = ACL_EVENT_RECORDED_STATUS_COMPLETE;
  ExpectRefused(aclrtQueryEventStatus(event, &status), ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "aclrtQueryEventStatus: event ", "has flag 0x20");
  EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_COMPLETE);
}

TEST_F(EventQuery, ResetMakesItNotRecorded) {
  const OwnEvent event(EventKind::kDefault);
  ASSERT_EQ(aclrtRecordEvent(event, nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtResetEvent(event, nullptr), ACL_SUCCESS);
  EXPECT_EQ(Recorded(event), ACL_EVENT_RECORDED_STATUS_NOT_READY);
  EXPECT_EQ(aclrtSynchronizeEvent(event), ACL_SUCCESS);
}

TEST_F(EventQuery, WaitStatusIsNotReadyWhileAStreamWaits) {
  for (const EventKind kind : {EventKind::kDefault, EventKind::kFlagged}) {
    const OwnStream producer;
    const OwnStream one;
    const OwnStream two;
    const OwnEvent event(kind);
    EXPECT_EQ(Waited(event), ACL_EVENT_WAIT_STATUS_COMPLETE);
    {
      Blocker blocker(producer);
      ASSERT_EQ(aclrtRecordEvent(event, producer), ACL_SUCCESS);
      EXPECT_EQ(Waited(event), ACL_EVENT_WAIT_STATUS_COMPLETE);  // recorded is not waited for
      ASSERT_EQ(aclrtStreamWaitEvent(one, event), ACL_SUCCESS);
      ASSERT_EQ(aclrtStreamWaitEvent(two, event), ACL_SUCCESS);
      EXPECT_EQ(Waited(event), ACL_EVENT_WAIT_STATUS_NOT_READY);
    }
    ASSERT_EQ(aclrtSynchronizeStream(one), ACL_SUCCESS);
    ASSERT_EQ(aclrtSynchronizeStream(two), ACL_SUCCESS);
    EXPECT_EQ(Waited(event), ACL_EVENT_WAIT_STATUS_COMPLETE);
  }
}

TEST_F(EventQuery, WaitStatusEndsWithAStreamDestroyedByForce) {
  OwnStream own;
  const OwnStream producer;
  const aclrtStream consumer = own.Release();
  const OwnEvent event(EventKind::kDefault);
  Blocker first(consumer);  // so that the wait below has not begun
  Blocker second(producer);
  ASSERT_EQ(aclrtRecordEvent(event, producer), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(consumer, event), ACL_SUCCESS);
  EXPECT_EQ(Waited(event), ACL_EVENT_WAIT_STATUS_NOT_READY);
  ASSERT_EQ(aclrtDestroyStreamForce(consumer), ACL_SUCCESS);
  EXPECT_EQ(Waited(event), ACL_EVENT_WAIT_STATUS_COMPLETE);
}

TEST_F(EventQuery, WaitStatusRefusesExAndExternalEvents) {
  const OwnEvent ex;
  const OwnEvent external(EventKind::kFlagged, ACL_EVENT_EXTERNAL);
  aclrtEventWaitStatus status = ACL_EVENT_WAIT_STATUS_RESERVED;
  for (const aclrtEvent event : {aclrtEvent{ex}, aclrtEvent{external}}) {
    ExpectRefused(aclrtQueryEventWaitStatus(event, &status), ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                  "aclrtQueryEventWaitStatus: event ", "allowed");
  }
  EXPECT_EQ(status, ACL_EVENT_WAIT_STATUS_RESERVED);
}

class EventSync : public DeviceTest {};

TEST_F(EventSync, NullArgumentsAndTimeouts) {
  ExpectRefused(aclrtSynchronizeEvent(nullptr), ACL_ERROR_INVALID_PARAM,
                "aclrtSynchronizeEvent: event is null");
  ExpectRefused(aclrtSynchronizeEventWithTimeout(nullptr, 1), ACL_ERROR_INVALID_PARAM,
                "aclrtSynchronizeEventWithTimeout: event is null");
  for (const int32_t timeout : {0, -2, INT32_MIN}) {  // tested before the event
    ExpectRefused(aclrtSynchronizeEventWithTimeout(nullptr, timeout), ACL_ERROR_RT_PARAM_INVALID,
                  "timeout is " + std::to_string(timeout) + "; allowed -1 (for ever)");
  }
}

TEST_F(EventSync, ReturnsAtOnceWhenNeverRecorded) {
  for (const EventKind kind : {EventKind::kDefault, EventKind::kFlagged, EventKind::kEx}) {
    const OwnEvent event(kind);
    EXPECT_EQ(aclrtSynchronizeEvent(event), ACL_SUCCESS);
    EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, -1), ACL_SUCCESS);
  }
}

TEST_F(EventSync, RefusesExternalEvents) {
  const OwnEvent event(EventKind::kFlagged, ACL_EVENT_EXTERNAL);
  ASSERT_EQ(aclrtRecordEvent(event, nullptr), ACL_SUCCESS);
  ExpectRefused(aclrtSynchronizeEvent(event), ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "aclrtSynchronizeEvent: event ", "has flag 0x20");
  ExpectRefused(aclrtSynchronizeEventWithTimeout(event, -1), ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "aclrtSynchronizeEventWithTimeout: event ");
}

TEST_F(EventSync, NeedsNoContext) {
  const OwnEvent event;
  ASSERT_EQ(aclrtRecordEvent(event, nullptr), ACL_SUCCESS);
  OnFreshThread([&event] { EXPECT_EQ(aclrtSynchronizeEvent(event), ACL_SUCCESS); });
}

TEST_F(EventSync, WaitsForTheRecordAndNotForWhatComesAfter) {
  const OwnStream stream;
  const OwnEvent event;
  ASSERT_EQ(aclrtRecordEvent(event, stream), ACL_SUCCESS);
  Blocker blocker(stream);
  EXPECT_EQ(aclrtSynchronizeEvent(event), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, -1), ACL_SUCCESS);
}

TEST_F(EventSync, TimesOut) {
  const OwnStream stream;
  const OwnEvent event;
  uint32_t id = 0;
  ASSERT_EQ(aclrtGetEventId(event, &id), ACL_SUCCESS);
  Blocker blocker(stream);
  ASSERT_EQ(aclrtRecordEvent(event, stream), ACL_SUCCESS);
  ExpectRefused(aclrtSynchronizeEventWithTimeout(event, 2), ACL_ERROR_RT_EVENT_SYNC_TIMEOUT,
                "aclrtSynchronizeEventWithTimeout: event " + std::to_string(id),
                "not reached after 2 ms", "allowed");
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_EVENT_SYNC_TIMEOUT);
  blocker.Open();
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, INT32_MAX), ACL_SUCCESS);
}

}  // namespace
}  // namespace belay::test
