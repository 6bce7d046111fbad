// What a program does with events: the rules of each kind of event, in one place.
//
// Handles are those of the caller; null streams mean the default stream. A handle that is not alive
// is kInvalidHandle, a stream of another context kStreamContext.
#pragma once

#include <cstdint>

#include "base/export.h"
#include "base/status.h"
#include "runtime/event.h"
#include "runtime/handle_table.h"

namespace belay::runtime {

// Flags of aclrtCreateEventWithFlag and aclrtCreateEventExWithFlag.
inline constexpr std::uint32_t kEventSync = 0x01;
inline constexpr std::uint32_t kEventCaptureStreamProgress = 0x02;
inline constexpr std::uint32_t kEventTimeLine = 0x08;
inline constexpr std::uint32_t kEventDeviceUseOnly = 0x10;
inline constexpr std::uint32_t kEventExternal = 0x20;
inline constexpr std::uint32_t kEventIpc = 0x40;

/// A new event. kParamInvalid for flags that its mode does not allow, kNoEventResource when the
/// chip has no more events.
BELAY_EXPORT StatusOr<Ref<Event>> CreateEvent(EventMode mode, std::uint32_t flags);
BELAY_EXPORT StatusOr<Ref<Event>> FindEvent(const void* handle);
/// Ends the handle; queued work that uses the event keeps it.
BELAY_EXPORT Status DestroyEvent(const void* handle);

BELAY_EXPORT Status RecordEvent(const void* event, const void* stream);
BELAY_EXPORT Status ResetEvent(const void* event, const void* stream);
/// Holds the stream until the event's current point is reached.
BELAY_EXPORT Status StreamWaitEvent(const void* stream, const void* event, Patience patience);
/// Patience of waits that name none (aclrtSetOpWaitTimeout).
BELAY_EXPORT Patience DefaultWaitPatience();

/// Waits for the event's current point and returns the faults of its stream up to there.
BELAY_EXPORT Status SynchronizeEvent(const void* event, Patience patience);

/// False only while a record is pending; for events that are not of the Ex kind.
BELAY_EXPORT StatusOr<bool> QueryEvent(const void* event);
/// Whether the newest record is reached; never recorded counts as reached for the Ex kind only.
BELAY_EXPORT StatusOr<bool> QueryEventStatus(const void* event);
/// Whether no stream waits for the event.
BELAY_EXPORT StatusOr<bool> QueryEventWaitStatus(const void* event);

/// (end - start) in milliseconds; may be negative.
BELAY_EXPORT StatusOr<float> EventElapsedTime(const void* start, const void* end);
/// Microseconds since an arbitrary moment.
BELAY_EXPORT StatusOr<std::uint64_t> EventTimestamp(const void* event);

/// How many more events the current device can have.
BELAY_EXPORT StatusOr<std::uint32_t> AvailableEvents();

}  // namespace belay::runtime
