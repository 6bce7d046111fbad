#include "runtime/host_calls.h"

#include <pthread.h>

#include <utility>

#include "base/thrown.h"
#include "runtime/machine.h"
#include "runtime/streams.h"

namespace belay::runtime {
namespace {

Status NullFunction() { return Refuse(Fault::kParamInvalid, "fn is null; allowed a function"); }

}  // namespace

std::uint64_t CallingThread() noexcept { return static_cast<std::uint64_t>(::pthread_self()); }

Status SubscribeReports(std::uint64_t thread, const void* handle) {
  const StatusOr<Ref<Stream>> stream = FindStream(handle);
  if (!stream) return stream.error();
  Subscribers& subscribers = Machine::Get().subscribers();
  const StatusOr<std::shared_ptr<Subscription>> added = subscribers.Add(thread, (*stream)->device);
  if (!added) return added.error();
  Status status = (*stream)->Subscribe(*added);
  if (!status.ok()) subscribers.End(**added);
  return status;
}

Status UnsubscribeReports(std::uint64_t thread, const void* handle) {
  const StatusOr<Ref<Stream>> found = FindStream(handle);
  if (!found) return found.error();
  Stream& stream = **found;
  const std::shared_ptr<Subscription> subscription = stream.subscription();
  if (subscription == nullptr) {
    return Refuse(Fault::kStreamSubscribed,
                  "stream is stream {} of device {}, {}; allowed streams of aclrtSubscribeReport",
                  stream.id, stream.device,
                  stream.RunsHostFunctions() ? "in which aclrtLaunchHostFunc runs functions"
                                             : "whose callbacks no thread serves");
  }
  if (subscription->queue->thread != thread) {
    return Refuse(
        Fault::kThreadSubscribed,
        "threadId is {:#x}, but stream {} of device {} is served by thread {:#x}; allowed "
        "that one",
        thread, stream.id, stream.device, subscription->queue->thread);
  }
  stream.Unsubscribe();
  return {};
}

Status LaunchCallback(HostFunction function, void* argument, bool holds_stream,
                      const void* handle) {
  if (function == nullptr) return NullFunction();
  const StatusOr<Ref<Stream>> stream = FindStream(handle);
  if (!stream) return stream.error();
  std::shared_ptr<Subscription> subscription = (*stream)->subscription();
  if (subscription == nullptr) {
    return Refuse(Fault::kNotSubscribed,
                  "stream is stream {} of device {}, whose callbacks no thread serves; allowed "
                  "after aclrtSubscribeReport",
                  (*stream)->id, (*stream)->device);
  }
  auto report = std::make_shared<PendingCallback>();
  report->function = function;
  report->argument = argument;
  report->held = holds_stream ? stream->get() : nullptr;
  report->subscription = subscription.get();
  return Stream::Submit(*stream, CallbackTask{std::move(subscription), std::move(report)});
}

Status ProcessReports(Patience patience) {
  const std::uint64_t thread = CallingThread();
  const std::shared_ptr<ReportQueue> queue = Machine::Get().subscribers().Find(thread);
  ProcessResult result = ProcessResult::kNotServing;
  try {
    if (queue != nullptr) result = queue->Process(patience);
  } catch (...) {
    return Refuse(Fault::kInternal, "a callback ended by {}; allowed callbacks that return",
                  ThrownText());
  }
  switch (result) {
    case ProcessResult::kRan:
      return {};
    case ProcessResult::kTimeout:
      return Refuse(Fault::kReportTimeout,
                    "no callback for this thread within {} ms; allowed: wait longer, or call again",
                    patience.value_or(std::chrono::milliseconds(0)).count());
    case ProcessResult::kNotServing:
      return Refuse(Fault::kThreadSubscribed,
                    "this thread ({:#x}) serves no stream{}; allowed threads whose pthread_self "
                    "aclrtSubscribeReport was given",
                    thread, queue == nullptr ? "" : " any more");
    case ProcessResult::kProcessEnding:
      break;
  }
  return ProcessEnding();
}

Status LaunchHostFunction(HostFunction function, void* argument, const void* handle) {
  if (function == nullptr) return NullFunction();
  const StatusOr<Ref<Stream>> stream = FindStream(handle);
  if (!stream) return stream.error();
  return Stream::SubmitHostFunction(*stream, HostFunctionTask{function, argument});
}

}  // namespace belay::runtime
