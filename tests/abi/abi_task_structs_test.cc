// Checks size, alignment and members of the structures of acl_rt.h: task subjects.
// The expected values stand here in full; nothing is computed from the headers.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "abi_check.h"
#include "acl/acl_rt.h"

namespace {

ABI_SIZE(aclrtBinaryLoadOptionValue, 16, 4);
ABI_MEMBER(aclrtBinaryLoadOptionValue, isLazyLoad, 0, uint32_t);
ABI_MEMBER(aclrtBinaryLoadOptionValue, magic, 0, uint32_t);
ABI_MEMBER(aclrtBinaryLoadOptionValue, cpuKernelMode, 0, int32_t);
ABI_MEMBER(aclrtBinaryLoadOptionValue, rsv, 0, uint32_t[4]);

ABI_SIZE(aclrtBinaryLoadOption, 20, 4);
ABI_MEMBER(aclrtBinaryLoadOption, type, 0, aclrtBinaryLoadOptionType);
ABI_MEMBER(aclrtBinaryLoadOption, value, 4, aclrtBinaryLoadOptionValue);

ABI_SIZE(aclrtBinaryLoadOptions, 16, 8);
ABI_MEMBER(aclrtBinaryLoadOptions, options, 0, aclrtBinaryLoadOption*);
ABI_MEMBER(aclrtBinaryLoadOptions, numOpt, 8, size_t);

ABI_SIZE(dim3, 12, 4);
ABI_MEMBER(dim3, x, 0, uint32_t);
ABI_MEMBER(dim3, y, 4, uint32_t);
ABI_MEMBER(dim3, z, 8, uint32_t);

ABI_SIZE(aclrtTimeoutUs, 8, 4);
ABI_MEMBER(aclrtTimeoutUs, timeoutLow, 0, uint32_t);
ABI_MEMBER(aclrtTimeoutUs, timeoutHigh, 4, uint32_t);

ABI_BEGIN_DEPRECATED
ABI_SIZE(aclrtLaunchKernelAttrValue, 16, 4);
ABI_MEMBER(aclrtLaunchKernelAttrValue, schemMode, 0, uint8_t);
ABI_MEMBER(aclrtLaunchKernelAttrValue, localMemorySize, 0, uint32_t);
ABI_MEMBER(aclrtLaunchKernelAttrValue, dynUBufSize, 0, uint32_t);
ABI_MEMBER(aclrtLaunchKernelAttrValue, engineType, 0, aclrtEngineType);
ABI_MEMBER(aclrtLaunchKernelAttrValue, blockDimOffset, 0, uint32_t);
ABI_MEMBER(aclrtLaunchKernelAttrValue, isBlockTaskPrefetch, 0, uint8_t);
ABI_MEMBER(aclrtLaunchKernelAttrValue, isDataDump, 0, uint8_t);
ABI_MEMBER(aclrtLaunchKernelAttrValue, timeout, 0, uint16_t);
ABI_MEMBER(aclrtLaunchKernelAttrValue, timeoutUs, 0, aclrtTimeoutUs);
ABI_MEMBER(aclrtLaunchKernelAttrValue, enableProfiling, 0, uint8_t);
ABI_MEMBER(aclrtLaunchKernelAttrValue, rsv, 0, uint32_t[4]);
ABI_END_DEPRECATED

ABI_SIZE(aclrtLaunchKernelAttr, 20, 4);
ABI_MEMBER(aclrtLaunchKernelAttr, id, 0, aclrtLaunchKernelAttrId);
ABI_MEMBER(aclrtLaunchKernelAttr, value, 4, aclrtLaunchKernelAttrValue);

ABI_SIZE(aclrtLaunchKernelCfg, 16, 8);
ABI_MEMBER(aclrtLaunchKernelCfg, attrs, 0, aclrtLaunchKernelAttr*);
ABI_MEMBER(aclrtLaunchKernelCfg, numAttrs, 8, size_t);

ABI_SIZE(aclmdlRIKernelTaskParams, 88, 8);
ABI_MEMBER(aclmdlRIKernelTaskParams, funcHandle, 0, aclrtFuncHandle);
ABI_MEMBER(aclmdlRIKernelTaskParams, cfg, 8, aclrtLaunchKernelCfg*);
ABI_MEMBER(aclmdlRIKernelTaskParams, args, 16, void*);
ABI_MEMBER(aclmdlRIKernelTaskParams, isHostArgs, 24, uint32_t);
ABI_MEMBER(aclmdlRIKernelTaskParams, argsSize, 32, size_t);
ABI_MEMBER(aclmdlRIKernelTaskParams, numBlocks, 40, uint32_t);
ABI_MEMBER(aclmdlRIKernelTaskParams, rsv, 44, uint32_t[10]);

ABI_SIZE(aclmdlRIEventRecordTaskParams, 16, 8);
ABI_MEMBER(aclmdlRIEventRecordTaskParams, event, 0, aclrtEvent);
ABI_MEMBER(aclmdlRIEventRecordTaskParams, eventFlag, 8, uint32_t);
ABI_MEMBER(aclmdlRIEventRecordTaskParams, recordFlag, 12, uint32_t);

ABI_SIZE(aclmdlRIEventWaitTaskParams, 16, 8);
ABI_MEMBER(aclmdlRIEventWaitTaskParams, event, 0, aclrtEvent);
ABI_MEMBER(aclmdlRIEventWaitTaskParams, eventFlag, 8, uint32_t);
ABI_MEMBER(aclmdlRIEventWaitTaskParams, waitFlag, 12, uint32_t);

ABI_SIZE(aclmdlRIEventResetTaskParams, 16, 8);
ABI_MEMBER(aclmdlRIEventResetTaskParams, event, 0, aclrtEvent);
ABI_MEMBER(aclmdlRIEventResetTaskParams, eventFlag, 8, uint32_t);
ABI_MEMBER(aclmdlRIEventResetTaskParams, resetFlag, 12, uint32_t);

ABI_SIZE(aclmdlRIValueWriteTaskParams, 16, 8);
ABI_MEMBER(aclmdlRIValueWriteTaskParams, devAddr, 0, void*);
ABI_MEMBER(aclmdlRIValueWriteTaskParams, value, 8, uint64_t);

ABI_SIZE(aclmdlRIValueWaitTaskParams, 24, 8);
ABI_MEMBER(aclmdlRIValueWaitTaskParams, devAddr, 0, void*);
ABI_MEMBER(aclmdlRIValueWaitTaskParams, value, 8, uint64_t);
ABI_MEMBER(aclmdlRIValueWaitTaskParams, flag, 16, uint32_t);

ABI_SIZE(aclmdlRITaskParams, 200, 8);
ABI_MEMBER(aclmdlRITaskParams, type, 0, aclmdlRITaskType);
ABI_MEMBER(aclmdlRITaskParams, rsv0, 4, uint32_t[3]);
ABI_MEMBER(aclmdlRITaskParams, taskGrp, 16, aclrtTaskGrp);
ABI_MEMBER(aclmdlRITaskParams, opInfoPtr, 24, void*);
ABI_MEMBER(aclmdlRITaskParams, opInfoSize, 32, size_t);
ABI_MEMBER(aclmdlRITaskParams, rsv1, 40, uint8_t[32]);
ABI_MEMBER(aclmdlRITaskParams, rsv2, 72, uint8_t[128]);
ABI_MEMBER(aclmdlRITaskParams, kernelTaskParams, 72, aclmdlRIKernelTaskParams);
ABI_MEMBER(aclmdlRITaskParams, eventRecordTaskParams, 72, aclmdlRIEventRecordTaskParams);
ABI_MEMBER(aclmdlRITaskParams, eventWaitTaskParams, 72, aclmdlRIEventWaitTaskParams);
ABI_MEMBER(aclmdlRITaskParams, eventResetTaskParams, 72, aclmdlRIEventResetTaskParams);
ABI_MEMBER(aclmdlRITaskParams, valueWriteTaskParams, 72, aclmdlRIValueWriteTaskParams);
ABI_MEMBER(aclmdlRITaskParams, valueWaitTaskParams, 72, aclmdlRIValueWaitTaskParams);

ABI_SIZE(aclrtPlaceHolderInfo, 8, 4);
ABI_MEMBER(aclrtPlaceHolderInfo, addrOffset, 0, uint32_t);
ABI_MEMBER(aclrtPlaceHolderInfo, dataOffset, 4, uint32_t);

ABI_SIZE(aclrtRandomParaInfo, 16, 1);
ABI_MEMBER(aclrtRandomParaInfo, isAddr, 0, uint8_t);
ABI_MEMBER(aclrtRandomParaInfo, valueOrAddr, 1, uint8_t[8]);
ABI_MEMBER(aclrtRandomParaInfo, size, 9, uint8_t);
ABI_MEMBER(aclrtRandomParaInfo, rsv, 10, uint8_t[6]);

ABI_SIZE(aclrtDropoutBitmaskInfo, 16, 1);
ABI_MEMBER(aclrtDropoutBitmaskInfo, dropoutRation, 0, aclrtRandomParaInfo);

ABI_SIZE(aclrtUniformDisInfo, 32, 1);
ABI_MEMBER(aclrtUniformDisInfo, min, 0, aclrtRandomParaInfo);
ABI_MEMBER(aclrtUniformDisInfo, max, 16, aclrtRandomParaInfo);

ABI_SIZE(aclrtNormalDisInfo, 32, 1);
ABI_MEMBER(aclrtNormalDisInfo, mean, 0, aclrtRandomParaInfo);
ABI_MEMBER(aclrtNormalDisInfo, stddev, 16, aclrtRandomParaInfo);

ABI_SIZE(aclrtRandomNumFuncParaInfo, 36, 4);
ABI_MEMBER(aclrtRandomNumFuncParaInfo, funcType, 0, aclrtRandomNumFuncType);
ABI_UNNAMED_MEMBER(aclrtRandomNumFuncParaInfo, paramInfo, 4, 32);

ABI_SIZE(aclrtRandomNumTaskInfo, 104, 8);
ABI_MEMBER(aclrtRandomNumTaskInfo, dataType, 0, aclDataType);
ABI_MEMBER(aclrtRandomNumTaskInfo, randomNumFuncParaInfo, 4, aclrtRandomNumFuncParaInfo);
ABI_MEMBER(aclrtRandomNumTaskInfo, randomParaAddr, 40, void*);
ABI_MEMBER(aclrtRandomNumTaskInfo, randomResultAddr, 48, void*);
ABI_MEMBER(aclrtRandomNumTaskInfo, randomCounterAddr, 56, void*);
ABI_MEMBER(aclrtRandomNumTaskInfo, randomSeed, 64, aclrtRandomParaInfo);
ABI_MEMBER(aclrtRandomNumTaskInfo, randomNum, 80, aclrtRandomParaInfo);
ABI_MEMBER(aclrtRandomNumTaskInfo, rsv, 96, uint8_t[8]);

ABI_SIZE(aclrtRandomTaskUpdateAttr, 32, 8);
ABI_MEMBER(aclrtRandomTaskUpdateAttr, srcAddr, 0, void*);
ABI_MEMBER(aclrtRandomTaskUpdateAttr, size, 8, size_t);
ABI_MEMBER(aclrtRandomTaskUpdateAttr, rsv, 16, uint32_t[4]);

ABI_SIZE(aclrtAicAivTaskUpdateAttr, 40, 8);
ABI_MEMBER(aclrtAicAivTaskUpdateAttr, binHandle, 0, void*);
ABI_MEMBER(aclrtAicAivTaskUpdateAttr, funcEntryAddr, 8, void*);
ABI_MEMBER(aclrtAicAivTaskUpdateAttr, blockDimAddr, 16, void*);
ABI_MEMBER(aclrtAicAivTaskUpdateAttr, rsv, 24, uint32_t[4]);

ABI_SIZE(aclrtUpdateTaskAttrVal, 40, 8);
ABI_MEMBER(aclrtUpdateTaskAttrVal, randomTaskAttr, 0, aclrtRandomTaskUpdateAttr);
ABI_MEMBER(aclrtUpdateTaskAttrVal, aicAivTaskAttr, 0, aclrtAicAivTaskUpdateAttr);

ABI_SIZE(aclrtTaskUpdateInfo, 48, 8);
ABI_MEMBER(aclrtTaskUpdateInfo, id, 0, aclrtUpdateTaskAttrId);
ABI_MEMBER(aclrtTaskUpdateInfo, val, 8, aclrtUpdateTaskAttrVal);

ABI_SIZE(aclmdlRICondTaskParams, 24, 8);
ABI_MEMBER(aclmdlRICondTaskParams, handle, 0, aclmdlRICondHandle);
ABI_MEMBER(aclmdlRICondTaskParams, type, 8, aclmdlRICondTaskType);
ABI_MEMBER(aclmdlRICondTaskParams, size, 12, uint32_t);
ABI_MEMBER(aclmdlRICondTaskParams, modelRIArray, 16, aclmdlRI*);

// Launch sizes default to 1 and convert from plain numbers.
static_assert(std::is_trivially_copyable<dim3>::value, "dim3 must be trivially copyable");
static_assert(dim3().x == 1 && dim3().y == 1 && dim3().z == 1, "dim3 default");
static_assert(dim3(2, 3).y == 3 && dim3(2, 3).z == 1, "dim3 partial");

// The checks above run at compile time; this test makes them visible in the report.
TEST(AbiStructs, Task) { SUCCEED(); }

}  // namespace
