// Tile against loops over single bytes, on every instruction set and written in every way.
#include "kernels/tile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <random>
#include <vector>

#include "kernels/tile_phase.h"
#include "support/byte_room.h"
#include "support/every_target.h"

namespace belay::kernels {
namespace {

using testing::ByteRoom;
using testing::ByteVector;
using testing::Numbered;
using testing::OnEveryTarget;

constexpr Writing kWritings[] = {Writing::kCached, Writing::kString, Writing::kStreaming};

// Dimension by dimension, from the innermost: repeats each part that has been built so far.
ByteVector PlainTile(const Tiling& tiling, ByteVector bytes) {
  std::size_t part = 1;
  for (std::size_t i = tiling.rank; i-- > 0;) {
    part *= tiling.sizes[i];
    ByteVector repeated;
    for (std::size_t at = 0; at < bytes.size(); at += part) {
      for (std::size_t r = 0; r < tiling.repeats[i]; ++r) {
        repeated.insert(repeated.end(), &bytes[at], &bytes[at] + part);
      }
    }
    bytes = repeated;
    part *= tiling.repeats[i];
  }
  return bytes;
}

Tiling Make(std::initializer_list<std::uint64_t> sizes,
            std::initializer_list<std::uint64_t> repeats) {
  Tiling tiling;
  std::ranges::copy(sizes, tiling.sizes.begin());
  std::ranges::copy(repeats, tiling.repeats.begin());
  tiling.rank = sizes.size();
  return tiling;
}

std::uint64_t SourceBytes(const Tiling& tiling) {
  std::uint64_t bytes = 1;
  for (std::size_t i = 0; i < tiling.rank; ++i) bytes *= tiling.sizes[i];
  return bytes;
}

// In pieces that end at the given places, as threads do it, the last one first.
void ExpectTiled(const Tiling& tiling, std::size_t src_shift, std::size_t dst_shift,
                 const std::vector<std::uint64_t>& ends) {
  const ByteVector source = Numbered(SourceBytes(tiling));
  const ByteVector expected = PlainTile(tiling, source);
  ByteRoom src(source, src_shift);
  ASSERT_EQ(tiling.TotalBytes(), expected.size());
  OnEveryTarget([&] {
    for (const Writing writing : kWritings) {
      ByteRoom dst(expected.size(), dst_shift);
      std::uint64_t end = WorkBytes(tiling);
      for (const std::uint64_t begin : ends) {
        Tile(tiling, src.data(), dst.data(), begin, end, writing);
        end = begin;
      }
      Tile(tiling, src.data(), dst.data(), 0, end, writing);
      ASSERT_TRUE(dst.Content() == expected)
          << "rows of " << tiling.row_bytes() << " bytes, " << tiling.repeats[tiling.rank - 1]
          << " times, rank " << tiling.rank << ", shifts " << src_shift << " and " << dst_shift
          << ", writing " << static_cast<int>(writing);
      ASSERT_TRUE(dst.GuardsHold());
    }
  });
}

TEST(Tile, RandomTilingsMergedOrNotInTwoPieces) {
  std::mt19937 random(2);
  for (int i = 0; i < 500; ++i) {
    Tiling tiling;
    tiling.rank = 1 + random() % Tiling::kMaxRank;
    for (std::size_t d = 0; d < tiling.rank; ++d) {
      tiling.sizes[d] = 1 + random() % 3;
      tiling.repeats[d] = random() % 2 == 0 ? 1 : 1 + random() % 3;
    }
    for (const Tiling& form : {tiling, Merged(tiling)}) {
      ExpectTiled(form, random() % 64, random() % 64, {random() % (WorkBytes(form) + 1)});
    }
  }
}

TEST(Tile, EveryRowSizeAndFewRepeats) {
  std::mt19937 random(3);
  for (std::uint64_t row_bytes = 1; row_bytes <= 300; row_bytes += row_bytes < 70 ? 1 : 5) {
    const std::uint64_t rows = 1 + random() % 20;
    for (const std::uint64_t repeats : {1, 3, 17}) {
      const Tiling tiling = Make({rows, row_bytes}, {1 + random() % 2, repeats});
      ExpectTiled(tiling, random() % 64, random() % 64, {random() % WorkBytes(tiling)});
      ExpectTiled(tiling, 0, 0, {});
    }
  }
}

// Rows that are shuffled inside a vector: all sizes, numbers of rows and repeats around each limit.
TEST(Tile, TinyRows) {
  for (std::uint64_t row_bytes = 1; row_bytes <= kTinyRow + 1; ++row_bytes) {
    for (const std::uint64_t rows : {1, 2, 3, 4, 8, 15, 16, 17, 127, 130, 257}) {
      for (const std::uint64_t repeats : {1, 2, 5, 15, 16, 17, 40}) {
        ExpectTiled(Make({rows, row_bytes}, {1, repeats}), 0, 3, {});
      }
    }
  }
}

// Runs that stream: by rows, by fills, through the stage; pieces that end anywhere.
TEST(Tile, SizesAroundTheThresholds) {
  std::mt19937 random(4);
  for (const std::uint64_t row_bytes : {1, 2, 4, 6, 8, 16, 64, 250, 256, 320, 4095, 4096, 5000}) {
    for (const std::uint64_t run_bytes :
         {kStreamRowBytes - 1, kStreamRowBytes, kStageBytes + 200, kCopyBlockBytes + 4096}) {
      const std::uint64_t repeats = (run_bytes + row_bytes - 1) / row_bytes;
      const Tiling tiling = Make({3, row_bytes}, {2, repeats});
      ExpectTiled(tiling, 0, 0, {});
      const std::uint64_t second = random() % WorkBytes(tiling);
      ExpectTiled(tiling, random() % 64, random() % 64,
                  {second, second - second % 7, second / 2, second / 3});
    }
  }
}

// Runs that are longer than what is fetched ahead, and all together so short that nothing is.
TEST(Tile, FetchesAheadAroundItsSize) {
  for (const std::uint64_t row_bytes : {1, 2, 4, 8, 16, 17, 64, 65, 128, 250, 256}) {
    for (const std::uint64_t total_bytes : {kPrefetchFromBytes - row_bytes, kPrefetchFromBytes}) {
      for (const std::uint64_t rows : {1, 5}) {
        const std::uint64_t repeats = (total_bytes + rows * row_bytes - 1) / (rows * row_bytes);
        ExpectTiled(Make({rows, row_bytes}, {1, repeats}), 0, 5, {});
      }
    }
  }
}

TEST(Tile, BlocksAroundTheSizeThatIsCopied) {
  for (const std::uint64_t rows : {kCopyBlockBytes / 20 - 1, kCopyBlockBytes / 20 + 1}) {
    ExpectTiled(Make({2, rows, 10}, {1, 3, 2}), 0, 2, {50'000});
  }
}

TEST(Tile, WideRowsGoPieceByPiece) {
  EXPECT_FALSE(IsWide(Make({kWideRowBytes - 1}, {2})));
  EXPECT_FALSE(IsWide(Make({2, kWideRowBytes}, {2, 2})));
  EXPECT_FALSE(IsWide(Make({2, 2, kWideRowBytes}, {1, 2, 1})));
  const Tiling wide = Make({2, kWideRowBytes + 3}, {1, 2});
  EXPECT_TRUE(IsWide(wide));
  EXPECT_EQ(WorkBytes(wide), 2 * (kWideRowBytes + 3));
  EXPECT_EQ(wide.TotalBytes(), 4 * (kWideRowBytes + 3));
  const ByteVector source = Numbered(SourceBytes(wide));
  const ByteVector expected = PlainTile(wide, source);
  for (const Writing writing : kWritings) {
    ByteVector dst(expected.size());
    const std::uint64_t middle = kWideRowBytes + 99'999;
    Tile(wide, source.data(), dst.data(), middle, WorkBytes(wide), writing);
    Tile(wide, source.data(), dst.data(), 0, middle, writing);
    EXPECT_TRUE(dst == expected);
  }
}

TEST(Tile, WritingFollowsSizeRepeatsAndThreads) {
  EXPECT_EQ(WritingOf(Make({1024}, {kStreamFillBytes / 1024}), 1), Writing::kCached);
  EXPECT_EQ(WritingOf(Make({1024}, {kStreamFillBytes / 1024 + 1}), 1), Writing::kStreaming);
  EXPECT_EQ(WritingOf(Make({1024}, {kSharedStreamFillBytes / 1024}), 2), Writing::kCached);
  EXPECT_EQ(WritingOf(Make({1024}, {kSharedStreamFillBytes / 1024 + 1}), 2), Writing::kStreaming);
  EXPECT_EQ(WritingOf(Make({kStreamCopyBytes}, {1}), 1), Writing::kStreaming);
  EXPECT_EQ(WritingOf(Make({1000}, {1}), 1), Writing::kCached);
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
