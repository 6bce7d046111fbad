// Waiting with patience, and the end of all waiting when the process ends.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>

#include "runtime/thread_state.h"

namespace belay::runtime {

/// True from the moment the process is on its way out: nobody may wait any more.
extern std::atomic<bool> process_is_ending;

/// How long the end of the process waits for what does not depend on the library alone.
inline constexpr std::chrono::seconds kEndPatience{5};

/// What main made in a function is destroyed by exit() before the library ends, on the main thread.
/// A wait there may be for work of the streams, but also for what only that thread would have done.
/// Asked each kExitLook of such a wait: yes while a stream works, else for kEndPatience in all.
inline constexpr std::chrono::milliseconds kExitLook{100};
[[nodiscard]] bool ExitGoesOnWaiting() noexcept;

/// Waits on `changed` until `ready()`; false when patience or the process ended first.
template <class Ready>
bool WaitUntilReady(std::condition_variable& changed, std::unique_lock<std::mutex>& lock,
                    std::optional<std::chrono::milliseconds> patience, Ready ready) {
  const auto ready_or_ending = [&ready] {
    return ready() || process_is_ending.load(std::memory_order_acquire);
  };
  if (patience) {
    changed.wait_for(lock, *patience, ready_or_ending);
  } else if (!IsInExit()) {
    changed.wait(lock, ready_or_ending);
  } else {
    for (bool go_on = true; go_on && !changed.wait_for(lock, kExitLook, ready_or_ending);) {
      lock.unlock();
      go_on = ExitGoesOnWaiting();
      lock.lock();
    }
  }
  return ready();
}

/// Of a wait that was not ready: whether the process ended it, and not its patience.
[[nodiscard]] inline bool EndedByProcess(std::optional<std::chrono::milliseconds> patience) {
  return !patience || process_is_ending.load(std::memory_order_acquire);
}

}  // namespace belay::runtime
