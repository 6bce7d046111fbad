// All memory the process got from aclrtMalloc, aclrtMallocHost and aclrtHostRegister: what is at an
// address, who allocated it, who freed it, and whether a range of bytes lies within one block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_range.h"
#include "base/export.h"
#include "base/status.h"
#include "runtime/heap.h"
#include "runtime/host_budget.h"
#include "runtime/read_mostly_mutex.h"

namespace belay::runtime {

/// An API call as messages name it: "aclrtFree (call 12)".
struct CallSite {
  const char* function = "";
  std::uint64_t number = 0;
};

/// Where memory lives. Devices are numbered by user id; page-locked host memory has this one.
inline constexpr std::int32_t kHostMemory = -1;

/// A block while anybody uses it. Its memory returns to the heap with the last shared_ptr, so a
/// queued launch keeps what it touches; the program's view of it ends with aclrtFree.
class Block {
 public:
  Block(Heap& heap, HostBudget& budget, ByteRange where, std::int32_t home, std::uint64_t charged,
        CallSite site)
      : range(where),
        device(home),
        accounted_bytes(charged),
        origin(site),
        heap_(heap),
        budget_(budget) {}
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  ~Block() {
    // What the heap keeps stays promised.
    if (!heap_.Free(range)) budget_.Release(*Heap::Footprint(range.size));
  }

  const ByteRange range;
  const std::int32_t device;            // or kHostMemory
  const std::uint64_t accounted_bytes;  // what the device's memory account was charged
  const CallSite origin;

 private:
  Heap& heap_;
  HostBudget& budget_;
};

using BlockRef = std::shared_ptr<Block>;

enum class PlaceKind : std::uint8_t { kPageableHost, kPageLockedHost, kRegisteredHost, kDevice };

/// What lies at a range of addresses.
struct Place {
  PlaceKind kind = PlaceKind::kPageableHost;
  std::int32_t device = kHostMemory;
  BlockRef block;  // set for kDevice and kPageLockedHost
};

class BELAY_EXPORT MemoryMap {
 public:
  explicit MemoryMap(std::size_t device_count);

  /// A new block on a device, or page-locked on the host. kOutOfMemory when the host cannot commit
  /// it.
  [[nodiscard]] StatusOr<BlockRef> Allocate(std::size_t size, std::int32_t device,
                                            std::uint64_t charged, CallSite origin);

  /// Ends the block that starts at `address` and is of device or host memory as asked.
  /// kParamInvalid otherwise; the message says what the address is.
  [[nodiscard]] StatusOr<BlockRef> Free(const void* address, bool host, CallSite site);

  /// Ends all blocks of a device. Returns them, by address.
  [[nodiscard]] std::map<std::uintptr_t, BlockRef> FreeAll(std::int32_t device,
                                                           CallSite site) noexcept;

  /// While it is held no block is freed and no registration ends. Its thread must not call this map
  /// meanwhile but with it.
  using Reading = std::shared_lock<ReadMostlyMutex>;
  [[nodiscard]] Reading Read() const { return Reading(mutex_); }

  /// What [address, address + size) is. Memory that this map knows must be alive and large enough,
  /// else kParamInvalid; any other host memory is taken as it is.
  [[nodiscard]] StatusOr<Place> Locate(std::string_view argument, const void* address,
                                       std::size_t size) const {
    return Locate(Read(), argument, address, size);
  }
  [[nodiscard]] StatusOr<Place> Locate(const Reading& reading, std::string_view argument,
                                       const void* address, std::size_t size) const;

  /// Rises when a block, a registration or a device's access to another ends: while it stands
  /// still, what Locate answered for blocks and registered memory stays true.
  [[nodiscard]] std::uint64_t endings(const Reading& /*reading*/) const noexcept {
    return endings_;
  }

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

  /// Memory with a promise of the host behind it; nothing when the host has neither.
  [[nodiscard]] StatusOr<ByteRange> TakeMemory(Heap& heap, std::size_t size);
  [[nodiscard]] Heap& HeapOf(std::int32_t device) {
    return heaps_[static_cast<std::size_t>(std::int64_t{device} + 1)];
  }
  void Trim(Heap& heap) noexcept { budget_.Release(heap.Trim()); }
  [[nodiscard]] bool Owns(std::uintptr_t address) const noexcept;
  [[nodiscard]] std::string DescribeLocked(std::uintptr_t address) const noexcept;
  /// Remembers a freed block; without memory it is forgotten, for freeing must not fail.
  void Bury(const Block& block, CallSite site) noexcept;

  HostBudget budget_;
  std::deque<Heap> heaps_;         // host first, then the devices
  mutable ReadMostlyMutex mutex_;  // guards all below
  std::uint64_t endings_ = 0;
  std::map<std::uintptr_t, BlockRef> live_;
  std::map<std::uintptr_t, Freed> freed_;
  std::map<std::uintptr_t, Registered> registered_;
};

}  // namespace belay::runtime
