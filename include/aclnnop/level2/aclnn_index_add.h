/**
 * @file
 * Older place of aclnnop/aclnn_index_add.h.
 */
#ifndef ACLNNOP_LEVEL2_ACLNN_INDEX_ADD_H_
#define ACLNNOP_LEVEL2_ACLNN_INDEX_ADD_H_

#include "../aclnn_index_add.h"

#endif  // ACLNNOP_LEVEL2_ACLNN_INDEX_ADD_H_
