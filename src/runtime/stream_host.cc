// Functions of the program in a stream: who runs them, and how they hold it.
#include <new>
#include <utility>

#include "base/thrown.h"
#include "runtime/machine.h"
#include "runtime/stream.h"
#include "runtime/thread_state.h"

namespace belay::runtime {

void Stream::RunHostFunction(const HostFunctionTask& task, std::uint64_t sequence,
                             std::uint32_t thread) noexcept {
  if (faults_->DropsNext()) return;
  SetHold(Hold::kFunction);
  try {
    // What the function calls may need a current context.
    ThreadState& state = ThreadState::Current();
    void* const outer = std::exchange(state.current_context, context);
    const HostScope scope(this);
    try {
      task.function(task.argument);
    } catch (...) {
      AddFault(sequence,
               Refuse(Fault::kTaskException,
                      "host function in stream {}: ended by {}; allowed functions that return", id,
                      ThrownText()),
               thread);
    }
    state.current_context = outer;
  } catch (const std::bad_alloc&) {
    AddFault(
        sequence,
        Refuse(Fault::kTaskException, "host function in stream {}: no host memory to run it", id),
        thread);
  }
  SetHold(Hold::kNone);
}

void Stream::RunCallback(const CallbackTask& task, std::uint64_t sequence) noexcept {
  if (faults_->DropsNext()) return;
  ReportQueue& queue = *task.subscription->queue;
  queue.Post(*task.subscription, task.report);
  if (task.report->held == nullptr) return;
  SetHold(Hold::kWaits);
  const bool done = queue.WaitFor(*task.report);
  SetHold(Hold::kNone);
  if (!done) CutShort(sequence);
}

Status Stream::Subscribe(std::shared_ptr<Subscription> subscription) {
  const std::lock_guard lock(mutex_);
  if (runs_host_functions_) {
    return Refuse(Fault::kStreamSubscribed,
                  "stream is stream {} of device {}, in which aclrtLaunchHostFunc runs functions; "
                  "allowed one way or the other",
                  id, device);
  }
  if (subscription_ != nullptr) {
    return Refuse(Fault::kStreamSubscribed,
                  "stream is stream {} of device {}, which thread {:#x} serves; allowed one thread "
                  "for a stream",
                  id, device, subscription_->queue->thread);
  }
  subscription_ = std::move(subscription);
  return {};
}

std::shared_ptr<Subscription> Stream::subscription() const {
  const std::lock_guard lock(mutex_);
  return subscription_;
}

void Stream::Unsubscribe() noexcept {
  std::shared_ptr<Subscription> ended;
  {
    const std::lock_guard lock(mutex_);
    ended = std::move(subscription_);
  }
  if (ended != nullptr) machine_.subscribers().End(*ended);
}

Status Stream::SubmitHostFunction(const Ref<Stream>& self, HostFunctionTask task) {
  if (const std::shared_ptr<Subscription> served = self->subscription(); served != nullptr) {
    return Refuse(Fault::kStreamSubscribed,
                  "stream is stream {} of device {}, whose callbacks thread {:#x} serves; allowed "
                  "streams without aclrtSubscribeReport",
                  self->id, self->device, served->queue->thread);
  }
  BELAY_RETURN_IF_ERROR(Submit(self, task));
  const std::lock_guard lock(self->mutex_);
  self->runs_host_functions_ = true;
  return {};
}

bool Stream::RunsHostFunctions() const {
  const std::lock_guard lock(mutex_);
  return runs_host_functions_;
}

}  // namespace belay::runtime
