#include "runtime/read_mostly_mutex.h"

#include <algorithm>

namespace belay::runtime {

// In one place only: inline, each library of the process would count its threads for itself, and a
// lock would be let go in another shard than it was taken in. Initial-exec: the launch path asks.
std::size_t ReadMostlyMutex::ShardOfThisThread() noexcept {
  static std::atomic<std::size_t> threads{0};
  [[gnu::tls_model("initial-exec")]] static thread_local std::size_t number =
      0;  // 0: not asked yet
  if (number == 0) [[unlikely]]
    number = threads.fetch_add(1, std::memory_order_relaxed) + 1;
  return number % kShards;
}

void ReadMostlyMutex::lock_shared() {
  Shard& shard = shards_[ShardOfThisThread()];
  for (;;) {
    shard.readers.fetch_add(1);
    if (writing_.load() == 0) [[likely]]
      return;
    Leave(shard);
    writing_.wait(1);
  }
}

void ReadMostlyMutex::unlock_shared() { Leave(shards_[ShardOfThisThread()]); }

void ReadMostlyMutex::Leave(Shard& shard) noexcept {
  if (shard.readers.fetch_sub(1) == 1 && writing_.load() != 0) shard.readers.notify_all();
}

void ReadMostlyMutex::lock() {
  writers_.lock();
  writing_.store(1);
  for (Shard& shard : shards_) {
    for (std::uint32_t readers = shard.readers.load(); readers != 0;
         readers = shard.readers.load()) {
      shard.readers.wait(readers);
    }
  }
}

void ReadMostlyMutex::WaitForReaders() noexcept {
  const auto is_empty = [](const Shard& shard) { return shard.readers.load() == 0; };
  if (std::ranges::all_of(shards_, is_empty)) [[likely]]
    return;
  // Readers may follow each other so closely that a shard is never seen empty; a writer stops them.
  lock();
  unlock();
}

void ReadMostlyMutex::unlock() {
  writing_.store(0);
  writing_.notify_all();
  writers_.unlock();
}

}  // namespace belay::runtime
