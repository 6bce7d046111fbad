// Faults that the tasks of one stream met and that no waiting call has returned yet.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "base/export.h"
#include "base/status.h"

namespace belay::runtime {

/// What the streams of one context share about failure mode STOP.
struct FailureStop {
  /// Uncollected faults of streams in mode STOP; while there is one, all streams drop their work.
  std::atomic<std::uint32_t> faults{0};
  std::atomic<std::uint64_t> dropped_tasks{0};
};

/// Which task: where it ran, and which thread of the program submitted it.
struct TaskOrigin {
  std::int32_t device = 0;
  std::int32_t stream = 0;
  std::uint32_t thread = 0;
};

/// One fault; `ordinal` puts the faults of all streams in the order in which they happened.
struct TaskFault {
  std::uint64_t ordinal = 0;
  std::uint64_t sequence = 0;
  Status status;
  bool stops = false;
  TaskOrigin origin;
};

class BELAY_EXPORT FaultLog {
 public:
  explicit FaultLog(std::shared_ptr<FailureStop> stop);
  FaultLog(const FaultLog&) = delete;
  FaultLog& operator=(const FaultLog&) = delete;
  ~FaultLog();

  /// Keeps the fault of task `sequence`. `stops`: the stream is in failure mode STOP. A fault is
  /// never lost; without memory it is joined to the one before.
  void Add(std::uint64_t sequence, Status status, bool stops, TaskOrigin origin = {}) noexcept;

  /// Whether the stream's next task is to be dropped; counts it if so.
  [[nodiscard]] bool DropsNext() noexcept {
    if (stop_->faults.load(std::memory_order_acquire) == 0) return false;
    stop_->dropped_tasks.fetch_add(1, std::memory_order_relaxed);
    return true;
  }

  /// Moves the faults of tasks up to `sequence` to `faults`.
  void Take(std::uint64_t sequence, std::vector<TaskFault>& faults);

  [[nodiscard]] bool empty() const noexcept {
    return pending_.load(std::memory_order_acquire) == 0;
  }

 private:
  const std::shared_ptr<FailureStop> stop_;
  std::atomic<std::size_t> pending_{0};
  std::mutex mutex_;  // guards entries_
  std::vector<TaskFault> entries_;
};

/// What one waiting call returns for the faults it collected: the first, with the messages of the
/// rest, or as many as fit into a message queue and how many more there are. Ok when there is none.
[[nodiscard]] BELAY_EXPORT Status Summarize(std::vector<TaskFault> faults) noexcept;

}  // namespace belay::runtime
