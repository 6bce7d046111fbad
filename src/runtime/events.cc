#include "runtime/events.h"

#include <chrono>
#include <utility>
#include <vector>

#include "runtime/fault_listeners.h"
#include "runtime/machine.h"
#include "runtime/streams.h"
#include "runtime/waiting.h"

namespace belay::runtime {
namespace {

constexpr std::uint32_t kKnownFlags = kEventSync | kEventCaptureStreamProgress | kEventTimeLine |
                                      kEventDeviceUseOnly | kEventExternal | kEventIpc;
constexpr std::uint32_t kExFlags = kEventSync | kEventCaptureStreamProgress | kEventTimeLine;

bool Has(const Event& event, std::uint32_t flag) noexcept { return (event.flags & flag) != 0; }

bool CanSynchronizeStreams(const Event& event) noexcept {
  return event.mode == EventMode::kDefault || Has(event, kEventSync);
}

bool KeepsTime(const Event& event) noexcept {
  return event.mode == EventMode::kDefault || Has(event, kEventTimeLine);
}

Status CheckFlags(EventMode mode, std::uint32_t flags) {
  switch (mode) {
    case EventMode::kDefault:
      return {};
    case EventMode::kFlagged: {
      const bool unknown = flags == 0 || (flags & ~kKnownFlags) != 0;
      const bool device_only = (flags & kEventDeviceUseOnly) != 0 && flags != kEventDeviceUseOnly;
      const bool external = (flags & kEventExternal) != 0 && flags != kEventExternal;
      if (!unknown && !device_only && !external) return {};
      return Refuse(Fault::kParamInvalid,
                    "flag is {:#x}; allowed a combination of ACL_EVENT_SYNC, "
                    "CAPTURE_STREAM_PROGRESS, TIME_LINE and IPC, or DEVICE_USE_ONLY alone, or "
                    "EXTERNAL alone",
                    flags);
    }
    case EventMode::kEx:
      if (flags == kEventIpc) {
        return Refuse(Fault::kFeatureNotSupported,
                      "flag is ACL_EVENT_IPC; allowed ACL_EVENT_SYNC, CAPTURE_STREAM_PROGRESS and "
                      "TIME_LINE (events are not shared between processes here)");
      }
      if (flags != 0 && (flags & ~kExFlags) == 0) return {};
      return Refuse(Fault::kParamInvalid,
                    "flag is {:#x}; allowed a combination of ACL_EVENT_SYNC, "
                    "CAPTURE_STREAM_PROGRESS and TIME_LINE",
                    flags);
  }
  return {};
}

// Events of these kinds cannot answer what is asked of them.
Status Refused(const Event& event, std::uint32_t flags, bool ex_too) {
  if (ex_too && event.mode == EventMode::kEx) {
    return Refuse(Fault::kFeatureNotSupported,
                  "event {} was made by aclrtCreateEventExWithFlag; allowed events of "
                  "aclrtCreateEvent and aclrtCreateEventWithFlag",
                  event.id);
  }
  if (Has(event, flags)) {
    return Refuse(Fault::kFeatureNotSupported,
                  "event {} has flag {:#x}; allowed events without ACL_EVENT_EXTERNAL (0x20){}",
                  event.id, event.flags,
                  (flags & kEventIpc) != 0 ? " and ACL_EVENT_IPC (0x40)" : "");
  }
  return {};
}

Status DeviceUseOnly(const Event& event) {
  return Refuse(Fault::kParamInvalid,
                "event {} has flag ACL_EVENT_DEVICE_USE_ONLY; allowed events that the host may "
                "record and wait for",
                event.id);
}

// The host has learnt that the point is done. One that was dropped says nothing about its stream.
void ObserveHostWait(const Event& event, const RecordPoint& point) {
  Observer* observer = Machine::Get().observer();
  if (observer != nullptr && event.ReachedAt(point)) {
    observer->OnHostWait(point.stream_id, point.sequence);
  }
}

// Whether the point is done, as the host asks it.
bool AskIfDone(const Event& event, const RecordPoint& point) {
  if (!event.IsDone(point)) return false;
  ObserveHostWait(event, point);
  return true;
}

StatusOr<Clock::time_point> TimeOf(const Event& event, std::string_view argument) {
  if (!event.EverRecorded()) {
    return Unexpected(Refuse(Fault::kInternal,
                             "{} is event {}, which was never recorded; allowed recorded events",
                             argument, event.id));
  }
  const std::shared_ptr<RecordPoint> point = event.Current();
  const std::optional<Clock::time_point> reached =
      point != nullptr && KeepsTime(event) ? event.ReachedAt(*point) : std::nullopt;
  if (!reached) {
    return Unexpected(
        Refuse(Fault::kTimestampInvalid,
               "{} is event {}, which has no time stamp ({}); allowed events with "
               "ACL_EVENT_TIME_LINE whose record is reached",
               argument, event.id,
               KeepsTime(event) ? "its record is not reached, or was reset" : "it keeps no time"));
  }
  return *reached;
}

}  // namespace

StatusOr<Ref<Event>> CreateEvent(EventMode mode, std::uint32_t flags) {
  if (Status status = CheckFlags(mode, flags); !status.ok()) return Unexpected(std::move(status));
  const StatusOr<Ref<Context>> current = CurrentContext();
  if (!current) return Unexpected(current.error());
  Machine& machine = Machine::Get();
  Device& device = machine.device((*current)->device);
  const std::uint32_t limit = MaxEvents(device.chip.family);
  if (!LiveCount::TryAdd(device.live_events, limit)) {
    return Unexpected(Refuse(Fault::kNoEventResource,
                             "device {} has {} events; allowed at most {} on {}", device.id, limit,
                             limit, device.chip.soc_name));
  }
  const std::uint32_t id = device.next_event_id.fetch_add(1, std::memory_order_relaxed);
  try {
    return machine.events().Create(id, mode, flags, device.live_events);
  } catch (...) {
    device.live_events.fetch_sub(1, std::memory_order_relaxed);
    throw;
  }
}

StatusOr<Ref<Event>> FindEvent(const void* handle) {
  Ref<Event> event = Machine::Get().events().Acquire(handle);
  if (!event) {
    return Unexpected(NotAllowed(Fault::kInvalidHandle, "event",
                                 DescribeBadHandle(handle, HandleKind::kEvent), "a live event"));
  }
  return event;
}

Status DestroyEvent(const void* handle) {
  if (!Machine::Get().events().Retire(handle)) {
    return NotAllowed(Fault::kInvalidHandle, "event", DescribeBadHandle(handle, HandleKind::kEvent),
                      "a live event");
  }
  return {};
}

Status RecordEvent(const void* event_handle, const void* stream_handle) {
  const StatusOr<Ref<Stream>> stream = FindStream(stream_handle);
  if (!stream) return stream.error();
  const StatusOr<Ref<Event>> event = FindEvent(event_handle);
  if (!event) return event.error();
  if (Has(**event, kEventDeviceUseOnly)) return DeviceUseOnly(**event);
  return Stream::Record(*stream, *event);
}

Status ResetEvent(const void* event_handle, const void* stream_handle) {
  const StatusOr<Ref<Stream>> stream = FindStream(stream_handle);
  if (!stream) return stream.error();
  const StatusOr<Ref<Event>> found = FindEvent(event_handle);
  if (!found) return found.error();
  Event& event = **found;
  if (event.mode == EventMode::kEx || !CanSynchronizeStreams(event)) {
    return Refuse(Fault::kFeatureNotSupported,
                  "event {} cannot be reset; allowed events of aclrtCreateEvent, and of "
                  "aclrtCreateEventWithFlag with ACL_EVENT_SYNC",
                  event.id);
  }
  event.Reset();
  return {};
}

Patience DefaultWaitPatience() {
  const std::uint32_t seconds = Machine::Get().op_wait_timeout_s.load(std::memory_order_relaxed);
  return seconds == 0 ? Patience() : std::chrono::seconds(seconds);
}

Status StreamWaitEvent(const void* stream_handle, const void* event_handle, Patience patience) {
  const StatusOr<Ref<Stream>> stream = FindStream(stream_handle);
  if (!stream) return stream.error();
  const StatusOr<Ref<Event>> found = FindEvent(event_handle);
  if (!found) return found.error();
  const Ref<Event>& event = *found;
  // In this order: a record that another thread makes meanwhile is either the point, or later.
  const std::uint64_t captured = event->CapturedOrdinal();
  const std::shared_ptr<RecordPoint> point = event->Current();

  if (event->mode == EventMode::kEx && point == nullptr) return {};
  if (point != nullptr && point->stream == stream->handle()) return {};
  if (event->mode == EventMode::kDefault && !event->EverRecorded()) {
    return Refuse(Fault::kParamInvalid,
                  "event {} was never recorded; allowed after aclrtRecordEvent", event->id);
  }
  if (Has(*event, kEventDeviceUseOnly)) return DeviceUseOnly(*event);
  if (!CanSynchronizeStreams(*event) && !Has(*event, kEventExternal | kEventIpc)) {
    return Refuse(Fault::kFeatureNotSupported,
                  "event {} has flag {:#x}; allowed events with ACL_EVENT_SYNC (0x1)", event->id,
                  event->flags);
  }
  if (point == nullptr && !CanSynchronizeStreams(*event)) return {};

  event->BeginStreamWait();
  try {
    Status status = Stream::Submit(*stream, WaitTask{event, point, captured, patience});
    if (!status.ok()) {
      event->EndStreamWait();
      return status;
    }
  } catch (...) {
    event->EndStreamWait();
    throw;
  }
  if (Observer* observer = Machine::Get().observer(); observer != nullptr) {
    observer->OnStreamWait((*stream)->id, event->id);
  }
  return {};
}

Status SynchronizeEvent(const void* handle, Patience patience) {
  const StatusOr<Ref<Event>> found = FindEvent(handle);
  if (!found) return found.error();
  Event& event = **found;
  const std::shared_ptr<RecordPoint> point = event.Current();
  if (point == nullptr) return {};
  BELAY_RETURN_IF_ERROR(Refused(event, kEventExternal, /*ex_too=*/false));
  if (!event.IsDone(*point)) {
    // Not yet done, so it comes after what runs in its stream now.
    if (const Ref<Stream> stream = Machine::Get().streams().Acquire(point->stream); stream) {
      BELAY_RETURN_IF_ERROR(RefuseInside(*stream));
    }
  }
  if (!event.WaitFor(*point, patience)) {
    if (EndedByProcess(patience)) return ProcessEnding();
    return Refuse(Fault::kEventSyncTimeout,
                  "event {} is not reached after {} ms; allowed: wait longer, or look for what its "
                  "stream waits for",
                  event.id, patience.value_or(std::chrono::milliseconds(0)).count());
  }
  if (!event.ReachedAt(*point) && process_is_ending.load(std::memory_order_acquire)) {
    return ProcessEnding();  // the record was dropped
  }
  ObserveHostWait(event, *point);
  std::vector<TaskFault> faults;
  point->faults->Take(point->sequence, faults);
  return Deliver(std::move(faults));
}

StatusOr<bool> QueryEvent(const void* handle) {
  const StatusOr<Ref<Event>> event = FindEvent(handle);
  if (!event) return Unexpected(event.error());
  if (Status status = Refused(**event, kEventExternal | kEventIpc, /*ex_too=*/true); !status.ok()) {
    return Unexpected(std::move(status));
  }
  const std::shared_ptr<RecordPoint> point = (*event)->Current();
  return point == nullptr || AskIfDone(**event, *point);
}

StatusOr<bool> QueryEventStatus(const void* handle) {
  const StatusOr<Ref<Event>> event = FindEvent(handle);
  if (!event) return Unexpected(event.error());
  if (Status status = Refused(**event, kEventExternal, /*ex_too=*/false); !status.ok()) {
    return Unexpected(std::move(status));
  }
  const std::shared_ptr<RecordPoint> point = (*event)->Current();
  if (point == nullptr) return (*event)->mode == EventMode::kEx;
  return AskIfDone(**event, *point);
}

StatusOr<bool> QueryEventWaitStatus(const void* handle) {
  const StatusOr<Ref<Event>> event = FindEvent(handle);
  if (!event) return Unexpected(event.error());
  if (Status status = Refused(**event, kEventExternal, /*ex_too=*/true); !status.ok()) {
    return Unexpected(std::move(status));
  }
  return !(*event)->HasStreamWaits();
}

StatusOr<float> EventElapsedTime(const void* start_handle, const void* end_handle) {
  const StatusOr<Ref<Event>> start = FindEvent(start_handle);
  if (!start) return Unexpected(start.error());
  const StatusOr<Ref<Event>> end = FindEvent(end_handle);
  if (!end) return Unexpected(end.error());
  for (const Ref<Event>* event : {&*start, &*end}) {
    if (Status status = Refused(**event, kEventExternal | kEventIpc, /*ex_too=*/false);
        !status.ok()) {
      return Unexpected(std::move(status));
    }
  }
  const StatusOr<Clock::time_point> from = TimeOf(**start, "startEvent");
  if (!from) return Unexpected(from.error());
  const StatusOr<Clock::time_point> to = TimeOf(**end, "endEvent");
  if (!to) return Unexpected(to.error());
  return std::chrono::duration<float, std::milli>(*to - *from).count();
}

StatusOr<std::uint64_t> EventTimestamp(const void* handle) {
  const StatusOr<Ref<Event>> event = FindEvent(handle);
  if (!event) return Unexpected(event.error());
  const StatusOr<Clock::time_point> time = TimeOf(**event, "event");
  if (!time) return Unexpected(time.error());
  const auto since_start = std::chrono::floor<std::chrono::microseconds>(time->time_since_epoch());
  return static_cast<std::uint64_t>(since_start.count());
}

StatusOr<std::uint32_t> AvailableEvents() {
  const StatusOr<Ref<Context>> current = CurrentContext();
  if (!current) return Unexpected(current.error());
  const Device& device = Machine::Get().device((*current)->device);
  const std::uint32_t live = device.live_events.load(std::memory_order_relaxed);
  return MaxEvents(device.chip.family) - live;
}

}  // namespace belay::runtime
