#include "runtime/machine.h"

#include <pthread.h>
#include <stdlib.h>

#include <chrono>
#include <new>
#include <utility>

#include "runtime/thread_state.h"
#include "runtime/waiting.h"

namespace belay::runtime {

namespace {

// For the handlers below, which the system calls without an argument.
std::atomic<Machine*> the_machine{nullptr};

}  // namespace

Machine& Machine::Get() {
  static Machine* const machine = Create();
  return *machine;
}

Machine* Machine::Create() {
  StatusOr<Config> config = ReadConfig([](const char* name) { return ::getenv(name); });
  Status environment;
  if (!config) {
    environment = config.error();
    // Something to stand on: with an empty environment the configuration is always good.
    config = ReadConfig([](const char*) -> const char* { return nullptr; });
  }
  Machine* machine = new Machine(std::move(*config), std::move(environment));
  the_machine.store(machine, std::memory_order_release);
  std::atexit([] { the_machine.load(std::memory_order_acquire)->End(); });
  ::pthread_atfork(nullptr, nullptr, [] {
    Machine* parents = the_machine.load(std::memory_order_acquire);
    parents->forked_.store(true, std::memory_order_release);
    parents->refuses_.store(true, std::memory_order_release);
  });
  return machine;
}

Machine::Machine(Config config, Status environment)
    : config_(std::move(config)),
      environment_(std::move(environment)),
      refuses_(!environment_.ok()),
      log_(config_.log),
      memory_(config_.visible_devices.size(), [this] { LetLaunchesEnd(); }) {
  for (std::size_t i = 0; i < config_.visible_devices.size(); ++i) {
    devices_.emplace_back(static_cast<std::int32_t>(i), config_.visible_devices[i], *config_.chip);
  }
}

Status Machine::Refusal() const {
  if (forked_.load(std::memory_order_acquire)) {
    return Refuse(
        Fault::kInternal,
        "this process is a child of fork whose parent had called the API before; allowed: "
        "fork before the parent's first call, or exec in the child");
  }
  return environment_;
}

StatusOr<Device*> Machine::FindDevice(std::int64_t id, std::string_view argument) {
  if (id < 0 || id >= device_count()) {
    return Unexpected(Refuse(
        Fault::kInvalidDeviceId,
        "{} is {}; allowed {} (BELAY_NUM_DEVICES and "
        "ASCEND_RT_VISIBLE_DEVICES give {} devices)",
        argument, id, device_count() == 0 ? Text("none") : Text("0 to {}", device_count() - 1),
        device_count()));
  }
  return &devices_[static_cast<std::size_t>(id)];
}

void Machine::Tell(LogModule module, std::string message) noexcept {
  // In a child of fork another thread's locks may be held for ever; its own queue needs none.
  if (forked_.load(std::memory_order_acquire)) {
    try {
      ThreadState::Current().messages.Push(std::move(message));
    } catch (const std::bad_alloc&) {
      // The status code still tells.
    }
    return;
  }
  log_.Write(module, LogLevel::kError, message);
  life_.PushMessage(std::move(message));
}

const char* Machine::Messages() {
  if (forked_.load(std::memory_order_acquire)) return ThreadState::Current().messages.Take();
  return life_.TakeMessages();
}

void Machine::KeepFaults(std::int32_t device,
                         std::list<std::shared_ptr<FaultLog>>& faults) noexcept {
  Device& home = this->device(device);
  const std::lock_guard lock(home.mutex);
  home.orphaned_faults.splice(home.orphaned_faults.end(), faults);
}

void Machine::LetLaunchesEnd() noexcept {
  LetStreamsAndEndingsMeet();
  streams_.ForEachHeld([](const Ref<Stream>& stream) { stream->WaitForRunNow(); });
}

void Machine::End() noexcept {
  if (forked_.load(std::memory_order_acquire)) return;  // neither threads nor locks are ours
  process_is_ending.store(true, std::memory_order_release);
  events_.ForEachHeld([](const Ref<Event>& event) { event->Wake(); });
  streams_.ForEachHeld([](const Ref<Stream>& stream) { stream->Wake(); });
  subscribers_.Wake();
  executor_.Stop(kEndPatience);
  ReportUncollectedFaults();
}

void Machine::ReportUncollectedFaults() noexcept {
  try {
    std::vector<TaskFault> faults;
    streams_.ForEachHeld(
        [&faults](const Ref<Stream>& stream) { stream->TakeFaults(UINT64_MAX, faults); });
    for (Device& device : devices_) {
      const std::lock_guard lock(device.mutex);
      for (const auto& orphan : device.orphaned_faults) orphan->Take(UINT64_MAX, faults);
    }
    if (faults.empty()) return;
    log_.Write(LogModule::kAcl, LogLevel::kError,
               fmt::format("the process ends with a fault that no call waited for: {}",
                           Summarize(std::move(faults)).message()));
  } catch (const std::bad_alloc&) {
    // Nothing left to tell it with.
  }
}

}  // namespace belay::runtime
