/**
 * @file
 * Copying a tensor into a strided slice of another one. C++ only.
 */
#ifndef ACLNNOP_ACLNN_STRIDED_SLICE_ASSIGN_V2_H_
#define ACLNNOP_ACLNN_STRIDED_SLICE_ASSIGN_V2_H_

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Phase one of varRef[begin:end:strides, ..] = inputValue, in place. Bits are copied; elements
 * outside the slice keep theirs.
 *   varRef   1 to 8 dimensions above 0; FLOAT16, FLOAT, BF16, INT32, INT64, DOUBLE or INT8; may be
 *            a view with strides
 *   inputValue  varRef's type, as many dimensions, each as long as the slice; any view
 *   begin, end  one entry for each sliced axis; negative ones count from the end, then both are
 *            clamped to the dimension
 *   strides  as many entries, each 1 or above; that of the last axis 1
 *   axesOptional  which axes, as many entries, negative ones count from the end; null: the first
 *            ones. Axes that are not named are taken whole
 *   workspaceSize  receives the bytes of workspace that phase two needs: 0
 *   executor receives what phase two runs. It ends there, or with aclDestroyAclOpExecutor
 * Tensors stay the caller's, and alive until phase two has returned. An empty slice is no error.
 * Fails with ACLNN_ERR_PARAM_NULLPTR for a null varRef, inputValue, begin, end, strides,
 * workspaceSize or executor, with ACLNN_ERR_PARAM_INVALID for products without the operator, types
 * and strides of views, and with ACLNN_ERR_INNER_TILING_ERROR for shapes and entries that do not
 * fit; the results then keep their values.
 * Source: document aclnnStridedSliceAssignV2. What BELAY_BEHAVIOR=released changes is in
 * docs/compatibility.md.
 */
ACLNN_API aclnnStatus aclnnStridedSliceAssignV2GetWorkspaceSize(
    aclTensor* varRef, const aclTensor* inputValue, const aclIntArray* begin,
    const aclIntArray* end, const aclIntArray* strides, const aclIntArray* axesOptional,
    uint64_t* workspaceSize, aclOpExecutor** executor);

/**
 * Phase two: puts the work on the stream (null: the default one) and ends the executor, unless it
 * is repeatable. Fails with ACLNN_ERR_PARAM_NULLPTR for a null executor and with
 * ACLNN_ERR_PARAM_INVALID for an executor that is not this operator's or has run, and for tensors
 * that are not in the device's memory or share elements without being the same view.
 * Source: document aclnnStridedSliceAssignV2.
 */
ACLNN_API aclnnStatus aclnnStridedSliceAssignV2(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ACLNNOP_ACLNN_STRIDED_SLICE_ASSIGN_V2_H_
