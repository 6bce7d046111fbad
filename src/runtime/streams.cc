#include "runtime/streams.h"

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include "runtime/fault_listeners.h"
#include "runtime/machine.h"
#include "runtime/thread_state.h"
#include "runtime/waiting.h"

namespace belay::runtime {
namespace {

constexpr FamilySet kHasHugeStreams = {Family::kAscend910B, Family::kAscend910_93,
                                       Family::kAscend950, Family::kAscend350};

// Streams of these kinds are not waited for: the device alone decides when they end.
bool IsWaitedFor(const Stream& stream) noexcept {
  return (stream.flags & (kStreamPersistent | kStreamCpuSchedule | kStreamDeviceUseOnly)) == 0;
}

StatusOr<Ref<Stream>> FindStreamIn(const Ref<Context>& current, const void* handle,
                                   bool any_context) {
  if (handle == nullptr) {
    Ref<Stream> stream = current->DefaultStream();
    if (!stream) return Unexpected(Refuse(Fault::kContextNull, "the current context is ending"));
    return stream;
  }
  Ref<Stream> stream = Machine::Get().streams().Acquire(handle);
  if (!stream) {
    return Unexpected(NotAllowed(Fault::kInvalidHandle, "stream",
                                 DescribeBadHandle(handle, HandleKind::kStream), "a live stream"));
  }
  if (!any_context && stream->context != current.handle()) {
    return Unexpected(Refuse(Fault::kStreamContext,
                             "stream is stream {} of device {}, which belongs to another context; "
                             "allowed streams of the current context",
                             stream->id, stream->device));
  }
  return stream;
}

// What is left of the patience at a later look.
class Deadline {
 public:
  explicit Deadline(Patience patience) {
    if (patience) end_ = Clock::now() + *patience;
  }
  [[nodiscard]] Patience Left() const {
    if (!end_) return std::nullopt;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*end_ - Clock::now());
    return std::max(left, std::chrono::milliseconds(0));
  }

 private:
  std::optional<Clock::time_point> end_;
};

// The end of a stream that is retired.
void EndWork(Stream& stream, bool force) noexcept {
  stream.Unsubscribe();  // the thread that serves it may be this one, or never come
  if (force) {
    stream.DropQueue();
  } else {
    (void)stream.WaitFor(stream.Submitted(), std::nullopt);
  }
  stream.Leave();
}

template <class Matches>
Status RefuseWhereHeld(Matches matches) {
  const Stream* held = HostScope::Find(matches);
  if (held == nullptr) return {};
  return Refuse(Fault::kParamInvalid,
                "stream {} of device {} is held by the host function that makes this call, so that "
                "a wait for it would never end; allowed when the function has returned",
                held->id, held->device);
}

Status StreamTimeout(const Stream& stream, Patience patience) {
  return Refuse(Fault::kStreamSyncTimeout,
                "stream {} of device {} still has work after {} ms; allowed: wait longer, or look "
                "for an event that it waits for",
                stream.id, stream.device, patience.value_or(std::chrono::milliseconds(0)).count());
}

struct Position {
  Ref<Stream> stream;
  std::uint64_t sequence;
};

// Waits for all streams of the device, up to the positions that it tells.
Status WaitForStreams(const Device& device, Patience patience, std::vector<Position>& positions) {
  BELAY_RETURN_IF_ERROR(RefuseInsideDevice(device.id));
  for (Ref<Stream>& stream : Machine::Get().streams().All()) {
    if (stream->device != device.id || !IsWaitedFor(*stream)) continue;
    const std::uint64_t sequence = stream->Submitted();
    positions.push_back({std::move(stream), sequence});
  }
  const Deadline deadline(patience);
  for (const Position& position : positions) {
    switch (position.stream->WaitFor(position.sequence, deadline.Left())) {
      case WaitResult::kTimeout:
        return StreamTimeout(*position.stream, patience);
      case WaitResult::kProcessEnding:
        return ProcessEnding();
      case WaitResult::kDone:
        break;
    }
  }
  return {};
}

}  // namespace

StatusOr<Ref<Stream>> CreateStream(const Ref<Context>& context, std::uint32_t priority,
                                   std::uint32_t flags) {
  Machine& machine = Machine::Get();
  Device& device = machine.device(context->device);
  flags &= kAllStreamFlags;  // unknown bits are ignored
  if ((flags & kStreamDeviceUseOnly) != 0 && flags != kStreamDeviceUseOnly) {
    return Unexpected(Refuse(Fault::kParamInvalid,
                             "flag is {:#x}; allowed ACL_STREAM_DEVICE_USE_ONLY (0x20) alone, or a "
                             "combination of the other flags",
                             flags));
  }
  if ((flags & kStreamHuge) != 0 && !kHasHugeStreams.Has(device.chip.family)) {
    return Unexpected(Refuse(Fault::kFeatureNotSupported,
                             "flag is {:#x} with ACL_STREAM_HUGE (0x8) on {}; allowed on {}", flags,
                             device.chip.soc_name, kHasHugeStreams.Describe()));
  }
  const std::uint32_t limit = MaxStreams(device.chip.family);
  if (!LiveCount::TryAdd(device.live_streams, limit)) {
    return Unexpected(Refuse(Fault::kNoStreamResource,
                             "device {} has {} streams; allowed at most {} on {}", device.id, limit,
                             limit, device.chip.soc_name));
  }
  try {
    Ref<Stream> stream = machine.streams().Create(
        machine, context.handle(), device.id,
        device.next_stream_id.fetch_add(1, std::memory_order_relaxed),
        std::min(priority, kLeastStreamPriority), flags, context->failure_stop);
    machine.LetStreamsAndEndingsMeet();
    return stream;
  } catch (...) {
    device.live_streams.fetch_sub(1, std::memory_order_relaxed);
    throw;
  }
}

StatusOr<std::uint32_t> AvailableStreams() {
  const StatusOr<Ref<Context>> current = CurrentContext();
  if (!current) return Unexpected(current.error());
  const Device& device = Machine::Get().device((*current)->device);
  const std::uint32_t live = device.live_streams.load(std::memory_order_relaxed);
  return MaxStreams(device.chip.family) - live;
}

StatusOr<Ref<Stream>> FindStream(const void* handle) {
  Machine& machine = Machine::Get();
  const void* const context = ThreadState::Current().current_context;
  if (handle != nullptr && machine.contexts().IsAlive(context)) {
    // The usual case, without a reference to the context, which many threads may share.
    Ref<Stream> stream = machine.streams().Acquire(handle);
    if (stream && stream->context == context) return stream;
  }
  const StatusOr<Ref<Context>> current = CurrentContext();
  if (!current) return Unexpected(current.error());
  return FindStreamIn(*current, handle, /*any_context=*/false);
}

StatusOr<Ref<Stream>> FindStreamOfAnyContext(const void* handle) {
  Machine& machine = Machine::Get();
  if (handle != nullptr && machine.contexts().IsAlive(ThreadState::Current().current_context)) {
    // The usual case, without a reference to the context, which many threads may share.
    if (Ref<Stream> stream = machine.streams().Acquire(handle); stream) return stream;
  }
  const StatusOr<Ref<Context>> current = CurrentContext();
  if (!current) return Unexpected(current.error());
  return FindStreamIn(*current, handle, /*any_context=*/true);
}

Status DestroyStream(const void* handle, bool force) {
  const StatusOr<Ref<Context>> current = CurrentContext();
  if (!current) return current.error();
  const StatusOr<Ref<Stream>> found = FindStreamIn(*current, handle, /*any_context=*/false);
  if (!found) return found.error();
  if ((*current)->DefaultStream().handle() == handle) {
    return Refuse(Fault::kParamInvalid,
                  "stream is the default stream of its context; allowed streams that were created");
  }
  if (!force) BELAY_RETURN_IF_ERROR(RefuseInside(**found));
  const Ref<Stream> stream = Machine::Get().streams().Retire(handle);
  if (!stream) {  // another thread was first
    return NotAllowed(Fault::kInvalidHandle, "stream",
                      DescribeBadHandle(handle, HandleKind::kStream), "a live stream");
  }
  EndWork(*stream, force);
  return {};
}

Status SynchronizeStream(const Ref<Stream>& stream, Patience patience) {
  if (!IsWaitedFor(*stream)) return {};
  std::uint64_t sequence = 0;
  if (!stream->HasDoneAll(sequence)) {
    BELAY_RETURN_IF_ERROR(RefuseInside(*stream));
    switch (stream->WaitFor(sequence, patience)) {
      case WaitResult::kTimeout:
        return StreamTimeout(*stream, patience);
      case WaitResult::kProcessEnding:
        return ProcessEnding();
      case WaitResult::kDone:
        break;
    }
  }
  if (stream->HasNoFaults()) return {};
  std::vector<TaskFault> faults;
  stream->TakeFaults(sequence, faults);
  return Deliver(std::move(faults));
}

Status SynchronizeDevice(Patience patience) {
  const StatusOr<Ref<Context>> current = CurrentContext();
  if (!current) return current.error();
  Device& device = Machine::Get().device((*current)->device);
  std::vector<Position> positions;
  BELAY_RETURN_IF_ERROR(WaitForStreams(device, patience, positions));

  std::vector<TaskFault> faults;
  try {
    for (const Position& position : positions) {
      position.stream->TakeFaults(position.sequence, faults);
    }
    const std::lock_guard lock(device.mutex);
    for (auto& orphans = device.orphaned_faults; !orphans.empty(); orphans.pop_front()) {
      orphans.front()->Take(UINT64_MAX, faults);
    }
  } catch (const std::bad_alloc&) {
    if (faults.empty()) throw;  // all are where they were; else the rest is for the next wait
  }
  return Deliver(std::move(faults));
}

Status WaitForDevice() {
  const StatusOr<Ref<Context>> current = CurrentContext();
  if (!current) return current.error();
  std::vector<Position> positions;
  return WaitForStreams(Machine::Get().device((*current)->device), std::nullopt, positions);
}

StatusOr<bool> QueryStream(const Ref<Stream>& stream) {
  const std::uint64_t sequence = stream->Submitted();
  if (!stream->Idle()) return false;
  if (Observer* observer = Machine::Get().observer(); observer != nullptr) {
    observer->OnHostWait(stream->id, sequence);
  }
  std::vector<TaskFault> faults;
  stream->TakeFaults(sequence, faults);
  if (Status status = Deliver(std::move(faults)); !status.ok())
    return Unexpected(std::move(status));
  return true;
}

Status RefuseInside(const Stream& stream) {
  return RefuseWhereHeld([&stream](const Stream& held) { return &held == &stream; });
}

Status RefuseInsideDevice(std::int32_t device) {
  return RefuseWhereHeld([device](const Stream& held) { return held.device == device; });
}

Status RefuseInsideContext(const void* context) {
  return RefuseWhereHeld([context](const Stream& held) { return held.context == context; });
}

Status ProcessEnding() noexcept {
  return Refuse(
      Fault::kInternal,
      "the process is ending and its streams do no more work; allowed before main returns");
}

void EndStreamsOf(const void* context, bool force) noexcept {
  Machine& machine = Machine::Get();
  machine.streams().ForEach([&](const Ref<Stream>& stream) {
    if (stream->context != context) return;
    (void)machine.streams().Retire(stream.handle());
    EndWork(*stream, force);
  });
}

}  // namespace belay::runtime
