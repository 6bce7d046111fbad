/**
 * @file
 * Conversion of quantization scales and offsets in device memory. C++ only.
 */
#ifndef ACLNNOP_ACLNN_TRANS_QUANT_PARAM_V2_H_
#define ACLNNOP_ACLNN_TRANS_QUANT_PARAM_V2_H_

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Phase one of packing float32 scales and offsets into the 64-bit words that the hardware's
 * requantisation reads: bits 0-31 hold the scale with its lowest 13 bits cleared, bits 37-45 the
 * offset rounded half to even and clamped to -256..255, and bit 46 is set. A single scale or a
 * single offset counts for all words; nothing is padded.
 *   scale    FLOAT, contiguous: [t] or [1, n], on the 950 family also [g, n]; finite values
 *   offset   null, or FLOAT, contiguous: [t] or [1, n]; finite values. One element, or as many as
 *            scale, or more beside a scale of shape [1]
 *   out      UINT64 or INT64, may be a view with strides: scale's shape, or as long as the longer
 *            of the two where scale has one dimension
 *   workspaceSize  receives the bytes of workspace that phase two needs: 0
 *   executor receives what phase two runs. It ends there, or with aclDestroyAclOpExecutor
 * Tensors stay the caller's, and alive until phase two has returned. All are in format ND. Fails
 * with ACLNN_ERR_PARAM_NULLPTR for a null scale, out, workspaceSize or executor and with
 * ACLNN_ERR_PARAM_INVALID for products without the operator and tensors that do not fit; the
 * results then keep their values.
 * Source: document aclnnTransQuantParamV2. What BELAY_BEHAVIOR=released changes is in
 * docs/compatibility.md.
 */
ACLNN_API aclnnStatus aclnnTransQuantParamV2GetWorkspaceSize(const aclTensor* scale,
                                                             const aclTensor* offset,
                                                             const aclTensor* out,
                                                             uint64_t* workspaceSize,
                                                             aclOpExecutor** executor);

/**
 * Phase two: puts the work on the stream (null: the default one) and ends the executor, unless it
 * is repeatable. NaN or infinity in scale or offset shows when the stream is waited for
 * (ACL_ERROR_RT_VECTOR_CORE_EXCEPTION); out is then untouched. Fails with ACLNN_ERR_PARAM_NULLPTR
 * for a null executor and with ACLNN_ERR_PARAM_INVALID for an executor that is not this operator's
 * or has run, and for tensors that are not in the device's memory or share elements with out.
 * Source: document aclnnTransQuantParamV2.
 */
ACLNN_API aclnnStatus aclnnTransQuantParamV2(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ACLNNOP_ACLNN_TRANS_QUANT_PARAM_V2_H_
