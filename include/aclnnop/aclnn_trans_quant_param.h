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
 * Packs float32 scales and optional offsets into the 64-bit words the hardware's requantisation
 * reads: bits 0-31 hold the scale with its lowest 13 bits cleared, bits 37-45 the offset rounded
 * half away from zero and clamped to -256..255, and bit 46 is set for every scale. Runs on the host
 * at once; needs neither aclInit nor a device.
 *   scaleArray   scaleSize finite values; at least one
 *   offsetArray  offsetSize finite values, or null with offsetSize 0
 *   quantParam   receives a block of the C heap that the caller releases with free()
 *   quantParamSize  receives its length: the larger size, rounded up to a multiple of 16 unless it
 *                is 1; the tail is zero
 * Fails with ACLNN_ERR_PARAM_NULLPTR for a null pointer, with ACLNN_ERR_PARAM_INVALID for sizes
 * that do not fit, values that are not finite and products without the operator, and with
 * ACLNN_ERR_INNER_NULLPTR when there is no memory; both results then keep their values.
 * Source: document aclnnTransQuantParam. What BELAY_BEHAVIOR=released changes is in
 * docs/compatibility.md.
 */
ACLNN_API aclnnStatus aclnnTransQuantParam(const float* scaleArray, uint64_t scaleSize,
                                           const float* offsetArray, uint64_t offsetSize,
                                           uint64_t** quantParam, uint64_t* quantParamSize);

#ifdef __cplusplus
}
#endif

#endif  // ACLNNOP_ACLNN_TRANS_QUANT_PARAM_H_
