// How every ATB function is written: one call into an operator or the runtime, and this frame.
#pragma once

#include <utility>

#include "atb/status_map.h"
#include "atb/types.h"
#include "ops/operator.h"
#include "runtime/api_call.h"
#include "runtime/machine.h"

namespace belay::atb_face {

using runtime::ApiFunction;
using runtime::Machine;

/// Tells why the call was refused and returns its code.
::atb::Status Refused(const ApiFunction& function, const Status& status) noexcept;

/// Runs `body(machine) -> Status` as the public function of that name.
template <class Body>
::atb::Status AtbCall(const ApiFunction& function, Body&& body) noexcept {
  const Status status = runtime::Guarded(std::forward<Body>(body));
  if (status.ok()) [[likely]]
    return ::atb::NO_ERROR;
  return Refused(function, status);
}

/// Who asks an operator through this face.
inline ops::Profile AtbProfile(const Machine& machine) noexcept {
  return {ops::Face::kAtb, machine.config().chip, machine.config().behaviour};
}

}  // namespace belay::atb_face
