#include "runtime/device_memory.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/checked_math.h"
#include "runtime/context.h"
#include "runtime/host_page.h"
#include "runtime/machine.h"

namespace belay::runtime {
namespace {

constexpr std::size_t kAlignment = 32;

// Chips whose aclrtMalloc reserves no extra 32 bytes.
constexpr FamilySet kWithoutExtra = {Family::kAscend950, Family::kAscend350};

// aclrtMemAttr in its numbering: which kind of memory each value speaks of.
enum class AttributeKind : std::uint8_t { kDdr, kHbm, kAny };
constexpr std::array kAttributeKinds = {
    AttributeKind::kDdr,  // ACL_DDR_MEM
    AttributeKind::kHbm,  // ACL_HBM_MEM
    AttributeKind::kDdr,  // ACL_DDR_MEM_HUGE
    AttributeKind::kDdr,  // ACL_DDR_MEM_NORMAL
    AttributeKind::kHbm,  // ACL_HBM_MEM_HUGE
    AttributeKind::kHbm,  // ACL_HBM_MEM_NORMAL
    AttributeKind::kDdr,  // ACL_DDR_MEM_P2P_HUGE
    AttributeKind::kDdr,  // ACL_DDR_MEM_P2P_NORMAL
    AttributeKind::kHbm,  // ACL_HBM_MEM_P2P_HUGE
    AttributeKind::kHbm,  // ACL_HBM_MEM_P2P_NORMAL
    AttributeKind::kHbm,  // ACL_HBM_MEM_HUGE1G
    AttributeKind::kHbm,  // ACL_HBM_MEM_P2P_HUGE1G
    AttributeKind::kAny,  // ACL_MEM_NORMAL
    AttributeKind::kAny,  // ACL_MEM_HUGE
    AttributeKind::kAny,  // ACL_MEM_HUGE1G
    AttributeKind::kAny,  // ACL_MEM_P2P_NORMAL
    AttributeKind::kAny,  // ACL_MEM_P2P_HUGE
    AttributeKind::kAny,  // ACL_MEM_P2P_HUGE1G
};

std::optional<std::size_t> ChargedBytes(std::size_t size, Padding padding, Family family) {
  const std::optional<std::size_t> rounded = CheckedRoundUp(size, kAlignment);
  if (!rounded || padding == Padding::kTo32 || kWithoutExtra.Has(family)) return rounded;
  return CheckedAdd(*rounded, kAlignment);
}

Status NoDeviceMemory(const Device& device, std::uint64_t size) {
  return Refuse(Fault::kOutOfMemory,
                "size is {}; allowed up to the {} bytes that are free of the {} of device {} ({})",
                size, device.free_bytes(), device.capacity, device.id, device.chip.soc_name);
}

Status ZeroSize() { return NotAllowed(Fault::kInvalidParam, "size", 0, "1 and above"); }

void ObserveAllocate(const Block& block, CallSite site) {
  if (Observer* observer = Machine::Get().observer(); observer != nullptr) {
    observer->OnAllocate(block.range, block.device, site.number);
  }
}

Status FreeBlock(void* address, bool host, CallSite site) {
  Machine& machine = Machine::Get();
  const StatusOr<BlockRef> freed = machine.memory().Free(address, host, site);
  if (!freed) return freed.error();
  const Block& block = **freed;
  if (!host) machine.device(block.device).Credit(block.accounted_bytes);
  if (Observer* observer = machine.observer(); observer != nullptr) {
    observer->OnFree(block.range, block.device, site.number);
  }
  return {};
}

}  // namespace

StatusOr<void*> AllocateOnDevice(std::size_t size, Padding padding, CallSite site) {
  if (size == 0) return Unexpected(ZeroSize());
  // The check for sizes that wrap comes before the context, so it knows no chip.
  if (!CheckedRoundUp(size, kAlignment) || !CheckedAdd(size, 2 * kAlignment)) {
    return Unexpected(NotAllowed(Fault::kInvalidParam, "size", size,
                                 "sizes that can be rounded up to a multiple of 32"));
  }
  const StatusOr<Ref<Context>> current = CurrentContext();
  if (!current) return Unexpected(current.error());
  Machine& machine = Machine::Get();
  Device& device = machine.device((*current)->device);
  const std::size_t charged = *ChargedBytes(size, padding, device.chip.family);
  if (!device.Charge(charged)) return Unexpected(NoDeviceMemory(device, size));
  try {
    StatusOr<BlockRef> block = machine.memory().Allocate(size, device.id, charged, site);
    if (block) {
      ObserveAllocate(**block, site);
      return reinterpret_cast<void*>((*block)->range.begin);
    }
    device.Credit(charged);
    return Unexpected(std::move(block).error());
  } catch (...) {
    device.Credit(charged);
    throw;
  }
}

Status FreeOnDevice(void* address, CallSite site) { return FreeBlock(address, false, site); }

StatusOr<void*> AllocateOnHost(std::size_t size, CallSite site) {
  if (size == 0) return Unexpected(ZeroSize());
  StatusOr<BlockRef> block = Machine::Get().memory().Allocate(size, kHostMemory, 0, site);
  if (!block) return Unexpected(std::move(block).error());
  ObserveAllocate(**block, site);
  return reinterpret_cast<void*>((*block)->range.begin);
}

Status FreeOnHost(void* address, CallSite site) { return FreeBlock(address, true, site); }

Status ChargeDevice(Device& device, std::uint64_t bytes) {
  return device.Charge(bytes) ? Status() : NoDeviceMemory(device, bytes);
}

Status RequireDeviceMemory(const void* address, std::size_t size) {
  const MemoryMap& memory = Machine::Get().memory();
  const StatusOr<Place> place = memory.Locate("devPtr", address, size);
  if (!place) return place.error();
  if (place->kind == PlaceKind::kDevice) return {};
  return Refuse(Fault::kParamInvalid, "devPtr is {}; allowed memory of a device",
                memory.Describe(address));
}

Status CheckMemoryAttribute(std::uint32_t attribute, const Chip& chip, std::string_view argument) {
  const bool hbm = chip.memory_kind == DeviceMemory::kHbm;
  const bool known = attribute < kAttributeKinds.size();
  if (known && kAttributeKinds[attribute] != (hbm ? AttributeKind::kDdr : AttributeKind::kHbm)) {
    return {};
  }
  return Refuse(Fault::kInvalidMemoryType,
                "{} is {}; allowed on {}: the {} attributes and ACL_MEM_NORMAL and later (12 to "
                "17)",
                argument, static_cast<std::int32_t>(attribute), chip.soc_name,
                hbm ? "ACL_HBM_" : "ACL_DDR_");
}

StatusOr<MemoryInfo> GetMemoryInfo(std::uint32_t attribute) {
  const StatusOr<Ref<Context>> current = CurrentContext();
  if (!current) return Unexpected(current.error());
  const Device& device = Machine::Get().device((*current)->device);
  if (Status status = CheckMemoryAttribute(attribute, device.chip, "attr"); !status.ok()) {
    return Unexpected(std::move(status));
  }
  return MemoryInfo{device.free_bytes(), device.capacity};
}

PointerInfo GetPointerInfo(const void* address) {
  const StatusOr<Place> place = Machine::Get().memory().Locate("ptr", address, 1);
  if (!place) return {PlaceKind::kPageableHost, kHostMemory, 0};
  const bool huge = place->block != nullptr && place->block->range.size >= Heap::kHugePage;
  return {place->kind, place->device,
          huge ? static_cast<std::uint32_t>(Heap::kHugePage)
               : static_cast<std::uint32_t>(HostPageBytes())};
}

}  // namespace belay::runtime
