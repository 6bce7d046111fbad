#include "runtime/virtual_memory.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "runtime/context.h"
#include "runtime/device_memory.h"
#include "runtime/machine.h"

namespace belay::runtime {
namespace {

// What aclrtPhysicalMemProp may say. Source: acl API, virtual memory.
constexpr std::int32_t kHandleTypeNone = 0;
constexpr std::int32_t kHandleTypePosix = 2;
constexpr std::int32_t kPinned = 0;
constexpr std::int32_t kLocationHost = 0;
constexpr std::int32_t kLocationDevice = 1;
constexpr std::int32_t kLocationHostNuma = 4;

constexpr std::uint64_t kHugePages = 1;

Status CheckMultiple(std::string_view argument, std::uint64_t value) {
  if (value % kMappingGranularity == 0) return {};
  return Refuse(Fault::kParamInvalid, "{} is {}; allowed multiples of {} (2 MiB)", argument, value,
                kMappingGranularity);
}

/// The device that the properties name.
StatusOr<Device*> CheckProperties(const PhysicalProperties& properties) {
  if (properties.handle_type == kHandleTypePosix) {
    return Unexpected(Refuse(Fault::kFeatureNotSupported,
                             "prop->handleType is ACL_MEM_HANDLE_TYPE_POSIX (2); allowed "
                             "ACL_MEM_HANDLE_TYPE_NONE (0), since memory is not shared between "
                             "processes"));
  }
  if (properties.handle_type != kHandleTypeNone) {
    return Unexpected(NotAllowed(Fault::kInvalidParam, "prop->handleType", properties.handle_type,
                                 "ACL_MEM_HANDLE_TYPE_NONE (0)"));
  }
  if (properties.allocation_type != kPinned) {
    return Unexpected(NotAllowed(Fault::kInvalidParam, "prop->allocationType",
                                 properties.allocation_type, "ACL_MEM_ALLOCATION_TYPE_PINNED (0)"));
  }
  if (properties.location_type == kLocationHost || properties.location_type == kLocationHostNuma) {
    return Unexpected(Refuse(Fault::kFeatureNotSupported,
                             "prop->location.type is {}, memory of the host; allowed "
                             "ACL_MEM_LOCATION_TYPE_DEVICE (1)",
                             properties.location_type));
  }
  if (properties.location_type != kLocationDevice) {
    return Unexpected(NotAllowed(Fault::kInvalidParam, "prop->location.type",
                                 properties.location_type, "ACL_MEM_LOCATION_TYPE_DEVICE (1)"));
  }
  StatusOr<Device*> device = Machine::Get().FindDevice(properties.location_id, "prop->location.id");
  if (!device) return device;
  if (Status status = CheckMemoryAttribute(static_cast<std::uint32_t>(properties.attribute),
                                           (*device)->chip, "prop->memAttr");
      !status.ok()) {
    return Unexpected(std::move(status));
  }
  return device;
}

}  // namespace

StatusOr<void*> ReserveAddresses(const AddressRequest& request, CallSite site) {
  if (request.flags > kHugePages) {
    return Unexpected(NotAllowed(Fault::kInvalidParam, "flags", request.flags,
                                 "0 (normal pages) and 1 (huge pages)"));
  }
  if (Status status = CheckMultiple("size", request.size); !status.ok()) {
    return Unexpected(std::move(status));
  }
  if (request.alignment != 0 && !std::has_single_bit(request.alignment)) {
    return Unexpected(
        NotAllowed(Fault::kParamInvalid, "alignment", request.alignment, "0 and powers of two"));
  }
  const StatusOr<Ref<Context>> current = CurrentContext();
  if (!current) return Unexpected(current.error());
  return Machine::Get().memory().Reserve(request.size,
                                         std::max(request.alignment, kMappingGranularity),
                                         request.wish, (*current)->device, site);
}

Status ReleaseAddresses(const void* address) { return Machine::Get().memory().Release(address); }

StatusOr<void*> AllocatePhysical(std::size_t size, const PhysicalProperties& properties,
                                 CallSite site) {
  const StatusOr<Device*> found = CheckProperties(properties);
  if (!found) return Unexpected(found.error());
  if (Status status = CheckMultiple("size", size); !status.ok()) {
    return Unexpected(std::move(status));
  }
  const StatusOr<Ref<Context>> current = CurrentContext();
  if (!current) return Unexpected(current.error());
  Device& device = **found;
  if (Status status = ChargeDevice(device, size); !status.ok()) {
    return Unexpected(std::move(status));
  }
  PhysicalShare share;
  try {
    share.charge = std::make_shared<Charge>(device, size);
  } catch (...) {
    device.Credit(size);
    throw;
  }
  Machine& machine = Machine::Get();
  StatusOr<std::shared_ptr<PhysicalMemory>> memory =
      machine.memory().AllocatePhysical(size, device.id, site);
  if (!memory) return Unexpected(std::move(memory).error());
  share.memory = std::move(*memory);
  return machine.physical_memories().Create(std::move(share)).handle();
}

Status FreePhysical(const void* handle) {
  if (Machine::Get().physical_memories().Retire(handle)) return {};
  return NotAllowed(Fault::kInvalidHandle, "handle",
                    DescribeBadHandle(handle, HandleKind::kPhysicalMemory),
                    "live physical memory of aclrtMallocPhysical");
}

StatusOr<std::size_t> GetMappingGranularity(const PhysicalProperties& properties) {
  const StatusOr<Device*> device = CheckProperties(properties);
  if (!device) return Unexpected(device.error());
  return kMappingGranularity;
}

Status MapPhysical(const MappingRequest& request, CallSite site) {
  Machine& machine = Machine::Get();
  const Ref<PhysicalShare> share = machine.physical_memories().Acquire(request.handle);
  if (!share) {
    return NotAllowed(Fault::kInvalidHandle, "handle",
                      DescribeBadHandle(request.handle, HandleKind::kPhysicalMemory),
                      "live physical memory of aclrtMallocPhysical");
  }
  const auto address = reinterpret_cast<std::uintptr_t>(request.address);
  if (address % kMappingGranularity != 0) {
    return Refuse(Fault::kParamInvalid, "virPtr is {:#x}; allowed multiples of {} (2 MiB)", address,
                  kMappingGranularity);
  }
  BELAY_RETURN_IF_ERROR(CheckMultiple("size", request.size));
  BELAY_RETURN_IF_ERROR(CheckMultiple("offset", request.offset));
  const std::size_t whole = share->memory->place.size;
  if (request.offset > whole || request.size > whole - request.offset) {
    return Refuse(Fault::kParamInvalid,
                  "size is {} at offset {}; allowed up to the {} bytes of the physical memory from "
                  "{} (call {})",
                  request.size, request.offset, whole, share->memory->origin.function,
                  share->memory->origin.number);
  }
  const StatusOr<Ref<Context>> current = CurrentContext();
  if (!current) return current.error();
  const StatusOr<BlockRef> mapping =
      machine.memory().Map(request.address, request.size, *share, request.offset, site);
  if (!mapping) return mapping.error();
  if (Observer* observer = machine.observer(); observer != nullptr) {
    observer->OnAllocate((*mapping)->range, (*mapping)->device, site.number);
  }
  return {};
}

Status UnmapPhysical(const void* address, CallSite site) {
  Machine& machine = Machine::Get();
  const StatusOr<BlockRef> mapping = machine.memory().Unmap(address, site);
  if (!mapping) return mapping.error();
  if (Observer* observer = machine.observer(); observer != nullptr) {
    observer->OnFree((*mapping)->range, (*mapping)->device, site.number);
  }
  return {};
}

}  // namespace belay::runtime
