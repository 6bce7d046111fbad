#include "runtime/range_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace belay::runtime {
namespace {

TEST(RangePool, AnEmptyPoolHasNothing) {
  RangePool pool;
  EXPECT_FALSE(pool.Take(1, 1));
  EXPECT_FALSE(pool.TakeExactly({0, 1}));
}

TEST(RangePool, NeighboursBecomeOne) {
  RangePool pool;
  pool.Give({0, 10});
  pool.Give({20, 10});
  EXPECT_FALSE(pool.Take(11, 1));
  pool.Give({10, 10});
  const auto all = pool.Take(30, 1);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->begin, 0U);
  EXPECT_FALSE(pool.Take(1, 1));
}

TEST(RangePool, TakesTheLowestThatFitsAligned) {
  RangePool pool;
  pool.Give({3, 20});
  pool.Give({100, 100});
  EXPECT_EQ(pool.Take(16, 16)->begin, 112U);
  EXPECT_EQ(pool.Take(4, 16)->begin, 16U);
  EXPECT_EQ(pool.Take(13, 1)->begin, 3U);  // what was left before 16
}

TEST(RangePool, AnAlignmentBeyondTheSpaceIsNoFit) {
  RangePool pool;
  pool.Give({UINTPTR_MAX - 10, 5});
  EXPECT_FALSE(pool.Take(1, std::size_t{1} << 63));
}

TEST(RangePool, TakesAStretchOutOfTheMiddle) {
  RangePool pool;
  pool.Give({0, 100});
  EXPECT_TRUE(pool.TakeExactly({40, 20}));
  EXPECT_FALSE(pool.TakeExactly({59, 2}));
  EXPECT_FALSE(pool.TakeExactly({90, 11}));
  EXPECT_TRUE(pool.TakeExactly({60, 40}));
  EXPECT_TRUE(pool.TakeExactly({0, 40}));
  EXPECT_FALSE(pool.Take(1, 1));
}

// Against a flag for each place.
TEST(RangePool, RandomUse) {
  constexpr std::size_t kSpace = 256;
  std::mt19937 random(11);
  RangePool pool;
  std::vector<bool> is_free(kSpace, false);
  const auto all_are = [&](ByteRange range, bool value) {
    return std::all_of(is_free.begin() + static_cast<std::ptrdiff_t>(range.begin),
                       is_free.begin() + static_cast<std::ptrdiff_t>(range.end()),
                       [value](bool flag) { return flag == value; });
  };
  const auto mark = [&](ByteRange range, bool value) {
    for (std::uintptr_t i = range.begin; i < range.end(); ++i) is_free[i] = value;
  };
  for (int step = 0; step < 50000; ++step) {
    const std::size_t begin = random() % kSpace;
    const ByteRange range{begin, 1 + random() % std::min<std::size_t>(kSpace - begin, 24)};
    switch (random() % 3) {
      case 0:
        if (!all_are(range, false)) break;
        pool.Give(range);
        mark(range, true);
        break;
      case 1: {
        const std::size_t alignment = std::size_t{1} << (random() % 5);
        std::size_t expected = kSpace;
        for (std::size_t at = 0; at + range.size <= kSpace; at += alignment) {
          if (!all_are({at, range.size}, true)) continue;
          expected = at;
          break;
        }
        const auto taken = pool.Take(range.size, alignment);
        ASSERT_EQ(taken.has_value(), expected != kSpace);
        if (!taken) break;
        ASSERT_EQ(taken->begin, expected);
        ASSERT_EQ(taken->size, range.size);
        mark(*taken, false);
        break;
      }
      default: {
        const bool can = all_are(range, true);
        ASSERT_EQ(pool.TakeExactly(range), can);
        if (can) mark(range, false);
      }
    }
  }
}

}  // namespace
}  // namespace belay::runtime
