// Every pair of types against a reference in exact numbers, on every instruction set.
#include "kernels/cast.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <random>
#include <vector>

#include "kernels/cast_reference.h"
#include "kernels/strided_cast.h"
#include "support/byte_room.h"
#include "support/every_target.h"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace belay::kernels {
namespace {

using testing::ByteRoom;
using testing::ByteVector;
using testing::OnEveryTarget;

template <class T>
void Append(ByteVector& bytes, T value) {
  const auto* const at = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), at, at + sizeof(T));
}

// Around the places where any of the types changes its mind: each power of two, and the numbers
// next to it and next to half a unit of each float format beside it.
std::vector<double> Edges() {
  std::vector<double> values = {0.0,
                                0.5,
                                1.5,
                                2.5,
                                65504.0,
                                65519.99,
                                65520.0,
                                65535.0,
                                3.3895313892515355e38,
                                3.3961775292304601e38,
                                std::numeric_limits<double>::max(),
                                std::numeric_limits<double>::denorm_min(),
                                INFINITY};
  for (int exponent = -160; exponent <= 130; ++exponent) {
    const double power = std::ldexp(1.0, exponent);
    for (const int bits : {0, 8, 11, 24}) {
      const double step = std::ldexp(power, -bits);
      for (const double value : {power - step, power + step, power + 3 * step}) {
        values.push_back(std::nextafter(value, 0.0));
        values.push_back(value);
        values.push_back(std::nextafter(value, INFINITY));
      }
    }
  }
  return values;
}

double RandomDouble(std::mt19937_64& random) {
  const auto sign_and_mantissa = random() & 0x800FFFFFFFFFFFFF;
  // Few bits now and then, so that ties occur.
  const std::uint64_t kept =
      random() % 2 == 0 ? ~std::uint64_t{0} << (random() % 52) : ~std::uint64_t{0};
  const std::uint64_t exponent = random() % 4 == 0 ? random() % 2048 : 1023 - 160 + random() % 300;
  return std::bit_cast<double>((sign_and_mantissa & kept) | exponent << 52);
}

ByteVector Integers(std::size_t bytes, std::mt19937_64& random) {
  ByteVector items;
  const auto append = [&](std::uint64_t value) {
    const auto* const at = reinterpret_cast<const std::byte*>(&value);
    items.insert(items.end(), at, at + bytes);  // on little-endian processors
  };
  for (unsigned bit = 0; bit < 8 * bytes; ++bit) {
    const std::uint64_t power = std::uint64_t{1} << bit;
    for (const unsigned lower : {0U, 7U, 8U, 10U, 11U, 23U, 24U, 52U, 53U}) {
      const std::uint64_t step = lower <= bit ? power >> lower : 0;
      for (const std::uint64_t value : {power - step, power + step, power + 3 * step}) {
        for (const std::uint64_t near : {value - 1, value, value + 1}) {
          append(near);
          append(-near);
        }
      }
    }
  }
  for (int i = 0; i < 3000; ++i) append(random() >> (random() % (8 * bytes)));
  return items;
}

ByteVector MakeItems(DataType type) {
  std::mt19937_64 random(11);
  ByteVector items;
  std::vector<double> doubles = Edges();
  for (int i = 0; i < 3000; ++i) doubles.push_back(RandomDouble(random));
  for (std::size_t i = doubles.size(); i-- > 0;) doubles.push_back(-doubles[i]);
  for (const std::uint64_t nan : {0x7FF8000000000000U, 0x7FF0000000000001U, 0xFFFFFFFFFFFFFFFFU}) {
    doubles.push_back(std::bit_cast<double>(nan));
  }
  std::vector<float> floats;
  for (const double value : doubles) floats.push_back(static_cast<float>(value));
  for (const std::uint32_t nan : {0x7FC00001U, 0x7F800001U, 0xFFFFFFFFU}) {
    floats.push_back(std::bit_cast<float>(nan));
  }
  switch (type) {
    case DataType::kFloat16:
    case DataType::kBf16:
      for (std::uint32_t bits = 0; bits <= 0xFFFF; ++bits) {
        Append(items, static_cast<std::uint16_t>(bits));
      }
      break;
    case DataType::kFloat:
      for (const float value : floats) Append(items, value);
      break;
    case DataType::kDouble:
      for (const double value : doubles) Append(items, value);
      break;
    case DataType::kComplex64:
      for (const float value : floats) {
        Append(items, random() % 4 == 0 ? 0.0F : value);
        Append(items, floats[random() % floats.size()]);
      }
      break;
    case DataType::kComplex128:
      for (const double value : doubles) {
        Append(items, random() % 4 == 0 ? -0.0 : value);
        Append(items, doubles[random() % doubles.size()]);
      }
      break;
    default:
      return Integers(ItemBytes(type), random);
  }
  return items;
}

// Elements of a type that reach all of its edges and those of the others.
const ByteVector& Items(DataType type) {
  static std::map<DataType, ByteVector> all;
  ByteVector& items = all[type];
  if (items.empty()) items = MakeItems(type);
  return items;
}

ByteVector Expected(DataType from, DataType to, const ByteVector& items, bool saturate) {
  const std::size_t count = items.size() / ItemBytes(from);
  ByteVector result(count * ItemBytes(to));
  for (std::size_t i = 0; i < count; ++i) {
    ReferenceCast(from, to, items.data() + i * ItemBytes(from), result.data() + i * ItemBytes(to),
                  saturate);
  }
  return result;
}

ByteVector CastAll(DataType from, DataType to, const ByteVector& items, FloatOverflow overflow) {
  const std::size_t count = items.size() / ItemBytes(from);
  ByteVector result(count * ItemBytes(to));
  Cast(from, to, items.data(), result.data(), count, overflow);
  return result;
}

void ExpectSame(DataType from, DataType to, const ByteVector& items, const ByteVector& result,
                const ByteVector& expected) {
  if (result == expected) return;
  for (std::size_t i = 0; i < items.size() / ItemBytes(from); ++i) {
    const auto part = [i](const ByteVector& bytes, DataType type) {
      const auto at = bytes.begin() + static_cast<std::ptrdiff_t>(i * ItemBytes(type));
      return ByteVector(at, at + static_cast<std::ptrdiff_t>(ItemBytes(type)));
    };
    ASSERT_EQ(part(result, to), part(expected, to))
        << "element " << i << ", " << Name(from) << " "
        << ::testing::PrintToString(part(items, from)) << " to " << Name(to);
  }
}

void ExpectAllPairs(FloatOverflow overflow) {
  const bool saturate = overflow == FloatOverflow::kSaturate;
  for (const DataType from : kCastTypes) {
    const ByteVector& items = Items(from);
    for (const DataType to : kCastTypes) {
      ASSERT_NO_FATAL_FAILURE(ExpectSame(from, to, items, CastAll(from, to, items, overflow),
                                         Expected(from, to, items, saturate)));
    }
  }
}

TEST(Cast, EveryPairOfTypes) { ExpectAllPairs(FloatOverflow::kInfNan); }

TEST(Cast, EveryPairOfTypesWithoutInfinities) { ExpectAllPairs(FloatOverflow::kSaturate); }

TEST(Cast, HalvesOnEveryTarget) {
  const ByteVector& floats = Items(DataType::kFloat);
  for (const DataType half : {DataType::kFloat16, DataType::kBf16}) {
    const ByteVector& halves = Items(half);
    const ByteVector wide = Expected(half, DataType::kFloat, halves, false);
    const ByteVector narrow = Expected(DataType::kFloat, half, floats, false);
    const ByteVector finite = Expected(DataType::kFloat, half, floats, true);
    OnEveryTarget([&] {
      using enum FloatOverflow;
      ExpectSame(half, DataType::kFloat, halves, CastAll(half, DataType::kFloat, halves, kInfNan),
                 wide);
      ExpectSame(DataType::kFloat, half, floats, CastAll(DataType::kFloat, half, floats, kInfNan),
                 narrow);
      ExpectSame(DataType::kFloat, half, floats, CastAll(DataType::kFloat, half, floats, kSaturate),
                 finite);
    });
  }
}

// Every count around the block and the vectors, at every alignment, between guards.
TEST(Cast, CountsAndAlignments) {
  OnEveryTarget([] {
    std::mt19937 random(3);
    for (const DataType from : {DataType::kFloat, DataType::kFloat16, DataType::kComplex64}) {
      const ByteVector& all = Items(from);
      for (const DataType to : {DataType::kBf16, DataType::kFloat, DataType::kInt8}) {
        for (std::size_t count = 0; count <= 200; ++count) {
          ByteVector items(all.begin(),
                           all.begin() + static_cast<std::ptrdiff_t>(count * ItemBytes(from)));
          ByteRoom src(items, random() % 64);
          ByteRoom dst(count * ItemBytes(to), random() % 64);
          Cast(from, to, src.data(), dst.data(), count, FloatOverflow::kInfNan);
          ASSERT_EQ(dst.Content(), Expected(from, to, items, false));
          ASSERT_TRUE(dst.GuardsHold());
        }
      }
    }
  });
}

TEST(Cast, InPlaceWhereSizesAgree) {
  for (const DataType from : kCastTypes) {
    for (const DataType to : kCastTypes) {
      if (ItemBytes(from) != ItemBytes(to)) continue;
      ByteVector items = Items(from);
      const ByteVector expected = Expected(from, to, items, false);
      Cast(from, to, items.data(), items.data(), items.size() / ItemBytes(from),
           FloatOverflow::kInfNan);
      EXPECT_EQ(items, expected) << Name(from) << " to " << Name(to);
    }
  }
}

TEST(Cast, RoundingModesFlushingAndTrapsDoNotMatter) {
  struct Case {
    DataType from;
    DataType to;
    ByteVector items;
    ByteVector expected;
  };
  std::vector<Case> cases;
  for (const DataType from : kCastTypes) {
    for (const DataType to : kCastTypes) {
      ByteVector items = Items(from);
      ByteVector expected = Expected(from, to, items, false);
      cases.push_back({from, to, std::move(items), std::move(expected)});
    }
  }
  const auto expect_all = [&] {
    std::vector<ByteVector> results;
    for (const Case& data : cases) {
      results.push_back(CastAll(data.from, data.to, data.items, FloatOverflow::kInfNan));
    }
    return results;
  };
  const auto compare = [&](const std::vector<ByteVector>& results) {
    for (std::size_t i = 0; i < cases.size(); ++i) {
      ExpectSame(cases[i].from, cases[i].to, cases[i].items, results[i], cases[i].expected);
    }
  };
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    const std::vector<ByteVector> results = expect_all();
    EXPECT_EQ(std::fegetround(), mode);
    std::fesetround(FE_TONEAREST);
    compare(results);
  }
#if defined(__SSE__)
  const unsigned control = _mm_getcsr();
  constexpr unsigned kFlushAndDenormalsAreZero = 0x8040;
  constexpr unsigned kNoMasks = 0x0000;
  _mm_setcsr(kFlushAndDenormalsAreZero | kNoMasks);
  const std::vector<ByteVector> results = expect_all();
  const unsigned seen = _mm_getcsr();
  _mm_setcsr(control);
  EXPECT_EQ(seen, kFlushAndDenormalsAreZero | kNoMasks);
  compare(results);
#endif
}

TEST(Cast, TypesThatCanBeCast) {
  for (std::int32_t number = -1; number <= 60; ++number) {
    const auto type = static_cast<DataType>(number);
    EXPECT_EQ(CanCast(type), std::ranges::find(kCastTypes, type) != std::end(kCastTypes)) << number;
  }
}

// The first byte behind a box on one side.
std::uint64_t EndOf(const StridedBox& box, const StridedBox::Sizes& strides,
                    std::uint64_t item_bytes) {
  std::uint64_t end = item_bytes;
  for (std::size_t dim = 0; dim < box.rank; ++dim) end += (box.sizes[dim] - 1) * strides[dim];
  return end;
}

// In three pieces that begin anywhere, the last one first.
void ExpectStridedCast(const StridedBox& box, DataType from, DataType to, std::mt19937& random) {
  const ByteVector& all = Items(from);
  ByteVector items(EndOf(box, box.src_stride_bytes, ItemBytes(from)));
  const std::size_t start = random() % (all.size() / ItemBytes(from)) * ItemBytes(from);
  for (std::size_t at = 0; at < items.size(); ++at) items[at] = all[(start + at) % all.size()];
  const std::uint64_t dst_bytes = EndOf(box, box.dst_stride_bytes, ItemBytes(to));
  ByteRoom src(items, 0);
  ByteRoom dst(dst_bytes, 0);
  ByteRoom expected(dst_bytes, 0);
  for (std::uint64_t item = 0; item < box.ItemCount(); ++item) {
    std::uint64_t rest = item;
    std::uint64_t dst_at = 0;
    std::uint64_t src_at = 0;
    for (std::size_t dim = box.rank; dim-- > 0; rest /= box.sizes[dim]) {
      dst_at += rest % box.sizes[dim] * box.dst_stride_bytes[dim];
      src_at += rest % box.sizes[dim] * box.src_stride_bytes[dim];
    }
    ReferenceCast(from, to, src.data() + src_at, expected.data() + dst_at);
  }
  const StridedBox merged = WithMergedDims(box);
  const CastKind kind{from, to, FloatOverflow::kInfNan};
  std::uint64_t end = merged.ItemCount();
  for (int piece = 0; piece < 2; ++piece) {
    const std::uint64_t begin = random() % (end + 1);
    StridedCast(merged, kind, src.data(), dst.data(), begin, end);
    end = begin;
  }
  StridedCast(merged, kind, src.data(), dst.data(), 0, end);
  ASSERT_EQ(dst.Content(), expected.Content()) << Name(from) << " to " << Name(to);
  ASSERT_TRUE(dst.GuardsHold());
}

DataType AnyType(std::mt19937& random) { return kCastTypes[random() % std::size(kCastTypes)]; }

TEST(StridedCast, RandomViews) {
  OnEveryTarget([] {
    std::mt19937 random(5);
    for (int i = 0; i < 500; ++i) {
      const DataType from = AnyType(random);
      const DataType to = AnyType(random);
      StridedBox box;
      box.item_bytes = ItemBytes(to);
      box.rank = random() % 5;
      std::uint64_t dst_items = 1;
      std::uint64_t src_items = 1;
      for (std::size_t dim = box.rank; dim-- > 0;) {
        box.sizes[dim] = 1 + random() % (dim % 2 == 0 ? 90 : 4);
        dst_items += random() % 3 == 0 ? 1 : 0;
        box.dst_stride_bytes[dim] = dst_items * ItemBytes(to);
        dst_items *= box.sizes[dim];
        const std::uint64_t stride = random() % 4 == 0 ? random() % 3 : src_items;
        box.src_stride_bytes[dim] = stride * ItemBytes(from);
        src_items += stride * (box.sizes[dim] - 1);
      }
      ExpectStridedCast(box, from, to, random);
    }
  });
}

// Rows that lie side by side in the source, around the sizes of blocks; another dimension outside
// them and one in between.
TEST(StridedCast, Transposed) {
  OnEveryTarget([] {
    std::mt19937 random(6);
    for (const std::uint64_t rows : {3, 4, 15, 16, 17, 70}) {
      for (const std::uint64_t items : {63, 64, 65, 256, 513}) {
        const DataType from = AnyType(random);
        const DataType to = AnyType(random);
        const std::uint64_t outer = 1 + random() % 2;
        const std::uint64_t between = 1 + random() % 3;
        const std::uint64_t dst_gap = 1 + random() % 2;  // from item to item
        const std::uint64_t src_gap = 1 + random() % 2;  // from row to row
        StridedBox box;
        box.item_bytes = ItemBytes(to);
        box.rank = 4;
        box.sizes = {outer, rows, between, items};
        box.dst_stride_bytes = {rows * between * items * dst_gap, between * items * dst_gap,
                                items * dst_gap, dst_gap};
        box.src_stride_bytes = {between * items * rows * src_gap, src_gap, items * rows * src_gap,
                                rows * src_gap};
        for (std::size_t dim = 0; dim < box.rank; ++dim) {
          box.dst_stride_bytes[dim] *= ItemBytes(to);
          box.src_stride_bytes[dim] *= ItemBytes(from);
        }
        ExpectStridedCast(box, from, to, random);
      }
    }
  });
}

}  // namespace
}  // namespace belay::kernels
