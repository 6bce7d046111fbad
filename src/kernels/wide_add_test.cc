// WideAdd with every instruction set, held against one column at a time whose sum is a double.
#include "kernels/wide_add.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "base/data_type.h"
#include "ops/index_add/index_add_reference.h"
#include "support/byte_room.h"
#include "support/every_target.h"

namespace belay::kernels {
namespace {

using belay::testing::ByteRoom;
using belay::testing::ByteVector;
using belay::testing::OnEveryTarget;

DataType DataTypeOf(WideType type) {
  return type == WideType::kBf16 ? DataType::kBf16 : DataType::kFloat16;
}

double Load(WideType type, const std::byte* at) {
  if (type == WideType::kFloat) {
    float value;
    std::memcpy(&value, at, sizeof value);
    return static_cast<double>(value);
  }
  std::uint16_t bits;
  std::memcpy(&bits, at, sizeof bits);
  return ops::ReferenceHalfValue(DataTypeOf(type), bits);
}

void Store(WideType type, double value, std::byte* at) {
  if (type == WideType::kFloat) {
    const float narrow =
        std::isnan(value) ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(value);
    std::memcpy(at, &narrow, sizeof narrow);
    return;
  }
  const std::uint16_t bits = ops::ReferenceHalfBits(DataTypeOf(type), value);
  std::memcpy(at, &bits, sizeof bits);
}

constexpr std::size_t kRows = 6;

struct Case {
  WideType type;
  double factor;
  std::size_t width;
  std::vector<std::int32_t> rows;  // ascending
  std::vector<std::uint32_t> positions;
  ByteVector updates;
  ByteVector target;

  [[nodiscard]] ByteVector Expected() const {
    const std::size_t item = ItemBytes(type);
    ByteVector expected = target;
    for (std::size_t row = 0; row < kRows; ++row) {
      for (std::size_t c = 0; c < width; ++c) {
        std::byte* const at = expected.data() + (row * width + c) * item;
        volatile double sum = Load(type, at);
        bool touched = false;
        for (std::size_t j = 0; j < rows.size(); ++j) {
          if (static_cast<std::size_t>(rows[j]) != row) continue;
          volatile double product =
              factor * Load(type, updates.data() + (positions[j] * width + c) * item);
          sum = sum + product;
          touched = true;
        }
        if (touched) Store(type, sum, at);
      }
    }
    return expected;
  }

  [[nodiscard]] ByteVector Actual(std::size_t shift) const {
    ByteRoom update_room(updates, shift);
    ByteRoom room(target, shift);
    const RowPairs pairs{reinterpret_cast<const std::byte*>(rows.data()), positions.data(),
                         rows.size()};
    const WideAddTask task{type, factor, width, update_room.data(), room.data(), pairs};
    // In parts, one of which begins within a row's pairs.
    const std::size_t pair = rows.size() / 2;
    const std::size_t column = width / 2;
    WideAdd(task, {0, pair, 0, column});
    WideAdd(task, {0, pair, column, width, /*prefetch=*/true});
    WideAdd(task, {pair, rows.size(), 0, width, /*prefetch=*/true});
    EXPECT_TRUE(room.GuardsHold());
    return room.Content();
  }
};

Case RandomCase(WideType type, std::size_t width, std::mt19937& random) {
  Case data{type, 1.0, width, {}, {}, {}, {}};
  constexpr double kFactors[] = {1.0, 1.0 / 3, 1.0 + 0x1p-40, -0x1p-130, 0x1p100};
  data.factor = kFactors[random() % 5];
  // Few for each row, or now and then more than are added side by side.
  for (std::size_t j = random() % (random() % 4 == 0 ? 80 : 9); j > 0; --j) {
    data.rows.push_back(static_cast<std::int32_t>(random() % kRows));
    data.positions.push_back(random() % 4);
  }
  std::sort(data.rows.begin(), data.rows.end());
  const auto fill = [&](ByteVector& bytes, std::size_t rows) {
    bytes.resize(rows * width * ItemBytes(type));
    for (std::byte& byte : bytes) {
      constexpr std::uint8_t kBytes[] = {0x7F, 0xFF, 0x80, 0, 0x3F, 0x40};
      byte = static_cast<std::byte>(random() % 2 == 0 ? kBytes[random() % 6] : random());
    }
  };
  fill(data.updates, 4);
  fill(data.target, kRows);
  return data;
}

TEST(WideAdd, MatchesOneColumnAtATime) {
  OnEveryTarget([] {
    std::mt19937 random(11);
    for (const WideType type : {WideType::kFp16, WideType::kBf16, WideType::kFloat}) {
      for (const std::size_t width : {1, 2, 3, 5, 8, 15, 16, 33, 100, 1023, 1024, 1025, 2300}) {
        for (std::size_t round = 0; round < (width > 1000 ? 3 : 20); ++round) {
          const Case data = RandomCase(type, width, random);
          ASSERT_TRUE(data.Actual(round % 3) == data.Expected())
              << "type " << int(type) << ", width " << width;
        }
      }
    }
  });
}

// Ties that only bits far beyond a float decide, both ways; and the ends of the range.
TEST(WideAdd, RoundsStraightFromDouble) {
  struct Sum {
    WideType type;
    double factor;  // of the update 1
    std::uint16_t start;
    std::uint16_t sum;
  };
  constexpr std::uint16_t kOne16 = 0x3C00;
  constexpr std::uint16_t kOneB = 0x3F80;
  OnEveryTarget([&] {
    for (const Sum& sum : {
             Sum{WideType::kFp16, 0x1p-11, kOne16, 0x3C00},
             Sum{WideType::kFp16, 0x1p-11 + 0x1p-50, kOne16, 0x3C01},
             Sum{WideType::kFp16, 0x1.8p-10 - 0x1p-50, kOne16, 0x3C01},
             Sum{WideType::kFp16, 65519.999999, 0, 0x7BFF},
             Sum{WideType::kFp16, 65520.0, 0, 0x7C00},
             Sum{WideType::kFp16, 0x1p-25, 0, 0x0000},
             Sum{WideType::kFp16, 0x1.0000000000001p-25, 0, 0x0001},
             Sum{WideType::kFp16, -0x1p-300, 0x8000, 0x8000},
             Sum{WideType::kBf16, 0x1p-8, kOneB, 0x3F80},
             Sum{WideType::kBf16, 0x1p-8 + 0x1p-50, kOneB, 0x3F81},
             Sum{WideType::kBf16, 0x1p200, kOneB, 0x7F80},
             Sum{WideType::kBf16, 0x1.FEFFFFFFFFFFFp127, 0, 0x7F7F},
             Sum{WideType::kBf16, 0x1p-134, 0, 0x0000},
             Sum{WideType::kBf16, 0x1.0000000000001p-134, 0, 0x0001},
         }) {
      const std::uint16_t one = sum.type == WideType::kFp16 ? kOne16 : kOneB;
      std::uint16_t target = sum.start;
      const std::int32_t row = 0;
      WideAdd({sum.type,
               sum.factor,
               1,
               reinterpret_cast<const std::byte*>(&one),
               reinterpret_cast<std::byte*>(&target),
               {reinterpret_cast<const std::byte*>(&row), nullptr, 1}},
              {0, 1, 0, 1});
      EXPECT_EQ(target, sum.sum) << sum.factor;
    }
  });
}

}  // namespace
}  // namespace belay::kernels
