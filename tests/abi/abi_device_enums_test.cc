// Checks the enumerations of acl_rt.h: device subjects.
// The expected values stand here in full; nothing is computed from the headers.

#include <gtest/gtest.h>

#include "abi_check.h"
#include "acl/acl_rt.h"

namespace {

// enum aclrtRunMode
constexpr Value kRunMode[] = {
    ABI_ENUM(aclrtRunMode, ACL_DEVICE, 0),
    ABI_ENUM(aclrtRunMode, ACL_HOST, 1),
};
static_assert(AllMatch(kRunMode), "RunMode");
TEST(AbiConstants, RunMode) { ExpectAllMatch(kRunMode); }

// enum aclrtTsId
constexpr Value kTsId[] = {
    ABI_ENUM(aclrtTsId, ACL_TS_ID_AICORE, 0),
    ABI_ENUM(aclrtTsId, ACL_TS_ID_AIVECTOR, 1),
    ABI_ENUM(aclrtTsId, ACL_TS_ID_RESERVED, 2),
};
static_assert(AllMatch(kTsId), "TsId");
TEST(AbiConstants, TsId) { ExpectAllMatch(kTsId); }

// enum aclrtGroupAttr
constexpr Value kGroupAttr[] = {
    ABI_ENUM(aclrtGroupAttr, ACL_GROUP_AICORE_INT, 0),
    ABI_ENUM(aclrtGroupAttr, ACL_GROUP_AIV_INT, 1),
    ABI_ENUM(aclrtGroupAttr, ACL_GROUP_AIC_INT, 2),
    ABI_ENUM(aclrtGroupAttr, ACL_GROUP_SDMANUM_INT, 3),
    ABI_ENUM(aclrtGroupAttr, ACL_GROUP_ASQNUM_INT, 4),
    ABI_ENUM(aclrtGroupAttr, ACL_GROUP_GROUPID_INT, 5),
};
static_assert(AllMatch(kGroupAttr), "GroupAttr");
TEST(AbiConstants, GroupAttr) { ExpectAllMatch(kGroupAttr); }

// enum aclrtFloatOverflowMode
constexpr Value kFloatOverflowMode[] = {
    ABI_ENUM(aclrtFloatOverflowMode, ACL_RT_OVERFLOW_MODE_SATURATION, 0),
    ABI_ENUM(aclrtFloatOverflowMode, ACL_RT_OVERFLOW_MODE_INFNAN, 1),
    ABI_ENUM(aclrtFloatOverflowMode, ACL_RT_OVERFLOW_MODE_UNDEF, 2),
};
static_assert(AllMatch(kFloatOverflowMode), "FloatOverflowMode");
TEST(AbiConstants, FloatOverflowMode) { ExpectAllMatch(kFloatOverflowMode); }

// enum aclrtDeviceStatus
constexpr Value kDeviceStatus[] = {
    ABI_ENUM(aclrtDeviceStatus, ACL_RT_DEVICE_STATUS_NORMAL, 0),
    ABI_ENUM(aclrtDeviceStatus, ACL_RT_DEVICE_STATUS_ABNORMAL, 1),
    ABI_ENUM(aclrtDeviceStatus, ACL_RT_DEVICE_STATUS_END, 65535),
};
static_assert(AllMatch(kDeviceStatus), "DeviceStatus");
TEST(AbiConstants, DeviceStatus) { ExpectAllMatch(kDeviceStatus); }

// enum aclrtErrorType
constexpr Value kErrorType[] = {
    ABI_ENUM(aclrtErrorType, ACL_RT_NO_ERROR, 0),
    ABI_ENUM(aclrtErrorType, ACL_RT_ERROR_MEMORY, 1),
    ABI_ENUM(aclrtErrorType, ACL_RT_ERROR_L2, 2),
    ABI_ENUM(aclrtErrorType, ACL_RT_ERROR_AICORE, 3),
    ABI_ENUM(aclrtErrorType, ACL_RT_ERROR_LINK, 4),
    ABI_ENUM(aclrtErrorType, ACL_RT_ERROR_L3_PORT, 5),
    ABI_ENUM(aclrtErrorType, ACL_RT_ERROR_OTHERS, 65535),
};
static_assert(AllMatch(kErrorType), "ErrorType");
TEST(AbiConstants, ErrorType) { ExpectAllMatch(kErrorType); }

// enum aclrtAicoreErrorType
constexpr Value kAicoreErrorType[] = {
    ABI_ENUM(aclrtAicoreErrorType, ACL_RT_AICORE_ERROR_UNKNOWN, 0),
    ABI_ENUM(aclrtAicoreErrorType, ACL_RT_AICORE_ERROR_SW, 1),
    ABI_ENUM(aclrtAicoreErrorType, ACL_RT_AICORE_ERROR_HW_LOCAL, 2),
};
static_assert(AllMatch(kAicoreErrorType), "AicoreErrorType");
TEST(AbiConstants, AicoreErrorType) { ExpectAllMatch(kAicoreErrorType); }

// enum aclrtLastErrLevel
constexpr Value kLastErrLevel[] = {
    ABI_ENUM(aclrtLastErrLevel, ACL_RT_THREAD_LEVEL, 0),
};
static_assert(AllMatch(kLastErrLevel), "LastErrLevel");
TEST(AbiConstants, LastErrLevel) { ExpectAllMatch(kLastErrLevel); }

// enum aclrtDevAttr
ABI_BEGIN_DEPRECATED
constexpr Value kDevAttr[] = {
    ABI_ENUM(aclrtDevAttr, ACL_DEV_ATTR_AICPU_CORE_NUM, 1),
    ABI_ENUM(aclrtDevAttr, ACL_DEV_ATTR_AICORE_CORE_NUM, 101),
    ABI_ENUM(aclrtDevAttr, ACL_DEV_ATTR_CUBE_CORE_NUM, 102),
    ABI_ENUM(aclrtDevAttr, ACL_DEV_ATTR_VECTOR_CORE_NUM, 201),
    ABI_ENUM(aclrtDevAttr, ACL_DEV_ATTR_WARP_SIZE, 202),
    ABI_ENUM(aclrtDevAttr, ACL_DEV_ATTR_MAX_THREAD_PER_VECTOR_CORE, 203),
    ABI_ENUM(aclrtDevAttr, ACL_DEV_ATTR_LOCAL_MEM_PER_VECTOR_CORE, 204),
    ABI_ENUM(aclrtDevAttr, ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE, 204),
    ABI_ENUM(aclrtDevAttr, ACL_DEV_ATTR_MAX_GRID_DIM_X, 205),
    ABI_ENUM(aclrtDevAttr, ACL_DEV_ATTR_MAX_GRID_DIM_Y, 206),
    ABI_ENUM(aclrtDevAttr, ACL_DEV_ATTR_MAX_GRID_DIM_Z, 207),
    ABI_ENUM(aclrtDevAttr, ACL_DEV_ATTR_MAX_BLOCK_PER_GRID, 208),
    ABI_ENUM(aclrtDevAttr, ACL_DEV_ATTR_MAX_THREADS_PER_BLOCK, 209),
    ABI_ENUM(aclrtDevAttr, ACL_DEV_ATTR_MAX_BLOCK_DIM_X, 210),
    ABI_ENUM(aclrtDevAttr, ACL_DEV_ATTR_MAX_BLOCK_DIM_Y, 211),
    ABI_ENUM(aclrtDevAttr, ACL_DEV_ATTR_MAX_BLOCK_DIM_Z, 212),
    ABI_ENUM(aclrtDevAttr, ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE, 301),
    ABI_ENUM(aclrtDevAttr, ACL_DEV_ATTR_L2_CACHE_SIZE, 302),
    ABI_ENUM(aclrtDevAttr, ACL_DEV_ATTR_SMP_ID, 401),
    ABI_ENUM(aclrtDevAttr, ACL_DEV_ATTR_PHY_CHIP_ID, 402),
    ABI_ENUM(aclrtDevAttr, ACL_DEV_ATTR_SUPER_POD_DEVIDE_ID, 403),
    ABI_ENUM(aclrtDevAttr, ACL_DEV_ATTR_SUPER_POD_DEVICE_ID, 403),
    ABI_ENUM(aclrtDevAttr, ACL_DEV_ATTR_SUPER_POD_SERVER_ID, 404),
    ABI_ENUM(aclrtDevAttr, ACL_DEV_ATTR_SUPER_POD_ID, 405),
    ABI_ENUM(aclrtDevAttr, ACL_DEV_ATTR_CUST_OP_PRIVILEGE, 406),
    ABI_ENUM(aclrtDevAttr, ACL_DEV_ATTR_MAINBOARD_ID, 407),
    ABI_ENUM(aclrtDevAttr, ACL_DEV_ATTR_HD_CONNECT_TYPE, 408),
    ABI_ENUM(aclrtDevAttr, ACL_DEV_ATTR_DEVICE_FORM_FACTOR, 409),
    ABI_ENUM(aclrtDevAttr, ACL_DEV_ATTR_IS_VIRTUAL, 501),
    ABI_ENUM(aclrtDevAttr, ACL_DEV_ATTR_NPU_ARCH, 601),
};
ABI_END_DEPRECATED
static_assert(AllMatch(kDevAttr), "DevAttr");
TEST(AbiConstants, DevAttr) { ExpectAllMatch(kDevAttr); }

// enum aclrtDevFeatureType
constexpr Value kDevFeatureType[] = {
    ABI_ENUM(aclrtDevFeatureType, ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV, 1),
    ABI_ENUM(aclrtDevFeatureType, ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV, 21),
};
static_assert(AllMatch(kDevFeatureType), "DevFeatureType");
TEST(AbiConstants, DevFeatureType) { ExpectAllMatch(kDevFeatureType); }

// enum aclrtDevResLimitType
constexpr Value kDevResLimitType[] = {
    ABI_ENUM(aclrtDevResLimitType, ACL_RT_DEV_RES_CUBE_CORE, 0),
    ABI_ENUM(aclrtDevResLimitType, ACL_RT_DEV_RES_VECTOR_CORE, 1),
};
static_assert(AllMatch(kDevResLimitType), "DevResLimitType");
TEST(AbiConstants, DevResLimitType) { ExpectAllMatch(kDevResLimitType); }

// enum aclrtDeviceTaskAbortStage
constexpr Value kDeviceTaskAbortStage[] = {
    ABI_ENUM(aclrtDeviceTaskAbortStage, ACL_RT_DEVICE_TASK_ABORT_PRE, 0),
    ABI_ENUM(aclrtDeviceTaskAbortStage, ACL_RT_DEVICE_TASK_ABORT_POST, 1),
};
static_assert(AllMatch(kDeviceTaskAbortStage), "DeviceTaskAbortStage");
TEST(AbiConstants, DeviceTaskAbortStage) { ExpectAllMatch(kDeviceTaskAbortStage); }

// enum aclrtDeviceState
constexpr Value kDeviceState[] = {
    ABI_ENUM(aclrtDeviceState, ACL_RT_DEVICE_STATE_SET_PRE, 0),
    ABI_ENUM(aclrtDeviceState, ACL_RT_DEVICE_STATE_SET_POST, 1),
    ABI_ENUM(aclrtDeviceState, ACL_RT_DEVICE_STATE_RESET_PRE, 2),
    ABI_ENUM(aclrtDeviceState, ACL_RT_DEVICE_STATE_RESET_POST, 3),
};
static_assert(AllMatch(kDeviceState), "DeviceState");
TEST(AbiConstants, DeviceState) { ExpectAllMatch(kDeviceState); }

// enum aclrtSnapShotStage
constexpr Value kSnapShotStage[] = {
    ABI_ENUM(aclrtSnapShotStage, ACL_RT_SNAPSHOT_LOCK_PRE, 0),
    ABI_ENUM(aclrtSnapShotStage, ACL_RT_SNAPSHOT_BACKUP_PRE, 1),
    ABI_ENUM(aclrtSnapShotStage, ACL_RT_SNAPSHOT_BACKUP_POST, 2),
    ABI_ENUM(aclrtSnapShotStage, ACL_RT_SNAPSHOT_RESTORE_PRE, 3),
    ABI_ENUM(aclrtSnapShotStage, ACL_RT_SNAPSHOT_RESTORE_POST, 4),
    ABI_ENUM(aclrtSnapShotStage, ACL_RT_SNAPSHOT_UNLOCK_POST, 5),
};
static_assert(AllMatch(kSnapShotStage), "SnapShotStage");
TEST(AbiConstants, SnapShotStage) { ExpectAllMatch(kSnapShotStage); }

// enum aclCANNPackageName
constexpr Value kCANNPackageName[] = {
    ABI_ENUM(aclCANNPackageName, ACL_PKG_NAME_CANN, 0),
    ABI_ENUM(aclCANNPackageName, ACL_PKG_NAME_RUNTIME, 1),
    ABI_ENUM(aclCANNPackageName, ACL_PKG_NAME_COMPILER, 2),
    ABI_ENUM(aclCANNPackageName, ACL_PKG_NAME_HCCL, 3),
    ABI_ENUM(aclCANNPackageName, ACL_PKG_NAME_TOOLKIT, 4),
    ABI_ENUM(aclCANNPackageName, ACL_PKG_NAME_OPP, 5),
    ABI_ENUM(aclCANNPackageName, ACL_PKG_NAME_OPP_KERNEL, 6),
    ABI_ENUM(aclCANNPackageName, ACL_PKG_NAME_DRIVER, 7),
};
static_assert(AllMatch(kCANNPackageName), "CANNPackageName");
TEST(AbiConstants, CANNPackageName) { ExpectAllMatch(kCANNPackageName); }

// enum aclrtAtomicOperationCapability
constexpr Value kAtomicOperationCapability[] = {
    ABI_ENUM(aclrtAtomicOperationCapability, ACL_RT_ATOMIC_CAPABILITY_SIGNED, 1),
    ABI_ENUM(aclrtAtomicOperationCapability, ACL_RT_ATOMIC_CAPABILITY_UNSIGNED, 2),
    ABI_ENUM(aclrtAtomicOperationCapability, ACL_RT_ATOMIC_CAPABILITY_REDUCATION, 4),
    ABI_ENUM(aclrtAtomicOperationCapability, ACL_RT_ATOMIC_CAPABILITY_REDUCTION, 4),
    ABI_ENUM(aclrtAtomicOperationCapability, ACL_RT_ATOMIC_CAPABILITY_SCALAR8, 8),
    ABI_ENUM(aclrtAtomicOperationCapability, ACL_RT_ATOMIC_CAPABILITY_SCALAR16, 16),
    ABI_ENUM(aclrtAtomicOperationCapability, ACL_RT_ATOMIC_CAPABILITY_SCALAR32, 32),
    ABI_ENUM(aclrtAtomicOperationCapability, ACL_RT_ATOMIC_CAPABILITY_SCALAR64, 64),
    ABI_ENUM(aclrtAtomicOperationCapability, ACL_RT_ATOMIC_CAPABILITY_SCALAR128, 128),
    ABI_ENUM(aclrtAtomicOperationCapability, ACL_RT_ATOMIC_CAPABILITY_VECTOR32X4, 256),
};
static_assert(AllMatch(kAtomicOperationCapability), "AtomicOperationCapability");
TEST(AbiConstants, AtomicOperationCapability) { ExpectAllMatch(kAtomicOperationCapability); }

// enum aclrtAtomicOperation
constexpr Value kAtomicOperation[] = {
    ABI_ENUM(aclrtAtomicOperation, ACL_RT_ATOMIC_OPERATION_INTEGER_ADD, 0),
    ABI_ENUM(aclrtAtomicOperation, ACL_RT_ATOMIC_OPERATION_INTEGER_MIN, 1),
    ABI_ENUM(aclrtAtomicOperation, ACL_RT_ATOMIC_OPERATION_INTEGER_MAX, 2),
    ABI_ENUM(aclrtAtomicOperation, ACL_RT_ATOMIC_OPERATION_INTEGER_INCREMENT, 3),
    ABI_ENUM(aclrtAtomicOperation, ACL_RT_ATOMIC_OPERATION_INTEGER_DECREMENT, 4),
    ABI_ENUM(aclrtAtomicOperation, ACL_RT_ATOMIC_OPERATION_AND, 5),
    ABI_ENUM(aclrtAtomicOperation, ACL_RT_ATOMIC_OPERATION_OR, 6),
    ABI_ENUM(aclrtAtomicOperation, ACL_RT_ATOMIC_OPERATION_XOR, 7),
    ABI_ENUM(aclrtAtomicOperation, ACL_RT_ATOMIC_OPERATION_EXCHANGE, 8),
    ABI_ENUM(aclrtAtomicOperation, ACL_RT_ATOMIC_OPERATION_CAS, 9),
    ABI_ENUM(aclrtAtomicOperation, ACL_RT_ATOMIC_OPERATION_FLOAT_ADD, 10),
    ABI_ENUM(aclrtAtomicOperation, ACL_RT_ATOMIC_OPERATION_FLOAT_MIN, 11),
    ABI_ENUM(aclrtAtomicOperation, ACL_RT_ATOMIC_OPERATION_FLOAT_MAX, 12),
    ABI_ENUM(aclrtAtomicOperation, ACL_RT_ATOMIC_OPERATION_DMA_ADD, 30),
    ABI_ENUM(aclrtAtomicOperation, ACL_RT_ATOMIC_OPERATION_DMA_MIN, 31),
    ABI_ENUM(aclrtAtomicOperation, ACL_RT_ATOMIC_OPERATION_DMA_MAX, 32),
    ABI_ENUM(aclrtAtomicOperation, ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_ADD, 40),
    ABI_ENUM(aclrtAtomicOperation, ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_MIN, 41),
    ABI_ENUM(aclrtAtomicOperation, ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_MAX, 42),
    ABI_ENUM(aclrtAtomicOperation, ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_CAS, 43),
    ABI_ENUM(aclrtAtomicOperation, ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_EXCH, 44),
};
static_assert(AllMatch(kAtomicOperation), "AtomicOperation");
TEST(AbiConstants, AtomicOperation) { ExpectAllMatch(kAtomicOperation); }

// enum aclrtDeviceLimit
constexpr Value kDeviceLimit[] = {
    ABI_ENUM(aclrtDeviceLimit, ACL_RT_DEV_LIMIT_SIMT_STACK_SIZE, 0),
    ABI_ENUM(aclrtDeviceLimit, ACL_RT_DEV_LIMIT_SIMT_DVG_WARP_STACK_SIZE, 1),
    ABI_ENUM(aclrtDeviceLimit, ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE, 2),
    ABI_ENUM(aclrtDeviceLimit, ACL_RT_DEV_LIMIT_SIMD_PRINTF_FIFO_SIZE_PER_CORE, 3),
    ABI_ENUM(aclrtDeviceLimit, ACL_RT_DEV_LIMIT_SIMT_PRINTF_FIFO_SIZE, 4),
};
static_assert(AllMatch(kDeviceLimit), "DeviceLimit");
TEST(AbiConstants, DeviceLimit) { ExpectAllMatch(kDeviceLimit); }

// enum aclRegisterCallbackType
constexpr Value kRegisterCallbackType[] = {
    ABI_ENUM(aclRegisterCallbackType, ACL_REG_TYPE_ACL_MODEL, 0),
    ABI_ENUM(aclRegisterCallbackType, ACL_REG_TYPE_ACL_OP_EXECUTOR, 1),
    ABI_ENUM(aclRegisterCallbackType, ACL_REG_TYPE_ACL_OP_CBLAS, 2),
    ABI_ENUM(aclRegisterCallbackType, ACL_REG_TYPE_ACL_OP_COMPILER, 3),
    ABI_ENUM(aclRegisterCallbackType, ACL_REG_TYPE_ACL_TDT_CHANNEL, 4),
    ABI_ENUM(aclRegisterCallbackType, ACL_REG_TYPE_ACL_TDT_QUEUE, 5),
    ABI_ENUM(aclRegisterCallbackType, ACL_REG_TYPE_ACL_DVPP, 6),
    ABI_ENUM(aclRegisterCallbackType, ACL_REG_TYPE_ACL_RETR, 7),
    ABI_ENUM(aclRegisterCallbackType, ACL_REG_TYPE_OTHER, 65535),
};
static_assert(AllMatch(kRegisterCallbackType), "RegisterCallbackType");
TEST(AbiConstants, RegisterCallbackType) { ExpectAllMatch(kRegisterCallbackType); }

// enum aclrtProcessState
constexpr Value kProcessState[] = {
    ABI_ENUM(aclrtProcessState, ACL_RT_PROCESS_STATE_RUNNING, 0),
    ABI_ENUM(aclrtProcessState, ACL_RT_PROCESS_STATE_LOCKED, 1),
};
static_assert(AllMatch(kProcessState), "ProcessState");
TEST(AbiConstants, ProcessState) { ExpectAllMatch(kProcessState); }

}  // namespace
