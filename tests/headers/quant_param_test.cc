// belay/quant_param.h: vectors, every field and every problem alone, and round trips.
#include "belay/quant_param.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ops/quant_param/quant_param_reference.h"

namespace belay {
namespace {

using enum QuantLayout;
using enum QuantProblem;
using enum QuantRounding;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr QuantLayout kLayouts[] = {kPacked19, kPacked32, kFloatBits};
constexpr QuantProblem kProblems[] = {kReservedLow, kReservedHigh, kUnmarkedScale,
                                      kUnreadBits,  kUpperHalf,    kNotFiniteScale};

static_assert(std::size(kLayouts) == kQuantLayoutCount);
static_assert(std::size(kProblems) == kQuantProblemCount);

TEST(QuantParamHeader, PacksTheVersionsOfTheOperator) {
  EXPECT_EQ(PackQuantParam(1.1F, 0, kPacked19, kV1), 0x00004000'3F8CC000U);
  EXPECT_EQ(PackQuantParam(1.1F, 0, kPacked32, kV1), 0x00004000'3F8CCCCDU);
  EXPECT_EQ(PackQuantParam(1.0F, 2.5F, kPacked19, kV1), 0x00004060'3F800000U);
  EXPECT_EQ(PackQuantParam(1.0F, -0.5F, kPacked32, kV1), 0x00007FE0'3F800000U);
  EXPECT_EQ(PackQuantParam(1.0F, -300, kPacked19, kV1), 0x00006000'3F800000U);
  EXPECT_EQ(PackQuantParam(1.0F, 300, kPacked19, kV1), 0x00005FE0'3F800000U);

  EXPECT_EQ(PackQuantParam(0.1F, 0, kPacked19, kV2), 0x00004000'3DCCC000U);
  EXPECT_EQ(PackQuantParam(-1.1F, 0, kPacked19, kV2), 0x00004000'BF8CC000U);
  EXPECT_EQ(PackQuantParam(1.0F, 0.5F, kPacked19, kV2), 0x00004000'3F800000U);
  EXPECT_EQ(PackQuantParam(1.0F, 1.5F, kPacked19, kV2), 0x00004040'3F800000U);
  EXPECT_EQ(PackQuantParam(1.0F, 2.5F, kPacked19, kV2), 0x00004040'3F800000U);

  EXPECT_EQ(PackQuantParam(1.99999F, 3, kPacked19, kV3RoundMode1), 0x00004060'40000000U);
  EXPECT_EQ(PackQuantParam(1 + 0x1p-11F, 3, kPacked19, kV3RoundMode1), 0x00004060'3F800000U);
  EXPECT_EQ(PackQuantParam(1 + 3 * 0x1p-11F, 3, kPacked19, kV3RoundMode1), 0x00004060'3F804000U);
}

TEST(QuantParamHeader, FloatBitsHaveNoRoomForAnOffset) {
  for (const QuantRounding rounding : {kV1, kV2, kV3RoundMode1}) {
    EXPECT_EQ(PackQuantParam(1.1F, 7, kFloatBits, rounding), 0x3F8CCCCDU);
  }
  EXPECT_FALSE(QuantLayoutHasOffset(kFloatBits));
  EXPECT_TRUE(QuantLayoutHasOffset(kPacked19));
  EXPECT_TRUE(QuantLayoutHasOffset(kPacked32));
}

int PlainOffset(float offset, QuantRounding rounding) {
  if (std::isnan(offset)) return 0;
  const double rounded =
      rounding == kV1 ? std::round(double{offset}) : std::nearbyint(double{offset});
  return static_cast<int>(std::fmax(-256.0, std::fmin(255.0, rounded)));
}

TEST(QuantParamHeader, OffsetsRoundAsPlainArithmeticDoes) {
  for (std::uint32_t high = 0; high < 0x10000; ++high) {
    for (const std::uint32_t low : {0x0000U, 0x0001U, 0x7FFFU, 0x8000U, 0xFFFFU}) {
      const std::uint32_t bits = high << 16 | low;
      for (const QuantRounding rounding : {kV1, kV2, kV3RoundMode1}) {
        ASSERT_EQ(RoundQuantOffset(bits, rounding),
                  PlainOffset(std::bit_cast<float>(bits), rounding))
            << std::hex << bits << ", rounding " << static_cast<int>(rounding);
      }
    }
  }
  // Every tie, and what is next to it.
  for (int halves = -1100; halves <= 1100; ++halves) {
    const float tie = static_cast<float>(halves) / 2;
    for (const float offset : {tie, std::nextafter(tie, 1e9F), std::nextafter(tie, -1e9F)}) {
      for (const QuantRounding rounding : {kV1, kV2}) {
        ASSERT_EQ(RoundQuantOffset(QuantFloatBits(offset), rounding), PlainOffset(offset, rounding))
            << offset;
      }
    }
  }
}

// By distance in double precision, where all of it is exact; infinity counts as 2^128.
std::uint32_t PlainNearest19(std::uint32_t bits) {
  const std::uint32_t exponent = bits >> 23 & 0xFF;
  if (exponent == 0xFF) return bits & 0xFFFFE000;
  if (exponent == 0) return bits & 0x80000000;
  const auto value = [](std::uint32_t pattern) {
    return (pattern & 0x7FFFFFFF) == 0x7F800000 ? 0x1p128
                                                : std::fabs(double{std::bit_cast<float>(pattern)});
  };
  const std::uint32_t below = bits & 0xFFFFE000;
  const std::uint32_t above = below + 0x2000;
  const double down = value(bits) - value(below);
  const double up = value(above) - value(bits);
  if (down != up) return down < up ? below : above;
  return (below & 0x2000) == 0 ? below : above;
}

TEST(QuantParamHeader, RoundMode1IsNearestEven) {
  for (std::uint32_t high = 0; high < 0x80000; ++high) {  // the 19 bits that are read
    for (const std::uint32_t low : {0U, 1U, 0x0FFFU, 0x1000U, 0x1001U, 0x1FFFU}) {
      const std::uint32_t bits = high << 13 | low;
      ASSERT_EQ(RoundQuantScale(bits, kPacked19, kV3RoundMode1), PlainNearest19(bits))
          << std::hex << bits;
    }
  }
}

TEST(QuantParamHeader, ScalesAreCutOrKept) {
  for (const std::uint32_t bits : {0U, 0x3F8CCCCDU, 0x80001FFFU, 0x7F800001U, 0xFFFFFFFFU}) {
    EXPECT_EQ(RoundQuantScale(bits, kPacked19, kV1), bits & 0xFFFFE000U);
    EXPECT_EQ(RoundQuantScale(bits, kPacked19, kV2), bits & 0xFFFFE000U);
    for (const QuantRounding rounding : {kV1, kV2, kV3RoundMode1}) {
      EXPECT_EQ(RoundQuantScale(bits, kPacked32, rounding), bits);
      EXPECT_EQ(RoundQuantScale(bits, kFloatBits, rounding), bits);
    }
  }
}

TEST(QuantParamHeader, RoundingModeDoesNotMatter) {
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    const std::uint64_t v1 = PackQuantParam(1.99999F, -2.5F, kPacked19, kV1);
    const std::uint64_t v3 = PackQuantParam(1.99999F, -2.5F, kPacked19, kV3RoundMode1);
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(v1, 0x00007FA0'3FFFE000U) << mode;
    EXPECT_EQ(v3, 0x00007FC0'40000000U) << mode;
  }
}

TEST(QuantParamHeader, ReadsEveryOffset) {
  for (int offset = -256; offset <= 255; ++offset) {
    const std::uint64_t word = PackQuantParam(2.0F, static_cast<float>(offset), kPacked19, kV1);
    const QuantValue value = UnpackQuantParam(word, kPacked19);
    EXPECT_EQ(value.offset, offset);
    EXPECT_EQ(value.scale, 2.0F);
    EXPECT_TRUE(value.has_scale);
    EXPECT_TRUE(value.problems.empty());
    EXPECT_EQ(UnpackQuantParam(word, kFloatBits).offset, 0);
  }
}

TEST(QuantParamHeader, WordsWithoutAScaleAreWellFormed) {
  for (const QuantLayout layout : {kPacked19, kPacked32}) {
    const QuantValue padding = UnpackQuantParam(0, layout);
    EXPECT_FALSE(padding.has_scale);
    EXPECT_TRUE(padding.problems.empty());
    const QuantValue offset_only = UnpackQuantParam(0x00003FE0'00000000, layout);
    EXPECT_FALSE(offset_only.has_scale);
    EXPECT_EQ(offset_only.offset, -1);
    EXPECT_TRUE(offset_only.problems.empty());
  }
  EXPECT_TRUE(UnpackQuantParam(0, kFloatBits).has_scale);
  EXPECT_TRUE(UnpackQuantParam(0, kFloatBits).problems.empty());
}

std::set<QuantProblem> SetOf(QuantProblems problems) {
  std::set<QuantProblem> set;
  for (const QuantProblem problem : kProblems) {
    if (problems.Has(problem)) set.insert(problem);
  }
  EXPECT_EQ(problems.empty(), set.empty());
  return set;
}

TEST(QuantParamHeader, NamesWhatIsWrong) {
  const struct {
    std::uint64_t word;
    std::set<QuantProblem> packed19;
    std::set<QuantProblem> packed32;
    std::set<QuantProblem> float_bits;
  } cases[] = {
      {0x00004000'3F800000, {}, {}, {kUpperHalf}},
      {0x00004000'3F800001, {kUnreadBits}, {}, {kUpperHalf}},
      {0x00004000'3F801000, {kUnreadBits}, {}, {kUpperHalf}},
      {0x00004000'3F802000, {}, {}, {kUpperHalf}},
      {0x00004001'3F800000, {kReservedLow}, {kReservedLow}, {kUpperHalf}},
      {0x00004010'3F800000, {kReservedLow}, {kReservedLow}, {kUpperHalf}},
      {0x00004020'3F800000, {}, {}, {kUpperHalf}},
      {0x0000C000'3F800000, {kReservedHigh}, {kReservedHigh}, {kUpperHalf}},
      {0x80004000'3F800000, {kReservedHigh}, {kReservedHigh}, {kUpperHalf}},
      {0x00000000'3F800000, {kUnmarkedScale}, {kUnmarkedScale}, {}},
      {0x00000000'80000000, {kUnmarkedScale}, {kUnmarkedScale}, {}},
      {0x00000000'00000001, {kUnmarkedScale, kUnreadBits}, {kUnmarkedScale}, {}},
      {0x00000020'00000000, {}, {}, {kUpperHalf}},
      {0x00004000'7F800000, {kNotFiniteScale}, {kNotFiniteScale}, {kUpperHalf, kNotFiniteScale}},
      {0x00000000'FF800000,
       {kUnmarkedScale, kNotFiniteScale},
       {kUnmarkedScale, kNotFiniteScale},
       {kNotFiniteScale}},
      {0xFFFFFFFF'FFFFFFFF,
       {kReservedLow, kReservedHigh, kUnreadBits, kNotFiniteScale},
       {kReservedLow, kReservedHigh, kNotFiniteScale},
       {kUpperHalf, kNotFiniteScale}},
  };
  for (const auto& each : cases) {
    EXPECT_EQ(SetOf(QuantProblemsOf(each.word, kPacked19)), each.packed19) << std::hex << each.word;
    EXPECT_EQ(SetOf(QuantProblemsOf(each.word, kPacked32)), each.packed32) << std::hex << each.word;
    EXPECT_EQ(SetOf(QuantProblemsOf(each.word, kFloatBits)), each.float_bits)
        << std::hex << each.word;
  }
}

TEST(QuantParamHeader, NamesAndTextsDiffer) {
  std::set<std::string> names;
  for (const QuantLayout layout : kLayouts) names.insert(QuantLayoutName(layout));
  EXPECT_EQ(names, (std::set<std::string>{"packed19", "packed32", "floatbits"}));
  std::set<std::string> texts;
  for (const QuantProblem problem : kProblems) texts.insert(QuantProblemText(problem));
  EXPECT_EQ(texts.size(), kQuantProblemCount);
  EXPECT_FALSE(texts.contains(""));
}

using Words = std::vector<std::uint64_t>;

std::set<QuantLayout> Fitting(const QuantReport& report) {
  std::set<QuantLayout> layouts;
  for (const QuantLayout layout : kLayouts) {
    if (report.Could(layout)) layouts.insert(layout);
  }
  return layouts;
}

QuantReport Classify(const Words& words) { return ClassifyQuantParams(words.data(), words.size()); }

TEST(QuantParamHeader, TellsWhatAnArrayCouldBe) {
  const std::set<QuantLayout> any = {kPacked19, kPacked32, kFloatBits};
  const std::pair<Words, std::set<QuantLayout>> cases[] = {
      {{}, any},
      {{0, 0, 0}, any},
      {{0x00004000'3F800000}, {kPacked19, kPacked32}},
      {{0x00004000'3F8CCCCD}, {kPacked32}},
      {{0x3F8CCCCD, 0, 0x80000000}, {kFloatBits}},
      {{0x00000020'00000000, 0}, {kPacked19, kPacked32}},
      {{0x00004000'3F8CCCCD, 0x3F8CCCCD}, {}},
      {{0x3F800000'3F800000}, {}},
  };
  for (const auto& [words, layouts] : cases) EXPECT_EQ(Fitting(Classify(words)), layouts);
  EXPECT_EQ(Fitting(ClassifyQuantParams(nullptr, 0)), any);
}

void ExpectTally(const QuantTally& tally, std::uint64_t words, std::uint64_t first) {
  EXPECT_EQ(tally.words, words);
  EXPECT_EQ(tally.first, first);
}

TEST(QuantParamHeader, CountsMalformedWordsAndNamesTheFirst) {
  const QuantReport report =
      Classify({0x00004000'3F800000, 0x00004001'3F800000, 0, 0x3F800000, 0x80004001'3F800001, 0});
  EXPECT_EQ(report.words(), 6U);
  ExpectTally(report.zero(), 2, 2);
  ExpectTally(report.unmarked(), 3, 2);
  ExpectTally(report.marked_late(), 1, 4);
  const QuantFit& packed = report.Fit(kPacked19);
  ExpectTally(packed.malformed, 3, 1);
  ExpectTally(packed.Of(kReservedLow), 2, 1);
  ExpectTally(packed.Of(kReservedHigh), 1, 4);
  ExpectTally(packed.Of(kUnmarkedScale), 1, 3);
  ExpectTally(packed.Of(kUnreadBits), 1, 4);
  ExpectTally(packed.Of(kNotFiniteScale), 0, 0);
  ExpectTally(report.Fit(kPacked32).malformed, 3, 1);
  ExpectTally(report.Fit(kPacked32).Of(kUnreadBits), 0, 0);
  ExpectTally(report.Fit(kFloatBits).malformed, 3, 0);
  ExpectTally(report.Fit(kFloatBits).Of(kUpperHalf), 3, 0);
}

TEST(QuantParamHeader, WhatTheOperatorPacksFits) {
  const ops::QuantParamCase data{{1.1F, -2.0F}, std::vector<float>{1, 2, -3}};
  const Words documented = ops::ReferenceQuantParam(data, Behaviour::kDocumented);
  EXPECT_EQ(Fitting(Classify(documented)), (std::set{kPacked19, kPacked32}));
  ExpectTally(Classify(documented).unmarked(), 14, 2);
  ExpectTally(Classify(documented).zero(), 13, 3);
  ExpectTally(Classify(documented).marked_late(), 0, 0);
  const Words released = ops::ReferenceQuantParam(data, Behaviour::kReleased);
  EXPECT_EQ(Fitting(Classify(released)), std::set{kPacked32});
}

rc::Gen<float> AnyFloat() {
  return rc::gen::oneOf(rc::gen::map(rc::gen::arbitrary<std::uint32_t>(),
                                     [](std::uint32_t bits) { return std::bit_cast<float>(bits); }),
                        rc::gen::map(rc::gen::inRange(-1200, 1200),
                                     [](int halves) { return static_cast<float>(halves) / 2.0F; }),
                        rc::gen::element(0.0F, -0.0F, 1e-45F, kNan, kInf, -kInf));
}

RC_GTEST_PROP(QuantParamHeaderProperty, MatchesTheOperatorsReference, ()) {
  const float scale = *AnyFloat();
  const float offset = *AnyFloat();
  const ops::QuantParamCase data{{scale}, std::vector<float>{offset}};
  RC_ASSERT(PackQuantParam(scale, offset, kPacked19, kV1) ==
            ops::ReferenceQuantParam(data, Behaviour::kDocumented).front());
  RC_ASSERT(PackQuantParam(scale, offset, kPacked32, kV1) ==
            ops::ReferenceQuantParam(data, Behaviour::kReleased).front());
}

RC_GTEST_PROP(QuantParamHeaderProperty, UnpackingReturnsWhatWasPacked, ()) {
  const float scale = *AnyFloat();
  const float offset = *AnyFloat();
  const auto layout = *rc::gen::elementOf(std::vector(std::begin(kLayouts), std::end(kLayouts)));
  const auto rounding = *rc::gen::element(kV1, kV2, kV3RoundMode1);
  const std::uint64_t word = PackQuantParam(scale, offset, layout, rounding);
  const QuantValue value = UnpackQuantParam(word, layout);
  const std::uint32_t scale_bits = RoundQuantScale(QuantFloatBits(scale), layout, rounding);
  RC_ASSERT(QuantFloatBits(value.scale) == scale_bits);
  RC_ASSERT(value.offset == (layout == kFloatBits ? 0 : PlainOffset(offset, rounding)));
  RC_ASSERT(value.has_scale);
  RC_ASSERT(value.problems.empty() == !IsNotFiniteQuantScale(scale_bits));
}

rc::Gen<std::uint64_t> AnyWord() {
  return rc::gen::oneOf(
      rc::gen::arbitrary<std::uint64_t>(),
      rc::gen::element<std::uint64_t>(0, 0x3F800000, 0x00004000'3F800000, 0x00004000'3F8CCCCD,
                                      0x00000020'00000000),
      rc::gen::map(rc::gen::inRange(0, 64), [](int bit) { return std::uint64_t{1} << bit; }));
}

RC_GTEST_PROP(QuantParamHeaderProperty, TalliesCountWords, ()) {
  const auto words = *rc::gen::container<Words>(AnyWord());
  QuantReport in_pieces;
  const std::size_t cut = words.empty() ? 0 : *rc::gen::inRange<std::size_t>(0, words.size());
  in_pieces.Add(words.data(), cut);
  in_pieces.Add(words.data() + cut, words.size() - cut);
  for (const QuantLayout layout : kLayouts) {
    QuantTally malformed;
    for (std::uint64_t i = 0; i < words.size(); ++i) {
      if (!UnpackQuantParam(words[i], layout).problems.empty()) malformed.Add(i);
    }
    for (const QuantReport& report : {in_pieces, Classify(words)}) {
      RC_ASSERT(report.words() == words.size());
      RC_ASSERT(report.Could(layout) == (malformed.words == 0));
      RC_ASSERT(report.Fit(layout).malformed.words == malformed.words);
      RC_ASSERT(report.Fit(layout).malformed.first == malformed.first);
    }
  }
  // Clear low bits never make a word worse.
  RC_ASSERT(!Classify(words).Could(kPacked19) || Classify(words).Could(kPacked32));
}

}  // namespace
}  // namespace belay
