// Checks size, alignment and members of the structures of acl_rt.h: memory subjects.
// The expected values stand here in full; nothing is computed from the headers.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "abi_check.h"
#include "acl/acl_rt.h"

namespace {

ABI_SIZE(aclrtMemManagedLocation, 8, 4);
ABI_MEMBER(aclrtMemManagedLocation, type, 0, aclrtMemManagedLocationType);
ABI_MEMBER(aclrtMemManagedLocation, id, 4, int32_t);

ABI_SIZE(aclrtMallocAttrValue, 8, 4);
ABI_MEMBER(aclrtMallocAttrValue, moduleId, 0, uint16_t);
ABI_MEMBER(aclrtMallocAttrValue, deviceId, 0, uint32_t);
ABI_MEMBER(aclrtMallocAttrValue, vaFlag, 0, uint32_t);
ABI_MEMBER(aclrtMallocAttrValue, rsv, 0, uint8_t[8]);

ABI_SIZE(aclrtMallocAttribute, 12, 4);
ABI_MEMBER(aclrtMallocAttribute, attr, 0, aclrtMallocAttrType);
ABI_MEMBER(aclrtMallocAttribute, value, 4, aclrtMallocAttrValue);

ABI_SIZE(aclrtMallocConfig, 16, 8);
ABI_MEMBER(aclrtMallocConfig, attrs, 0, aclrtMallocAttribute*);
ABI_MEMBER(aclrtMallocConfig, numAttrs, 8, size_t);

ABI_SIZE(aclrtMemLocation, 8, 4);
ABI_MEMBER(aclrtMemLocation, id, 0, uint32_t);
ABI_MEMBER(aclrtMemLocation, type, 4, aclrtMemLocationType);

ABI_SIZE(aclrtPtrAttributes, 28, 4);
ABI_MEMBER(aclrtPtrAttributes, location, 0, aclrtMemLocation);
ABI_MEMBER(aclrtPtrAttributes, pageSize, 8, uint32_t);
ABI_MEMBER(aclrtPtrAttributes, rsv, 12, uint32_t[4]);

ABI_SIZE(aclrtMemUsageInfo, 112, 8);
ABI_MEMBER(aclrtMemUsageInfo, name, 0, char[32]);
ABI_MEMBER(aclrtMemUsageInfo, curMemSize, 32, uint64_t);
ABI_MEMBER(aclrtMemUsageInfo, memPeakSize, 40, uint64_t);
ABI_MEMBER(aclrtMemUsageInfo, reserved, 48, size_t[8]);

ABI_SIZE(aclrtMemFabricHandle, 128, 1);
ABI_MEMBER(aclrtMemFabricHandle, data, 0, uint8_t[128]);

ABI_SIZE(aclrtPhysicalMemProp, 32, 8);
ABI_MEMBER(aclrtPhysicalMemProp, handleType, 0, aclrtMemHandleType);
ABI_MEMBER(aclrtPhysicalMemProp, allocationType, 4, aclrtMemAllocationType);
ABI_MEMBER(aclrtPhysicalMemProp, memAttr, 8, aclrtMemAttr);
ABI_MEMBER(aclrtPhysicalMemProp, location, 12, aclrtMemLocation);
ABI_MEMBER(aclrtPhysicalMemProp, reserve, 24, uint64_t);

ABI_SIZE(aclrtMemUceInfo, 128, 8);
ABI_MEMBER(aclrtMemUceInfo, addr, 0, void*);
ABI_MEMBER(aclrtMemUceInfo, len, 8, size_t);
ABI_MEMBER(aclrtMemUceInfo, reserved, 16, size_t[14]);

ABI_SIZE(aclrtMemUceInfoArray, 2568, 8);
ABI_MEMBER(aclrtMemUceInfoArray, arraySize, 0, size_t);
ABI_MEMBER(aclrtMemUceInfoArray, memUceInfoArray, 8, aclrtMemUceInfo[20]);

ABI_SIZE(aclrtBarrierCmoInfo, 8, 4);
ABI_MEMBER(aclrtBarrierCmoInfo, cmoType, 0, aclrtCmoType);
ABI_MEMBER(aclrtBarrierCmoInfo, barrierId, 4, uint32_t);

ABI_SIZE(aclrtBarrierTaskInfo, 56, 8);
ABI_MEMBER(aclrtBarrierTaskInfo, barrierNum, 0, size_t);
ABI_MEMBER(aclrtBarrierTaskInfo, cmoInfo, 8, aclrtBarrierCmoInfo[6]);

ABI_SIZE(aclrtMemcpyBatchAttr, 32, 4);
ABI_MEMBER(aclrtMemcpyBatchAttr, dstLoc, 0, aclrtMemLocation);
ABI_MEMBER(aclrtMemcpyBatchAttr, srcLoc, 8, aclrtMemLocation);
ABI_MEMBER(aclrtMemcpyBatchAttr, rsv, 16, uint8_t[16]);

ABI_SIZE(aclrtMemAccessDesc, 24, 4);
ABI_MEMBER(aclrtMemAccessDesc, flags, 0, aclrtMemAccessFlags);
ABI_MEMBER(aclrtMemAccessDesc, location, 4, aclrtMemLocation);
ABI_MEMBER(aclrtMemAccessDesc, rsv, 12, uint8_t[12]);

ABI_SIZE(MemAttrMapping, 16, 4);
ABI_MEMBER(MemAttrMapping, pgType, 0, uint32_t);
ABI_MEMBER(MemAttrMapping, memType, 4, uint32_t);
ABI_MEMBER(MemAttrMapping, isHostAlloc, 8, bool);
ABI_MEMBER(MemAttrMapping, memAttr, 12, aclrtMemAttr);

// The checks above run at compile time; this test makes them visible in the report.
TEST(AbiStructs, Memory) { SUCCEED(); }

}  // namespace
