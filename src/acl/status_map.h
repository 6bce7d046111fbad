// Which number the acl face answers for a fault. The one place that knows.
#pragma once

#include "acl/acl.h"
#include "base/status.h"

namespace belay::acl {

constexpr aclError ToAclError(Fault fault) noexcept {
  switch (fault) {
    case Fault::kNone:
      return ACL_SUCCESS;
    case Fault::kNullPointer:
    case Fault::kInvalidParam:
    case Fault::kBadEnvironment:
      return ACL_ERROR_INVALID_PARAM;
    case Fault::kRepeatInitialize:
      return ACL_ERROR_REPEAT_INITIALIZE;
    case Fault::kRepeatFinalize:
      return ACL_ERROR_REPEAT_FINALIZE;
    case Fault::kInvalidFile:
      return ACL_ERROR_INVALID_FILE;
    case Fault::kConfigUnparsable:
      return ACL_ERROR_FAILURE;
    case Fault::kParamInvalid:
      return ACL_ERROR_RT_PARAM_INVALID;
    case Fault::kInvalidDeviceId:
      return ACL_ERROR_RT_INVALID_DEVICEID;
    case Fault::kContextNull:
      return ACL_ERROR_RT_CONTEXT_NULL;
    case Fault::kStreamContext:
      return ACL_ERROR_RT_STREAM_CONTEXT;
    case Fault::kTimestampInvalid:
      return ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID;
    case Fault::kInvalidMemoryType:
      return ACL_ERROR_RT_INVALID_MEMORY_TYPE;
    case Fault::kInvalidHandle:
      return ACL_ERROR_RT_INVALID_HANDLE;
    case Fault::kWaitTimeout:
      return ACL_ERROR_RT_WAIT_TIMEOUT;
    case Fault::kSysParamNotSet:
      return ACL_ERROR_RT_SYSPARAMOPT_NOT_SET;
    case Fault::kFeatureNotSupported:
      return ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
    case Fault::kOutOfMemory:
    case Fault::kOutOfDeviceMemory:
      return ACL_ERROR_RT_MEMORY_ALLOCATION;
    case Fault::kResourceExhausted:
      return ACL_ERROR_RT_RESOURCE_ALLOC_FAIL;
    case Fault::kNoEventResource:
      return ACL_ERROR_RT_NO_EVENT_RESOURCE;
    case Fault::kNoStreamResource:
      return ACL_ERROR_RT_NO_STREAM_RESOURCE;
    case Fault::kInTensorNum:
    case Fault::kTensorDimNum:
    case Fault::kTensorDim:
    case Fault::kTensorSize:
    case Fault::kTensorIniMatch:
    case Fault::kTensorDtype:
    case Fault::kTensorAddr:
    case Fault::kTiling:
    case Fault::kInnerNullPointer:
    case Fault::kExecutorCreation:
      return ACL_ERROR_INVALID_PARAM;
    case Fault::kInternal:
      return ACL_ERROR_RT_INTERNAL_ERROR;
    case Fault::kContextReleased:
      return ACL_ERROR_RT_CONTEXT_RELEASE_ERROR;
    case Fault::kHostMemoryRegistered:
      return ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    case Fault::kHostMemoryNotRegistered:
      return ACL_ERROR_HOST_MEMORY_NOT_REGISTERED;
    case Fault::kTaskException:
      return ACL_ERROR_RT_VECTOR_CORE_EXCEPTION;
    case Fault::kStreamSyncTimeout:
      return ACL_ERROR_RT_STREAM_SYNC_TIMEOUT;
    case Fault::kEventSyncTimeout:
      return ACL_ERROR_RT_EVENT_SYNC_TIMEOUT;
  }
  return ACL_ERROR_RT_INTERNAL_ERROR;
}

/// Whether aclrtGetLastError remembers the code: refusals of the acl layer itself leave no trace.
/// The runtime's codes are those from 107000, 207000 and 507000 on.
constexpr bool IsRuntimeError(aclError code) noexcept { return code / 1000 % 100 == 7; }

}  // namespace belay::acl
