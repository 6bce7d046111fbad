#include "runtime/report_queue.h"

#include <utility>

#include "runtime/waiting.h"

namespace belay::runtime {
namespace {

constexpr std::size_t kMaxThreads = 1024;

thread_local const HostScope* innermost_scope = nullptr;

}  // namespace

HostScope::HostScope(const Stream* held) noexcept : held_(held), outer_(innermost_scope) {
  innermost_scope = this;
}

HostScope::~HostScope() { innermost_scope = outer_; }

const HostScope* HostScope::innermost() noexcept { return innermost_scope; }

ReportQueue::~ReportQueue() {
  while (first_ != nullptr) (void)Pop();  // one by one: a long chain would end in deep recursion
}

std::shared_ptr<PendingCallback> ReportQueue::Pop() noexcept {
  std::shared_ptr<PendingCallback> report = std::move(first_);
  first_ = std::move(report->next);
  if (first_ == nullptr) last_ = nullptr;
  --count_;
  return report;
}

void ReportQueue::Post(const Subscription& subscription,
                       std::shared_ptr<PendingCallback> report) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (subscription.ended) {
      report->done = true;
      return;
    }
    PendingCallback* const added = report.get();
    (last_ == nullptr ? first_ : last_->next) = std::move(report);
    last_ = added;
    ++count_;
  }
  changed_.notify_all();
}

bool ReportQueue::WaitFor(const PendingCallback& report) {
  std::unique_lock lock(mutex_);
  return WaitUntilReady(changed_, lock, std::nullopt, [&report] { return report.done; });
}

ProcessResult ReportQueue::Process(std::optional<std::chrono::milliseconds> patience) {
  std::unique_lock lock(mutex_);
  if (!WaitUntilReady(changed_, lock, patience, [this] { return first_ != nullptr || closed_; })) {
    return EndedByProcess(patience) ? ProcessResult::kProcessEnding : ProcessResult::kTimeout;
  }
  if (first_ == nullptr) return ProcessResult::kNotServing;

  // Whatever comes of the function, nobody waits for it any longer.
  struct Finish {
    std::unique_lock<std::mutex>& lock;
    std::condition_variable& changed;
    PendingCallback& report;
    ~Finish() {
      lock.lock();
      report.done = true;
      changed.notify_all();
    }
  };
  // A function may call Process itself, so less than the batch may be left.
  for (std::size_t batch = count_; batch > 0 && first_ != nullptr; --batch) {
    const std::shared_ptr<PendingCallback> report = Pop();
    lock.unlock();
    const Finish finish{lock, changed_, *report};
    const HostScope scope(report->held);
    report->function(report->argument);
  }
  return ProcessResult::kRan;
}

void ReportQueue::End(Subscription& subscription) noexcept {
  {
    const std::lock_guard lock(mutex_);
    subscription.ended = true;
    // Through the whole chain once: what stays is appended again.
    for (std::size_t left = count_; left > 0; --left) {
      std::shared_ptr<PendingCallback> report = Pop();
      if (report->subscription == &subscription) {
        report->done = true;
        continue;
      }
      PendingCallback* const kept = report.get();
      (last_ == nullptr ? first_ : last_->next) = std::move(report);
      last_ = kept;
      ++count_;
    }
  }
  changed_.notify_all();
}

void ReportQueue::Close() noexcept {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

void ReportQueue::Wake() noexcept {
  { const std::lock_guard lock(mutex_); }  // nobody is between looking and waiting
  changed_.notify_all();
}

StatusOr<std::shared_ptr<Subscription>> Subscribers::Add(std::uint64_t thread,
                                                         std::int32_t device) {
  const std::lock_guard lock(mutex_);
  const auto found = queues_.find(thread);
  if (found == queues_.end() && queues_.size() >= kMaxThreads) {
    return Unexpected(Refuse(Fault::kResourceExhausted,
                             "threadId is {:#x}, and {} other threads serve streams; allowed {}",
                             thread, kMaxThreads, kMaxThreads));
  }
  if (found != queues_.end() && found->second->device != device) {
    return Unexpected(Refuse(Fault::kThreadSubscribed,
                             "threadId is {:#x}, which serves streams of device {}; allowed "
                             "threads that serve streams of device {} or none",
                             thread, found->second->device, device));
  }
  std::shared_ptr<ReportQueue> queue =
      found != queues_.end() ? found->second : std::make_shared<ReportQueue>(thread, device);
  auto subscription = std::make_shared<Subscription>(queue);
  if (found == queues_.end()) queues_.emplace(thread, queue);
  ++queue->streams;
  return subscription;
}

void Subscribers::End(Subscription& subscription) noexcept {
  ReportQueue& queue = *subscription.queue;
  {
    const std::lock_guard lock(mutex_);
    if (--queue.streams == 0) {
      queues_.erase(queue.thread);
      queue.Close();
    }
  }
  queue.End(subscription);
}

std::shared_ptr<ReportQueue> Subscribers::Find(std::uint64_t thread) {
  const std::lock_guard lock(mutex_);
  const auto found = queues_.find(thread);
  return found == queues_.end() ? nullptr : found->second;
}

void Subscribers::Wake() noexcept {
  const std::lock_guard lock(mutex_);
  for (const auto& [thread, queue] : queues_) queue->Wake();
}

}  // namespace belay::runtime
