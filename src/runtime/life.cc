#include "runtime/life.h"

#include <utility>

#include "runtime/init_file.h"
#include "runtime/machine.h"
#include "runtime/thread_state.h"

namespace belay::runtime {

Status Life::Init(const char* config_path) {
  std::string configuration;
  InitFile options;
  if (config_path != nullptr && *config_path != '\0') {
    StatusOr<std::string> text = ReadInitFile(config_path);
    if (!text) return text.error();
    const StatusOr<InitFile> parsed = ParseInitFile(*text, Machine::Get().device_count());
    if (!parsed) return parsed.error();
    configuration = std::move(*text);
    options = *parsed;
  }
  const std::lock_guard lock(mutex_);
  if (count_ != 0) {
    if (config_path != nullptr && *config_path != '\0' && configuration != configuration_) {
      return Refuse(Fault::kInvalidParam,
                    "the file \"{}\" differs from what the first aclInit read; allowed the same "
                    "content, or null",
                    config_path);
    }
    ++count_;
    return Refuse(Fault::kRepeatInitialize, "initialised before; {} times now, which is harmless",
                  count_);
  }
  count_ = 1;
  finalized_ = false;
  configuration_ = std::move(configuration);
  default_device_.store(options.default_device, std::memory_order_relaxed);
  process_messages_.store(options.process_messages, std::memory_order_relaxed);
  return {};
}

Status Life::Finalize() {
  const std::lock_guard lock(mutex_);
  if (finalized_) {
    return Refuse(Fault::kRepeatFinalize, "finalised before; allowed again after aclInit");
  }
  count_ = 0;
  finalized_ = true;
  return {};
}

Status Life::FinalizeReference(std::uint64_t* left) {
  const std::lock_guard lock(mutex_);
  Status status;
  if (count_ < 1) {
    status =
        Refuse(Fault::kRepeatFinalize, "no initialisation is left; allowed once for each aclInit");
  } else {
    --count_;
    finalized_ = count_ == 0;
  }
  if (left != nullptr) *left = count_;
  return status;
}

void Life::PushMessage(std::string message) noexcept {
  if (process_messages_.load(std::memory_order_relaxed)) {
    const std::lock_guard lock(messages_mutex_);
    shared_messages_.Push(std::move(message));
    return;
  }
  try {
    ThreadState::Current().messages.Push(std::move(message));
  } catch (...) {
    // Not even memory for the thread's state.
  }
}

const char* Life::TakeMessages() {
  ThreadState& thread = ThreadState::Current();
  if (process_messages_.load(std::memory_order_relaxed)) {
    // Through the thread's own queue, whose text stays valid until this thread asks again.
    const std::lock_guard lock(messages_mutex_);
    if (const char* all = shared_messages_.Take(); all != nullptr) thread.messages.Push(all);
  }
  return thread.messages.Take();
}

}  // namespace belay::runtime
