/**
 * @file
 * Copying a tensor into another one, with a cast. C++ only.
 */
#ifndef ACLNNOP_ACLNN_COPY_H_
#define ACLNNOP_ACLNN_COPY_H_

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Phase one of selfRef = src, broadcast to selfRef's shape and cast to its type. Floats become
 * integers towards zero, saturating, NaN as 0; integers wrap; anything becomes BOOL by x != 0;
 * 16-bit floats get one rounding to nearest even, infinity beyond their range; complex numbers
 * give their real part. Between equal types bits are kept.
 *   selfRef  changed in place; may be a view with strides whose indices mean different elements
 *   src      shape that broadcasts to selfRef's; may be any view, also selfRef's own
 *   workspaceSize  receives the bytes of workspace that phase two needs: 0
 *   executor receives what phase two runs. It ends there, or with aclDestroyAclOpExecutor
 * Tensors stay the caller's, and alive until phase two has returned. Types: INT8 to INT64, UINT8 to
 * UINT64, FLOAT16, BF16, FLOAT, DOUBLE, BOOL, COMPLEX64, COMPLEX128. At most 8 dimensions; empty
 * tensors are no error. Fails with ACLNN_ERR_PARAM_NULLPTR for a null selfRef, src, workspaceSize
 * or executor and with ACLNN_ERR_PARAM_INVALID for products without the operator and tensors that
 * do not fit; the results then keep their values.
 * Source: document aclnnInplaceCopy.
 */
ACLNN_API aclnnStatus aclnnInplaceCopyGetWorkspaceSize(aclTensor* selfRef, const aclTensor* src,
                                                       uint64_t* workspaceSize,
                                                       aclOpExecutor** executor);

/**
 * Phase two: puts the work on the stream (null: the default one) and ends the executor, unless it
 * is repeatable. Fails with ACLNN_ERR_PARAM_NULLPTR for a null executor and with
 * ACLNN_ERR_PARAM_INVALID for an executor that is not this operator's or has run, and for tensors
 * that are not in the device's memory or share elements without being the same view.
 * Source: document aclnnInplaceCopy.
 */
ACLNN_API aclnnStatus aclnnInplaceCopy(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ACLNNOP_ACLNN_COPY_H_
