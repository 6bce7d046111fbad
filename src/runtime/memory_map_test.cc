#include "runtime/memory_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace belay::runtime {
namespace {

using testing::HasSubstr;

constexpr CallSite kMalloc{"aclrtMalloc", 3};
constexpr CallSite kFree{"aclrtFree", 7};

class MemoryMapTest : public testing::Test {
 protected:
  BlockRef Make(std::size_t size, std::int32_t device = 0) {
    StatusOr<BlockRef> block = map_.Allocate(size, device, size, kMalloc);
    EXPECT_TRUE(block) << (block ? "" : block.error().message());
    return block ? *block : nullptr;
  }
  void* MakeAddress(std::size_t size, std::int32_t device = 0) {
    return Address(*Make(size, device));
  }
  static void* Address(const Block& block, std::size_t offset = 0) {
    return reinterpret_cast<void*>(block.range.begin + offset);
  }
  PlaceKind KindOf(const void* address, std::size_t size = 1) {
    const auto place = map_.Locate("dst", address, size);
    EXPECT_TRUE(place) << (place ? "" : place.error().message());
    return place ? place->kind : PlaceKind::kPageableHost;
  }
  std::string RefusalOf(const void* address, std::size_t size) {
    const auto place = map_.Locate("dst", address, size);
    EXPECT_FALSE(place);
    if (place) return {};
    EXPECT_EQ(place.error().fault(), Fault::kParamInvalid);
    return place.error().message();
  }

  MemoryMap map_{2};
  std::vector<char> host_ = std::vector<char>(8192);
};

TEST_F(MemoryMapTest, LocatesEveryKind) {
  const BlockRef device = Make(100, 1);
  const BlockRef pinned = Make(100, kHostMemory);
  EXPECT_EQ(KindOf(host_.data(), host_.size()), PlaceKind::kPageableHost);
  EXPECT_EQ(KindOf(Address(*pinned), 100), PlaceKind::kPageLockedHost);
  EXPECT_EQ(KindOf(Address(*device), 100), PlaceKind::kDevice);
  ASSERT_TRUE(map_.Register(host_.data(), 4096, {"aclrtHostRegister", 1}).ok());
  EXPECT_EQ(KindOf(host_.data() + 10, 100), PlaceKind::kRegisteredHost);
  EXPECT_EQ(KindOf(host_.data() + 4000, 200), PlaceKind::kPageableHost);
  const auto place = map_.Locate("dst", Address(*device, 50), 50);
  ASSERT_TRUE(place);
  EXPECT_EQ(place->device, 1);
  EXPECT_EQ(place->block, device);
}

TEST_F(MemoryMapTest, ARangeHasToLieInOneBlock) {
  const BlockRef block = Make(100);
  EXPECT_EQ(KindOf(Address(*block, 99), 1), PlaceKind::kDevice);
  EXPECT_THAT(RefusalOf(Address(*block, 99), 2), HasSubstr("1 more than the block has"));
  EXPECT_THAT(RefusalOf(Address(*block), 164), HasSubstr("64 more than the block has"));
  EXPECT_THAT(RefusalOf(Address(*block, 100), 1), HasSubstr("belongs to no block"));
  EXPECT_THAT(RefusalOf(Address(*block), SIZE_MAX), HasSubstr("wraps"));
}

TEST_F(MemoryMapTest, ARangeMayNotRunIntoDeviceMemory) {
  const BlockRef block = Make(100);
  const auto* before = reinterpret_cast<const char*>(block->range.begin & ~std::uintptr_t{4095});
  while (map_.Locate("dst", before, 1)) before += 512;  // the first address of the heap's
  EXPECT_FALSE(map_.Locate("dst", before - 1, 2));
}

TEST_F(MemoryMapTest, SaysWhatAnAddressIs) {
  const BlockRef device = Make(64);
  const BlockRef pinned = Make(64, kHostMemory);
  EXPECT_THAT(map_.Describe(Address(*device)),
              HasSubstr("the start of a block of 64 bytes of memory of device 0 from aclrtMalloc "
                        "(call 3)"));
  EXPECT_THAT(map_.Describe(Address(*device, 5)), HasSubstr("5 bytes into a block of 64"));
  EXPECT_THAT(map_.Describe(Address(*pinned)), HasSubstr("page-locked host memory"));
  EXPECT_THAT(map_.Describe(Address(*device, 64)), HasSubstr("belongs to no block"));
  EXPECT_THAT(map_.Describe(host_.data()), HasSubstr("host memory that no aclrtMalloc"));
  EXPECT_THAT(map_.Describe(nullptr), HasSubstr("0x0"));
  ASSERT_TRUE(map_.Register(host_.data(), 64, kMalloc).ok());
  EXPECT_THAT(map_.Describe(host_.data()), HasSubstr("registered host memory"));
}

TEST_F(MemoryMapTest, AFreedBlockIsRememberedUntilItsPlaceIsUsedAgain) {
  void* const address = MakeAddress(64);
  ASSERT_TRUE(map_.Free(address, false, kFree));
  EXPECT_THAT(map_.Describe(address),
              HasSubstr("in a block of 64 bytes from aclrtMalloc (call 3) that was freed by "
                        "aclrtFree (call 7)"));
  EXPECT_THAT(RefusalOf(address, 1), HasSubstr("freed by aclrtFree"));
  ASSERT_EQ(MakeAddress(300), address);
  EXPECT_THAT(map_.Describe(address), HasSubstr("the start of a block of 300"));
  ASSERT_TRUE(map_.Free(address, false, kFree));
  EXPECT_THAT(map_.Describe(address), HasSubstr("block of 300 bytes"));
}

TEST_F(MemoryMapTest, AWideBlockReplacesAllTombstonesBelowIt) {
  std::vector<void*> parts;
  for (int i = 0; i < 4; ++i) parts.push_back(MakeAddress(512));
  for (void* part : parts) ASSERT_TRUE(map_.Free(part, false, kFree));
  ASSERT_EQ(MakeAddress(1536), parts[0]);
  EXPECT_THAT(map_.Describe(parts[2]), HasSubstr("1024 bytes into a block of 1536"));
  EXPECT_THAT(map_.Describe(parts[3]), HasSubstr("freed by aclrtFree"));
  ASSERT_TRUE(map_.Free(parts[0], false, kFree));
  EXPECT_THAT(map_.Describe(parts[1]), HasSubstr("block of 1536 bytes"));
}

TEST_F(MemoryMapTest, FreeTakesTheStartOfALiveBlockOfItsKind) {
  const BlockRef device = Make(64);
  const BlockRef pinned = Make(64, kHostMemory);
  const auto refused = [&](const void* address, bool host) {
    const auto freed = map_.Free(address, host, kFree);
    EXPECT_FALSE(freed);
    return freed ? std::string() : freed.error().message();
  };
  EXPECT_THAT(refused(Address(*device, 8), false), HasSubstr("8 bytes into"));
  EXPECT_THAT(refused(Address(*device), true), HasSubstr("hostPtr"));
  EXPECT_THAT(refused(Address(*pinned), false), HasSubstr("page-locked"));
  EXPECT_THAT(refused(host_.data(), false), HasSubstr("host memory"));
  EXPECT_THAT(refused(nullptr, false), HasSubstr("devPtr"));
  EXPECT_TRUE(map_.Free(Address(*pinned), true, kFree));
  EXPECT_TRUE(map_.Free(Address(*device), false, kFree));
  EXPECT_THAT(refused(Address(*device), false), HasSubstr("freed by"));
}

TEST_F(MemoryMapTest, AUsedBlockKeepsItsPlaceAfterFree) {
  BlockRef used = Make(64);
  void* const address = Address(*used);
  ASSERT_TRUE(map_.Free(address, false, kFree));
  EXPECT_FALSE(map_.Locate("dst", address, 1));
  EXPECT_NE(MakeAddress(64), address);
  used.reset();
  EXPECT_EQ(MakeAddress(64), address);
}

TEST_F(MemoryMapTest, FreeAllEndsTheBlocksOfOneDevice) {
  const BlockRef first = Make(64, 0);
  const BlockRef second = Make(128, 0);
  const BlockRef other = Make(64, 1);
  const BlockRef pinned = Make(64, kHostMemory);
  const auto freed = map_.FreeAll(0, {"aclrtResetDevice", 9});
  EXPECT_EQ(freed.size(), 2U);
  EXPECT_THAT(map_.Describe(Address(*first)), HasSubstr("freed by aclrtResetDevice (call 9)"));
  EXPECT_THAT(map_.Describe(Address(*second)), HasSubstr("freed by aclrtResetDevice"));
  EXPECT_EQ(KindOf(Address(*other)), PlaceKind::kDevice);
  EXPECT_EQ(KindOf(Address(*pinned)), PlaceKind::kPageLockedHost);
  EXPECT_TRUE(map_.FreeAll(0, kFree).empty());
}

TEST_F(MemoryMapTest, RegistersHostMemoryOnce) {
  char* const begin = host_.data();
  const auto fault = [&](char* at, std::size_t size) {
    return map_.Register(at, size, kMalloc).fault();
  };
  ASSERT_EQ(fault(begin + 100, 100), Fault::kNone);
  EXPECT_EQ(fault(begin + 100, 100), Fault::kHostMemoryRegistered);
  EXPECT_EQ(fault(begin + 50, 51), Fault::kHostMemoryRegistered);
  EXPECT_EQ(fault(begin + 199, 10), Fault::kHostMemoryRegistered);
  EXPECT_EQ(fault(begin + 150, 10), Fault::kHostMemoryRegistered);
  EXPECT_EQ(fault(begin, 1000), Fault::kHostMemoryRegistered);
  EXPECT_EQ(fault(begin, 100), Fault::kNone);
  EXPECT_EQ(fault(begin + 200, 100), Fault::kNone);
  EXPECT_EQ(map_.Unregister(begin + 101).fault(), Fault::kHostMemoryNotRegistered);
  EXPECT_TRUE(map_.Unregister(begin + 100).ok());
  EXPECT_EQ(map_.Unregister(begin + 100).fault(), Fault::kHostMemoryNotRegistered);
  EXPECT_EQ(fault(begin + 150, 10), Fault::kNone);
}

TEST_F(MemoryMapTest, RegistersOnlyMemoryThatExists) {
  EXPECT_EQ(map_.Register(MakeAddress(64), 64, kMalloc).fault(), Fault::kParamInvalid);
  EXPECT_EQ(map_.Register(reinterpret_cast<void*>(4096), 64, kMalloc).fault(),
            Fault::kParamInvalid);
  EXPECT_EQ(map_.Register(host_.data(), SIZE_MAX, kMalloc).fault(), Fault::kParamInvalid);
  EXPECT_EQ(map_.Register(host_.data(), std::size_t{1} << 46, kMalloc).fault(),
            Fault::kParamInvalid);
}

TEST_F(MemoryMapTest, RefusesWhatTheHostCannotCommit) {
  const auto block = map_.Allocate(std::size_t{1} << 60, 0, 0, kMalloc);
  ASSERT_FALSE(block);
  EXPECT_EQ(block.error().fault(), Fault::kOutOfMemory);
  EXPECT_THAT(block.error().message(), HasSubstr("size is"));
}

TEST_F(MemoryMapTest, RemembersALimitedNumberOfFreedBlocks) {
  std::vector<void*> blocks;
  for (int i = 0; i < 66000; ++i) blocks.push_back(MakeAddress(1));
  for (void* block : blocks) ASSERT_TRUE(map_.Free(block, false, kFree));
  EXPECT_THAT(map_.Describe(blocks.front()), HasSubstr("belongs to no block"));
  EXPECT_THAT(map_.Describe(blocks.back()), HasSubstr("freed by aclrtFree"));
}

TEST_F(MemoryMapTest, ReadersAndWritersAtOnce) {
  std::atomic<bool> done{false};
  const BlockRef fixed = Make(4096);
  std::vector<std::thread> readers;
  for (int t = 0; t < 2; ++t) {
    readers.emplace_back([&] {
      while (!done.load()) {
        EXPECT_EQ(KindOf(Address(*fixed, 8), 8), PlaceKind::kDevice);
        (void)map_.Describe(Address(*fixed, 5000));
      }
    });
  }
  std::vector<std::thread> writers;
  for (int t = 0; t < 2; ++t) {
    writers.emplace_back([&, t] {
      for (int i = 0; i < 2000; ++i) {
        void* const address = MakeAddress(static_cast<std::size_t>(i % 700 + 1), t);
        EXPECT_TRUE(map_.Free(address, false, kFree));
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  done = true;
  for (std::thread& reader : readers) reader.join();
}

// Whatever ends: who does not know it yet is waited for when it is counted and still there.
TEST(MemoryMapEndings, LetLaunchesEndBeforeAnythingGoes) {
  constexpr std::size_t kSize = std::size_t{2} << 20;
  MemoryMap* the_map = nullptr;
  std::weak_ptr<Block> block;
  std::uint64_t counted = 0;
  int calls = 0;
  bool was_there = false;
  MemoryMap map(2, [&] {
    ++calls;
    counted = the_map->endings();
    was_there = !block.expired();
  });
  the_map = &map;
  const auto allocate = [&](std::int32_t device) -> void* {
    const StatusOr<BlockRef> made = map.Allocate(64, device, 64, kMalloc);
    EXPECT_TRUE(made);
    if (!made) return nullptr;
    block = *made;
    return reinterpret_cast<void*>((*made)->range.begin);
  };
  const auto expect_called = [&](auto end) {
    const std::uint64_t before = map.endings();
    calls = 0;
    EXPECT_TRUE(end());
    EXPECT_EQ(calls, 1);
    EXPECT_GT(counted, before);
  };
  const auto expect_held = [&](auto end) {
    expect_called(end);
    EXPECT_TRUE(was_there);
    EXPECT_TRUE(block.expired());
  };

  void* const freed = allocate(0);
  expect_held([&] { return map.Free(freed, false, kFree).has_value(); });
  allocate(1);
  expect_held([&] { return map.FreeAll(1, kFree).size() == 1; });
  const StatusOr<void*> address = map.Reserve(kSize, kSize, nullptr, 0, kMalloc);
  const auto memory = map.AllocatePhysical(kSize, 0, kMalloc);
  ASSERT_TRUE(address && memory);
  {
    const StatusOr<BlockRef> mapping = map.Map(*address, kSize, {*memory, nullptr}, 0, kMalloc);
    ASSERT_TRUE(mapping);
    block = *mapping;
  }
  expect_held([&] { return map.Unmap(*address, kFree).has_value(); });
  std::vector<char> host(100);
  ASSERT_TRUE(map.Register(host.data(), host.size(), kMalloc).ok());
  expect_called([&] { return map.Unregister(host.data()).ok(); });
  expect_called([&] {
    map.EndAccess();
    return true;
  });

  calls = 0;
  EXPECT_FALSE(map.Free(freed, false, kFree));
  EXPECT_EQ(calls, 0);
}

}  // namespace
}  // namespace belay::runtime
