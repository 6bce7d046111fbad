// Checks size, alignment and members of the structures of acl_rt.h: device subjects.
// The expected values stand here in full; nothing is computed from the headers.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "abi_check.h"
#include "acl/acl_rt.h"

namespace {

ABI_SIZE(aclrtServerPid, 24, 8);
ABI_MEMBER(aclrtServerPid, sdid, 0, uint32_t);
ABI_MEMBER(aclrtServerPid, pid, 8, int32_t*);
ABI_MEMBER(aclrtServerPid, num, 16, size_t);

ABI_SIZE(aclrtStreamConfigHandle, 32, 8);
ABI_MEMBER(aclrtStreamConfigHandle, workptr, 0, void*);
ABI_MEMBER(aclrtStreamConfigHandle, workSize, 8, size_t);
ABI_MEMBER(aclrtStreamConfigHandle, flag, 16, size_t);
ABI_MEMBER(aclrtStreamConfigHandle, priority, 24, uint32_t);

ABI_SIZE(aclrtUtilizationInfo, 24, 8);
ABI_MEMBER(aclrtUtilizationInfo, cubeUtilization, 0, int32_t);
ABI_MEMBER(aclrtUtilizationInfo, vectorUtilization, 4, int32_t);
ABI_MEMBER(aclrtUtilizationInfo, aicpuUtilization, 8, int32_t);
ABI_MEMBER(aclrtUtilizationInfo, memoryUtilization, 12, int32_t);
ABI_MEMBER(aclrtUtilizationInfo, utilizationExtend, 16, aclrtUtilizationExtendInfo*);

ABI_SIZE(aclrtErrorInfoDetail, 2568, 8);
ABI_MEMBER(aclrtErrorInfoDetail, uceInfo, 0, aclrtMemUceInfoArray);
ABI_MEMBER(aclrtErrorInfoDetail, aicoreErrType, 0, aclrtAicoreErrorType);

ABI_SIZE(aclrtErrorInfo, 2576, 8);
ABI_MEMBER(aclrtErrorInfo, tryRepair, 0, uint8_t);
ABI_MEMBER(aclrtErrorInfo, hasDetail, 1, uint8_t);
ABI_MEMBER(aclrtErrorInfo, reserved, 2, uint8_t[2]);
ABI_MEMBER(aclrtErrorInfo, errorType, 4, aclrtErrorType);
ABI_MEMBER(aclrtErrorInfo, detail, 8, aclrtErrorInfoDetail);

ABI_SIZE(aclrtStreamAttrValue, 16, 8);
ABI_MEMBER(aclrtStreamAttrValue, failureMode, 0, uint64_t);
ABI_MEMBER(aclrtStreamAttrValue, overflowSwitch, 0, uint32_t);
ABI_MEMBER(aclrtStreamAttrValue, userCustomTag, 0, uint32_t);
ABI_MEMBER(aclrtStreamAttrValue, cacheOpInfoSwitch, 0, uint32_t);
ABI_MEMBER(aclrtStreamAttrValue, streamPriority, 0, uint32_t);
ABI_MEMBER(aclrtStreamAttrValue, reserve, 0, uint32_t[4]);

ABI_SIZE(aclrtSnapShotBackupArgs, 64, 4);
ABI_MEMBER(aclrtSnapShotBackupArgs, backupFlags, 0, uint32_t);
ABI_MEMBER(aclrtSnapShotBackupArgs, reserved, 4, char[60]);

ABI_SIZE(aclrtSnapShotRestoreArgs, 64, 4);
ABI_MEMBER(aclrtSnapShotRestoreArgs, restoreFlags, 0, uint32_t);
ABI_MEMBER(aclrtSnapShotRestoreArgs, reserved, 4, char[60]);

ABI_SIZE(aclrtUuid, 16, 1);
ABI_MEMBER(aclrtUuid, bytes, 0, char[16]);

ABI_SIZE(aclrtCntNotifyRecordInfo, 8, 4);
ABI_MEMBER(aclrtCntNotifyRecordInfo, mode, 0, aclrtCntNotifyRecordMode);
ABI_MEMBER(aclrtCntNotifyRecordInfo, value, 4, uint32_t);

ABI_SIZE(aclrtCntNotifyWaitInfo, 16, 4);
ABI_MEMBER(aclrtCntNotifyWaitInfo, mode, 0, aclrtCntNotifyWaitMode);
ABI_MEMBER(aclrtCntNotifyWaitInfo, value, 4, uint32_t);
ABI_MEMBER(aclrtCntNotifyWaitInfo, timeout, 8, uint32_t);
ABI_MEMBER(aclrtCntNotifyWaitInfo, isClear, 12, uint8_t);
ABI_MEMBER(aclrtCntNotifyWaitInfo, rsv, 13, uint8_t[3]);

ABI_SIZE(aclCANNPackageVersion, 512, 1);
ABI_MEMBER(aclCANNPackageVersion, version, 0, char[128]);
ABI_MEMBER(aclCANNPackageVersion, majorVersion, 128, char[64]);
ABI_MEMBER(aclCANNPackageVersion, minorVersion, 192, char[64]);
ABI_MEMBER(aclCANNPackageVersion, releaseVersion, 256, char[64]);
ABI_MEMBER(aclCANNPackageVersion, patchVersion, 320, char[64]);
ABI_MEMBER(aclCANNPackageVersion, reserved, 384, char[128]);

ABI_SIZE(aclrtIpcEventHandle, 64, 1);
ABI_MEMBER(aclrtIpcEventHandle, reserved, 0, char[64]);

// The checks above run at compile time; this test makes them visible in the report.
TEST(AbiStructs, Device) { SUCCEED(); }

}  // namespace
