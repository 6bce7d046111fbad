/**
 * @file
 * Older place of aclnnop/aclnn_strided_slice_assign_v2.h.
 */
#ifndef ACLNNOP_LEVEL2_ACLNN_STRIDED_SLICE_ASSIGN_V2_H_
#define ACLNNOP_LEVEL2_ACLNN_STRIDED_SLICE_ASSIGN_V2_H_

#include "../aclnn_strided_slice_assign_v2.h"

#endif  // ACLNNOP_LEVEL2_ACLNN_STRIDED_SLICE_ASSIGN_V2_H_
