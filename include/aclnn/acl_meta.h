/**
 * @file
 * Basic types of the aclnn API. C++ only.
 */
#ifndef OP_API_OP_API_COMMON_INC_EXTERNAL_ACL_META_H
#define OP_API_OP_API_COMMON_INC_EXTERNAL_ACL_META_H

#include <cstdint>
#include <cstdlib>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef ACLNN_META
#define ACLNN_META

/**
 * Objects of the aclnn API. They are opaque; only pointers to them are passed around.
 * Source: aclnn API, types.
 */
typedef struct aclOpExecutor aclOpExecutor;
typedef struct aclTensor aclTensor;
typedef struct aclScalar aclScalar;
typedef struct aclIntArray aclIntArray;
typedef struct aclFloatArray aclFloatArray;
typedef struct aclBoolArray aclBoolArray;
typedef struct aclTensorList aclTensorList;
typedef struct aclScalarList aclScalarList;

/**
 * Result of the aclnn functions: 0 or one of the ACLNN_ERR codes.
 * Source: aclnn API, return codes.
 */
typedef int32_t aclnnStatus;

/**
 * Success of an aclnn function.
 * Source: aclnn API, return codes.
 */
constexpr aclnnStatus OK = 0;

#endif  // ACLNN_META

#ifdef __cplusplus
}
#endif

#endif  // OP_API_OP_API_COMMON_INC_EXTERNAL_ACL_META_H
