// Reserved addresses, physical memory and mappings. Their rules live in runtime/virtual_memory.cc.
#include "runtime/virtual_memory.h"

#include "acl/acl_call.h"

using belay::Fault;
using belay::NotAllowed;
using belay::NullPointer;
using belay::Status;
using belay::acl::AclCall;
using belay::acl::Machine;

namespace {

constexpr const char* kSource = "acl API, virtual memory";

Status CheckSize(size_t size) {
  return size == 0 ? NotAllowed(Fault::kInvalidParam, "size", size, "1 and above") : Status();
}

Status CheckFlags(uint64_t flags) {
  return flags != 0 ? NotAllowed(Fault::kInvalidParam, "flags", flags, "0") : Status();
}

belay::runtime::PhysicalProperties ToProperties(const aclrtPhysicalMemProp& prop) {
  return {static_cast<int32_t>(prop.handleType), static_cast<int32_t>(prop.allocationType),
          static_cast<int32_t>(prop.memAttr), static_cast<int32_t>(prop.location.type),
          prop.location.id};
}

}  // namespace

aclError aclrtReserveMemAddress(void** virPtr, size_t size, size_t alignment, void* expectPtr,
                                uint64_t flags) {
  return AclCall({"aclrtReserveMemAddress", kSource}, [&](Machine& machine) -> Status {
    if (virPtr == nullptr) return NullPointer("virPtr");
    BELAY_RETURN_IF_ERROR(CheckSize(size));
    const auto address = belay::runtime::ReserveAddresses(
        {size, alignment, expectPtr, flags}, machine.NewCallSite("aclrtReserveMemAddress"));
    if (!address) return address.error();
    *virPtr = *address;
    return {};
  });
}

aclError aclrtReleaseMemAddress(void* virPtr) {
  return AclCall({"aclrtReleaseMemAddress", kSource}, [&](Machine&) -> Status {
    if (virPtr == nullptr) return NullPointer("virPtr");
    return belay::runtime::ReleaseAddresses(virPtr);
  });
}

aclError aclrtMallocPhysical(aclrtDrvMemHandle* handle, size_t size,
                             const aclrtPhysicalMemProp* prop, uint64_t flags) {
  return AclCall({"aclrtMallocPhysical", kSource}, [&](Machine& machine) -> Status {
    if (handle == nullptr) return NullPointer("handle");
    if (prop == nullptr) return NullPointer("prop");
    BELAY_RETURN_IF_ERROR(CheckSize(size));
    BELAY_RETURN_IF_ERROR(CheckFlags(flags));
    const auto memory = belay::runtime::AllocatePhysical(
        size, ToProperties(*prop), machine.NewCallSite("aclrtMallocPhysical"));
    if (!memory) return memory.error();
    *handle = *memory;
    return {};
  });
}

aclError aclrtFreePhysical(aclrtDrvMemHandle handle) {
  return AclCall({"aclrtFreePhysical", kSource}, [&](Machine&) -> Status {
    if (handle == nullptr) return NullPointer("handle");
    return belay::runtime::FreePhysical(handle);
  });
}

aclError aclrtMapMem(void* virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle,
                     uint64_t flags) {
  return AclCall({"aclrtMapMem", kSource}, [&](Machine& machine) -> Status {
    if (virPtr == nullptr) return NullPointer("virPtr");
    if (handle == nullptr) return NullPointer("handle");
    BELAY_RETURN_IF_ERROR(CheckSize(size));
    BELAY_RETURN_IF_ERROR(CheckFlags(flags));
    return belay::runtime::MapPhysical({virPtr, size, offset, handle},
                                       machine.NewCallSite("aclrtMapMem"));
  });
}

aclError aclrtUnmapMem(void* virPtr) {
  return AclCall({"aclrtUnmapMem", kSource}, [&](Machine& machine) -> Status {
    if (virPtr == nullptr) return NullPointer("virPtr");
    return belay::runtime::UnmapPhysical(virPtr, machine.NewCallSite("aclrtUnmapMem"));
  });
}

aclError aclrtMemGetAllocationGranularity(aclrtPhysicalMemProp* prop,
                                          aclrtMemGranularityOptions option, size_t* granularity) {
  return AclCall({"aclrtMemGetAllocationGranularity", kSource}, [&](Machine&) -> Status {
    if (prop == nullptr) return NullPointer("prop");
    if (granularity == nullptr) return NullPointer("granularity");
    const auto value = static_cast<int>(option);
    if (value != ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM &&
        value != ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED) {
      return NotAllowed(Fault::kInvalidParam, "option", value,
                        "ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM (0) and RECOMMENDED (1)");
    }
    const auto bytes = belay::runtime::GetMappingGranularity(ToProperties(*prop));
    if (!bytes) return bytes.error();
    *granularity = *bytes;
    return {};
  });
}
