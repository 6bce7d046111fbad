// Checks handles, opaque types, callback types, tags and enumeration sizes.
// The expected values stand here in full; nothing is computed from the headers.

#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>

#include "abi_check.h"
#include "acl/acl.h"
#include "aclnn/acl_meta.h"

namespace {

// Handles and basic types.
ABI_ALIAS(aclrtStream, void*);
ABI_ALIAS(aclmdlRITask, void*);
ABI_ALIAS(aclrtEvent, void*);
ABI_ALIAS(aclrtContext, void*);
ABI_ALIAS(aclrtNotify, void*);
ABI_ALIAS(aclrtCntNotify, void*);
ABI_ALIAS(aclrtLabel, void*);
ABI_ALIAS(aclrtLabelList, void*);
ABI_ALIAS(aclrtMbuf, void*);
ABI_ALIAS(aclrtAllocatorDesc, void*);
ABI_ALIAS(aclrtAllocator, void*);
ABI_ALIAS(aclrtAllocatorBlock, void*);
ABI_ALIAS(aclrtAllocatorAddr, void*);
ABI_ALIAS(aclrtTaskGrp, void*);
ABI_ALIAS(aclrtDrvMemHandle, void*);
ABI_ALIAS(aclrtBinary, void*);
ABI_ALIAS(aclrtBinHandle, void*);
ABI_ALIAS(aclrtFuncHandle, void*);
ABI_ALIAS(aclrtArgsHandle, void*);
ABI_ALIAS(aclrtParamHandle, void*);
ABI_ALIAS(aclmdlRI, void*);
ABI_ALIAS(aclmdlRICondHandle, void*);
ABI_ALIAS(aclrtMemPool, void*);
ABI_ALIAS(aclError, int);
ABI_ALIAS(aclFloat16, uint16_t);
ABI_ALIAS(aclnnStatus, int32_t);
ABI_ALIAS(aclrtGroupInfo, struct tagRtGroupInfo);
ABI_ALIAS(aclrtExceptionInfo, struct rtExceptionInfo);

// Opaque structures.
ABI_ALIAS(aclDataBuffer, struct aclDataBuffer);
ABI_ALIAS(aclrtUtilizationExtendInfo, struct aclrtUtilizationExtendInfo);
ABI_ALIAS(aclOpExecutor, struct aclOpExecutor);
ABI_ALIAS(aclTensor, struct aclTensor);
ABI_ALIAS(aclScalar, struct aclScalar);
ABI_ALIAS(aclIntArray, struct aclIntArray);
ABI_ALIAS(aclFloatArray, struct aclFloatArray);
ABI_ALIAS(aclBoolArray, struct aclBoolArray);
ABI_ALIAS(aclTensorList, struct aclTensorList);
ABI_ALIAS(aclScalarList, struct aclScalarList);

// Callback types.
ABI_ALIAS(aclrtCallback, void (*)(void* userData));
ABI_ALIAS(aclrtHostFunc, void (*)(void* args));
ABI_ALIAS(aclrtExceptionInfoCallback, void (*)(aclrtExceptionInfo* exceptionInfo));
ABI_ALIAS(aclrtOpExceptionCallback, void (*)(aclrtExceptionInfo* exceptionInfo, void* userData));
ABI_ALIAS(aclrtDeviceStateCallback, void (*)(int32_t deviceId, aclrtDeviceState state, void* args));
ABI_ALIAS(aclrtStreamStateCallback, void (*)(aclrtStream stm, aclrtStreamState state, void* args));
ABI_ALIAS(aclrtDeviceTaskAbortCallback,
          int32_t (*)(int32_t deviceId, aclrtDeviceTaskAbortStage stage, uint32_t timeout,
                      void* args));
ABI_ALIAS(aclrtSnapShotCallBack, uint32_t (*)(int32_t deviceId, void* args));
ABI_ALIAS(aclInitCallbackFunc, aclError (*)(const char* configStr, size_t len, void* userData));
ABI_ALIAS(aclFinalizeCallbackFunc, aclError (*)(void* userData));
ABI_ALIAS(aclrtAllocatorAllocFunc, void* (*)(aclrtAllocator allocator, size_t size));
ABI_ALIAS(aclrtAllocatorFreeFunc, void (*)(aclrtAllocator allocator, aclrtAllocatorBlock block));
ABI_ALIAS(aclrtAllocatorAllocAdviseFunc,
          void* (*)(aclrtAllocator allocator, size_t size, aclrtAllocatorAddr addr));
ABI_ALIAS(aclrtAllocatorGetAddrFromBlockFunc, void* (*)(aclrtAllocatorBlock block));

// Tags of the enumerations that have one.
ABI_ALIAS(aclrtRunMode, enum aclrtRunMode);
ABI_ALIAS(aclrtTsId, enum aclrtTsId);
ABI_ALIAS(aclrtEventStatus, enum aclrtEventStatus);
ABI_ALIAS(aclrtEventRecordedStatus, enum aclrtEventRecordedStatus);
ABI_ALIAS(aclrtEventWaitStatus, enum aclrtEventWaitStatus);
ABI_ALIAS(aclrtStreamStatus, enum aclrtStreamStatus);
ABI_ALIAS(aclrtCallbackBlockType, enum aclrtCallbackBlockType);
ABI_ALIAS(aclrtMemcpyKind, enum aclrtMemcpyKind);
ABI_ALIAS(aclrtMemManagedAdviseType, enum aclrtMemManagedAdviseType);
ABI_ALIAS(aclrtMemManagedLocationType, enum aclrtMemManagedLocationType);
ABI_ALIAS(aclrtMemMallocPolicy, enum aclrtMemMallocPolicy);
ABI_ALIAS(aclrtMemAttr, enum aclrtMemAttr);
ABI_ALIAS(aclrtMemPgType, enum aclrtMemPgType);
ABI_ALIAS(aclrtMemType, enum aclrtMemType);
ABI_ALIAS(aclrtGroupAttr, enum aclrtGroupAttr);
ABI_ALIAS(aclrtFloatOverflowMode, enum aclrtFloatOverflowMode);
ABI_ALIAS(aclrtMemLocationType, enum aclrtMemLocationType);
ABI_ALIAS(aclrtMemManagedRangeAttribute, enum aclrtMemManagedRangeAttribute);
ABI_ALIAS(aclrtMemAllocationType, enum aclrtMemAllocationType);
ABI_ALIAS(aclrtMemHandleType, enum aclrtMemHandleType);
ABI_ALIAS(aclrtMemSharedHandleType, enum aclrtMemSharedHandleType);
ABI_ALIAS(aclrtMemGranularityOptions, enum aclrtMemGranularityOptions);
ABI_ALIAS(aclrtDeviceStatus, enum aclrtDeviceStatus);
ABI_ALIAS(aclrtAicoreErrorType, enum aclrtAicoreErrorType);
ABI_ALIAS(aclrtCmoType, enum aclrtCmoType);
ABI_ALIAS(aclrtLastErrLevel, enum aclrtLastErrLevel);
ABI_ALIAS(aclrtBinaryLoadOptionType, enum aclrtBinaryLoadOptionType);
ABI_ALIAS(aclrtLaunchKernelAttrId, enum aclrtLaunchKernelAttrId);
ABI_ALIAS(aclmdlRITaskType, enum aclmdlRITaskType);
ABI_ALIAS(aclCANNPackageName, enum aclCANNPackageName);
ABI_ALIAS(aclrtAtomicOperationCapability, enum aclrtAtomicOperationCapability);
ABI_ALIAS(aclrtAtomicOperation, enum aclrtAtomicOperation);
ABI_ALIAS(aclrtDeviceLimit, enum aclrtDeviceLimit);
ABI_ALIAS(aclRegisterCallbackType, enum aclRegisterCallbackType);
ABI_ALIAS(aclrtProcessState, enum aclrtProcessState);
ABI_ALIAS(aclrtMemPoolAttr, enum aclrtMemPoolAttr);

// Tags of the structures and unions that have one.
ABI_ALIAS(aclrtMemManagedLocation, struct aclrtMemManagedLocation);
ABI_ALIAS(aclrtStreamConfigHandle, struct aclrtStreamConfigHandle);
ABI_ALIAS(aclrtUtilizationInfo, struct aclrtUtilizationInfo);
ABI_ALIAS(aclrtMemLocation, struct aclrtMemLocation);
ABI_ALIAS(aclrtPtrAttributes, struct aclrtPtrAttributes);
ABI_ALIAS(aclrtMemUsageInfo, struct aclrtMemUsageInfo);
ABI_ALIAS(aclrtMemFabricHandle, struct aclrtMemFabricHandle);
ABI_ALIAS(aclrtPhysicalMemProp, struct aclrtPhysicalMemProp);
ABI_ALIAS(aclrtMemUceInfo, struct aclrtMemUceInfo);
ABI_ALIAS(aclrtErrorInfoDetail, union aclrtErrorInfoDetail);
ABI_ALIAS(aclrtErrorInfo, struct aclrtErrorInfo);
ABI_ALIAS(aclrtBinaryLoadOptionValue, union aclrtBinaryLoadOptionValue);
ABI_ALIAS(aclrtBinaryLoadOptions, struct aclrtBinaryLoadOptions);
ABI_ALIAS(dim3, struct dim3);
ABI_ALIAS(aclrtLaunchKernelAttrValue, union aclrtLaunchKernelAttrValue);
ABI_ALIAS(aclrtLaunchKernelAttr, struct aclrtLaunchKernelAttr);
ABI_ALIAS(aclrtLaunchKernelCfg, struct aclrtLaunchKernelCfg);
ABI_ALIAS(aclmdlRIKernelTaskParams, struct aclmdlRIKernelTaskParams);
ABI_ALIAS(aclmdlRIEventRecordTaskParams, struct aclmdlRIEventRecordTaskParams);
ABI_ALIAS(aclmdlRIEventWaitTaskParams, struct aclmdlRIEventWaitTaskParams);
ABI_ALIAS(aclmdlRIEventResetTaskParams, struct aclmdlRIEventResetTaskParams);
ABI_ALIAS(aclmdlRIValueWriteTaskParams, struct aclmdlRIValueWriteTaskParams);
ABI_ALIAS(aclmdlRIValueWaitTaskParams, struct aclmdlRIValueWaitTaskParams);
ABI_ALIAS(aclmdlRITaskParams, struct aclmdlRITaskParams);
ABI_ALIAS(aclrtSnapShotBackupArgs, struct aclrtSnapShotBackupArgs);
ABI_ALIAS(aclrtSnapShotRestoreArgs, struct aclrtSnapShotRestoreArgs);
ABI_ALIAS(aclrtUuid, struct aclrtUuid);
ABI_ALIAS(aclCANNPackageVersion, struct aclCANNPackageVersion);
ABI_ALIAS(aclrtIpcEventHandle, struct aclrtIpcEventHandle);
ABI_ALIAS(aclmdlRICondTaskParams, struct tagAclmdlRICondTaskParams);

// Every enumeration is as large as an int.
ABI_SIZE(aclDataType, 4, 4);
ABI_SIZE(aclFormat, 4, 4);
ABI_SIZE(aclLogLevel, 4, 4);
ABI_SIZE(aclMemType, 4, 4);
ABI_SIZE(aclSysParamOpt, 4, 4);
ABI_SIZE(aclCannAttr, 4, 4);
ABI_SIZE(aclDeviceInfo, 4, 4);
ABI_SIZE(aclrtRunMode, 4, 4);
ABI_SIZE(aclrtTsId, 4, 4);
ABI_SIZE(aclrtEventStatus, 4, 4);
ABI_SIZE(aclrtEventRecordedStatus, 4, 4);
ABI_SIZE(aclrtEventWaitStatus, 4, 4);
ABI_SIZE(aclrtStreamStatus, 4, 4);
ABI_SIZE(aclrtCallbackBlockType, 4, 4);
ABI_SIZE(aclrtMemcpyKind, 4, 4);
ABI_SIZE(aclrtMemManagedAdviseType, 4, 4);
ABI_SIZE(aclrtMemManagedLocationType, 4, 4);
ABI_SIZE(aclrtMemMallocPolicy, 4, 4);
ABI_SIZE(aclrtHostRegisterType, 4, 4);
ABI_SIZE(aclrtMallocAttrType, 4, 4);
ABI_SIZE(aclrtMemAttr, 4, 4);
ABI_SIZE(aclrtMemPgType, 4, 4);
ABI_SIZE(aclrtMemType, 4, 4);
ABI_SIZE(aclrtIpcMemAttrType, 4, 4);
ABI_SIZE(aclrtGroupAttr, 4, 4);
ABI_SIZE(aclrtFloatOverflowMode, 4, 4);
ABI_SIZE(aclrtStreamConfigAttr, 4, 4);
ABI_SIZE(aclrtMemLocationType, 4, 4);
ABI_SIZE(aclrtMemManagedRangeAttribute, 4, 4);
ABI_SIZE(aclrtMemAllocationType, 4, 4);
ABI_SIZE(aclrtMemHandleType, 4, 4);
ABI_SIZE(aclrtMemSharedHandleType, 4, 4);
ABI_SIZE(aclrtMemGranularityOptions, 4, 4);
ABI_SIZE(aclrtDeviceStatus, 4, 4);
ABI_SIZE(aclmdlRICaptureMode, 4, 4);
ABI_SIZE(aclmdlRICaptureStatus, 4, 4);
ABI_SIZE(aclrtErrorType, 4, 4);
ABI_SIZE(aclrtAicoreErrorType, 4, 4);
ABI_SIZE(aclrtCmoType, 4, 4);
ABI_SIZE(aclrtLastErrLevel, 4, 4);
ABI_SIZE(aclrtBinaryLoadOptionType, 4, 4);
ABI_SIZE(aclrtEngineType, 4, 4);
ABI_SIZE(aclrtLaunchKernelAttrId, 4, 4);
ABI_SIZE(aclrtStreamAttr, 4, 4);
ABI_SIZE(aclmdlRITaskType, 4, 4);
ABI_SIZE(aclrtDevAttr, 4, 4);
ABI_SIZE(aclrtDevFeatureType, 4, 4);
ABI_SIZE(aclrtReduceKind, 4, 4);
ABI_SIZE(aclrtDevResLimitType, 4, 4);
ABI_SIZE(aclrtCondition, 4, 4);
ABI_SIZE(aclrtCompareDataType, 4, 4);
ABI_SIZE(aclrtRandomNumFuncType, 4, 4);
ABI_SIZE(aclrtDeviceTaskAbortStage, 4, 4);
ABI_SIZE(aclrtUpdateTaskAttrId, 4, 4);
ABI_SIZE(aclrtDeviceState, 4, 4);
ABI_SIZE(aclrtSnapShotStage, 4, 4);
ABI_SIZE(aclrtStreamState, 4, 4);
ABI_SIZE(aclrtFuncAttribute, 4, 4);
ABI_SIZE(aclrtKernelType, 4, 4);
ABI_SIZE(aclrtCntNotifyRecordMode, 4, 4);
ABI_SIZE(aclrtCntNotifyWaitMode, 4, 4);
ABI_SIZE(aclrtMemAccessFlags, 4, 4);
ABI_SIZE(aclCANNPackageName, 4, 4);
ABI_SIZE(aclrtHacType, 4, 4);
ABI_SIZE(aclrtHostMemMapCapability, 4, 4);
ABI_SIZE(aclrtMemLinkType, 4, 4);
ABI_SIZE(aclrtAtomicOperationCapability, 4, 4);
ABI_SIZE(aclrtAtomicOperation, 4, 4);
ABI_SIZE(aclmdlRICondHandleFlag, 4, 4);
ABI_SIZE(aclmdlRICondTaskType, 4, 4);
ABI_SIZE(aclrtDeviceLimit, 4, 4);
ABI_SIZE(aclRegisterCallbackType, 4, 4);
ABI_SIZE(aclrtProcessState, 4, 4);
ABI_SIZE(aclrtMemPoolAttr, 4, 4);

// The checks above run at compile time; this test makes them visible in the report.
TEST(AbiTypes, All) { SUCCEED(); }

}  // namespace
