/**
 * @file
 * Time-out of operators, process wide; 0 means no limit. It is stored and told, and ends no work:
 * how long an operator takes on a CPU says nothing about an accelerator.
 */
#ifndef INC_EXTERNAL_ACL_ACL_RT_TIMEOUT_H_
#define INC_EXTERNAL_ACL_ACL_RT_TIMEOUT_H_

#include "acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Sets the time-out in seconds.
 * Source: acl API, task time-outs.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetOpExecuteTimeOut(uint32_t timeout);

/**
 * Sets the time-out in milliseconds.
 * Source: acl API, task time-outs.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetOpExecuteTimeOutWithMs(uint32_t timeout);

/**
 * Sets the time-out in microseconds and stores the one that is really used.
 * Fails with ACL_ERROR_INVALID_PARAM when actualTimeout is null.
 * Source: acl API, task time-outs.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetOpExecuteTimeOutV2(uint64_t timeout, uint64_t* actualTimeout);

/**
 * Stores the step of time-outs in microseconds, which is 1.
 * Fails with ACL_ERROR_INVALID_PARAM when interval is null.
 * Source: acl API, task time-outs.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetOpTimeOutInterval(uint64_t* interval);

/**
 * Stores the time-out in milliseconds, rounded up; what does not fit is the largest value.
 * Fails with ACL_ERROR_INVALID_PARAM when timeoutMs is null.
 * Source: acl API, task time-outs.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetOpExecuteTimeout(uint32_t* const timeoutMs);

#ifdef __cplusplus
}
#endif

#endif  // INC_EXTERNAL_ACL_ACL_RT_TIMEOUT_H_
