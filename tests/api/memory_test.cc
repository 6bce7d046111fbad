// Device memory: allocation, accounts, freeing, and what refusals say about an address.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "support/api_test_support.h"
#include "support/threads.h"

namespace belay::test {
namespace {

constexpr auto kHugeFirst = ACL_MEM_MALLOC_HUGE_FIRST;

using MallocFunction = aclError (*)(void**, std::size_t, aclrtMemMallocPolicy);
constexpr std::pair<const char*, MallocFunction> kMallocs[] = {
    {"aclrtMalloc", aclrtMalloc},
    {"aclrtMallocAlign32", aclrtMallocAlign32},
    {"aclrtMallocCached", aclrtMallocCached},
};

class MemoryTest : public DeviceTest {};

std::size_t FreeBytes() {
  std::size_t free = 0;
  std::size_t total = 0;
  EXPECT_EQ(aclrtGetMemInfo(ACL_MEM_NORMAL, &free, &total), ACL_SUCCESS);
  return free;
}

// What an allocation takes from the account; all of it must come back.
std::size_t Charge(MallocFunction allocate, std::size_t size, int policy) {
  const std::size_t before = FreeBytes();
  void* memory = nullptr;
  EXPECT_EQ(allocate(&memory, size, static_cast<aclrtMemMallocPolicy>(policy)), ACL_SUCCESS);
  const std::size_t charge = before - FreeBytes();
  EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
  EXPECT_EQ(FreeBytes(), before);
  return charge;
}

TEST_F(MemoryTest, TheAccountIsChargedRoundedSizes) {
  for (const std::size_t size : {1, 31, 32, 33, 64, 4095, 4096, 2097152, 2097153}) {
    const std::size_t rounded = (size + 31) / 32 * 32;
    for (const int policy : {0, 1, 2, 3, 4, 5, 0x100, 0x1000, 99, -1}) {
      EXPECT_EQ(Charge(aclrtMalloc, size, policy), rounded + 32) << size << " " << policy;
      EXPECT_EQ(Charge(aclrtMallocCached, size, policy), rounded + 32) << size << " " << policy;
      EXPECT_EQ(Charge(aclrtMallocAlign32, size, policy), rounded) << size << " " << policy;
    }
    for (const int policy : {ACL_MEM_MALLOC_HUGE1G_ONLY, ACL_MEM_MALLOC_HUGE1G_ONLY_P2P}) {
      EXPECT_EQ(Charge(aclrtMalloc, size, policy), rounded) << size << " " << policy;
      EXPECT_EQ(Charge(aclrtMallocCached, size, policy), rounded) << size << " " << policy;
      EXPECT_EQ(Charge(aclrtMallocAlign32, size, policy), rounded) << size << " " << policy;
    }
  }
}

TEST_F(MemoryTest, SomeFamiliesReserveNothingExtra) {
  const std::pair<const char*, const char*> families[] = {
      {"Ascend950", "0"},   {"Ascend350_354f", "0"}, {"Ascend910_93", "32"},
      {"Ascend310P", "32"}, {"Ascend310B", "32"},    {"Ascend910", "32"}};
  for (const auto& [soc, extra] : families) {
    ExpectChildPasses({{"BELAY_SOC", soc}, {"TEST_EXTRA", extra}}, [] {
      ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
      const std::size_t more = std::stoul(Variable("TEST_EXTRA"));
      EXPECT_EQ(Charge(aclrtMalloc, 100, ACL_MEM_MALLOC_HUGE_FIRST), 128 + more);
      EXPECT_EQ(Charge(aclrtMalloc, 100, ACL_MEM_MALLOC_HUGE1G_ONLY), 128U);
      EXPECT_EQ(Charge(aclrtMallocAlign32, 100, ACL_MEM_MALLOC_HUGE_FIRST), 128U);
    });
  }
}

TEST_F(MemoryTest, BlocksAreAlignedApartAndWritable) {
  std::vector<std::pair<std::uintptr_t, std::size_t>> blocks;
  for (const auto& [name, allocate] : kMallocs) {
    for (const std::size_t size : {1, 63, 64, 65, 1000, 100000, 5000000}) {
      void* memory = nullptr;
      ASSERT_EQ(allocate(&memory, size, kHugeFirst), ACL_SUCCESS) << name;
      const auto begin = reinterpret_cast<std::uintptr_t>(memory);
      EXPECT_EQ(begin % 64, 0U) << name << " " << size;
      EXPECT_EQ(aclrtMemset(memory, size, 7, size), ACL_SUCCESS);
      blocks.emplace_back(begin, size);
    }
  }
  std::ranges::sort(blocks);
  for (std::size_t i = 1; i < blocks.size(); ++i) {
    EXPECT_LE(blocks[i - 1].first + blocks[i - 1].second, blocks[i].first);
  }
  for (const auto& [begin, size] : blocks) {
    EXPECT_EQ(aclrtFree(reinterpret_cast<void*>(begin)), ACL_SUCCESS);
  }
}

TEST_F(MemoryTest, MallocRefusals) {
  for (const auto& [name, allocate] : kMallocs) {
    Output<void*> memory;
    ExpectRefused(allocate(nullptr, 8, kHugeFirst), 100000, name, "devPtr is null");
    ExpectRefused(allocate(nullptr, 0, kHugeFirst), 100000, name, "devPtr is null");
    ExpectRefused(allocate(&memory, 0, kHugeFirst), 100000, name, "size is 0; allowed 1 and above");
    for (const std::size_t size : {SIZE_MAX, SIZE_MAX - 30, SIZE_MAX - 62}) {
      ExpectRefused(allocate(&memory, size, kHugeFirst), 100000, name,
                    "size is " + std::to_string(size));
    }
    // Above what the chip has: the sizes and the chip are named.
    for (const std::size_t size :
         {(std::size_t{32} << 30) + 1, std::size_t{1} << 40, SIZE_MAX / 2}) {
      ExpectRefused(allocate(&memory, size, kHugeFirst), 207001, name,
                    "size is " + std::to_string(size), "device 0", "Ascend910B4");
    }
    EXPECT_TRUE(memory.Untouched());
  }
  std::size_t free = 0;
  std::size_t total = 0;
  EXPECT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total), ACL_SUCCESS);
  EXPECT_EQ(free, total) << "refused calls charge nothing";
}

TEST_F(MemoryTest, MallocWithoutContext) {
  OnFreshThread([] {
    for (const auto& [name, allocate] : kMallocs) {
      Output<void*> memory;
      ExpectRefused(allocate(&memory, 8, kHugeFirst), 107002, name, "no current context");
      // With two faults: sizes come before the context, pointers before sizes.
      ExpectRefused(allocate(&memory, 0, kHugeFirst), 100000, name, "size is 0");
      ExpectRefused(allocate(&memory, SIZE_MAX, kHugeFirst), 100000, name, "size is");
      ExpectRefused(allocate(nullptr, 0, kHugeFirst), 100000, name, "devPtr is null");
      EXPECT_TRUE(memory.Untouched());
    }
  });
}

TEST_F(MemoryTest, OneByteMoreThanTheCapacity) {
  std::size_t free = 0;
  std::size_t total = 0;
  ASSERT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total), ACL_SUCCESS);
  Output<void*> memory;
  ExpectRefused(aclrtMallocAlign32(&memory, total + 1, kHugeFirst), 207001, "aclrtMallocAlign32",
                std::to_string(total));
  ExpectRefused(aclrtMalloc(&memory, total, kHugeFirst), 207001, "aclrtMalloc",
                std::to_string(total) + " bytes that are free");
  EXPECT_TRUE(memory.Untouched());
}

TEST_F(MemoryTest, FreeSaysWhatTheAddressIs) {
  ExpectRefused(aclrtFree(nullptr), 100000, "aclrtFree", "devPtr is null");

  const Block block(256);
  ExpectRefused(aclrtFree(block.At(16)), 107000, "aclrtFree", "devPtr is 0x",
                "16 bytes into a block of 256 bytes of memory of device 0 from aclrtMalloc (call ");
  ExpectRefused(aclrtFree(block.At(255)), 107000, "255 bytes into a block of 256 bytes");

  Block freed(100);
  void* const stale = freed.Release();
  ASSERT_EQ(aclrtFree(stale), ACL_SUCCESS);
  ExpectRefused(aclrtFree(stale), 107000, "aclrtFree",
                "in a block of 100 bytes from aclrtMalloc (call ", "freed by aclrtFree (call ");

  int on_stack = 0;
  void* const on_heap = std::malloc(16);
  ExpectRefused(aclrtFree(&on_stack), 107000, "host memory that no aclrtMalloc");
  ExpectRefused(aclrtFree(on_heap), 107000, "host memory that no aclrtMalloc");
  std::free(on_heap);
  ExpectRefused(aclrtFree(reinterpret_cast<void*>(UINTPTR_MAX)), 107000, "0xffffffffffffffff");

  void* page_locked = nullptr;
  ASSERT_EQ(aclrtMallocHost(&page_locked, 48), ACL_SUCCESS);
  ExpectRefused(aclrtFree(page_locked), 107000, "aclrtFree",
                "the start of a block of 48 bytes of page-locked host memory");
  EXPECT_EQ(aclrtFreeHost(page_locked), ACL_SUCCESS);

  EXPECT_EQ(aclrtMemset(block.get(), 256, 1, 256), ACL_SUCCESS) << "refused calls freed nothing";
}

TEST_F(MemoryTest, FreeNeedsNeitherContextNorTheSameThread) {
  Block block(64);
  void* const memory = block.Release();
  OnFreshThread([memory] { EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS); });
}

TEST_F(MemoryTest, ResetFreesAllMemoryAndLaterFreesSaySo) {
  for (const bool force : {false, true}) {
    ASSERT_EQ(aclrtResetDeviceForce(0), ACL_SUCCESS);
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    Block small(64);
    Block large(3 << 20);
    ASSERT_EQ(force ? aclrtResetDeviceForce(0) : aclrtResetDevice(0), ACL_SUCCESS);
    const std::string how =
        force ? "freed by aclrtResetDeviceForce" : "freed by aclrtResetDevice (";
    for (void* memory : {small.Release(), large.Release()}) {
      ExpectRefused(aclrtFree(memory), 107000, "aclrtFree", how);
    }
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    std::size_t free = 0;
    std::size_t total = 0;
    EXPECT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total), ACL_SUCCESS);
    EXPECT_EQ(free, total);
  }
}

TEST_F(MemoryTest, ReusedAddressesAreNewBlocks) {
  std::set<void*> seen;
  for (int i = 0; i < 100; ++i) {
    Block block(128);
    seen.insert(block.get());
    EXPECT_EQ(aclrtMemset(block.get(), 128, i, 128), ACL_SUCCESS);
  }
  EXPECT_LT(seen.size(), 100U) << "freed memory is used again";
  EXPECT_EQ(TakeMessages(), "");
}

TEST_F(MemoryTest, ThreadsAllocateAndFree) {
  const std::size_t before = FreeBytes();
  RunTogether(6, [](std::size_t thread) {
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    std::vector<void*> blocks;
    for (std::size_t i = 1; i <= 200; ++i) {
      void* memory = nullptr;
      EXPECT_EQ(aclrtMalloc(&memory, thread * 100 + i, kHugeFirst), ACL_SUCCESS);
      blocks.push_back(memory);
      if (i % 3 != 0) continue;
      EXPECT_EQ(aclrtFree(blocks.back()), ACL_SUCCESS);
      blocks.pop_back();
    }
    for (void* memory : blocks) EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
  });
  EXPECT_EQ(FreeBytes(), before);
}

TEST_F(MemoryTest, CacheOperations) {
  using Operation = aclError (*)(void*, std::size_t);
  const std::pair<const char*, Operation> operations[] = {
      {"aclrtMemFlush", aclrtMemFlush}, {"aclrtMemInvalidate", aclrtMemInvalidate}};
  const Block block(100);
  Block freed(64);
  void* const stale = freed.Release();
  ASSERT_EQ(aclrtFree(stale), ACL_SUCCESS);
  int local = 0;
  for (const auto& [name, operation] : operations) {
    EXPECT_EQ(operation(block.get(), 100), ACL_SUCCESS);
    EXPECT_EQ(operation(block.At(99), 1), ACL_SUCCESS);
    ExpectRefused(operation(nullptr, 8), 100000, name, "devPtr is null");
    ExpectRefused(operation(nullptr, 0), 100000, name, "devPtr is null");
    ExpectRefused(operation(block.get(), 0), 100000, name, "size is 0");
    ExpectRefused(operation(block.At(90), 11), 107000, name, "1 more than the block has");
    ExpectRefused(operation(block.get(), SIZE_MAX), 107000, name, "wraps past the end");
    ExpectRefused(operation(stale, 1), 107000, name, "freed by aclrtFree");
    ExpectRefused(operation(&local, 4), 107000, name, "host memory");
  }
}

// aclrtGetMemInfo.

TEST_F(MemoryTest, MemInfoRefusals) {
  Output<std::size_t> value;
  ExpectRefused(aclrtGetMemInfo(ACL_HBM_MEM, nullptr, &value), 100000, "aclrtGetMemInfo",
                "free is null");
  ExpectRefused(aclrtGetMemInfo(ACL_HBM_MEM, &value, nullptr), 100000, "total is null");
  ExpectRefused(aclrtGetMemInfo(ACL_DDR_MEM, nullptr, nullptr), 100000, "free is null");
  OnFreshThread([&value] {
    ExpectRefused(aclrtGetMemInfo(ACL_HBM_MEM, &value, &value), 107002, "aclrtGetMemInfo",
                  "no current context");
  });
  EXPECT_TRUE(value.Untouched());
}

// Each attribute is valid or not by the kind of the chip's memory, from TEST_KIND.
void ExpectAttributesOfTheEnvironment() {
  const std::set<int> ddr = {0, 2, 3, 6, 7, 12, 13, 14, 15, 16, 17};
  const std::set<int> hbm = {1, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17};
  const std::set<int>& valid = Variable("TEST_KIND") == "hbm" ? hbm : ddr;
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  int64_t capacity = 0;
  ASSERT_EQ(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE, &capacity), ACL_SUCCESS);
  for (const int attr : {-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18}) {
    Output<std::size_t> free;
    Output<std::size_t> total;
    const aclError code = aclrtGetMemInfo(static_cast<aclrtMemAttr>(attr), &free, &total);
    if (valid.contains(attr)) {
      EXPECT_EQ(code, ACL_SUCCESS) << attr;
      EXPECT_EQ(static_cast<int64_t>(*total), capacity) << attr;
      EXPECT_EQ(*free, *total) << attr;
    } else {
      ExpectRefused(code, ACL_ERROR_RT_INVALID_MEMORY_TYPE, "aclrtGetMemInfo",
                    "attr is " + std::to_string(attr) + ";", Variable("BELAY_SOC"));
      EXPECT_TRUE(free.Untouched() && total.Untouched()) << attr;
    }
  }
}

TEST_F(MemoryTest, MemInfoAttributesByChip) {
  const std::pair<const char*, const char*> kinds[] = {
      {"Ascend910A", "hbm"},       {"Ascend910B4", "hbm"}, {"Ascend910_9382", "hbm"},
      {"Ascend950PR_9599", "hbm"}, {"Ascend310P3", "ddr"}, {"Ascend310B1", "ddr"}};
  for (const auto& [soc, kind] : kinds) {
    ExpectChildPasses({{"BELAY_SOC", soc}, {"TEST_KIND", kind}}, ExpectAttributesOfTheEnvironment);
  }
}

}  // namespace
}  // namespace belay::test
