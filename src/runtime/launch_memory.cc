#include "runtime/launch_memory.h"

#include <string_view>
#include <utility>

#include "base/byte_range.h"
#include "runtime/machine.h"

namespace belay::runtime {
namespace {

Status CheckArgument(const MemoryMap::Reading& reading, const char* argument, const void* address,
                     std::uint64_t size, std::int32_t device, Fault fault) {
  if (address == nullptr) {
    return Refuse(fault, "{} is without a device address; allowed memory of device {}", argument,
                  device);
  }
  Machine& machine = Machine::Get();
  const MemoryMap& memory = machine.memory();
  const std::int32_t owner = memory.DeviceHolding(reading, address, size);
  if (owner != kHostMemory && machine.device(device).Reaches(owner)) [[likely]]
    return {};
  const StatusOr<Place> place = memory.Locate(reading, argument, address, size);
  if (!place) return Refuse(fault, "{}", place.error().message());
  if (place->kind == PlaceKind::kRegisteredHost) return {};
  if (place->kind == PlaceKind::kDevice) {
    if (machine.device(device).Reaches(place->device)) return {};
    return Refuse(fault, "{} is {}; allowed memory of device {}, or peer access to device {}",
                  argument, memory.Describe(reading, address), device, place->device);
  }
  return Refuse(fault, "{} is {}; allowed memory of device {}", argument,
                memory.Describe(reading, address), device);
}

// The work writes to the workspace as it likes, so no tensor may lie there.
Status CheckWorkspaceApart(const Launch& launch, std::size_t tensor_count) {
  const auto range = [&launch](std::size_t i, std::uint64_t size) {
    return ByteRange{reinterpret_cast<std::uintptr_t>(launch.addresses[i]), size};
  };
  const ByteRange workspace = range(tensor_count, launch.plan.workspace_bytes);
  for (const Access& access : launch.plan.accesses()) {
    const ByteRange tensor = range(access.address, access.extent);
    if (access.extent == 0 || !workspace.Overlaps(tensor)) continue;
    return Refuse(Fault::kInvalidParam,
                  "workspace at {:#x} ({} bytes) and {} at {:#x} ({} bytes) share bytes; allowed a "
                  "workspace apart from all tensors",
                  workspace.begin, workspace.size, access.argument, tensor.begin, tensor.size);
  }
  return {};
}

}  // namespace

bool LaunchMemory::Knows(const Launch& launch, std::int32_t device) const {
  return known_ && endings_ == Machine::Get().memory().endings() && device_ == device &&
         addresses_ == launch.addresses;
}

Status LaunchMemory::Check(const MemoryMap::Reading& reading, const Launch& launch,
                           std::size_t tensor_count, std::int32_t device) {
  if (Knows(launch, device)) return {};
  known_ = false;
  const Plan& plan = launch.plan;
  for (const Access& access : plan.accesses()) {
    if (access.extent == 0) continue;  // a tensor without elements needs no address
    BELAY_RETURN_IF_ERROR(CheckArgument(reading, access.argument, launch.addresses[access.address],
                                        access.extent, device, Fault::kTensorAddr));
  }
  if (plan.workspace_bytes != 0) {
    BELAY_RETURN_IF_ERROR(CheckArgument(reading, "workspace", launch.addresses[tensor_count],
                                        plan.workspace_bytes, device, Fault::kInvalidParam));
    BELAY_RETURN_IF_ERROR(CheckWorkspaceApart(launch, tensor_count));
  }
  if (plan.check_addresses != nullptr) {
    BELAY_RETURN_IF_ERROR(plan.check_addresses(plan, launch.addresses));
  }
  known_ = true;
  is_little_ = Stream::IsLittle(plan);
  device_ = device;
  endings_ = Machine::Get().memory().endings();  // nothing has ended under `reading`
  addresses_ = launch.addresses;
  return {};
}

Status LaunchMemory::Submit(const Ref<Stream>& stream, Launch& launch, std::size_t tensor_count) {
  Machine& machine = Machine::Get();
  launch.plan.overflow = machine.device(stream->device).float_overflow.load();
  if (!Knows(launch, stream->device)) {
    BELAY_RETURN_IF_ERROR(Check(machine.memory().Read(), launch, tensor_count, stream->device));
  }
  if (is_little_ && Stream::RunNow(stream, launch, endings_)) return {};
  // Memory may have ended since, so it is checked under the lock that the blocks are held with.
  MemoryMap::Reading reading = machine.memory().Read();
  BELAY_RETURN_IF_ERROR(Check(reading, launch, tensor_count, stream->device));
  LaunchTask task = Hold(reading, launch, tensor_count);
  reading.unlock();
  return Stream::Submit(stream, std::move(task));
}

LaunchTask LaunchMemory::Hold(const MemoryMap::Reading& reading, const Launch& launch,
                              std::size_t tensor_count) {
  const MemoryMap& memory = Machine::Get().memory();
  LaunchTask task;
  task.launch = launch;
  const auto hold = [&](std::size_t i, std::uint64_t size) {
    StatusOr<Place> place = memory.Locate(reading, "", launch.addresses[i], size);
    if (place) task.blocks[i] = std::move(place->block);
  };
  for (const Access& access : launch.plan.accesses()) {
    if (access.extent != 0) hold(access.address, access.extent);
  }
  if (launch.plan.workspace_bytes != 0) hold(tensor_count, launch.plan.workspace_bytes);
  return task;
}

}  // namespace belay::runtime
