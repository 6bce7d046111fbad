/**
 * @file
 * Memory management. All sizes are in bytes. The synchronous copies and fills act at once on the
 * calling thread and do not wait for streams.
 */
#ifndef INC_EXTERNAL_ACL_ACL_RT_MEMORY_H_
#define INC_EXTERNAL_ACL_ACL_RT_MEMORY_H_

#include "acl_base.h"
#include "acl_rt_constants.h"
#include "acl_rt_enums_memory.h"
#include "acl_rt_structs_memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Allocates device memory, aligned to 64 bytes and not initialised. The caller frees it with
 * aclrtFree. An unknown policy is treated as the default.
 * Fails with ACL_ERROR_INVALID_PARAM when devPtr is null or size is 0, with
 * ACL_ERROR_RT_MEMORY_ALLOCATION when memory runs out, and with ACL_ERROR_RT_CONTEXT_NULL when
 * there is no context.
 * Source: acl API, memory management.
 */
ACL_FUNC_VISIBILITY aclError aclrtMalloc(void** devPtr, size_t size, aclrtMemMallocPolicy policy);

/**
 * Like aclrtMalloc, but the size is only rounded up to a multiple of 32, without extra padding.
 * Source: acl API, memory management.
 */
ACL_FUNC_VISIBILITY aclError aclrtMallocAlign32(void** devPtr, size_t size,
                                                aclrtMemMallocPolicy policy);

/**
 * Like aclrtMalloc, for memory that the processor caches; aclrtMemFlush and aclrtMemInvalidate
 * keep it consistent with the device.
 * Source: acl API, memory management.
 */
ACL_FUNC_VISIBILITY aclError aclrtMallocCached(void** devPtr, size_t size,
                                               aclrtMemMallocPolicy policy);

/**
 * Writes cached data of a device memory range back to memory.
 * Fails with ACL_ERROR_INVALID_PARAM when devPtr is null or size is 0.
 * Source: acl API, memory management.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemFlush(void* devPtr, size_t size);

/**
 * Drops cached data of a device memory range.
 * Fails with ACL_ERROR_INVALID_PARAM when devPtr is null or size is 0.
 * Source: acl API, memory management.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemInvalidate(void* devPtr, size_t size);

/**
 * Frees device memory.
 * Fails with ACL_ERROR_INVALID_PARAM when devPtr is null, and with ACL_ERROR_RT_PARAM_INVALID when
 * it is not an allocation of this kind.
 * Source: acl API, memory management.
 */
ACL_FUNC_VISIBILITY aclError aclrtFree(void* devPtr);

/**
 * Allocates page-locked host memory, aligned to 64 bytes. The caller frees it with aclrtFreeHost.
 * Fails with ACL_ERROR_INVALID_PARAM when hostPtr is null or size is 0, and with
 * ACL_ERROR_RT_MEMORY_ALLOCATION when memory runs out.
 * Source: acl API, memory management.
 */
ACL_FUNC_VISIBILITY aclError aclrtMallocHost(void** hostPtr, size_t size);

/**
 * Frees memory from aclrtMallocHost.
 * Fails with ACL_ERROR_INVALID_PARAM when hostPtr is null, and with ACL_ERROR_RT_PARAM_INVALID
 * when it is not an allocation of this kind.
 * Source: acl API, memory management.
 */
ACL_FUNC_VISIBILITY aclError aclrtFreeHost(void* hostPtr);

/**
 * Fills count bytes with the low 8 bits of value. count may be 0, which does nothing.
 * Fails with ACL_ERROR_INVALID_PARAM when devPtr is null, with ACL_ERROR_RT_PARAM_INVALID when
 * count exceeds maxCount, and with ACL_ERROR_RT_CONTEXT_NULL when there is no context.
 * Source: acl API, memory management.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemset(void* devPtr, size_t maxCount, int32_t value,
                                         size_t count);

/**
 * Queues the fill of aclrtMemset on a stream; a null stream means the default stream. Fails like
 * aclrtMemset.
 * Source: acl API, memory management.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemsetAsync(void* devPtr, size_t maxCount, int32_t value,
                                              size_t count, aclrtStream stream);

/**
 * Copies count bytes. kind is advisory; the addresses decide. count may be 0, which does nothing.
 * Fails with ACL_ERROR_INVALID_PARAM when dst or src is null or kind is not accepted, with
 * ACL_ERROR_RT_PARAM_INVALID when count exceeds destMax, and with ACL_ERROR_RT_CONTEXT_NULL when
 * there is no context.
 * Source: acl API, memory management.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpy(void* dst, size_t destMax, const void* src, size_t count,
                                         aclrtMemcpyKind kind);

/**
 * Queues a copy on a stream; a null stream means the default stream. A copy with pageable host
 * memory runs synchronously. Fails like aclrtMemcpy, and with ACL_ERROR_RT_FEATURE_NOT_SUPPORT for
 * host to host.
 * Source: acl API, memory management.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyAsync(void* dst, size_t destMax, const void* src,
                                              size_t count, aclrtMemcpyKind kind,
                                              aclrtStream stream);

/**
 * Copies height rows of width bytes between two pitched areas. A width or height of 0 does
 * nothing.
 * Fails with ACL_ERROR_INVALID_PARAM when a pointer is null, width exceeds a pitch or kind is not
 * accepted, with ACL_ERROR_RT_FEATURE_NOT_SUPPORT for device to device, and with
 * ACL_ERROR_RT_PARAM_INVALID when width or height is too large.
 * Source: acl API, memory management.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpy2d(void* dst, size_t dpitch, const void* src, size_t spitch,
                                           size_t width, size_t height, aclrtMemcpyKind kind);

/**
 * Queues the copy of aclrtMemcpy2d on a stream; a null stream means the default stream. Device to
 * device is allowed here; otherwise it fails like aclrtMemcpy2d.
 * Source: acl API, memory management.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpy2dAsync(void* dst, size_t dpitch, const void* src,
                                                size_t spitch, size_t width, size_t height,
                                                aclrtMemcpyKind kind, aclrtStream stream);

/**
 * Copies numBatches ranges in one call: sizes[i] bytes from srcs[i] to dsts[i], which has room for
 * destMaxs[i]. attrs[k] says where both ends of the entries from attrsIndexes[k] on lie, on the
 * host or on a device; attrsIndexes begins with 0 and rises. All entries are checked before the
 * first is copied; an entry of size 0 does nothing. A refusal stores the first entry at fault in
 * *failIndex, or SIZE_MAX when it is not about one entry; a success stores nothing.
 * Fails with ACL_ERROR_INVALID_PARAM when a pointer is null or a count is 0, with
 * ACL_ERROR_RT_PARAM_INVALID when a size exceeds its destMax, attrsIndexes is not as said or an
 * address does not lie where its attribute says, and with ACL_ERROR_RT_CONTEXT_NULL when there is
 * no context.
 * Source: acl API, memory management.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyBatch(void** dsts, size_t* destMaxs, void** srcs,
                                              size_t* sizes, size_t numBatches,
                                              aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes,
                                              size_t numAttrs, size_t* failIndex);

/**
 * Like aclrtMemcpyBatch, without failIndex.
 * Source: acl API, memory management.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyBatchV2(void** dsts, size_t* destMaxs, void** srcs,
                                                size_t* sizes, size_t numBatches,
                                                aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes,
                                                size_t numAttrs);

/**
 * Queues the copies of aclrtMemcpyBatch on a stream, in their order; a null stream means the
 * default stream. With pageable host memory in any entry it returns when all are done. Fails like
 * aclrtMemcpyBatch, and with ACL_ERROR_RT_FEATURE_NOT_SUPPORT for an entry from host to host.
 * Source: acl API, memory management.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyBatchAsync(void** dsts, size_t* destMaxs, void** srcs,
                                                   size_t* sizes, size_t numBatches,
                                                   aclrtMemcpyBatchAttr* attrs,
                                                   size_t* attrsIndexes, size_t numAttrs,
                                                   size_t* failIndex, aclrtStream stream);

/**
 * Like aclrtMemcpyBatchAsync, without failIndex.
 * Source: acl API, memory management.
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyBatchAsyncV2(void** dsts, size_t* destMaxs, void** srcs,
                                                     size_t* sizes, size_t numBatches,
                                                     aclrtMemcpyBatchAttr* attrs,
                                                     size_t* attrsIndexes, size_t numAttrs,
                                                     aclrtStream stream);

/**
 * Stores the free and total size of one kind of device memory.
 * Fails with ACL_ERROR_INVALID_PARAM when a pointer is null, and with
 * ACL_ERROR_RT_INVALID_MEMORY_TYPE when the chip lacks that kind.
 * Source: acl API, memory management.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t* free, size_t* total);

/**
 * Tells where the memory behind an address lives.
 * Fails with ACL_ERROR_INVALID_PARAM on a null argument.
 * Source: acl API, memory management.
 */
ACL_FUNC_VISIBILITY aclError aclrtPointerGetAttributes(const void* ptr,
                                                       aclrtPtrAttributes* attributes);

/**
 * Registers host memory of the caller for use by the device and stores the device address. The
 * caller keeps the memory and calls aclrtHostUnregister before freeing it.
 * Fails with ACL_ERROR_INVALID_PARAM when a pointer is null or size is 0, and with
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT for an unknown type.
 * Source: acl API, memory management.
 */
ACL_FUNC_VISIBILITY aclError aclrtHostRegister(void* ptr, uint64_t size, aclrtHostRegisterType type,
                                               void** devPtr);

/**
 * Ends the registration of host memory.
 * Fails with ACL_ERROR_INVALID_PARAM when ptr is null, and with
 * ACL_ERROR_HOST_MEMORY_NOT_REGISTERED when it is not registered.
 * Source: acl API, memory management.
 */
ACL_FUNC_VISIBILITY aclError aclrtHostUnregister(void* ptr);

/**
 * Like aclrtMalloc, with attributes: a module id says nothing here and is taken.
 * Fails also with ACL_ERROR_INVALID_PARAM when cfg counts attributes and has none, and with
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT for another attribute.
 * Source: acl API, memory management.
 */
ACL_FUNC_VISIBILITY aclError aclrtMallocWithCfg(void** devPtr, size_t size,
                                                aclrtMemMallocPolicy policy,
                                                aclrtMallocConfig* cfg);

/**
 * Like aclrtMallocHost, with the attributes of aclrtMallocWithCfg.
 * Source: acl API, memory management.
 */
ACL_FUNC_VISIBILITY aclError aclrtMallocHostWithCfg(void** ptr, uint64_t size,
                                                    aclrtMallocConfig* cfg);

/**
 * Like aclrtFree and aclrtFreeHost, when the work of the current device is done. Faults of that
 * work are left to the next synchronise.
 * Fails also with ACL_ERROR_RT_CONTEXT_NULL when there is no context.
 * Source: acl API, memory management.
 */
ACL_FUNC_VISIBILITY aclError aclrtFreeWithDevSync(void* devPtr);
ACL_FUNC_VISIBILITY aclError aclrtFreeHostWithDevSync(void* hostPtr);

/**
 * Like aclrtHostRegister, with ACL_HOST_REG flags; aclrtHostGetDevicePointer tells the device
 * address.
 * Fails with ACL_ERROR_INVALID_PARAM when ptr is null or size is 0, with
 * ACL_ERROR_RT_PARAM_INVALID for other flags, and with ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED for
 * memory that is registered.
 * Source: acl API, memory management.
 */
ACL_FUNC_VISIBILITY aclError aclrtHostRegisterV2(void* ptr, uint64_t size, uint32_t flag);

/**
 * Stores the device address of registered host memory. flag must be 0.
 * Fails with ACL_ERROR_INVALID_PARAM when a pointer is null or flag is not 0, and with
 * ACL_ERROR_HOST_MEMORY_NOT_REGISTERED for other memory.
 * Source: acl API, memory management.
 */
ACL_FUNC_VISIBILITY aclError aclrtHostGetDevicePointer(void* pHost, void** pDevice, uint32_t flag);

#ifdef __cplusplus
}
#endif

#endif  // INC_EXTERNAL_ACL_ACL_RT_MEMORY_H_
