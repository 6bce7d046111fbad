// aclnnTransQuantParam through the C API, as documented and as released.
#include "aclnnop/aclnn_trans_quant_param.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "support/api_test_support.h"
#include "support/threads.h"

namespace belay::test {
namespace {

using Floats = std::vector<float>;
using Words = std::vector<std::uint64_t>;

constexpr std::uint64_t kSet = std::uint64_t{1} << 46;
constexpr float kInf = std::numeric_limits<float>::infinity();
const float kNan = std::bit_cast<float>(0x7FC00001U);

bool Released() { return Variable("BELAY_BEHAVIOR") == "released"; }

// The result of a call that must succeed; an empty offset means none.
Words Pack(const Floats& scale, const Floats& offset = {}) {
  std::uint64_t* packed = nullptr;
  std::uint64_t size = 0;
  EXPECT_EQ(
      aclnnTransQuantParam(scale.data(), scale.size(), offset.empty() ? nullptr : offset.data(),
                           offset.size(), &packed, &size),
      0)
      << TakeMessages();
  if (packed == nullptr) return {};
  Words words(packed, packed + size);
  std::free(packed);
  return words;
}

Words Padded(Words words) {
  if (words.size() > 1) words.resize((words.size() + 15) / 16 * 16);
  return words;
}

// The rule in the plainest form.
Words Reference(const Floats& scale, const Floats& offset) {
  Words words(std::max(scale.size(), offset.size()));
  for (std::size_t i = 0; i < scale.size(); ++i) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(scale[i]);
    words[i] = (Released() ? bits : bits & 0xFFFFE000U) | kSet;
  }
  for (std::size_t i = 0; i < offset.size(); ++i) {
    const double rounded = std::isnan(offset[i]) ? 0.0 : std::round(static_cast<double>(offset[i]));
    const auto number = static_cast<std::int64_t>(std::clamp(rounded, -256.0, 255.0));
    words[i] = (words[i] & 0x4000FFFFFFFFULL) | (static_cast<std::uint64_t>(number) & 0x1FF) << 37;
  }
  return Padded(std::move(words));
}

void GoldenVectors() {
  // As released; the documented results differ in the lower 13 bits of the scale only.
  const struct {
    Floats scale;
    Floats offset;
    Words released;
  } rows[] = {
      {{0.5F, -2.0F}, {}, {0x000040003F000000, 0x00004000C0000000}},
      {{0.1F}, {}, {0x000040003DCCCCCD}},
      {{1.1F}, {}, {0x000040003F8CCCCD}},
      {{1, 1, 1, 1},
       {0.5F, -0.5F, 2.5F, -300},
       {0x000040203F800000, 0x00007FE03F800000, 0x000040603F800000, 0x000060003F800000}},
      {{1.0F}, {300, -1}, {0x00005FE03F800000, 0x00003FE000000000}},
      {{1.1F, 2.2F, 3.3F, 4.4F, 5.5F},
       {},
       {70369810369741, 70369818758349, 70369823372083, 70369827146957, 70369829453824}},
      {{-0.0F}, {}, {0x0000400080000000}},
  };
  for (const auto& row : rows) {
    Words expected = Padded(row.released);
    if (!Released()) {
      for (std::uint64_t& word : expected) word &= ~std::uint64_t{0x1FFF};
    }
    EXPECT_EQ(Pack(row.scale, row.offset), expected) << row.scale[0];
  }
}

// Both ways of BELAY_BEHAVIOR.
void ExpectPassesBothWays(ChildBody body) {
  for (const char* behaviour : {"documented", "released"}) {
    ExpectChildPasses({{"BELAY_BEHAVIOR", behaviour}}, body);
  }
}

TEST(TransQuantParam, GoldenVectors) { ExpectPassesBothWays(GoldenVectors); }

TEST(TransQuantParam, CheckValuesOfBothBehaviours) {
  EXPECT_EQ(Pack({1.1F}), Words{0x000040003F8CC000});
  ExpectChildPasses({{"BELAY_BEHAVIOR", "released"}},
                    [] { EXPECT_EQ(Pack({1.1F}), Words{0x000040003F8CCCCD}); });
}

TEST(TransQuantParam, NumbersOfTheDocumentsExample) {
  Words expected(16);
  std::fill_n(expected.begin(), 3, std::uint64_t{70507248484352});
  EXPECT_EQ(Pack({1, 1, 1}, {1, 1, 1}), expected);
}

TEST(TransQuantParam, OffsetsRoundHalfAwayFromZeroAndClamp) {
  ExpectPassesBothWays([] {
    const std::pair<float, int> rows[] = {{0.0F, 0},
                                          {-0.0F, 0},
                                          {0.49999997F, 0},
                                          {0.5F, 1},
                                          {-0.5F, -1},
                                          {1.5F, 2},
                                          {2.5F, 3},
                                          {-2.5F, -3},
                                          {253.5F, 254},
                                          {254.5F, 255},
                                          {255.0F, 255},
                                          {255.5F, 255},
                                          {256.0F, 255},
                                          {1e30F, 255},
                                          {-255.5F, -256},
                                          {-256.0F, -256},
                                          {-256.5F, -256},
                                          {-257.0F, -256},
                                          {-1e30F, -256},
                                          {1e-40F, 0},
                                          {2147483648.0F, 255},
                                          {-2147483904.0F, -256},
                                          {254.49998F, 254}};
    for (const int mode : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
      std::fesetround(mode);
      for (const auto& [offset, number] : rows) {
        const std::uint64_t bits = static_cast<std::uint64_t>(number) & 0x1FF;
        EXPECT_EQ(Pack({1.0F}, {offset}), Words{kSet | bits << 37 | 0x3F800000})
            << offset << " in rounding mode " << mode;
      }
    }
    std::fesetround(FE_TONEAREST);
  });
}

TEST(TransQuantParam, LengthsAndEntriesBeyondEitherArray) {
  ExpectPassesBothWays([] {
    Floats scale;
    Floats offset;
    for (int i = 0; i < 70; ++i) {
      scale.push_back(static_cast<float>(i) * 0.37F - 9.0F);
      offset.push_back(static_cast<float>(i) * 8.3F - 300.0F);
    }
    const auto first = [](const Floats& all, std::size_t count) {
      return Floats(all.begin(), all.begin() + static_cast<long>(count));
    };
    for (std::size_t n = 1; n <= 70; ++n) {
      for (const std::size_t m : {0, 1, 2, 15, 16, 17, 33, 70}) {
        const Words words = Pack(first(scale, n), first(offset, m));
        const std::size_t longest = std::max(n, m);
        EXPECT_EQ(words.size(), longest == 1 ? 1 : (longest + 15) / 16 * 16);
        EXPECT_EQ(words, Reference(first(scale, n), first(offset, m))) << n << " " << m;
      }
    }
  });
}

TEST(TransQuantParam, LargeArrays) {
  ExpectPassesBothWays([] {
    Floats scale((1 << 20) + 3);
    Floats offset((1 << 20) + 500);
    for (std::size_t i = 0; i < scale.size(); ++i) scale[i] = static_cast<float>(i) * 1.1F;
    for (std::size_t i = 0; i < offset.size(); ++i) {
      offset[i] = static_cast<float>(i % 1200) / 2 - 300;
    }
    EXPECT_TRUE(Pack(scale, offset) == Reference(scale, offset));
  });
}

// Sizes and nulls of a call; arrays are given unless said otherwise.
struct Call {
  bool scale = true;
  std::uint64_t scale_size = 2;
  bool offset = true;
  std::uint64_t offset_size = 2;
  bool param = true;
  bool param_size = true;
};

// The call is refused with the code and texts, and no output is written.
void ExpectCallRefused(const Call& call, int code, const std::string& text,
                       const Floats& scale = {1, 1}, const Floats& offset = {1, 1}) {
  Output<std::uint64_t*> packed;
  Output<std::uint64_t> size;
  ExpectRefused(
      aclnnTransQuantParam(call.scale ? scale.data() : nullptr, call.scale_size,
                           call.offset ? offset.data() : nullptr, call.offset_size,
                           call.param ? &packed : nullptr, call.param_size ? &size : nullptr),
      code, "aclnnTransQuantParam: ", text, "[source: document aclnnTransQuantParam]");
  EXPECT_TRUE(packed.Untouched() && size.Untouched()) << text;
}

TEST(TransQuantParam, RefusalsInDocumentedOrder) {
  (void)TakeMessages();
  (void)aclrtGetLastError(ACL_RT_THREAD_LEVEL);
  // Each row keeps the faults of the rows after it and lacks those of the rows before it.
  ExpectCallRefused({false, 0, true, 0, false, false}, 161001, "quantParam is null");
  ExpectCallRefused({false, 0, true, 0, true, false}, 161001, "scaleArray is null");
  ExpectCallRefused({true, 0, true, 0, true, false}, 161001, "quantParamSize is null");
  ExpectCallRefused({.scale_size = 0, .offset_size = 0}, 161002, "scaleSize is 0; allowed 1");
  ExpectCallRefused({.offset_size = 0}, 161002, "offsetSize is 0; allowed 1 and above");
  ExpectCallRefused({.offset = false, .offset_size = 5}, 161002, "offsetSize is 5; allowed 0");
  for (const std::uint64_t size : {(std::uint64_t{1} << 45) + 1, UINT64_MAX, UINT64_MAX - 15}) {
    // Before any element is read, however long the array is said to be.
    ExpectCallRefused({.scale_size = size}, 561103, "scaleSize is " + std::to_string(size),
                      {kNan, 1});
    ExpectCallRefused({.offset_size = size}, 561103, "offsetSize is " + std::to_string(size),
                      {kNan, 1});
  }
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

TEST(TransQuantParam, RefusalsInReleasedOrder) {
  ExpectChildPasses({{"BELAY_BEHAVIOR", "released"}}, [] {
    ExpectCallRefused({false, 0, true, 0, false, false}, 161002, "offsetSize is 0");
    ExpectCallRefused({false, 0, false, 3, false, false}, 161002, "offsetSize is 3; allowed 0");
    ExpectCallRefused({false, 0, true, 2, false, false}, 161002, "scaleArray is null");
    ExpectCallRefused({true, 0, true, 2, false, false}, 161002, "scaleSize is 0");
    ExpectCallRefused({true, 2, true, 2, false, false}, 161001, "quantParam is null");
    ExpectCallRefused({true, 2, true, 2, true, false}, 161001, "quantParamSize is null");
    ExpectCallRefused({.scale_size = UINT64_MAX}, 561103, "scaleSize is");
    ExpectCallRefused({.offset_size = UINT64_MAX}, 561103, "offsetSize is");
  });
}

TEST(TransQuantParam, DocumentedRefusesNanAndInfinity) {
  (void)TakeMessages();
  for (const auto& [value, name] : {std::pair<float, const char*>{kNan, "nan"},
                                    {-kNan, "nan"},
                                    {kInf, "inf"},
                                    {-kInf, "-inf"},
                                    {std::bit_cast<float>(0x7F800001U), "nan"}}) {
    const std::string is = std::string(" is ") + name + "; allowed finite values";
    ExpectCallRefused({}, 161002, "scaleArray[1]" + is, {1, value});
    ExpectCallRefused({}, 161002, "scaleArray[0]" + is, {value, value}, {value, value});
    ExpectCallRefused({}, 161002, "offsetArray[1]" + is, {1, 1}, {1, value});
  }
  Floats scale(100000, 1.0F);
  for (const std::size_t at : {std::size_t{0}, std::size_t{777}, scale.size() - 1}) {
    scale[at] = kInf;
    ExpectCallRefused({.scale_size = scale.size()}, 161002,
                      "scaleArray[" + std::to_string(at) + "] is inf", scale);
    scale[at] = 1.0F;
  }
  EXPECT_EQ(Pack({std::numeric_limits<float>::max()}), Words{0x000040007F7FE000});
}

TEST(TransQuantParam, ReleasedTakesNanAndInfinity) {
  ExpectChildPasses({{"BELAY_BEHAVIOR", "released"}}, [] {
    EXPECT_EQ(Pack({kNan}), Words{0x000040007FC00001});
    EXPECT_EQ(Pack({-kInf}), Words{0x00004000FF800000});
    EXPECT_EQ(Pack({1, 1, 1}, {kNan, kInf, -kInf}),
              Padded({kSet | 0x3F800000, kSet | std::uint64_t{255} << 37 | 0x3F800000,
                      kSet | std::uint64_t{256} << 37 | 0x3F800000}));
  });
}

TEST(TransQuantParam, ProductsThatAreServed) {
  for (const char* soc : {"Ascend910B4", "Ascend910_9382", "Ascend950PR_9599", "Ascend350_355e"}) {
    ExpectChildPasses({{"BELAY_SOC", soc}}, [] { EXPECT_EQ(Pack({1.0F}).size(), 1U); });
  }
  for (const char* soc : {"Ascend310B1", "Ascend310P3", "Ascend910A", "KirinX90"}) {
    ExpectChildPasses({{"BELAY_SOC", soc}}, [] {
      const std::string text = "product is " + Variable("BELAY_SOC");
      ExpectCallRefused({}, 161002, text);
      ExpectCallRefused({}, 161002, "allowed Atlas A2 training series");
      // After sizes, before lengths and contents.
      ExpectCallRefused({.scale_size = 0}, 161002, "scaleSize is 0");
      ExpectCallRefused({.scale_size = UINT64_MAX}, 161002, text);
      ExpectCallRefused({}, 161002, text, {kNan, 1});
    });
    ExpectChildPasses({{"BELAY_SOC", soc}, {"BELAY_BEHAVIOR", "released"}},
                      [] { EXPECT_EQ(Pack({1.0F}).size(), 1U); });
  }
}

TEST(TransQuantParam, NeedsNeitherInitialisationNorDevices) {
  ExpectChildPasses({{"ASCEND_RT_VISIBLE_DEVICES", ""}}, [] {
    EXPECT_EQ(Pack({1.0F}, {1.0F}), Words{0x000040203F800000});
    EXPECT_EQ(aclInit(nullptr), ACL_SUCCESS) << "and does not initialise on its own";
    EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
    EXPECT_EQ(Pack({1.0F}, {1.0F}), Words{0x000040203F800000});
  });
}

TEST(TransQuantParam, ManyThreadsAtOnce) {
  ExpectChildPasses({}, [] {  // among them the very first call of the process
    RunTogether(8, [](std::size_t thread) {
      for (std::size_t i = 0; i < 40; ++i) {
        Floats scale(1 + (thread * 131 + i * 17) % 500, static_cast<float>(thread) + 0.5F);
        Floats offset(1 + i, static_cast<float>(i) - 20.0F);
        EXPECT_EQ(Pack(scale, offset), Reference(scale, offset));
      }
      ExpectCallRefused({.scale_size = 0}, 161002, "scaleSize is 0");
    });
  });
}

TEST(TransQuantParam, InputsStayAndResultsAreTheCallers) {
  const Floats scale = {1.5F, 2.5F};
  const Floats offset = {3.5F};
  std::uint64_t* first = nullptr;
  std::uint64_t* second = nullptr;
  std::uint64_t size = 0;
  ASSERT_EQ(aclnnTransQuantParam(scale.data(), 2, offset.data(), 1, &first, &size), 0);
  ASSERT_EQ(aclnnTransQuantParam(scale.data(), 2, offset.data(), 1, &second, &size), 0);
  EXPECT_NE(first, second);
  EXPECT_TRUE(std::equal(first, first + size, second));
  first[15] = 99;  // all of it is writable
  EXPECT_EQ(second[15], 0U);
  first = static_cast<std::uint64_t*>(std::realloc(first, 1024));
  std::free(first);
  std::free(second);
  EXPECT_EQ(scale, (Floats{1.5F, 2.5F}));
  EXPECT_EQ(offset, Floats{3.5F});
}

}  // namespace
}  // namespace belay::test
