/**
 * @file
 * Initialisation of the aclnn API. C++ only.
 */
#ifndef OP_API_OP_API_COMMON_INC_EXTERNAL_ACLNN_BASE_H
#define OP_API_OP_API_COMMON_INC_EXTERNAL_ACLNN_BASE_H

#include <cstdint>
#include <cstdlib>

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepares the aclnn layer; calling it is optional. configPath may be null, and a file that cannot
 * be used is ignored.
 * Returns 0.
 * Source: aclnn API, initialisation.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnInit(const char* configPath);

/**
 * Ends use of the aclnn layer; calling it is optional.
 * Returns 0.
 * Source: aclnn API, initialisation.
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnFinalize(void);

#ifdef __cplusplus
}
#endif

#endif  // OP_API_OP_API_COMMON_INC_EXTERNAL_ACLNN_BASE_H
