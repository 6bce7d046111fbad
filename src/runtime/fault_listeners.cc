#include "runtime/fault_listeners.h"

#include <algorithm>
#include <utility>

#include "base/thrown.h"
#include "runtime/machine.h"

namespace belay::runtime {

void FaultListeners::Set(Listener listener) {
  const std::lock_guard lock(mutex_);
  List list = Copy();
  list.front() = listener;
  listeners_ = std::make_shared<const List>(std::move(list));
}

void FaultListeners::Add(Listener listener) {
  const std::lock_guard lock(mutex_);
  List list = Copy();
  const bool known = std::any_of(list.begin() + 1, list.end(), [&](const Listener& other) {
    return other.target == listener.target;
  });
  if (known) return;
  list.push_back(listener);
  listeners_ = std::make_shared<const List>(std::move(list));
}

Status FaultListeners::Remove(const void* target) {
  const std::lock_guard lock(mutex_);
  List list = Copy();
  const auto found = std::find_if(list.begin() + 1, list.end(), [target](const Listener& listener) {
    return listener.target == target;
  });
  if (found == list.end()) {
    return Refuse(Fault::kParamInvalid,
                  "callback is {}, which is not registered; allowed callbacks of "
                  "aclrtExceptionInfoCallbackRegister",
                  fmt::ptr(target));
  }
  list.erase(found);
  listeners_ = std::make_shared<const List>(std::move(list));
  return {};
}

void FaultListeners::Tell(const std::vector<TaskFault>& faults) noexcept {
  std::shared_ptr<const List> list;
  {
    const std::lock_guard lock(mutex_);
    list = listeners_;
  }
  if (list == nullptr) return;
  std::size_t ended_by_exception = 0;
  std::string first_thrown;
  for (const TaskFault& fault : faults) {
    const FaultReport report{fault.sequence, fault.origin, fault.status.fault()};
    for (const Listener& listener : *list) {
      const bool told = &listener != &list->front() && listener.target == list->front().target;
      if (listener.target == nullptr || told) continue;
      try {
        listener.tell(report, listener.target);
      } catch (...) {
        if (ended_by_exception++ == 0) first_thrown = ThrownText();
      }
    }
  }
  if (ended_by_exception == 0) return;
  // The call that waited still returns the fault. One message, whatever the number of faults.
  Machine::Get().Tell(
      LogModule::kAcl,
      Text("exception callback: {} of its calls ended by an exception, the first by {}; allowed "
           "callbacks that return",
           ended_by_exception, first_thrown));
}

Status Deliver(std::vector<TaskFault> faults) noexcept {
  if (faults.empty()) return {};
  std::sort(faults.begin(), faults.end(),
            [](const TaskFault& a, const TaskFault& b) { return a.ordinal < b.ordinal; });
  Machine::Get().fault_listeners().Tell(faults);
  return Summarize(std::move(faults));
}

}  // namespace belay::runtime
