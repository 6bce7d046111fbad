// Functions of the program that want to hear of each fault of a task (aclrtSetExceptionInfoCallback
// and its kin).
//
// They hear of it when a call collects it, on that call's thread and before it returns: whether a
// task ran in place or queued makes no difference then, and no lock is held. A fault that no call
// collects is told to nobody.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "base/export.h"
#include "base/status.h"
#include "runtime/fault_log.h"

namespace belay::runtime {

/// One fault as its listeners learn it.
struct FaultReport {
  std::uint64_t task;  // its number in the stream, from 1
  TaskOrigin origin;
  Fault fault;
};

class BELAY_EXPORT FaultListeners {
 public:
  /// A function of the program, and how a face calls it. Null target: none.
  struct Listener {
    void (*tell)(const FaultReport& report, void* target) = nullptr;
    void* target = nullptr;
  };

  /// The one listener that is replaced, or with a null target removed.
  void Set(Listener listener);
  /// One more listener; one that is there already stays there once.
  void Add(Listener listener);
  /// kParamInvalid when Add was not called for it.
  Status Remove(const void* target);

  /// Tells each listener once of each fault, Set's before the others. What they throw stays here
  /// and becomes a message.
  void Tell(const std::vector<TaskFault>& faults) noexcept;

 private:
  using List = std::vector<Listener>;  // the first is Set's

  [[nodiscard]] List Copy() const { return listeners_ == nullptr ? List(1) : *listeners_; }

  std::mutex mutex_;                       // guards listeners_
  std::shared_ptr<const List> listeners_;  // replaced as a whole, so that telling needs no memory
};

/// What a call that waited returns for the faults it collected, of which the listeners hear.
BELAY_EXPORT Status Deliver(std::vector<TaskFault> faults) noexcept;

}  // namespace belay::runtime
