// One virtual device: its memory account, its counters and its primary context.
#pragma once

#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>

#include "base/float_overflow.h"
#include "base/product.h"
#include "runtime/fault_log.h"

namespace belay::runtime {

class Device {
 public:
  Device(std::int32_t user_id, std::int32_t chip_id, const Chip& model)
      : id(user_id), physical_id(chip_id), chip(model), capacity(MemoryCapacity(model)) {}
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const std::int32_t id;           // as the program counts, filtered by ASCEND_RT_VISIBLE_DEVICES
  const std::int32_t physical_id;  // before the filter
  const Chip& chip;
  const std::uint64_t capacity;

  /// Charges the memory account; false when the chip has not that much left.
  [[nodiscard]] bool Charge(std::uint64_t bytes) noexcept {
    std::uint64_t used = used_bytes_.load(std::memory_order_relaxed);
    do {
      if (bytes > capacity - used) return false;
    } while (!used_bytes_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
    return true;
  }
  void Credit(std::uint64_t bytes) noexcept {
    used_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t free_bytes() const noexcept {
    return capacity - used_bytes_.load(std::memory_order_relaxed);
  }

  /// Whether what runs on this device may touch the memory of `other` (a user id). Its own it may
  /// always; that of others after AllowPeer, which does not work the other way round.
  [[nodiscard]] bool Reaches(std::int32_t other) const noexcept {
    return other == id || (peers_.load(std::memory_order_acquire) >> other & 1U) != 0;
  }
  void AllowPeer(std::int32_t other) noexcept {
    peers_.fetch_or(1U << other, std::memory_order_acq_rel);
  }
  /// Whoever remembers that memory was in reach must be told: MemoryMap::EndAccess.
  void ForbidPeer(std::int32_t other) noexcept {
    peers_.fetch_and(~(1U << other), std::memory_order_acq_rel);
  }
  void ForbidAllPeers() noexcept { peers_.store(0, std::memory_order_release); }

  /// What operators do with results beyond the range of a type.
  std::atomic<FloatOverflow> float_overflow{FloatOverflow::kInfNan};

  // How many exist, and the next id.
  std::atomic<std::uint32_t> live_streams{0};
  std::atomic<std::uint32_t> live_events{0};
  std::atomic<std::int32_t> next_stream_id{0};
  std::atomic<std::uint32_t> next_event_id{0};

  std::mutex mutex;  // guards all below
  void* primary_context = nullptr;
  std::uint32_t set_count = 0;  // aclrtSetDevice less aclrtResetDevice, all threads
  /// Faults of streams that were destroyed before anybody asked: the next wait for the device
  /// returns them.
  std::list<std::shared_ptr<FaultLog>> orphaned_faults;

 private:
  std::atomic<std::uint64_t> used_bytes_{0};
  std::atomic<std::uint32_t> peers_{0};  // bit i: device i; there are 16 at most
};

}  // namespace belay::runtime
