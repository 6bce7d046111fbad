#include "runtime/executor.h"

#include <algorithm>
#include <utility>

namespace belay::runtime {

bool Executor::Start(const Ref<Stream>& stream) noexcept {
  const std::lock_guard lock(mutex_);
  if (stopping_) return false;
  try {
    ready_.push_back(stream);
  } catch (...) {
    return false;
  }
  if (ready_.size() > idle_) {
    try {
      threads_.reserve(threads_.size() + 1);
      threads_.emplace_back([this] { Work(); });
    } catch (...) {
      // The system has no thread for us. An idle one would be free for this stream; a busy one may
      // stand in another stream's wait for ever, so it is no help.
      ready_.pop_back();
      return false;
    }
  }
  changed_.notify_one();
  return true;
}

void Executor::Work() noexcept {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (ready_.empty()) {
      ++idle_;
      changed_.wait(lock, [this] { return stopping_ || !ready_.empty(); });
      --idle_;
      continue;
    }
    Ref<Stream> stream = std::move(ready_.front());
    ready_.pop_front();
    lock.unlock();
    stream->Drain();
    stream.Reset();
    lock.lock();
  }
  ++ended_;
  changed_.notify_all();
}

void Executor::Stop(std::chrono::milliseconds patience) noexcept {
  std::unique_lock lock(mutex_);
  stopping_ = true;
  changed_.notify_all();
  // A function of the program's may end the process; its thread does not wait for itself.
  const auto is_this = [](const std::thread& thread) {
    return thread.get_id() == std::this_thread::get_id();
  };
  const std::size_t inside = std::any_of(threads_.begin(), threads_.end(), is_this) ? 1 : 0;
  const bool all_ended = changed_.wait_for(
      lock, patience, [this, inside] { return ended_ + inside == threads_.size(); });
  // A thread that is still inside a task may stay there; it uses nothing that the end of the
  // process takes away.
  for (std::thread& thread : threads_) {
    if (all_ended && !is_this(thread)) {
      lock.unlock();
      thread.join();
      lock.lock();
    } else {
      thread.detach();
    }
  }
  threads_.clear();
}

}  // namespace belay::runtime
