#include "runtime/context.h"

#include <utility>

#include "runtime/machine.h"
#include "runtime/streams.h"
#include "runtime/thread_state.h"

namespace belay::runtime {
namespace {

// A context with its default stream.
Ref<Context> MakeContext(std::int32_t device, bool primary) {
  Machine& machine = Machine::Get();
  Ref<Context> context = machine.contexts().Create(device, primary);
  try {
    StatusOr<Ref<Stream>> stream = CreateStream(context, /*priority=*/0, /*flags=*/0);
    if (stream) context->SetDefaultStream(std::move(*stream));
  } catch (...) {
    (void)machine.contexts().Retire(context.handle());
    throw;
  }
  return context;
}

void EndContext(const Ref<Context>& context, bool force) {
  EndStreamsOf(context.handle(), force);
  context->SetDefaultStream({});
  (void)Machine::Get().contexts().Retire(context.handle());
}

bool HasContexts(std::int32_t device) {
  bool has = false;
  Machine::Get().contexts().ForEach(
      [&](const Ref<Context>& context) { has = has || context->device == device; });
  return has;
}

void FreeMemoryOf(Device& device, const char* function) {
  Machine& machine = Machine::Get();
  const CallSite site = machine.NewCallSite(function);
  for (const auto& [address, block] : machine.memory().FreeAll(device.id, site)) {
    device.Credit(block->accounted_bytes);
    if (Observer* observer = machine.observer(); observer != nullptr) {
      observer->OnFree(block->range, block->device, site.number);
    }
  }
  machine.memory().ReleaseAll(device.id);
  machine.physical_memories().ForEach([&](const Ref<PhysicalShare>& share) {
    if (share->memory->device == device.id) {
      (void)machine.physical_memories().Retire(share.handle());
    }
  });
  machine.memory().Trim(device.id);
}

}  // namespace

Status SetDevice(std::int32_t id) {
  Machine& machine = Machine::Get();
  const StatusOr<Device*> found = machine.FindDevice(id);
  if (!found) return found.error();
  Device& device = **found;
  ThreadState& thread = ThreadState::Current();
  const std::lock_guard lock(device.mutex);
  if (device.primary_context == nullptr) {
    const Ref<Context> context = MakeContext(id, /*primary=*/true);
    if (!context->DefaultStream()) {
      (void)machine.contexts().Retire(context.handle());
      return Refuse(Fault::kNoStreamResource, "device {} has no stream left for a default stream",
                    id);
    }
    device.primary_context = context.handle();
  }
  ++device.set_count;
  thread.current_context = device.primary_context;
  return {};
}

Status ResetDevice(std::int32_t id, bool force, const char* function) {
  Machine& machine = Machine::Get();
  const StatusOr<Device*> found = machine.FindDevice(id);
  if (!found) return found.error();
  Device& device = **found;
  Ref<Context> primary;
  {
    const std::lock_guard lock(device.mutex);
    if (device.set_count == 0) {
      return Refuse(Fault::kContextReleased,
                    "device {} is not set, or was reset as often as it was set; allowed one reset "
                    "for each aclrtSetDevice",
                    id);
    }
    if (!force && device.set_count == 1) {
      BELAY_RETURN_IF_ERROR(RefuseInsideContext(device.primary_context));
    }
    device.set_count = force ? 0 : device.set_count - 1;
    if (device.set_count != 0) return {};
    primary = machine.contexts().Acquire(device.primary_context);
    device.primary_context = nullptr;
  }
  if (primary) EndContext(primary, force);
  primary.Reset();
  if (!HasContexts(id)) {
    device.ForbidAllPeers();
    machine.memory().EndAccess();
    FreeMemoryOf(device, function);
  }
  return {};
}

StatusOr<Ref<Context>> CreateContext(std::int32_t device) {
  Machine& machine = Machine::Get();
  const StatusOr<Device*> found = machine.FindDevice(device);
  if (!found) return Unexpected(found.error());
  ThreadState& thread = ThreadState::Current();
  Ref<Context> context = MakeContext(device, /*primary=*/false);
  if (!context->DefaultStream()) {
    (void)machine.contexts().Retire(context.handle());
    return Unexpected(Refuse(Fault::kNoStreamResource,
                             "device {} has no stream left for a default stream", device));
  }
  thread.current_context = context.handle();
  return context;
}

Status DestroyContext(void* handle) {
  const Ref<Context> context = Machine::Get().contexts().Acquire(handle);
  if (!context) {
    return NotAllowed(Fault::kContextNull, "context",
                      DescribeBadHandle(handle, HandleKind::kContext), "a live context");
  }
  if (context->primary) {
    return Refuse(Fault::kContextNull,
                  "context is the primary context of device {}, made by aclrtSetDevice; allowed "
                  "contexts of aclrtCreateContext (aclrtResetDevice ends this one)",
                  context->device);
  }
  BELAY_RETURN_IF_ERROR(RefuseInsideContext(handle));
  if (context->ending.exchange(true)) {
    return Refuse(Fault::kContextReleased,
                  "context is being destroyed by another thread; allowed one destroy");
  }
  EndContext(context, /*force=*/false);
  return {};
}

Status SetCurrentContext(void* handle) {
  const Ref<Context> context = Machine::Get().contexts().Acquire(handle);
  if (!context || context->ending.load()) {
    return NotAllowed(Fault::kParamInvalid, "context",
                      DescribeBadHandle(handle, HandleKind::kContext), "a live context");
  }
  ThreadState::Current().current_context = handle;
  return {};
}

StatusOr<Ref<Context>> CurrentContext() {
  Machine& machine = Machine::Get();
  ThreadState& thread = ThreadState::Current();
  if (Ref<Context> context = machine.contexts().Acquire(thread.current_context)) return context;
  const std::int32_t fallback = machine.life().default_device();
  if (thread.current_context == nullptr && fallback >= 0) {
    if (Status status = SetDevice(fallback); !status.ok()) return Unexpected(std::move(status));
    if (Ref<Context> context = machine.contexts().Acquire(thread.current_context)) return context;
  }
  return Unexpected(Refuse(
      Fault::kContextNull,
      "this thread has no current context{}; allowed after aclrtSetDevice, "
      "aclrtCreateContext or aclrtSetCurrentContext",
      thread.current_context == nullptr ? "" : " any more (it was destroyed or its device reset)"));
}

}  // namespace belay::runtime
