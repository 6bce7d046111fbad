// Which number the aclnn face answers for a fault. The one place that knows.
#pragma once

#include "aclnn/aclnn_base.h"
#include "base/status.h"
#include "opdev/op_errno.h"

namespace belay::aclnn {

constexpr aclnnStatus ToAclnnStatus(Fault fault) noexcept {
  switch (fault) {
    case Fault::kNone:
      return ACLNN_SUCCESS;
    case Fault::kNullPointer:
      return ACLNN_ERR_PARAM_NULLPTR;
    case Fault::kInvalidParam:
    case Fault::kBadEnvironment:
    case Fault::kParamInvalid:
    case Fault::kInvalidHandle:
    case Fault::kTensorAddr:
      return ACLNN_ERR_PARAM_INVALID;
    case Fault::kTiling:
      return ACLNN_ERR_INNER_TILING_ERROR;
    case Fault::kOutOfMemory:
    case Fault::kInnerNullPointer:
      return ACLNN_ERR_INNER_NULLPTR;
    case Fault::kExecutorCreation:
      return ACLNN_ERR_INNER_CREATE_EXECUTOR;
    case Fault::kInternal:
      return ACLNN_ERR_INNER;
    default:
      return ACLNN_ERR_RUNTIME_ERROR;
  }
}

}  // namespace belay::aclnn
