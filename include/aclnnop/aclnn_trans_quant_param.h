/**
 * @file
 * Conversion of quantization scales and offsets. C++ only.
 */
#ifndef ACLNNOP_ACLNN_TRANS_QUANT_PARAM_H_
#define ACLNNOP_ACLNN_TRANS_QUANT_PARAM_H_

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Packs float scales and optional offsets into 64-bit quantization parameters: bits 0-31 hold the
 * scale, bits 37-45 the offset rounded and clamped to -256..255, and bit 46 is set for every
 * scale. Runs on the host at once.
 * The length is 1 when both counts are at most 1, else the larger count rounded up to 16. The
 * block in quantParam is zero-filled; the caller releases it with free().
 * Fails with ACLNN_ERR_PARAM_INVALID when scaleArray is null or scaleSize is 0, or offsetArray and
 * offsetSize do not fit together, with ACLNN_ERR_PARAM_NULLPTR when an output pointer is null, and
 * with ACLNN_ERR_INNER_NULLPTR when memory runs out.
 * Source: aclnn API, aclnnTransQuantParam.
 */
ACLNN_API aclnnStatus aclnnTransQuantParam(const float* scaleArray, uint64_t scaleSize,
                                           const float* offsetArray, uint64_t offsetSize,
                                           uint64_t** quantParam, uint64_t* quantParamSize);

#ifdef __cplusplus
}
#endif

#endif  // ACLNNOP_ACLNN_TRANS_QUANT_PARAM_H_
