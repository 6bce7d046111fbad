// With every instruction set, held against one column at a time: widths around vectors and the
// block, misaligned ends, guard bytes, special values, rounding modes, traps.
#include "kernels/row_add.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "support/every_target.h"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace belay::kernels {
namespace {

using belay::testing::OnEveryTarget;

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
           {0, which.size(), 0, width, /*prefetch=*/shift % 2 == 0});
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
  std::vector<std::size_t> widths = {127, 128, 129, 511, 512, 513, 1500, 2047, 2048, 2049, 4500};
  for (std::size_t width = 0; width <= 70; ++width) widths.push_back(width);
  OnEveryTarget([&] {
    std::uint32_t seed = 0;
    for (const HalfFormat format : {HalfFormat::kFp16, HalfFormat::kBf16}) {
      for (const std::size_t width : widths) {
        for (std::size_t shift = 0; shift < 3; ++shift) {
          const Case data = RandomCase(format, width, ++seed);
          ASSERT_EQ(data.Actual(shift), data.Expected()) << width << " columns, shift " << shift;
        }
      }
    }
  });
}

// Around the number of updates that are read side by side, and its multiples.
TEST(RowAdd, AnyNumberOfUpdatesOfARow) {
  OnEveryTarget([] {
    std::uint32_t seed = 100;
    for (const HalfFormat format : {HalfFormat::kFp16, HalfFormat::kBf16}) {
      for (std::size_t count = 0; count <= 40; ++count) {
        Case data = RandomCase(format, 67, ++seed);
        data.which.clear();
        for (std::uint32_t j = 0; j < count; ++j) data.which.push_back(j * 7 % 5);
        ASSERT_EQ(data.Actual(1), data.Expected()) << count << " updates";
      }
    }
  });
}

// Each pattern goes through both conversions; what is added makes ties, overflows, cancellation,
// subnormal results and numbers just beside them.
TEST(RowAdd, EveryHalf) {
  constexpr std::size_t kPatterns = 0x10000;
  OnEveryTarget([] {
    for (const HalfFormat format : {HalfFormat::kFp16, HalfFormat::kBf16}) {
      const unsigned mantissa_bits = format == HalfFormat::kFp16 ? 10 : 7;
      Case data{format, 1.0F, kPatterns, {0}, Halves(kPatterns), Halves(kPatterns)};
      for (std::size_t i = 0; i < kPatterns; ++i) data.row[i] = static_cast<std::uint16_t>(i);
      const auto check = [&](auto update_of, float factor, const char* what) {
        data.factor = factor;
        for (std::size_t i = 0; i < kPatterns; ++i) {
          data.updates[i] = static_cast<std::uint16_t>(update_of(i));
        }
        ASSERT_EQ(data.Actual(), data.Expected()) << what;
      };
      check([](std::size_t) { return 0x8000; }, 1.0F, "unchanged");
      check([](std::size_t) { return 1; }, 1.0F, "the smallest subnormal");
      check([](std::size_t i) { return i; }, 1.0F, "doubled");
      check([](std::size_t i) { return i ^ 0x8001; }, 1.0F, "nearly cancelled");
      for (const unsigned below : {mantissa_bits, mantissa_bits + 1, mantissa_bits + 2}) {
        const float factor = std::ldexp(1.0F, -static_cast<int>(below));
        const auto top = [=](std::size_t i) { return i >> mantissa_bits << mantissa_bits; };
        check(top, factor, "ties");
        check([&](std::size_t i) { return top(i) ^ 0x8000; }, factor, "ties from above");
        check([&](std::size_t i) { return top(i) | 1; }, factor, "just beside ties");
      }
      check([](std::size_t i) { return i * 40503 >> 3; }, 1.4142135F, "any");
    }
  });
}

TEST(RowAdd, PartsTogetherAreTheWhole) {
  constexpr std::size_t kWidth = 150;
  constexpr std::size_t kRows = 6;
  const std::vector<std::int32_t> rows = {0, 0, 0, 2, 2, 3, 5, 5};
  const std::vector<std::uint32_t> positions = {4, 1, 7, 0, 2, 6, 3, 5};
  std::mt19937 random(3);
  Halves updates(rows.size() * kWidth);
  Halves target(kRows * kWidth);
  for (std::uint16_t& half : updates) half = static_cast<std::uint16_t>(random());
  for (std::uint16_t& half : target) half = static_cast<std::uint16_t>(random());
  OnEveryTarget([&] {
    for (const bool in_order : {false, true}) {
      const auto run = [&](std::size_t pairs, std::size_t columns) {
        Halves result = target;
        const RowAddTask task{HalfFormat::kBf16,
                              0.75F,
                              kWidth,
                              reinterpret_cast<const std::byte*>(updates.data()),
                              reinterpret_cast<std::byte*>(result.data()),
                              {reinterpret_cast<const std::byte*>(rows.data()),
                               in_order ? nullptr : positions.data(), rows.size()}};
        for (std::size_t c = 0; c < kWidth; c += columns) {
          for (std::size_t j = 0; j < rows.size(); j += pairs) {
            RowAdd(task, {j, std::min(j + pairs, rows.size()), c, std::min(c + columns, kWidth)});
          }
        }
        return result;
      };
      const Halves whole = run(rows.size(), kWidth);
      for (std::size_t row = 0; row < kRows; ++row) {
        for (std::size_t c = 0; c < kWidth; ++c) {
          std::vector<std::uint32_t> which;
          for (std::size_t j = 0; j < rows.size(); ++j) {
            if (static_cast<std::size_t>(rows[j]) != row) continue;
            which.push_back(in_order ? static_cast<std::uint32_t>(j) : positions[j]);
          }
          const std::uint16_t start = target[row * kWidth + c];
          ASSERT_EQ(whole[row * kWidth + c],
                    which.empty()
                        ? start
                        : PlainColumn(HalfFormat::kBf16, 0.75F, updates, which, kWidth, c, start));
        }
      }
      for (const std::size_t pairs : {1U, 2U, 3U}) {
        for (const std::size_t columns : {1U, 64U, 70U}) {
          EXPECT_EQ(run(pairs, columns), whole) << pairs << " pairs, " << columns << " columns";
        }
      }
    }
  });
}

TEST(RowAdd, SumsInOrderAndRoundsOnce) {
  OnEveryTarget([] {
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
  });
}

TEST(RowAdd, ComputedNanIsCanonical) {
  OnEveryTarget([] {
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
  });
}

TEST(RowAdd, TheCallersFloatEnvironmentDoesNotMatterAndStays) {
  OnEveryTarget([] {
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
  });
}

}  // namespace
}  // namespace belay::kernels
