/**
 * @file
 * Older place of aclnnop/aclnn_index_copy.h.
 */
#ifndef ACLNNOP_LEVEL2_ACLNN_INDEX_COPY_H_
#define ACLNNOP_LEVEL2_ACLNN_INDEX_COPY_H_

#include "../aclnn_index_copy.h"

#endif  // ACLNNOP_LEVEL2_ACLNN_INDEX_COPY_H_
