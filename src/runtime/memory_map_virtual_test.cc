// The memory map's reserved addresses, physical memory and mappings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "runtime/memory_map.h"

namespace belay::runtime {
namespace {

using testing::HasSubstr;

constexpr std::size_t kUnit = std::size_t{2} << 20;
constexpr CallSite kReserve{"aclrtReserveMemAddress", 2};
constexpr CallSite kPhysical{"aclrtMallocPhysical", 3};
constexpr CallSite kMap{"aclrtMapMem", 4};
constexpr CallSite kUnmap{"aclrtUnmapMem", 5};

class MappingTest : public testing::Test {
 protected:
  char* Reserve(std::size_t units, std::int32_t device = 0, const void* wish = nullptr,
                std::size_t alignment = kUnit) {
    const StatusOr<void*> address = map_.Reserve(units * kUnit, alignment, wish, device, kReserve);
    EXPECT_TRUE(address) << (address ? "" : address.error().message());
    return address ? static_cast<char*>(*address) : nullptr;
  }
  PhysicalShare Physical(std::size_t units, std::int32_t device = 0) {
    auto memory = map_.AllocatePhysical(units * kUnit, device, kPhysical);
    EXPECT_TRUE(memory) << (memory ? "" : memory.error().message());
    return {memory ? *memory : nullptr, nullptr};
  }
  // Nothing when it was refused; then the message is kept.
  BlockRef Map(const char* address, std::size_t units, const PhysicalShare& share,
               std::size_t offset_units = 0) {
    StatusOr<BlockRef> mapping =
        map_.Map(address, units * kUnit, share, offset_units * kUnit, kMap);
    message_ = mapping ? "" : mapping.error().message();
    if (!mapping) {
      EXPECT_EQ(mapping.error().fault(), Fault::kParamInvalid);
    }
    return mapping ? std::move(*mapping) : nullptr;
  }
  std::string RefusalOf(const void* address, std::size_t size) {
    const auto place = map_.Locate("x", address, size);
    EXPECT_FALSE(place);
    if (place) return {};
    EXPECT_EQ(place.error().fault(), Fault::kParamInvalid);
    return place.error().message();
  }

  MemoryMap map_{2};
  std::string message_;
};

TEST_F(MappingTest, ReservedAddressesAreNobodysMemory) {
  char* const address = Reserve(2);
  EXPECT_THAT(RefusalOf(address + 100, 8),
              testing::AllOf(HasSubstr("100 bytes into 4194304 bytes of addresses from "
                                       "aclrtReserveMemAddress (call 2)"),
                             HasSubstr("where nothing is mapped")));
  EXPECT_TRUE(map_.Release(address).ok());
  // The addresses never turn into host memory.
  EXPECT_THAT(RefusalOf(address, 8), HasSubstr("belongs to no block"));
  EXPECT_FALSE(map_.Release(address).ok());
}

TEST_F(MappingTest, AddressesAreAlignedAsAsked) {
  std::vector<char*> all;
  for (const std::size_t alignment : {kUnit, 4 * kUnit, 64 * kUnit, std::size_t{1} << 30}) {
    char* const address = Reserve(1, 0, nullptr, alignment);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(address) % alignment, 0U);
    EXPECT_THAT(all, testing::Not(testing::Contains(address)));
    all.push_back(address);
  }
}

TEST_F(MappingTest, AWishIsMetWhereNothingIs) {
  char* const first = Reserve(4);
  ASSERT_TRUE(map_.Release(first).ok());
  EXPECT_EQ(Reserve(1, 0, first + kUnit), first + kUnit);
  EXPECT_NE(Reserve(4, 0, first), first);  // the second unit of it is taken
  EXPECT_EQ(Reserve(1, 0, first), first);
  EXPECT_NE(Reserve(1, 0, first + kUnit + 4096), first + kUnit + 4096);
  // Addresses of the system's that nothing uses, and some that the program does.
  std::vector<char> own(2 * kUnit);
  const auto within = (reinterpret_cast<std::uintptr_t>(own.data()) + kUnit - 1) & ~(kUnit - 1);
  EXPECT_NE(reinterpret_cast<std::uintptr_t>(Reserve(1, 0, reinterpret_cast<void*>(within))),
            within);
  own[kUnit] = 1;
  EXPECT_NE(Reserve(1, 0, reinterpret_cast<void*>(~std::uintptr_t{0} - kUnit + 1)), nullptr);
}

TEST_F(MappingTest, AddressSpaceThatDoesNotExist) {
  const auto huge = map_.Reserve(std::size_t{1} << 60, kUnit, nullptr, 0, kReserve);
  ASSERT_FALSE(huge);
  EXPECT_EQ(huge.error().fault(), Fault::kOutOfMemory);
  const auto wraps = map_.Reserve(~std::size_t{0} - kUnit + 1, kUnit, nullptr, 0, kReserve);
  ASSERT_FALSE(wraps);
  EXPECT_EQ(wraps.error().fault(), Fault::kOutOfMemory);
}

TEST_F(MappingTest, TwoMappingsShowTheSameBytes) {
  char* const address = Reserve(4);
  const PhysicalShare memory = Physical(2);
  ASSERT_TRUE(Map(address, 2, memory));
  ASSERT_TRUE(Map(address + 2 * kUnit, 1, memory, 1));
  std::memset(address, 1, kUnit);
  std::memset(address + kUnit, 2, kUnit);
  EXPECT_EQ(address[2 * kUnit], 2);
  address[3 * kUnit - 1] = 9;
  EXPECT_EQ(address[2 * kUnit - 1], 9);
}

TEST_F(MappingTest, MemoryIsNewAfterItsLastOwner) {
  char* const address = Reserve(1);
  for (int round = 0; round < 3; ++round) {
    const PhysicalShare memory = Physical(1);
    EXPECT_EQ(memory.memory->place.begin, 0U);  // the same place again
    ASSERT_TRUE(Map(address, 1, memory));
    EXPECT_EQ(address[5], 0);  // and its old bytes went back to the system
    std::memset(address, 7, kUnit);
    ASSERT_TRUE(map_.Unmap(address, kUnmap));
  }
}

TEST_F(MappingTest, ARangeMayLieAcrossNeighbours) {
  char* const address = Reserve(6);
  const PhysicalShare a = Physical(2);
  const PhysicalShare b = Physical(2);
  ASSERT_TRUE(Map(address + 2 * kUnit, 2, b));  // in any order
  ASSERT_TRUE(Map(address, 2, a));
  const auto place = map_.Locate("x", address + kUnit, 3 * kUnit);
  ASSERT_TRUE(place) << place.error().message();
  EXPECT_EQ(place->kind, PlaceKind::kDevice);
  EXPECT_EQ(place->device, 0);
  EXPECT_THAT(RefusalOf(address + kUnit, 3 * kUnit + 5),
              HasSubstr("5 more than are mapped for device 0 there; allowed up to 6291456"));
  // A hole in the middle.
  ASSERT_TRUE(Map(address + 5 * kUnit, 1, b, 1));
  EXPECT_THAT(RefusalOf(address, 6 * kUnit), HasSubstr("allowed up to 8388608"));
  EXPECT_THAT(RefusalOf(address + 4 * kUnit, 2 * kUnit), HasSubstr("where nothing is mapped"));
}

TEST_F(MappingTest, AHeldRangeHoldsEveryMapping) {
  char* const address = Reserve(3);
  const PhysicalShare memory = Physical(3);
  for (std::size_t i = 0; i < 3; ++i) ASSERT_TRUE(Map(address + i * kUnit, 1, memory, i));
  std::memset(address, 3, 3 * kUnit);
  auto place = map_.Locate("x", address + 100, 3 * kUnit - 200);
  ASSERT_TRUE(place);
  const std::uint64_t before = map_.endings();
  for (std::size_t i = 0; i < 3; ++i) ASSERT_TRUE(map_.Unmap(address + i * kUnit, kUnmap));
  EXPECT_EQ(map_.endings(), before + 3);
  EXPECT_THAT(RefusalOf(address, 8), HasSubstr("was freed by aclrtUnmapMem (call 5)"));
  // The bytes are still there, and nothing else can be mapped over them.
  EXPECT_EQ(address[3 * kUnit - 1], 3);
  EXPECT_FALSE(Map(address + 2 * kUnit, 1, memory));
  EXPECT_THAT(message_, HasSubstr("queued work still uses"));
  EXPECT_TRUE(map_.Release(address).ok());
  EXPECT_NE(Reserve(3, 0, address), address);
  place->block.reset();
  EXPECT_EQ(Reserve(3, 0, address), address);
  EXPECT_TRUE(Map(address + 2 * kUnit, 1, memory));
}

TEST_F(MappingTest, NeighboursOfAnotherReservationOrDeviceAreApart) {
  char* const whole = Reserve(4);
  ASSERT_TRUE(map_.Release(whole).ok());
  ASSERT_EQ(Reserve(2, 0, whole), whole);
  ASSERT_EQ(Reserve(2, 0, whole + 2 * kUnit), whole + 2 * kUnit);
  const PhysicalShare memory = Physical(1);
  const PhysicalShare other = Physical(1, 1);
  ASSERT_TRUE(Map(whole, 1, other));
  ASSERT_TRUE(Map(whole + kUnit, 1, memory));
  ASSERT_TRUE(Map(whole + 2 * kUnit, 1, memory));
  EXPECT_THAT(RefusalOf(whole, 2 * kUnit), HasSubstr("2097152 more than are mapped for device 1"));
  EXPECT_THAT(RefusalOf(whole + kUnit, 2 * kUnit), HasSubstr("allowed up to 2097152"));
  EXPECT_EQ(map_.Locate("x", whole, kUnit)->device, 1);
}

TEST_F(MappingTest, WhatCannotBeMapped) {
  char* const address = Reserve(4);
  const PhysicalShare memory = Physical(4);
  std::vector<char> host(16);
  EXPECT_FALSE(Map(host.data(), 1, memory));
  EXPECT_THAT(message_, HasSubstr("host memory"));
  const auto block = map_.Allocate(64, 0, 64, {"aclrtMalloc", 1});
  EXPECT_FALSE(Map(reinterpret_cast<char*>((*block)->range.begin), 1, memory));
  EXPECT_THAT(message_, HasSubstr("from aclrtMalloc (call 1)"));
  EXPECT_FALSE(Map(address + kUnit, 4, memory));
  EXPECT_THAT(message_, HasSubstr("size is 8388608; allowed up to the 6291456 bytes"));
  EXPECT_FALSE(Map(address, ~std::size_t{0} / kUnit, memory));
  ASSERT_TRUE(Map(address + kUnit, 1, memory));
  for (const std::size_t at : {0, 1}) {
    EXPECT_FALSE(Map(address + at * kUnit, 2, memory));
    EXPECT_THAT(message_, HasSubstr("overlaps what is mapped there"));
  }
  EXPECT_TRUE(Map(address, 1, memory));
  EXPECT_TRUE(Map(address + 2 * kUnit, 2, memory));
}

TEST_F(MappingTest, WhatCannotBeUnmappedOrReleased) {
  char* const address = Reserve(4);
  const PhysicalShare memory = Physical(4);
  ASSERT_TRUE(Map(address, 2, memory));
  const auto block = map_.Allocate(64, 0, 64, {"aclrtMalloc", 1});
  ASSERT_TRUE(block);
  void* const heap = reinterpret_cast<void*>((*block)->range.begin);
  for (void* const bad :
       {static_cast<void*>(address + kUnit), static_cast<void*>(address + 2 * kUnit), heap}) {
    const auto unmapped = map_.Unmap(bad, kUnmap);
    ASSERT_FALSE(unmapped);
    EXPECT_THAT(unmapped.error().message(), HasSubstr("allowed the start of a live mapping"));
  }
  EXPECT_THAT(map_.Release(address).message(), HasSubstr("where something is mapped"));
  EXPECT_THAT(map_.Release(address + kUnit).message(), HasSubstr("allowed the start of addresses"));
  const auto freed = map_.Free(address, /*host=*/false, {"aclrtFree", 8});
  ASSERT_FALSE(freed);
  EXPECT_THAT(freed.error().message(), HasSubstr("from aclrtMapMem (call 4); allowed the start of "
                                                 "a live block of aclrtMalloc"));
  ASSERT_TRUE(map_.Unmap(address, kUnmap));
  EXPECT_FALSE(map_.Unmap(address, kUnmap));
  EXPECT_TRUE(map_.Release(address).ok());
}

TEST_F(MappingTest, TheEndOfADeviceEndsItsMappingsAndAddresses) {
  char* const of_0 = Reserve(2, 0);
  char* const of_1 = Reserve(2, 1);
  const PhysicalShare memory_0 = Physical(1, 0);
  const PhysicalShare memory_1 = Physical(1, 1);
  ASSERT_TRUE(Map(of_0, 1, memory_0));
  ASSERT_TRUE(Map(of_0 + kUnit, 1, memory_1));
  ASSERT_TRUE(Map(of_1, 1, memory_0));
  ASSERT_TRUE(Map(of_1 + kUnit, 1, memory_1));
  EXPECT_EQ(map_.FreeAll(0, {"aclrtResetDevice", 9}).size(), 3U);
  map_.ReleaseAll(0);
  EXPECT_THAT(RefusalOf(of_1, 8), HasSubstr("freed by aclrtResetDevice (call 9)"));
  EXPECT_TRUE(map_.Locate("x", of_1 + kUnit, kUnit));
  EXPECT_FALSE(map_.Release(of_0).ok());
  EXPECT_FALSE(map_.Release(of_1).ok());  // it still has the mapping of device 1
}

TEST_F(MappingTest, MemoryThatTheHostDoesNotHave) {
  const auto memory = map_.AllocatePhysical(std::size_t{1} << 50, 0, kPhysical);
  ASSERT_FALSE(memory);
  EXPECT_EQ(memory.error().fault(), Fault::kOutOfMemory);
  EXPECT_THAT(memory.error().message(), HasSubstr("this host can still commit"));
}

TEST_F(MappingTest, FilesMayNotGrowBeyondTheProcessLimit) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = 3 * kUnit;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const PhysicalShare fits = Physical(3);
  const auto memory = map_.AllocatePhysical(kUnit, 0, kPhysical);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  ASSERT_FALSE(memory);
  EXPECT_EQ(memory.error().fault(), Fault::kOutOfMemory);
  EXPECT_THAT(memory.error().message(), HasSubstr("memfd_create"));
}

TEST_F(MappingTest, WithoutFilesThereIsNoPhysicalMemory) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit none = before;
  none.rlim_cur = 0;
  // What the host can commit is looked up in files; the promise comes from what is allowed already.
  (void)Physical(1);
  MemoryMap other{1};
  const auto block = other.Allocate(1, 0, 1, {"aclrtMalloc", 1});
  ASSERT_TRUE(block);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  const auto memory = other.AllocatePhysical(kUnit, 0, kPhysical);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  ASSERT_FALSE(memory);
  EXPECT_EQ(memory.error().fault(), Fault::kOutOfMemory);
  EXPECT_THAT(memory.error().message(), HasSubstr("memfd_create"));
  EXPECT_TRUE(other.AllocatePhysical(kUnit, 0, kPhysical));
}

}  // namespace
}  // namespace belay::runtime
