// Held against one column at a time: widths around the block, misaligned ends, guard bytes, special
// values, rounding modes, traps.
#include "kernels/row_add.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace belay::kernels {
namespace {

using Halves = std::vector<std::uint16_t>;

constexpr std::uint16_t kGuard = 0xABCD;

std::uint16_t Narrow(HalfFormat format, float value) {
  return format == HalfFormat::kFp16 ? Fp16::FromFloat(value) : Bf16::FromFloat(value);
}

// One column, each step a float32.
std::uint16_t PlainColumn(HalfFormat format, float factor, const Halves& updates,
                          const std::vector<std::uint32_t>& which, std::size_t width,
                          std::size_t column, std::uint16_t start) {
  volatile float sum = HalfToFloat(format, start);
  for (const std::uint32_t k : which) {
    volatile float product = factor * HalfToFloat(format, updates[k * width + column]);
    sum = sum + product;
  }
  return Narrow(format, sum);
}

struct Case {
  HalfFormat format;
  float factor;
  std::size_t width;
  std::vector<std::uint32_t> which;
  Halves updates;
  Halves row;

  [[nodiscard]] Halves Expected() const {
    if (which.empty()) return row;
    Halves expected(width);
    for (std::size_t c = 0; c < width; ++c) {
      expected[c] = PlainColumn(format, factor, updates, which, width, c, row[c]);
    }
    return expected;
  }

  // With both arrays `shift` bytes off and guards at both ends of the row.
  [[nodiscard]] Halves Actual(std::size_t shift = 0) const {
    std::vector<std::byte> update_bytes(updates.size() * 2 + shift);
    if (!updates.empty()) {
      std::memcpy(update_bytes.data() + shift, updates.data(), updates.size() * 2);
    }
    Halves framed(width + 2, kGuard);
    std::copy(row.begin(), row.end(), framed.begin() + 1);
    std::vector<std::byte> bytes(framed.size() * 2 + shift);
    std::memcpy(bytes.data() + shift, framed.data(), framed.size() * 2);
    const std::vector<std::int32_t> rows(which.size());
    const RowPairs pairs{reinterpret_cast<const std::byte*>(rows.data()), which.data(),
                         which.size()};
    RowAdd({format, factor, width, update_bytes.data() + shift, bytes.data() + shift + 2, pairs},
           {0, which.size(), 0, width});
    std::memcpy(framed.data(), bytes.data() + shift, framed.size() * 2);
    EXPECT_EQ(framed.front(), kGuard);
    EXPECT_EQ(framed.back(), kGuard);
    return {framed.begin() + 1, framed.end() - 1};
  }
};

Case RandomCase(HalfFormat format, std::size_t width, std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto any_half = [&] { return static_cast<std::uint16_t>(random()); };
  Case data{format, HalfToFloat(format, any_half()), width, {}, {}, {}};
  if (seed % 3 == 0) data.factor = 1.0F;
  constexpr std::size_t kRows = 5;
  for (std::size_t i = random() % 7; i > 0; --i) {
    data.which.push_back(static_cast<std::uint32_t>(random() % kRows));
  }
  for (std::size_t i = 0; i < kRows * width; ++i) data.updates.push_back(any_half());
  for (std::size_t i = 0; i < width; ++i) data.row.push_back(any_half());
  return data;
}

TEST(RowAdd, MatchesOneColumnAtATime) {
  std::uint32_t seed = 0;
  for (const HalfFormat format : {HalfFormat::kFp16, HalfFormat::kBf16}) {
    for (const std::size_t width : std::initializer_list<std::size_t>{
             0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 511, 512, 513, 1500}) {
      for (std::size_t shift = 0; shift < 3; ++shift) {
        const Case data = RandomCase(format, width, ++seed);
        ASSERT_EQ(data.Actual(shift), data.Expected()) << width << " columns, shift " << shift;
      }
    }
  }
}

TEST(RowAdd, SumsInOrderAndRoundsOnce) {
  // 2048 + 1 is a tie in fp16; in float32 nothing is lost until the end.
  Case data{HalfFormat::kFp16, 1.0F, 1, {0, 0, 0}, {Fp16::FromFloat(1.0F)}, {0x6800}};
  EXPECT_EQ(data.Actual(), Halves{Fp16::FromFloat(2052.0F)});  // 2051 to even
  // A float32 overflow in the middle is not undone.
  data = {HalfFormat::kBf16, 1.0F, 1, {0, 1}, {0x7F7F, 0xFF7F}, {0x7F7F}};
  EXPECT_EQ(data.Actual(), Halves{0x7F80});
  data.which = {1, 0};
  EXPECT_EQ(data.Actual(), Halves{0x7F7F});
  // So is the product, on its own: a fused multiply and add would give 2^127.
  data = {HalfFormat::kBf16, 2.0F, 1, {0}, {0x7F00}, {0xFF00}};
  EXPECT_EQ(data.Actual(), Halves{0x7F80});
}

TEST(RowAdd, ComputedNanIsCanonical) {
  for (const HalfFormat format : {HalfFormat::kFp16, HalfFormat::kBf16}) {
    const bool fp16 = format == HalfFormat::kFp16;
    const std::uint16_t canonical = fp16 ? 0x7E00 : 0x7FC0;
    const std::uint16_t infinity = fp16 ? 0x7C00 : 0x7F80;
    const auto nan = static_cast<std::uint16_t>(0x8000 | infinity | 0x15);
    Case data{format, 1.0F, 4, {0}, {0, nan, infinity, 0}, {nan, 0, 0, 0}};
    data.row[2] = static_cast<std::uint16_t>(infinity | 0x8000);
    EXPECT_EQ(data.Actual(), (Halves{canonical, canonical, canonical, 0}));
    data = {format, HalfToFloat(format, infinity), 1, {0}, {0}, {0}};  // infinity * 0
    EXPECT_EQ(data.Actual(), Halves{canonical});
  }
}

TEST(RowAdd, TheCallersFloatEnvironmentDoesNotMatterAndStays) {
  std::vector<Case> cases;
  std::vector<Halves> expected;
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    cases.push_back(RandomCase(seed % 2 == 0 ? HalfFormat::kFp16 : HalfFormat::kBf16, 70, seed));
    expected.push_back(cases.back().Expected());
  }
  const auto run = [&] {
    std::vector<Halves> results;
    for (const Case& data : cases) results.push_back(data.Actual());
    return results;
  };
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    const std::vector<Halves> results = run();
    EXPECT_EQ(std::fegetround(), mode);
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(results, expected) << "rounding mode " << mode;
  }
#if defined(__SSE__)
  const unsigned kept = _mm_getcsr();
  // Flush to zero, denormals are zero, every exception traps.
  const unsigned strange = (kept | 0x8040) & ~0x1FBFU;
  _mm_setcsr(strange);
  const std::vector<Halves> results = run();
  EXPECT_EQ(_mm_getcsr(), strange);
  _mm_setcsr(kept);
  EXPECT_EQ(results, expected) << "flush to zero";
#endif
  std::feclearexcept(FE_ALL_EXCEPT);
  (void)run();
#if defined(__SSE__)
  EXPECT_EQ(std::fetestexcept(FE_ALL_EXCEPT), 0);
#endif
}

}  // namespace
}  // namespace belay::kernels
