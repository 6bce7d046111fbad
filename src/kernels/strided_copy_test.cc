// StridedCopy against loops over single items, on every instruction set, in pieces as threads do
// it.
#include "kernels/strided_copy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "kernels/copy_policy.h"
#include "support/byte_room.h"
#include "support/every_target.h"

namespace belay::kernels {
namespace {

using testing::ByteRoom;
using testing::Numbered;
using testing::OnEveryTarget;
using Strides = std::vector<std::uint64_t>;

constexpr std::uint64_t kItemSizes[] = {1, 2, 4, 8, 16};

struct BoxCase {
  StridedBox box;
  std::size_t src_bytes = 0;
  std::size_t dst_bytes = 0;
};

BoxCase CaseOf(std::uint64_t item_bytes, const Strides& sizes, const Strides& dst_strides,
               const Strides& src_strides) {
  BoxCase data;
  StridedBox& box = data.box;
  box.item_bytes = item_bytes;
  box.rank = sizes.size();
  data.src_bytes = item_bytes;
  data.dst_bytes = item_bytes;
  for (std::size_t i = 0; i < box.rank; ++i) {
    box.sizes[i] = sizes[i];
    box.dst_stride_bytes[i] = dst_strides[i] * item_bytes;
    box.src_stride_bytes[i] = src_strides[i] * item_bytes;
    data.src_bytes += (sizes[i] - 1) * box.src_stride_bytes[i];
    data.dst_bytes += (sizes[i] - 1) * box.dst_stride_bytes[i];
  }
  return data;
}

// Without gaps, or with some, the dimensions nested in a random order.
Strides NestedStrides(const Strides& sizes, bool with_gaps, std::mt19937& random) {
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (random() % 2 == 0) std::shuffle(order.begin(), order.end(), random);
  Strides strides(sizes.size());
  std::uint64_t stride = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    if (with_gaps && random() % 3 == 0) stride += 1 + random() % 3;
    strides[order[i]] = stride;
    stride *= sizes[order[i]];
  }
  return strides;
}

BoxCase RandomCase(std::size_t max_rank, std::uint64_t max_items, std::mt19937& random) {
  Strides sizes(random() % (max_rank + 1));
  std::uint64_t items = 1;
  for (std::uint64_t& size : sizes) {
    size = 1 + random() % (random() % 4 == 0 ? 40 : 3);
    if (items * size > max_items) size = 1;
    items *= size;
  }
  const Strides dst = NestedStrides(sizes, random() % 2 == 0, random);
  Strides src = NestedStrides(sizes, random() % 2 == 0, random);
  for (std::uint64_t& stride : src) {
    if (random() % 6 == 0) stride = random() % 2;  // expanded, or overlapping
  }
  return CaseOf(kItemSizes[random() % 5], sizes, dst, src);
}

void PlainCopy(const StridedBox& box, std::size_t dim, const std::byte* src, std::byte* dst) {
  if (dim == box.rank) {
    for (std::size_t i = 0; i < box.item_bytes; ++i) dst[i] = src[i];
    return;
  }
  for (std::size_t i = 0; i < box.sizes[dim]; ++i) {
    PlainCopy(box, dim + 1, src + i * box.src_stride_bytes[dim],
              dst + i * box.dst_stride_bytes[dim]);
  }
}

// In pieces that begin at the given items, the last one first.
void ExpectCopied(const BoxCase& data, std::size_t src_shift, std::size_t dst_shift,
                  std::vector<std::uint64_t> begins) {
  const StridedBox merged = Merged(data.box);
  ASSERT_EQ(merged.TotalBytes(), data.box.TotalBytes());
  ASSERT_LE(merged.rank, data.box.rank);
  ByteRoom src(Numbered(data.src_bytes), src_shift);
  ByteRoom expected(data.dst_bytes, dst_shift);
  PlainCopy(data.box, 0, src.data(), expected.data());
  ByteRoom dst(data.dst_bytes, dst_shift);
  std::uint64_t end = merged.ItemCount();
  for (std::uint64_t& begin : begins) begin %= end + 1;
  begins.push_back(0);
  std::ranges::sort(begins, std::greater());
  for (const std::uint64_t begin : begins) {
    StridedCopy(merged, src.data(), dst.data(), begin, end);
    end = begin;
  }
  ASSERT_TRUE(dst.Content() == expected.Content())
      << "items of " << data.box.item_bytes << " bytes, rank " << data.box.rank << ", merged "
      << merged.rank << ", shifts " << src_shift << " and " << dst_shift;
  ASSERT_TRUE(dst.GuardsHold());
}

TEST(StridedCopy, RandomBoxesInPieces) {
  OnEveryTarget([] {
    std::mt19937 random(1);
    for (int i = 0; i < 1500; ++i) {
      const BoxCase data = RandomCase(6, 5000, random);
      ExpectCopied(data, random() % 64, random() % 64, {random(), random()});
    }
  });
}

TEST(StridedCopy, RandomBoxesOfManyDimensions) {
  OnEveryTarget([] {
    std::mt19937 random(2);
    for (int i = 0; i < 300; ++i) {
      const BoxCase data = RandomCase(StridedBox::kMaxRank, 5000, random);
      ExpectCopied(data, random() % 64, random() % 64, {random()});
    }
  });
}

// Gaps in each dimension, so that none merges; rows beyond those that CopyNd takes at once.
TEST(StridedCopy, RowsInSixteenDimensions) {
  OnEveryTarget([] {
    std::mt19937 random(3);
    const Strides sizes = {2, 1, 2, 2, 1, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 3};
    Strides strides(sizes.size());
    std::uint64_t stride = 1;
    for (std::size_t i = sizes.size(); i-- > 0;) {
      strides[i] = stride;
      stride = stride * sizes[i] + (sizes[i] == 1 ? 0 : 1);
    }
    Strides dense(sizes.size(), 1);
    for (std::size_t i = sizes.size() - 1; i-- > 0;) dense[i] = dense[i + 1] * sizes[i + 1];
    for (const std::uint64_t item : {1, 4}) {
      const BoxCase data = CaseOf(item, sizes, strides, dense);
      EXPECT_EQ(Merged(data.box).rank, 13U);
      ExpectCopied(data, 0, 0, {});
      for (int i = 0; i < 4; ++i) ExpectCopied(data, 3, 5, {random(), random()});
    }
  });
}

// Around the sides of squares and blocks; with other dimensions around and in between.
TEST(StridedCopy, Transpositions) {
  OnEveryTarget([] {
    std::mt19937 random(4);
    for (const std::uint64_t item : kItemSizes) {
      for (const std::uint64_t rows : {2, 3, 7, 8, 9, 15, 16, 17, 33, 64, 65, 130}) {
        for (const std::uint64_t items : {2, 5, 8, 16, 17, 31, 63, 64, 257, 300}) {
          const BoxCase data = CaseOf(item, {rows, items}, {items, 1}, {1, rows});
          ExpectCopied(data, random() % 64, random() % 64, {random(), random()});
          const BoxCase gaps = CaseOf(item, {rows, items}, {items + 3, 1}, {1, rows + 5});
          ExpectCopied(gaps, random() % 64, random() % 64, {random()});
        }
      }
      const BoxCase all = CaseOf(item, {3, 35, 2, 40}, {35 * 80, 80, 40, 1}, {35 * 80, 1, 35, 70});
      ExpectCopied(all, 1, 2, {});
      for (int i = 0; i < 5; ++i) ExpectCopied(all, 0, 0, {random(), random(), random()});
      // The items nearest in the source are two apart there, or are two apart in the destination.
      ExpectCopied(CaseOf(item, {50, 70}, {70, 1}, {2, 101}), 0, 0, {random()});
      ExpectCopied(CaseOf(item, {50, 70}, {141, 2}, {1, 50}), 0, 0, {random()});
    }
  });
}

TEST(StridedCopy, Fills) {
  OnEveryTarget([] {
    std::mt19937 random(5);
    for (const std::uint64_t item : kItemSizes) {
      for (std::uint64_t run = 2; run < 80; ++run) {
        const BoxCase data = CaseOf(item, {9, run}, {run, 1}, {1, 0});
        ExpectCopied(data, random() % 64, random() % 64, {random(), random()});
        const BoxCase gaps = CaseOf(item, {3, 5, run}, {5 * run + 6, run + 1, 1}, {1, 4, 0});
        ExpectCopied(gaps, random() % 64, random() % 64, {random(), random()});
      }
      ExpectCopied(CaseOf(item, {1000}, {1}, {0}), 1, 3, {random(), random()});
      ExpectCopied(CaseOf(item, {100}, {3}, {0}), 1, 3, {random(), random()});
    }
  });
}

// Large enough to be written past the caches.
TEST(StridedCopy, LargeFillsAndRows) {
  OnEveryTarget([] {
    std::mt19937 random(6);
    for (const std::uint64_t item : kItemSizes) {
      const std::uint64_t run = kStreamRowBytes / item + 5;
      const std::uint64_t rows = kSharedStreamFillBytes / kStreamRowBytes + 1;
      const BoxCase fill = CaseOf(item, {rows, run}, {run + 1, 1}, {1, 0});
      const BoxCase copy = CaseOf(item, {rows, run}, {run + 1, 1}, {run, 1});
      const StridedBox merged = Merged(fill.box);
      ByteRoom fill_src(Numbered(fill.src_bytes), 1);
      ByteRoom dst(fill.dst_bytes, 3);
      const std::uint64_t middle = random() % merged.ItemCount();
      StridedCopy(merged, fill_src.data(), dst.data(), middle, merged.ItemCount());
      StridedCopy(merged, fill_src.data(), dst.data(), 0, middle);
      for (std::uint64_t at = 0; at < rows * run; ++at) {
        const std::uint64_t row = at / run;
        const std::uint64_t place = (row * (run + 1) + at % run) * item;
        ASSERT_EQ(std::memcmp(dst.data() + place, fill_src.data() + row * item, item), 0) << at;
      }
      ASSERT_TRUE(dst.GuardsHold());
      ByteRoom copy_src(Numbered(copy.src_bytes), 1);
      ByteRoom copied(copy.dst_bytes, 3);
      const StridedBox rows_box = Merged(copy.box);
      StridedCopy(rows_box, copy_src.data(), copied.data(), 0, rows_box.ItemCount());
      for (std::uint64_t row = 0; row < rows; ++row) {
        ASSERT_EQ(std::memcmp(copied.data() + row * (run + 1) * item,
                              copy_src.data() + row * run * item, run * item),
                  0);
      }
      ASSERT_TRUE(copied.GuardsHold());
    }
  });
}

TEST(StridedCopy, MergesWhatIsAdjacent) {
  // A view without gaps is one item or some.
  const BoxCase dense = CaseOf(2, {4, 1, 3, 5}, {15, 15, 5, 1}, {15, 7, 5, 1});
  StridedBox merged = Merged(dense.box);
  EXPECT_EQ(merged.rank, 1U);
  EXPECT_EQ(merged.item_bytes, 8U);
  EXPECT_EQ(merged.sizes[0], 15U);
  EXPECT_EQ(merged.dst_stride_bytes[0], 8U);
  EXPECT_EQ(merged.src_stride_bytes[0], 8U);
  EXPECT_EQ(Merged(CaseOf(4, {2, 2}, {2, 1}, {2, 1}).box).rank, 0U);
  EXPECT_EQ(Merged(CaseOf(4, {2, 2}, {2, 1}, {2, 1}).box).item_bytes, 16U);
  EXPECT_EQ(Merged(CaseOf(4, {}, {}, {}).box).rank, 0U);

  // Transposed on both sides alike, it is the same.
  EXPECT_EQ(Merged(CaseOf(1, {3, 5, 7}, {1, 3, 15}, {1, 3, 15}).box).rank, 1U);
  // Expanded dimensions merge with each other.
  merged = Merged(CaseOf(4, {6, 2, 3}, {6, 3, 1}, {1, 0, 0}).box);
  EXPECT_EQ(merged.rank, 2U);
  EXPECT_EQ(merged.sizes[1], 6U);
  EXPECT_EQ(merged.src_stride_bytes[1], 0U);
  // The dimension nearest in the destination comes last.
  merged = Merged(CaseOf(4, {3, 5}, {1, 3}, {5, 1}).box);
  EXPECT_EQ(merged.rank, 2U);
  EXPECT_EQ(merged.sizes[0], 5U);
  EXPECT_EQ(merged.sizes[1], 3U);
  EXPECT_EQ(merged.item_bytes, 4U);
  // Whole items move in a transposition.
  merged = Merged(CaseOf(2, {3, 5, 4}, {20, 4, 1}, {4, 12, 1}).box);
  EXPECT_EQ(merged.rank, 2U);
  EXPECT_EQ(merged.item_bytes, 8U);
  // Dimensions alone merge as well, and items stay.
  merged = WithMergedDims(dense.box);
  EXPECT_EQ(merged.rank, 1U);
  EXPECT_EQ(merged.item_bytes, 2U);
  EXPECT_EQ(merged.sizes[0], 60U);
}

TEST(StridedCopy, NothingOfAnEmptyBox) {
  StridedBox box = CaseOf(4, {3, 4}, {4, 1}, {1, 3}).box;
  box.sizes[1] = 0;
  const StridedBox merged = Merged(box);
  EXPECT_EQ(merged.ItemCount(), 0U);
  StridedCopy(merged, nullptr, nullptr, 0, 0);
}

}  // namespace
}  // namespace belay::kernels
