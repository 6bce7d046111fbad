#include "ops/quant_param/quant_param.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ops/all_ops.h"
#include "ops/quant_param/quant_param_reference.h"

namespace belay::ops {
namespace {

using Words = std::vector<std::uint64_t>;
using Params = QuantParam::Params;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr std::uint64_t kHuge = std::numeric_limits<std::uint64_t>::max();

Profile Who(Behaviour behaviour, const char* soc = "Ascend910B4") {
  return {Face::kAclnn, FindChip(soc), behaviour};
}
const Profile kDocumented = Who(Behaviour::kDocumented);
const Profile kReleased = Who(Behaviour::kReleased);

Words ReleaseToVector(std::uint64_t* block, std::uint64_t size) {
  Words words(block, block + size);
  std::free(block);
  return words;
}

Params ParamsOf(const QuantParamCase& data, std::uint64_t** out, std::uint64_t* size) {
  Params params{data.scale.data(), data.scale.size(), nullptr, 0, out, size};
  if (data.offset) {
    params.offset_array = data.offset->data();
    params.offset_size = data.offset->size();
  }
  return params;
}

// The words, or none and a failed expectation.
Words Execute(const QuantParamCase& data, const Profile& who) {
  std::uint64_t* out = nullptr;
  std::uint64_t size = 0;
  const Status status = QuantParam::Execute(ParamsOf(data, &out, &size), who);
  EXPECT_TRUE(status.ok()) << status.message();
  return ReleaseToVector(out, size);
}

Words Padded(std::initializer_list<std::uint64_t> words, std::size_t length = 16) {
  Words padded(words);
  padded.resize(length);
  return padded;
}

// A caller with valid arguments, each of which a test may spoil; watches the outputs.
struct Caller {
  Caller() = default;
  Caller(const Caller&) = delete;  // params points into it

  float scale[3] = {1.0F, 2.0F, 3.0F};
  float offset[2] = {1.0F, 2.0F};
  std::uint64_t mark = 0;
  std::uint64_t* out = &mark;
  std::uint64_t size = 77;
  Params params{scale, 3, offset, 2, &out, &size};

  Fault Refusal(const Profile& who) {
    const Status status = QuantParam::Execute(params, who);
    message = status.message();
    EXPECT_EQ(out, &mark) << message;
    EXPECT_EQ(size, 77U) << message;
    EXPECT_NE(message.find("; allowed "), std::string::npos) << message;
    return status.fault();
  }
  std::string message;
};

TEST(QuantParam, DocumentsExample) {
  const QuantParamCase data{{1.0F, 1.0F, 1.0F}, std::vector<float>{1.0F, 1.0F, 1.0F}};
  const std::uint64_t word = 0x000040203F800000;
  EXPECT_EQ(Execute(data, kDocumented), Padded({word, word, word}));
  EXPECT_EQ(Execute(data, kReleased), Padded({word, word, word}));
}

TEST(QuantParam, MaskOnScale) {
  EXPECT_EQ(Execute({{1.1F}, {}}, kDocumented), Words{0x000040003F8CC000});
  EXPECT_EQ(Execute({{1.1F}, {}}, kReleased), Words{0x000040003F8CCCCD});
  EXPECT_EQ(Execute({{0.1F}, {}}, kDocumented), Words{0x000040003DCCC000});
  EXPECT_EQ(Execute({{0.1F}, {}}, kReleased), Words{0x000040003DCCCCCD});
}

TEST(QuantParam, GoldenVectors) {
  for (const Profile& who : {kDocumented, kReleased}) {
    EXPECT_EQ(Execute({{0.5F, -2.0F}, {}}, who), Padded({0x000040003F000000, 0x00004000C0000000}));
    EXPECT_EQ(
        Execute({{1, 1, 1, 1}, {{0.5F, -0.5F, 2.5F, -300.0F}}}, who),
        Padded({0x000040203F800000, 0x00007FE03F800000, 0x000040603F800000, 0x000060003F800000}));
    EXPECT_EQ(Execute({{1.0F}, {{300.0F, -1.0F}}}, who),
              Padded({0x00005FE03F800000, 0x00003FE000000000}));
  }
  EXPECT_EQ(
      Execute({{1.1F, 2.2F, 3.3F, 4.4F, 5.5F}, {}}, kReleased),
      Padded({70369810369741, 70369818758349, 70369823372083, 70369827146957, 70369829453824}));
}

TEST(QuantParam, OffsetRoundsHalfAwayFromZeroAndClamps) {
  const std::pair<float, std::uint64_t> cases[] = {
      {2.5F, 3},     {-2.5F, 0x1FD},   {254.5F, 255}, {-256.5F, 0x100}, {0.49999997F, 0},
      {255.5F, 255}, {-255.5F, 0x100}, {1e30F, 255},  {-1e30F, 0x100},  {-0.0F, 0},
  };
  for (const auto& [offset, field] : cases) {
    EXPECT_EQ(Execute({{0.0F}, {{offset}}}, kDocumented), Words{1ULL << 46 | field << 37})
        << offset;
  }
}

TEST(QuantParam, NothingIsBroadcast) {
  EXPECT_EQ(Execute({{1, 1, 1}, {{2.0F}}}, kDocumented),
            Padded({0x000040403F800000, 0x000040003F800000, 0x000040003F800000}));
  EXPECT_EQ(Execute({{1}, {{2, 2, 2}}}, kDocumented),
            Padded({0x000040403F800000, 0x0000004000000000, 0x0000004000000000}));
}

TEST(QuantParam, LengthIsOneOrAMultipleOf16) {
  const std::pair<std::uint64_t, std::uint64_t> lengths[] = {
      {1, 1}, {2, 16}, {15, 16}, {16, 16}, {17, 32}, {32, 32}, {33, 48}, {1000, 1008}};
  for (const auto& [count, length] : lengths) {
    EXPECT_EQ(QuantParam::OutputLength(count, 0), length);
    EXPECT_EQ(QuantParam::OutputLength(1, count), length);
    const Words words = Execute({std::vector<float>(count, 1.0F), {}}, kDocumented);
    ASSERT_EQ(words.size(), length);
    for (std::size_t i = 0; i < length; ++i) {
      EXPECT_EQ(words[i], i < count ? 0x000040003F800000 : 0) << i;
    }
  }
}

TEST(QuantParam, LengthThatCannotBeAddressed) {
  const std::uint64_t longest = std::uint64_t{1} << 45;
  EXPECT_EQ(QuantParam::OutputLength(longest, 0), longest);
  for (const std::uint64_t size :
       {longest + 1, std::uint64_t{1} << 61, kHuge / 8, kHuge - 15, kHuge - 14, kHuge}) {
    EXPECT_EQ(QuantParam::OutputLength(size, 1), std::nullopt) << size;
    EXPECT_EQ(QuantParam::OutputLength(1, size), std::nullopt) << size;
  }
}

// The arrays are far shorter than the sizes say, so that reading an element would show.
TEST(QuantParam, OverflowIsRefusedBeforeAnyElementIsRead) {
  for (const Profile& who : {kDocumented, kReleased}) {
    for (const std::uint64_t size : {kHuge, kHuge - 14, std::uint64_t{1} << 61}) {
      Caller by_scale;
      by_scale.scale[0] = kNan;
      by_scale.params.scale_size = size;
      EXPECT_EQ(by_scale.Refusal(who), Fault::kOutOfMemory);
      EXPECT_EQ(by_scale.message, "scaleSize is " + std::to_string(size) +
                                      ", more than memory can hold; allowed at most "
                                      "35184372088832");
      Caller by_offset;
      by_offset.params.offset_size = size;
      EXPECT_EQ(by_offset.Refusal(who), Fault::kOutOfMemory);
      EXPECT_EQ(by_offset.message.find("offsetSize is "), 0U) << by_offset.message;
    }
  }
}

TEST(QuantParam, NullPointers) {
  for (const Profile& who : {kDocumented, kReleased}) {
    Caller no_output;
    no_output.params.quant_param = nullptr;
    EXPECT_EQ(no_output.Refusal(who), Fault::kNullPointer);
    EXPECT_EQ(no_output.message, "quantParam is null; allowed a valid pointer");
    Caller no_size;
    no_size.params.quant_param_size = nullptr;
    EXPECT_EQ(no_size.Refusal(who), Fault::kNullPointer);
    EXPECT_EQ(no_size.message, "quantParamSize is null; allowed a valid pointer");
    Caller no_scale;
    no_scale.params.scale_array = nullptr;
    EXPECT_EQ(no_scale.Refusal(who),
              who.behaviour == Behaviour::kReleased ? Fault::kInvalidParam : Fault::kNullPointer);
    EXPECT_EQ(no_scale.message, "scaleArray is null; allowed a valid pointer");
  }
}

TEST(QuantParam, Sizes) {
  for (const Profile& who : {kDocumented, kReleased}) {
    Caller no_scale;
    no_scale.params.scale_size = 0;
    EXPECT_EQ(no_scale.Refusal(who), Fault::kInvalidParam);
    EXPECT_EQ(no_scale.message, "scaleSize is 0; allowed 1 and above");
    Caller no_offset;
    no_offset.params.offset_size = 0;
    EXPECT_EQ(no_offset.Refusal(who), Fault::kInvalidParam);
    EXPECT_EQ(no_offset.message, "offsetSize is 0; allowed 1 and above where offsetArray is given");
    Caller null_offset;
    null_offset.params.offset_array = nullptr;
    EXPECT_EQ(null_offset.Refusal(who), Fault::kInvalidParam);
    EXPECT_EQ(null_offset.message, "offsetSize is 2; allowed 0 where offsetArray is null");
  }
}

// Faults in the order in which they are looked for, each with what it puts into the message.
struct Step {
  const char* seen;
  Fault fault;
  void (*spoil)(Caller& caller);
};

void ExpectOrder(const std::vector<Step>& steps, const Profile& who) {
  for (std::size_t first = 0; first < steps.size(); ++first) {
    for (std::size_t second = first; second < steps.size(); ++second) {
      Caller caller;
      steps[second].spoil(caller);
      steps[first].spoil(caller);
      const Fault fault = caller.Refusal(who);
      const std::string both = std::string(steps[first].seen) + " before " + steps[second].seen;
      EXPECT_EQ(fault, steps[first].fault) << both;
      EXPECT_EQ(caller.message.find(steps[first].seen), 0U) << both << ": " << caller.message;
    }
  }
}

const Step kQuantParamNull{"quantParam is null", Fault::kNullPointer,
                           [](Caller& c) { c.params.quant_param = nullptr; }};
const Step kQuantParamSizeNull{"quantParamSize is null", Fault::kNullPointer,
                               [](Caller& c) { c.params.quant_param_size = nullptr; }};
const Step kScaleSizeZero{"scaleSize is 0", Fault::kInvalidParam,
                          [](Caller& c) { c.params.scale_size = 0; }};
const Step kOffsetSizeZero{"offsetSize is 0", Fault::kInvalidParam,
                           [](Caller& c) { c.params.offset_size = 0; }};
const Step kLengthOverflows{"offsetSize is 18446744073709551615", Fault::kOutOfMemory,
                            [](Caller& c) { c.params.offset_size = kHuge; }};
const Step kScaleNan{"scaleArray[2] is nan", Fault::kInvalidParam,
                     [](Caller& c) { c.scale[2] = kNan; }};
const Step kOffsetInf{"offsetArray[1] is -inf", Fault::kInvalidParam,
                      [](Caller& c) { c.offset[1] = -kInf; }};

Step ScaleNull(Fault fault) {
  return {"scaleArray is null", fault, [](Caller& c) { c.params.scale_array = nullptr; }};
}

TEST(QuantParam, OrderOfChecksDocumented) {
  ExpectOrder({kQuantParamNull, ScaleNull(Fault::kNullPointer), kQuantParamSizeNull, kScaleSizeZero,
               kOffsetSizeZero, kLengthOverflows, kScaleNan, kOffsetInf},
              kDocumented);
}

TEST(QuantParam, OrderOfChecksReleased) {
  ExpectOrder({kOffsetSizeZero, ScaleNull(Fault::kInvalidParam), kScaleSizeZero, kQuantParamNull,
               kQuantParamSizeNull, kLengthOverflows},
              kReleased);
}

TEST(QuantParam, ProductIsCheckedBetweenSizesAndLength) {
  const Profile unserved = Who(Behaviour::kDocumented, "Ascend310P3");
  const std::string product = "product is Ascend310P3";
  for (const Step& earlier : {kQuantParamNull, ScaleNull(Fault::kNullPointer), kQuantParamSizeNull,
                              kScaleSizeZero, kOffsetSizeZero}) {
    Caller caller;
    earlier.spoil(caller);
    EXPECT_EQ(caller.Refusal(unserved), earlier.fault);
    EXPECT_EQ(caller.message.find(earlier.seen), 0U) << caller.message;
  }
  for (const Step& later : {kLengthOverflows, kScaleNan, kOffsetInf}) {
    Caller caller;
    later.spoil(caller);
    EXPECT_EQ(caller.Refusal(unserved), Fault::kInvalidParam);
    EXPECT_EQ(caller.message.find(product), 0U) << caller.message;
  }
}

TEST(QuantParam, ServedProducts) {
  for (const Chip& chip : AllChips()) {
    const bool served = chip.family == Family::kAscend910B ||
                        chip.family == Family::kAscend910_93 || chip.family == Family::kAscend950 ||
                        chip.family == Family::kAscend350;
    Caller caller;
    const Profile documented{Face::kAclnn, &chip, Behaviour::kDocumented};
    EXPECT_EQ(QuantParam::CheckParams(caller.params, documented).fault(),
              served ? Fault::kNone : Fault::kInvalidParam)
        << chip.soc_name;
    const Profile released{Face::kAclnn, &chip, Behaviour::kReleased};
    EXPECT_TRUE(QuantParam::CheckParams(caller.params, released).ok()) << chip.soc_name;
  }
}

TEST(QuantParam, ProductMessageNamesProductAndServedOnes) {
  Caller caller;
  EXPECT_EQ(caller.Refusal(Who(Behaviour::kDocumented, "Ascend310P3")), Fault::kInvalidParam);
  EXPECT_EQ(caller.message,
            "product is Ascend310P3, one of Atlas inference series products; allowed "
            "Atlas A2 training series / Atlas A2 inference series products (Ascend910B), "
            "Atlas A3 training series / Atlas A3 inference series products (Ascend910_93), "
            "Ascend 950PR / Ascend 950DT (Ascend950), Atlas 350 accelerator cards (Ascend350)");
}

TEST(QuantParam, NonFiniteElementIsNamed) {
  Caller in_scale;
  in_scale.scale[1] = -kNan;
  EXPECT_EQ(in_scale.Refusal(kDocumented), Fault::kInvalidParam);
  EXPECT_EQ(in_scale.message, "scaleArray[1] is nan; allowed finite values");
  Caller in_offset;
  in_offset.offset[0] = kInf;
  EXPECT_EQ(in_offset.Refusal(kDocumented), Fault::kInvalidParam);
  EXPECT_EQ(in_offset.message, "offsetArray[0] is inf; allowed finite values");
}

TEST(QuantParam, ReleasedAcceptsNonFinite) {
  const float signalling = std::bit_cast<float>(0x7F812345U);
  EXPECT_EQ(Execute({{kInf, -kInf, signalling}, {{kNan, kInf, -kInf}}}, kReleased),
            Padded({0x000040007F800000, 0x00005FE0FF800000, 0x000060007F812345}));
}

// Long enough to be spread over threads, with pieces that end inside blocks.
TEST(QuantParam, LongArrays) {
  const std::size_t count = (std::size_t{1} << 19) + 12345;
  QuantParamCase data{std::vector<float>(count), std::vector<float>(count - 70000)};
  for (std::size_t i = 0; i < count; ++i) data.scale[i] = static_cast<float>(i) * 0.37F;
  for (std::size_t i = 0; i < data.offset->size(); ++i) {
    (*data.offset)[i] = static_cast<float>(i % 1200) / 2.0F - 300.0F;
  }
  EXPECT_TRUE(Execute(data, kDocumented) == ReferenceQuantParam(data, Behaviour::kDocumented));
  EXPECT_TRUE(Execute(data, kReleased) == ReferenceQuantParam(data, Behaviour::kReleased));

  std::uint64_t* out = nullptr;
  std::uint64_t size = 0;
  data.scale[count - 1] = kNan;
  data.scale[count - 2] = kInf;
  EXPECT_EQ(QuantParam::Execute(ParamsOf(data, &out, &size), kDocumented).message(),
            "scaleArray[" + std::to_string(count - 2) + "] is inf; allowed finite values");
}

TEST(QuantParam, PlanNamesWhatItTouches) {
  Caller caller;
  const StatusOr<Plan> plan = QuantParam::MakePlan(caller.params, kDocumented);
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->accesses().size(), 3U);
  EXPECT_STREQ(plan->accesses()[0].argument, "scaleArray");
  EXPECT_EQ(plan->accesses()[0].size, 12U);
  EXPECT_STREQ(plan->accesses()[1].argument, "offsetArray");
  EXPECT_EQ(plan->accesses()[1].size, 8U);
  EXPECT_STREQ(plan->accesses()[2].argument, "quantParam");
  EXPECT_EQ(plan->accesses()[2].mode, AccessMode::kWrite);
  EXPECT_EQ(plan->accesses()[2].size, 128U);
  EXPECT_EQ(plan->workspace_bytes, 0U);

  caller.params.scale_size = kHuge;
  ASSERT_FALSE(QuantParam::MakePlan(caller.params, kDocumented));
  caller.params = {caller.scale, 3, nullptr, 0, &caller.out, &caller.size};
  EXPECT_EQ(QuantParam::MakePlan(caller.params, kDocumented)->accesses().size(), 2U);
}

TEST(QuantParam, IsInTheListWithUniqueRules) {
  std::set<std::string_view> ids;
  std::set<std::string_view> names;
  ForEachOpInfo([&](const OpInfo& info) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    for (const Rule& rule : info.rules) EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
  });
  EXPECT_TRUE(names.contains("TransQuantParam"));
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define BELAY_HEAP_CANNOT_FAIL 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define BELAY_HEAP_CANNOT_FAIL 1
#endif
#endif

#if !defined(BELAY_HEAP_CANNOT_FAIL)

TEST(QuantParam, HeapFails) {
  Caller caller;
  caller.params.scale_size = std::uint64_t{1} << 45;  // larger than the address space
  caller.params.offset_array = nullptr;
  caller.params.offset_size = 0;
  EXPECT_EQ(caller.Refusal(kReleased), Fault::kOutOfMemory);
  EXPECT_EQ(caller.message,
            "quantParam needs 281474976710656 bytes, which the C heap refused; allowed sizes that "
            "fit into free memory");
}

// With no address space left: first a bad element is seen, then the heap fails.
void ExhaustMemoryAndExit() {
  std::vector<float> scale(200'000, 1.0F);
  std::uint64_t* out = nullptr;
  std::uint64_t size = 77;
  const Params params{scale.data(), scale.size(), nullptr, 0, &out, &size};
  const rlimit none{1, 1};
  if (setrlimit(RLIMIT_AS, &none) != 0) std::_Exit(3);
  const Fault without = QuantParam::Execute(params, kDocumented).fault();
  scale.back() = kNan;
  const Fault with = QuantParam::Execute(params, kDocumented).fault();
  const bool untouched = out == nullptr && size == 77;
  std::_Exit(without == Fault::kOutOfMemory && with == Fault::kInvalidParam && untouched ? 0 : 1);
}

TEST(QuantParamDeathTest, BadElementComesBeforeFailingHeap) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(ExhaustMemoryAndExit(), testing::ExitedWithCode(0), "");
}

#endif  // !defined(BELAY_HEAP_CANNOT_FAIL)

}  // namespace
}  // namespace belay::ops
