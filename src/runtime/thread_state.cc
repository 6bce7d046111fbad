#include "runtime/thread_state.h"

#include <unistd.h>

#include <memory>

namespace belay::runtime {
namespace {

// A plain pointer, so that it can be read at any time of the thread's life and after it.
// Initial-exec, because each launch reads it.
[[gnu::tls_model("initial-exec")]] thread_local ThreadState* current = nullptr;

struct EndOfThread {
  EndOfThread() = default;
  EndOfThread(const EndOfThread&) = delete;
  EndOfThread& operator=(const EndOfThread&) = delete;
  ~EndOfThread() {
    if (::gettid() == ::getpid()) return;
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

}  // namespace belay::runtime
