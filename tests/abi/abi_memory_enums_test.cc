// Checks the enumerations of acl_rt.h: memory subjects.
// The expected values stand here in full; nothing is computed from the headers.

#include <gtest/gtest.h>

#include "abi_check.h"
#include "acl/acl_rt.h"

namespace {

// enum aclrtMemcpyKind
constexpr Value kMemcpyKind[] = {
    ABI_ENUM(aclrtMemcpyKind, ACL_MEMCPY_HOST_TO_HOST, 0),
    ABI_ENUM(aclrtMemcpyKind, ACL_MEMCPY_HOST_TO_DEVICE, 1),
    ABI_ENUM(aclrtMemcpyKind, ACL_MEMCPY_DEVICE_TO_HOST, 2),
    ABI_ENUM(aclrtMemcpyKind, ACL_MEMCPY_DEVICE_TO_DEVICE, 3),
    ABI_ENUM(aclrtMemcpyKind, ACL_MEMCPY_DEFAULT, 4),
    ABI_ENUM(aclrtMemcpyKind, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE, 5),
    ABI_ENUM(aclrtMemcpyKind, ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, 6),
    ABI_ENUM(aclrtMemcpyKind, ACL_MEMCPY_INTER_DEVICE_TO_DEVICE, 7),
};
static_assert(AllMatch(kMemcpyKind), "MemcpyKind");
TEST(AbiConstants, MemcpyKind) { ExpectAllMatch(kMemcpyKind); }

// enum aclrtMemManagedAdviseType
constexpr Value kMemManagedAdviseType[] = {
    ABI_ENUM(aclrtMemManagedAdviseType, ACL_MEM_ADVISE_SET_READ_MOSTLY, 0),
    ABI_ENUM(aclrtMemManagedAdviseType, ACL_MEM_ADVISE_UNSET_READ_MOSTLY, 1),
    ABI_ENUM(aclrtMemManagedAdviseType, ACL_MEM_ADVISE_SET_PREFERRED_LOCATION, 2),
    ABI_ENUM(aclrtMemManagedAdviseType, ACL_MEM_ADVISE_UNSET_PREFERRED_LOCATION, 3),
    ABI_ENUM(aclrtMemManagedAdviseType, ACL_MEM_ADVISE_SET_ACCESSED_BY, 4),
    ABI_ENUM(aclrtMemManagedAdviseType, ACL_MEM_ADVISE_UNSET_ACCESSED_BY, 5),
};
static_assert(AllMatch(kMemManagedAdviseType), "MemManagedAdviseType");
TEST(AbiConstants, MemManagedAdviseType) { ExpectAllMatch(kMemManagedAdviseType); }

// enum aclrtMemManagedLocationType
constexpr Value kMemManagedLocationType[] = {
    ABI_ENUM(aclrtMemManagedLocationType, ACL_MEM_LOCATIONTYPE_INVALID, 0),
    ABI_ENUM(aclrtMemManagedLocationType, ACL_MEM_LOCATIONTYPE_DEVICE, 1),
    ABI_ENUM(aclrtMemManagedLocationType, ACL_MEM_LOCATIONTYPE_HOST, 2),
    ABI_ENUM(aclrtMemManagedLocationType, ACL_MEM_LOCATIONTYPE_HOST_NUMA, 3),
    ABI_ENUM(aclrtMemManagedLocationType, ACL_MEM_LOCATIONTYPE_HOST_NUMA_CURRENT, 4),
};
static_assert(AllMatch(kMemManagedLocationType), "MemManagedLocationType");
TEST(AbiConstants, MemManagedLocationType) { ExpectAllMatch(kMemManagedLocationType); }

// enum aclrtMemMallocPolicy
constexpr Value kMemMallocPolicy[] = {
    ABI_ENUM(aclrtMemMallocPolicy, ACL_MEM_MALLOC_HUGE_FIRST, 0),
    ABI_ENUM(aclrtMemMallocPolicy, ACL_MEM_MALLOC_HUGE_ONLY, 1),
    ABI_ENUM(aclrtMemMallocPolicy, ACL_MEM_MALLOC_NORMAL_ONLY, 2),
    ABI_ENUM(aclrtMemMallocPolicy, ACL_MEM_MALLOC_HUGE_FIRST_P2P, 3),
    ABI_ENUM(aclrtMemMallocPolicy, ACL_MEM_MALLOC_HUGE_ONLY_P2P, 4),
    ABI_ENUM(aclrtMemMallocPolicy, ACL_MEM_MALLOC_NORMAL_ONLY_P2P, 5),
    ABI_ENUM(aclrtMemMallocPolicy, ACL_MEM_MALLOC_HUGE1G_ONLY, 6),
    ABI_ENUM(aclrtMemMallocPolicy, ACL_MEM_MALLOC_HUGE1G_ONLY_P2P, 7),
    ABI_ENUM(aclrtMemMallocPolicy, ACL_MEM_TYPE_LOW_BAND_WIDTH, 256),
    ABI_ENUM(aclrtMemMallocPolicy, ACL_MEM_TYPE_HIGH_BAND_WIDTH, 4096),
    ABI_ENUM(aclrtMemMallocPolicy, ACL_MEM_ACCESS_USER_SPACE_READONLY, 1048576),
};
static_assert(AllMatch(kMemMallocPolicy), "MemMallocPolicy");
TEST(AbiConstants, MemMallocPolicy) { ExpectAllMatch(kMemMallocPolicy); }

// enum aclrtHostRegisterType
constexpr Value kHostRegisterType[] = {
    ABI_ENUM(aclrtHostRegisterType, ACL_HOST_REGISTER_MAPPED, 0),
    ABI_ENUM(aclrtHostRegisterType, ACL_HOST_REGISTER_IOMEMORY, 4),
    ABI_ENUM(aclrtHostRegisterType, ACL_HOST_REGISTER_READONLY, 8),
};
static_assert(AllMatch(kHostRegisterType), "HostRegisterType");
TEST(AbiConstants, HostRegisterType) { ExpectAllMatch(kHostRegisterType); }

// enum aclrtMallocAttrType
constexpr Value kMallocAttrType[] = {
    ABI_ENUM(aclrtMallocAttrType, ACL_RT_MEM_ATTR_RSV, 0),
    ABI_ENUM(aclrtMallocAttrType, ACL_RT_MEM_ATTR_MODULE_ID, 1),
    ABI_ENUM(aclrtMallocAttrType, ACL_RT_MEM_ATTR_DEVICE_ID, 2),
    ABI_ENUM(aclrtMallocAttrType, ACL_RT_MEM_ATTR_VA_FLAG, 3),
};
static_assert(AllMatch(kMallocAttrType), "MallocAttrType");
TEST(AbiConstants, MallocAttrType) { ExpectAllMatch(kMallocAttrType); }

// enum aclrtMemAttr
constexpr Value kMemAttr[] = {
    ABI_ENUM(aclrtMemAttr, ACL_DDR_MEM, 0),
    ABI_ENUM(aclrtMemAttr, ACL_HBM_MEM, 1),
    ABI_ENUM(aclrtMemAttr, ACL_DDR_MEM_HUGE, 2),
    ABI_ENUM(aclrtMemAttr, ACL_DDR_MEM_NORMAL, 3),
    ABI_ENUM(aclrtMemAttr, ACL_HBM_MEM_HUGE, 4),
    ABI_ENUM(aclrtMemAttr, ACL_HBM_MEM_NORMAL, 5),
    ABI_ENUM(aclrtMemAttr, ACL_DDR_MEM_P2P_HUGE, 6),
    ABI_ENUM(aclrtMemAttr, ACL_DDR_MEM_P2P_NORMAL, 7),
    ABI_ENUM(aclrtMemAttr, ACL_HBM_MEM_P2P_HUGE, 8),
    ABI_ENUM(aclrtMemAttr, ACL_HBM_MEM_P2P_NORMAL, 9),
    ABI_ENUM(aclrtMemAttr, ACL_HBM_MEM_HUGE1G, 10),
    ABI_ENUM(aclrtMemAttr, ACL_HBM_MEM_P2P_HUGE1G, 11),
    ABI_ENUM(aclrtMemAttr, ACL_MEM_NORMAL, 12),
    ABI_ENUM(aclrtMemAttr, ACL_MEM_HUGE, 13),
    ABI_ENUM(aclrtMemAttr, ACL_MEM_HUGE1G, 14),
    ABI_ENUM(aclrtMemAttr, ACL_MEM_P2P_NORMAL, 15),
    ABI_ENUM(aclrtMemAttr, ACL_MEM_P2P_HUGE, 16),
    ABI_ENUM(aclrtMemAttr, ACL_MEM_P2P_HUGE1G, 17),
};
static_assert(AllMatch(kMemAttr), "MemAttr");
TEST(AbiConstants, MemAttr) { ExpectAllMatch(kMemAttr); }

// enum aclrtMemPgType
constexpr Value kMemPgType[] = {
    ABI_ENUM(aclrtMemPgType, NORMAL_PAGE_TYPE, 0),
    ABI_ENUM(aclrtMemPgType, HUGE_PAGE_TYPE, 1),
    ABI_ENUM(aclrtMemPgType, HUGE1G_PAGE_TYPE, 2),
};
static_assert(AllMatch(kMemPgType), "MemPgType");
TEST(AbiConstants, MemPgType) { ExpectAllMatch(kMemPgType); }

// enum aclrtMemType
constexpr Value kBaseMemType[] = {
    ABI_ENUM(aclrtMemType, HBM_TYPE, 0),
    ABI_ENUM(aclrtMemType, DDR_TYPE, 1),
    ABI_ENUM(aclrtMemType, P2P_HBM_TYPE, 2),
    ABI_ENUM(aclrtMemType, P2P_DDR_TYPE, 3),
};
static_assert(AllMatch(kBaseMemType), "BaseMemType");
TEST(AbiConstants, BaseMemType) { ExpectAllMatch(kBaseMemType); }

// enum aclrtIpcMemAttrType
constexpr Value kIpcMemAttrType[] = {
    ABI_ENUM(aclrtIpcMemAttrType, ACL_RT_IPC_MEM_ATTR_ACCESS_LINK, 0),
};
static_assert(AllMatch(kIpcMemAttrType), "IpcMemAttrType");
TEST(AbiConstants, IpcMemAttrType) { ExpectAllMatch(kIpcMemAttrType); }

// enum aclrtMemLocationType
constexpr Value kMemLocationType[] = {
    ABI_ENUM(aclrtMemLocationType, ACL_MEM_LOCATION_TYPE_HOST, 0),
    ABI_ENUM(aclrtMemLocationType, ACL_MEM_LOCATION_TYPE_DEVICE, 1),
    ABI_ENUM(aclrtMemLocationType, ACL_MEM_LOCATION_TYPE_UNREGISTERED, 2),
    ABI_ENUM(aclrtMemLocationType, ACL_MEM_LOCATION_TYPE_MANAGED, 3),
    ABI_ENUM(aclrtMemLocationType, ACL_MEM_LOCATION_TYPE_HOST_NUMA, 4),
};
static_assert(AllMatch(kMemLocationType), "MemLocationType");
TEST(AbiConstants, MemLocationType) { ExpectAllMatch(kMemLocationType); }

// enum aclrtMemManagedRangeAttribute
constexpr Value kMemManagedRangeAttribute[] = {
    ABI_ENUM(aclrtMemManagedRangeAttribute, ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, 1),
    ABI_ENUM(aclrtMemManagedRangeAttribute, ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, 2),
    ABI_ENUM(aclrtMemManagedRangeAttribute, ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, 3),
    ABI_ENUM(aclrtMemManagedRangeAttribute, ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE, 4),
    ABI_ENUM(aclrtMemManagedRangeAttribute, ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID, 5),
    ABI_ENUM(aclrtMemManagedRangeAttribute, ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, 6),
    ABI_ENUM(aclrtMemManagedRangeAttribute, ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE, 7),
    ABI_ENUM(aclrtMemManagedRangeAttribute, ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID, 8),
};
static_assert(AllMatch(kMemManagedRangeAttribute), "MemManagedRangeAttribute");
TEST(AbiConstants, MemManagedRangeAttribute) { ExpectAllMatch(kMemManagedRangeAttribute); }

// enum aclrtMemAllocationType
constexpr Value kMemAllocationType[] = {
    ABI_ENUM(aclrtMemAllocationType, ACL_MEM_ALLOCATION_TYPE_PINNED, 0),
};
static_assert(AllMatch(kMemAllocationType), "MemAllocationType");
TEST(AbiConstants, MemAllocationType) { ExpectAllMatch(kMemAllocationType); }

// enum aclrtMemHandleType
constexpr Value kMemHandleType[] = {
    ABI_ENUM(aclrtMemHandleType, ACL_MEM_HANDLE_TYPE_NONE, 0),
    ABI_ENUM(aclrtMemHandleType, ACL_MEM_HANDLE_TYPE_POSIX, 2),
};
static_assert(AllMatch(kMemHandleType), "MemHandleType");
TEST(AbiConstants, MemHandleType) { ExpectAllMatch(kMemHandleType); }

// enum aclrtMemSharedHandleType
constexpr Value kMemSharedHandleType[] = {
    ABI_ENUM(aclrtMemSharedHandleType, ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT, 1),
    ABI_ENUM(aclrtMemSharedHandleType, ACL_MEM_SHARE_HANDLE_TYPE_FABRIC, 2),
};
static_assert(AllMatch(kMemSharedHandleType), "MemSharedHandleType");
TEST(AbiConstants, MemSharedHandleType) { ExpectAllMatch(kMemSharedHandleType); }

// enum aclrtMemGranularityOptions
constexpr Value kMemGranularityOptions[] = {
    ABI_ENUM(aclrtMemGranularityOptions, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, 0),
    ABI_ENUM(aclrtMemGranularityOptions, ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED, 1),
    ABI_ENUM(aclrtMemGranularityOptions, ACL_RT_MEM_ALLOC_GRANULARITY_UNDEF, 65535),
};
static_assert(AllMatch(kMemGranularityOptions), "MemGranularityOptions");
TEST(AbiConstants, MemGranularityOptions) { ExpectAllMatch(kMemGranularityOptions); }

// enum aclrtCmoType
constexpr Value kCmoType[] = {
    ABI_ENUM(aclrtCmoType, ACL_RT_CMO_TYPE_PREFETCH, 0),
    ABI_ENUM(aclrtCmoType, ACL_RT_CMO_TYPE_WRITEBACK, 1),
    ABI_ENUM(aclrtCmoType, ACL_RT_CMO_TYPE_INVALID, 2),
    ABI_ENUM(aclrtCmoType, ACL_RT_CMO_TYPE_FLUSH, 3),
};
static_assert(AllMatch(kCmoType), "CmoType");
TEST(AbiConstants, CmoType) { ExpectAllMatch(kCmoType); }

// enum aclrtReduceKind
constexpr Value kReduceKind[] = {
    ABI_ENUM(aclrtReduceKind, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, 10),
    ABI_ENUM(aclrtReduceKind, ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX, 11),
    ABI_ENUM(aclrtReduceKind, ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN, 12),
    ABI_ENUM(aclrtReduceKind, ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL, 13),
};
static_assert(AllMatch(kReduceKind), "ReduceKind");
TEST(AbiConstants, ReduceKind) { ExpectAllMatch(kReduceKind); }

// enum aclrtMemAccessFlags
constexpr Value kMemAccessFlags[] = {
    ABI_ENUM(aclrtMemAccessFlags, ACL_RT_MEM_ACCESS_FLAGS_NONE, 0),
    ABI_ENUM(aclrtMemAccessFlags, ACL_RT_MEM_ACCESS_FLAGS_READ, 1),
    ABI_ENUM(aclrtMemAccessFlags, ACL_RT_MEM_ACCESS_FLAGS_READWRITE, 3),
};
static_assert(AllMatch(kMemAccessFlags), "MemAccessFlags");
TEST(AbiConstants, MemAccessFlags) { ExpectAllMatch(kMemAccessFlags); }

// enum aclrtHacType
constexpr Value kHacType[] = {
    ABI_ENUM(aclrtHacType, ACL_RT_HAC_TYPE_STARS, 0),
    ABI_ENUM(aclrtHacType, ACL_RT_HAC_TYPE_AICPU, 1),
    ABI_ENUM(aclrtHacType, ACL_RT_HAC_TYPE_AIC, 2),
    ABI_ENUM(aclrtHacType, ACL_RT_HAC_TYPE_AIV, 3),
    ABI_ENUM(aclrtHacType, ACL_RT_HAC_TYPE_PCIEDMA, 4),
    ABI_ENUM(aclrtHacType, ACL_RT_HAC_TYPE_RDMA, 5),
    ABI_ENUM(aclrtHacType, ACL_RT_HAC_TYPE_SDMA, 6),
    ABI_ENUM(aclrtHacType, ACL_RT_HAC_TYPE_DVPP, 7),
    ABI_ENUM(aclrtHacType, ACL_RT_HAC_TYPE_UDMA, 8),
    ABI_ENUM(aclrtHacType, ACL_RT_HAC_TYPE_CCU, 9),
};
static_assert(AllMatch(kHacType), "HacType");
TEST(AbiConstants, HacType) { ExpectAllMatch(kHacType); }

// enum aclrtHostMemMapCapability
constexpr Value kHostMemMapCapability[] = {
    ABI_ENUM(aclrtHostMemMapCapability, ACL_RT_HOST_MEM_MAP_NOT_SUPPORTED, 0),
    ABI_ENUM(aclrtHostMemMapCapability, ACL_RT_HOST_MEM_MAP_SUPPORTED, 1),
};
static_assert(AllMatch(kHostMemMapCapability), "HostMemMapCapability");
TEST(AbiConstants, HostMemMapCapability) { ExpectAllMatch(kHostMemMapCapability); }

// enum aclrtMemLinkType
constexpr Value kMemLinkType[] = {
    ABI_ENUM(aclrtMemLinkType, ACL_RT_MEM_ACCESS_LINK_SIO, 0),
    ABI_ENUM(aclrtMemLinkType, ACL_RT_MEM_ACCESS_LINK_HCCS, 1),
    ABI_ENUM(aclrtMemLinkType, ACL_RT_MEM_ACCESS_UB_ONE_PORT_PATH, 2),
    ABI_ENUM(aclrtMemLinkType, ACL_RT_MEM_ACCESS_UB_MULTI_PORT_PATH, 3),
};
static_assert(AllMatch(kMemLinkType), "MemLinkType");
TEST(AbiConstants, MemLinkType) { ExpectAllMatch(kMemLinkType); }

// enum aclrtMemPoolAttr
constexpr Value kMemPoolAttr[] = {
    ABI_ENUM(aclrtMemPoolAttr, ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES, 1),
    ABI_ENUM(aclrtMemPoolAttr, ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC, 2),
    ABI_ENUM(aclrtMemPoolAttr, ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES, 3),
    ABI_ENUM(aclrtMemPoolAttr, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD, 4),
    ABI_ENUM(aclrtMemPoolAttr, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT, 5),
    ABI_ENUM(aclrtMemPoolAttr, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH, 6),
    ABI_ENUM(aclrtMemPoolAttr, ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT, 7),
    ABI_ENUM(aclrtMemPoolAttr, ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH, 8),
};
static_assert(AllMatch(kMemPoolAttr), "MemPoolAttr");
TEST(AbiConstants, MemPoolAttr) { ExpectAllMatch(kMemPoolAttr); }

}  // namespace
