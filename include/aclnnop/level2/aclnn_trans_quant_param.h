/**
 * @file
 * Older place of aclnnop/aclnn_trans_quant_param.h.
 */
#ifndef ACLNNOP_LEVEL2_ACLNN_TRANS_QUANT_PARAM_H_
#define ACLNNOP_LEVEL2_ACLNN_TRANS_QUANT_PARAM_H_

#include "../aclnn_trans_quant_param.h"

#endif  // ACLNNOP_LEVEL2_ACLNN_TRANS_QUANT_PARAM_H_
