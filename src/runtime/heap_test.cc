#include "runtime/heap.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <vector>

namespace belay::runtime {
namespace {

constexpr std::size_t kPage = 4096;

unsigned char* At(ByteRange range) { return reinterpret_cast<unsigned char*>(range.begin); }

std::size_t ResidentPages(ByteRange range) {
  const std::uintptr_t begin = range.begin & ~(kPage - 1);
  const std::size_t size = range.end() - begin;
  std::vector<unsigned char> pages((size + kPage - 1) / kPage);
  EXPECT_EQ(::mincore(reinterpret_cast<void*>(begin), size, pages.data()), 0);
  return static_cast<std::size_t>(
      std::count_if(pages.begin(), pages.end(), [](unsigned char page) { return page & 1; }));
}

ByteRange Allocate(Heap& heap, std::size_t size) {
  auto range = heap.AllocateKept(size);
  if (!range) range = heap.AllocateFresh(size);
  EXPECT_TRUE(range);
  return range.value_or(ByteRange{});
}

TEST(Heap, GivesTheSizeAskedForOnTheGranularity) {
  Heap heap;
  for (const std::size_t size : {std::size_t{1}, std::size_t{511}, std::size_t{512},
                                 std::size_t{513}, std::size_t{100000}}) {
    const ByteRange range = Allocate(heap, size);
    EXPECT_EQ(range.size, size);
    EXPECT_EQ(range.begin % Heap::kGranularity, 0U);
    std::memset(At(range), 0x5A, size);
  }
}

TEST(Heap, LargeBlocksStartOnAHugePage) {
  Heap heap;
  (void)Allocate(heap, 1);  // so that the extent's first hole is not aligned
  for (const std::size_t size :
       {Heap::kHugePage - Heap::kGranularity + 1, Heap::kHugePage, Heap::kHugePage * 3 + 5}) {
    EXPECT_EQ(Allocate(heap, size).begin % Heap::kHugePage, 0U) << size;
  }
  const ByteRange small = Allocate(heap, Heap::kHugePage - Heap::kGranularity);
  EXPECT_EQ(small.begin % Heap::kGranularity, 0U);
}

TEST(Heap, TakesTheTightestHole) {
  Heap heap;
  const ByteRange wide = Allocate(heap, 8192);
  (void)Allocate(heap, 512);
  const ByteRange tight = Allocate(heap, 1024);
  (void)Allocate(heap, 512);
  heap.Free(wide);
  heap.Free(tight);
  EXPECT_EQ(Allocate(heap, 900).begin, tight.begin);
  EXPECT_EQ(Allocate(heap, 900).begin, wide.begin);
}

TEST(Heap, NeighbouringHolesBecomeOne) {
  const std::vector<std::vector<int>> orders = {{0, 1, 2}, {2, 1, 0}, {0, 2, 1}, {1, 0, 2}};
  for (const std::vector<int>& order : orders) {
    Heap heap;
    std::vector<ByteRange> parts;
    for (int i = 0; i < 3; ++i) parts.push_back(Allocate(heap, 1024));
    const ByteRange fence = Allocate(heap, 512);
    for (const int i : order) heap.Free(parts[static_cast<std::size_t>(i)]);
    EXPECT_EQ(Allocate(heap, 3072).begin, parts[0].begin);
    heap.Free(fence);
  }
}

TEST(Heap, ABlockLargerThanAnExtentGetsOne) {
  Heap heap;
  const std::size_t size = std::size_t{200} << 20;
  const ByteRange range = Allocate(heap, size);
  At(range)[0] = 1;
  At(range)[size - 1] = 1;
  heap.Free(range);
}

TEST(Heap, RefusesWhatNoAddressSpaceHolds) {
  Heap heap;
  for (const std::size_t size :
       {SIZE_MAX, SIZE_MAX - 511, SIZE_MAX - (std::size_t{4} << 20), std::size_t{1} << 60}) {
    EXPECT_FALSE(heap.AllocateFresh(size)) << size;
    EXPECT_FALSE(heap.AllocateKept(size)) << size;
  }
  EXPECT_TRUE(heap.AllocateFresh(1));
}

TEST(Heap, MemoryOfAFreedBlockIsTheNextOnes) {
  Heap heap;
  EXPECT_FALSE(heap.AllocateKept(1)) << "nothing was freed yet";
  const ByteRange range = Allocate(heap, 64 * kPage);
  std::memset(At(range), 1, range.size);
  EXPECT_TRUE(heap.Free(range));
  EXPECT_GE(ResidentPages(range), 64U);
  const auto again = heap.AllocateKept(32 * kPage);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->begin, range.begin);
  EXPECT_FALSE(heap.AllocateKept(33 * kPage)) << "32 pages are left";
  EXPECT_TRUE(heap.AllocateKept(32 * kPage));
}

TEST(Heap, TrimGivesMemoryBackAndTheAddressesStay) {
  Heap heap;
  const ByteRange range = Allocate(heap, 2 * Heap::kHugePage);
  std::memset(At(range), 1, range.size);
  EXPECT_EQ(heap.Trim(), 0U) << "the block is alive";
  EXPECT_TRUE(heap.Free(range));
  EXPECT_EQ(heap.Trim(), range.size);
  EXPECT_EQ(ResidentPages(range), 0U);
  EXPECT_TRUE(heap.Owns(range.begin));
  EXPECT_TRUE(heap.Owns(range.end() - 1));
  EXPECT_FALSE(heap.AllocateKept(1));
  EXPECT_EQ(Allocate(heap, range.size).begin, range.begin);
}

TEST(Heap, KeepsNoMoreThanItsLimit) {
  Heap heap(3 * Heap::kHugePage);
  std::vector<ByteRange> blocks;
  for (int i = 0; i < 3; ++i) {
    blocks.push_back(Allocate(heap, 2 * Heap::kHugePage));
    std::memset(At(blocks.back()), 1, blocks.back().size);
  }
  EXPECT_TRUE(heap.Free(blocks[0]));
  EXPECT_FALSE(heap.Free(blocks[1]));
  EXPECT_EQ(ResidentPages(blocks[1]), 0U);
  EXPECT_FALSE(heap.Free(blocks[2]));
  EXPECT_TRUE(heap.AllocateKept(2 * Heap::kHugePage));
  EXPECT_FALSE(heap.AllocateKept(kPage));
}

TEST(Heap, OwnsItsExtentsOnly) {
  Heap heap;
  Heap other;
  int local = 0;
  EXPECT_FALSE(heap.Owns(reinterpret_cast<std::uintptr_t>(&local)));
  EXPECT_FALSE(heap.Owns(0));
  const ByteRange range = Allocate(heap, 1);
  EXPECT_TRUE(heap.Owns(range.begin));
  EXPECT_TRUE(heap.Owns(range.begin + 4096));  // not allocated, but the heap's
  EXPECT_FALSE(other.Owns(range.begin));
}

TEST(Heap, RandomUseNeverOverlapsAndKeepsContents) {
  Heap heap;
  std::mt19937 random(7);
  struct Live {
    std::size_t size;
    unsigned char mark;
  };
  std::map<std::uintptr_t, Live> live;
  const auto drop = [&](std::map<std::uintptr_t, Live>::iterator it) {
    const ByteRange range{it->first, it->second.size};
    EXPECT_EQ(At(range)[0], it->second.mark);
    EXPECT_EQ(At(range)[range.size - 1], it->second.mark);
    heap.Free(range);
    live.erase(it);
  };
  for (int step = 0; step < 20000; ++step) {
    if (live.size() < 200 && random() % 5 < 3) {
      const std::size_t size = std::size_t{1} + random() % (1U << (random() % 23));
      const ByteRange range = Allocate(heap, size);
      const auto after = live.lower_bound(range.begin);
      if (after != live.end()) {
        ASSERT_LE(range.end(), after->first);
      }
      if (after != live.begin()) {
        const auto before = std::prev(after);
        ASSERT_LE(before->first + before->second.size, range.begin);
      }
      const auto mark = static_cast<unsigned char>(random());
      At(range)[0] = mark;
      At(range)[size - 1] = mark;
      live.emplace(range.begin, Live{size, mark});
    } else if (!live.empty()) {
      drop(std::next(live.begin(), static_cast<std::ptrdiff_t>(random() % live.size())));
    }
  }
  while (!live.empty()) drop(live.begin());
  // With everything free the first extent is one hole again.
  const ByteRange all = Allocate(heap, std::size_t{60} << 20);
  heap.Free(all);
}

}  // namespace
}  // namespace belay::runtime
