/**
 * @file
 * Device management.
 */
#ifndef INC_EXTERNAL_ACL_ACL_RT_DEVICE_H_
#define INC_EXTERNAL_ACL_ACL_RT_DEVICE_H_

#include "acl_base.h"
#include "acl_rt_enums_device.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Selects the device of the calling thread. Its primary context and default stream are created
 * when needed and become current; the reference count of the device goes up by one.
 * Fails with ACL_ERROR_RT_INVALID_DEVICEID for a wrong id.
 * Source: acl API, device management.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetDevice(int32_t deviceId);

/**
 * Drops one reference to a device and releases its resources at the last one.
 * Fails with ACL_ERROR_RT_INVALID_DEVICEID for a wrong id, and with
 * ACL_ERROR_RT_CONTEXT_RELEASE_ERROR when the device is not set.
 * Source: acl API, device management.
 */
ACL_FUNC_VISIBILITY aclError aclrtResetDevice(int32_t deviceId);

/**
 * Releases the resources of a device, whatever its reference count, without waiting for work in its
 * streams; what has not begun is dropped.
 * Fails with ACL_ERROR_RT_INVALID_DEVICEID for a wrong id.
 * Source: acl API, device management.
 */
ACL_FUNC_VISIBILITY aclError aclrtResetDeviceForce(int32_t deviceId);

/**
 * Stores the id of the current device.
 * Fails with ACL_ERROR_INVALID_PARAM when deviceId is null, and with ACL_ERROR_RT_CONTEXT_NULL
 * when no device is set.
 * Source: acl API, device management.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetDevice(int32_t* deviceId);

/**
 * Stores where the program runs; on a host this is ACL_HOST.
 * Fails with ACL_ERROR_INVALID_PARAM when runMode is null.
 * Source: acl API, device management.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetRunMode(aclrtRunMode* runMode);

/**
 * Stores the number of visible devices.
 * Fails with ACL_ERROR_INVALID_PARAM when count is null.
 * Source: acl API, device management.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceCount(uint32_t* count);

/**
 * Waits until all work of the current device has finished.
 * Fails with ACL_ERROR_RT_CONTEXT_NULL when there is no context.
 * Source: acl API, device management.
 */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeDevice(void);

/**
 * Like aclrtSynchronizeDevice with a limit in milliseconds; -1 waits forever.
 * Fails with ACL_ERROR_RT_PARAM_INVALID when timeout is 0 or below -1, and with
 * ACL_ERROR_RT_STREAM_SYNC_TIMEOUT when the time is over.
 * Source: acl API, device management.
 */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout);

/**
 * Stores whether a device works normally.
 * Fails with ACL_ERROR_INVALID_PARAM when deviceStatus is null.
 * Source: acl API, device management.
 */
ACL_FUNC_VISIBILITY aclError aclrtQueryDeviceStatus(int32_t deviceId,
                                                    aclrtDeviceStatus* deviceStatus);

/**
 * Reads one attribute of a device.
 * Fails with ACL_ERROR_INVALID_PARAM when value is null, and with ACL_ERROR_RT_PARAM_INVALID for a
 * wrong device id or an unknown attribute.
 * Source: acl API, device management.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceInfo(uint32_t deviceId, aclrtDevAttr attr,
                                                int64_t* value);

/**
 * Stores the range of stream priorities: 7 is the least urgent, 0 the most urgent. Either pointer
 * may be null.
 * Source: acl API, device management.
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceGetStreamPriorityRange(int32_t* leastPriority,
                                                               int32_t* greatestPriority);

#ifdef __cplusplus
}
#endif

#endif  // INC_EXTERNAL_ACL_ACL_RT_DEVICE_H_
