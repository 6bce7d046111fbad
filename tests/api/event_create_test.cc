// Making, destroying, recording and resetting events.
#include <gtest/gtest.h>

#include "acl/acl.h"
#include "support/device_test.h"
#include "support/threads.h"

namespace belay::test {
namespace {

class EventCreate : public DeviceTest {};

int untouched_object = 0;
void* const kUntouched = &untouched_object;

TEST_F(EventCreate, RefusesANullOutputFirst) {
  const auto all_refuse = [] {
    ExpectRefused(aclrtCreateEvent(nullptr), ACL_ERROR_INVALID_PARAM,
                  "aclrtCreateEvent: event is null", "allowed a valid pointer");
    ExpectRefused(aclrtCreateEventWithFlag(nullptr, 0), ACL_ERROR_INVALID_PARAM,
                  "aclrtCreateEventWithFlag: event is null");
    ExpectRefused(aclrtCreateEventExWithFlag(nullptr, 0), ACL_ERROR_INVALID_PARAM,
                  "aclrtCreateEventExWithFlag: event is null");
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  };
  all_refuse();
  OnFreshThread(all_refuse);
}

TEST_F(EventCreate, RefusesAThreadWithoutContext) {
  OnFreshThread([] {
    aclrtEvent event = kUntouched;
    ExpectRefused(aclrtCreateEvent(&event), ACL_ERROR_RT_CONTEXT_NULL,
                  "aclrtCreateEvent: this thread has no current context", "aclrtSetDevice");
    ExpectRefused(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC), ACL_ERROR_RT_CONTEXT_NULL,
                  "aclrtCreateEventWithFlag: ");
    ExpectRefused(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC), ACL_ERROR_RT_CONTEXT_NULL,
                  "aclrtCreateEventExWithFlag: ");
    EXPECT_EQ(event, kUntouched);
  });
}

TEST_F(EventCreate, WithFlagTakesCombinationsOfKnownFlags) {
  for (const uint32_t flag : {0x1U, 0x2U, 0x8U, 0x3U, 0x9U, 0xAU, 0xBU, 0x10U, 0x20U}) {
    aclrtEvent event = nullptr;
    EXPECT_EQ(aclrtCreateEventWithFlag(&event, flag), ACL_SUCCESS) << flag;
    EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
  }
}

TEST_F(EventCreate, WithFlagRefusesOthers) {
  for (const uint32_t flag :
       {0x0U, 0x4U, 0x5U, 0x80U, 0x81U, 0x11U, 0x12U, 0x18U, 0x21U, 0x28U, 0x30U, UINT32_MAX}) {
    aclrtEvent event = kUntouched;
    ExpectRefused(aclrtCreateEventWithFlag(&event, flag), ACL_ERROR_RT_PARAM_INVALID,
                  "aclrtCreateEventWithFlag: flag is ", "; allowed");
    EXPECT_EQ(event, kUntouched);
  }
}

TEST_F(EventCreate, ExWithFlagTakesSyncProgressAndTimeLine) {
  for (const uint32_t flag : {0x1U, 0x2U, 0x8U, 0x3U, 0x9U, 0xAU, 0xBU}) {
    aclrtEvent event = nullptr;
    EXPECT_EQ(aclrtCreateEventExWithFlag(&event, flag), ACL_SUCCESS) << flag;
    EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
  }
}

TEST_F(EventCreate, ExWithFlagRefusesOthers) {
  for (const uint32_t flag : {0x0U, 0x4U, 0x10U, 0x11U, 0x20U, 0x21U, 0x41U, 0x80U, UINT32_MAX}) {
    aclrtEvent event = kUntouched;
    ExpectRefused(aclrtCreateEventExWithFlag(&event, flag), ACL_ERROR_RT_PARAM_INVALID,
                  "aclrtCreateEventExWithFlag: flag is ", "; allowed");
    EXPECT_EQ(event, kUntouched);
  }
}

TEST_F(EventCreate, ExWithFlagHasNoIpc) {
  aclrtEvent event = kUntouched;
  ExpectRefused(aclrtCreateEventExWithFlag(&event, ACL_EVENT_IPC), ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "ACL_EVENT_IPC");
  EXPECT_EQ(event, kUntouched);
}

TEST_F(EventCreate, BadFlagsAreFoundBeforeAMissingContext) {
  OnFreshThread([] {
    aclrtEvent event = kUntouched;
    EXPECT_EQ(aclrtCreateEventWithFlag(&event, 0), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_EQ(aclrtCreateEventExWithFlag(&event, 0), ACL_ERROR_RT_PARAM_INVALID);
  });
}

TEST_F(EventCreate, AvailNumCountsEventsDownAndUp) {
  uint32_t before = 0;
  ASSERT_EQ(aclrtGetEventAvailNum(&before), ACL_SUCCESS);
  EXPECT_EQ(before, 65536U);
  {
    const OwnEvent one;
    const OwnEvent two(EventKind::kDefault);
    uint32_t with_two = 0;
    EXPECT_EQ(aclrtGetEventAvailNum(&with_two), ACL_SUCCESS);
    EXPECT_EQ(with_two, before - 2);
  }
  uint32_t after = 0;
  EXPECT_EQ(aclrtGetEventAvailNum(&after), ACL_SUCCESS);
  EXPECT_EQ(after, before);
}

TEST_F(EventCreate, AvailNumRefusesNullAndNoContext) {
  ExpectRefused(aclrtGetEventAvailNum(nullptr), ACL_ERROR_INVALID_PARAM,
                "aclrtGetEventAvailNum: eventCount is null");
  OnFreshThread([] {
    uint32_t count = 77;
    ExpectRefused(aclrtGetEventAvailNum(&count), ACL_ERROR_RT_CONTEXT_NULL,
                  "aclrtGetEventAvailNum: ");
    EXPECT_EQ(count, 77U);
  });
}

TEST_F(EventCreate, GetEventIdTellsEventsApart) {
  const OwnEvent one;
  const OwnEvent two;
  uint32_t id_of_one = 0;
  uint32_t id_of_two = 0;
  EXPECT_EQ(aclrtGetEventId(one, &id_of_one), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetEventId(two, &id_of_two), ACL_SUCCESS);
  EXPECT_NE(id_of_one, id_of_two);
}

TEST_F(EventCreate, GetEventIdRefusals) {
  const OwnEvent event;
  const OwnStream stream;
  uint32_t id = 77;
  ExpectRefused(aclrtGetEventId(nullptr, &id), ACL_ERROR_INVALID_PARAM,
                "aclrtGetEventId: event is null");
  ExpectRefused(aclrtGetEventId(event, nullptr), ACL_ERROR_INVALID_PARAM,
                "aclrtGetEventId: eventId is null");
  ExpectRefused(aclrtGetEventId(stream, nullptr), ACL_ERROR_INVALID_PARAM,
                "aclrtGetEventId: eventId is null");  // before a bad handle
  ExpectRefused(aclrtGetEventId(stream, &id), ACL_ERROR_RT_INVALID_HANDLE,
                "aclrtGetEventId: event is ", "the handle of a stream", "allowed a live event");
  EXPECT_EQ(id, 77U);
}

class EventDestroy : public DeviceTest {};

TEST_F(EventDestroy, RefusesWhatIsNoLiveEvent) {
  const OwnStream stream;
  OwnEvent own;
  const aclrtEvent event = own.Release();
  int local = 0;
  ExpectRefused(aclrtDestroyEvent(nullptr), ACL_ERROR_INVALID_PARAM,
                "aclrtDestroyEvent: event is null");
  ExpectRefused(aclrtDestroyEvent(stream), ACL_ERROR_RT_INVALID_HANDLE,
                "aclrtDestroyEvent: event is ", "the handle of a stream");
  ExpectRefused(aclrtDestroyEvent(&local), ACL_ERROR_RT_INVALID_HANDLE, "no handle");
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
  ExpectRefused(aclrtDestroyEvent(event), ACL_ERROR_RT_INVALID_HANDLE,
                "an event that is already destroyed");
}

TEST_F(EventDestroy, NeedsNoContext) {
  OwnEvent own;
  const aclrtEvent event = own.Release();
  OnFreshThread([event] { EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS); });
}

TEST_F(EventDestroy, IsDeferredWhileWorkIsQueued) {
  const OwnStream producer;
  const OwnStream consumer;
  uint32_t before = 0;
  ASSERT_EQ(aclrtGetEventAvailNum(&before), ACL_SUCCESS);
  {
    Blocker blocker(producer);
    OwnEvent own;
    const aclrtEvent event = own.Release();
    ASSERT_EQ(aclrtRecordEvent(event, producer), ACL_SUCCESS);
    ASSERT_EQ(aclrtStreamWaitEvent(consumer, event), ACL_SUCCESS);
    EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
    aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
    EXPECT_EQ(aclrtStreamQuery(consumer, &status), ACL_SUCCESS);
    EXPECT_EQ(status, ACL_STREAM_STATUS_NOT_READY);
  }
  EXPECT_EQ(aclrtSynchronizeStream(producer), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(consumer), ACL_SUCCESS);
  uint32_t after = 0;
  EXPECT_EQ(aclrtGetEventAvailNum(&after), ACL_SUCCESS);
  EXPECT_EQ(after, before);
}

class EventRecord : public DeviceTest {
 protected:
  // Recording and resetting refuse the same streams and handles.
  static void ExpectBothRefuse(aclrtEvent event, aclrtStream stream, aclError code,
                               const char* seen) {
    ExpectRefused(aclrtRecordEvent(event, stream), code, "aclrtRecordEvent: ", seen, "allowed");
    ExpectRefused(aclrtResetEvent(event, stream), code, "aclrtResetEvent: ", seen, "allowed");
  }
};

TEST_F(EventRecord, RefusesBadArguments) {
  const OwnEvent event(EventKind::kFlagged, ACL_EVENT_SYNC);
  const OwnStream stream;
  int local = 0;
  ExpectBothRefuse(nullptr, stream, ACL_ERROR_INVALID_PARAM, "event is null");
  ExpectBothRefuse(nullptr, &local, ACL_ERROR_INVALID_PARAM, "event is null");
  ExpectBothRefuse(event, &local, ACL_ERROR_RT_INVALID_HANDLE, "stream is ");
  ExpectBothRefuse(event, event, ACL_ERROR_RT_INVALID_HANDLE, "the handle of an event");
  ExpectBothRefuse(stream, stream, ACL_ERROR_RT_INVALID_HANDLE, "the handle of a stream");
  ExpectBothRefuse(&local, &local, ACL_ERROR_RT_INVALID_HANDLE, "stream is ");  // stream first
  OnFreshThread([&event, &stream] {
    ExpectBothRefuse(event, nullptr, ACL_ERROR_RT_CONTEXT_NULL, "no current context");
    ExpectBothRefuse(event, stream, ACL_ERROR_RT_CONTEXT_NULL, "no current context");
    ExpectBothRefuse(nullptr, nullptr, ACL_ERROR_INVALID_PARAM, "event is null");
  });
}

TEST_F(EventRecord, RefusesAStreamOfAnotherContext) {
  const OwnEvent event(EventKind::kFlagged, ACL_EVENT_SYNC);
  const OwnStream stream;
  aclrtContext first = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&first), ACL_SUCCESS);
  aclrtContext second = nullptr;
  ASSERT_EQ(aclrtCreateContext(&second, 0), ACL_SUCCESS);
  ExpectBothRefuse(event, stream, ACL_ERROR_RT_STREAM_CONTEXT, "belongs to another context");
  ASSERT_EQ(aclrtDestroyContext(second), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetCurrentContext(first), ACL_SUCCESS);
}

TEST_F(EventRecord, RefusesDeviceUseOnlyEvents) {
  const OwnEvent event(EventKind::kFlagged, ACL_EVENT_DEVICE_USE_ONLY);
  ExpectRefused(aclrtRecordEvent(event, nullptr), ACL_ERROR_RT_PARAM_INVALID,
                "aclrtRecordEvent: event ", "ACL_EVENT_DEVICE_USE_ONLY", "allowed");
}

TEST_F(EventRecord, NullStreamMeansTheDefaultStream) {
  const OwnEvent event;
  Blocker blocker(nullptr);
  ASSERT_EQ(aclrtRecordEvent(event, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, 1), ACL_ERROR_RT_EVENT_SYNC_TIMEOUT);
  blocker.Open();
  EXPECT_EQ(aclrtSynchronizeEvent(event), ACL_SUCCESS);
}

TEST_F(EventRecord, ResetTakesOldEventsWithTheSyncBitOnly) {
  const OwnEvent by_default(EventKind::kDefault);
  const OwnEvent sync(EventKind::kFlagged, ACL_EVENT_SYNC);
  EXPECT_EQ(aclrtResetEvent(by_default, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetEvent(sync, nullptr), ACL_SUCCESS);
  const OwnEvent time_line(EventKind::kFlagged, ACL_EVENT_TIME_LINE);
  const OwnEvent progress(EventKind::kFlagged, ACL_EVENT_CAPTURE_STREAM_PROGRESS);
  const OwnEvent ex(EventKind::kEx, ACL_EVENT_SYNC);
  for (const aclrtEvent event : {aclrtEvent{time_line}, aclrtEvent{progress}, aclrtEvent{ex}}) {
    ExpectRefused(aclrtResetEvent(event, nullptr), ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                  "aclrtResetEvent: event ", "cannot be reset; allowed");
  }
}

}  // namespace
}  // namespace belay::test
