/**
 * @file
 * What becomes of floating-point results that their type cannot hold.
 */
#ifndef INC_EXTERNAL_ACL_ACL_RT_OVERFLOW_H_
#define INC_EXTERNAL_ACL_ACL_RT_OVERFLOW_H_

#include "acl_base.h"
#include "acl_rt_enums_device.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Chooses for the current device: ACL_RT_OVERFLOW_MODE_INFNAN, the default, or
 * ACL_RT_OVERFLOW_MODE_SATURATION.
 * Fails with ACL_ERROR_RT_PARAM_INVALID for another mode.
 * Source: acl API, overflow.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode);

/**
 * Stores the mode of the current device.
 * Fails with ACL_ERROR_INVALID_PARAM when mode is null.
 * Source: acl API, overflow.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceSatMode(aclrtFloatOverflowMode* mode);

#ifdef __cplusplus
}
#endif

#endif  // INC_EXTERNAL_ACL_ACL_RT_OVERFLOW_H_
