#include "acl/acl_call.h"

#include "runtime/thread_state.h"

namespace belay::acl {

aclError Refused(const ApiFunction& function, const Status& status) noexcept {
  const aclError code = ToAclError(status.fault());
  try {
    if (IsRuntimeError(code)) runtime::ThreadState::Current().last_error = code;
  } catch (...) {
    // No memory for the thread's state; the code is returned all the same.
  }
  runtime::Report(function, runtime::LogModule::kAcl, status);
  return code;
}

}  // namespace belay::acl
