// All values of both formats, held against a sorted table of what they stand for.
#include "kernels/half.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace belay::kernels {
namespace {

template <class T>
struct Facts;
template <>
struct Facts<Fp16> {
  static constexpr int kMantissaBits = 10;
  static constexpr int kBias = 15;
  static constexpr std::uint32_t kInfinity = 0x7C00;
};
template <>
struct Facts<Bf16> {
  static constexpr int kMantissaBits = 7;
  static constexpr int kBias = 127;
  static constexpr std::uint32_t kInfinity = 0x7F80;
};

// What a magnitude below infinity stands for; infinity's own pattern counts as the next binade.
template <class Half>
double Magnitude(std::uint32_t bits) {
  const int exponent = static_cast<int>(bits >> Facts<Half>::kMantissaBits);
  const int mantissa = static_cast<int>(bits & ((1U << Facts<Half>::kMantissaBits) - 1));
  const int scale = std::max(exponent, 1) - Facts<Half>::kBias - Facts<Half>::kMantissaBits;
  return std::ldexp(mantissa + (exponent != 0 ? 1 << Facts<Half>::kMantissaBits : 0), scale);
}

template <class Half>
const std::vector<double>& Magnitudes() {
  static const std::vector<double> values = [] {
    std::vector<double> all;
    for (std::uint32_t bits = 0; bits <= Facts<Half>::kInfinity; ++bits) {
      all.push_back(Magnitude<Half>(bits));
    }
    return all;
  }();
  return values;
}

// By search: the nearer neighbour, of two equally near ones the even one.
template <class Half>
std::uint16_t Nearest(float value) {
  if (std::isnan(value)) return Half::kQuietNan;
  const std::vector<double>& all = Magnitudes<Half>();
  const double magnitude = std::fabs(static_cast<double>(value));
  const std::uint32_t sign = std::signbit(value) ? 0x8000 : 0;
  const auto above = std::lower_bound(all.begin(), all.end(), magnitude);
  auto bits = static_cast<std::uint32_t>(above - all.begin());
  if (above == all.end()) {
    bits = Facts<Half>::kInfinity;
  } else if (*above != magnitude) {
    const double up = *above - magnitude;
    const double down = magnitude - *(above - 1);
    if (down < up || (down == up && bits % 2 != 0)) --bits;
  }
  return static_cast<std::uint16_t>(sign | bits);
}

template <class Half>
class HalfTest : public testing::Test {};
using Formats = testing::Types<Fp16, Bf16>;
TYPED_TEST_SUITE(HalfTest, Formats);

TYPED_TEST(HalfTest, EveryValueWidensExactlyAndComesBack) {
  for (std::uint32_t bits = 0; bits <= 0xFFFF; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const float wide = TypeParam::ToFloat(half);
    const std::uint32_t magnitude = bits & 0x7FFF;
    ASSERT_EQ(std::bit_cast<std::uint32_t>(wide) >> 31, bits >> 15) << std::hex << bits;
    if (magnitude > Facts<TypeParam>::kInfinity) {
      const std::uint32_t payload = magnitude - Facts<TypeParam>::kInfinity;
      ASSERT_EQ(std::bit_cast<std::uint32_t>(wide) & kFloatMagnitude,
                kFloatInfinity | payload << (23 - Facts<TypeParam>::kMantissaBits))
          << std::hex << bits;
      ASSERT_EQ(TypeParam::FromFloat(wide), TypeParam::kQuietNan) << std::hex << bits;
      continue;
    }
    if (magnitude == Facts<TypeParam>::kInfinity) {
      ASSERT_TRUE(std::isinf(wide));
    } else {
      ASSERT_EQ(std::fabs(static_cast<double>(wide)), Magnitude<TypeParam>(magnitude))
          << std::hex << bits;
    }
    ASSERT_EQ(TypeParam::FromFloat(wide), half) << std::hex << bits;
  }
}

// Between each value and the next: just below the middle, the middle, just above.
TYPED_TEST(HalfTest, RoundsToNearestAndTiesToEven) {
  for (std::uint32_t bits = 0; bits < Facts<TypeParam>::kInfinity; ++bits) {
    const double low = Magnitude<TypeParam>(bits);
    const auto middle = static_cast<float>(low + (Magnitude<TypeParam>(bits + 1) - low) / 2);
    const std::uint32_t even = bits % 2 == 0 ? bits : bits + 1;
    for (const std::uint32_t sign : {0x0000U, 0x8000U}) {
      const float signed_middle = sign != 0 ? -middle : middle;
      const float outer = std::nextafter(signed_middle, sign != 0 ? -INFINITY : INFINITY);
      const float inner = std::nextafter(signed_middle, 0.0F);
      ASSERT_EQ(TypeParam::FromFloat(inner), sign | bits) << std::hex << bits;
      ASSERT_EQ(TypeParam::FromFloat(signed_middle), sign | even) << std::hex << bits;
      ASSERT_EQ(TypeParam::FromFloat(outer), sign | (bits + 1)) << std::hex << bits;
    }
  }
}

TYPED_TEST(HalfTest, RandomFloatsGoToTheNearestValue) {
  std::mt19937 random(7);
  for (int i = 0; i < 1'000'000; ++i) {
    auto bits = static_cast<std::uint32_t>(random());
    // Every second one within the range of fp16.
    if (i % 2 != 0) bits = (bits & 0x807FFFFF) | (0x65U + bits % 0x2B) << 23;
    const auto value = std::bit_cast<float>(bits);
    ASSERT_EQ(TypeParam::FromFloat(value), Nearest<TypeParam>(value)) << std::hex << bits;
  }
}

TYPED_TEST(HalfTest, RoundingModeAndFlushToZeroDoNotMatter) {
  std::vector<float> values;
  for (std::uint32_t high = 0; high <= 0xFFFF; ++high) {
    for (const std::uint32_t low :
         {0x0000U, 0x0FFFU, 0x1000U, 0x1001U, 0x7FFFU, 0x8000U, 0x8001U}) {
      values.push_back(std::bit_cast<float>(high << 16 | low));
    }
  }
  const auto convert = [&] {
    std::vector<std::uint16_t> halves(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) halves[i] = TypeParam::FromFloat(values[i]);
    return halves;
  };
  const std::vector<std::uint16_t> expected = convert();
  for (std::size_t i = 0; i < values.size(); i += 97) {
    ASSERT_EQ(expected[i], Nearest<TypeParam>(values[i]));
  }
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    const std::vector<std::uint16_t> halves = convert();
    std::fesetround(FE_TONEAREST);
    EXPECT_TRUE(halves == expected) << "rounding mode " << mode;
  }
#if defined(__SSE__)
  const unsigned kept = _mm_getcsr();
  _mm_setcsr(kept | 0x8040);  // flush to zero, denormals are zero
  const std::vector<std::uint16_t> halves = convert();
  _mm_setcsr(kept);
  EXPECT_TRUE(halves == expected) << "flush to zero";
#endif
}

TEST(Half, ExamplesOfBothFormats) {
  static_assert(Fp16::FromFloat(1.0F) == 0x3C00 && Bf16::FromFloat(1.0F) == 0x3F80);
  static_assert(Fp16::FromFloat(65504.0F) == 0x7BFF && Fp16::FromFloat(65520.0F) == 0x7C00);
  static_assert(Fp16::FromFloat(65519.996F) == 0x7BFF && Fp16::FromFloat(-1e30F) == 0xFC00);
  static_assert(Fp16::FromFloat(0x1p-24F) == 1 && Fp16::FromFloat(0x1p-25F) == 0);
  static_assert(Fp16::FromFloat(0x1.8p-25F) == 1 && Fp16::FromFloat(-0.0F) == 0x8000);
  static_assert(Bf16::FromFloat(std::numeric_limits<float>::max()) == 0x7F80);
  static_assert(Fp16::ToFloat(0x0001) == 0x1p-24F && Fp16::ToFloat(0x03FF) == 0x1.ff8p-15F);
  static_assert(HalfToFloat(HalfFormat::kFp16, 0xC000) == -2.0F);
  static_assert(HalfToFloat(HalfFormat::kBf16, 0xC000) == -2.0F);
}

}  // namespace
}  // namespace belay::kernels
