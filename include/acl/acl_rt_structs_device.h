/**
 * @file
 * Structures and unions of the acl runtime: device and process subjects.
 * Some groups belong to features for which no function is declared. They are here because client
 * programs name them and expect their values.
 */
#ifndef INC_EXTERNAL_ACL_ACL_RT_STRUCTS_DEVICE_H_
#define INC_EXTERNAL_ACL_ACL_RT_STRUCTS_DEVICE_H_

#include "acl_base.h"
#include "acl_rt_constants.h"
#include "acl_rt_enums_device.h"
#include "acl_rt_handles.h"
#include "acl_rt_structs_memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Processes of one server that may use a shared object. The caller owns the array.
 * Source: acl API, memory sharing.
 */
typedef struct {
  uint32_t sdid;
  int32_t* pid;
  size_t num;
} aclrtServerPid;

/**
 * Device utilization in percent; -1 marks a figure the device cannot supply. Set utilizationExtend
 * to null before the query.
 * Source: acl API, device management.
 */
typedef struct aclrtUtilizationInfo {
  int32_t cubeUtilization;
  int32_t vectorUtilization;
  int32_t aicpuUtilization;
  int32_t memoryUtilization;
  aclrtUtilizationExtendInfo* utilizationExtend;
} aclrtUtilizationInfo;

/**
 * Detail of a device fault; aclrtErrorInfo tells which member is valid.
 * Source: acl API, fault reports.
 */
typedef union aclrtErrorInfoDetail {
  aclrtMemUceInfoArray uceInfo;
  aclrtAicoreErrorType aicoreErrType;
} aclrtErrorInfoDetail;

/**
 * Description of a device fault and whether a repair can be tried.
 * Source: acl API, fault reports.
 */
typedef struct aclrtErrorInfo {
  uint8_t tryRepair;
  uint8_t hasDetail;
  uint8_t reserved[2];
  aclrtErrorType errorType;
  aclrtErrorInfoDetail detail;
} aclrtErrorInfo;

/**
 * Options of a snapshot backup.
 * Source: acl API, process snapshot.
 */
typedef struct aclrtSnapShotBackupArgs {
  uint32_t backupFlags;
  char reserved[60];
} aclrtSnapShotBackupArgs;

/**
 * Options of a snapshot restore.
 * Source: acl API, process snapshot.
 */
typedef struct aclrtSnapShotRestoreArgs {
  uint32_t restoreFlags;
  char reserved[60];
} aclrtSnapShotRestoreArgs;

/**
 * Unique id of a device, 16 raw bytes.
 * Source: acl API, device management.
 */
typedef struct aclrtUuid {
  char bytes[16];
} aclrtUuid;

/**
 * Version of a software package, as text and split in parts. The texts end with NUL.
 * Source: acl API, version information.
 */
typedef struct aclCANNPackageVersion {
  char version[ACL_PKG_VERSION_MAX_SIZE];
  char majorVersion[ACL_PKG_VERSION_PARTS_MAX_SIZE];
  char minorVersion[ACL_PKG_VERSION_PARTS_MAX_SIZE];
  char releaseVersion[ACL_PKG_VERSION_PARTS_MAX_SIZE];
  char patchVersion[ACL_PKG_VERSION_PARTS_MAX_SIZE];
  char reserved[ACL_PKG_VERSION_MAX_SIZE];
} aclCANNPackageVersion;

#ifdef __cplusplus
}
#endif

#endif  // INC_EXTERNAL_ACL_ACL_RT_STRUCTS_DEVICE_H_
