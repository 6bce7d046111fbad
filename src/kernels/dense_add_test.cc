// With every instruction set, held against one element at a time: widths, slices, groups of them,
// parts of the rows, misaligned ends, guard bytes, NaN that no index names.
#include "kernels/dense_add.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cstring>
#include <random>
#include <vector>

#include "kernels/slice_group_add.h"
#include "support/every_target.h"

namespace belay::kernels {
namespace {

using belay::testing::OnEveryTarget;
using Halves = std::vector<std::uint16_t>;

constexpr std::uint16_t kGuard = 0xABCD;

std::uint16_t Narrow(HalfFormat format, float value) {
  return format == HalfFormat::kFp16 ? Fp16::FromFloat(value) : Bf16::FromFloat(value);
}

struct Case {
  HalfFormat format = HalfFormat::kFp16;
  float factor = 1.0F;
  std::size_t slices = 1;
  std::size_t rows = 1;
  std::size_t width = 1;
  std::size_t stride = 1;  // indices of which the last may not take part
  std::size_t count = 1;
  std::vector<std::int32_t> indices;
  Halves updates;
  Halves target;

  [[nodiscard]] Halves Expected() const {
    Halves expected = target;
    for (std::size_t s = 0; s < slices; ++s) {
      std::vector<float> sums(rows * width);
      std::vector<bool> touched(rows * width);
      for (std::size_t i = 0; i < sums.size(); ++i) {
        sums[i] = HalfToFloat(format, target[s * rows * width + i]);
      }
      for (std::size_t k = 0; k < count; ++k) {
        for (std::size_t c = 0; c < width; ++c) {
          const std::size_t i = static_cast<std::size_t>(indices[k]) * width + c;
          volatile float product =
              factor * HalfToFloat(format, updates[(s * stride + k) * width + c]);
          volatile float sum = sums[i] + product;
          sums[i] = sum;
          touched[i] = true;
        }
      }
      for (std::size_t i = 0; i < sums.size(); ++i) {
        if (touched[i]) expected[s * rows * width + i] = Narrow(format, sums[i]);
      }
    }
    return expected;
  }

  // Calls run(task) with all arrays `shift` bytes off and guards at both ends of the target.
  template <class Run>
  [[nodiscard]] Halves Actual(std::size_t shift, const Run& run) const {
    const auto shifted = [shift](const auto& values) {
      std::vector<std::byte> bytes(values.size() * sizeof(values[0]) + shift);
      std::memcpy(bytes.data() + shift, values.data(), values.size() * sizeof(values[0]));
      return bytes;
    };
    Halves framed(target.size() + 2, kGuard);
    std::copy(target.begin(), target.end(), framed.begin() + 1);
    std::vector<std::byte> target_bytes = shifted(framed);
    const std::vector<std::byte> index_bytes = shifted(indices);
    const std::vector<std::byte> update_bytes = shifted(updates);
    run(DenseAddTask{format, factor, rows, width, stride, count, index_bytes.data() + shift,
                     update_bytes.data() + shift, target_bytes.data() + shift + 2});
    std::memcpy(framed.data(), target_bytes.data() + shift, framed.size() * 2);
    EXPECT_EQ(framed.front(), kGuard);
    EXPECT_EQ(framed.back(), kGuard);
    return {framed.begin() + 1, framed.end() - 1};
  }

  // All slices, with room for `together` of them.
  [[nodiscard]] Halves InSlices(std::size_t shift, std::size_t together) const {
    return Actual(shift, [&](const DenseAddTask& task) {
      std::vector<float> sums(together * rows * width);
      DenseAddSlices(task, 0, slices, sums.data(), sums.size());
    });
  }

  // All slices, at most `together` at a time; of width 1.
  [[nodiscard]] Halves InGroups(std::size_t shift, std::size_t together) const {
    return Actual(shift, [&](const DenseAddTask& task) {
      const SliceGroupPlan plan(task);
      std::vector<std::uint16_t> room(GroupRoom(count));
      for (std::size_t begin = 0; begin < slices; begin += together) {
        GroupAddSlices(task, plan, begin, std::min(begin + together, slices), room.data());
      }
    });
  }

  // Of one slice.
  [[nodiscard]] Halves InParts(std::size_t shift, std::size_t part_rows) const {
    return Actual(shift, [&](const DenseAddTask& task) {
      std::vector<float> sums(part_rows * width);
      for (std::size_t begin = 0; begin < rows; begin += part_rows) {
        DenseAddRows(task, begin, std::min(begin + part_rows, rows), sums.data());
      }
    });
  }
};

Case RandomCase(std::size_t slices, std::size_t rows, std::size_t width, std::size_t count,
                std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto any_half = [&] { return static_cast<std::uint16_t>(random()); };
  Case data;
  data.format = seed % 2 == 0 ? HalfFormat::kFp16 : HalfFormat::kBf16;
  if (seed % 3 != 0) data.factor = HalfToFloat(data.format, any_half());
  data.slices = slices;
  data.rows = rows;
  data.width = width;
  data.count = count;
  data.stride = count + seed % 2;
  for (std::size_t k = 0; k < data.stride; ++k) {
    data.indices.push_back(static_cast<std::int32_t>(random() % rows));
  }
  for (std::size_t i = 0; i < slices * data.stride * width; ++i) data.updates.push_back(any_half());
  for (std::size_t i = 0; i < slices * rows * width; ++i) data.target.push_back(any_half());
  return data;
}

TEST(DenseAdd, MatchesOneElementAtATime) {
  OnEveryTarget([] {
    std::uint32_t seed = 0;
    for (std::size_t width = 1; width <= kMaxDenseWidth; ++width) {
      for (const std::size_t rows : {1U, 5U, 70U}) {
        const Case data = RandomCase(3, rows, width, 1 + width * 7 % 90, ++seed);
        for (const std::size_t together : {1U, 2U, 3U}) {
          ASSERT_EQ(data.InSlices(seed % 3, together), data.Expected())
              << width << " wide, " << rows << " rows, room for " << together;
        }
      }
    }
  });
}

// Slices of a few elements are taken as one vector each; with many updates of a row, they are not.
TEST(DenseAdd, ManySmallSlices) {
  OnEveryTarget([] {
    std::uint32_t seed = 500;
    for (std::size_t rows = 1; rows <= 17; ++rows) {
      for (const std::size_t width : {1U, 2U, 3U, 5U}) {
        for (const std::size_t count : {1U, 2U, 4U, 7U, 9U, 15U, 16U}) {
          const std::size_t slices = 1 + ++seed % 37;
          const Case data = RandomCase(slices, rows, width, count, seed);
          ASSERT_EQ(data.InSlices(seed % 3, 2), data.Expected())
              << slices << " slices, " << rows << " rows, " << width << " wide, " << count;
        }
      }
    }
    const Case many = RandomCase(1000, 9, 1, 7, ++seed);
    EXPECT_EQ(many.InSlices(0, 400), many.Expected());
  });
}

// So many that vectors begin and end within slices, where the instruction set has what this takes:
// each place a vector may begin at, several times over and with a rest, NaN or not.
TEST(DenseAdd, SmallSlicesAsOneArray) {
  OnEveryTarget([] {
    std::uint32_t seed = 700;
    for (std::size_t rows = 1; rows <= 16; ++rows) {
      for (const std::size_t width : {1U, 2U, 3U}) {
        for (const std::size_t count : {1U, 4U, 6U, 10U, 15U}) {
          ++seed;
          Case data = RandomCase(120 + seed % 100, rows, width, count, seed);
          ASSERT_EQ(data.InSlices(seed % 3, 2), data.Expected())
              << data.slices << " slices, " << rows << " rows, " << width << " wide, " << count;
          // No exponent is that of NaN or infinity.
          for (std::uint16_t& half : data.updates) half &= 0xBFFF;
          for (std::uint16_t& half : data.target) half &= 0xBFFF;
          data.factor = -0.5F;
          ASSERT_EQ(data.InSlices(seed % 3, 2), data.Expected())
              << data.slices << " finite slices, " << rows << " rows, " << width << " wide";
        }
      }
    }
  });
}

TEST(DenseAdd, GroupsOfSlices) {
  OnEveryTarget([] {
    std::uint32_t seed = 2000;
    for (const std::size_t rows : {1U, 31U, 32U, 100U, 128U, 129U, 300U}) {
      for (const std::size_t count : {1U, 32U, 127U, 129U, 700U}) {
        const std::size_t slices = 1 + ++seed % 19;
        const Case data = RandomCase(slices, rows, 1, count, seed);
        const Halves expected = data.Expected();
        for (const std::size_t together : {3U, 8U, 32U}) {
          ASSERT_EQ(data.InGroups(seed % 3, together), expected)
              << slices << " slices, " << rows << " rows, " << count << ", at most " << together;
        }
      }
    }
  });
}

// Of a plan as large as can be, whose last places are the largest ones.
TEST(DenseAdd, GroupsWithTheMostIndices) {
  OnEveryTarget([] {
    const Case data = RandomCase(2, 3000, 1, SliceGroupPlan::kMaxCount, 13);
    EXPECT_TRUE(data.InGroups(0, 2) == data.Expected());
  });
}

// No two updates lie in one place, and no addition is lost between tiles and kinds.
TEST(DenseAdd, GroupsHaveEachAdditionOnce) {
  const Case data = RandomCase(1, 500, 1, 600, 14);
  const DenseAddTask task{data.format,
                          data.factor,
                          data.rows,
                          1,
                          data.stride,
                          data.count,
                          reinterpret_cast<const std::byte*>(data.indices.data())};
  const SliceGroupPlan plan(task);
  EXPECT_EQ(plan.tiles().size(), 4U);
  EXPECT_EQ(plan.additions().size(), data.count);
  std::size_t additions = 0;
  std::vector<bool> updates(GroupRoom(data.count) / kGroupSlices);
  for (const auto& tile : plan.tiles()) additions += tile.only + tile.first + tile.more;
  EXPECT_EQ(additions, data.count);
  for (const auto& addition : plan.additions()) {
    EXPECT_LT(addition.to, SliceGroupPlan::kTileRows);
    EXPECT_FALSE(updates.at(addition.update));
    updates.at(addition.update) = true;
  }
}

TEST(DenseAdd, PartsOfTheRows) {
  OnEveryTarget([] {
    std::uint32_t seed = 1000;
    for (const std::size_t width : {1U, 2U, 3U, 8U, 15U, 64U}) {
      const Case data = RandomCase(1, 100, width, 500, ++seed);
      for (const std::size_t part_rows : {7U, 33U, 100U}) {
        ASSERT_EQ(data.InParts(seed % 3, part_rows), data.Expected())
            << width << " wide, parts of " << part_rows;
      }
    }
  });
}

TEST(DenseAdd, MoreIndicesThanAreTakenAtATime) {
  OnEveryTarget([] {
    const Case data = RandomCase(1, 300, 1, 5000, 8);
    EXPECT_EQ(data.InSlices(0, 1), data.Expected());
    EXPECT_EQ(data.InParts(0, 150), data.Expected());
    const Case wide = RandomCase(2, 40, 12, 400, 9);
    EXPECT_EQ(wide.InSlices(0, 2), wide.Expected());
  });
}

// Every NaN keeps its bits where no index names it, and becomes the canonical one where one does.
TEST(DenseAdd, EveryNan) {
  OnEveryTarget([] {
    for (const HalfFormat format : {HalfFormat::kFp16, HalfFormat::kBf16}) {
      Case data;
      data.format = format;
      data.rows = 0x10000;
      for (std::size_t i = 0; i < data.rows; ++i) {
        data.target.push_back(static_cast<std::uint16_t>(i));
        if (i * 2654435761U >> 7 & 1) data.indices.push_back(static_cast<std::int32_t>(i));
      }
      data.count = data.stride = data.indices.size();
      data.updates.assign(data.count, 0);
      EXPECT_TRUE(data.InSlices(0, 1) == data.Expected());
      EXPECT_TRUE(data.InParts(0, 20000) == data.Expected());
      EXPECT_TRUE(data.InGroups(0, 1) == data.Expected());
    }
  });
}

TEST(DenseAdd, TheCallersRoundingModeDoesNotMatterAndStays) {
  const Case data = RandomCase(2, 60, 5, 80, 20);
  const Case parts = RandomCase(1, 60, 5, 80, 21);
  const Case groups = RandomCase(9, 60, 1, 80, 22);
  const Halves expected = data.Expected();
  const Halves expected_parts = parts.Expected();
  const Halves expected_groups = groups.Expected();
  OnEveryTarget([&] {
    for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
      std::fesetround(mode);
      const Halves actual = data.InSlices(0, 2);
      const Halves actual_parts = parts.InParts(0, 30);
      const Halves actual_groups = groups.InGroups(0, 9);
      EXPECT_EQ(std::fegetround(), mode);
      std::fesetround(FE_TONEAREST);
      EXPECT_EQ(actual, expected);
      EXPECT_EQ(actual_groups, expected_groups);
      EXPECT_EQ(actual_parts, expected_parts);
    }
  });
}

}  // namespace
}  // namespace belay::kernels
