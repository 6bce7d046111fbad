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

/// The same for functions that answer with an object: `body(machine, object)` stores it, and a
/// refusal leaves null.
template <class Object, class Body>
Object* AclnnObject(const ApiFunction& function, Body&& body) noexcept {
  Object* object = nullptr;
  const Status status = runtime::Guarded([&](Machine& machine) { return body(machine, object); });
  if (status.ok()) [[likely]]
    return object;
  (void)Refused(function, status);
  return nullptr;
}

/// Who asks an operator through this face.
inline ops::Profile AclnnProfile(const Machine& machine) noexcept {
  return {ops::Face::kAclnn, machine.config().chip, machine.config().behaviour};
}

}  // namespace belay::aclnn
