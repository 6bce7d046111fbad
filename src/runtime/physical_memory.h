// Memory without addresses: what aclrtMallocPhysical allocates and mappings show.
//
// All of it lies in one file that exists in memory only. Two mappings of the same place show the
// same bytes, and one file serves any number of handles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "base/byte_range.h"
#include "base/export.h"
#include "runtime/block.h"
#include "runtime/device.h"
#include "runtime/host_budget.h"
#include "runtime/range_pool.h"

namespace belay::runtime {

class BELAY_EXPORT PhysicalStore {
 public:
  PhysicalStore() = default;
  PhysicalStore(const PhysicalStore&) = delete;
  PhysicalStore& operator=(const PhysicalStore&) = delete;
  ~PhysicalStore();

  /// A place for `size` bytes; nothing when the system has no such files or no room in them. May
  /// throw std::bad_alloc; then nothing has changed.
  [[nodiscard]] std::optional<ByteRange> Take(std::size_t size);
  /// Gives the memory of a place back to the system.
  void Give(ByteRange place) noexcept;

  /// Lets the addresses, which must be of an AddressSpace, show a place; false when the system
  /// cannot.
  [[nodiscard]] bool Show(ByteRange place, std::uintptr_t address) noexcept;
  /// Nothing is to be seen at the addresses any more.
  static void Hide(ByteRange addresses) noexcept;

 private:
  [[nodiscard]] bool Grow(std::size_t size);

  std::mutex mutex_;  // guards all below
  int file_ = -1;
  std::size_t file_size_ = 0;
  RangePool free_;
};

/// The memory of one handle. It lives while the handle, a mapping or queued work does.
class PhysicalMemory {
 public:
  PhysicalMemory(PhysicalStore& in_store, HostBudget& budget, ByteRange where, std::int32_t home,
                 CallSite site)
      : store(in_store), place(where), device(home), origin(site), budget_(budget) {}
  PhysicalMemory(const PhysicalMemory&) = delete;
  PhysicalMemory& operator=(const PhysicalMemory&) = delete;
  ~PhysicalMemory() {
    store.Give(place);
    budget_.Release(place.size);
  }

  PhysicalStore& store;
  const ByteRange place;
  const std::int32_t device;
  const CallSite origin;

 private:
  HostBudget& budget_;
};

/// Bytes that a device's account was charged, until the last owner lets go.
class Charge {
 public:
  Charge(Device& device, std::uint64_t bytes) noexcept : device_(device), bytes_(bytes) {}
  Charge(const Charge&) = delete;
  Charge& operator=(const Charge&) = delete;
  ~Charge() { device_.Credit(bytes_); }

 private:
  Device& device_;
  const std::uint64_t bytes_;
};

/// What a handle and each of its mappings have. Queued work has the memory only: the account is
/// the program's view.
struct PhysicalShare {
  std::shared_ptr<PhysicalMemory> memory;
  std::shared_ptr<Charge> charge;
};

}  // namespace belay::runtime
