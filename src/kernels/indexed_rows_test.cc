// DirectAdd and RowCopy with every instruction set, held against one element at a time: types,
// widths around vectors, misaligned ends, parts, both widths of indices, float environments.
#include "kernels/indexed_rows.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "kernels/direct_add.h"
#include "kernels/index_list.h"
#include "kernels/row_copy.h"
#include "support/byte_room.h"
#include "support/every_target.h"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace belay::kernels {
namespace {

using belay::testing::ByteRoom;
using belay::testing::ByteVector;
using belay::testing::OnEveryTarget;

template <class T>
ByteVector BytesOf(const std::vector<T>& values) {
  ByteVector bytes(values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

// Slices of rows of elements of `item` bytes, and what goes where.
struct RowCase {
  std::size_t slices = 2;
  std::size_t rows = 5;
  std::size_t width = 1;
  std::size_t item = 4;
  bool wide = false;
  std::vector<std::int64_t> indices;
  ByteVector source;
  ByteVector target;

  [[nodiscard]] ByteVector IndexBytes() const {
    if (wide) return BytesOf(indices);
    return BytesOf(std::vector<std::int32_t>(indices.begin(), indices.end()));
  }

  // Calls run(indexed, part) for the target whole or in parts, everything `shift` bytes off.
  template <class Run>
  [[nodiscard]] ByteVector Actual(std::size_t shift, bool parts, const Run& run) const {
    ByteRoom index_room(IndexBytes(), shift);
    ByteRoom source_room(source, shift);
    ByteRoom target_room(target, shift);
    const IndexedRows indexed{rows,
                              width,
                              indices.size(),
                              wide,
                              index_room.data(),
                              source_room.data(),
                              target_room.data()};
    if (!parts) {
      run(indexed, {0, slices, 0, rows, 0, width});
    } else {
      for (std::size_t slice = 0; slice < slices; ++slice) {
        const std::size_t column = width / 3;
        run(indexed, {slice, slice + 1, 0, 2, 0, column});
        run(indexed, {slice, slice + 1, 0, 2, column, width});
        run(indexed, {slice, slice + 1, 2, rows, 0, width});
      }
    }
    EXPECT_TRUE(target_room.GuardsHold());
    return target_room.Content();
  }

  // Calls step(target, source) for each pair of elements in the order of the index.
  template <class Step>
  [[nodiscard]] ByteVector Expected(const Step& step) const {
    ByteVector expected = target;
    for (std::size_t slice = 0; slice < slices; ++slice) {
      for (std::size_t k = 0; k < indices.size(); ++k) {
        for (std::size_t c = 0; c < width; ++c) {
          const std::size_t row = slice * rows + static_cast<std::size_t>(indices[k]);
          const std::size_t from = (slice * indices.size() + k) * width + c;
          step(expected.data() + (row * width + c) * item, source.data() + from * item);
        }
      }
    }
    return expected;
  }
};

RowCase RandomCase(std::size_t item, std::size_t width, std::mt19937& random) {
  RowCase data;
  data.item = item;
  data.width = width;
  data.wide = random() % 2 == 0;
  const std::size_t count = width < 10 && random() % 4 == 0 ? 300 + random() % 300 : random() % 9;
  for (std::size_t k = 0; k < count; ++k) {
    data.indices.push_back(static_cast<std::int64_t>(random() % data.rows));
  }
  const auto fill = [&](ByteVector& bytes, std::size_t rows) {
    bytes.resize(data.slices * rows * width * item);
    for (std::byte& byte : bytes) {
      // Bytes that make all exponents, infinities and NaN likely.
      constexpr std::uint8_t kBytes[] = {0x7F, 0xFF, 0x80, 0, 0x3F};
      byte = static_cast<std::byte>(random() % 2 == 0 ? kBytes[random() % 5] : random());
    }
  };
  fill(data.source, count);
  fill(data.target, data.rows);
  return data;
}

template <class T>
void Step(std::byte* target, const std::byte* source, T factor) {
  T sum;
  T update;
  std::memcpy(&sum, target, sizeof(T));
  std::memcpy(&update, source, sizeof(T));
  if constexpr (std::is_floating_point_v<T>) {
    volatile T product = factor * update;
    volatile T result = sum + product;
    sum = result == result ? result : std::numeric_limits<T>::quiet_NaN();
  } else {
    sum = static_cast<T>(std::uint64_t{sum} + std::uint64_t{factor} * update);
  }
  std::memcpy(target, &sum, sizeof(T));
}

void StepBool(std::byte* target, const std::byte* source, bool factor) {
  const bool added = factor && *source != std::byte{0};
  *target = *target != std::byte{0} || added ? std::byte{1} : std::byte{0};
}

template <class T>
void ExpectAdds(DirectType type, const std::vector<T>& factors) {
  std::mt19937 random(7);
  for (std::size_t width : {1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 63, 64, 65, 127, 129, 300}) {
    for (const T factor : factors) {
      const RowCase data = RandomCase(sizeof(T), width, random);
      DirectAddTask task;
      task.type = type;
      std::memcpy(task.factor.data(), &factor, sizeof(T));
      const ByteVector expected = data.Expected([&](std::byte* to, const std::byte* from) {
        if (type == DirectType::kBool) return StepBool(to, from, factor != 0);
        Step(to, from, factor);
      });
      for (std::size_t shift = 0; shift < 2; ++shift) {
        for (const bool parts : {false, true}) {
          const ByteVector actual =
              data.Actual(shift, parts, [&](const IndexedRows& indexed, const IndexedPart& part) {
                task.indexed = indexed;
                DirectAdd(task, part);
              });
          ASSERT_TRUE(actual == expected) << "type " << int(type) << ", width " << width;
        }
      }
    }
  }
}

TEST(DirectAdd, MatchesOneElementAtATime) {
  OnEveryTarget([] {
    ExpectAdds<float>(DirectType::kFloat, {1.0F, -0.3F, std::numeric_limits<float>::infinity()});
    ExpectAdds<double>(DirectType::kDouble, {1.0, 1.0 / 3});
    ExpectAdds<std::uint8_t>(DirectType::kInt8, {1, 0, 201});
    ExpectAdds<std::uint16_t>(DirectType::kInt16, {1, 65535});
    ExpectAdds<std::uint32_t>(DirectType::kInt32, {1, 0x80000001});
    ExpectAdds<std::uint64_t>(DirectType::kInt64, {1, ~std::uint64_t{4}});
    ExpectAdds<std::uint8_t>(DirectType::kBool, {1, 0});
  });
}

TEST(DirectAdd, TheCallersFloatEnvironmentDoesNotMatter) {
  // A sum that rounds, and one of subnormals.
  const std::vector<float> updates = {0x1p-24F, 0x1p-149F};
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::vector<float> sums = {1.0F, 0x1p-149F};
    const std::int32_t index = 0;
    DirectAddTask task;
    const float one = 1.0F;
    std::memcpy(task.factor.data(), &one, sizeof one);
    task.indexed = {1,
                    2,
                    1,
                    false,
                    reinterpret_cast<const std::byte*>(&index),
                    reinterpret_cast<const std::byte*>(updates.data()),
                    reinterpret_cast<std::byte*>(sums.data())};
    std::fesetround(mode);
#if defined(__SSE__)
    _mm_setcsr(_mm_getcsr() | 0x8040);  // flush to zero, denormals are zero
#endif
    DirectAdd(task, {0, 1, 0, 1, 0, 2});
    std::fesetenv(FE_DFL_ENV);
    EXPECT_EQ(sums, (std::vector<float>{1.0F, 0x1p-148F}));
  }
}

TEST(RowCopy, TheLastOneStays) {
  std::mt19937 random(3);
  for (const std::size_t item : {1, 2, 4, 8, 16}) {
    for (const std::size_t width : {1, 2, 3, 4, 8, 9, 16, 33}) {
      const RowCase data = RandomCase(item, width, random);
      const ByteVector expected =
          data.Expected([&](std::byte* to, const std::byte* from) { std::memcpy(to, from, item); });
      for (const bool parts : {false, true}) {
        const ByteVector actual =
            data.Actual(1, parts, [&](const IndexedRows& indexed, const IndexedPart& part) {
              RowCopy(indexed, item, part);
            });
        ASSERT_TRUE(actual == expected) << item << " bytes, width " << width;
      }
    }
  }
}

TEST(IndexList, FindsTheFirstOneOutside) {
  for (const bool wide : {false, true}) {
    for (const std::size_t stride : {0, 1, 3}) {
      for (const std::int64_t bad :
           {std::int64_t{-1}, std::int64_t{10}, INT64_MIN, INT64_MAX, std::int64_t{1} << 32}) {
        for (const std::size_t at : {0, 5, 18}) {
          const std::size_t item = wide ? 8 : 4;
          ByteVector bytes((18 * stride + 1) * item + 1);
          const auto store = [&](std::size_t k, std::int64_t index) {
            const auto narrow = static_cast<std::int32_t>(index);
            std::byte* const to = bytes.data() + 1 + k * stride * item;
            wide ? std::memcpy(to, &index, 8) : std::memcpy(to, &narrow, 4);
          };
          for (std::size_t k = 0; k < 19; ++k) store(k, 9);
          const IndexList indices{bytes.data() + 1, wide, stride * item, 19};
          EXPECT_EQ(FindOutside(indices, 9), std::nullopt);
          store(at, bad);
          const std::int64_t seen = wide ? bad : static_cast<std::int32_t>(bad);
          const std::size_t first = stride == 0 ? 0 : at;
          if (seen >= 0 && seen <= 9) continue;
          EXPECT_EQ(FindOutside(indices, 9), first);
          EXPECT_EQ(indices[first], seen);
        }
      }
    }
  }
}

TEST(IndexList, GathersInEitherWidth) {
  const std::vector<std::int64_t> wide = {3, 1, 4, 1, 5, 9};
  const IndexList every_other{reinterpret_cast<const std::byte*>(wide.data()), true, 16, 3};
  std::vector<std::int32_t> narrow(3);
  Gather(every_other, false, reinterpret_cast<std::byte*>(narrow.data()));
  EXPECT_EQ(narrow, (std::vector<std::int32_t>{3, 4, 5}));
  const IndexList from_narrow{reinterpret_cast<const std::byte*>(narrow.data()), false, 4, 3};
  std::vector<std::int64_t> gathered(3);
  Gather(from_narrow, true, reinterpret_cast<std::byte*>(gathered.data()));
  EXPECT_EQ(gathered, (std::vector<std::int64_t>{3, 4, 5}));
  Gather(every_other, true, reinterpret_cast<std::byte*>(gathered.data()));
  EXPECT_EQ(gathered, (std::vector<std::int64_t>{3, 4, 5}));
}

}  // namespace
}  // namespace belay::kernels
