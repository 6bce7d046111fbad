/**
 * @file
 * Enumerations of the acl runtime: stream and event subjects.
 * Some groups belong to features for which no function is declared. They are here because client
 * programs name them and expect their values.
 */
#ifndef INC_EXTERNAL_ACL_ACL_RT_ENUMS_STREAM_H_
#define INC_EXTERNAL_ACL_ACL_RT_ENUMS_STREAM_H_

#include "acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Result of the deprecated aclrtQueryEvent. COMPLETE also means that the event was never recorded.
 * Source: acl API, event management.
 */
typedef enum aclrtEventStatus {
  ACL_EVENT_STATUS_COMPLETE = 0,
  ACL_EVENT_STATUS_NOT_READY = 1,
  ACL_EVENT_STATUS_RESERVED = 2,
} aclrtEventStatus;

/**
 * Result of aclrtQueryEventStatus. Note that the numbering is the opposite of aclrtEventStatus.
 * Source: acl API, event management.
 */
typedef enum aclrtEventRecordedStatus {
  ACL_EVENT_RECORDED_STATUS_NOT_READY = 0,
  ACL_EVENT_RECORDED_STATUS_COMPLETE = 1,
} aclrtEventRecordedStatus;

/**
 * Result of aclrtQueryEventWaitStatus. COMPLETE means that no wait task is outstanding.
 * Source: acl API, event management.
 */
typedef enum aclrtEventWaitStatus {
  ACL_EVENT_WAIT_STATUS_COMPLETE = 0,
  ACL_EVENT_WAIT_STATUS_NOT_READY = 1,
  ACL_EVENT_WAIT_STATUS_RESERVED = 0xFFFF,
} aclrtEventWaitStatus;

/**
 * Result of aclrtStreamQuery. COMPLETE means that all queued tasks have finished.
 * Source: acl API, stream management.
 */
typedef enum aclrtStreamStatus {
  ACL_STREAM_STATUS_COMPLETE = 0,
  ACL_STREAM_STATUS_NOT_READY = 1,
  ACL_STREAM_STATUS_RESERVED = 0xFFFF,
} aclrtStreamStatus;

/**
 * Tells whether a host callback holds up its stream until it has returned.
 * Source: acl API, host callbacks.
 */
typedef enum aclrtCallbackBlockType {
  ACL_CALLBACK_NO_BLOCK = 0,
  ACL_CALLBACK_BLOCK = 1,
} aclrtCallbackBlockType;

/**
 * Fields of a stream configuration handle.
 * Source: acl API, stream management.
 */
typedef enum {
  ACL_RT_STREAM_WORK_ADDR_PTR = 0,
  ACL_RT_STREAM_WORK_SIZE = 1,
  ACL_RT_STREAM_FLAG = 2,
  ACL_RT_STREAM_PRIORITY = 3,
} aclrtStreamConfigAttr;

/**
 * Stream attributes for aclrtSetStreamAttribute and aclrtGetStreamAttribute. Each one selects a
 * member of aclrtStreamAttrValue.
 * Source: acl API, stream management.
 */
typedef enum {
  ACL_STREAM_ATTR_FAILURE_MODE = 1,
  ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK = 2,
  ACL_STREAM_ATTR_USER_CUSTOM_TAG = 3,
  ACL_STREAM_ATTR_CACHE_OP_INFO = 4,
  ACL_STREAM_ATTR_PRIORITY = 5,
} aclrtStreamAttr;

/**
 * Moments at which a stream state callback runs: after creation or before destruction.
 * Source: acl API, stream management.
 */
typedef enum {
  ACL_RT_STREAM_STATE_CREATE_POST = 1,
  ACL_RT_STREAM_STATE_DESTROY_PRE = 2,
} aclrtStreamState;

/**
 * Comparison between two values that steers a stream switch.
 * Source: acl API, stream management.
 */
typedef enum {
  ACL_RT_EQUAL = 0,
  ACL_RT_NOT_EQUAL = 1,
  ACL_RT_GREATER = 2,
  ACL_RT_GREATER_OR_EQUAL = 3,
  ACL_RT_LESS = 4,
  ACL_RT_LESS_OR_EQUAL = 5,
} aclrtCondition;

/**
 * Integer width of the values compared by a stream switch.
 * Source: acl API, stream management.
 */
typedef enum {
  ACL_RT_SWITCH_INT32 = 0,
  ACL_RT_SWITCH_INT64 = 1,
} aclrtCompareDataType;

/**
 * How a record changes the counter of a counting notify. The numbers are not consecutive.
 * Source: acl API, notify management.
 */
typedef enum {
  ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE = 0,
  ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE = 1,
  ACL_RT_CNT_NOTIFY_RECORD_BIT_OR_MODE = 2,
  ACL_RT_CNT_NOTIFY_RECORD_BIT_AND_MODE = 4,
} aclrtCntNotifyRecordMode;

/**
 * Comparison that ends a wait on a counting notify.
 * Source: acl API, notify management.
 */
typedef enum {
  ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE = 0,
  ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE = 1,
  ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE = 2,
  ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE = 3,
  ACL_RT_CNT_NOTIFY_WAIT_EQUAL_WITH_BITMASK_MODE = 4,
} aclrtCntNotifyWaitMode;

#ifdef __cplusplus
}
#endif

#endif  // INC_EXTERNAL_ACL_ACL_RT_ENUMS_STREAM_H_
