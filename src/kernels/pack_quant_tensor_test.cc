// PackQuantTensor on every instruction set this machine has, against plain arithmetic: counts
// around the vector length, misaligned ends, guard elements, single values, special values,
// rounding modes.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "kernels/pack_quant.h"
#include "support/every_target.h"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace belay::kernels {
namespace {

using testing::OnEveryTarget;
using enum QuantRounding;

constexpr std::uint64_t kGuard = 0xABABABABCDCDCDCD;
constexpr std::size_t kMaxLanes = 16;

float FromBits(std::uint32_t bits) { return std::bit_cast<float>(bits); }
std::uint32_t Bits(float value) { return std::bit_cast<std::uint32_t>(value); }
bool IsFinite(float value) { return (Bits(value) & 0x7F800000) != 0x7F800000; }

// By distance in double precision, where all of it is exact; infinity counts as 2^128.
std::uint32_t PlainNearestScale(std::uint32_t bits) {
  const std::uint32_t below = bits & 0xFFFFE000;
  if (!IsFinite(FromBits(bits))) return below;
  if ((bits & 0x7F800000) == 0) return bits & 0x80000000;
  const auto value = [](std::uint32_t pattern) {
    const float magnitude = FromBits(pattern & 0x7FFFFFFF);
    return std::isinf(magnitude) ? 0x1p128 : double{magnitude};
  };
  const double down = value(bits) - value(below);
  const double up = value(below + 0x2000) - value(bits);
  const bool to_above = down != up ? up < down : (below & 0x2000) != 0;
  return to_above ? below + 0x2000 : below;
}

std::uint64_t PlainWord(float scale, float offset, QuantRounding rounding) {
  const std::uint32_t scale_bits =
      rounding == kV3RoundMode1 ? PlainNearestScale(Bits(scale)) : Bits(scale) & 0xFFFFE000;
  double value = std::isnan(offset) ? 0.0 : std::nearbyint(double{offset});
  value = std::fmax(-256.0, std::fmin(255.0, value));
  const auto field = static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) & 0x1FF;
  return field << 37 | 0x400000000000 | scale_bits;
}

std::vector<float> SpecialValues() {
  std::vector<float> values = {0.0F,   0.5F,   1.0F,   1.5F,   2.5F,   254.5F,   255.0F, 255.5F,
                               256.0F, 256.5F, 257.5F, 512.0F, 513.0F, 65536.0F, 3e9F,   1e30F};
  for (const float value : std::vector(values)) {
    values.push_back(std::nextafter(value, 1e38F));
    values.push_back(std::nextafter(value, -1e38F));
  }
  for (const std::uint32_t bits :
       {0x00000001U, 0x00001000U, 0x007FFFFFU, 0x00800000U, 0x00800FFFU, 0x00801000U,
        0x00803000U, 0x3F800FFFU, 0x3F801000U, 0x3F801001U, 0x3F803000U, 0x3FFFF000U,
        0x3FFFEFFFU, 0x7F7FEFFFU, 0x7F7FF000U, 0x7F7FFFFFU, 0x7F800000U, 0x7F800001U,
        0x7FA01000U, 0x7FC00000U, 0x7FFFFFFFU, 0x3F8CCCCDU}) {
    values.push_back(FromBits(bits));
  }
  for (const float value : std::vector(values)) values.push_back(FromBits(Bits(value) ^ 1U << 31));
  return values;
}

std::vector<float> RandomValues(std::size_t count, std::uint32_t seed, bool finite) {
  std::mt19937 random(seed);
  const std::vector<float> special = SpecialValues();
  std::vector<float> values;
  while (values.size() < count) {
    const auto kind = random() % 3;
    const float value = kind == 0 ? FromBits(static_cast<std::uint32_t>(random()))
                        : kind == 1
                            ? static_cast<float>(static_cast<int>(random() % 2400) - 1200) / 4.0F
                            : special[random() % special.size()];
    if (!finite || IsFinite(value)) values.push_back(value);
  }
  return values;
}

// An array that lies off its alignment.
class Shifted {
 public:
  Shifted(const std::vector<float>& values, std::size_t shift) : room_(values.size() + 4) {
    first_ = reinterpret_cast<char*>(room_.data()) + shift;
    if (!values.empty()) std::memcpy(first_, values.data(), values.size() * sizeof(float));
  }
  Shifted(const Shifted&) = delete;
  [[nodiscard]] const float* get() const { return reinterpret_cast<const float*>(first_); }

 private:
  std::vector<float> room_;
  char* first_;
};

struct Form {
  bool single_scale;
  bool has_offset;
  bool single_offset;
};

void CheckPacking(std::size_t count, std::size_t shift, Form form, bool finite) {
  const auto length = [count](bool single) {
    return single ? std::min<std::size_t>(1, count) : count;
  };
  const auto seed = static_cast<std::uint32_t>(count * 2 + (finite ? 1 : 0));
  const std::vector<float> scale = RandomValues(length(form.single_scale), seed, finite);
  const std::vector<float> offset = RandomValues(length(form.single_offset), seed + 9999, finite);
  const Shifted scales(scale, shift);
  const Shifted offsets(offset, shift);
  const bool all_finite = std::ranges::all_of(scale, IsFinite) &&
                          (!form.has_offset || std::ranges::all_of(offset, IsFinite));
  std::vector<std::uint64_t> room(count + 4);
  auto* const out = reinterpret_cast<char*>(room.data() + 1) + shift;
  for (const QuantRounding rounding : {kV2, kV3RoundMode1}) {
    for (const Writing writing : {Writing::kCached, Writing::kStreaming}) {
      std::fill(room.begin(), room.end(), kGuard);
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t word =
            PlainWord(scale[form.single_scale ? 0 : i],
                      form.has_offset ? offset[form.single_offset ? 0 : i] : 0.0F, rounding);
        std::memcpy(out + i * sizeof(word), &word, sizeof(word));
      }
      const std::vector<std::uint64_t> expected = room;
      std::fill(room.begin(), room.end(), kGuard);
      const bool said_finite =
          PackQuantTensor({scales.get(), form.single_scale},
                          {form.has_offset ? offsets.get() : nullptr, form.single_offset}, count,
                          rounding, reinterpret_cast<std::uint64_t*>(out), writing);
      EXPECT_EQ(room, expected) << count << " words, shift " << shift << ", single scale "
                                << form.single_scale << ", offset " << form.has_offset
                                << ", single offset " << form.single_offset << ", rounding "
                                << static_cast<int>(rounding) << ", writing "
                                << static_cast<int>(writing);
      EXPECT_EQ(said_finite, count == 0 || all_finite);
    }
  }
}

constexpr Form kForms[] = {
    {false, false, false}, {false, true, false}, {true, true, false}, {false, true, true}};

TEST(PackQuantTensor, MatchesPlainArithmeticAtEveryCountAndAlignment) {
  OnEveryTarget([] {
    for (const Form& form : kForms) {
      for (const bool finite : {true, false}) {
        for (std::size_t count = 0; count <= 3 * kMaxLanes + 1; ++count) {
          for (const std::size_t shift : {0, 1, 4, 8}) {
            CheckPacking(count, shift, form, finite);
          }
        }
        CheckPacking(5000, sizeof(float), form, finite);
      }
    }
  });
}

TEST(AllFinite, NeedsNoAlignment) {
  OnEveryTarget([] {
    for (std::size_t count = 1; count <= kMaxLanes + 1; ++count) {
      std::vector<float> values(count, 1.0F);
      EXPECT_TRUE(AllFinite(Shifted(values, 1).get(), count));
      values.back() = FromBits(0x7F800000);
      EXPECT_FALSE(AllFinite(Shifted(values, 3).get(), count));
    }
  });
}

TEST(PackQuantTensor, ASingleWordOfSingleValues) {
  OnEveryTarget([] {
    for (const bool finite : {true, false}) CheckPacking(1, 0, {true, true, true}, finite);
    CheckPacking(1, 0, {true, false, false}, true);
  });
}

TEST(PackQuantTensor, PublishedVectors) {
  using Words = std::vector<std::uint64_t>;
  const struct {
    std::vector<float> scale;
    std::vector<float> offset;
    QuantRounding rounding;
    Words words;
  } cases[] = {
      {{0.1F, 1.1F}, {}, kV2, {0x000040003DCCC000, 0x000040003F8CC000}},
      {{-1.1F}, {}, kV2, {0x00004000BF8CC000}},
      {{1.0F},
       {0.5F, 1.5F, 2.5F, -300.0F},
       kV2,
       {0x000040003F800000, 0x000040403F800000, 0x000040403F800000, 0x000060003F800000}},
      {{1.99999F, 1 + 0x1p-11F, 1 + 3 * 0x1p-11F},
       {3.0F},
       kV3RoundMode1,
       {0x0000406040000000, 0x000040603F800000, 0x000040603F804000}},
  };
  OnEveryTarget([&] {
    for (const auto& each : cases) {
      Words words(each.words.size(), kGuard);
      EXPECT_TRUE(PackQuantTensor(
          {each.scale.data(), each.scale.size() == 1},
          {each.offset.empty() ? nullptr : each.offset.data(), each.offset.size() == 1},
          words.size(), each.rounding, words.data(), Writing::kCached));
      EXPECT_EQ(words, each.words);
    }
  });
}

// Patterns that visit each exponent and the ends of each step of the scale, as scales and offsets.
TEST(PackQuantTensor, PacksEveryKindOfPattern) {
  std::vector<float> values;
  for (std::uint32_t high = 0; high < 0x80000; high += 3) {
    for (const std::uint32_t low : {0x0000U, 0x0001U, 0x0FFFU, 0x1000U, 0x1001U, 0x1FFFU}) {
      values.push_back(FromBits(high << 13 | low));
    }
  }
  for (const QuantRounding rounding : {kV2, kV3RoundMode1}) {
    std::vector<std::uint64_t> expected(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      expected[i] = PlainWord(values[i], values[i], rounding);
    }
    OnEveryTarget([&] {
      std::vector<std::uint64_t> out(values.size(), kGuard);
      EXPECT_FALSE(PackQuantTensor({values.data()}, {values.data()}, values.size(), rounding,
                                   out.data(), Writing::kCached));
      for (std::size_t i = 0; i < values.size(); ++i) {
        ASSERT_EQ(out[i], expected[i]) << std::hex << Bits(values[i]);
      }
    });
  }
}

// The kernel and belay/quant_param.h state the same rules.
TEST(PackQuantTensor, AgreesWithTheHeader) {
  const std::vector<float> values = SpecialValues();
  for (const QuantRounding rounding : {kV2, kV3RoundMode1}) {
    std::vector<std::uint64_t> out(values.size());
    (void)PackQuantTensor({values.data()}, {values.data()}, values.size(), rounding, out.data(),
                          Writing::kCached);
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_EQ(out[i], PackQuantParam(values[i], values[i], QuantLayout::kPacked19, rounding));
    }
  }
}

std::vector<std::uint64_t> PackAll(const std::vector<float>& values, QuantRounding rounding) {
  std::vector<std::uint64_t> out(values.size());
  (void)PackQuantTensor({values.data()}, {values.data()}, values.size(), rounding, out.data(),
                        Writing::kCached);
  (void)PackQuantTensor({values.data(), true}, {values.data()}, values.size(), rounding, out.data(),
                        Writing::kCached);
  (void)PackQuantTensor({values.data()}, {values.data()}, values.size(), rounding, out.data(),
                        Writing::kCached);
  return out;
}

TEST(PackQuantTensor, RoundingModeAndFlushToZeroDoNotMatter) {
  const std::vector<float> values = SpecialValues();
  for (const QuantRounding rounding : {kV2, kV3RoundMode1}) {
    std::vector<std::uint64_t> expected;
    for (const float value : values) expected.push_back(PlainWord(value, value, rounding));
    OnEveryTarget([&] {
      for (const int mode : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
        std::fesetround(mode);
        const std::vector<std::uint64_t> out = PackAll(values, rounding);
        std::fesetround(FE_TONEAREST);
        EXPECT_EQ(out, expected) << "rounding mode " << mode;
      }
#if defined(__SSE__)
      const unsigned kept = _mm_getcsr();
      _mm_setcsr(kept | 0x8040);  // flush to zero, denormals are zero
      const std::vector<std::uint64_t> out = PackAll(values, rounding);
      _mm_setcsr(kept);
      EXPECT_EQ(out, expected) << "flush to zero";
#endif
    });
  }
}

TEST(PackQuantTensor, RaisesNoFloatingPointFlag) {
  const std::vector<float> values = SpecialValues();
  OnEveryTarget([&] {
    std::feclearexcept(FE_ALL_EXCEPT);
    (void)PackAll(values, kV2);
    (void)PackAll(values, kV3RoundMode1);
    EXPECT_EQ(std::fetestexcept(FE_ALL_EXCEPT), 0);
  });
}

TEST(PackQuantTensor, FindsOneBadValueAnywhere) {
  const float bad[] = {FromBits(0x7F800000), FromBits(0xFF800000), FromBits(0x7F800001)};
  OnEveryTarget([&] {
    for (std::size_t count = 1; count <= 3 * kMaxLanes + 1; ++count) {
      std::vector<float> values(count, FromBits(0xFF7FFFFF));
      const std::vector<float> good(count, 1.0F);
      std::vector<std::uint64_t> out(count);
      const auto pack = [&](QuantOperand scale, QuantOperand offset, QuantRounding rounding) {
        return PackQuantTensor(scale, offset, count, rounding, out.data(), Writing::kCached);
      };
      for (const QuantRounding rounding : {kV2, kV3RoundMode1}) {
        EXPECT_TRUE(pack({values.data()}, {values.data()}, rounding));
        for (std::size_t i = 0; i < count; ++i) {
          const float kept = std::exchange(values[i], bad[i % std::size(bad)]);
          EXPECT_FALSE(pack({values.data()}, {}, rounding)) << count << ", bad one at " << i;
          EXPECT_FALSE(pack({values.data()}, {good.data()}, rounding)) << count << " at " << i;
          EXPECT_FALSE(pack({good.data()}, {values.data()}, rounding)) << count << " at " << i;
          EXPECT_FALSE(pack({good.data(), true}, {values.data()}, rounding)) << count;
          if (i == 0) {
            EXPECT_FALSE(pack({values.data(), true}, {good.data()}, rounding)) << count;
            EXPECT_FALSE(pack({good.data()}, {values.data(), true}, rounding)) << count;
          }
          values[i] = kept;
        }
      }
    }
  });
}

}  // namespace
}  // namespace belay::kernels
