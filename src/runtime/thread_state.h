// What belongs to one thread: its current context, its last error and its messages.
#pragma once

#include <cstdint>

#include "base/export.h"
#include "runtime/message_queue.h"

namespace belay::runtime {

struct ThreadState {
  void* current_context = nullptr;  // a handle; stale once the context is destroyed
  std::int32_t execute_type = 0;    // as atb::Context::SetExecuteType stores it
  std::int32_t last_error = 0;      // as aclrtGetLastError returns it
  MessageQueue messages;

  /// The calling thread's state. Freed when the thread ends, except the main thread's: static
  /// destructors still call the API after its thread-local objects are gone.
  BELAY_EXPORT static ThreadState& Current();
};

/// Whether the calling thread is the main thread and its thread-local objects are gone: it is in
/// exit(), which destroys them before all static objects.
[[nodiscard]] BELAY_EXPORT bool IsInExit() noexcept;

/// The calling thread's number, as the system counts.
BELAY_EXPORT std::uint32_t CurrentThreadId() noexcept;

}  // namespace belay::runtime
