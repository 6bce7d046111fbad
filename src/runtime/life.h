// aclInit and aclFinalize: a reference count, and what the configuration file asked for.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

#include "base/export.h"
#include "base/status.h"
#include "runtime/message_queue.h"

namespace belay::runtime {

class BELAY_EXPORT Life {
 public:
  /// Counts an initialisation. Reads the JSON file when `config_path` is neither null nor empty.
  /// kRepeatInitialize, with the count raised, when it was initialised before.
  Status Init(const char* config_path);
  /// Ends all initialisations. kRepeatFinalize when it has ended already.
  Status Finalize();
  /// Ends one initialisation and tells how many are left.
  Status FinalizeReference(std::uint64_t* left);

  /// The device of threads that set none (defaultDevice of the configuration file); -1: none.
  [[nodiscard]] std::int32_t default_device() const noexcept {
    return default_device_.load(std::memory_order_relaxed);
  }

  /// Messages of the calling thread, or of the process when err_msg_mode asks for it.
  void PushMessage(std::string message) noexcept;
  [[nodiscard]] const char* TakeMessages();

 private:
  std::mutex mutex_;  // guards the three below
  std::uint64_t count_ = 0;
  bool finalized_ = false;
  std::string configuration_;

  std::atomic<std::int32_t> default_device_{-1};
  std::atomic<bool> process_messages_{false};
  std::mutex messages_mutex_;  // guards shared_messages_
  MessageQueue shared_messages_;
};

}  // namespace belay::runtime
