/**
 * @file
 * Handle types and opaque structures of the acl runtime.
 */
#ifndef INC_EXTERNAL_ACL_ACL_RT_HANDLES_H_
#define INC_EXTERNAL_ACL_ACL_RT_HANDLES_H_

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Handles of the runtime. Each one is an opaque pointer that only the library looks into; the
 * functions that create and destroy an object define who owns it.
 * Source: acl API, types.
 */
/** Handle of a block of physical device memory. */
typedef void* aclrtDrvMemHandle;
/** Kernel binary description. */
typedef void* aclrtBinary;
/** Loaded kernel binary. */
typedef void* aclrtBinHandle;
/** Kernel function inside a loaded binary. */
typedef void* aclrtFuncHandle;
/** Argument list of a kernel launch. */
typedef void* aclrtArgsHandle;
/** One parameter inside an argument list. */
typedef void* aclrtParamHandle;
/** Captured graph (model runtime instance). */
typedef void* aclmdlRI;
/** Condition value of a captured graph. */
typedef void* aclmdlRICondHandle;
/** Stream-ordered memory pool. */
typedef void* aclrtMemPool;

/**
 * Structures that stay incomplete for client programs; only pointers to them are passed around.
 * Source: acl API, types.
 */
typedef struct aclrtUtilizationExtendInfo aclrtUtilizationExtendInfo;
typedef struct tagRtGroupInfo aclrtGroupInfo;
typedef struct rtExceptionInfo aclrtExceptionInfo;

#ifdef __cplusplus
}
#endif

#endif  // INC_EXTERNAL_ACL_ACL_RT_HANDLES_H_
