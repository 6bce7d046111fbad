// Checks the prototypes of all declared functions.
// The expected values stand here in full; nothing is computed from the headers.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "abi_check.h"
#include "acl/acl.h"
#include "aclnn/aclnn_base.h"
#include "aclnnop/level2/aclnn_copy.h"
#include "aclnnop/level2/aclnn_expand.h"
#include "aclnnop/level2/aclnn_index_add.h"
#include "aclnnop/level2/aclnn_index_add_v2.h"
#include "aclnnop/level2/aclnn_index_copy.h"
#include "aclnnop/level2/aclnn_repeat.h"
#include "aclnnop/level2/aclnn_strided_slice_assign_v2.h"
#include "aclnnop/level2/aclnn_trans_quant_param.h"
#include "aclnnop/level2/aclnn_trans_quant_param_v2.h"
#include "aclnnop/level2/aclnn_trans_quant_param_v3.h"

namespace {

ABI_BEGIN_DEPRECATED
ABI_FUNCTION(aclAppLog,
             void (*)(aclLogLevel, const char*, const char*, uint32_t, const char*, ...));
ABI_FUNCTION(aclCreateDataBuffer, aclDataBuffer* (*)(void*, size_t));
ABI_FUNCTION(aclCreateTensorDesc, aclTensorDesc* (*)(aclDataType, int, const int64_t*, aclFormat));
ABI_FUNCTION(aclDataTypeSize, size_t (*)(aclDataType));
ABI_FUNCTION(aclDestroyDataBuffer, aclError (*)(const aclDataBuffer*));
ABI_FUNCTION(aclDestroyTensorDesc, void (*)(const aclTensorDesc*));
ABI_FUNCTION(aclFinalize, aclError (*)());
ABI_FUNCTION(aclFinalizeReference, aclError (*)(uint64_t*));
ABI_FUNCTION(aclFloat16ToFloat, float (*)(aclFloat16));
ABI_FUNCTION(aclFloatToFloat16, aclFloat16 (*)(float));
ABI_FUNCTION(aclGetDataBufferAddr, void* (*)(const aclDataBuffer*));
ABI_FUNCTION(aclGetDataBufferSize, uint32_t (*)(const aclDataBuffer*));
ABI_FUNCTION(aclGetDataBufferSizeV2, size_t (*)(const aclDataBuffer*));
ABI_FUNCTION(aclGetDeviceCapability, aclError (*)(uint32_t, aclDeviceInfo, int64_t*));
ABI_FUNCTION(aclGetRecentErrMsg, const char* (*)());
ABI_FUNCTION(aclGetTensorDescAddress, void* (*)(const aclTensorDesc*));
ABI_FUNCTION(aclGetTensorDescByIndex, aclTensorDesc* (*)(aclTensorDesc*, size_t));
ABI_FUNCTION(aclGetTensorDescDim, int64_t (*)(const aclTensorDesc*, size_t));
ABI_FUNCTION(aclGetTensorDescDimRange,
             aclError (*)(const aclTensorDesc*, size_t, size_t, int64_t*));
ABI_FUNCTION(aclGetTensorDescDimV2, aclError (*)(const aclTensorDesc*, size_t, int64_t*));
ABI_FUNCTION(aclGetTensorDescElementCount, size_t (*)(const aclTensorDesc*));
ABI_FUNCTION(aclGetTensorDescFormat, aclFormat (*)(const aclTensorDesc*));
ABI_FUNCTION(aclGetTensorDescName, const char* (*)(aclTensorDesc*));
ABI_FUNCTION(aclGetTensorDescNumDims, size_t (*)(const aclTensorDesc*));
ABI_FUNCTION(aclGetTensorDescSize, size_t (*)(const aclTensorDesc*));
ABI_FUNCTION(aclGetTensorDescType, aclDataType (*)(const aclTensorDesc*));
ABI_FUNCTION(aclInit, aclError (*)(const char*));
ABI_FUNCTION(aclSetTensorConst, aclError (*)(aclTensorDesc*, void*, size_t));
ABI_FUNCTION(aclSetTensorDescName, void (*)(aclTensorDesc*, const char*));
ABI_FUNCTION(aclSetTensorDynamicInput, aclError (*)(aclTensorDesc*, const char*));
ABI_FUNCTION(aclSetTensorFormat, aclError (*)(aclTensorDesc*, aclFormat));
ABI_FUNCTION(aclSetTensorOriginFormat, aclError (*)(aclTensorDesc*, aclFormat));
ABI_FUNCTION(aclSetTensorOriginShape, aclError (*)(aclTensorDesc*, int, const int64_t*));
ABI_FUNCTION(aclSetTensorPlaceMent, aclError (*)(aclTensorDesc*, aclMemType));
ABI_FUNCTION(aclSetTensorShape, aclError (*)(aclTensorDesc*, int, const int64_t*));
ABI_FUNCTION(aclSetTensorShapeRange, aclError (*)(aclTensorDesc*, size_t, int64_t (*)[2]));
ABI_FUNCTION(aclSetTensorStorageFormat, aclError (*)(aclTensorDesc*, aclFormat));
ABI_FUNCTION(aclSetTensorStorageShape, aclError (*)(aclTensorDesc*, int, const int64_t*));
ABI_FUNCTION(aclSetTensorValueRange, aclError (*)(aclTensorDesc*, size_t, int64_t (*)[2]));
ABI_FUNCTION(aclTransTensorDescFormat,
             aclError (*)(const aclTensorDesc*, aclFormat, aclTensorDesc**));
ABI_FUNCTION(aclUpdateDataBuffer, aclError (*)(aclDataBuffer*, void*, size_t));
ABI_FUNCTION(aclnnFinalize, aclnnStatus (*)());
ABI_FUNCTION(aclnnInit, aclnnStatus (*)(const char*));
ABI_FUNCTION(aclnnTransQuantParam, aclnnStatus (*)(const float*, uint64_t, const float*, uint64_t,
                                                   uint64_t**, uint64_t*));
ABI_FUNCTION(aclrtCreateContext, aclError (*)(aclrtContext*, int32_t));
ABI_FUNCTION(aclrtCreateEvent, aclError (*)(aclrtEvent*));
ABI_FUNCTION(aclrtCreateEventExWithFlag, aclError (*)(aclrtEvent*, uint32_t));
ABI_FUNCTION(aclrtCreateEventWithFlag, aclError (*)(aclrtEvent*, uint32_t));
ABI_FUNCTION(aclrtCreateStream, aclError (*)(aclrtStream*));
ABI_FUNCTION(aclrtCreateStreamWithConfig, aclError (*)(aclrtStream*, uint32_t, uint32_t));
ABI_FUNCTION(aclrtCtxGetCurrentDefaultStream, aclError (*)(aclrtStream*));
ABI_FUNCTION(aclrtCtxGetSysParamOpt, aclError (*)(aclSysParamOpt, int64_t*));
ABI_FUNCTION(aclrtCtxSetSysParamOpt, aclError (*)(aclSysParamOpt, int64_t));
ABI_FUNCTION(aclrtDestroyContext, aclError (*)(aclrtContext));
ABI_FUNCTION(aclrtDestroyEvent, aclError (*)(aclrtEvent));
ABI_FUNCTION(aclrtDestroyStream, aclError (*)(aclrtStream));
ABI_FUNCTION(aclrtDestroyStreamForce, aclError (*)(aclrtStream));
ABI_FUNCTION(aclrtDeviceCanAccessPeer, aclError (*)(int32_t*, int32_t, int32_t));
ABI_FUNCTION(aclrtDeviceDisablePeerAccess, aclError (*)(int32_t));
ABI_FUNCTION(aclrtDeviceEnablePeerAccess, aclError (*)(int32_t, uint32_t));
ABI_FUNCTION(aclrtDeviceGetStreamPriorityRange, aclError (*)(int32_t*, int32_t*));
ABI_FUNCTION(aclrtDevicePeerAccessStatus, aclError (*)(int32_t, int32_t, int32_t*));
ABI_FUNCTION(aclrtEventElapsedTime, aclError (*)(float*, aclrtEvent, aclrtEvent));
ABI_FUNCTION(aclrtEventGetTimestamp, aclError (*)(aclrtEvent, uint64_t*));
ABI_FUNCTION(aclrtExceptionInfoCallbackRegister, aclError (*)(aclrtExceptionInfoCallback));
ABI_FUNCTION(aclrtExceptionInfoCallbackUnregister, aclError (*)(aclrtExceptionInfoCallback));
ABI_FUNCTION(aclrtFree, aclError (*)(void*));
ABI_FUNCTION(aclrtFreeHost, aclError (*)(void*));
ABI_FUNCTION(aclrtFreeHostWithDevSync, aclError (*)(void*));
ABI_FUNCTION(aclrtFreeWithDevSync, aclError (*)(void*));
ABI_FUNCTION(aclrtFreePhysical, aclError (*)(aclrtDrvMemHandle));
ABI_FUNCTION(aclrtGetCurrentContext, aclError (*)(aclrtContext*));
ABI_FUNCTION(aclrtGetDevice, aclError (*)(int32_t*));
ABI_FUNCTION(aclrtGetDeviceCount, aclError (*)(uint32_t*));
ABI_FUNCTION(aclrtGetDeviceIdFromExceptionInfo, uint32_t (*)(const aclrtExceptionInfo*));
ABI_FUNCTION(aclrtGetDeviceInfo, aclError (*)(uint32_t, aclrtDevAttr, int64_t*));
ABI_FUNCTION(aclrtGetDeviceSatMode, aclError (*)(aclrtFloatOverflowMode*));
ABI_FUNCTION(aclrtGetErrorCodeFromExceptionInfo, uint32_t (*)(const aclrtExceptionInfo*));
ABI_FUNCTION(aclrtGetEventAvailNum, aclError (*)(uint32_t*));
ABI_FUNCTION(aclrtGetEventId, aclError (*)(aclrtEvent, uint32_t*));
ABI_FUNCTION(aclrtGetLastError, aclError (*)(aclrtLastErrLevel));
ABI_FUNCTION(aclrtGetMemInfo, aclError (*)(aclrtMemAttr, size_t*, size_t*));
ABI_FUNCTION(aclrtGetOpExecuteTimeout, aclError (*)(uint32_t*));
ABI_FUNCTION(aclrtGetOpTimeOutInterval, aclError (*)(uint64_t*));
ABI_FUNCTION(aclrtGetPrimaryCtxState, aclError (*)(int32_t, uint32_t*, int32_t*));
ABI_FUNCTION(aclrtGetRunMode, aclError (*)(aclrtRunMode*));
ABI_FUNCTION(aclrtGetSocName, const char* (*)());
ABI_FUNCTION(aclrtGetStreamAttribute,
             aclError (*)(aclrtStream, aclrtStreamAttr, aclrtStreamAttrValue*));
ABI_FUNCTION(aclrtGetStreamAvailableNum, aclError (*)(uint32_t*));
ABI_FUNCTION(aclrtGetStreamIdFromExceptionInfo, uint32_t (*)(const aclrtExceptionInfo*));
ABI_FUNCTION(aclrtGetStreamOverflowSwitch, aclError (*)(aclrtStream, uint32_t*));
ABI_FUNCTION(aclrtGetSysParamOpt, aclError (*)(aclSysParamOpt, int64_t*));
ABI_FUNCTION(aclrtGetTaskIdFromExceptionInfo, uint32_t (*)(const aclrtExceptionInfo*));
ABI_FUNCTION(aclrtGetThreadIdFromExceptionInfo, uint32_t (*)(const aclrtExceptionInfo*));
ABI_FUNCTION(aclrtGetVersion, aclError (*)(int32_t*, int32_t*, int32_t*));
ABI_FUNCTION(aclrtHostGetDevicePointer, aclError (*)(void*, void**, uint32_t));
ABI_FUNCTION(aclrtHostRegister, aclError (*)(void*, uint64_t, aclrtHostRegisterType, void**));
ABI_FUNCTION(aclrtHostRegisterV2, aclError (*)(void*, uint64_t, uint32_t));
ABI_FUNCTION(aclrtHostUnregister, aclError (*)(void*));
ABI_FUNCTION(aclrtLaunchCallback,
             aclError (*)(aclrtCallback, void*, aclrtCallbackBlockType, aclrtStream));
ABI_FUNCTION(aclrtLaunchHostFunc, aclError (*)(aclrtStream, aclrtHostFunc, void*));
ABI_FUNCTION(aclrtMalloc, aclError (*)(void**, size_t, aclrtMemMallocPolicy));
ABI_FUNCTION(aclrtMallocAlign32, aclError (*)(void**, size_t, aclrtMemMallocPolicy));
ABI_FUNCTION(aclrtMallocCached, aclError (*)(void**, size_t, aclrtMemMallocPolicy));
ABI_FUNCTION(aclrtMallocHost, aclError (*)(void**, size_t));
ABI_FUNCTION(aclrtMallocHostWithCfg, aclError (*)(void**, uint64_t, aclrtMallocConfig*));
ABI_FUNCTION(aclrtMallocWithCfg,
             aclError (*)(void**, size_t, aclrtMemMallocPolicy, aclrtMallocConfig*));
ABI_FUNCTION(aclrtMallocPhysical,
             aclError (*)(aclrtDrvMemHandle*, size_t, const aclrtPhysicalMemProp*, uint64_t));
ABI_FUNCTION(aclrtMapMem, aclError (*)(void*, size_t, size_t, aclrtDrvMemHandle, uint64_t));
ABI_FUNCTION(aclrtMemFlush, aclError (*)(void*, size_t));
ABI_FUNCTION(aclrtMemGetAllocationGranularity,
             aclError (*)(aclrtPhysicalMemProp*, aclrtMemGranularityOptions, size_t*));
ABI_FUNCTION(aclrtMemInvalidate, aclError (*)(void*, size_t));
ABI_FUNCTION(aclrtMemcpy, aclError (*)(void*, size_t, const void*, size_t, aclrtMemcpyKind));
ABI_FUNCTION(aclrtMemcpy2d,
             aclError (*)(void*, size_t, const void*, size_t, size_t, size_t, aclrtMemcpyKind));
ABI_FUNCTION(aclrtMemcpy2dAsync, aclError (*)(void*, size_t, const void*, size_t, size_t, size_t,
                                              aclrtMemcpyKind, aclrtStream));
ABI_FUNCTION(aclrtMemcpyAsync,
             aclError (*)(void*, size_t, const void*, size_t, aclrtMemcpyKind, aclrtStream));
ABI_FUNCTION(aclrtMemcpyBatch, aclError (*)(void**, size_t*, void**, size_t*, size_t,
                                            aclrtMemcpyBatchAttr*, size_t*, size_t, size_t*));
ABI_FUNCTION(aclrtMemcpyBatchAsync,
             aclError (*)(void**, size_t*, void**, size_t*, size_t, aclrtMemcpyBatchAttr*, size_t*,
                          size_t, size_t*, aclrtStream));
ABI_FUNCTION(aclrtMemcpyBatchAsyncV2,
             aclError (*)(void**, size_t*, void**, size_t*, size_t, aclrtMemcpyBatchAttr*, size_t*,
                          size_t, aclrtStream));
ABI_FUNCTION(aclrtMemcpyBatchV2, aclError (*)(void**, size_t*, void**, size_t*, size_t,
                                              aclrtMemcpyBatchAttr*, size_t*, size_t));
ABI_FUNCTION(aclrtMemset, aclError (*)(void*, size_t, int32_t, size_t));
ABI_FUNCTION(aclrtMemsetAsync, aclError (*)(void*, size_t, int32_t, size_t, aclrtStream));
ABI_FUNCTION(aclrtPeekAtLastError, aclError (*)(aclrtLastErrLevel));
ABI_FUNCTION(aclrtPointerGetAttributes, aclError (*)(const void*, aclrtPtrAttributes*));
ABI_FUNCTION(aclrtProcessReport, aclError (*)(int32_t));
ABI_FUNCTION(aclrtQueryDeviceStatus, aclError (*)(int32_t, aclrtDeviceStatus*));
ABI_FUNCTION(aclrtQueryEvent, aclError (*)(aclrtEvent, aclrtEventStatus*));
ABI_FUNCTION(aclrtQueryEventStatus, aclError (*)(aclrtEvent, aclrtEventRecordedStatus*));
ABI_FUNCTION(aclrtQueryEventWaitStatus, aclError (*)(aclrtEvent, aclrtEventWaitStatus*));
ABI_FUNCTION(aclrtRecordEvent, aclError (*)(aclrtEvent, aclrtStream));
ABI_FUNCTION(aclrtReleaseMemAddress, aclError (*)(void*));
ABI_FUNCTION(aclrtReserveMemAddress, aclError (*)(void**, size_t, size_t, void*, uint64_t));
ABI_FUNCTION(aclrtResetDevice, aclError (*)(int32_t));
ABI_FUNCTION(aclrtResetDeviceForce, aclError (*)(int32_t));
ABI_FUNCTION(aclrtResetEvent, aclError (*)(aclrtEvent, aclrtStream));
ABI_FUNCTION(aclrtSetCurrentContext, aclError (*)(aclrtContext));
ABI_FUNCTION(aclrtSetDevice, aclError (*)(int32_t));
ABI_FUNCTION(aclrtSetDeviceSatMode, aclError (*)(aclrtFloatOverflowMode));
ABI_FUNCTION(aclrtSetExceptionInfoCallback, aclError (*)(aclrtExceptionInfoCallback));
ABI_FUNCTION(aclrtSetOpExecuteTimeOut, aclError (*)(uint32_t));
ABI_FUNCTION(aclrtSetOpExecuteTimeOutV2, aclError (*)(uint64_t, uint64_t*));
ABI_FUNCTION(aclrtSetOpExecuteTimeOutWithMs, aclError (*)(uint32_t));
ABI_FUNCTION(aclrtSetOpWaitTimeout, aclError (*)(uint32_t));
ABI_FUNCTION(aclrtSetStreamAttribute,
             aclError (*)(aclrtStream, aclrtStreamAttr, aclrtStreamAttrValue*));
ABI_FUNCTION(aclrtSetStreamFailureMode, aclError (*)(aclrtStream, uint64_t));
ABI_FUNCTION(aclrtSetStreamOverflowSwitch, aclError (*)(aclrtStream, uint32_t));
ABI_FUNCTION(aclrtSetSysParamOpt, aclError (*)(aclSysParamOpt, int64_t));
ABI_FUNCTION(aclrtStreamGetFlags, aclError (*)(aclrtStream, uint32_t*));
ABI_FUNCTION(aclrtStreamGetId, aclError (*)(aclrtStream, int32_t*));
ABI_FUNCTION(aclrtStreamGetPriority, aclError (*)(aclrtStream, uint32_t*));
ABI_FUNCTION(aclrtStreamQuery, aclError (*)(aclrtStream, aclrtStreamStatus*));
ABI_FUNCTION(aclrtStreamWaitEvent, aclError (*)(aclrtStream, aclrtEvent));
ABI_FUNCTION(aclrtStreamWaitEventWithTimeout, aclError (*)(aclrtStream, aclrtEvent, int32_t));
ABI_FUNCTION(aclrtSubscribeReport, aclError (*)(uint64_t, aclrtStream));
ABI_FUNCTION(aclrtSynchronizeDevice, aclError (*)());
ABI_FUNCTION(aclrtSynchronizeDeviceWithTimeout, aclError (*)(int32_t));
ABI_FUNCTION(aclrtSynchronizeEvent, aclError (*)(aclrtEvent));
ABI_FUNCTION(aclrtSynchronizeEventWithTimeout, aclError (*)(aclrtEvent, int32_t));
ABI_FUNCTION(aclrtSynchronizeStream, aclError (*)(aclrtStream));
ABI_FUNCTION(aclrtSynchronizeStreamWithTimeout, aclError (*)(aclrtStream, int32_t));
ABI_FUNCTION(aclnnExpand, aclnnStatus (*)(void*, uint64_t, aclOpExecutor*, aclrtStream));
ABI_FUNCTION(aclnnExpandGetWorkspaceSize, aclnnStatus (*)(const aclTensor*, const aclIntArray*,
                                                          aclTensor*, uint64_t*, aclOpExecutor**));
ABI_FUNCTION(aclrtUnmapMem, aclError (*)(void*));
ABI_FUNCTION(aclnnFinalize, aclnnStatus (*)());
ABI_FUNCTION(aclnnIndexAdd, aclnnStatus (*)(void*, uint64_t, aclOpExecutor*, aclrtStream));
ABI_FUNCTION(aclnnIndexAddV2, aclnnStatus (*)(void*, uint64_t, aclOpExecutor*, aclrtStream));
ABI_FUNCTION(aclnnIndexCopy, aclnnStatus (*)(void*, uint64_t, aclOpExecutor*, aclrtStream));
ABI_FUNCTION(aclnnInplaceIndexCopy, aclnnStatus (*)(void*, uint64_t, aclOpExecutor*, aclrtStream));
ABI_FUNCTION(aclnnIndexAddGetWorkspaceSize,
             aclnnStatus (*)(const aclTensor*, int64_t, const aclTensor*, const aclTensor*,
                             const aclScalar*, aclTensor*, uint64_t*, aclOpExecutor**));
ABI_FUNCTION(aclnnIndexAddV2GetWorkspaceSize,
             aclnnStatus (*)(const aclTensor*, int64_t, const aclTensor*, const aclTensor*,
                             const aclScalar*, int64_t, aclTensor*, uint64_t*, aclOpExecutor**));
ABI_FUNCTION(aclnnIndexCopyGetWorkspaceSize,
             aclnnStatus (*)(aclTensor*, int64_t, const aclTensor*, const aclTensor*, aclTensor*,
                             uint64_t*, aclOpExecutor**));
ABI_FUNCTION(aclnnInplaceIndexCopyGetWorkspaceSize,
             aclnnStatus (*)(aclTensor*, int64_t, const aclTensor*, const aclTensor*, uint64_t*,
                             aclOpExecutor**));
ABI_FUNCTION(aclnnInit, aclnnStatus (*)(const char*));
ABI_FUNCTION(aclnnInplaceCopy, aclnnStatus (*)(void*, uint64_t, aclOpExecutor*, aclrtStream));
ABI_FUNCTION(aclnnInplaceCopyGetWorkspaceSize,
             aclnnStatus (*)(aclTensor*, const aclTensor*, uint64_t*, aclOpExecutor**));
ABI_FUNCTION(aclnnRepeat, aclnnStatus (*)(void*, uint64_t, aclOpExecutor*, aclrtStream));
ABI_FUNCTION(aclnnRepeatGetWorkspaceSize, aclnnStatus (*)(const aclTensor*, const aclIntArray*,
                                                          aclTensor*, uint64_t*, aclOpExecutor**));
ABI_FUNCTION(aclnnStridedSliceAssignV2,
             aclnnStatus (*)(void*, uint64_t, aclOpExecutor*, aclrtStream));
ABI_FUNCTION(aclnnStridedSliceAssignV2GetWorkspaceSize,
             aclnnStatus (*)(aclTensor*, const aclTensor*, const aclIntArray*, const aclIntArray*,
                             const aclIntArray*, const aclIntArray*, uint64_t*, aclOpExecutor**));
ABI_FUNCTION(aclnnTransQuantParam, aclnnStatus (*)(const float*, uint64_t, const float*, uint64_t,
                                                   uint64_t**, uint64_t*));
ABI_FUNCTION(aclnnTransQuantParamV2,
             aclnnStatus (*)(void*, uint64_t, aclOpExecutor*, const aclrtStream));
ABI_FUNCTION(aclnnTransQuantParamV2GetWorkspaceSize,
             aclnnStatus (*)(const aclTensor*, const aclTensor*, const aclTensor*, uint64_t*,
                             aclOpExecutor**));
ABI_FUNCTION(aclnnTransQuantParamV3,
             aclnnStatus (*)(void*, uint64_t, aclOpExecutor*, const aclrtStream));
ABI_FUNCTION(aclnnTransQuantParamV3GetWorkspaceSize,
             aclnnStatus (*)(const aclTensor*, const aclTensor*, int64_t, const aclTensor*,
                             uint64_t*, aclOpExecutor**));
ABI_FUNCTION(aclrtUnSubscribeReport, aclError (*)(uint64_t, aclrtStream));
ABI_END_DEPRECATED

// The checks above run at compile time; this test makes them visible in the report.
TEST(AbiFunctions, All) { SUCCEED(); }

}  // namespace
