#include "runtime/read_mostly_mutex.h"

#include <atomic>

namespace belay::runtime {
namespace {

// In one place only: inline, each library of the process would count its threads for itself, and a
// lock would be let go in another shard than it was taken in.
std::size_t NumberOfThisThread() noexcept {
  static std::atomic<std::size_t> threads{0};
  static thread_local std::size_t number = 0;  // 0: has not asked yet
  if (number == 0) [[unlikely]]
    number = threads.fetch_add(1, std::memory_order_relaxed) + 1;
  return number;
}

}  // namespace

void ReadMostlyMutex::lock_shared() { shards_[NumberOfThisThread() % kShards].mutex.lock_shared(); }

void ReadMostlyMutex::unlock_shared() {
  shards_[NumberOfThisThread() % kShards].mutex.unlock_shared();
}

}  // namespace belay::runtime
