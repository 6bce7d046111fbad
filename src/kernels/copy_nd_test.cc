// CopyNd against loops over single bytes, on every instruction set and written in every way.
#include "kernels/copy_nd.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "support/byte_room.h"
#include "support/every_target.h"

namespace belay::kernels {
namespace {

using testing::ByteRoom;
using testing::ByteVector;
using testing::Numbered;
using testing::OnEveryTarget;

constexpr Writing kWritings[] = {Writing::kCached, Writing::kString, Writing::kStreaming};

struct BoxCase {
  Box box;
  std::size_t src_bytes = 0;
  std::size_t dst_bytes = 0;
};

// Nested dimensions with random gaps on both sides.
BoxCase RandomBox(std::mt19937& random) {
  BoxCase data;
  data.box.rank = random() % (Box::kMaxRank + 1);
  data.box.row_bytes = 1 + random() % 5;
  data.src_bytes = data.box.row_bytes;
  data.dst_bytes = data.box.row_bytes;
  for (std::size_t i = data.box.rank; i-- > 0;) {
    data.box.sizes[i] = 1 + random() % 3;
    data.box.src_stride_bytes[i] = data.src_bytes + (random() % 3 == 0 ? random() % 4 : 0);
    data.box.dst_stride_bytes[i] = data.dst_bytes + (random() % 3 == 0 ? random() % 4 : 0);
    data.src_bytes = data.box.src_stride_bytes[i] * data.box.sizes[i];
    data.dst_bytes = data.box.dst_stride_bytes[i] * data.box.sizes[i];
  }
  return data;
}

void PlainCopy(const Box& box, std::size_t dim, const std::byte* src, std::byte* dst) {
  if (dim == box.rank) {
    for (std::size_t i = 0; i < box.row_bytes; ++i) dst[i] = src[i];
    return;
  }
  for (std::size_t i = 0; i < box.sizes[dim]; ++i) {
    PlainCopy(box, dim + 1, src + i * box.src_stride_bytes[dim],
              dst + i * box.dst_stride_bytes[dim]);
  }
}

// In pieces that end at the given places, as threads do it, the last one first.
void ExpectCopied(const BoxCase& data, const Box& box, std::size_t src_shift, std::size_t dst_shift,
                  const std::vector<std::uint64_t>& ends) {
  ByteRoom src(Numbered(data.src_bytes), src_shift);
  ByteRoom expected(data.dst_bytes, dst_shift);
  PlainCopy(data.box, 0, src.data(), expected.data());
  for (const Writing writing : kWritings) {
    ByteRoom dst(data.dst_bytes, dst_shift);
    std::uint64_t end = box.TotalBytes();
    for (const std::uint64_t begin : ends) {
      CopyNd(box, src.data(), dst.data(), begin, end, writing);
      end = begin;
    }
    CopyNd(box, src.data(), dst.data(), 0, end, writing);
    ASSERT_TRUE(dst.Content() == expected.Content())
        << "rows of " << box.row_bytes << " bytes, rank " << box.rank << ", shifts " << src_shift
        << " and " << dst_shift << ", writing " << static_cast<int>(writing);
    ASSERT_TRUE(dst.GuardsHold());
  }
}

BoxCase EquallySpaced(std::uint64_t rows, std::uint64_t row_bytes, std::uint64_t dst_gap) {
  BoxCase data;
  data.box.rank = 1;
  data.box.row_bytes = row_bytes;
  data.box.sizes[0] = rows;
  data.box.src_stride_bytes[0] = row_bytes;
  data.box.dst_stride_bytes[0] = row_bytes + dst_gap;
  data.src_bytes = rows * row_bytes;
  data.dst_bytes = rows * (row_bytes + dst_gap);
  return data;
}

TEST(CopyNd, RandomBoxesMergedOrNotInTwoPieces) {
  OnEveryTarget([] {
    std::mt19937 random(1);
    for (int i = 0; i < 500; ++i) {
      const BoxCase data = RandomBox(random);
      for (const Box& box : {data.box, Merged(data.box)}) {
        ASSERT_EQ(box.TotalBytes(), data.box.TotalBytes());
        ASSERT_LE(box.RowCount(), data.box.RowCount());
        ExpectCopied(data, box, random() % 64, random() % 64, {random() % (box.TotalBytes() + 1)});
      }
    }
  });
}

TEST(CopyNd, EveryRowSize) {
  OnEveryTarget([] {
    std::mt19937 random(2);
    for (std::uint64_t row_bytes = 1; row_bytes <= 300; ++row_bytes) {
      for (const std::uint64_t gap : {1, 64}) {
        const BoxCase data = EquallySpaced(3, row_bytes, gap);
        ExpectCopied(data, data.box, random() % 64, random() % 64, {random() % (3 * row_bytes)});
        ExpectCopied(data, data.box, 0, 0, {});
      }
    }
  });
}

// Around the sizes from which a row streams, goes by rep movsb, or goes four pages at a time.
TEST(CopyNd, RowSizesAroundTheThresholds) {
  OnEveryTarget([] {
    std::mt19937 random(3);
    for (const std::uint64_t size : {512, 4096, 4 * 4096, 8 * 4096, 9 * 4096}) {
      for (const std::uint64_t row_bytes : {size - 1, size, size + 1, size + 64, size + 300}) {
        const BoxCase data = EquallySpaced(2, row_bytes, 64);
        ExpectCopied(data, data.box, 0, 0, {});
        ExpectCopied(data, data.box, random() % 64, random() % 64, {row_bytes + 77, row_bytes / 2});
      }
    }
  });
}

TEST(CopyNd, WritingFollowsSizeRowAndLines) {
  const auto string = HasQuickStringCopy() ? Writing::kString : Writing::kCached;
  EXPECT_EQ(WritingOfCopy({kStreamCopyBytes - 1, 4096, true}), Writing::kCached);
  EXPECT_EQ(WritingOfCopy({kStreamCopyBytes, 256, true}), Writing::kStreaming);
  EXPECT_EQ(WritingOfCopy({kStreamCopyBytes, 192, true}), Writing::kCached);
  EXPECT_EQ(WritingOfCopy({kStreamCopyBytes, 4095, false}), Writing::kCached);
  EXPECT_EQ(WritingOfCopy({kStreamCopyBytes, 4096, false}), Writing::kStreaming);
  EXPECT_EQ(WritingOfCopy({kStreamCopyBytes - 1, kStringRowBytes, false}), string);
  EXPECT_EQ(WritingOfCopy({kStringRowBytes - 1, kStringRowBytes - 1, false}), Writing::kCached);

  // 8192 rows of 256 bytes: on lines, then off them.
  Box box = EquallySpaced(8192, 256, 64).box;
  alignas(64) std::byte line[64];
  EXPECT_EQ(WritingOf(box, line), Writing::kStreaming);
  EXPECT_EQ(WritingOf(box, line + 2), Writing::kCached);
  box.dst_stride_bytes[0] = 258;
  EXPECT_EQ(WritingOf(box, line), Writing::kCached);
}

TEST(CopyNd, MergesWhatIsAdjacent) {
  // [4, 3, 5] of 2 bytes out of [9, 3, 8]: 12 rows of 10 bytes.
  Box box;
  box.rank = 3;
  box.sizes = {4, 3, 5};
  box.dst_stride_bytes = {48, 16, 2};
  box.src_stride_bytes = {30, 10, 2};
  box.row_bytes = 2;
  const Box merged = Merged(box);
  EXPECT_EQ(merged.rank, 1U);
  EXPECT_EQ(merged.sizes[0], 12U);
  EXPECT_EQ(merged.row_bytes, 10U);
  EXPECT_EQ(merged.dst_stride_bytes[0], 16U);
  EXPECT_EQ(merged.src_stride_bytes[0], 10U);

  box.dst_stride_bytes = {30, 10, 2};
  EXPECT_EQ(Merged(box).rank, 0U);
  EXPECT_EQ(Merged(box).row_bytes, 120U);
}

}  // namespace
}  // namespace belay::kernels
