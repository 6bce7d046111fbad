/**
 * @file
 * Repeating a tensor along its dimensions. C++ only.
 */
#ifndef ACLNNOP_ACLNN_REPEAT_H_
#define ACLNNOP_ACLNN_REPEAT_H_

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Phase one of repeating self along its dimensions like torch.Tensor.repeat: self gets leading
 * dimensions of 1 until it has as many as there are repeats; element [i, ..] of out is element
 * [i mod self's dimension, ..] of self. Bits are copied.
 *   self     FLOAT, FLOAT16, DOUBLE, COMPLEX64, COMPLEX128, INT8 to INT64, UINT8, UINT32, UINT64,
 *            BOOL; UINT16 except on Ascend910, BF16 except on Ascend910 and Ascend310P; any view
 *   repeats  at most 8 entries, each 0 or above, no fewer than self has dimensions. At most 4 may
 *            be above 1 if the first one is, else at most 3
 *   out      repeats times self's dimensions, self's type; may be a view with strides
 *   workspaceSize  receives the bytes of workspace that phase two needs: 0
 *   executor receives what phase two runs. It ends there, or with aclDestroyAclOpExecutor
 * Tensors stay the caller's, and alive until phase two has returned. Empty tensors and entries of 0
 * are no error; out's shape is then not looked at. Fails with ACLNN_ERR_PARAM_NULLPTR for a null
 * self, repeats, out, workspaceSize or executor, with ACLNN_ERR_PARAM_INVALID for products without
 * the operator and arguments that do not fit, and with ACLNN_ERR_INNER_NULLPTR for too many
 * entries above 1; the results then keep their values.
 * Source: document aclnnRepeat. What BELAY_BEHAVIOR=released changes is in docs/compatibility.md.
 */
ACLNN_API aclnnStatus aclnnRepeatGetWorkspaceSize(const aclTensor* self, const aclIntArray* repeats,
                                                  aclTensor* out, uint64_t* workspaceSize,
                                                  aclOpExecutor** executor);

/**
 * Phase two: puts the work on the stream (null: the default one) and ends the executor, unless it
 * is repeatable. Fails with ACLNN_ERR_PARAM_NULLPTR for a null executor and with
 * ACLNN_ERR_PARAM_INVALID for an executor that is not this operator's or has run, and for tensors
 * that are not in the device's memory or share elements without being the same view.
 * Source: document aclnnRepeat.
 */
ACLNN_API aclnnStatus aclnnRepeat(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ACLNNOP_ACLNN_REPEAT_H_
