// Callbacks that streams leave to threads of the program (aclrtSubscribeReport and its kin).
//
// A thread has one queue for all streams that it serves. A stream that reaches a callback posts it
// there and, if the callback holds the stream, waits until the thread has run it. Nobody waits for
// a callback of a stream that is not served any more: it is dropped.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "base/export.h"
#include "base/status.h"

namespace belay::runtime {

class Stream;

using HostFunction = void (*)(void* argument);

/// Calls a function of the program's. While it runs, its thread must not wait for the stream that
/// it holds, for that wait could never end.
class BELAY_EXPORT HostScope {
 public:
  explicit HostScope(const Stream* held) noexcept;
  HostScope(const HostScope&) = delete;
  HostScope& operator=(const HostScope&) = delete;
  ~HostScope();

  /// The stream held by the innermost function on this thread for which `matches(stream)`, or null.
  template <class Matches>
  static const Stream* Find(Matches matches) {
    for (const HostScope* scope = innermost(); scope != nullptr; scope = scope->outer_) {
      if (scope->held_ != nullptr && matches(*scope->held_)) return scope->held_;
    }
    return nullptr;
  }

 private:
  static const HostScope* innermost() noexcept;

  const Stream* const held_;
  const HostScope* const outer_;
};

/// One callback on its way. What can change is guarded by the queue's mutex.
struct PendingCallback {
  HostFunction function = nullptr;
  void* argument = nullptr;
  const Stream* held = nullptr;  // waits for it, and so lives as long; or null
  const void* subscription = nullptr;
  bool done = false;  // or dropped
  std::shared_ptr<PendingCallback> next;
};

class ReportQueue;

/// That a thread serves a stream.
struct Subscription {
  explicit Subscription(std::shared_ptr<ReportQueue> threads_queue)
      : queue(std::move(threads_queue)) {}
  const std::shared_ptr<ReportQueue> queue;
  bool ended = false;  // guarded by the queue's mutex
};

enum class ProcessResult : std::uint8_t { kRan, kTimeout, kNotServing, kProcessEnding };

class BELAY_EXPORT ReportQueue {
 public:
  ReportQueue(std::uint64_t thread_id, std::int32_t on_device)
      : thread(thread_id), device(on_device) {}
  ReportQueue(const ReportQueue&) = delete;
  ReportQueue& operator=(const ReportQueue&) = delete;
  ~ReportQueue();

  const std::uint64_t thread;  // as pthread_self names it
  const std::int32_t device;   // of all the streams

  /// Appends the report, unless its subscription has ended.
  void Post(const Subscription& subscription, std::shared_ptr<PendingCallback> report) noexcept;
  /// Waits until the report is done; false when the process ended first.
  [[nodiscard]] bool WaitFor(const PendingCallback& report);
  /// Waits for a report, and runs those that are there then, on the calling thread. Lets pass what
  /// one of them throws; those behind it stay.
  [[nodiscard]] ProcessResult Process(std::optional<std::chrono::milliseconds> patience);

  /// Drops the reports of the subscription that have not begun.
  void End(Subscription& subscription) noexcept;
  /// The thread serves no stream any more.
  void Close() noexcept;
  /// Lets everybody who waits look again (the process is ending).
  void Wake() noexcept;

  std::size_t streams = 0;  // guarded by Subscribers' mutex

 private:
  [[nodiscard]] std::shared_ptr<PendingCallback> Pop() noexcept;

  std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::shared_ptr<PendingCallback> first_;
  PendingCallback* last_ = nullptr;
  std::size_t count_ = 0;
  bool closed_ = false;
};

/// The threads that serve streams.
class BELAY_EXPORT Subscribers {
 public:
  /// kThreadSubscribed when the thread serves another device, kResourceExhausted beyond 1024.
  [[nodiscard]] StatusOr<std::shared_ptr<Subscription>> Add(std::uint64_t thread,
                                                            std::int32_t device);
  /// Ends a subscription; its queue goes with the last one.
  void End(Subscription& subscription) noexcept;
  /// The queue of a thread, or null.
  [[nodiscard]] std::shared_ptr<ReportQueue> Find(std::uint64_t thread);
  /// Lets everybody who waits look again (the process is ending).
  void Wake() noexcept;

 private:
  std::mutex mutex_;  // guards queues_
  std::map<std::uint64_t, std::shared_ptr<ReportQueue>> queues_;
};

}  // namespace belay::runtime
