// Memory and copies. Their rules live in runtime/device_memory.cc and runtime/transfer.cc.
#include "acl/acl_call.h"
#include "runtime/device_memory.h"
#include "runtime/streams.h"
#include "runtime/transfer.h"

using belay::Fault;
using belay::NotAllowed;
using belay::NullPointer;
using belay::Status;
using belay::acl::AclCall;
using belay::acl::Machine;
using belay::runtime::CopyKind;
using belay::runtime::Padding;
using belay::runtime::PlaceKind;

namespace {

constexpr const char* kSource = "acl API, memory management";

CopyKind ToCopyKind(aclrtMemcpyKind kind) {
  switch (static_cast<int>(kind)) {
    case ACL_MEMCPY_HOST_TO_HOST:
      return CopyKind::kHostToHost;
    case ACL_MEMCPY_HOST_TO_DEVICE:
      return CopyKind::kHostToDevice;
    case ACL_MEMCPY_DEVICE_TO_HOST:
      return CopyKind::kDeviceToHost;
    case ACL_MEMCPY_DEVICE_TO_DEVICE:
      return CopyKind::kDeviceToDevice;
    case ACL_MEMCPY_DEFAULT:
      return CopyKind::kDefault;
    case ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE:
      return CopyKind::kHostToBufferToDevice;
    default:
      return CopyKind::kUnsupported;
  }
}

// Attributes that say nothing to a virtual device are taken; those that ask for something are not.
Status CheckConfig(const aclrtMallocConfig* cfg) {
  if (cfg == nullptr || cfg->numAttrs == 0) return {};
  if (cfg->attrs == nullptr) {
    return belay::Refuse(Fault::kInvalidParam,
                         "cfg->attrs is null with numAttrs {}; allowed an array", cfg->numAttrs);
  }
  for (size_t i = 0; i < cfg->numAttrs; ++i) {
    const aclrtMallocAttrType attr = cfg->attrs[i].attr;
    if (attr == ACL_RT_MEM_ATTR_RSV || attr == ACL_RT_MEM_ATTR_MODULE_ID) continue;
    return belay::Refuse(Fault::kFeatureNotSupported,
                         "cfg->attrs[{}].attr is {}; allowed ACL_RT_MEM_ATTR_RSV (0) and "
                         "ACL_RT_MEM_ATTR_MODULE_ID (1)",
                         i, static_cast<int>(attr));
  }
  return {};
}

aclError Allocate(const char* function, void** devPtr, size_t size, Padding padding,
                  const aclrtMallocConfig* cfg = nullptr) {
  return AclCall({function, kSource}, [&](Machine& machine) -> Status {
    if (devPtr == nullptr) return NullPointer("devPtr");
    if (size == 0) return NotAllowed(Fault::kInvalidParam, "size", size, "1 and above");
    BELAY_RETURN_IF_ERROR(CheckConfig(cfg));
    const auto address =
        belay::runtime::AllocateOnDevice(size, padding, machine.NewCallSite(function));
    if (!address) return address.error();
    *devPtr = *address;
    return {};
  });
}

bool HasGigabytePages(aclrtMemMallocPolicy policy) {
  return policy == ACL_MEM_MALLOC_HUGE1G_ONLY || policy == ACL_MEM_MALLOC_HUGE1G_ONLY_P2P;
}

// Frees what the work of the current device may still use, when it has done so.
template <class Free>
aclError FreeAfterWork(const char* function, void* address, const char* argument, Free free) {
  return AclCall({function, kSource}, [&](Machine& machine) -> Status {
    if (address == nullptr) return NullPointer(argument);
    BELAY_RETURN_IF_ERROR(belay::runtime::WaitForDevice());
    return free(address, machine.NewCallSite(function));
  });
}

// Host and device share the caches here, so there is nothing to do but to check.
aclError CacheOperation(const char* function, void* devPtr, size_t size) {
  return AclCall({function, kSource}, [&](Machine&) -> Status {
    if (devPtr == nullptr) return NullPointer("devPtr");
    if (size == 0) return NotAllowed(Fault::kInvalidParam, "size", size, "1 and above");
    return belay::runtime::RequireDeviceMemory(devPtr, size);
  });
}

}  // namespace

aclError aclrtMalloc(void** devPtr, size_t size, aclrtMemMallocPolicy policy) {
  return Allocate("aclrtMalloc", devPtr, size,
                  HasGigabytePages(policy) ? Padding::kTo32 : Padding::kTo32AndOneMore);
}

aclError aclrtMallocAlign32(void** devPtr, size_t size, aclrtMemMallocPolicy /*policy*/) {
  return Allocate("aclrtMallocAlign32", devPtr, size, Padding::kTo32);
}

aclError aclrtMallocCached(void** devPtr, size_t size, aclrtMemMallocPolicy policy) {
  return Allocate("aclrtMallocCached", devPtr, size,
                  HasGigabytePages(policy) ? Padding::kTo32 : Padding::kTo32AndOneMore);
}

aclError aclrtMallocWithCfg(void** devPtr, size_t size, aclrtMemMallocPolicy policy,
                            aclrtMallocConfig* cfg) {
  return Allocate("aclrtMallocWithCfg", devPtr, size,
                  HasGigabytePages(policy) ? Padding::kTo32 : Padding::kTo32AndOneMore, cfg);
}

aclError aclrtMemFlush(void* devPtr, size_t size) {
  return CacheOperation("aclrtMemFlush", devPtr, size);
}

aclError aclrtMemInvalidate(void* devPtr, size_t size) {
  return CacheOperation("aclrtMemInvalidate", devPtr, size);
}

aclError aclrtFree(void* devPtr) {
  return AclCall({"aclrtFree", kSource}, [&](Machine& machine) -> Status {
    if (devPtr == nullptr) return NullPointer("devPtr");
    return belay::runtime::FreeOnDevice(devPtr, machine.NewCallSite("aclrtFree"));
  });
}

aclError aclrtFreeWithDevSync(void* devPtr) {
  return FreeAfterWork("aclrtFreeWithDevSync", devPtr, "devPtr", belay::runtime::FreeOnDevice);
}

aclError aclrtFreeHostWithDevSync(void* hostPtr) {
  return FreeAfterWork("aclrtFreeHostWithDevSync", hostPtr, "hostPtr", belay::runtime::FreeOnHost);
}

aclError aclrtMallocHostWithCfg(void** ptr, uint64_t size, aclrtMallocConfig* cfg) {
  return AclCall({"aclrtMallocHostWithCfg", kSource}, [&](Machine& machine) -> Status {
    if (ptr == nullptr) return NullPointer("ptr");
    if (size == 0) return NotAllowed(Fault::kInvalidParam, "size", size, "1 and above");
    BELAY_RETURN_IF_ERROR(CheckConfig(cfg));
    const auto address =
        belay::runtime::AllocateOnHost(size, machine.NewCallSite("aclrtMallocHostWithCfg"));
    if (!address) return address.error();
    *ptr = *address;
    return {};
  });
}

aclError aclrtMallocHost(void** hostPtr, size_t size) {
  return AclCall({"aclrtMallocHost", kSource}, [&](Machine& machine) -> Status {
    if (hostPtr == nullptr) return NullPointer("hostPtr");
    const auto address =
        belay::runtime::AllocateOnHost(size, machine.NewCallSite("aclrtMallocHost"));
    if (!address) return address.error();
    *hostPtr = *address;
    return {};
  });
}

aclError aclrtFreeHost(void* hostPtr) {
  return AclCall({"aclrtFreeHost", kSource}, [&](Machine& machine) -> Status {
    if (hostPtr == nullptr) return NullPointer("hostPtr");
    return belay::runtime::FreeOnHost(hostPtr, machine.NewCallSite("aclrtFreeHost"));
  });
}

aclError aclrtMemset(void* devPtr, size_t maxCount, int32_t value, size_t count) {
  return AclCall({"aclrtMemset", kSource}, [&](Machine& machine) {
    return belay::runtime::FillNow({devPtr, maxCount, value, count},
                                   machine.NewCallSite("aclrtMemset"));
  });
}

aclError aclrtMemsetAsync(void* devPtr, size_t maxCount, int32_t value, size_t count,
                          aclrtStream stream) {
  return AclCall({"aclrtMemsetAsync", kSource}, [&](Machine&) {
    return belay::runtime::FillInStream({devPtr, maxCount, value, count}, stream);
  });
}

aclError aclrtMemcpy(void* dst, size_t destMax, const void* src, size_t count,
                     aclrtMemcpyKind kind) {
  return AclCall({"aclrtMemcpy", kSource}, [&](Machine& machine) {
    return belay::runtime::CopyNow({dst, destMax, src, count, ToCopyKind(kind)},
                                   machine.NewCallSite("aclrtMemcpy"));
  });
}

aclError aclrtMemcpyAsync(void* dst, size_t destMax, const void* src, size_t count,
                          aclrtMemcpyKind kind, aclrtStream stream) {
  return AclCall({"aclrtMemcpyAsync", kSource}, [&](Machine&) {
    return belay::runtime::CopyInStream({dst, destMax, src, count, ToCopyKind(kind)}, stream);
  });
}

aclError aclrtMemcpy2d(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                       size_t height, aclrtMemcpyKind kind) {
  return AclCall({"aclrtMemcpy2d", kSource}, [&](Machine& machine) {
    return belay::runtime::CopyNow(
        belay::runtime::Copy2d{dst, dpitch, src, spitch, width, height, ToCopyKind(kind)},
        machine.NewCallSite("aclrtMemcpy2d"));
  });
}

aclError aclrtMemcpy2dAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                            size_t height, aclrtMemcpyKind kind, aclrtStream stream) {
  return AclCall({"aclrtMemcpy2dAsync", kSource}, [&](Machine&) {
    return belay::runtime::CopyInStream(
        belay::runtime::Copy2d{dst, dpitch, src, spitch, width, height, ToCopyKind(kind)}, stream);
  });
}

aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t* free, size_t* total) {
  return AclCall({"aclrtGetMemInfo", kSource}, [&](Machine&) -> Status {
    if (free == nullptr) return NullPointer("free");
    if (total == nullptr) return NullPointer("total");
    const auto info = belay::runtime::GetMemoryInfo(static_cast<uint32_t>(attr));
    if (!info) return info.error();
    *free = info->free_bytes;
    *total = info->total_bytes;
    return {};
  });
}

aclError aclrtPointerGetAttributes(const void* ptr, aclrtPtrAttributes* attributes) {
  return AclCall({"aclrtPointerGetAttributes", kSource}, [&](Machine&) -> Status {
    if (ptr == nullptr) return NullPointer("ptr");
    if (attributes == nullptr) return NullPointer("attributes");
    const belay::runtime::PointerInfo info = belay::runtime::GetPointerInfo(ptr);
    aclrtPtrAttributes result{};
    switch (info.kind) {
      case PlaceKind::kDevice:
        result.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
        result.location.id = static_cast<uint32_t>(info.device);
        break;
      case PlaceKind::kPageLockedHost:
      case PlaceKind::kRegisteredHost:
        result.location.type = ACL_MEM_LOCATION_TYPE_HOST;
        break;
      case PlaceKind::kPageableHost:
        result.location.type = ACL_MEM_LOCATION_TYPE_UNREGISTERED;
        break;
    }
    result.pageSize = info.page_bytes;
    *attributes = result;
    return {};
  });
}

aclError aclrtHostRegister(void* ptr, uint64_t size, aclrtHostRegisterType type, void** devPtr) {
  return AclCall({"aclrtHostRegister", kSource}, [&](Machine& machine) -> Status {
    if (ptr == nullptr) return NullPointer("ptr");
    if (devPtr == nullptr) return NullPointer("devPtr");
    if (size == 0) return NotAllowed(Fault::kInvalidParam, "size", size, "1 and above");
    constexpr unsigned kAllowed = ACL_HOST_REGISTER_IOMEMORY | ACL_HOST_REGISTER_READONLY;
    if ((static_cast<unsigned>(type) & ~kAllowed) != 0) {
      return NotAllowed(Fault::kFeatureNotSupported, "type", static_cast<unsigned>(type),
                        "ACL_HOST_REGISTER_MAPPED (0), IOMEMORY (4) and READONLY (8)");
    }
    BELAY_RETURN_IF_ERROR(
        machine.memory().Register(ptr, size, machine.NewCallSite("aclrtHostRegister")));
    *devPtr = ptr;  // host and device share one address space here
    return {};
  });
}

aclError aclrtHostRegisterV2(void* ptr, uint64_t size, uint32_t flag) {
  return AclCall({"aclrtHostRegisterV2", kSource}, [&](Machine& machine) -> Status {
    if (ptr == nullptr) return NullPointer("ptr");
    if (size == 0) return NotAllowed(Fault::kInvalidParam, "size", size, "1 and above");
    constexpr uint64_t kAllowed =
        ACL_HOST_REG_MAPPED | ACL_HOST_REG_IOMEMORY | ACL_HOST_REG_READONLY | ACL_HOST_REG_PINNED;
    if ((flag & ~kAllowed) != 0) {
      return NotAllowed(Fault::kParamInvalid, "flag", belay::Text("{:#x}", flag),
                        "a combination of ACL_HOST_REG_MAPPED (0x2), IOMEMORY (0x4), READONLY "
                        "(0x8) and PINNED (0x10000000)");
    }
    return machine.memory().Register(ptr, size, machine.NewCallSite("aclrtHostRegisterV2"));
  });
}

aclError aclrtHostGetDevicePointer(void* pHost, void** pDevice, uint32_t flag) {
  return AclCall({"aclrtHostGetDevicePointer", kSource}, [&](Machine& machine) -> Status {
    if (pHost == nullptr) return NullPointer("pHost");
    if (pDevice == nullptr) return NullPointer("pDevice");
    if (flag != 0) return NotAllowed(Fault::kInvalidParam, "flag", flag, "0 (reserved)");
    if (belay::runtime::GetPointerInfo(pHost).kind != PlaceKind::kRegisteredHost) {
      return belay::Refuse(Fault::kHostMemoryNotRegistered,
                           "pHost is {}; allowed memory registered by aclrtHostRegister",
                           machine.memory().Describe(pHost));
    }
    *pDevice = pHost;  // host and device share one address space here
    return {};
  });
}

aclError aclrtHostUnregister(void* ptr) {
  return AclCall({"aclrtHostUnregister", kSource}, [&](Machine& machine) -> Status {
    if (ptr == nullptr) return NullPointer("ptr");
    return machine.memory().Unregister(ptr);
  });
}
