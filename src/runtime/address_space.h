// Addresses without memory, which aclrtReserveMemAddress gives out and mappings fill.
//
// Like a heap's, they are never given back to the system: an address that once was a device's can
// never turn up as ordinary host memory. Nothing can be read or written there while nothing is
// mapped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "base/byte_range.h"
#include "base/export.h"
#include "runtime/block.h"
#include "runtime/range_pool.h"

namespace belay::runtime {

class BELAY_EXPORT AddressSpace {
 public:
  AddressSpace() = default;
  AddressSpace(const AddressSpace&) = delete;
  AddressSpace& operator=(const AddressSpace&) = delete;

  /// Free addresses, at `wish` when they are free there (0: no wish). `alignment` is a power of two
  /// and a multiple of the host's page. Nothing when the system has none; may throw std::bad_alloc.
  [[nodiscard]] std::optional<ByteRange> Take(std::size_t size, std::size_t alignment,
                                              std::uintptr_t wish);
  void Give(ByteRange range) noexcept;

  /// Whether the address was ever taken from the system here.
  [[nodiscard]] bool Owns(std::uintptr_t address) const noexcept;

 private:
  [[nodiscard]] bool TakeAt(ByteRange range);
  /// The system's addresses from then on ours: `size` bytes, at `wish` or anywhere.
  [[nodiscard]] std::optional<ByteRange> AddExtent(std::size_t size, std::uintptr_t wish);

  mutable std::mutex mutex_;  // guards all below
  std::vector<ByteRange> extents_;
  RangePool free_;
};

/// One reserved range. It lives until it is released and no queued work uses a mapping in it.
class BELAY_EXPORT Reservation {
 public:
  Reservation(AddressSpace& space, ByteRange where, std::int32_t owner, CallSite site)
      : range(where), device(owner), origin(site), space_(space) {}
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;
  ~Reservation() { space_.Give(range); }

  const ByteRange range;
  const std::int32_t device;  // whose context was current
  const CallSite origin;

  /// Marks a part as filled by a mapping; false when some mapping, ended or not, still fills part
  /// of it.
  [[nodiscard]] bool Occupy(ByteRange part);
  /// The mapping is gone.
  void Vacate(ByteRange part) noexcept;

 private:
  AddressSpace& space_;
  std::mutex mutex_;  // guards occupied_
  std::map<std::uintptr_t, std::size_t> occupied_;
};

}  // namespace belay::runtime
