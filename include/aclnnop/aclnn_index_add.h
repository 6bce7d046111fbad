/**
 * @file
 * Adding rows of one tensor to the rows of another that an index names. C++ only.
 */
#ifndef ACLNNOP_ACLNN_INDEX_ADD_H_
#define ACLNNOP_ACLNN_INDEX_ADD_H_

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * First phase of: out = self, then out[.., index[k], ..] += alpha * source[.., k, ..] along dim for
 * each k in turn. An index may occur more than once. 16-bit floats are added in float and rounded
 * once at the end, other types in their own: integers wrap around, bools are "or".
 *   self     FLOAT, FLOAT16, BF16, DOUBLE, INT8, INT16, INT32, INT64, UINT8 or BOOL; any strides.
 *            A scalar counts as one row
 *   dim      in [-rank, rank) of self
 *   index    INT32 or INT64, one dimension or a scalar; each in [0, self's dimension dim)
 *   source   of self's type; self's shape, but as long as index along dim
 *   alpha    a number of any type; counts as float for 16-bit floats, else as one of self's type
 *   out      of self's type and shape; may be the very view that self is, which is left alone
 *            otherwise
 *   workspaceSize  receives the bytes of device memory that phase two needs
 *   executor  receives what phase two takes; phase two ends it
 * An empty self or source leaves out untouched. Fails with ACLNN_ERR_PARAM_NULLPTR for a null
 * pointer and with ACLNN_ERR_PARAM_INVALID for other types, shapes, views and products; both
 * results then keep their values. Source: document aclnnIndexAdd.
 */
ACLNN_API aclnnStatus aclnnIndexAddGetWorkspaceSize(const aclTensor* self, const int64_t dim,
                                                    const aclTensor* index, const aclTensor* source,
                                                    const aclScalar* alpha, aclTensor* out,
                                                    uint64_t* workspaceSize,
                                                    aclOpExecutor** executor);

/**
 * Second phase: gives the work to the stream (null: the default stream) and ends the executor
 * unless it is repeatable. An index that names no row is a fault that a wait for the stream
 * returns; out is not written then. Fails with ACLNN_ERR_PARAM_NULLPTR for a null executor or
 * workspace and with ACLNN_ERR_PARAM_INVALID for an executor that has run, a workspace that is too
 * small and memory that is not the stream's. Source: document aclnnIndexAdd.
 */
ACLNN_API aclnnStatus aclnnIndexAdd(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ACLNNOP_ACLNN_INDEX_ADD_H_
