// CopyNd and Tile against loops over single bytes.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "kernels/copy_nd.h"
#include "kernels/tile.h"

namespace belay::kernels {
namespace {

using Bytes = std::vector<std::byte>;

Bytes Numbered(std::size_t count) {
  Bytes bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(i * 7 + i / 256);
  return bytes;
}

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

TEST(CopyNd, MatchesPlainLoopsMergedOrNot) {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    const BoxCase data = RandomBox(random);
    const Bytes src = Numbered(data.src_bytes);
    Bytes expected(data.dst_bytes, std::byte{0xEE});
    PlainCopy(data.box, 0, src.data(), expected.data());
    for (const Box& box : {data.box, Merged(data.box)}) {
      Bytes dst(data.dst_bytes, std::byte{0xEE});
      // In two pieces, as threads do it.
      const std::uint64_t middle = random() % (box.RowCount() + 1);
      CopyNd(box, src.data(), dst.data(), middle, box.RowCount());
      CopyNd(box, src.data(), dst.data(), 0, middle);
      ASSERT_EQ(dst, expected);
      ASSERT_LE(box.RowCount(), data.box.RowCount());
    }
  }
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

// Dimension by dimension, from the innermost: repeats each part that has been built so far.
Bytes PlainTile(const Tiling& tiling, Bytes bytes) {
  std::size_t part = 1;
  for (std::size_t i = tiling.rank; i-- > 0;) {
    part *= tiling.sizes[i];
    Bytes repeated;
    for (std::size_t at = 0; at < bytes.size(); at += part) {
      for (std::size_t r = 0; r < tiling.repeats[i]; ++r) {
        for (std::size_t b = 0; b < part; ++b) repeated.push_back(bytes[at + b]);
      }
    }
    bytes = repeated;
    part *= tiling.repeats[i];
  }
  return bytes;
}

TEST(Tile, MatchesPlainLoopsMergedOrNot) {
  std::mt19937 random(2);
  for (int i = 0; i < 2000; ++i) {
    Tiling tiling;
    tiling.rank = 1 + random() % Tiling::kMaxRank;
    std::size_t bytes = 1;
    for (std::size_t d = 0; d < tiling.rank; ++d) {
      tiling.sizes[d] = 1 + random() % 3;
      tiling.repeats[d] = random() % 2 == 0 ? 1 : 1 + random() % 3;
      bytes *= tiling.sizes[d];
    }
    const Bytes src = Numbered(bytes);
    const Bytes expected = PlainTile(tiling, src);
    for (const Tiling& form : {tiling, Merged(tiling)}) {
      Bytes dst(expected.size());
      ASSERT_EQ(form.RowCount() * form.row_bytes(), dst.size());
      const std::uint64_t middle = random() % (form.RowCount() + 1);
      Tile(form, src.data(), dst.data(), middle, form.RowCount());
      Tile(form, src.data(), dst.data(), 0, middle);
      ASSERT_EQ(dst, expected);
    }
  }
}

TEST(Tile, MergesWhatRepeatsTogether) {
  Tiling tiling;
  tiling.rank = 5;
  tiling.sizes = {1, 2, 3, 1, 8};
  tiling.repeats = {4, 5, 1, 3, 1};
  const Tiling merged = Merged(tiling);
  ASSERT_EQ(merged.rank, 2U);
  EXPECT_EQ(merged.sizes[0], 6U);
  EXPECT_EQ(merged.repeats[0], 20U);
  EXPECT_EQ(merged.sizes[1], 8U);
  EXPECT_EQ(merged.repeats[1], 3U);
}

}  // namespace
}  // namespace belay::kernels
