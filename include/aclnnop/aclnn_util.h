/**
 * @file
 * Export mark of the operator functions.
 */
#ifndef OPBASE_COMMON_ACLNN_UTIL_H
#define OPBASE_COMMON_ACLNN_UTIL_H

/** Makes an operator function visible outside its library. Source: aclnn API, base definitions. */
#define ACLNN_API __attribute__((visibility("default")))

#endif  // OPBASE_COMMON_ACLNN_UTIL_H
