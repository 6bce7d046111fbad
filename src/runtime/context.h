// Contexts, and what the calling thread's current one is.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "base/export.h"
#include "base/status.h"
#include "runtime/fault_log.h"
#include "runtime/handle_table.h"
#include "runtime/stream.h"

namespace belay::runtime {

/// Options of aclrtSetSysParamOpt and aclrtCtxSetSysParamOpt, by number.
class SystemOptions {
 public:
  static constexpr std::size_t kCount = 4;

  void Set(std::size_t option, std::int64_t value) {
    const std::lock_guard lock(mutex_);
    values_.at(option) = value;
  }
  [[nodiscard]] std::optional<std::int64_t> Get(std::size_t option) const {
    const std::lock_guard lock(mutex_);
    return values_.at(option);
  }

 private:
  mutable std::mutex mutex_;  // guards values_
  std::array<std::optional<std::int64_t>, kCount> values_;
};

class BELAY_EXPORT Context {
 public:
  Context(std::int32_t on_device, bool is_primary) : device(on_device), primary(is_primary) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const std::int32_t device;
  const bool primary;  // made by aclrtSetDevice
  const std::shared_ptr<FailureStop> failure_stop = std::make_shared<FailureStop>();
  SystemOptions options;
  std::atomic<bool> ending{false};

  [[nodiscard]] Ref<Stream> DefaultStream() const {
    const std::lock_guard lock(mutex_);
    return default_stream_;
  }
  void SetDefaultStream(Ref<Stream> stream) {
    const std::lock_guard lock(mutex_);
    std::swap(default_stream_, stream);
  }

 private:
  mutable std::mutex mutex_;  // guards default_stream_
  Ref<Stream> default_stream_;
};

/// Makes the device's primary context current for this thread and counts the call.
BELAY_EXPORT Status SetDevice(std::int32_t device);
/// Takes back one SetDevice, or all (`force`). At the last one the primary context ends with its
/// streams and, unless other contexts of the device live, all its memory is freed.
BELAY_EXPORT Status ResetDevice(std::int32_t device, bool force, const char* function);
/// A new context, current for this thread.
BELAY_EXPORT StatusOr<Ref<Context>> CreateContext(std::int32_t device);
BELAY_EXPORT Status DestroyContext(void* handle);
BELAY_EXPORT Status SetCurrentContext(void* handle);
/// kContextNull when the thread has none.
BELAY_EXPORT StatusOr<Ref<Context>> CurrentContext();

}  // namespace belay::runtime
