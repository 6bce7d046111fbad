// Memory of the current device and page-locked host memory: the rules of aclrtMalloc, aclrtFree,
// aclrtGetMemInfo and their kin.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/export.h"
#include "base/status.h"
#include "runtime/memory_map.h"

namespace belay::runtime {

/// How much more than asked for a device allocation is charged.
enum class Padding : std::uint8_t {
  kTo32AndOneMore,  // aclrtMalloc: up to a multiple of 32, and 32 more on chips that want it
  kTo32,            // aclrtMallocAlign32, and pages of 1 GiB
};

/// A block on the current device.
BELAY_EXPORT StatusOr<void*> AllocateOnDevice(std::size_t size, Padding padding, CallSite site);
BELAY_EXPORT Status FreeOnDevice(void* address, CallSite site);
/// Page-locked host memory.
BELAY_EXPORT StatusOr<void*> AllocateOnHost(std::size_t size, CallSite site);
BELAY_EXPORT Status FreeOnHost(void* address, CallSite site);

/// Makes sure that [address, address + size) is live memory of a device.
BELAY_EXPORT Status RequireDeviceMemory(const void* address, std::size_t size);

struct MemoryInfo {
  std::size_t free_bytes;
  std::size_t total_bytes;
};
/// The account of the current device. `attribute` numbers aclrtMemAttr; kInvalidMemoryType for one
/// that the chip does not have.
BELAY_EXPORT StatusOr<MemoryInfo> GetMemoryInfo(std::uint32_t attribute);

/// Where an address lies, as aclrtPointerGetAttributes tells it.
struct PointerInfo {
  PlaceKind kind;
  std::int32_t device;
  std::uint32_t page_bytes;
};
BELAY_EXPORT PointerInfo GetPointerInfo(const void* address);

}  // namespace belay::runtime
