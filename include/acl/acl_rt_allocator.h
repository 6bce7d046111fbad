/**
 * @file
 * Function types of a client-supplied device memory allocator.
 */
#ifndef INC_EXTERNAL_ACL_ACL_RT_ALLOCATOR_H_
#define INC_EXTERNAL_ACL_ACL_RT_ALLOCATOR_H_

#include "acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Client allocator: returns a block of at least size bytes, or null.
 * Source: acl API, external allocator.
 */
typedef void* (*aclrtAllocatorAllocFunc)(aclrtAllocator allocator, size_t size);

/**
 * Client allocator: takes a block back.
 * Source: acl API, external allocator.
 */
typedef void (*aclrtAllocatorFreeFunc)(aclrtAllocator allocator, aclrtAllocatorBlock block);

/**
 * Client allocator: like the plain allocation, with a wished address.
 * Source: acl API, external allocator.
 */
typedef void* (*aclrtAllocatorAllocAdviseFunc)(aclrtAllocator allocator, size_t size,
                                               aclrtAllocatorAddr addr);

/**
 * Client allocator: gives the device address of a block.
 * Source: acl API, external allocator.
 */
typedef void* (*aclrtAllocatorGetAddrFromBlockFunc)(aclrtAllocatorBlock block);

#ifdef __cplusplus
}
#endif

#endif  // INC_EXTERNAL_ACL_ACL_RT_ALLOCATOR_H_
