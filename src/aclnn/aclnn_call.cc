#include "aclnn/aclnn_call.h"

namespace belay::aclnn {

aclnnStatus Refused(const ApiFunction& function, const Status& status) noexcept {
  runtime::Report(function, runtime::LogModule::kOperator, status);
  return ToAclnnStatus(status.fault());
}

}  // namespace belay::aclnn
