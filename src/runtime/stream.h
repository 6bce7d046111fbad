// Streams: queues of work that keep their order.
//
// A stream that has nothing to do runs a small launch at once on the calling thread, because waking
// a thread costs more than the work. Otherwise the work is queued and a thread of the executor
// drains the queue; it belongs to the stream until the queue is empty. Both ways go through the
// same code, so a program cannot tell which one was taken.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <variant>
#include <vector>

#include "base/export.h"
#include "base/plan.h"
#include "base/status.h"
#include "runtime/event.h"
#include "runtime/fault_log.h"
#include "runtime/handle_table.h"
#include "runtime/memory_map.h"
#include "runtime/report_queue.h"

namespace belay::runtime {

class Machine;

/// A launch with the blocks it touches, which live at least as long.
struct LaunchTask {
  Launch launch;
  std::array<BlockRef, Launch::kMaxAddresses> blocks;
};

struct RecordTask {
  Ref<Event> event;
  std::shared_ptr<RecordPoint> point;
};

/// Holds the stream until the point is reached or, without a point, until some later record is.
struct WaitTask {
  Ref<Event> event;
  std::shared_ptr<RecordPoint> point;
  std::uint64_t after_ordinal = 0;
  Patience patience;
};

/// Has a thread of the library run the function, and holds the stream meanwhile.
struct HostFunctionTask {
  HostFunction function = nullptr;
  void* argument = nullptr;
};

/// Has the thread that serves the stream run a callback; a report with `held` holds the stream.
struct CallbackTask {
  std::shared_ptr<Subscription> subscription;
  std::shared_ptr<PendingCallback> report;
};

using Task = std::variant<LaunchTask, RecordTask, WaitTask, HostFunctionTask, CallbackTask>;

enum class WaitResult : std::uint8_t { kDone, kTimeout, kProcessEnding };

class BELAY_EXPORT Stream {
 public:
  Stream(Machine& machine, void* owner, std::int32_t on_device, std::int32_t number,
         std::uint32_t initial_priority, std::uint32_t creation_flags,
         std::shared_ptr<FailureStop> stop);
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream();

  void* const context;  // handle of the context it belongs to
  const std::int32_t device;
  const std::int32_t id;
  const std::uint32_t flags;
  std::atomic<std::uint32_t> priority;
  std::atomic<bool> stops_on_failure{false};
  std::atomic<std::uint32_t> overflow_switch{0};
  std::atomic<std::uint32_t> custom_tag{0};
  std::atomic<std::uint32_t> cache_op_info{0};

  /// Appends a task; `self` is the reference through which the caller reached this stream.
  /// kResourceExhausted when no thread can be had for it; then nothing was appended.
  [[nodiscard]] static Status Submit(const Ref<Stream>& self, Task task);
  /// Whether a launch is so little work that RunNow may run it.
  [[nodiscard]] static bool IsLittle(const Plan& plan) noexcept;
  /// Runs a launch of little work at once when the stream is idle and no memory has ended since
  /// `memory_endings`, else returns false and has done nothing. Cheaper than Submit: the stream's
  /// lock stands for references to the blocks, and for the state of a running task.
  [[nodiscard]] static bool RunNow(const Ref<Stream>& self, const Launch& launch,
                                   std::uint64_t memory_endings);
  /// Returns when no launch runs any more that RunNow had begun before.
  void WaitForRunNow() const;
  /// Appends a record of the event, which becomes the event's current point.
  [[nodiscard]] static Status Record(const Ref<Stream>& self, const Ref<Event>& event);

  /// The number of the newest task.
  [[nodiscard]] std::uint64_t Submitted() const;
  [[nodiscard]] bool Idle() const;
  /// Whether something is being done in it: it is neither idle nor stands at an event or a
  /// callback.
  [[nodiscard]] bool Works() const;
  /// Waits for the tasks up to `sequence`.
  [[nodiscard]] WaitResult WaitFor(std::uint64_t sequence, Patience patience);
  /// Whether the tasks so far are done, and the number of the newest of them. Takes no lock.
  [[nodiscard]] bool HasDoneAll(std::uint64_t& sequence) const;
  [[nodiscard]] bool HasNoFaults() const noexcept { return faults_->empty(); }
  /// The faults of tasks up to `sequence` that nobody has got yet.
  void TakeFaults(std::uint64_t sequence, std::vector<TaskFault>& faults) {
    faults_->Take(sequence, faults);
  }

  /// Has a thread serve the stream's callbacks. kStreamSubscribed when one does so already, or when
  /// host functions run in the stream.
  [[nodiscard]] Status Subscribe(std::shared_ptr<Subscription> subscription);
  /// Who serves the stream's callbacks, or null.
  [[nodiscard]] std::shared_ptr<Subscription> subscription() const;
  /// Nobody serves the stream's callbacks any more; those that have not begun are dropped.
  void Unsubscribe() noexcept;
  /// Appends a host function; from then on no thread can serve the stream's callbacks.
  /// kStreamSubscribed when one does.
  [[nodiscard]] static Status SubmitHostFunction(const Ref<Stream>& self, HostFunctionTask task);
  [[nodiscard]] bool RunsHostFunctions() const;

  /// The program has destroyed the stream: it counts no more, and faults that nobody has got are
  /// the device's. While a task still runs they stay here until it ends.
  void Leave() noexcept;
  /// Forgets the tasks that have not begun, and ends a wait for an event. For streams that end.
  void DropQueue() noexcept;
  /// Runs what is queued until nothing is left. For the executor's threads.
  void Drain() noexcept;
  /// Lets everybody who waits look again (the process is ending).
  void Wake() noexcept;

 private:
  struct Numbered {
    std::uint64_t sequence;
    std::uint32_t thread;  // that submitted it
    Task task;
  };

  /// What the stream's thread stands in that is not the stream's own work.
  enum class Hold : std::uint8_t {
    kNone,
    kFunction,  // it runs a function of the program
    kWaits,     // for an event, or for a thread of the program
  };

  [[nodiscard]] bool RunsInPlace(const Task& task) const noexcept;
  void Run(const Task& task, std::uint64_t sequence, std::uint32_t thread) noexcept;
  void RunLaunch(const Launch& launch, std::uint64_t sequence, std::uint32_t thread) noexcept;
  void RunWait(const WaitTask& task, std::uint64_t sequence, std::uint32_t thread) noexcept;
  void RunHostFunction(const HostFunctionTask& task, std::uint64_t sequence,
                       std::uint32_t thread) noexcept;
  void RunCallback(const CallbackTask& task, std::uint64_t sequence) noexcept;
  void AddFault(std::uint64_t sequence, Status status, std::uint32_t thread) noexcept;
  void SetHold(Hold hold, const Ref<Event>& at = {}) noexcept;
  void Drop(const Task& task) noexcept;
  void CutShort(std::uint64_t sequence) noexcept;

  Machine& machine_;
  const std::shared_ptr<FaultLog> faults_;
  std::atomic<bool> left_{false};
  mutable std::mutex mutex_;                              // guards all below
  std::list<std::shared_ptr<FaultLog>> faults_to_leave_;  // faults_, for the machine to keep
  std::condition_variable changed_;
  std::deque<Numbered> queue_;
  std::atomic<std::uint64_t> submitted_{0};  // these two are written under the lock
  std::atomic<std::uint64_t> completed_{0};
  std::atomic<bool> given_up_{false};  // no wait for an event goes on
  std::uint64_t dropped_ = 0;          // no task up to here may begin any more
  // The end of the process took the tasks from here on.
  std::atomic<std::uint64_t> cut_short_{UINT64_MAX};
  bool running_ = false;                        // some thread is in the stream's tasks
  Ref<Event> held_at_;                          // the event that thread stands at
  Hold hold_ = Hold::kNone;                     // of that thread
  std::shared_ptr<Subscription> subscription_;  // who serves the callbacks
  bool runs_host_functions_ = false;            // so nobody may serve callbacks
};

}  // namespace belay::runtime
