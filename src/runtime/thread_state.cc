#include "runtime/thread_state.h"

#include <unistd.h>

#include <atomic>
#include <memory>

namespace belay::runtime {
namespace {

// A plain pointer, so that it can be read at any time of the thread's life and after it.
// Initial-exec, because each launch reads it.
[[gnu::tls_model("initial-exec")]] thread_local ThreadState* current = nullptr;

std::atomic<bool> main_thread_left{false};

bool IsMainThread() noexcept { return ::gettid() == ::getpid(); }

struct EndOfThread {
  EndOfThread() = default;
  EndOfThread(const EndOfThread&) = delete;
  EndOfThread& operator=(const EndOfThread&) = delete;
  ~EndOfThread() {
    if (IsMainThread()) {
      main_thread_left.store(true, std::memory_order_relaxed);
      return;
    }
    const std::unique_ptr<ThreadState> ended(current);
    current = nullptr;
  }
};

}  // namespace

ThreadState& ThreadState::Current() {
  if (current == nullptr) [[unlikely]] {
    auto made = std::make_unique<ThreadState>();
    thread_local EndOfThread end_of_thread;
    current = made.release();
  }
  return *current;
}

bool IsInExit() noexcept {
  return main_thread_left.load(std::memory_order_relaxed) && IsMainThread();
}

std::uint32_t CurrentThreadId() noexcept {
  thread_local const auto id = static_cast<std::uint32_t>(::gettid());
  return id;
}

}  // namespace belay::runtime
