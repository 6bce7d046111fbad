// Time-outs of the acl API in milliseconds: -1 waits for ever, 0 is refused.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "base/status.h"
#include "runtime/event.h"

namespace belay::acl {

inline Status CheckTimeoutMs(std::int32_t timeout) {
  if (timeout == -1 || timeout > 0) return {};
  return NotAllowed(Fault::kParamInvalid, "timeout", timeout,
                    "-1 (for ever), or 1 and above (milliseconds)");
}

inline runtime::Patience PatienceMs(std::int32_t timeout) {
  if (timeout == -1) return std::nullopt;
  return std::chrono::milliseconds(timeout);
}

}  // namespace belay::acl
