/**
 * @file
 * Virtual memory: addresses and physical memory apart. A program reserves addresses, allocates
 * physical memory and maps parts of it into the addresses; mapped memory is used like memory from
 * aclrtMalloc, also across neighbouring mappings. Sizes and offsets are in bytes and, like the
 * addresses of mappings, multiples of what aclrtMemGetAllocationGranularity tells.
 */
#ifndef INC_EXTERNAL_ACL_ACL_RT_VIRTUAL_MEMORY_H_
#define INC_EXTERNAL_ACL_ACL_RT_VIRTUAL_MEMORY_H_

#include "acl_base.h"
#include "acl_rt_enums_memory.h"
#include "acl_rt_handles.h"
#include "acl_rt_structs_memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Reserves addresses without memory behind them. alignment is 0 or a power of two. expectPtr is a
 * wish for where they begin, or null; one that cannot be met is passed over. flags is 0 for normal
 * or 1 for huge pages. The caller ends the reservation with aclrtReleaseMemAddress.
 * Fails with ACL_ERROR_INVALID_PARAM when virPtr is null, size is 0 or flags is another value, with
 * ACL_ERROR_RT_PARAM_INVALID for a size or alignment that is not allowed, with
 * ACL_ERROR_RT_CONTEXT_NULL when there is no context, and with ACL_ERROR_RT_MEMORY_ALLOCATION when
 * there are not that many addresses.
 * Source: acl API, virtual memory.
 */
ACL_FUNC_VISIBILITY aclError aclrtReserveMemAddress(void** virPtr, size_t size, size_t alignment,
                                                    void* expectPtr, uint64_t flags);

/**
 * Ends a reservation in which nothing is mapped any more.
 * Fails with ACL_ERROR_INVALID_PARAM when virPtr is null, and with ACL_ERROR_RT_PARAM_INVALID when
 * it is not the start of a reservation or something is mapped there.
 * Source: acl API, virtual memory.
 */
ACL_FUNC_VISIBILITY aclError aclrtReleaseMemAddress(void* virPtr);

/**
 * Allocates physical memory of the device that prop names, contents undefined. The caller frees the
 * handle with aclrtFreePhysical.
 * Fails with ACL_ERROR_INVALID_PARAM when a pointer is null, size is 0, flags is not 0 or prop
 * holds an unknown value, with ACL_ERROR_RT_PARAM_INVALID for a size that is not allowed, with
 * ACL_ERROR_RT_INVALID_DEVICEID or ACL_ERROR_RT_INVALID_MEMORY_TYPE for a place or kind that does
 * not exist, with ACL_ERROR_RT_FEATURE_NOT_SUPPORT for memory of the host or handles to be shared,
 * with ACL_ERROR_RT_CONTEXT_NULL when there is no context, and with
 * ACL_ERROR_RT_MEMORY_ALLOCATION when memory runs out.
 * Source: acl API, virtual memory.
 */
ACL_FUNC_VISIBILITY aclError aclrtMallocPhysical(aclrtDrvMemHandle* handle, size_t size,
                                                 const aclrtPhysicalMemProp* prop, uint64_t flags);

/**
 * Ends a handle. The memory lives on until all its mappings are unmapped.
 * Fails with ACL_ERROR_INVALID_PARAM when handle is null, and with ACL_ERROR_RT_INVALID_HANDLE when
 * it is not alive.
 * Source: acl API, virtual memory.
 */
ACL_FUNC_VISIBILITY aclError aclrtFreePhysical(aclrtDrvMemHandle handle);

/**
 * Maps size bytes of physical memory, from offset on, at reserved addresses where nothing is mapped
 * yet. The same bytes may be mapped at several addresses.
 * Fails with ACL_ERROR_INVALID_PARAM when virPtr or handle is null, size is 0 or flags is not 0,
 * with ACL_ERROR_RT_INVALID_HANDLE for a handle that is not alive, with ACL_ERROR_RT_PARAM_INVALID
 * for addresses, sizes and offsets that are not allowed, with ACL_ERROR_RT_CONTEXT_NULL when there
 * is no context, and with ACL_ERROR_RT_MEMORY_ALLOCATION when the host cannot map more.
 * Source: acl API, virtual memory.
 */
ACL_FUNC_VISIBILITY aclError aclrtMapMem(void* virPtr, size_t size, size_t offset,
                                         aclrtDrvMemHandle handle, uint64_t flags);

/**
 * Ends the mapping that starts at virPtr. Queued work that uses it keeps the bytes until it is
 * done; until then nothing else can be mapped there.
 * Fails with ACL_ERROR_INVALID_PARAM when virPtr is null, and with ACL_ERROR_RT_PARAM_INVALID when
 * no mapping starts there.
 * Source: acl API, virtual memory.
 */
ACL_FUNC_VISIBILITY aclError aclrtUnmapMem(void* virPtr);

/**
 * Stores the unit of sizes, offsets and addresses for memory with these properties, in bytes.
 * Fails with ACL_ERROR_INVALID_PARAM when a pointer is null or option is unknown, and like
 * aclrtMallocPhysical for prop.
 * Source: acl API, virtual memory.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemGetAllocationGranularity(aclrtPhysicalMemProp* prop,
                                                              aclrtMemGranularityOptions option,
                                                              size_t* granularity);

#ifdef __cplusplus
}
#endif

#endif  // INC_EXTERNAL_ACL_ACL_RT_VIRTUAL_MEMORY_H_
