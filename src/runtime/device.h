// One virtual device: its memory account, its counters and its primary context.
#pragma once

#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>

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
};

}  // namespace belay::runtime
