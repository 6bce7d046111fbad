// Which ErrorType the ATB face answers for a fault. The one place that knows.
#pragma once

#include "atb/types.h"
#include "base/status.h"

namespace belay::atb_face {

constexpr ::atb::Status ToAtbStatus(Fault fault) noexcept {
  switch (fault) {
    case Fault::kNone:
      return ::atb::NO_ERROR;
    case Fault::kInTensorNum:
      return ::atb::ERROR_INVALID_IN_TENSOR_NUM;
    case Fault::kTensorDimNum:
      return ::atb::ERROR_INVALID_TENSOR_DIM_NUM;
    case Fault::kTensorDim:
      return ::atb::ERROR_INVALID_TENSOR_DIM;
    case Fault::kTensorSize:
      return ::atb::ERROR_INVALID_TENSOR_SIZE;
    case Fault::kTensorIniMatch:
      return ::atb::ERROR_INVALID_TENSOR_INI_MATCH;
    case Fault::kTensorDtype:
      return ::atb::ERROR_INVALID_TENSOR_DTYPE;
    case Fault::kTensorAddr:
      return ::atb::ERROR_INVALID_TENSOR_ADDR;
    case Fault::kOutOfMemory:
      return ::atb::ERROR_OUT_OF_HOST_MEMORY;
    case Fault::kOutOfDeviceMemory:
      return ::atb::ERROR_OUT_OF_DEVICE_MEMORY;
    case Fault::kNullPointer:
    case Fault::kInvalidParam:
    case Fault::kBadEnvironment:
    case Fault::kParamInvalid:
    case Fault::kInvalidHandle:
      return ::atb::ERROR_INVALID_PARAM;
    default:
      return ::atb::ERROR_RT_FAIL;
  }
}

}  // namespace belay::atb_face
