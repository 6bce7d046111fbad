/**
 * @file
 * Contexts and system options.
 */
#ifndef INC_EXTERNAL_ACL_ACL_RT_CONTEXT_H_
#define INC_EXTERNAL_ACL_ACL_RT_CONTEXT_H_

#include "acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Creates a context with its own default stream and makes it current. The caller destroys it with
 * aclrtDestroyContext.
 * Fails with ACL_ERROR_INVALID_PARAM when context is null, and with ACL_ERROR_RT_INVALID_DEVICEID
 * for a wrong device id.
 * Source: acl API, context management.
 */
ACL_FUNC_VISIBILITY aclError aclrtCreateContext(aclrtContext* context, int32_t deviceId);

/**
 * Destroys a context made by aclrtCreateContext.
 * Fails with ACL_ERROR_INVALID_PARAM when context is null, with ACL_ERROR_RT_CONTEXT_NULL for a
 * primary or destroyed context, and with ACL_ERROR_RT_CONTEXT_RELEASE_ERROR when another thread is
 * destroying it.
 * Source: acl API, context management.
 */
ACL_FUNC_VISIBILITY aclError aclrtDestroyContext(aclrtContext context);

/**
 * Makes a context current for the calling thread.
 * Fails with ACL_ERROR_INVALID_PARAM when context is null, and with ACL_ERROR_RT_PARAM_INVALID
 * when it is not a live context.
 * Source: acl API, context management.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetCurrentContext(aclrtContext context);

/**
 * Stores the current context of the calling thread.
 * Fails with ACL_ERROR_INVALID_PARAM when context is null, and with ACL_ERROR_RT_CONTEXT_NULL when
 * there is none.
 * Source: acl API, context management.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetCurrentContext(aclrtContext* context);

/**
 * Stores the default stream of the current context. The context owns it; it must not be destroyed
 * by the caller.
 * Fails with ACL_ERROR_INVALID_PARAM when stream is null.
 * Source: acl API, context management.
 */
ACL_FUNC_VISIBILITY aclError aclrtCtxGetCurrentDefaultStream(aclrtStream* stream);

/**
 * Stores 1 in active when the primary context of a device exists, else 0.
 * Fails with ACL_ERROR_INVALID_PARAM when active is null or flags is not null; flags must be null.
 * Source: acl API, context management.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetPrimaryCtxState(int32_t deviceId, uint32_t* flags,
                                                     int32_t* active);

/**
 * Sets a system option for the current context.
 * Fails with ACL_ERROR_INVALID_PARAM when opt is unknown, and with ACL_ERROR_RT_CONTEXT_NULL when
 * there is no context.
 * Source: acl API, context management.
 */
ACL_FUNC_VISIBILITY aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value);

/**
 * Reads a system option of the current context.
 * Fails with ACL_ERROR_INVALID_PARAM when opt is unknown or value is null, and with
 * ACL_ERROR_RT_SYSPARAMOPT_NOT_SET when the option was never set.
 * Source: acl API, context management.
 */
ACL_FUNC_VISIBILITY aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t* value);

/**
 * Sets a system option for the whole process.
 * Fails with ACL_ERROR_INVALID_PARAM when opt is unknown.
 * Source: acl API, context management.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value);

/**
 * Reads a system option of the process.
 * Fails with ACL_ERROR_INVALID_PARAM when opt is unknown or value is null.
 * Source: acl API, context management.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t* value);

#ifdef __cplusplus
}
#endif

#endif  // INC_EXTERNAL_ACL_ACL_RT_CONTEXT_H_
