#include "runtime/memory_map.h"

#include <sys/mman.h>

#include <algorithm>
#include <iterator>
#include <mutex>
#include <new>

#include "base/checked_math.h"
#include "runtime/find_containing.h"
#include "runtime/host_page.h"

namespace belay::runtime {
namespace {

constexpr std::size_t kMaxRemembered = 65536;

std::size_t SizeOfBlock(const BlockRef& block) { return block->range.size; }
std::size_t SizeOfReservation(const std::shared_ptr<Reservation>& reservation) {
  return reservation->range.size;
}
template <class T>
std::size_t SizeOfEntry(const T& entry) {
  return entry.size;
}

// Whether the system has any mapping there; reading a hole would end the program.
bool IsMapped(ByteRange range) {
  const std::size_t page = HostPageBytes();
  const std::uintptr_t begin = range.begin & ~(std::uintptr_t{page} - 1);
  std::vector<unsigned char> residency;
  constexpr std::uintptr_t kStep = std::uintptr_t{1} << 30;  // 256 KiB of answer at a time
  for (std::uintptr_t at = begin; at < range.end(); at += kStep) {
    const std::size_t length = std::min<std::uintptr_t>(kStep, range.end() - at);
    residency.resize((length + page - 1) / page);
    if (::mincore(reinterpret_cast<void*>(at), length, residency.data()) != 0) return false;
  }
  return true;
}

}  // namespace

MemoryMap::MemoryMap(std::size_t device_count, std::function<void()> let_launches_end)
    : let_launches_end_(std::move(let_launches_end)) {
  for (std::size_t i = 0; i < device_count + 1; ++i) heaps_.emplace_back();
}

Status MemoryMap::Promise(std::size_t bytes, std::size_t size) {
  if (budget_.Reserve(bytes)) return {};
  for (Heap& any : heaps_) Trim(any);
  if (budget_.Reserve(bytes)) return {};
  return Refuse(Fault::kOutOfMemory,
                "size is {}; allowed up to {}, which this host can still commit", size,
                budget_.Available());
}

StatusOr<ByteRange> MemoryMap::TakeMemory(Heap& heap, std::size_t size) {
  const std::optional<std::size_t> footprint = Heap::Footprint(size);
  if (!footprint) {
    return Unexpected(Refuse(Fault::kOutOfMemory,
                             "size is {}; allowed what can be rounded up to a multiple of {}", size,
                             Heap::kGranularity));
  }
  if (const std::optional<ByteRange> kept = heap.AllocateKept(size)) return *kept;
  if (Status status = Promise(*footprint, size); !status.ok()) {
    return Unexpected(std::move(status));
  }
  try {
    if (const std::optional<ByteRange> fresh = heap.AllocateFresh(size)) return *fresh;
  } catch (...) {
    budget_.Release(*footprint);
    throw;
  }
  budget_.Release(*footprint);
  return Unexpected(
      Refuse(Fault::kOutOfMemory, "size is {}; the host refuses that much address space", size));
}

StatusOr<BlockRef> MemoryMap::Allocate(std::size_t size, std::int32_t device, std::uint64_t charged,
                                       CallSite origin) {
  Heap& heap = HeapOf(device);
  const StatusOr<ByteRange> range = TakeMemory(heap, size);
  if (!range) return Unexpected(range.error());
  BlockRef block;
  try {
    block = std::make_shared<HeapBlock>(heap, budget_, *range, device, charged, origin);
  } catch (...) {
    if (!heap.Free(*range)) budget_.Release(*Heap::Footprint(size));
    throw;
  }
  // From here the block owns memory and promise.
  const std::unique_lock lock(mutex_);
  live_.emplace(block->range.begin, block);
  Forget(block->range);
  return block;
}

StatusOr<BlockRef> MemoryMap::Free(const void* address, bool host, CallSite site) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  Ending ending(*this);
  const auto it = live_.find(begin);
  if (it == live_.end() || it->second->reservation() != nullptr ||
      (it->second->device == kHostMemory) != host) {
    return Unexpected(Refuse(Fault::kParamInvalid,
                             "{} is {}; allowed the start of a live block of {}",
                             host ? "hostPtr" : "devPtr", DescribeLocked(begin),
                             host ? "aclrtMallocHost" : "aclrtMalloc"));
  }
  BlockRef block = it->second;
  Bury(*block, site);
  live_.erase(it);
  ending.Count();
  return block;
}

std::map<std::uintptr_t, BlockRef> MemoryMap::FreeAll(std::int32_t device, CallSite site) noexcept {
  std::map<std::uintptr_t, BlockRef> blocks;
  Ending ending(*this);
  for (auto it = live_.begin(); it != live_.end();) {
    const auto block = it++;
    const Reservation* const reservation = block->second->reservation();
    const bool in_its_addresses = reservation != nullptr && reservation->device == device;
    if (block->second->device != device && !in_its_addresses) continue;
    Bury(*block->second, site);
    block->second->End();
    ending.Count();
    blocks.insert(live_.extract(block));  // the entry changes hands; nothing is allocated
  }
  return blocks;
}

void MemoryMap::Bury(const Block& block, CallSite site) noexcept {
  try {
    if (freed_.size() >= kMaxRemembered) freed_.erase(freed_.begin());
    freed_.insert_or_assign(block.range.begin, Freed{block.range.size, block.origin, site});
  } catch (const std::bad_alloc&) {
    // Messages about the block will say less.
  }
}

void MemoryMap::Forget(ByteRange range) noexcept {
  auto stale = freed_.lower_bound(range.begin);
  if (stale != freed_.begin() &&
      std::prev(stale)->first + std::prev(stale)->second.size > range.begin) {
    --stale;
  }
  while (stale != freed_.end() && stale->first < range.end()) stale = freed_.erase(stale);
}

std::int32_t MemoryMap::DeviceHolding(const Reading& /*reading*/, const void* address,
                                      std::size_t size) const noexcept {
  const std::optional<ByteRange> range = ByteRange::At(address, size);
  if (!range) return kHostMemory;
  const auto it = FindContaining(live_, range->begin, SizeOfBlock);
  if (it == live_.end() || !it->second->range.Contains(*range)) return kHostMemory;
  return it->second->device;
}

StatusOr<Place> MemoryMap::Locate(const Reading& /*reading*/, std::string_view argument,
                                  const void* address, std::size_t size) const {
  const std::optional<ByteRange> range = ByteRange::At(address, size);
  if (!range) {
    return Unexpected(
        Refuse(Fault::kParamInvalid,
               "{} is {} with {} bytes, which wraps past the end of memory; allowed a "
               "range of existing memory",
               argument, fmt::ptr(address), size));
  }
  const auto it = FindContaining(live_, range->begin, SizeOfBlock);
  if (it != live_.end()) {
    const BlockRef& block = it->second;
    const bool host = block->device == kHostMemory;
    const PlaceKind kind = host ? PlaceKind::kPageLockedHost : PlaceKind::kDevice;
    if (block->range.Contains(*range)) [[likely]]
      return Place{kind, block->device, block};
    const std::uintptr_t end = EndOfMemory(it, range->end());
    if (end < range->end()) {
      return Unexpected(
          Refuse(Fault::kParamInvalid,
                 "{} is {} and needs {} bytes, {} more than {} there; allowed up to {}; it is {}",
                 argument, fmt::ptr(address), size, range->end() - end,
                 block->reservation() == nullptr ? "the block has"
                                                 : Text("are mapped for device {}", block->device),
                 end - range->begin, DescribeLocked(range->begin)));
    }
    return Place{kind, block->device, HoldUpTo(it, range->end())};
  }
  if (Owns(range->begin) || (size != 0 && Owns(range->end() - 1))) {
    return Unexpected(Refuse(Fault::kParamInvalid, "{} is {}; allowed a live block of {} bytes",
                             argument, DescribeLocked(range->begin), size));
  }
  const auto registered = FindContaining(registered_, range->begin, SizeOfEntry<Registered>);
  const bool is_registered = registered != registered_.end() &&
                             ByteRange{registered->first, registered->second.size}.Contains(*range);
  return Place{is_registered ? PlaceKind::kRegisteredHost : PlaceKind::kPageableHost, kHostMemory,
               nullptr};
}

Status MemoryMap::Register(void* address, std::size_t size, CallSite site) {
  const std::optional<ByteRange> range = ByteRange::At(address, size);
  if (!range || Owns(range->begin) || !IsMapped(*range)) {
    return Refuse(
        Fault::kParamInvalid,
        "ptr is {} and size is {}; allowed host memory of the program's own that exists over "
        "the whole size",
        Describe(address), size);
  }
  const std::unique_lock lock(mutex_);
  const auto after = registered_.lower_bound(range->end());
  if (after != registered_.begin()) {
    const auto& [begin, entry] = *std::prev(after);
    if (ByteRange{begin, entry.size}.Overlaps(*range)) {
      return Refuse(
          Fault::kHostMemoryRegistered,
          "ptr is {} with {} bytes, which overlaps {} bytes at {:#x} registered by {} (call "
          "{}); allowed memory that is not registered",
          fmt::ptr(address), size, entry.size, begin, entry.origin.function, entry.origin.number);
    }
  }
  registered_.emplace(range->begin, Registered{size, site});
  return {};
}

Status MemoryMap::Unregister(void* address) {
  Ending ending(*this);
  ending.Count();
  if (registered_.erase(reinterpret_cast<std::uintptr_t>(address)) == 0) {
    return Refuse(Fault::kHostMemoryNotRegistered,
                  "ptr is {}; allowed the start of memory registered by aclrtHostRegister",
                  DescribeLocked(reinterpret_cast<std::uintptr_t>(address)));
  }
  return {};
}

void MemoryMap::EndAccess() noexcept {
  Ending ending(*this);
  ending.Count();
}

bool MemoryMap::Owns(std::uintptr_t address) const noexcept {
  return addresses_.Owns(address) ||
         std::any_of(heaps_.begin(), heaps_.end(),
                     [address](const Heap& heap) { return heap.Owns(address); });
}

std::string MemoryMap::Describe(const Reading& /*reading*/, const void* address) const noexcept {
  return DescribeLocked(reinterpret_cast<std::uintptr_t>(address));
}

std::string MemoryMap::DescribeLocked(std::uintptr_t address) const noexcept {
  const std::string where = Text("{:#x}", address);
  if (const auto it = FindContaining(live_, address, SizeOfBlock); it != live_.end()) {
    const Block& block = *it->second;
    const std::string owner = block.device == kHostMemory
                                  ? Text("page-locked host memory")
                                  : Text("memory of device {}", block.device);
    return Text("{}, {} a block of {} bytes of {} from {} (call {})", where,
                address == block.range.begin ? Text("the start of")
                                             : Text("{} bytes into", address - block.range.begin),
                block.range.size, owner, block.origin.function, block.origin.number);
  }
  const auto freed = FindContaining(freed_, address, SizeOfEntry<Freed>);
  if (freed != freed_.end()) {
    return Text("{}, in a block of {} bytes from {} (call {}) that was freed by {} (call {})",
                where, freed->second.size, freed->second.origin.function,
                freed->second.origin.number, freed->second.site.function,
                freed->second.site.number);
  }
  const auto reserved = FindContaining(reserved_, address, SizeOfReservation);
  if (reserved != reserved_.end()) {
    const Reservation& reservation = *reserved->second;
    return Text(
        "{}, {} bytes into {} bytes of addresses from {} (call {}), where nothing is mapped", where,
        address - reservation.range.begin, reservation.range.size, reservation.origin.function,
        reservation.origin.number);
  }
  if (Owns(address)) return Text("{}, device memory that belongs to no block", where);
  if (FindContaining(registered_, address, SizeOfEntry<Registered>) != registered_.end()) {
    return Text("{}, registered host memory", where);
  }
  return Text("{}, host memory that no aclrtMalloc or aclrtMallocHost gave out", where);
}

}  // namespace belay::runtime
