// Functions of the program that take their turn in a stream: run by a thread of the library
// (aclrtLaunchHostFunc), or by a thread of the program (aclrtLaunchCallback).
//
// Null streams mean the default stream. Stream handles are refused as FindStream refuses them.
#pragma once

#include <cstdint>

#include "base/export.h"
#include "base/status.h"
#include "runtime/event.h"
#include "runtime/report_queue.h"

namespace belay::runtime {

/// The number by which the calling thread is known to aclrtSubscribeReport: what pthread_self
/// returns.
BELAY_EXPORT std::uint64_t CallingThread() noexcept;

/// Has a thread serve the callbacks of a stream. kStreamSubscribed when they are served already or
/// host functions run in the stream, kThreadSubscribed when the thread serves another device.
BELAY_EXPORT Status SubscribeReports(std::uint64_t thread, const void* stream);
/// Ends that. Callbacks that have not begun are dropped, and the stream goes on.
BELAY_EXPORT Status UnsubscribeReports(std::uint64_t thread, const void* stream);

/// Queues a callback for the thread that serves the stream; `holds_stream`: later work of the
/// stream waits until it has returned. kNotSubscribed when nobody serves the stream.
BELAY_EXPORT Status LaunchCallback(HostFunction function, void* argument, bool holds_stream,
                                   const void* stream);
/// Waits for callbacks for the calling thread, and runs those that are there then.
/// kThreadSubscribed when it serves no stream, kReportTimeout when none arrived.
BELAY_EXPORT Status ProcessReports(Patience patience);

/// Queues a function that a thread of the library runs; later work of the stream waits for it.
/// kStreamSubscribed when a thread serves the stream's callbacks.
BELAY_EXPORT Status LaunchHostFunction(HostFunction function, void* argument, const void* stream);

}  // namespace belay::runtime
