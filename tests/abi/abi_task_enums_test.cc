// Checks the enumerations of acl_rt.h: task subjects.
// The expected values stand here in full; nothing is computed from the headers.

#include <gtest/gtest.h>

#include "abi_check.h"
#include "acl/acl_rt.h"

namespace {

// enum aclmdlRICaptureMode
constexpr Value kModelCaptureMode[] = {
    ABI_ENUM(aclmdlRICaptureMode, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL, 0),
    ABI_ENUM(aclmdlRICaptureMode, ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL, 1),
    ABI_ENUM(aclmdlRICaptureMode, ACL_MODEL_RI_CAPTURE_MODE_RELAXED, 2),
};
static_assert(AllMatch(kModelCaptureMode), "ModelCaptureMode");
TEST(AbiConstants, ModelCaptureMode) { ExpectAllMatch(kModelCaptureMode); }

// enum aclmdlRICaptureStatus
constexpr Value kModelCaptureStatus[] = {
    ABI_ENUM(aclmdlRICaptureStatus, ACL_MODEL_RI_CAPTURE_STATUS_NONE, 0),
    ABI_ENUM(aclmdlRICaptureStatus, ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE, 1),
    ABI_ENUM(aclmdlRICaptureStatus, ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED, 2),
};
static_assert(AllMatch(kModelCaptureStatus), "ModelCaptureStatus");
TEST(AbiConstants, ModelCaptureStatus) { ExpectAllMatch(kModelCaptureStatus); }

// enum aclrtBinaryLoadOptionType
constexpr Value kBinaryLoadOptionType[] = {
    ABI_ENUM(aclrtBinaryLoadOptionType, ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD, 1),
    ABI_ENUM(aclrtBinaryLoadOptionType, ACL_RT_BINARY_LOAD_OPT_LAZY_MAGIC, 2),
    ABI_ENUM(aclrtBinaryLoadOptionType, ACL_RT_BINARY_LOAD_OPT_MAGIC, 2),
    ABI_ENUM(aclrtBinaryLoadOptionType, ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE, 3),
};
static_assert(AllMatch(kBinaryLoadOptionType), "BinaryLoadOptionType");
TEST(AbiConstants, BinaryLoadOptionType) { ExpectAllMatch(kBinaryLoadOptionType); }

// enum aclrtEngineType
constexpr Value kEngineType[] = {
    ABI_ENUM(aclrtEngineType, ACL_RT_ENGINE_TYPE_AIC, 0),
    ABI_ENUM(aclrtEngineType, ACL_RT_ENGINE_TYPE_AIV, 1),
};
static_assert(AllMatch(kEngineType), "EngineType");
TEST(AbiConstants, EngineType) { ExpectAllMatch(kEngineType); }

// enum aclrtLaunchKernelAttrId
ABI_BEGIN_DEPRECATED
constexpr Value kLaunchKernelAttrId[] = {
    ABI_ENUM(aclrtLaunchKernelAttrId, ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE, 1),
    ABI_ENUM(aclrtLaunchKernelAttrId, ACL_RT_LAUNCH_KERNEL_ATTR_LOCAL_MEMORY_SIZE, 2),
    ABI_ENUM(aclrtLaunchKernelAttrId, ACL_RT_LAUNCH_KERNEL_ATTR_DYN_UBUF_SIZE, 2),
    ABI_ENUM(aclrtLaunchKernelAttrId, ACL_RT_LAUNCH_KERNEL_ATTR_ENGINE_TYPE, 3),
    ABI_ENUM(aclrtLaunchKernelAttrId, ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET, 4),
    ABI_ENUM(aclrtLaunchKernelAttrId, ACL_RT_LAUNCH_KERNEL_ATTR_BLOCK_TASK_PREFETCH, 5),
    ABI_ENUM(aclrtLaunchKernelAttrId, ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP, 6),
    ABI_ENUM(aclrtLaunchKernelAttrId, ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT, 7),
    ABI_ENUM(aclrtLaunchKernelAttrId, ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US, 8),
    ABI_ENUM(aclrtLaunchKernelAttrId, ACL_RT_LAUNCH_KERNEL_ATTR_ENABLE_PROFILING, 9),
};
ABI_END_DEPRECATED
static_assert(AllMatch(kLaunchKernelAttrId), "LaunchKernelAttrId");
TEST(AbiConstants, LaunchKernelAttrId) { ExpectAllMatch(kLaunchKernelAttrId); }

// enum aclmdlRITaskType
constexpr Value kModelTaskType[] = {
    ABI_ENUM(aclmdlRITaskType, ACL_MODEL_RI_TASK_DEFAULT, 0),
    ABI_ENUM(aclmdlRITaskType, ACL_MODEL_RI_TASK_KERNEL, 1),
    ABI_ENUM(aclmdlRITaskType, ACL_MODEL_RI_TASK_EVENT_RECORD, 2),
    ABI_ENUM(aclmdlRITaskType, ACL_MODEL_RI_TASK_EVENT_WAIT, 3),
    ABI_ENUM(aclmdlRITaskType, ACL_MODEL_RI_TASK_EVENT_RESET, 4),
    ABI_ENUM(aclmdlRITaskType, ACL_MODEL_RI_TASK_VALUE_WRITE, 5),
    ABI_ENUM(aclmdlRITaskType, ACL_MODEL_RI_TASK_VALUE_WAIT, 6),
};
static_assert(AllMatch(kModelTaskType), "ModelTaskType");
TEST(AbiConstants, ModelTaskType) { ExpectAllMatch(kModelTaskType); }

// enum aclrtRandomNumFuncType
constexpr Value kRandomNumFuncType[] = {
    ABI_ENUM(aclrtRandomNumFuncType, ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK, 0),
    ABI_ENUM(aclrtRandomNumFuncType, ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS, 1),
    ABI_ENUM(aclrtRandomNumFuncType, ACL_RT_RANDOM_NUM_FUNC_TYPE_NORMAL_DIS, 2),
    ABI_ENUM(aclrtRandomNumFuncType, ACL_RT_RANDOM_NUM_FUNC_TYPE_TRUNCATED_NORMAL_DIS, 3),
};
static_assert(AllMatch(kRandomNumFuncType), "RandomNumFuncType");
TEST(AbiConstants, RandomNumFuncType) { ExpectAllMatch(kRandomNumFuncType); }

// enum aclrtUpdateTaskAttrId
constexpr Value kUpdateTaskAttrId[] = {
    ABI_ENUM(aclrtUpdateTaskAttrId, ACL_RT_UPDATE_RANDOM_TASK, 1),
    ABI_ENUM(aclrtUpdateTaskAttrId, ACL_RT_UPDATE_AIC_AIV_TASK, 2),
};
static_assert(AllMatch(kUpdateTaskAttrId), "UpdateTaskAttrId");
TEST(AbiConstants, UpdateTaskAttrId) { ExpectAllMatch(kUpdateTaskAttrId); }

// enum aclrtFuncAttribute
constexpr Value kFuncAttribute[] = {
    ABI_ENUM(aclrtFuncAttribute, ACL_FUNC_ATTR_KERNEL_TYPE, 1),
    ABI_ENUM(aclrtFuncAttribute, ACL_FUNC_ATTR_KERNEL_RATIO, 2),
    ABI_ENUM(aclrtFuncAttribute, ACL_FUNC_ATTR_KERNEL_SCHED_MODE, 3),
};
static_assert(AllMatch(kFuncAttribute), "FuncAttribute");
TEST(AbiConstants, FuncAttribute) { ExpectAllMatch(kFuncAttribute); }

// enum aclrtKernelType
constexpr Value kKernelType[] = {
    ABI_ENUM(aclrtKernelType, ACL_KERNEL_TYPE_AICORE, 0),
    ABI_ENUM(aclrtKernelType, ACL_KERNEL_TYPE_CUBE, 1),
    ABI_ENUM(aclrtKernelType, ACL_KERNEL_TYPE_VECTOR, 2),
    ABI_ENUM(aclrtKernelType, ACL_KERNEL_TYPE_MIX, 3),
    ABI_ENUM(aclrtKernelType, ACL_KERNEL_TYPE_AICPU, 100),
};
static_assert(AllMatch(kKernelType), "KernelType");
TEST(AbiConstants, KernelType) { ExpectAllMatch(kKernelType); }

// enum aclmdlRICondHandleFlag
constexpr Value kModelCondHandleFlag[] = {
    ABI_ENUM(aclmdlRICondHandleFlag, ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT, 1),
};
static_assert(AllMatch(kModelCondHandleFlag), "ModelCondHandleFlag");
TEST(AbiConstants, ModelCondHandleFlag) { ExpectAllMatch(kModelCondHandleFlag); }

// enum aclmdlRICondTaskType
constexpr Value kModelCondTaskType[] = {
    ABI_ENUM(aclmdlRICondTaskType, ACL_MODEL_RI_COND_TYPE_IF, 0),
    ABI_ENUM(aclmdlRICondTaskType, ACL_MODEL_RI_COND_TYPE_WHILE, 1),
    ABI_ENUM(aclmdlRICondTaskType, ACL_MODEL_RI_COND_TYPE_SWITCH, 2),
};
static_assert(AllMatch(kModelCondTaskType), "ModelCondTaskType");
TEST(AbiConstants, ModelCondTaskType) { ExpectAllMatch(kModelCondTaskType); }

}  // namespace
