// Counts objects that a device has a limited number of.
#pragma once

#include <atomic>
#include <cstdint>

namespace belay::runtime {

/// Counts an object as long as it lives.
class LiveCount {
 public:
  explicit LiveCount(std::atomic<std::uint32_t>& counter) noexcept : counter_(counter) {}
  LiveCount(const LiveCount&) = delete;
  LiveCount& operator=(const LiveCount&) = delete;
  ~LiveCount() { counter_.fetch_sub(1, std::memory_order_relaxed); }

  /// Counts one more unless `limit` is reached; whoever made the object then owns a LiveCount.
  [[nodiscard]] static bool TryAdd(std::atomic<std::uint32_t>& counter,
                                   std::uint32_t limit) noexcept {
    std::uint32_t count = counter.load(std::memory_order_relaxed);
    do {
      if (count >= limit) return false;
    } while (!counter.compare_exchange_weak(count, count + 1, std::memory_order_relaxed));
    return true;
  }

 private:
  std::atomic<std::uint32_t>& counter_;
};

}  // namespace belay::runtime
