/**
 * @file
 * Adding rows of one tensor to the rows of another that an index names, fast or accurate. C++ only.
 */
#ifndef ACLNNOP_ACLNN_INDEX_ADD_V2_H_
#define ACLNNOP_ACLNN_INDEX_ADD_V2_H_

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * First phase of aclnnIndexAdd (aclnn_index_add.h) with a choice of sums. Parameters are those of
 * aclnnIndexAddGetWorkspaceSize, and
 *   alpha    without a fraction where self is no float, and without an imaginary part
 *   mode     0: alpha counts as 1; takes FLOAT, FLOAT16, BF16, INT32 and INT16 of two dimensions
 *            along the first one. Other values: FLOAT, FLOAT16 and BF16 are added in double and
 *            rounded once. Without effect while ACL_OPT_DETERMINISTIC is set to a value other than
 *            0: then the numbers are those of aclnnIndexAdd
 * Fails as aclnnIndexAddGetWorkspaceSize does. Source: document aclnnIndexAddV2. What
 * BELAY_BEHAVIOR=released changes is in docs/compatibility.md.
 */
ACLNN_API aclnnStatus aclnnIndexAddV2GetWorkspaceSize(const aclTensor* self, const int64_t dim,
                                                      const aclTensor* index,
                                                      const aclTensor* source,
                                                      const aclScalar* alpha, int64_t mode,
                                                      aclTensor* out, uint64_t* workspaceSize,
                                                      aclOpExecutor** executor);

/**
 * Second phase, as that of aclnnIndexAdd. Source: document aclnnIndexAddV2.
 */
ACLNN_API aclnnStatus aclnnIndexAddV2(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ACLNNOP_ACLNN_INDEX_ADD_V2_H_
