/**
 * @file
 * Structures and unions of the acl runtime: memory subjects.
 * Some groups belong to features for which no function is declared. They are here because client
 * programs name them and expect their values.
 */
#ifndef INC_EXTERNAL_ACL_ACL_RT_STRUCTS_MEMORY_H_
#define INC_EXTERNAL_ACL_ACL_RT_STRUCTS_MEMORY_H_

#include <stdbool.h>

#include "acl_base.h"
#include "acl_rt_constants.h"
#include "acl_rt_enums_memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Place for a managed memory hint: a kind and its device or NUMA node id.
 * Source: acl API, managed memory.
 */
typedef struct aclrtMemManagedLocation {
  aclrtMemManagedLocationType type;
  int32_t id;
} aclrtMemManagedLocation;

/**
 * Value of one allocation attribute; aclrtMallocAttrType tells which member is valid.
 * Source: acl API, memory management.
 */
typedef union {
  uint16_t moduleId;
  uint32_t deviceId;
  uint32_t vaFlag;
  uint8_t rsv[8];
} aclrtMallocAttrValue;

/**
 * One attribute of an allocation request.
 * Source: acl API, memory management.
 */
typedef struct {
  aclrtMallocAttrType attr;
  aclrtMallocAttrValue value;
} aclrtMallocAttribute;

/**
 * List of allocation attributes. The caller owns the array.
 * Source: acl API, memory management.
 */
typedef struct {
  aclrtMallocAttribute* attrs;
  size_t numAttrs;
} aclrtMallocConfig;

/**
 * Where a memory block lives. The id is a device id, and 0 for host memory.
 * Source: acl API, memory management.
 */
typedef struct aclrtMemLocation {
  uint32_t id;
  aclrtMemLocationType type;
} aclrtMemLocation;

/**
 * What aclrtPointerGetAttributes tells about an address. The page size is in bytes.
 * Source: acl API, memory management.
 */
typedef struct aclrtPtrAttributes {
  aclrtMemLocation location;
  uint32_t pageSize;
  uint32_t rsv[4];
} aclrtPtrAttributes;

/**
 * Memory use of one component: name, current and peak size in bytes.
 * Source: acl API, memory management.
 */
typedef struct aclrtMemUsageInfo {
  char name[32];
  uint64_t curMemSize;
  uint64_t memPeakSize;
  size_t reserved[8];
} aclrtMemUsageInfo;

/**
 * Opaque bytes that identify shared memory across servers.
 * Source: acl API, virtual memory.
 */
typedef struct aclrtMemFabricHandle {
  uint8_t data[128];
} aclrtMemFabricHandle;

/**
 * Properties of a physical memory allocation.
 * Source: acl API, virtual memory.
 */
typedef struct aclrtPhysicalMemProp {
  aclrtMemHandleType handleType;
  aclrtMemAllocationType allocationType;
  aclrtMemAttr memAttr;
  aclrtMemLocation location;
  uint64_t reserve;
} aclrtPhysicalMemProp;

/**
 * Address range with an uncorrectable memory error. The length is in bytes.
 * Source: acl API, fault reports.
 */
typedef struct aclrtMemUceInfo {
  void* addr;
  size_t len;
  size_t reserved[UCE_INFO_RESERVED_SIZE];
} aclrtMemUceInfo;

/**
 * Fixed array of memory error ranges, of which arraySize are valid.
 * Source: acl API, fault reports.
 */
typedef struct {
  size_t arraySize;
  aclrtMemUceInfo memUceInfoArray[ACL_RT_MEM_UCE_INFO_MAX_NUM];
} aclrtMemUceInfoArray;

/**
 * One cache operation and the barrier it waits for.
 * Source: acl API, cache operations.
 */
typedef struct {
  aclrtCmoType cmoType;
  uint32_t barrierId;
} aclrtBarrierCmoInfo;

/**
 * Set of cache barriers, of which barrierNum are valid.
 * Source: acl API, cache operations.
 */
typedef struct {
  size_t barrierNum;
  aclrtBarrierCmoInfo cmoInfo[ACL_RT_CMO_MAX_BARRIER_NUM];
} aclrtBarrierTaskInfo;

/**
 * Source and destination place of the copies in a batch.
 * Source: acl API, memory management.
 */
typedef struct {
  aclrtMemLocation dstLoc;
  aclrtMemLocation srcLoc;
  uint8_t rsv[16];
} aclrtMemcpyBatchAttr;

/**
 * Access rights of one place to a mapped virtual range.
 * Source: acl API, virtual memory.
 */
typedef struct {
  aclrtMemAccessFlags flags;
  aclrtMemLocation location;
  uint8_t rsv[12];
} aclrtMemAccessDesc;

/**
 * Links a page type and a memory type to a memory attribute. It has no typedef.
 * Source: acl API, memory management.
 */
struct MemAttrMapping {
  uint32_t pgType;
  uint32_t memType;
  bool isHostAlloc;
  aclrtMemAttr memAttr;
};

#ifdef __cplusplus
}
#endif

#endif  // INC_EXTERNAL_ACL_ACL_RT_STRUCTS_MEMORY_H_
