/**
 * @file
 * Older place of aclnnop/aclnn_expand.h.
 */
#ifndef ACLNNOP_LEVEL2_ACLNN_EXPAND_H_
#define ACLNNOP_LEVEL2_ACLNN_EXPAND_H_

#include "../aclnn_expand.h"

#endif  // ACLNNOP_LEVEL2_ACLNN_EXPAND_H_
