/**
 * @file
 * Older place of aclnnop/aclnn_trans_quant_param_v2.h.
 */
#ifndef ACLNNOP_LEVEL2_ACLNN_TRANS_QUANT_PARAM_V2_H_
#define ACLNNOP_LEVEL2_ACLNN_TRANS_QUANT_PARAM_V2_H_

#include "../aclnn_trans_quant_param_v2.h"

#endif  // ACLNNOP_LEVEL2_ACLNN_TRANS_QUANT_PARAM_V2_H_
