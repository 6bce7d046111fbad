/**
 * @file
 * Older place of aclnnop/aclnn_trans_quant_param_v3.h.
 */
#ifndef ACLNNOP_LEVEL2_ACLNN_TRANS_QUANT_PARAM_V3_H_
#define ACLNNOP_LEVEL2_ACLNN_TRANS_QUANT_PARAM_V3_H_

#include "../aclnn_trans_quant_param_v3.h"

#endif  // ACLNNOP_LEVEL2_ACLNN_TRANS_QUANT_PARAM_V3_H_
