#include "base/checked_math.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "base/byte_range.h"

namespace belay {
namespace {

constexpr std::size_t kMax = std::numeric_limits<std::size_t>::max();

TEST(CheckedMath, AddAndMultiply) {
  EXPECT_EQ(CheckedAdd(kMax - 1, std::size_t{1}), kMax);
  EXPECT_EQ(CheckedAdd(kMax, std::size_t{1}), std::nullopt);
  EXPECT_EQ(CheckedMultiply(std::size_t{1} << 32, std::size_t{1} << 31), std::size_t{1} << 63);
  EXPECT_EQ(CheckedMultiply(std::size_t{1} << 32, std::size_t{1} << 32), std::nullopt);
  EXPECT_EQ(CheckedMultiply(kMax, std::size_t{0}), 0U);
  EXPECT_EQ(CheckedAdd<std::int64_t>(INT64_MIN, -1), std::nullopt);
  EXPECT_EQ(CheckedMultiply<std::int64_t>(INT64_MIN, -1), std::nullopt);
  EXPECT_EQ(CheckedAdd<std::int64_t>(INT64_MIN, INT64_MAX), -1);
  EXPECT_EQ(CheckedAdd<std::uint8_t>(200, 100), std::nullopt);
}

TEST(CheckedMath, RoundUp) {
  for (std::size_t value = 0; value < 200; ++value) {
    for (std::size_t step = 1; step < 40; ++step) {
      const auto rounded = CheckedRoundUp(value, step);
      ASSERT_TRUE(rounded);
      EXPECT_EQ(*rounded % step, 0U);
      EXPECT_GE(*rounded, value);
      EXPECT_LT(*rounded - value, step);
    }
  }
  EXPECT_EQ(CheckedRoundUp(kMax, std::size_t{16}), std::nullopt);
  EXPECT_EQ(CheckedRoundUp(kMax - 15, std::size_t{16}), kMax - 15);
  EXPECT_EQ(CheckedRoundUp(kMax, std::size_t{1}), kMax);
}

TEST(ByteRange, ContainsAddressesAndRanges) {
  constexpr ByteRange kRange{100, 10};
  EXPECT_FALSE(kRange.Contains(99));
  EXPECT_TRUE(kRange.Contains(100));
  EXPECT_TRUE(kRange.Contains(109));
  EXPECT_FALSE(kRange.Contains(110));
  EXPECT_TRUE(kRange.Contains(ByteRange{100, 10}));
  EXPECT_TRUE(kRange.Contains(ByteRange{105, 5}));
  EXPECT_FALSE(kRange.Contains(ByteRange{105, 6}));
  EXPECT_FALSE(kRange.Contains(ByteRange{99, 2}));
  EXPECT_FALSE(kRange.Contains(ByteRange{105, kMax}));
  EXPECT_TRUE(kRange.Contains(ByteRange{110, 0}));
  EXPECT_FALSE(kRange.Contains(ByteRange{111, 0}));
  EXPECT_FALSE((ByteRange{100, 0}.Contains(100)));
}

TEST(ByteRange, OverlapsWhenAByteIsShared) {
  constexpr ByteRange kRange{100, 10};
  EXPECT_TRUE(kRange.Overlaps({109, 1}));
  EXPECT_TRUE(kRange.Overlaps({90, 11}));
  EXPECT_TRUE(kRange.Overlaps({0, 1000}));
  EXPECT_FALSE(kRange.Overlaps({110, 5}));
  EXPECT_FALSE(kRange.Overlaps({90, 10}));
  EXPECT_FALSE(kRange.Overlaps({105, 0}));
  EXPECT_FALSE((ByteRange{105, 0}.Overlaps(kRange)));
}

TEST(ByteRange, AtRefusesWhatWraps) {
  const auto* last = reinterpret_cast<const void*>(UINTPTR_MAX);
  EXPECT_FALSE(ByteRange::At(last, 1));
  EXPECT_TRUE(ByteRange::At(last, 0));
  EXPECT_FALSE(ByteRange::At(reinterpret_cast<const void*>(16), kMax - 15));
  const auto range = ByteRange::At(reinterpret_cast<const void*>(16), kMax - 16);
  ASSERT_TRUE(range);
  EXPECT_EQ(range->end(), UINTPTR_MAX);
}

}  // namespace
}  // namespace belay
