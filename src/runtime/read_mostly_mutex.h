// A shared mutex whose readers do not disturb each other.
//
// The readers of an ordinary shared mutex all write to one cache line, so that many threads which
// only launch would still wait for one another. Here each thread reads through a shard of its own
// (some threads share one), and a writer takes all shards.
#pragma once

#include <array>
#include <cstddef>
#include <shared_mutex>

#include "base/export.h"

namespace belay::runtime {

/// Meets SharedLockable: std::shared_lock and std::unique_lock take it. A reader unlocks on the
/// thread that locked, and a thread that reads must not lock again.
class BELAY_EXPORT ReadMostlyMutex {
 public:
  ReadMostlyMutex() = default;
  ReadMostlyMutex(const ReadMostlyMutex&) = delete;
  ReadMostlyMutex& operator=(const ReadMostlyMutex&) = delete;

  void lock_shared();
  void unlock_shared();
  void lock() {
    for (Shard& shard : shards_) shard.mutex.lock();
  }
  void unlock() {
    for (Shard& shard : shards_) shard.mutex.unlock();
  }

 private:
  static constexpr std::size_t kShards = 8;
  static constexpr std::size_t kCacheLine = 64;

  struct alignas(kCacheLine) Shard {
    std::shared_mutex mutex;
  };

  std::array<Shard, kShards> shards_;
};

}  // namespace belay::runtime
