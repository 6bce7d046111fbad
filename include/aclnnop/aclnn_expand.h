/**
 * @file
 * Broadcasting a tensor to a shape. C++ only.
 */
#ifndef ACLNNOP_ACLNN_EXPAND_H_
#define ACLNNOP_ACLNN_EXPAND_H_

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Phase one of out = self, broadcast to the shape `size` like torch.Tensor.expand. Bits are copied.
 *   self     FLOAT16, FLOAT, UINT8, INT8, INT32, INT64, BOOL, on Atlas A2, A3 and the 950 family
 *            BF16; any view
 *   size     one entry for each dimension of out; from the last one on, self's dimension or
 *            anything where that is 1. -1 is not allowed
 *   out      shape `size`, self's type; may be a view with strides
 *   workspaceSize  receives the bytes of workspace that phase two needs: 0
 *   executor receives what phase two runs. It ends there, or with aclDestroyAclOpExecutor
 * Tensors stay the caller's, and alive until phase two has returned. At most 8 dimensions; empty
 * tensors are no error. Fails with ACLNN_ERR_PARAM_NULLPTR for a null self, size, out,
 * workspaceSize or executor and with ACLNN_ERR_PARAM_INVALID for products without the operator and
 * arguments that do not fit; the results then keep their values.
 * Source: document aclnnExpand.
 */
ACLNN_API aclnnStatus aclnnExpandGetWorkspaceSize(const aclTensor* self, const aclIntArray* size,
                                                  aclTensor* out, uint64_t* workspaceSize,
                                                  aclOpExecutor** executor);

/**
 * Phase two: puts the work on the stream (null: the default one) and ends the executor, unless it
 * is repeatable. Fails with ACLNN_ERR_PARAM_NULLPTR for a null executor and with
 * ACLNN_ERR_PARAM_INVALID for an executor that is not this operator's or has run, and for tensors
 * that are not in the device's memory or share elements without being the same view.
 * Source: document aclnnExpand.
 */
ACLNN_API aclnnStatus aclnnExpand(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ACLNNOP_ACLNN_EXPAND_H_
