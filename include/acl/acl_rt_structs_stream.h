/**
 * @file
 * Structures and unions of the acl runtime: stream, event and notify subjects.
 * Some groups belong to features for which no function is declared. They are here because client
 * programs name them and expect their values.
 */
#ifndef INC_EXTERNAL_ACL_ACL_RT_STRUCTS_STREAM_H_
#define INC_EXTERNAL_ACL_ACL_RT_STRUCTS_STREAM_H_

#include "acl_base.h"
#include "acl_rt_constants.h"
#include "acl_rt_enums_stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Stream settings: work area, its size in bytes, flags and priority.
 * Source: acl API, stream management.
 */
typedef struct aclrtStreamConfigHandle {
  void* workptr;
  size_t workSize;
  size_t flag;
  uint32_t priority;
} aclrtStreamConfigHandle;

/**
 * Value of a stream attribute; aclrtStreamAttr tells which member is valid.
 * Source: acl API, stream management.
 */
typedef union {
  uint64_t failureMode;
  uint32_t overflowSwitch;
  uint32_t userCustomTag;
  uint32_t cacheOpInfoSwitch;
  uint32_t streamPriority;
  uint32_t reserve[4];
} aclrtStreamAttrValue;

/**
 * How a record changes a counting notify.
 * Source: acl API, notify management.
 */
typedef struct {
  aclrtCntNotifyRecordMode mode;
  uint32_t value;
} aclrtCntNotifyRecordInfo;

/**
 * Condition, timeout and reset behaviour of a wait on a counting notify.
 * Source: acl API, notify management.
 */
typedef struct {
  aclrtCntNotifyWaitMode mode;
  uint32_t value;
  uint32_t timeout;
  uint8_t isClear;
  uint8_t rsv[3];
} aclrtCntNotifyWaitInfo;

/**
 * Opaque bytes that identify an event in another process.
 * Source: acl API, event management.
 */
typedef struct aclrtIpcEventHandle {
  char reserved[ACL_IPC_EVENT_HANDLE_SIZE];
} aclrtIpcEventHandle;

#ifdef __cplusplus
}
#endif

#endif  // INC_EXTERNAL_ACL_ACL_RT_STRUCTS_STREAM_H_
