// The memory map's part for reserved addresses, physical memory and mappings.
#include <iterator>
#include <mutex>
#include <utility>
#include <vector>

#include "runtime/find_containing.h"
#include "runtime/mapping.h"
#include "runtime/memory_map.h"

namespace belay::runtime {

StatusOr<void*> MemoryMap::Reserve(std::size_t size, std::size_t alignment, const void* wish,
                                   std::int32_t device, CallSite origin) {
  const std::optional<ByteRange> range =
      addresses_.Take(size, alignment, reinterpret_cast<std::uintptr_t>(wish));
  if (!range) {
    return Unexpected(Refuse(
        Fault::kOutOfMemory,
        "size is {} and alignment {}; the host refuses that much address space", size, alignment));
  }
  std::shared_ptr<Reservation> reservation;
  try {
    reservation = std::make_shared<Reservation>(addresses_, *range, device, origin);
  } catch (...) {
    addresses_.Give(*range);
    throw;
  }
  const std::unique_lock lock(mutex_);
  reserved_.emplace(range->begin, std::move(reservation));
  Forget(*range);
  return reinterpret_cast<void*>(range->begin);
}

Status MemoryMap::Release(const void* address) {
  std::shared_ptr<Reservation> released;  // let go without the lock
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  const std::unique_lock lock(mutex_);
  const auto it = reserved_.find(begin);
  if (it == reserved_.end()) {
    return Refuse(Fault::kParamInvalid,
                  "virPtr is {}; allowed the start of addresses from aclrtReserveMemAddress",
                  DescribeLocked(begin));
  }
  const auto mapped = live_.lower_bound(begin);
  if (mapped != live_.end() && mapped->first < it->second->range.end()) {
    return Refuse(Fault::kParamInvalid,
                  "virPtr is {:#x}, where something is mapped: {}; allowed after aclrtUnmapMem of "
                  "all mappings",
                  begin, DescribeLocked(mapped->first));
  }
  released = std::move(it->second);
  reserved_.erase(it);
  return {};
}

void MemoryMap::ReleaseAll(std::int32_t device) noexcept {
  const std::unique_lock lock(mutex_);
  for (auto it = reserved_.begin(); it != reserved_.end();) {
    const auto reservation = it++;
    if (reservation->second->device == device) reserved_.erase(reservation);
  }
}

StatusOr<ByteRange> MemoryMap::TakePhysical(std::size_t size) {
  if (Status status = Promise(size, size); !status.ok()) return Unexpected(std::move(status));
  try {
    if (const std::optional<ByteRange> place = physical_.Take(size)) return *place;
  } catch (...) {
    budget_.Release(size);
    throw;
  }
  budget_.Release(size);
  return Unexpected(
      Refuse(Fault::kOutOfMemory,
             "size is {}; the system has no memory files (memfd_create), or none that "
             "large",
             size));
}

StatusOr<std::shared_ptr<PhysicalMemory>> MemoryMap::AllocatePhysical(std::size_t size,
                                                                      std::int32_t device,
                                                                      CallSite origin) {
  const StatusOr<ByteRange> place = TakePhysical(size);
  if (!place) return Unexpected(place.error());
  try {
    return std::make_shared<PhysicalMemory>(physical_, budget_, *place, device, origin);
  } catch (...) {
    physical_.Give(*place);
    budget_.Release(size);
    throw;
  }
}

StatusOr<BlockRef> MemoryMap::Map(const void* address, std::size_t size, const PhysicalShare& share,
                                  std::size_t offset, CallSite origin) {
  const std::optional<ByteRange> range = ByteRange::At(address, size);
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  const std::unique_lock lock(mutex_);
  const auto reserved =
      FindContaining(reserved_, begin, [](const auto& entry) { return entry->range.size; });
  if (reserved == reserved_.end()) {
    return Unexpected(Refuse(Fault::kParamInvalid,
                             "virPtr is {}; allowed addresses from aclrtReserveMemAddress",
                             DescribeLocked(begin)));
  }
  const std::shared_ptr<Reservation>& reservation = reserved->second;
  const std::size_t room = reservation->range.end() - begin;
  if (!range || size > room) {
    return Unexpected(Refuse(Fault::kParamInvalid,
                             "size is {}; allowed up to the {} bytes from virPtr to the end of the "
                             "{} reserved by {} (call {})",
                             size, room, reservation->range.size, reservation->origin.function,
                             reservation->origin.number));
  }
  const auto after = live_.lower_bound(range->end());
  if (after != live_.begin() && std::prev(after)->second->range.Overlaps(*range)) {
    return Unexpected(Refuse(Fault::kParamInvalid,
                             "virPtr is {:#x} with {} bytes, which overlaps what is mapped there: "
                             "{}; allowed addresses where nothing is mapped",
                             begin, size, DescribeLocked(std::prev(after)->first)));
  }
  StatusOr<BlockRef> mapping = Mapping::Make(reservation, *range, share, offset, origin);
  if (!mapping) return mapping;
  live_.emplace(begin, *mapping);
  Forget(*range);
  return mapping;
}

StatusOr<BlockRef> MemoryMap::Unmap(const void* address, CallSite site) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  Ending ending(*this);
  const auto it = live_.find(begin);
  if (it == live_.end() || it->second->reservation() == nullptr) {
    return Unexpected(Refuse(Fault::kParamInvalid,
                             "virPtr is {}; allowed the start of a live mapping of aclrtMapMem",
                             DescribeLocked(begin)));
  }
  BlockRef mapping = it->second;
  Bury(*mapping, site);
  mapping->End();
  live_.erase(it);
  ending.Count();
  return mapping;
}

std::uintptr_t MemoryMap::EndOfMemory(LiveBlocks::const_iterator first,
                                      std::uintptr_t end) const noexcept {
  const Block& block = *first->second;
  std::uintptr_t reached = block.range.end();
  if (block.reservation() == nullptr) return reached;
  for (auto it = std::next(first); reached < end && it != live_.end(); ++it) {
    const Block& next = *it->second;
    if (next.range.begin != reached || next.reservation() != block.reservation() ||
        next.device != block.device) {
      break;
    }
    reached = next.range.end();
  }
  return reached;
}

BlockRef MemoryMap::HoldUpTo(LiveBlocks::const_iterator first, std::uintptr_t end) {
  const auto held = std::make_shared<std::vector<BlockRef>>();
  for (auto it = first; held->empty() || held->back()->range.end() < end; ++it) {
    held->push_back(it->second);
  }
  return {held, first->second.get()};
}

}  // namespace belay::runtime
