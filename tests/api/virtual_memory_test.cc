// Reserved addresses, physical memory and mappings.
#include "support/virtual_memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "support/api_test_support.h"

namespace belay::test {
namespace {

constexpr auto kH2D = ACL_MEMCPY_HOST_TO_DEVICE;
constexpr auto kD2H = ACL_MEMCPY_DEVICE_TO_HOST;
constexpr auto kD2D = ACL_MEMCPY_DEVICE_TO_DEVICE;

class VirtualMemoryTest : public DeviceTest {
 protected:
  static std::size_t FreeBytes() {
    std::size_t free = 0;
    std::size_t total = 0;
    EXPECT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total), ACL_SUCCESS);
    return free;
  }
  static Bytes ReadBack(const void* address, std::size_t size) {
    Bytes bytes(size);
    EXPECT_EQ(aclrtMemcpy(bytes.data(), size, address, size, kD2H), ACL_SUCCESS);
    return bytes;
  }
  static void Write(void* address, const Bytes& bytes) {
    EXPECT_EQ(aclrtMemcpy(address, bytes.size(), bytes.data(), bytes.size(), kH2D), ACL_SUCCESS);
  }
};

TEST_F(VirtualMemoryTest, MappedMemoryIsLikeAnyOther) {
  const OwnPhysical memory(2);
  OwnAddresses addresses(4);
  addresses.Map(1, 2, memory);
  const Bytes bytes = SomeBytes(2 * kUnit);
  Write(addresses.At(1), bytes);
  EXPECT_EQ(ReadBack(addresses.At(1), bytes.size()), bytes);
  EXPECT_EQ(aclrtMemset(addresses.At(1), 100, 0x11, 100), ACL_SUCCESS);
  EXPECT_EQ(ReadBack(addresses.At(1), 101)[99], 0x11);
  EXPECT_EQ(ReadBack(addresses.At(1), 101)[100], bytes[100]);
  aclrtPtrAttributes attributes{};
  EXPECT_EQ(aclrtPointerGetAttributes(addresses.At(2) + 7, &attributes), ACL_SUCCESS);
  EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_DEVICE);
  EXPECT_EQ(attributes.location.id, 0U);
  EXPECT_EQ(attributes.pageSize, kUnit);
  EXPECT_EQ(aclrtMemFlush(addresses.At(1), 2 * kUnit), ACL_SUCCESS);
}

TEST_F(VirtualMemoryTest, TwoMappingsSeeTheSameBytes) {
  const OwnPhysical memory(2);
  OwnAddresses first(2);
  OwnAddresses second(1);
  first.Map(0, 2, memory);
  second.Map(0, 1, memory, 1);
  Write(first.At(1), SomeBytes(1000));
  EXPECT_EQ(ReadBack(second.At(0), 1000), SomeBytes(1000));
  first.Unmap(0);
  EXPECT_EQ(ReadBack(second.At(0), 1000), SomeBytes(1000));
}

TEST_F(VirtualMemoryTest, CopiesAndFillsLieAcrossMappings) {
  const OwnPhysical a(1);
  const OwnPhysical b(2);
  const OwnStream stream;
  OwnAddresses addresses(3);
  addresses.Map(1, 2, b);
  addresses.Map(0, 1, a);
  const Bytes bytes = SomeBytes(3 * kUnit);
  Write(addresses.At(0), bytes);
  EXPECT_EQ(ReadBack(addresses.At(0), bytes.size()), bytes);
  const Block other(3 * kUnit);
  ASSERT_EQ(aclrtMemcpyAsync(other.get(), 3 * kUnit, addresses.At(0), 3 * kUnit, kD2D, stream),
            ACL_SUCCESS);
  ASSERT_EQ(aclrtMemsetAsync(addresses.At(1) - 10, 20, 0x77, 20, stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(other.Read(3 * kUnit), bytes);
  EXPECT_EQ(ReadBack(addresses.At(1) - 10, 20), Bytes(20, 0x77));
  EXPECT_EQ(ReadBack(addresses.At(1) + 10, 1)[0], bytes[kUnit + 10]);
  // Rows, the last of which ends with the last mapping.
  const Bytes rows = SomeBytes(30, 5);
  ASSERT_EQ(aclrtMemcpy2d(addresses.At(1) - 15, 1000, rows.data(), 10, 10, 3, kH2D), ACL_SUCCESS);
  EXPECT_EQ(ReadBack(addresses.At(1) - 15, 10), Bytes(rows.begin(), rows.begin() + 10));
  EXPECT_EQ(ReadBack(addresses.At(1) + 1985, 10), Bytes(rows.begin() + 20, rows.end()));
}

TEST_F(VirtualMemoryTest, ARangeBeyondWhatIsMappedIsRefused) {
  const OwnPhysical memory(2);
  OwnAddresses addresses(4);
  addresses.Map(0, 1, memory);
  addresses.Map(1, 1, memory, 1);
  addresses.Map(3, 1, memory);
  Bytes host(8);
  ExpectRefused(aclrtMemset(addresses.At(0), 3 * kUnit, 0, 2 * kUnit + 1), 107000,
                "aclrtMemset: devPtr", "1 more than are mapped for device 0 there",
                "allowed up to 4194304");
  ExpectRefused(aclrtMemcpy(host.data(), 8, addresses.At(2), 8, kD2H), 107000, "src is ",
                "4194304 bytes into 8388608 bytes of addresses from aclrtReserveMemAddress (call ",
                "where nothing is mapped");
  addresses.Unmap(0);
  ExpectRefused(aclrtMemcpy(host.data(), 8, addresses.At(0) + 16, 8, kD2H), 107000, "src is ",
                "from aclrtMapMem (call ", "that was freed by aclrtUnmapMem (call ");
}

TEST_F(VirtualMemoryTest, TheAccountCountsPhysicalMemoryUntilItIsUnmapped) {
  const std::size_t before = FreeBytes();
  OwnPhysical memory(3);
  OwnAddresses addresses(8);
  EXPECT_EQ(FreeBytes(), before - 3 * kUnit);
  addresses.Map(0, 3, memory);
  addresses.Map(4, 1, memory);
  EXPECT_EQ(FreeBytes(), before - 3 * kUnit);
  Write(addresses.At(0), SomeBytes(100));
  ASSERT_EQ(aclrtFreePhysical(memory.Release()), ACL_SUCCESS);
  EXPECT_EQ(FreeBytes(), before - 3 * kUnit);
  addresses.Unmap(0);
  EXPECT_EQ(FreeBytes(), before - 3 * kUnit);
  EXPECT_EQ(ReadBack(addresses.At(4), 100), SomeBytes(100));
  addresses.Unmap(4);
  EXPECT_EQ(FreeBytes(), before);
}

TEST_F(VirtualMemoryTest, MoreThanTheDeviceOrTheHostHas) {
  const aclrtPhysicalMemProp prop = DeviceProperties();
  Output<aclrtDrvMemHandle> handle;
  const std::size_t before = FreeBytes();
  ExpectRefused(aclrtMallocPhysical(&handle, (before / kUnit + 1) * kUnit, &prop, 0), 207001,
                "aclrtMallocPhysical: size is ", "bytes that are free of the");
  ExpectRefused(aclrtMallocPhysical(&handle, ~std::size_t{0} - kUnit + 1, &prop, 0), 207001);
  EXPECT_EQ(FreeBytes(), before);
  Output<void*> address;
  ExpectRefused(aclrtReserveMemAddress(&address, std::size_t{1} << 60, 0, nullptr, 0), 207001,
                "aclrtReserveMemAddress: ", "address space");
  EXPECT_TRUE(handle.Untouched() && address.Untouched());
}

TEST_F(VirtualMemoryTest, SizesFlagsAndAlignmentsOfReservations) {
  Output<void*> address;
  ExpectRefused(aclrtReserveMemAddress(&address, 0, 0, nullptr, 0), 100000, "size is 0");
  ExpectRefused(aclrtReserveMemAddress(&address, kUnit, 0, nullptr, 2), 100000, "flags is 2");
  for (const std::size_t size : {std::size_t{1}, kUnit - 1, kUnit + 4096, ~std::size_t{0}}) {
    ExpectRefused(aclrtReserveMemAddress(&address, size, 0, nullptr, 0), 107000,
                  "size is " + std::to_string(size), "allowed multiples of 2097152");
  }
  for (const std::size_t alignment : {std::size_t{3}, kUnit + 1, 3 * kUnit}) {
    ExpectRefused(aclrtReserveMemAddress(&address, kUnit, alignment, nullptr, 0), 107000,
                  "alignment is " + std::to_string(alignment), "powers of two");
  }
  ExpectRefused(aclrtReserveMemAddress(&address, kUnit, std::size_t{1} << 63, nullptr, 0), 207001);
  EXPECT_TRUE(address.Untouched());
  for (const std::size_t alignment : {std::size_t{1}, std::size_t{4096}, 16 * kUnit}) {
    void* given = nullptr;
    ASSERT_EQ(aclrtReserveMemAddress(&given, kUnit, alignment, nullptr, 1), ACL_SUCCESS);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(given) % std::max(kUnit, alignment), 0U);
    EXPECT_EQ(aclrtReleaseMemAddress(given), ACL_SUCCESS);
  }
}

TEST_F(VirtualMemoryTest, AnExpectedAddressIsAWish) {
  // Addresses that the system has free: what it gave and got back.
  void* const area = ::mmap(nullptr, 2 * kUnit, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(area, MAP_FAILED);
  const auto begin = (reinterpret_cast<std::uintptr_t>(area) + kUnit - 1) & ~(kUnit - 1);
  auto* const wish = reinterpret_cast<void*>(begin);
  void* given = nullptr;
  ASSERT_EQ(aclrtReserveMemAddress(&given, kUnit, 0, wish, 0), ACL_SUCCESS);
  EXPECT_NE(given, wish);  // the area is still there
  EXPECT_EQ(aclrtReleaseMemAddress(given), ACL_SUCCESS);
  ASSERT_EQ(::munmap(area, 2 * kUnit), 0);
  ASSERT_EQ(aclrtReserveMemAddress(&given, kUnit, 0, wish, 0), ACL_SUCCESS);
  EXPECT_EQ(given, wish);
  void* second = nullptr;
  ASSERT_EQ(aclrtReserveMemAddress(&second, kUnit, 0, wish, 0), ACL_SUCCESS);
  EXPECT_NE(second, wish);
  EXPECT_EQ(aclrtReleaseMemAddress(second), ACL_SUCCESS);
  EXPECT_EQ(aclrtReleaseMemAddress(given), ACL_SUCCESS);
}

TEST_F(VirtualMemoryTest, WhatCannotBeReleased) {
  const OwnPhysical memory(1);
  OwnAddresses addresses(2);
  const Block block(64);
  Bytes host(8);
  addresses.Map(1, 1, memory);
  ExpectRefused(aclrtReleaseMemAddress(addresses.At(0)), 107000, "aclrtReleaseMemAddress: virPtr",
                "where something is mapped", "from aclrtMapMem (call ", "aclrtUnmapMem");
  ExpectRefused(aclrtReleaseMemAddress(addresses.At(1)), 107000, "allowed the start of addresses");
  ExpectRefused(aclrtReleaseMemAddress(block.get()), 107000, "from aclrtMalloc (call ");
  ExpectRefused(aclrtReleaseMemAddress(host.data()), 107000, "host memory");
  void* gone = nullptr;
  ASSERT_EQ(aclrtReserveMemAddress(&gone, kUnit, 0, nullptr, 0), ACL_SUCCESS);
  ASSERT_EQ(aclrtReleaseMemAddress(gone), ACL_SUCCESS);
  ExpectRefused(aclrtReleaseMemAddress(gone), 107000, "aclrtReleaseMemAddress: virPtr is ");
}

TEST_F(VirtualMemoryTest, PropertiesThatAreNotServed) {
  Output<aclrtDrvMemHandle> handle;
  Output<std::size_t> granularity;
  struct {
    void (*change)(aclrtPhysicalMemProp&);
    int code;
    const char* text;
  } const cases[] = {
      {[](auto& p) { p.handleType = ACL_MEM_HANDLE_TYPE_POSIX; }, 207000, "prop->handleType is"},
      {[](auto& p) { p.handleType = static_cast<aclrtMemHandleType>(1); }, 100000,
       "prop->handleType is 1"},
      {[](auto& p) { p.allocationType = static_cast<aclrtMemAllocationType>(1); }, 100000,
       "prop->allocationType is 1"},
      {[](auto& p) { p.location.type = ACL_MEM_LOCATION_TYPE_HOST; }, 207000,
       "prop->location.type is 0"},
      {[](auto& p) { p.location.type = ACL_MEM_LOCATION_TYPE_HOST_NUMA; }, 207000,
       "prop->location.type is 4"},
      {[](auto& p) { p.location.type = ACL_MEM_LOCATION_TYPE_UNREGISTERED; }, 100000,
       "prop->location.type is 2"},
      {[](auto& p) { p.location.id = 1; }, 107001, "prop->location.id is 1; allowed 0 to 0"},
      {[](auto& p) { p.location.id = 0xFFFFFFFF; }, 107001, "4294967295"},
      {[](auto& p) { p.memAttr = ACL_DDR_MEM_HUGE; }, 107016, "prop->memAttr is 2"},
      {[](auto& p) { p.memAttr = static_cast<aclrtMemAttr>(18); }, 107016, "prop->memAttr is 18"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.text);
    aclrtPhysicalMemProp prop = DeviceProperties();
    c.change(prop);
    ExpectRefused(aclrtMallocPhysical(&handle, kUnit, &prop, 0), c.code,
                  "aclrtMallocPhysical: ", c.text);
    ExpectRefused(
        aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, &granularity),
        c.code, "aclrtMemGetAllocationGranularity: ", c.text);
  }
  const aclrtPhysicalMemProp prop = DeviceProperties();
  ExpectRefused(aclrtMallocPhysical(&handle, 0, &prop, 0), 100000, "size is 0");
  ExpectRefused(aclrtMallocPhysical(&handle, kUnit, &prop, 1), 100000, "flags is 1");
  ExpectRefused(aclrtMallocPhysical(&handle, kUnit + 1, &prop, 0), 107000, "size is 2097153");
  EXPECT_TRUE(handle.Untouched() && granularity.Untouched());
  for (const aclrtMemAttr attr : {ACL_HBM_MEM, ACL_HBM_MEM_NORMAL, ACL_MEM_NORMAL, ACL_MEM_HUGE}) {
    aclrtPhysicalMemProp good = DeviceProperties();
    good.memAttr = attr;
    aclrtDrvMemHandle given = nullptr;
    EXPECT_EQ(aclrtMallocPhysical(&given, kUnit, &good, 0), ACL_SUCCESS);
    EXPECT_EQ(aclrtFreePhysical(given), ACL_SUCCESS);
  }
}

TEST_F(VirtualMemoryTest, TheGranularityIsTwoMebibytes) {
  aclrtPhysicalMemProp prop = DeviceProperties();
  for (const auto option :
       {ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED}) {
    std::size_t granularity = 0;
    EXPECT_EQ(aclrtMemGetAllocationGranularity(&prop, option, &granularity), ACL_SUCCESS);
    EXPECT_EQ(granularity, kUnit);
  }
  ExpectRefused(
      aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, nullptr),
      100000, "granularity is null");
  Output<std::size_t> granularity;
  for (const int option : {2, -1, 0xFFFF}) {
    ExpectRefused(aclrtMemGetAllocationGranularity(
                      &prop, static_cast<aclrtMemGranularityOptions>(option), &granularity),
                  100000, "option is " + std::to_string(option));
  }
  EXPECT_TRUE(granularity.Untouched());
}

TEST_F(VirtualMemoryTest, WhatIsNoPhysicalMemory) {
  OwnAddresses addresses(1);
  OwnPhysical memory(1);
  const OwnStream stream;
  Bytes host(8);
  const aclrtDrvMemHandle stale = memory.Release();
  ASSERT_EQ(aclrtFreePhysical(stale), ACL_SUCCESS);
  const std::pair<void*, const char*> handles[] = {
      {stale, "a block of physical memory that is already destroyed"},
      {stream.get(), "the handle of a stream"},
      {host.data(), "no handle that this library gave out"},
      {addresses.At(0), "no handle that this library gave out"},
      {reinterpret_cast<void*>(UINTPTR_MAX), "no handle that this library gave out"},
  };
  for (const auto& [handle, text] : handles) {
    SCOPED_TRACE(text);
    ExpectRefused(aclrtFreePhysical(handle), 107017, "aclrtFreePhysical: handle is ", text);
    ExpectRefused(aclrtMapMem(addresses.At(0), kUnit, 0, handle, 0), 107017,
                  "aclrtMapMem: handle is ", text);
  }
}

TEST_F(VirtualMemoryTest, WhatCannotBeMapped) {
  const OwnPhysical memory(2);
  OwnAddresses addresses(3);
  std::uint8_t* const begin = addresses.At(0);
  Bytes host(8);
  ExpectRefused(aclrtMapMem(begin, 0, 0, memory, 0), 100000, "size is 0");
  ExpectRefused(aclrtMapMem(begin, kUnit, 0, memory, 1), 100000, "flags is 1");
  ExpectRefused(aclrtMapMem(begin + 4096, kUnit, 0, memory, 0), 107000, "virPtr is ",
                "allowed multiples of 2097152");
  ExpectRefused(aclrtMapMem(begin, kUnit - 1, 0, memory, 0), 107000, "size is 2097151");
  ExpectRefused(aclrtMapMem(begin, kUnit, 4096, memory, 0), 107000, "offset is 4096");
  ExpectRefused(aclrtMapMem(begin, 2 * kUnit, kUnit, memory, 0), 107000,
                "size is 4194304 at offset 2097152; allowed up to the 4194304 bytes");
  ExpectRefused(aclrtMapMem(begin, kUnit, 3 * kUnit, memory, 0), 107000, "at offset 6291456");
  ExpectRefused(aclrtMapMem(begin, ~std::size_t{0} - kUnit + 1, kUnit, memory, 0), 107000);
  ExpectRefused(aclrtMapMem(addresses.At(2), 2 * kUnit, 0, memory, 0), 107000,
                "size is 4194304; allowed up to the 2097152 bytes from virPtr to the end of the "
                "6291456 reserved by aclrtReserveMemAddress (call ");
  const auto outside = (reinterpret_cast<std::uintptr_t>(host.data())) & ~(kUnit - 1);
  ExpectRefused(aclrtMapMem(reinterpret_cast<void*>(outside), kUnit, 0, memory, 0), 107000,
                "allowed addresses from aclrtReserveMemAddress");
  addresses.Map(1, 1, memory);
  for (const std::size_t at : {0, 1}) {
    ExpectRefused(aclrtMapMem(addresses.At(at), 2 * kUnit, 0, memory, 0), 107000,
                  "overlaps what is mapped there", "from aclrtMapMem (call ");
  }
  addresses.Map(0, 1, memory);
  addresses.Map(2, 1, memory);
}

TEST_F(VirtualMemoryTest, WhatCannotBeUnmappedOrFreed) {
  const OwnPhysical memory(2);
  OwnAddresses addresses(3);
  const Block block(64);
  Bytes host(8);
  addresses.Map(0, 2, memory);
  for (void* const bad :
       {static_cast<void*>(addresses.At(1)), static_cast<void*>(addresses.At(2)),
        static_cast<void*>(addresses.At(0) + 1), block.get(), static_cast<void*>(host.data())}) {
    ExpectRefused(aclrtUnmapMem(bad), 107000, "aclrtUnmapMem: virPtr is ",
                  "allowed the start of a live mapping of aclrtMapMem");
  }
  ExpectRefused(aclrtFree(addresses.At(0)), 107000, "aclrtFree: devPtr is ",
                "from aclrtMapMem (call ", "allowed the start of a live block of aclrtMalloc");
  ExpectRefused(aclrtFree(addresses.At(2)), 107000, "where nothing is mapped");
  ExpectRefused(aclrtFreeHost(addresses.At(0)), 107000, "from aclrtMapMem");
  void* registered = nullptr;
  ExpectRefused(aclrtHostRegister(addresses.At(0), 64, ACL_HOST_REGISTER_MAPPED, &registered),
                107000, "from aclrtMapMem");
  addresses.Unmap(0);
  ExpectRefused(aclrtUnmapMem(addresses.At(0)), 107000, "freed by aclrtUnmapMem (call ");
}

TEST_F(VirtualMemoryTest, ReleasedAddressesAreUsedAgain) {
  // More than all addresses of a process, were they not used again; a size for which sanitizers
  // always leave room.
  for (int i = 0; i < 2500; ++i) {
    void* address = nullptr;
    ASSERT_EQ(aclrtReserveMemAddress(&address, std::size_t{1} << 36, 0, nullptr, 0), ACL_SUCCESS);
    ASSERT_EQ(aclrtReleaseMemAddress(address), ACL_SUCCESS);
  }
}

TEST_F(VirtualMemoryTest, MoreHandlesThanFilesMayBeOpen) {
  std::vector<aclrtDrvMemHandle> handles;
  const aclrtPhysicalMemProp prop = DeviceProperties();
  for (int i = 0; i < 3000; ++i) {
    aclrtDrvMemHandle handle = nullptr;
    if (aclrtMallocPhysical(&handle, kUnit, &prop, 0) != ACL_SUCCESS) break;  // a small host
    handles.push_back(handle);
  }
  EXPECT_GT(handles.size(), 100U);
  for (const aclrtDrvMemHandle handle : handles) EXPECT_EQ(aclrtFreePhysical(handle), ACL_SUCCESS);
}

TEST_F(VirtualMemoryTest, ResetDeviceEndsWhatIsTheDevices) {
  const std::size_t before = FreeBytes();
  OwnPhysical memory(2);
  OwnAddresses addresses(2);
  ASSERT_EQ(aclrtMapMem(addresses.At(0), kUnit, 0, memory, 0), ACL_SUCCESS);
  std::uint8_t* const begin = addresses.At(0);
  addresses.Forget();
  ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(FreeBytes(), before);
  ExpectRefused(aclrtUnmapMem(begin), 107000, "freed by aclrtResetDevice (call ");
  ExpectRefused(aclrtReleaseMemAddress(begin), 107000, "aclrtReleaseMemAddress: virPtr is ");
  ExpectRefused(aclrtFreePhysical(memory.Release()), 107017, "already destroyed");
}

TEST_F(VirtualMemoryTest, AThreadWithoutAContext) {
  std::thread([] {
    const aclrtPhysicalMemProp prop = DeviceProperties();
    Output<void*> address;
    Output<aclrtDrvMemHandle> handle;
    ExpectRefused(aclrtReserveMemAddress(&address, kUnit, 0, nullptr, 0), 107002, "context");
    ExpectRefused(aclrtMallocPhysical(&handle, kUnit, &prop, 0), 107002, "context");
    EXPECT_TRUE(address.Untouched() && handle.Untouched());
  }).join();
  const OwnPhysical memory(1);
  OwnAddresses addresses(1);
  std::thread([&] {
    ExpectRefused(aclrtMapMem(addresses.At(0), kUnit, 0, memory, 0), 107002, "context");
  }).join();
  addresses.Map(0, 1, memory);
}

TEST(VirtualMemoryDevices, TheMemoryBelongsToTheDeviceThatPropNames) {
  ExpectChildPasses({{"BELAY_NUM_DEVICES", "2"}}, [] {
    ASSERT_EQ(aclrtSetDevice(1), ACL_SUCCESS);
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    OwnPhysical memory(1, 1);
    OwnAddresses addresses(1);
    addresses.Map(0, 1, memory);
    aclrtPtrAttributes attributes{};
    ASSERT_EQ(aclrtPointerGetAttributes(addresses.At(0), &attributes), ACL_SUCCESS);
    EXPECT_EQ(attributes.location.id, 1U);
    // The addresses are device 0's, the memory device 1's.
    void* const begin = addresses.At(0);
    addresses.Forget();
    ASSERT_EQ(aclrtResetDevice(1), ACL_SUCCESS);
    ExpectRefused(aclrtFreePhysical(memory.Release()), 107017, "already destroyed");
    ExpectRefused(aclrtUnmapMem(begin), 107000, "freed by aclrtResetDevice (call ");
    ASSERT_EQ(aclrtReleaseMemAddress(begin), ACL_SUCCESS);
    ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  });
}

}  // namespace
}  // namespace belay::test
