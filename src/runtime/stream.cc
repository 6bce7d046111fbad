#include "runtime/stream.h"

#include <algorithm>
#include <new>
#include <utility>

#include "runtime/machine.h"
#include "runtime/thread_state.h"
#include "runtime/waiting.h"

namespace belay::runtime {
namespace {

// Work that moves at most this much runs on the thread that launches it. Handing it over costs 7 to
// 13 microseconds; this takes some hundred at worst, which holds nobody up.
constexpr std::uint64_t kInPlaceBytes = std::uint64_t{8} << 20;

// Up to here it takes some ten microseconds, a hundred where elements are taken one by one, and
// whoever frees memory or uses the stream may wait for them. To hold the blocks instead costs 0.2.
constexpr std::uint64_t kUnderLockBytes = std::uint64_t{512} << 10;

// Stands for the id of the calling thread, which is asked for only when somebody wants it.
constexpr std::uint32_t kThisThread = 0;

// Whatever ends a task is a fault of the task: a wait that returned kOutOfMemory would seem to have
// had no memory itself.
Status RunGuarded(const Launch& launch) noexcept {
  try {
    Status status = launch.Run();
    if (status.ok()) return status;
    return Refuse(status.fault(), "{}: {}", launch.plan.operation, status.message());
  } catch (const std::bad_alloc&) {
    return Refuse(Fault::kTaskException, "{}: no host memory to run it", launch.plan.operation);
  } catch (...) {
    return Refuse(Fault::kTaskException, "{}: ended by an unexpected exception",
                  launch.plan.operation);
  }
}

}  // namespace

Stream::Stream(Machine& machine, void* owner, std::int32_t on_device, std::int32_t number,
               std::uint32_t initial_priority, std::uint32_t creation_flags,
               std::shared_ptr<FailureStop> stop)
    : context(owner),
      device(on_device),
      id(number),
      flags(creation_flags),
      priority(initial_priority),
      machine_(machine),
      faults_(std::make_shared<FaultLog>(std::move(stop))),
      faults_to_leave_{faults_} {}

Stream::~Stream() { Leave(); }

void Stream::Leave() noexcept {
  if (!left_.exchange(true)) {
    machine_.device(device).live_streams.fetch_sub(1, std::memory_order_relaxed);
  }
  Unsubscribe();
  const std::lock_guard lock(mutex_);
  if (!running_ && !faults_->empty()) machine_.KeepFaults(device, faults_to_leave_);
}

bool Stream::RunsInPlace(const Task& task) const noexcept {
  if (process_is_ending.load(std::memory_order_acquire)) return true;
  if (const auto* launch = std::get_if<LaunchTask>(&task)) {
    return machine_.config().launch_blocking || launch->launch.plan.TrafficBytes() <= kInPlaceBytes;
  }
  if (const auto* wait = std::get_if<WaitTask>(&task)) {
    return wait->point != nullptr && wait->event->IsDone(*wait->point);
  }
  if (std::holds_alternative<HostFunctionTask>(task)) return false;
  if (const auto* callback = std::get_if<CallbackTask>(&task)) {
    return callback->report->held == nullptr;
  }
  return true;
}

bool Stream::IsLittle(const Plan& plan) noexcept { return plan.TrafficBytes() <= kUnderLockBytes; }

bool Stream::RunNow(const Ref<Stream>& self, const Launch& launch, std::uint64_t memory_endings) {
  Stream& stream = *self;
  const std::lock_guard lock(stream.mutex_);
  // Who ends memory counts that and then takes this lock, before the memory goes.
  if (stream.running_ || stream.machine_.memory().endings() != memory_endings) return false;
  const std::uint64_t sequence = stream.submitted_ + 1;
  if (Observer* observer = stream.machine_.observer(); observer != nullptr) {
    observer->OnSubmit(stream.id, sequence, launch);
  }
  stream.RunLaunch(launch, sequence, kThisThread);
  // Nobody can have begun to wait for it.
  stream.submitted_.store(sequence, std::memory_order_release);
  stream.completed_.store(sequence, std::memory_order_release);
  return true;
}

void Stream::WaitForRunNow() const { const std::lock_guard lock(mutex_); }

Status Stream::Submit(const Ref<Stream>& self, Task task) {
  Stream& stream = *self;
  std::unique_lock lock(stream.mutex_);
  const std::uint64_t sequence = stream.submitted_ + 1;
  if (auto* record = std::get_if<RecordTask>(&task)) record->point->sequence = sequence;
  const auto* launch = std::get_if<LaunchTask>(&task);
  const bool blocks = launch != nullptr && stream.machine_.config().launch_blocking;
  const auto observe = [&] {
    Observer* observer = stream.machine_.observer();
    if (observer != nullptr && launch != nullptr) {
      observer->OnSubmit(stream.id, sequence, launch->launch);
    }
  };

  if (!stream.running_ && stream.RunsInPlace(task)) {
    stream.submitted_ = sequence;
    stream.running_ = true;
    observe();
    lock.unlock();
    stream.Run(task, sequence, kThisThread);
    // As in Drain: the blocks are let go before anybody learns that the task is done.
    if (auto* done = std::get_if<LaunchTask>(&task)) done->blocks = {};
    lock.lock();
    stream.completed_ = sequence;
    if (stream.queue_.empty()) {
      stream.running_ = false;
      stream.completed_ = stream.submitted_.load();
    } else if (!stream.machine_.executor().Start(self)) {
      lock.unlock();
      stream.Drain();  // no thread to be had: the work of the others is done here
      return {};
    }
    lock.unlock();
    stream.changed_.notify_all();
    return {};
  }

  stream.queue_.push_back({sequence, CurrentThreadId(), std::move(task)});
  launch = std::get_if<LaunchTask>(&stream.queue_.back().task);
  if (!stream.running_) {
    if (!stream.machine_.executor().Start(self)) {
      stream.queue_.pop_back();
      return Refuse(Fault::kResourceExhausted,
                    "the system has no thread for this stream's work; allowed as many streams with "
                    "unfinished work as the process may have threads");
    }
    stream.running_ = true;
  }
  stream.submitted_ = sequence;
  observe();
  if (blocks && HostScope::Find([&](const Stream& held) { return &held == &stream; }) == nullptr) {
    stream.changed_.wait(lock, [&] {
      return stream.completed_ >= sequence || stream.hold_ != Hold::kNone ||
             process_is_ending.load();
    });
  }
  return {};
}

Status Stream::Record(const Ref<Stream>& self, const Ref<Event>& event) {
  std::shared_ptr<RecordPoint> point = event->NewPoint(self.handle(), self->id, self->faults_);
  BELAY_RETURN_IF_ERROR(Submit(self, RecordTask{event, point}));
  const std::uint64_t sequence = point->sequence;
  event->Capture(std::move(point));
  if (Observer* observer = self->machine_.observer(); observer != nullptr) {
    observer->OnRecord(event->id, self->id, sequence);
  }
  return {};
}

void Stream::Drain() noexcept {
  std::unique_lock lock(mutex_);
  while (!queue_.empty()) {
    std::uint64_t sequence = 0;
    const bool dropped = queue_.front().sequence <= dropped_;
    {
      const Numbered next = std::move(queue_.front());
      queue_.pop_front();
      lock.unlock();
      sequence = next.sequence;
      const bool ending = process_is_ending.load(std::memory_order_acquire);
      if (dropped || ending) {
        if (ending) CutShort(sequence);
        Drop(next.task);
      } else {
        Run(next.task, sequence, next.thread);
      }
    }  // blocks and events are let go before anybody learns that the task is done
    lock.lock();
    completed_ = sequence;
    changed_.notify_all();
  }
  running_ = false;
  completed_ = submitted_.load();
  changed_.notify_all();
}

void Stream::Run(const Task& task, std::uint64_t sequence, std::uint32_t thread) noexcept {
  if (const auto* launch = std::get_if<LaunchTask>(&task)) {
    RunLaunch(launch->launch, sequence, thread);
  } else if (const auto* record = std::get_if<RecordTask>(&task)) {
    record->event->Complete(*record->point, /*dropped=*/false);
  } else if (const auto* wait = std::get_if<WaitTask>(&task)) {
    RunWait(*wait, sequence, thread);
  } else if (const auto* function = std::get_if<HostFunctionTask>(&task)) {
    RunHostFunction(*function, sequence, thread);
  } else {
    RunCallback(std::get<CallbackTask>(task), sequence);
  }
}

void Stream::RunLaunch(const Launch& launch, std::uint64_t sequence,
                       std::uint32_t thread) noexcept {
  if (faults_->DropsNext()) return;
  Status status = RunGuarded(launch);
  if (Observer* observer = machine_.observer(); observer != nullptr) {
    observer->OnFinish(id, sequence, status);
  }
  if (!status.ok()) AddFault(sequence, std::move(status), thread);
}

void Stream::AddFault(std::uint64_t sequence, Status status, std::uint32_t thread) noexcept {
  faults_->Add(sequence, std::move(status), stops_on_failure.load(),
               {device, id, thread == kThisThread ? CurrentThreadId() : thread});
}

void Stream::SetHold(Hold hold, const Ref<Event>& at) noexcept {
  {
    const std::lock_guard lock(mutex_);
    held_at_ = at;
    hold_ = hold;
  }
  changed_.notify_all();
}

void Stream::RunWait(const WaitTask& task, std::uint64_t sequence, std::uint32_t thread) noexcept {
  const auto wait = [this, &task](Patience patience) {
    return task.point != nullptr
               ? task.event->WaitFor(*task.point, patience, &given_up_)
               : task.event->WaitForLaterThan(task.after_ordinal, patience, &given_up_);
  };
  bool reached = wait(std::chrono::milliseconds(0));
  if (!reached) {
    SetHold(Hold::kWaits, task.event);
    reached = wait(task.patience);
    SetHold(Hold::kNone);
  }
  task.event->EndStreamWait();
  if (!reached && process_is_ending.load(std::memory_order_acquire)) {
    CutShort(sequence);
  } else if (!reached && !given_up_.load(std::memory_order_acquire)) {
    AddFault(sequence,
             Refuse(Fault::kWaitTimeout,
                    "wait for event {} in stream {}: not recorded within {} ms; allowed a record "
                    "in time, or a longer time-out",
                    task.event->id, id, task.patience->count()),
             thread);
  }
}

void Stream::Drop(const Task& task) noexcept {
  if (const auto* record = std::get_if<RecordTask>(&task)) {
    record->event->Complete(*record->point, /*dropped=*/true);
  } else if (const auto* wait = std::get_if<WaitTask>(&task)) {
    wait->event->EndStreamWait();
  }
}

void Stream::CutShort(std::uint64_t sequence) noexcept {
  const std::lock_guard lock(mutex_);
  cut_short_ = std::min(cut_short_.load(), sequence);
}

void Stream::DropQueue() noexcept {
  std::unique_lock lock(mutex_);
  dropped_ = submitted_;
  given_up_.store(true, std::memory_order_release);
  if (const Ref<Event> event = held_at_; event) {
    lock.unlock();
    event->Wake();
    lock.lock();
  }
  // One by one, and shared with the thread that drains: an empty queue to swap with would have to
  // be allocated.
  while (!queue_.empty() && queue_.front().sequence <= dropped_) {
    {
      const Numbered next = std::move(queue_.front());
      queue_.pop_front();
      lock.unlock();
      Drop(next.task);
    }
    lock.lock();
  }
}

std::uint64_t Stream::Submitted() const { return submitted_.load(std::memory_order_acquire); }

bool Stream::Works() const {
  const std::lock_guard lock(mutex_);
  return running_ && hold_ != Hold::kWaits;
}

bool Stream::Idle() const {
  const std::lock_guard lock(mutex_);
  return completed_.load() == submitted_.load();
}

// The newest task is asked for first: what is done by the time of the second look was there then.
bool Stream::HasDoneAll(std::uint64_t& sequence) const {
  sequence = submitted_.load(std::memory_order_acquire);
  if (completed_.load(std::memory_order_acquire) < sequence ||
      sequence >= cut_short_.load(std::memory_order_acquire)) {
    return false;
  }
  if (Observer* observer = machine_.observer(); observer != nullptr) {
    observer->OnHostWait(id, sequence);
  }
  return true;
}

WaitResult Stream::WaitFor(std::uint64_t sequence, Patience patience) {
  std::unique_lock lock(mutex_);
  if (completed_ < sequence) {
    // A function that holds the stream would wait for itself.
    if (HostScope::Find([this](const Stream& held) { return &held == this; }) != nullptr) {
      return WaitResult::kTimeout;
    }
    if (!WaitUntilReady(changed_, lock, patience,
                        [this, sequence] { return completed_ >= sequence; })) {
      return EndedByProcess(patience) ? WaitResult::kProcessEnding : WaitResult::kTimeout;
    }
  }
  if (sequence >= cut_short_) return WaitResult::kProcessEnding;
  lock.unlock();
  if (Observer* observer = machine_.observer(); observer != nullptr) {
    observer->OnHostWait(id, sequence);
  }
  return WaitResult::kDone;
}

void Stream::Wake() noexcept {
  { const std::lock_guard lock(mutex_); }  // nobody is between looking and waiting
  changed_.notify_all();
}

}  // namespace belay::runtime
