// The result of a call inside Belay: success, or a Fault with a message a person can act on.
//
// A Fault is the kind of refusal. Which number a program sees for it is decided by the face the
// program called, in that face's status_map.h; no other place knows numbers. Messages say which
// argument, what was seen and what is allowed; the face adds the function's name and its source.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

#include "base/export.h"

namespace belay {

enum class Fault : std::uint8_t {
  kNone,
  // What the caller passed, refused before the runtime is entered.
  kNullPointer,
  kInvalidParam,
  kBadEnvironment,  // a BELAY_ variable has a value that means nothing
  kRepeatInitialize,
  kRepeatFinalize,
  kInvalidFile,
  kFeatureUnsupported,
  kConfigUnparsable,
  // What an operator refuses about its tensors.
  kInTensorNum,
  kTensorDimNum,
  kTensorDim,
  kTensorSize,
  kTensorIniMatch,  // no row of the operator's table of types and formats
  kTensorDtype,
  kTensorAddr,
  kTiling,            // what an operator's tiling would refuse
  kInnerNullPointer,  // what it can not be made for
  kExecutorCreation,
  // What the runtime refuses.
  kParamInvalid,
  kInvalidDeviceId,
  kContextNull,
  kStreamContext,
  kTimestampInvalid,
  kInvalidMemoryType,
  kStreamSubscribed,  // the stream's callbacks are served already, or by nobody
  kThreadSubscribed,  // the wrong thread for the stream's callbacks
  kNotSubscribed,     // a callback for a stream whose callbacks nobody serves
  kInvalidHandle,
  kWaitTimeout,
  kSysParamNotSet,
  kFeatureNotSupported,
  kOutOfMemory,
  kOutOfDeviceMemory,
  kResourceExhausted,
  kNoEventResource,
  kNoStreamResource,
  kInternal,
  kContextReleased,
  kHostMemoryRegistered,
  kHostMemoryNotRegistered,
  // What shows only while a task runs or is waited for.
  kTaskException,
  kStreamSyncTimeout,
  kEventSyncTimeout,
  kReportTimeout,
};

class [[nodiscard]] Status {
 public:
  Status() noexcept = default;
  /// The fault is kept even when there is no memory for the text; so it is by a copy.
  Status(Fault fault, std::string message) noexcept;
  Status(const Status& other) noexcept;
  Status(Status&& other) noexcept = default;
  Status& operator=(const Status& other) noexcept { return *this = Status(other); }
  Status& operator=(Status&& other) noexcept = default;
  ~Status() = default;

  [[nodiscard]] bool ok() const noexcept { return fault_ == Fault::kNone; }
  [[nodiscard]] Fault fault() const noexcept { return fault_; }
  [[nodiscard]] const std::string& message() const noexcept {
    static const std::string kNone;
    return message_ == nullptr ? kNone : *message_;
  }

 private:
  Fault fault_ = Fault::kNone;
  // Success, which is what most calls return, is cheap to make, to move and to end.
  std::unique_ptr<const std::string> message_;
};

template <class T>
using StatusOr = tl::expected<T, Status>;

/// What `make()` returns, as part of a message; nothing when there is no memory for it. A refusal
/// must not turn into another one because its reason cannot be described.
template <class Make>
auto Described(Make&& make) noexcept -> decltype(make()) {
  try {
    return std::forward<Make>(make)();
  } catch (...) {
    return {};
  }
}

inline Status::Status(Fault fault, std::string message) noexcept
    : fault_(fault),
      message_(Described([&] { return std::make_unique<const std::string>(std::move(message)); })) {
}

inline Status::Status(const Status& other) noexcept
    : fault_(other.fault_), message_(Described([&] {
        return other.message_ == nullptr ? nullptr
                                         : std::make_unique<const std::string>(*other.message_);
      })) {}

/// A formatted part of a message.
template <class... Args>
std::string Text(fmt::format_string<Args...> text, Args&&... args) noexcept {
  return Described([&] { return fmt::format(text, std::forward<Args>(args)...); });
}

/// A refusal with a formatted message. Keeps the fault even when there is no memory for the text.
template <class... Args>
Status Refuse(Fault fault, fmt::format_string<Args...> text, Args&&... args) noexcept {
  return {fault, Text(text, std::forward<Args>(args)...)};
}

/// The usual refusal: "<argument> is <seen>; allowed <allowed>".
template <class Seen>
Status NotAllowed(Fault fault, std::string_view argument, const Seen& seen,
                  std::string_view allowed) noexcept {
  return Refuse(fault, "{} is {}; allowed {}", argument, seen, allowed);
}

/// A pointer argument that must not be null.
inline Status NullPointer(std::string_view argument) noexcept {
  return Refuse(Fault::kNullPointer, "{} is null; allowed a valid pointer", argument);
}

inline tl::unexpected<Status> Unexpected(Status status) {
  return tl::unexpected<Status>(std::move(status));
}

}  // namespace belay

/// Leaves the function with the status when it is not ok.
#define BELAY_RETURN_IF_ERROR(expression)                                                     \
  do {                                                                                        \
    if (::belay::Status belay_status = (expression); !belay_status.ok()) return belay_status; \
  } while (false)
