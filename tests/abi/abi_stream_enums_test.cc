// Checks the enumerations of acl_rt.h: stream subjects.
// The expected values stand here in full; nothing is computed from the headers.

#include <gtest/gtest.h>

#include "abi_check.h"
#include "acl/acl_rt.h"

namespace {

// enum aclrtEventStatus
constexpr Value kEventStatus[] = {
    ABI_ENUM(aclrtEventStatus, ACL_EVENT_STATUS_COMPLETE, 0),
    ABI_ENUM(aclrtEventStatus, ACL_EVENT_STATUS_NOT_READY, 1),
    ABI_ENUM(aclrtEventStatus, ACL_EVENT_STATUS_RESERVED, 2),
};
static_assert(AllMatch(kEventStatus), "EventStatus");
TEST(AbiConstants, EventStatus) { ExpectAllMatch(kEventStatus); }

// enum aclrtEventRecordedStatus
constexpr Value kEventRecordedStatus[] = {
    ABI_ENUM(aclrtEventRecordedStatus, ACL_EVENT_RECORDED_STATUS_NOT_READY, 0),
    ABI_ENUM(aclrtEventRecordedStatus, ACL_EVENT_RECORDED_STATUS_COMPLETE, 1),
};
static_assert(AllMatch(kEventRecordedStatus), "EventRecordedStatus");
TEST(AbiConstants, EventRecordedStatus) { ExpectAllMatch(kEventRecordedStatus); }

// enum aclrtEventWaitStatus
constexpr Value kEventWaitStatus[] = {
    ABI_ENUM(aclrtEventWaitStatus, ACL_EVENT_WAIT_STATUS_COMPLETE, 0),
    ABI_ENUM(aclrtEventWaitStatus, ACL_EVENT_WAIT_STATUS_NOT_READY, 1),
    ABI_ENUM(aclrtEventWaitStatus, ACL_EVENT_WAIT_STATUS_RESERVED, 65535),
};
static_assert(AllMatch(kEventWaitStatus), "EventWaitStatus");
TEST(AbiConstants, EventWaitStatus) { ExpectAllMatch(kEventWaitStatus); }

// enum aclrtStreamStatus
constexpr Value kStreamStatus[] = {
    ABI_ENUM(aclrtStreamStatus, ACL_STREAM_STATUS_COMPLETE, 0),
    ABI_ENUM(aclrtStreamStatus, ACL_STREAM_STATUS_NOT_READY, 1),
    ABI_ENUM(aclrtStreamStatus, ACL_STREAM_STATUS_RESERVED, 65535),
};
static_assert(AllMatch(kStreamStatus), "StreamStatus");
TEST(AbiConstants, StreamStatus) { ExpectAllMatch(kStreamStatus); }

// enum aclrtCallbackBlockType
constexpr Value kCallbackBlockType[] = {
    ABI_ENUM(aclrtCallbackBlockType, ACL_CALLBACK_NO_BLOCK, 0),
    ABI_ENUM(aclrtCallbackBlockType, ACL_CALLBACK_BLOCK, 1),
};
static_assert(AllMatch(kCallbackBlockType), "CallbackBlockType");
TEST(AbiConstants, CallbackBlockType) { ExpectAllMatch(kCallbackBlockType); }

// enum aclrtStreamConfigAttr
constexpr Value kStreamConfigAttr[] = {
    ABI_ENUM(aclrtStreamConfigAttr, ACL_RT_STREAM_WORK_ADDR_PTR, 0),
    ABI_ENUM(aclrtStreamConfigAttr, ACL_RT_STREAM_WORK_SIZE, 1),
    ABI_ENUM(aclrtStreamConfigAttr, ACL_RT_STREAM_FLAG, 2),
    ABI_ENUM(aclrtStreamConfigAttr, ACL_RT_STREAM_PRIORITY, 3),
};
static_assert(AllMatch(kStreamConfigAttr), "StreamConfigAttr");
TEST(AbiConstants, StreamConfigAttr) { ExpectAllMatch(kStreamConfigAttr); }

// enum aclrtStreamAttr
constexpr Value kStreamAttr[] = {
    ABI_ENUM(aclrtStreamAttr, ACL_STREAM_ATTR_FAILURE_MODE, 1),
    ABI_ENUM(aclrtStreamAttr, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, 2),
    ABI_ENUM(aclrtStreamAttr, ACL_STREAM_ATTR_USER_CUSTOM_TAG, 3),
    ABI_ENUM(aclrtStreamAttr, ACL_STREAM_ATTR_CACHE_OP_INFO, 4),
    ABI_ENUM(aclrtStreamAttr, ACL_STREAM_ATTR_PRIORITY, 5),
};
static_assert(AllMatch(kStreamAttr), "StreamAttr");
TEST(AbiConstants, StreamAttr) { ExpectAllMatch(kStreamAttr); }

// enum aclrtCondition
constexpr Value kCondition[] = {
    ABI_ENUM(aclrtCondition, ACL_RT_EQUAL, 0),
    ABI_ENUM(aclrtCondition, ACL_RT_NOT_EQUAL, 1),
    ABI_ENUM(aclrtCondition, ACL_RT_GREATER, 2),
    ABI_ENUM(aclrtCondition, ACL_RT_GREATER_OR_EQUAL, 3),
    ABI_ENUM(aclrtCondition, ACL_RT_LESS, 4),
    ABI_ENUM(aclrtCondition, ACL_RT_LESS_OR_EQUAL, 5),
};
static_assert(AllMatch(kCondition), "Condition");
TEST(AbiConstants, Condition) { ExpectAllMatch(kCondition); }

// enum aclrtCompareDataType
constexpr Value kCompareDataType[] = {
    ABI_ENUM(aclrtCompareDataType, ACL_RT_SWITCH_INT32, 0),
    ABI_ENUM(aclrtCompareDataType, ACL_RT_SWITCH_INT64, 1),
};
static_assert(AllMatch(kCompareDataType), "CompareDataType");
TEST(AbiConstants, CompareDataType) { ExpectAllMatch(kCompareDataType); }

// enum aclrtStreamState
constexpr Value kStreamState[] = {
    ABI_ENUM(aclrtStreamState, ACL_RT_STREAM_STATE_CREATE_POST, 1),
    ABI_ENUM(aclrtStreamState, ACL_RT_STREAM_STATE_DESTROY_PRE, 2),
};
static_assert(AllMatch(kStreamState), "StreamState");
TEST(AbiConstants, StreamState) { ExpectAllMatch(kStreamState); }

// enum aclrtCntNotifyRecordMode
constexpr Value kCntNotifyRecordMode[] = {
    ABI_ENUM(aclrtCntNotifyRecordMode, ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE, 0),
    ABI_ENUM(aclrtCntNotifyRecordMode, ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE, 1),
    ABI_ENUM(aclrtCntNotifyRecordMode, ACL_RT_CNT_NOTIFY_RECORD_BIT_OR_MODE, 2),
    ABI_ENUM(aclrtCntNotifyRecordMode, ACL_RT_CNT_NOTIFY_RECORD_BIT_AND_MODE, 4),
};
static_assert(AllMatch(kCntNotifyRecordMode), "CntNotifyRecordMode");
TEST(AbiConstants, CntNotifyRecordMode) { ExpectAllMatch(kCntNotifyRecordMode); }

// enum aclrtCntNotifyWaitMode
constexpr Value kCntNotifyWaitMode[] = {
    ABI_ENUM(aclrtCntNotifyWaitMode, ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE, 0),
    ABI_ENUM(aclrtCntNotifyWaitMode, ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE, 1),
    ABI_ENUM(aclrtCntNotifyWaitMode, ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE, 2),
    ABI_ENUM(aclrtCntNotifyWaitMode, ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE, 3),
    ABI_ENUM(aclrtCntNotifyWaitMode, ACL_RT_CNT_NOTIFY_WAIT_EQUAL_WITH_BITMASK_MODE, 4),
};
static_assert(AllMatch(kCntNotifyWaitMode), "CntNotifyWaitMode");
TEST(AbiConstants, CntNotifyWaitMode) { ExpectAllMatch(kCntNotifyWaitMode); }

}  // namespace
