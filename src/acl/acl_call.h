// How every acl function is written: null checks, one call into the runtime, and this frame.
#pragma once

#include <utility>

#include "acl/acl.h"
#include "acl/status_map.h"
#include "base/status.h"
#include "runtime/api_call.h"
#include "runtime/machine.h"

namespace belay::acl {

using runtime::ApiFunction;
using runtime::Machine;

/// Tells why the call was refused and returns its code.
aclError Refused(const ApiFunction& function, const Status& status) noexcept;

/// Runs `body(machine) -> Status` as the public function of that name.
template <class Body>
aclError AclCall(const ApiFunction& function, Body&& body) noexcept {
  const Status status = runtime::Guarded(std::forward<Body>(body));
  if (status.ok()) [[likely]]
    return ACL_SUCCESS;
  return Refused(function, status);
}

/// The same for functions that answer with a value: `body(machine, value)` stores it, and a refusal
/// leaves `refused`.
template <class Value, class Body>
Value AclValue(const ApiFunction& function, Value refused, Body&& body) noexcept {
  Value value = refused;
  const Status status = runtime::Guarded([&](Machine& machine) { return body(machine, value); });
  if (status.ok()) [[likely]]
    return value;
  (void)Refused(function, status);
  return refused;
}

}  // namespace belay::acl
