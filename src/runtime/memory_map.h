// All memory the process got from aclrtMalloc, aclrtMallocHost, aclrtMapMem and aclrtHostRegister:
// what is at an address, who allocated it, who freed it, and whether a range of bytes lies within
// one block, or within mappings that follow one another.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_range.h"
#include "base/export.h"
#include "base/status.h"
#include "runtime/address_space.h"
#include "runtime/block.h"
#include "runtime/heap.h"
#include "runtime/host_budget.h"
#include "runtime/physical_memory.h"
#include "runtime/read_mostly_mutex.h"

namespace belay::runtime {

enum class PlaceKind : std::uint8_t { kPageableHost, kPageLockedHost, kRegisteredHost, kDevice };

/// What lies at a range of addresses.
struct Place {
  PlaceKind kind = PlaceKind::kPageableHost;
  std::int32_t device = kHostMemory;
  /// Set for kDevice and kPageLockedHost. A range in several mappings holds all of them; it points
  /// to the first.
  BlockRef block;
};

class BELAY_EXPORT MemoryMap {
 public:
  /// `let_launches_end` returns when every launch has ended that began before it and holds neither
  /// references nor a Reading (see endings).
  explicit MemoryMap(
      std::size_t device_count, std::function<void()> let_launches_end = [] {});

  /// A new block on a device, or page-locked on the host. kOutOfMemory when the host cannot commit
  /// it.
  [[nodiscard]] StatusOr<BlockRef> Allocate(std::size_t size, std::int32_t device,
                                            std::uint64_t charged, CallSite origin);

  /// Ends the block that starts at `address` and is of device or host memory as asked.
  /// kParamInvalid otherwise; the message says what the address is.
  [[nodiscard]] StatusOr<BlockRef> Free(const void* address, bool host, CallSite site);

  // Reserved addresses, physical memory, and mappings (memory_map_virtual.cc). Sizes, offsets and
  // addresses of mappings are multiples of the host's page.
  /// Addresses without memory, which belong to the device; `alignment` is a power of two.
  /// kOutOfMemory when the system has none.
  [[nodiscard]] StatusOr<void*> Reserve(std::size_t size, std::size_t alignment, const void* wish,
                                        std::int32_t device, CallSite origin);
  /// Ends the reservation that starts at `address` and has no live mapping; else kParamInvalid.
  [[nodiscard]] Status Release(const void* address);
  /// Memory without addresses. kOutOfMemory when the host cannot commit it.
  [[nodiscard]] StatusOr<std::shared_ptr<PhysicalMemory>> AllocatePhysical(std::size_t size,
                                                                           std::int32_t device,
                                                                           CallSite origin);
  /// A new block: the share's bytes from `offset` on, at reserved addresses. kParamInvalid when
  /// they are not all reserved in one range and free.
  [[nodiscard]] StatusOr<BlockRef> Map(const void* address, std::size_t size,
                                       const PhysicalShare& share, std::size_t offset,
                                       CallSite origin);
  /// Ends the mapping that starts at `address`; else kParamInvalid.
  [[nodiscard]] StatusOr<BlockRef> Unmap(const void* address, CallSite site);

  /// Ends all blocks of a device: its heap's, mappings of its memory, and what is mapped in its
  /// reservations. Returns them, by address.
  [[nodiscard]] std::map<std::uintptr_t, BlockRef> FreeAll(std::int32_t device,
                                                           CallSite site) noexcept;
  /// Ends the reservations of a device, which have no live mappings.
  void ReleaseAll(std::int32_t device) noexcept;

  /// While it is held no block is freed and no registration ends. Its thread must not call this map
  /// meanwhile but with it.
  using Reading = std::shared_lock<ReadMostlyMutex>;
  [[nodiscard]] Reading Read() const { return Reading(mutex_); }

  /// What [address, address + size) is. Memory that this map knows must be alive and large enough,
  /// else kParamInvalid; any other host memory is taken as it is. Throws std::bad_alloc when a
  /// range in several mappings cannot be held.
  [[nodiscard]] StatusOr<Place> Locate(std::string_view argument, const void* address,
                                       std::size_t size) const {
    return Locate(Read(), argument, address, size);
  }
  [[nodiscard]] StatusOr<Place> Locate(const Reading& reading, std::string_view argument,
                                       const void* address, std::size_t size) const;

  /// The device in one of whose live blocks the whole range lies; kHostMemory when Locate is to be
  /// asked. Takes no reference, which many threads would share.
  [[nodiscard]] std::int32_t DeviceHolding(const Reading& reading, const void* address,
                                           std::size_t size) const noexcept;

  /// Rises when a block, a registration or a device's access to another ends: while it stands
  /// still, what Locate answered for blocks and registered memory stays true. After it has risen
  /// `let_launches_end` is called, before anything of what ended is let go: who asks where that
  /// function waits for him may use what he knows until then.
  [[nodiscard]] std::uint64_t endings() const noexcept { return endings_.load(); }

  /// A device has lost access to the memory of another: what anybody remembers of it is void.
  void EndAccess() noexcept;

  /// Gives the memory that a device's freed blocks left back to the host.
  void Trim(std::int32_t device) noexcept { Trim(HeapOf(device)); }

  /// Declares host memory as reachable for devices.
  Status Register(void* address, std::size_t size, CallSite site);
  Status Unregister(void* address);

  /// "the middle of a block of 64 bytes ...", "freed by aclrtFree (call 7)", "host memory".
  [[nodiscard]] std::string Describe(const void* address) const noexcept {
    return Describe(Read(), address);
  }
  [[nodiscard]] std::string Describe(const Reading& reading, const void* address) const noexcept;

  [[nodiscard]] HostBudget& budget() noexcept { return budget_; }

 private:
  struct Freed {
    std::size_t size;
    CallSite origin;
    CallSite site;
  };
  struct Registered {
    std::size_t size;
    CallSite origin;
  };

  using LiveBlocks = std::map<std::uintptr_t, BlockRef>;

  /// A promise of the host, if need be for what freed blocks left.
  [[nodiscard]] Status Promise(std::size_t bytes, std::size_t size);
  /// Memory with a promise of the host behind it; nothing when the host has neither.
  [[nodiscard]] StatusOr<ByteRange> TakeMemory(Heap& heap, std::size_t size);
  /// The same for a place in the store of physical memory.
  [[nodiscard]] StatusOr<ByteRange> TakePhysical(std::size_t size);
  [[nodiscard]] Heap& HeapOf(std::int32_t device) {
    return heaps_[static_cast<std::size_t>(std::int64_t{device} + 1)];
  }
  void Trim(Heap& heap) noexcept { budget_.Release(heap.Trim()); }
  [[nodiscard]] bool Owns(std::uintptr_t address) const noexcept;
  [[nodiscard]] std::string DescribeLocked(std::uintptr_t address) const noexcept;
  /// Where the memory ends that begins in the block `first`: there, or with the last of the
  /// mappings of the same device and reservation that follow it without a gap, up to `end`.
  [[nodiscard]] std::uintptr_t EndOfMemory(LiveBlocks::const_iterator first,
                                           std::uintptr_t end) const noexcept;
  /// A reference to the block `first` that holds all blocks up to `end`.
  [[nodiscard]] static BlockRef HoldUpTo(LiveBlocks::const_iterator first, std::uintptr_t end);
  /// Remembers a freed block; without memory it is forgotten, for freeing must not fail.
  void Bury(const Block& block, CallSite site) noexcept;
  /// What was known of freed blocks in this place is history now.
  void Forget(ByteRange range) noexcept;

  /// The lock of a call that ends something. When it goes, so do the launches that may not know.
  class Ending {
   public:
    explicit Ending(MemoryMap& map) : map_(map), lock_(map.mutex_) {}
    Ending(const Ending&) = delete;
    Ending& operator=(const Ending&) = delete;
    ~Ending() {
      lock_.unlock();
      if (counted_) map_.let_launches_end_();
    }
    void Count() noexcept {
      ++map_.endings_;
      counted_ = true;
    }

   private:
    MemoryMap& map_;
    std::unique_lock<ReadMostlyMutex> lock_;
    bool counted_ = false;
  };

  const std::function<void()> let_launches_end_;
  HostBudget budget_;
  std::deque<Heap> heaps_;  // host first, then the devices
  AddressSpace addresses_;
  PhysicalStore physical_;
  mutable ReadMostlyMutex mutex_;  // guards all below
  std::atomic<std::uint64_t> endings_{0};
  LiveBlocks live_;
  std::map<std::uintptr_t, Freed> freed_;
  std::map<std::uintptr_t, Registered> registered_;
  std::map<std::uintptr_t, std::shared_ptr<Reservation>> reserved_;
};

}  // namespace belay::runtime
