// Memory of the current device and page-locked host memory: the rules of aclrtMalloc, aclrtFree,
// aclrtGetMemInfo and their kin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/export.h"
#include "base/product.h"
#include "base/status.h"
#include "runtime/device.h"
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

/// Charges the device's account; kOutOfMemory, with what is free, when it has not that much.
Status ChargeDevice(Device& device, std::uint64_t bytes);

/// Makes sure that [address, address + size) is live memory of a device.
BELAY_EXPORT Status RequireDeviceMemory(const void* address, std::size_t size);

/// kInvalidMemoryType, with the argument's name, for a kind of memory that the chip does not have.
/// `attribute` numbers aclrtMemAttr.
Status CheckMemoryAttribute(std::uint32_t attribute, const Chip& chip, std::string_view argument);

struct MemoryInfo {
  std::size_t free_bytes;
  std::size_t total_bytes;
};
/// The account of the current device; kInvalidMemoryType as above.
BELAY_EXPORT StatusOr<MemoryInfo> GetMemoryInfo(std::uint32_t attribute);

/// Where an address lies, as aclrtPointerGetAttributes tells it.
struct PointerInfo {
  PlaceKind kind;
  std::int32_t device;
  std::uint32_t page_bytes;
};
BELAY_EXPORT PointerInfo GetPointerInfo(const void* address);

}  // namespace belay::runtime
