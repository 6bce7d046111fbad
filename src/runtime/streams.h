// Making, finding, ending and waiting for streams.
#pragma once

#include <cstdint>

#include "base/export.h"
#include "base/status.h"
#include "runtime/context.h"
#include "runtime/handle_table.h"
#include "runtime/stream.h"

namespace belay::runtime {

// Flags of aclrtCreateStreamWithConfig that change what a stream does here.
inline constexpr std::uint32_t kStreamPersistent = 0x04;
inline constexpr std::uint32_t kStreamHuge = 0x08;
inline constexpr std::uint32_t kStreamCpuSchedule = 0x10;
inline constexpr std::uint32_t kStreamDeviceUseOnly = 0x20;

inline constexpr std::uint32_t kAllStreamFlags = 0x3F;

inline constexpr std::uint32_t kGreatestStreamPriority = 0;
inline constexpr std::uint32_t kLeastStreamPriority = 7;

/// A new stream of the context; the priority is clamped. kParamInvalid for flags that exclude each
/// other, kFeatureNotSupported for one the chip lacks, kNoStreamResource when it has no more
/// streams.
BELAY_EXPORT StatusOr<Ref<Stream>> CreateStream(const Ref<Context>& context, std::uint32_t priority,
                                                std::uint32_t flags);

/// How many more streams the current device can have.
BELAY_EXPORT StatusOr<std::uint32_t> AvailableStreams();

/// The stream of a handle; null: the current context's default stream. kContextNull,
/// kInvalidHandle, and kStreamContext for a stream of another context.
BELAY_EXPORT StatusOr<Ref<Stream>> FindStream(const void* handle);
/// The same, but a stream of any context is welcome.
BELAY_EXPORT StatusOr<Ref<Stream>> FindStreamOfAnyContext(const void* handle);

/// Ends the stream: after its work, or (`force`) after what has begun.
BELAY_EXPORT Status DestroyStream(const void* handle, bool force);

/// Waits for the stream's work so far and returns the faults it met.
BELAY_EXPORT Status SynchronizeStream(const Ref<Stream>& stream, Patience patience);
/// The same for all streams of the current context's device.
BELAY_EXPORT Status SynchronizeDevice(Patience patience);
/// Waits for them and leaves the faults to the program's own waits.
BELAY_EXPORT Status WaitForDevice();
/// Whether the stream's work so far is done. If it is, and it met faults, those are the answer.
BELAY_EXPORT StatusOr<bool> QueryStream(const Ref<Stream>& stream);

/// Refuses what would wait for a stream, when a host function that holds the stream asks for it.
[[nodiscard]] Status RefuseInside(const Stream& stream);
/// The same for all streams of a device, and for all of a context.
[[nodiscard]] Status RefuseInsideDevice(std::int32_t device);
[[nodiscard]] Status RefuseInsideContext(const void* context);

/// The answer to a wait that the end of the process cut short.
[[nodiscard]] Status ProcessEnding() noexcept;

/// Ends a context's streams when their work is done,
/// or (`force`) drops what has not begun and waits for nothing.
void EndStreamsOf(const void* context, bool force) noexcept;

}  // namespace belay::runtime
