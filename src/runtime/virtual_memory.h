// Virtual memory: the rules of aclrtReserveMemAddress, aclrtMallocPhysical, aclrtMapMem and their
// kin.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/export.h"
#include "base/status.h"
#include "runtime/memory_map.h"

namespace belay::runtime {

/// Sizes of reservations, physical memory and mappings are multiples of this, and so are addresses
/// and offsets of mappings.
inline constexpr std::size_t kMappingGranularity = std::size_t{2} << 20;

struct AddressRequest {
  std::size_t size = 0;
  std::size_t alignment = 0;  // 0: the granularity
  const void* wish = nullptr;
  std::uint64_t flags = 0;  // page kind
};
/// Addresses for the current device. A wish that cannot be met is passed over.
BELAY_EXPORT StatusOr<void*> ReserveAddresses(const AddressRequest& request, CallSite site);
BELAY_EXPORT Status ReleaseAddresses(const void* address);

/// Properties of physical memory, in the numbering of the API's enums.
struct PhysicalProperties {
  std::int32_t handle_type = 0;
  std::int32_t allocation_type = 0;
  std::int32_t attribute = 0;
  std::int32_t location_type = 0;
  std::uint32_t location_id = 0;
};
/// A handle for memory of the device that the properties name.
BELAY_EXPORT StatusOr<void*> AllocatePhysical(std::size_t size,
                                              const PhysicalProperties& properties, CallSite site);
/// Ends the handle; the memory lives until it is unmapped everywhere.
BELAY_EXPORT Status FreePhysical(const void* handle);
BELAY_EXPORT StatusOr<std::size_t> GetMappingGranularity(const PhysicalProperties& properties);

struct MappingRequest {
  const void* address = nullptr;
  std::size_t size = 0;
  std::size_t offset = 0;  // into the physical memory
  const void* handle = nullptr;
};
BELAY_EXPORT Status MapPhysical(const MappingRequest& request, CallSite site);
BELAY_EXPORT Status UnmapPhysical(const void* address, CallSite site);

}  // namespace belay::runtime
