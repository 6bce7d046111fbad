/**
 * @file
 * Putting rows of one tensor in the place of the rows of another that an index names. C++ only.
 */
#ifndef ACLNNOP_ACLNN_INDEX_COPY_H_
#define ACLNNOP_ACLNN_INDEX_COPY_H_

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * First phase of: outRef = selfRef, then outRef[.., index[k], ..] = source[.., k, ..] along dim.
 * Where an index occurs more than once, the last one counts.
 *   selfRef  FLOAT, FLOAT16, BF16, DOUBLE, INT8, INT16, INT32, INT64, UINT8, BOOL, COMPLEX64 or
 *            COMPLEX128; Ascend 950: also UINT32 and UINT64. Any strides; a scalar counts as one
 *            row
 *   dim      in [-rank, rank) of selfRef
 *   index    INT32 or INT64, one dimension or a scalar; each in [0, selfRef's dimension dim)
 *   source   of selfRef's type; selfRef's shape, but as long as index along dim
 *   outRef   of selfRef's type, shape and format; may be the very view that selfRef is, which is
 *            left alone otherwise
 *   workspaceSize  receives the bytes of device memory that phase two needs
 *   executor  receives what phase two takes; phase two ends it
 * An empty selfRef or index leaves outRef untouched. Fails with ACLNN_ERR_PARAM_NULLPTR for a null
 * pointer and with ACLNN_ERR_PARAM_INVALID for other types, shapes, views and products; both
 * results then keep their values. Source: document aclnnIndexCopy.
 */
ACLNN_API aclnnStatus aclnnIndexCopyGetWorkspaceSize(aclTensor* selfRef, int64_t dim,
                                                     const aclTensor* index,
                                                     const aclTensor* source, aclTensor* outRef,
                                                     uint64_t* workspaceSize,
                                                     aclOpExecutor** executor);

/**
 * Second phase: gives the work to the stream (null: the default stream) and ends the executor
 * unless it is repeatable. An index that names no row is a fault that a wait for the stream
 * returns; outRef is not written then. Fails with ACLNN_ERR_PARAM_NULLPTR for a null executor or
 * workspace and with ACLNN_ERR_PARAM_INVALID for an executor that has run, a workspace that is too
 * small and memory that is not the stream's. Source: document aclnnIndexCopy.
 */
ACLNN_API aclnnStatus aclnnIndexCopy(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

/**
 * The same with selfRef written in place. Source: document aclnnIndexCopy.
 */
ACLNN_API aclnnStatus aclnnInplaceIndexCopyGetWorkspaceSize(aclTensor* selfRef, int64_t dim,
                                                            const aclTensor* index,
                                                            const aclTensor* source,
                                                            uint64_t* workspaceSize,
                                                            aclOpExecutor** executor);

/**
 * Second phase, as that of aclnnIndexCopy. Source: document aclnnIndexCopy.
 */
ACLNN_API aclnnStatus aclnnInplaceIndexCopy(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ACLNNOP_ACLNN_INDEX_COPY_H_
