/**
 * @file
 * Callbacks for failed tasks. A callback runs once for each fault, on the thread whose call returns
 * the fault and before that call returns; it may call the runtime. What it is given is valid only
 * during the call.
 */
#ifndef INC_EXTERNAL_ACL_ACL_RT_EXCEPTION_H_
#define INC_EXTERNAL_ACL_ACL_RT_EXCEPTION_H_

#include "acl_base.h"
#include "acl_rt_callbacks.h"
#include "acl_rt_handles.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Sets the one callback that later calls of this function replace; null removes it.
 * Source: acl API, fault reports.
 */
ACL_DEPRECATED_MESSAGE("use aclrtExceptionInfoCallbackRegister")
ACL_FUNC_VISIBILITY aclError aclrtSetExceptionInfoCallback(aclrtExceptionInfoCallback callback);

/**
 * Adds a callback. Adding the same one again changes nothing.
 * Fails with ACL_ERROR_RT_PARAM_INVALID when callback is null.
 * Source: acl API, fault reports.
 */
ACL_FUNC_VISIBILITY aclError
aclrtExceptionInfoCallbackRegister(aclrtExceptionInfoCallback callback);

/**
 * Removes a callback that was added.
 * Fails with ACL_ERROR_RT_PARAM_INVALID when callback is null or was not added.
 * Source: acl API, fault reports.
 */
ACL_FUNC_VISIBILITY aclError
aclrtExceptionInfoCallbackUnregister(aclrtExceptionInfoCallback callback);

/**
 * Parts of the information about a fault: the number of the task in its stream, from 1; the stream;
 * the thread that submitted the task, as gettid names it; the device; and the error code, as the
 * waiting call returns it for the first fault it collects. Each is 0xFFFFFFFF when info is null.
 * Source: acl API, fault reports.
 */
ACL_FUNC_VISIBILITY uint32_t aclrtGetTaskIdFromExceptionInfo(const aclrtExceptionInfo* info);
ACL_FUNC_VISIBILITY uint32_t aclrtGetStreamIdFromExceptionInfo(const aclrtExceptionInfo* info);
ACL_FUNC_VISIBILITY uint32_t aclrtGetThreadIdFromExceptionInfo(const aclrtExceptionInfo* info);
ACL_FUNC_VISIBILITY uint32_t aclrtGetDeviceIdFromExceptionInfo(const aclrtExceptionInfo* info);
ACL_FUNC_VISIBILITY uint32_t aclrtGetErrorCodeFromExceptionInfo(const aclrtExceptionInfo* info);

#ifdef __cplusplus
}
#endif

#endif  // INC_EXTERNAL_ACL_ACL_RT_EXCEPTION_H_
