// Every instruction set this machine has is forced in turn and compared with plain loops: counts
// around the vector length, misaligned ends, guard elements, special values, rounding modes.
#include "kernels/pack_quant.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "support/every_target.h"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace belay::kernels {
namespace {

using testing::OnEveryTarget;

constexpr std::uint64_t kGuard = 0xABABABABCDCDCDCD;
// Of 32-bit values, in the longest vectors of x86 and NEON; longer ones still meet their tails.
constexpr std::size_t kMaxLanes = 16;
constexpr std::uint32_t kDocumentedMask = 0xFFFFE000;

float FromBits(std::uint32_t bits) { return std::bit_cast<float>(bits); }
std::uint32_t Bits(float value) { return std::bit_cast<std::uint32_t>(value); }

bool IsFinite(float value) { return (Bits(value) & 0x7F800000) != 0x7F800000; }

std::uint64_t PlainPack(float scale, std::uint32_t mask) {
  return (Bits(scale) & mask) | 0x400000000000;
}

std::uint64_t PlainOffset(float offset) {
  double value = std::isnan(offset) ? 0.0 : std::round(double{offset});
  if (value < -256.0) value = -256.0;
  if (value > 255.0) value = 255.0;
  const auto integer = static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  return (integer & 0x1FF) << 37;
}

std::int64_t OffsetOf(float offset) {
  const float scale = FromBits(0xFFFFFFFF);
  std::uint64_t word = 0;
  (void)PackQuant(&scale, &offset, 1, 0xFFFFFFFF, &word, Writing::kCached);
  EXPECT_EQ(word & ~(std::uint64_t{0x1FF} << 37), 0x4000FFFFFFFF);
  const auto bits = static_cast<std::int64_t>((word >> 37) & 0x1FF);
  return bits >= 256 ? bits - 512 : bits;
}

std::vector<float> SpecialValues() {
  std::vector<float> values = {0.0F,   0.5F,   1.0F,   1.5F,   2.5F,   254.5F,   255.0F, 255.5F,
                               256.0F, 256.5F, 511.5F, 512.0F, 513.0F, 65536.0F, 3e9F,   1e30F};
  for (const float value : std::vector(values)) {
    values.push_back(std::nextafter(value, 1e38F));
    values.push_back(std::nextafter(value, -1e38F));
  }
  for (const std::uint32_t bits : {0x00000001U, 0x00000FFFU, 0x00400000U, 0x007FFFFFU, 0x00800000U,
                                   0x7F7FFFFFU, 0x7F800000U, 0x7F800001U, 0x7FA00000U, 0x7FC00000U,
                                   0x7FFFFFFFU, 0x3F8CCCCDU, 0x33000000U, 0x44000001U}) {
    values.push_back(FromBits(bits));
  }
  for (const float value : std::vector(values))
    values.push_back(FromBits(Bits(value) ^ 0x80000000));
  return values;
}

std::vector<float> RandomValues(std::size_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  const std::vector<float> special = SpecialValues();
  std::vector<float> values(count);
  for (float& value : values) {
    switch (random() % 3) {
      case 0:
        value = FromBits(static_cast<std::uint32_t>(random()));
        break;
      case 1:
        value = static_cast<float>(static_cast<int>(random() % 2400) - 1200) / 4.0F;
        break;
      default:
        value = special[random() % special.size()];
    }
  }
  return values;
}

// Both arrays lie `shift` bytes off their alignment, with guards around the output.
void CheckPacking(std::size_t count, std::size_t shift) {
  const std::vector<float> scale = RandomValues(count, static_cast<std::uint32_t>(count));
  const std::vector<float> offset = RandomValues(count, static_cast<std::uint32_t>(count + 1000));
  std::vector<float> scale_room(count + 4);
  std::vector<float> offset_room(count + 4);
  std::vector<std::uint64_t> out_room(count + 4, kGuard);
  auto* const scale_bytes = reinterpret_cast<char*>(scale_room.data()) + shift;
  auto* const offset_bytes = reinterpret_cast<char*>(offset_room.data()) + shift;
  auto* const out_bytes = reinterpret_cast<char*>(out_room.data() + 1) + shift;
  if (count != 0) std::memcpy(scale_bytes, scale.data(), count * sizeof(float));
  if (count != 0) std::memcpy(offset_bytes, offset.data(), count * sizeof(float));
  const std::vector<std::uint64_t> before = out_room;

  const bool finite = std::ranges::all_of(scale, IsFinite);
  const bool finite_offset = std::ranges::all_of(offset, IsFinite);
  for (const std::uint32_t mask : {kDocumentedMask, 0xFFFFFFFFU}) {
    for (const Writing writing : {Writing::kCached, Writing::kStreaming}) {
      const auto check = [&](bool with_scale, bool with_offset) {
        std::vector<std::uint64_t> expected_room = before;
        auto* const expected = reinterpret_cast<char*>(expected_room.data() + 1) + shift;
        for (std::size_t i = 0; i < count; ++i) {
          const std::uint64_t word = (with_scale ? PlainPack(scale[i], mask) : 0) |
                                     (with_offset ? PlainOffset(offset[i]) : 0);
          std::memcpy(expected + i * sizeof(word), &word, sizeof(word));
        }
        out_room = before;
        const bool all_finite =
            PackQuant(with_scale ? reinterpret_cast<const float*>(scale_bytes) : nullptr,
                      with_offset ? reinterpret_cast<const float*>(offset_bytes) : nullptr, count,
                      mask, reinterpret_cast<std::uint64_t*>(out_bytes), writing);
        EXPECT_EQ(out_room, expected_room)
            << count << " elements, shift " << shift << ", scale " << with_scale << ", offset "
            << with_offset << ", writing " << static_cast<int>(writing);
        EXPECT_EQ(all_finite, (!with_scale || finite) && (!with_offset || finite_offset));
      };
      check(true, false);
      check(false, true);
      check(true, true);
    }
  }
}

TEST(PackQuant, MatchesPlainLoopsAtEveryCountAndAlignment) {
  OnEveryTarget([] {
    for (std::size_t count = 0; count <= 3 * kMaxLanes + 1; ++count) {
      for (std::size_t shift = 0; shift <= 2 * sizeof(float); shift += sizeof(float)) {
        CheckPacking(count, shift);
      }
    }
    CheckPacking(5000, sizeof(float));
  });
}

TEST(PackQuant, RoundsHalfAwayFromZeroAndClamps) {
  const std::pair<float, std::int64_t> cases[] = {
      {0.0F, 0},
      {-0.0F, 0},
      {0.49999997F, 0},
      {-0.49999997F, 0},
      {0.5F, 1},
      {-0.5F, -1},
      {1.4999999F, 1},
      {1.5F, 2},
      {2.5F, 3},
      {-2.5F, -3},
      {254.49998F, 254},
      {254.5F, 255},
      {-254.5F, -255},
      {255.5F, 255},
      {-255.5F, -256},
      {-256.5F, -256},
      {-300.0F, -256},
      {300.0F, 255},
      {1e-30F, 0},
      {-1e-45F, 0},
      {3e9F, 255},
      {-3e9F, -256},
      {1e38F, 255},
      {-1e38F, -256},
      {std::numeric_limits<float>::infinity(), 255},
      {-std::numeric_limits<float>::infinity(), -256},
      {std::numeric_limits<float>::quiet_NaN(), 0},
      {-std::numeric_limits<float>::quiet_NaN(), 0},
      {std::numeric_limits<float>::signaling_NaN(), 0},
  };
  OnEveryTarget([&] {
    for (const auto& [offset, expected] : cases) EXPECT_EQ(OffsetOf(offset), expected) << offset;
  });
}

// All patterns from 0 to 2^10 in steps that visit each exponent and the ends of each binade.
TEST(PackQuant, PacksEveryKindOfPattern) {
  OnEveryTarget([] {
    std::vector<float> offset;
    for (std::uint32_t high = 0; high < 0x10000; ++high) {
      for (const std::uint32_t low : {0x0000U, 0x0001U, 0x7FFFU, 0x8000U, 0xFFFFU}) {
        offset.push_back(FromBits(high << 16 | low));
      }
    }
    std::vector<std::uint64_t> out(offset.size(), kGuard);
    (void)PackQuant(nullptr, offset.data(), offset.size(), 0, out.data(), Writing::kCached);
    for (std::size_t i = 0; i < offset.size(); ++i) {
      ASSERT_EQ(out[i], PlainOffset(offset[i])) << std::hex << Bits(offset[i]);
    }
  });
}

TEST(PackQuant, FindsOneBadValueAnywhere) {
  const std::uint32_t bad[] = {0x7F800000, 0xFF800000, 0x7F800001, 0x7FC00000, 0xFFFFFFFF};
  OnEveryTarget([&] {
    for (std::size_t count = 0; count <= 3 * kMaxLanes + 1; ++count) {
      std::vector<float> values(count + 2, FromBits(0x7F800000));
      float* const begin = values.data() + 1;
      for (std::size_t i = 0; i < count; ++i) begin[i] = FromBits(i % 2 == 0 ? 0xFF7FFFFF : 0x1);
      const std::vector<float> good(count);
      std::vector<std::uint64_t> out(count);
      const auto pack = [&](const float* scale, const float* offset) {
        return PackQuant(scale, offset, count, kDocumentedMask, out.data(), Writing::kCached);
      };
      EXPECT_TRUE(AllFinite(begin, count)) << count;
      EXPECT_TRUE(count == 0 || pack(begin, begin)) << count;
      for (std::size_t i = 0; i < count; ++i) {
        const float kept = std::exchange(begin[i], FromBits(bad[i % std::size(bad)]));
        EXPECT_FALSE(AllFinite(begin, count)) << count << " elements, bad one at " << i;
        EXPECT_FALSE(pack(begin, nullptr)) << count << " elements, bad one at " << i;
        EXPECT_FALSE(pack(begin, good.data())) << count << " elements, bad one at " << i;
        EXPECT_FALSE(pack(good.data(), begin)) << count << " elements, bad one at " << i;
        begin[i] = kept;
      }
    }
  });
}

TEST(PackQuant, DenormalScalesKeepTheirBits) {
  OnEveryTarget([] {
    const std::vector<float> scale(33, FromBits(0x807FE123));
    std::vector<std::uint64_t> out(scale.size());
    (void)PackQuant(scale.data(), nullptr, scale.size(), 0xFFFFFFFF, out.data(), Writing::kCached);
    for (const std::uint64_t word : out) EXPECT_EQ(word, 0x4000807FE123);
    (void)PackQuant(scale.data(), nullptr, scale.size(), kDocumentedMask, out.data(),
                    Writing::kCached);
    for (const std::uint64_t word : out) EXPECT_EQ(word, 0x4000807FE000);
  });
}

// The words of all special values, as scales and as offsets.
std::vector<std::uint64_t> PackSpecialValues(const std::vector<float>& values) {
  std::vector<std::uint64_t> out(values.size());
  (void)PackQuant(values.data(), values.data(), values.size(), kDocumentedMask, out.data(),
                  Writing::kCached);
  return out;
}

TEST(PackQuant, RoundingModeAndFlushToZeroDoNotMatter) {
  const std::vector<float> values = SpecialValues();
  std::vector<std::uint64_t> expected;
  for (const float value : values) {
    expected.push_back(PlainOffset(value) | PlainPack(value, kDocumentedMask));
  }
  OnEveryTarget([&] {
    for (const int mode : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
      std::fesetround(mode);
      const std::vector<std::uint64_t> out = PackSpecialValues(values);
      std::fesetround(FE_TONEAREST);
      EXPECT_EQ(out, expected) << "rounding mode " << mode;
    }
#if defined(__SSE__)
    const unsigned kept = _mm_getcsr();
    _mm_setcsr(kept | 0x8040);  // flush to zero, denormals are zero
    const std::vector<std::uint64_t> out = PackSpecialValues(values);
    _mm_setcsr(kept);
    EXPECT_EQ(out, expected) << "flush to zero";
#endif
  });
}

TEST(PackQuant, RaisesNoFloatingPointFlag) {
  const std::vector<float> values = SpecialValues();
  OnEveryTarget([&] {
    std::feclearexcept(FE_ALL_EXCEPT);
    (void)PackSpecialValues(values);
    (void)AllFinite(values.data(), values.size());
    EXPECT_EQ(std::fetestexcept(FE_ALL_EXCEPT), 0);
  });
}

}  // namespace
}  // namespace belay::kernels
