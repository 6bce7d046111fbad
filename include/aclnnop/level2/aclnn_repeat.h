/**
 * @file
 * Older place of aclnnop/aclnn_repeat.h.
 */
#ifndef ACLNNOP_LEVEL2_ACLNN_REPEAT_H_
#define ACLNNOP_LEVEL2_ACLNN_REPEAT_H_

#include "../aclnn_repeat.h"

#endif  // ACLNNOP_LEVEL2_ACLNN_REPEAT_H_
