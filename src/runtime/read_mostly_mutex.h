// A shared mutex whose readers do not disturb each other, and cost two atomic additions.
//
// The readers of an ordinary shared mutex all write to one cache line, so that many threads which
// only launch would still wait for one another. Here each thread reads through a shard of its own
// (some threads share one), and a writer waits until all shards are empty.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

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
  void lock();
  void unlock();

  /// Returns when everybody has let go who reads now. What the caller did before is seen by whoever
  /// reads from now on. Costs little when nobody reads. A thread that reads must not call it.
  void WaitForReaders() noexcept;

 private:
  static constexpr std::size_t kShards = 8;
  static constexpr std::size_t kCacheLine = 64;

  struct alignas(kCacheLine) Shard {
    std::atomic<std::uint32_t> readers{0};
  };

  static std::size_t ShardOfThisThread() noexcept;
  void Leave(Shard& shard) noexcept;

  // A reader counts itself and then looks for a writer; a writer shows itself and then looks for
  // readers. All of it is sequentially consistent, so one of the two sees the other.
  std::array<Shard, kShards> shards_;
  alignas(kCacheLine) std::atomic<std::uint32_t> writing_{0};
  std::mutex writers_;  // held by the writer
};

}  // namespace belay::runtime
