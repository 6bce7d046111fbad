// How every aclnn function is written: one call into the operator, and this frame.
#pragma once

#include <utility>

#include "aclnn/aclnn_base.h"
#include "aclnn/status_map.h"
#include "ops/operator.h"
#include "runtime/api_call.h"
#include "runtime/machine.h"

namespace belay::aclnn {

using runtime::ApiFunction;
using runtime::Machine;

/// Tells why the call was refused and returns its code.
aclnnStatus Refused(const ApiFunction& function, const Status& status) noexcept;

/// Runs `body(machine) -> Status` as the public function of that name.
template <class Body>
aclnnStatus AclnnCall(const ApiFunction& function, Body&& body) noexcept {
  const Status status = runtime::Guarded(std::forward<Body>(body));
  if (status.ok()) [[likely]]
    return ACLNN_SUCCESS;
  return Refused(function, status);
}

/// Who asks an operator through this face.
inline ops::Profile AclnnProfile(const Machine& machine) noexcept {
  return {ops::Face::kAclnn, machine.config().chip, machine.config().behaviour};
}

}  // namespace belay::aclnn
