/**
 * @file
 * Callback types of the acl runtime. The user pointer is handed back unchanged in every case.
 */
#ifndef INC_EXTERNAL_ACL_ACL_RT_CALLBACKS_H_
#define INC_EXTERNAL_ACL_ACL_RT_CALLBACKS_H_

#include "acl_base.h"
#include "acl_rt_enums_device.h"
#include "acl_rt_enums_stream.h"
#include "acl_rt_handles.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Host callback queued on a stream and run by the thread that processes reports.
 * Source: acl API, host callbacks.
 */
typedef void (*aclrtCallback)(void* userData);

/**
 * Host function queued on a stream and run by a thread of the library.
 * Source: acl API, host callbacks.
 */
typedef void (*aclrtHostFunc)(void* args);

/**
 * Called when a task failed. The information is valid only during the call.
 * Source: acl API, fault reports.
 */
typedef void (*aclrtExceptionInfoCallback)(aclrtExceptionInfo* exceptionInfo);

/**
 * Called when a kernel of a given binary failed. The information is valid only during the call.
 * Source: acl API, fault reports.
 */
typedef void (*aclrtOpExceptionCallback)(aclrtExceptionInfo* exceptionInfo, void* userData);

/**
 * Called when a device is set or reset.
 * Source: acl API, device management.
 */
typedef void (*aclrtDeviceStateCallback)(int32_t deviceId, aclrtDeviceState state, void* args);

/**
 * Called when a stream is created or destroyed.
 * Source: acl API, stream management.
 */
typedef void (*aclrtStreamStateCallback)(aclrtStream stm, aclrtStreamState state, void* args);

/**
 * Called around a task abort. The timeout is in milliseconds.
 * Source: acl API, device management.
 */
typedef int32_t (*aclrtDeviceTaskAbortCallback)(int32_t deviceId, aclrtDeviceTaskAbortStage stage,
                                                uint32_t timeout, void* args);

/**
 * Called at one stage of a process snapshot.
 * Source: acl API, process snapshot.
 */
typedef uint32_t (*aclrtSnapShotCallBack)(int32_t deviceId, void* args);

/**
 * Called during initialisation with the configuration text and its length in bytes.
 * Source: acl API, initialisation.
 */
typedef aclError (*aclInitCallbackFunc)(const char* configStr, size_t len, void* userData);

/**
 * Called during finalisation.
 * Source: acl API, initialisation.
 */
typedef aclError (*aclFinalizeCallbackFunc)(void* userData);

#ifdef __cplusplus
}
#endif

#endif  // INC_EXTERNAL_ACL_ACL_RT_CALLBACKS_H_
