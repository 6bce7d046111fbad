// The threads that drain streams. One belongs to each stream that has queued work, so a stream that
// waits for an event holds nobody else up; threads are kept for the next stream that needs one.
//
// The machine's executor owns the threads and ends them when the process ends (Stop).
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "runtime/handle_table.h"
#include "runtime/stream.h"

namespace belay::runtime {

class Executor {
 public:
  Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  /// Has a thread drain the stream soon. False when there is neither a thread nor one to be had.
  [[nodiscard]] bool Start(const Ref<Stream>& stream) noexcept;

  /// Lets threads end after their current task; waits for them at most this long.
  void Stop(std::chrono::milliseconds patience) noexcept;

 private:
  void Work() noexcept;

  std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::deque<Ref<Stream>> ready_;
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0;
  std::size_t ended_ = 0;
  bool stopping_ = false;
};

}  // namespace belay::runtime
