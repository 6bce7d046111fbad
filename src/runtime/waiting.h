// Waiting with patience, and the end of all waiting when the process ends.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>

namespace belay::runtime {

/// True from the moment the process is on its way out: nobody may wait any more.
extern std::atomic<bool> process_is_ending;

/// Waits on `changed` until `ready()`; false when patience or the process ended first.
template <class Ready>
bool WaitUntilReady(std::condition_variable& changed, std::unique_lock<std::mutex>& lock,
                    std::optional<std::chrono::milliseconds> patience, Ready ready) {
  const auto ready_or_ending = [&ready] {
    return ready() || process_is_ending.load(std::memory_order_acquire);
  };
  if (patience) {
    changed.wait_for(lock, *patience, ready_or_ending);
  } else {
    changed.wait(lock, ready_or_ending);
  }
  return ready();
}

}  // namespace belay::runtime
