// The one place that knows oneTBB: all compute threads are its workers in one arena.
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <optional>

#include "base/parallel.h"
#include "runtime/machine.h"

#ifdef BELAY_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace belay {
namespace {

// More pieces than threads, so that a thread that is held up holds up little.
constexpr std::size_t kPiecesPerThread = 4;

struct Scheduler {
  explicit Scheduler(unsigned threads) : arena(static_cast<int>(threads)) {
    if (threads > static_cast<unsigned>(tbb::info::default_concurrency())) {
      // Or oneTBB gives fewer, and says so on stderr.
      allow.emplace(tbb::global_control::max_allowed_parallelism, threads);
    }
    arena.initialize();
  }

  std::optional<tbb::global_control> allow;
  tbb::task_arena arena;
};

// Null when there was no memory for it. Then for good: oneTBB 2021.8 keeps a lock when it runs out
// of memory there, and whoever tried again would wait for it.
// Never destroyed, like the machine: a thread may be in it when the process ends.
tbb::task_arena* Arena() noexcept {
  static auto* const scheduler = []() -> Scheduler* {
    try {
      return new Scheduler(ComputeThreadCount());
    } catch (...) {
      return nullptr;
    }
  }();
  return scheduler == nullptr ? nullptr : &scheduler->arena;
}

/// How oneTBB hands work over and back, told to ThreadSanitizer, which does not see into oneTBB.
class Handover {
 public:
#ifdef BELAY_THREAD_SANITIZER
  void Give() noexcept { __tsan_release(this); }
  void Take() noexcept { __tsan_acquire(this); }
#else
  void Give() noexcept {}
  void Take() noexcept {}
#endif
};

/// The work in pieces, which threads take one after the other.
class Pieces {
 public:
  Pieces(std::size_t count, std::size_t pieces, FunctionRef<void(std::size_t, std::size_t)> body)
      : count_(count), pieces_(pieces), body_(body) {}

  /// Runs pieces until none is left.
  void Run() noexcept {
    for (;;) {
      const std::size_t piece = next_.fetch_add(1, std::memory_order_acq_rel);
      if (piece >= pieces_) return;
      try {
        body_(BeginOf(piece), BeginOf(piece + 1));
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (error_ == nullptr) error_ = std::current_exception();
        next_.store(pieces_, std::memory_order_release);
      }
    }
  }

  void RethrowError() {
    const std::lock_guard lock(mutex_);
    if (error_ != nullptr) std::rethrow_exception(error_);
  }

 private:
  [[nodiscard]] std::size_t BeginOf(std::size_t piece) const noexcept {
    return count_ / pieces_ * piece + std::min(piece, count_ % pieces_);
  }

  const std::size_t count_;
  const std::size_t pieces_;
  const FunctionRef<void(std::size_t, std::size_t)> body_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;  // guards error_
  std::exception_ptr error_;
};

}  // namespace

unsigned ComputeThreadCount() { return runtime::Machine::Get().config().compute_threads; }

void ParallelFor(std::size_t count, std::size_t grain,
                 FunctionRef<void(std::size_t, std::size_t)> body) {
  if (count == 0) return;
  const std::size_t most = count / std::max<std::size_t>(grain, 1);
  if (most <= 1) {
    body(0, count);
    return;
  }
  const std::size_t threads = ComputeThreadCount();
  if (threads == 1) {
    body(0, count);
    return;
  }
  Pieces pieces(count, std::min(most, threads * kPiecesPerThread), body);
  Handover start;
  Handover end;
  start.Give();
  try {
    if (tbb::task_arena* const arena = Arena(); arena != nullptr) {
      arena->execute([&] {
        tbb::parallel_for(
            std::size_t{0}, std::min(most, threads),
            [&](std::size_t) {
              start.Take();
              pieces.Run();
              end.Give();
            },
            tbb::simple_partitioner());
      });
    }
  } catch (...) {
    // The scheduler had no memory or no thread. No piece is half done; the rest is done here.
  }
  end.Take();
  pieces.Run();
  pieces.RethrowError();
}

}  // namespace belay
