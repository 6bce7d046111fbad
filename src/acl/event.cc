// Events. Their rules live in runtime/events.cc.
#include <chrono>
#include <optional>

#include "acl/acl_call.h"
#include "acl/timeout.h"
#include "runtime/events.h"

using belay::Fault;
using belay::NotAllowed;
using belay::NullPointer;
using belay::Status;
using belay::acl::AclCall;
using belay::acl::Machine;
using belay::runtime::EventMode;

namespace {

constexpr const char* kSource = "acl API, event management";

aclError Create(const char* function, aclrtEvent* event, EventMode mode, uint32_t flag) {
  return AclCall({function, kSource}, [&](Machine&) -> Status {
    if (event == nullptr) return NullPointer("event");
    const auto created = belay::runtime::CreateEvent(mode, flag);
    if (!created) return created.error();
    *event = created->handle();
    return {};
  });
}

// A yes or no about an event, written as one of two status values.
template <class Enum, class Query>
aclError Answer(const char* function, aclrtEvent event, Enum* status, Query query, Enum yes,
                Enum no) {
  return AclCall({function, kSource}, [&](Machine&) -> Status {
    if (event == nullptr) return NullPointer("event");
    if (status == nullptr) return NullPointer("status");
    const auto answer = query(event);
    if (!answer) return answer.error();
    *status = *answer ? yes : no;
    return {};
  });
}

}  // namespace

aclError aclrtCreateEvent(aclrtEvent* event) {
  return Create("aclrtCreateEvent", event, EventMode::kDefault, 0);
}

aclError aclrtCreateEventWithFlag(aclrtEvent* event, uint32_t flag) {
  return Create("aclrtCreateEventWithFlag", event, EventMode::kFlagged, flag);
}

aclError aclrtCreateEventExWithFlag(aclrtEvent* event, uint32_t flag) {
  return Create("aclrtCreateEventExWithFlag", event, EventMode::kEx, flag);
}

aclError aclrtDestroyEvent(aclrtEvent event) {
  return AclCall({"aclrtDestroyEvent", kSource}, [&](Machine&) -> Status {
    if (event == nullptr) return NullPointer("event");
    return belay::runtime::DestroyEvent(event);
  });
}

aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream) {
  return AclCall({"aclrtRecordEvent", kSource}, [&](Machine&) -> Status {
    if (event == nullptr) return NullPointer("event");
    return belay::runtime::RecordEvent(event, stream);
  });
}

aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream) {
  return AclCall({"aclrtResetEvent", kSource}, [&](Machine&) -> Status {
    if (event == nullptr) return NullPointer("event");
    return belay::runtime::ResetEvent(event, stream);
  });
}

aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus* status) {
  return Answer("aclrtQueryEvent", event, status, belay::runtime::QueryEvent,
                ACL_EVENT_STATUS_COMPLETE, ACL_EVENT_STATUS_NOT_READY);
}

aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus* status) {
  return Answer("aclrtQueryEventStatus", event, status, belay::runtime::QueryEventStatus,
                ACL_EVENT_RECORDED_STATUS_COMPLETE, ACL_EVENT_RECORDED_STATUS_NOT_READY);
}

aclError aclrtQueryEventWaitStatus(aclrtEvent event, aclrtEventWaitStatus* status) {
  return Answer("aclrtQueryEventWaitStatus", event, status, belay::runtime::QueryEventWaitStatus,
                ACL_EVENT_WAIT_STATUS_COMPLETE, ACL_EVENT_WAIT_STATUS_NOT_READY);
}

aclError aclrtSynchronizeEvent(aclrtEvent event) {
  return AclCall({"aclrtSynchronizeEvent", kSource}, [&](Machine&) -> Status {
    if (event == nullptr) return NullPointer("event");
    return belay::runtime::SynchronizeEvent(event, std::nullopt);
  });
}

aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout) {
  return AclCall({"aclrtSynchronizeEventWithTimeout", kSource}, [&](Machine&) -> Status {
    BELAY_RETURN_IF_ERROR(belay::acl::CheckTimeoutMs(timeout));
    if (event == nullptr) return NullPointer("event");
    return belay::runtime::SynchronizeEvent(event, belay::acl::PatienceMs(timeout));
  });
}

aclError aclrtEventElapsedTime(float* ms, aclrtEvent startEvent, aclrtEvent endEvent) {
  return AclCall({"aclrtEventElapsedTime", kSource}, [&](Machine&) -> Status {
    if (ms == nullptr) return NullPointer("ms");
    if (startEvent == nullptr) return NullPointer("startEvent");
    if (endEvent == nullptr) return NullPointer("endEvent");
    const auto elapsed = belay::runtime::EventElapsedTime(startEvent, endEvent);
    if (!elapsed) return elapsed.error();
    *ms = *elapsed;
    return {};
  });
}

aclError aclrtEventGetTimestamp(aclrtEvent event, uint64_t* timestamp) {
  return AclCall({"aclrtEventGetTimestamp", kSource}, [&](Machine&) -> Status {
    if (event == nullptr) return NullPointer("event");
    if (timestamp == nullptr) return NullPointer("timestamp");
    const auto time = belay::runtime::EventTimestamp(event);
    if (!time) return time.error();
    *timestamp = *time;
    return {};
  });
}

aclError aclrtGetEventId(aclrtEvent event, uint32_t* eventId) {
  return AclCall({"aclrtGetEventId", kSource}, [&](Machine&) -> Status {
    if (event == nullptr) return NullPointer("event");
    if (eventId == nullptr) return NullPointer("eventId");
    const auto found = belay::runtime::FindEvent(event);
    if (!found) return found.error();
    *eventId = (*found)->id;
    return {};
  });
}

aclError aclrtGetEventAvailNum(uint32_t* eventCount) {
  return AclCall({"aclrtGetEventAvailNum", kSource}, [&](Machine&) -> Status {
    if (eventCount == nullptr) return NullPointer("eventCount");
    const auto available = belay::runtime::AvailableEvents();
    if (!available) return available.error();
    *eventCount = *available;
    return {};
  });
}

aclError aclrtSetOpWaitTimeout(uint32_t timeout) {
  return AclCall({"aclrtSetOpWaitTimeout", kSource}, [&](Machine& machine) -> Status {
    machine.op_wait_timeout_s.store(timeout);
    return {};
  });
}
