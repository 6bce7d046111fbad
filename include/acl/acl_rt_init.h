/**
 * @file
 * Initialisation, version and error messages.
 */
#ifndef INC_EXTERNAL_ACL_ACL_RT_INIT_H_
#define INC_EXTERNAL_ACL_ACL_RT_INIT_H_

#include "acl_base.h"
#include "acl_rt_enums_device.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Initialises the library. configPath names a JSON file and may be null or empty. A repeat call
 * adds one reference and returns ACL_ERROR_REPEAT_INITIALIZE, which is harmless.
 * Fails with ACL_ERROR_INVALID_FILE when the file cannot be opened, and with
 * ACL_ERROR_INVALID_PARAM when a repeat call brings a different configuration.
 * Source: acl API, initialisation and error messages.
 */
ACL_FUNC_VISIBILITY aclError aclInit(const char* configPath);

/**
 * Ends use of the library, whatever the reference count, and resets the count to 0. It also
 * succeeds when aclInit was never called.
 * Fails with ACL_ERROR_REPEAT_FINALIZE when called again without a new aclInit.
 * Source: acl API, initialisation and error messages.
 */
ACL_FUNC_VISIBILITY aclError aclFinalize(void);

/**
 * Drops one reference and finalises at the last one. The new count is stored in refCount unless
 * that is null.
 * Fails with ACL_ERROR_REPEAT_FINALIZE when the count is already 0.
 * Source: acl API, initialisation and error messages.
 */
ACL_FUNC_VISIBILITY aclError aclFinalizeReference(uint64_t* refCount);

/**
 * Stores the version of the acl interface.
 * Fails with ACL_ERROR_INVALID_PARAM when a pointer is null.
 * Source: acl API, initialisation and error messages.
 */
ACL_DEPRECATED_MESSAGE("use the package version interfaces")
ACL_FUNC_VISIBILITY aclError aclrtGetVersion(int32_t* majorVersion, int32_t* minorVersion,
                                             int32_t* patchVersion);

/**
 * Returns the newest error text of the calling thread and empties the list, or null when there is
 * none. The library owns the text; it stays valid until the next call on this thread. Programs
 * should not parse it.
 * Source: acl API, initialisation and error messages.
 */
ACL_FUNC_VISIBILITY const char* aclGetRecentErrMsg(void);

/**
 * Returns the last error the runtime layer met on this thread and keeps it. Argument checks that
 * end in ACL_ERROR_INVALID_PARAM are not recorded.
 * Fails with ACL_ERROR_INVALID_PARAM when level is not ACL_RT_THREAD_LEVEL.
 * Source: acl API, initialisation and error messages.
 */
ACL_FUNC_VISIBILITY aclError aclrtPeekAtLastError(aclrtLastErrLevel level);

/**
 * Like aclrtPeekAtLastError, but clears the record.
 * Fails with ACL_ERROR_INVALID_PARAM when level is not ACL_RT_THREAD_LEVEL.
 * Source: acl API, initialisation and error messages.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetLastError(aclrtLastErrLevel level);

#ifdef __cplusplus
}
#endif

#endif  // INC_EXTERNAL_ACL_ACL_RT_INIT_H_
