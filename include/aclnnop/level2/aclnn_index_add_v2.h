/**
 * @file
 * Older place of aclnnop/aclnn_index_add_v2.h.
 */
#ifndef ACLNNOP_LEVEL2_ACLNN_INDEX_ADD_V2_H_
#define ACLNNOP_LEVEL2_ACLNN_INDEX_ADD_V2_H_

#include "../aclnn_index_add_v2.h"

#endif  // ACLNNOP_LEVEL2_ACLNN_INDEX_ADD_V2_H_
