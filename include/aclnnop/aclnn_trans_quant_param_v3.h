/**
 * @file
 * Conversion of quantization scales and offsets in device memory, with a choice of rounding. C++
 * only.
 */
#ifndef ACLNNOP_ACLNN_TRANS_QUANT_PARAM_V3_H_
#define ACLNNOP_ACLNN_TRANS_QUANT_PARAM_V3_H_

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Phase one of what aclnnTransQuantParamV2GetWorkspaceSize describes, with one parameter more:
 *   roundMode  0 clears the scale's lowest 13 bits; 1 rounds the scale to the upper 19 bits,
 *              nearest even. Then a subnormal scale becomes a zero of its sign, and a large one may
 *              become infinity
 * Fails as that function does, and with ACLNN_ERR_PARAM_INVALID for another roundMode.
 * Source: document aclnnTransQuantParamV3. What BELAY_BEHAVIOR=released changes is in
 * docs/compatibility.md.
 */
ACLNN_API aclnnStatus aclnnTransQuantParamV3GetWorkspaceSize(
    const aclTensor* scale, const aclTensor* offset, int64_t roundMode, const aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

/**
 * Phase two, as aclnnTransQuantParamV2.
 * Source: document aclnnTransQuantParamV3.
 */
ACLNN_API aclnnStatus aclnnTransQuantParamV3(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ACLNNOP_ACLNN_TRANS_QUANT_PARAM_V3_H_
