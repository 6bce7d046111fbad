#include "ops/quant_param/quant_param_tensor.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ops/quant_param/quant_param_reference.h"
#include "support/operator_run.h"

namespace belay::ops {
namespace {

using testing::Bytes;
using testing::Execute;
using testing::ExpectFault;
using testing::FromBytes;
using testing::Memory;
using testing::ToBytes;

using Shape = std::vector<std::int64_t>;
using Words = std::vector<std::uint64_t>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

Profile Who(Behaviour behaviour, const char* soc = "Ascend910B4") {
  return {Face::kAclnn, FindChip(soc), behaviour};
}
const Profile kDocumented = Who(Behaviour::kDocumented);
const Profile kReleased = Who(Behaviour::kReleased);
const Profile kOn950 = Who(Behaviour::kDocumented, "Ascend950PR_9599");

TensorView View(DataType type, const Shape& shape) {
  return ContiguousView(type, testing::Desc(type, shape).dims);
}

// Valid arguments, each of which a test may spoil.
struct Arguments {
  QuantParamTensor::Params params{QuantParamTensor::kV3, 0};
  TensorView scale = View(DataType::kFloat, {3});
  std::optional<TensorView> offset = View(DataType::kFloat, {3});
  TensorView out = View(DataType::kUint64, {3});

  [[nodiscard]] StatusOr<Plan> Make(const Profile& who) const {
    return QuantParamTensor::MakePlan(params, scale, offset ? &*offset : nullptr, out, who);
  }
  [[nodiscard]] Status Check(const Profile& who) const {
    const StatusOr<Plan> plan = Make(who);
    return plan ? Status() : plan.error();
  }
};

Arguments Of(const Shape& scale, const std::optional<Shape>& offset, const Shape& out) {
  Arguments arguments;
  arguments.scale = View(DataType::kFloat, scale);
  arguments.offset = std::nullopt;
  if (offset) arguments.offset = View(DataType::kFloat, *offset);
  arguments.out = View(DataType::kUint64, out);
  return arguments;
}

// Runs the operator on contiguous tensors.
Words Pack(const QuantParamCase& data, int round_mode, const Profile& who = kDocumented,
           DataType out_type = DataType::kUint64) {
  const auto length = [](const std::vector<float>& values) {
    return static_cast<std::int64_t>(values.size());
  };
  Arguments arguments;
  arguments.params.round_mode = round_mode;
  arguments.scale = View(DataType::kFloat, {length(data.scale)});
  arguments.offset = std::nullopt;
  std::int64_t words = length(data.scale);
  if (data.offset) {
    arguments.offset = View(DataType::kFloat, {length(*data.offset)});
    words = std::max(words, length(*data.offset));
  }
  arguments.out = View(out_type, {words});
  const StatusOr<Plan> plan = arguments.Make(who);
  EXPECT_TRUE(plan) << plan.error().message();
  if (!plan) return {};
  Memory scale(ToBytes(data.scale));
  Memory offset(ToBytes(data.offset.value_or(std::vector<float>())));
  Memory out(static_cast<std::size_t>(words) * sizeof(std::uint64_t));
  ExpectFault(Execute(*plan, {scale.data(), data.offset ? offset.data() : nullptr, out.data()}),
              Fault::kNone);
  return FromBytes<std::uint64_t>(out.Content());
}

TEST(QuantParamTensor, PublishedVectors) {
  for (const Profile& who : {kDocumented, kReleased}) {
    EXPECT_EQ(Pack({{0.1F, 1.1F}, {}}, 0, who), (Words{0x000040003DCCC000, 0x000040003F8CC000}));
    EXPECT_EQ(Pack({{-1.1F}, {}}, 0, who), Words{0x00004000BF8CC000});
    EXPECT_EQ(
        Pack({{1.0F}, {{0.5F, 1.5F, 2.5F, -300.0F}}}, 0, who),
        (Words{0x000040003F800000, 0x000040403F800000, 0x000040403F800000, 0x000060003F800000}));
    EXPECT_EQ(Pack({{1.99999F, 1 + 0x1p-11F, 1 + 3 * 0x1p-11F}, {{3.0F}}}, 1, who),
              (Words{0x0000406040000000, 0x000040603F800000, 0x000040603F804000}));
  }
}

TEST(QuantParamTensor, OutMayBeInt64) {
  EXPECT_EQ(Pack({{-1.1F}, {{-1.0F}}}, 0, kDocumented, DataType::kInt64),
            Words{0x00007FE0BF8CC000});
}

TEST(QuantParamTensor, RoundMode1MayReachInfinity) {
  const float largest = std::numeric_limits<float>::max();
  EXPECT_EQ(
      Pack({{largest, -largest, 1e-40F, -1e-40F}, {}}, 1),
      (Words{0x000040007F800000, 0x00004000FF800000, 0x0000400000000000, 0x0000400080000000}));
}

TEST(QuantParamTensor, LargeTensorsAreSharedAmongThreads) {
  QuantParamCase data{std::vector<float>((std::size_t{1} << 18) + 77), std::vector<float>{-2.5F}};
  for (std::size_t i = 0; i < data.scale.size(); ++i) data.scale[i] = static_cast<float>(i) * 1.1F;
  for (const int round_mode : {0, 1}) {
    EXPECT_TRUE(Pack(data, round_mode) == ReferenceQuantParamTensor(data, round_mode));
  }
}

TEST(QuantParamTensor, ServedProducts) {
  const Arguments arguments;
  for (const char* soc :
       {"Ascend910B1", "Ascend910_9382", "Ascend950PR_9599", "Ascend350_354f", "Ascend310P3"}) {
    for (const Behaviour behaviour : {Behaviour::kDocumented, Behaviour::kReleased}) {
      ExpectFault(arguments.Check(Who(behaviour, soc)), Fault::kNone);
    }
  }
  for (const char* soc : {"Ascend310B1", "Ascend910A"}) {
    for (const char* name : {QuantParamTensor::kV2, QuantParamTensor::kV3}) {
      Arguments named;
      named.params.name = name;
      const Status status = named.Check(Who(Behaviour::kReleased, soc));
      ExpectFault(status, Fault::kInvalidParam);
      EXPECT_EQ(status.message().find(std::string(name) + " is not served on " + soc), 0U)
          << status.message();
    }
  }
}

TEST(QuantParamTensor, Shapes) {
  const struct {
    Shape scale;
    std::optional<Shape> offset;
    Shape out;
  } good[] = {
      {{1}, {}, {1}},
      {{5}, {}, {5}},
      {{1, 5}, {}, {1, 5}},
      {{1, 1}, {}, {1, 1}},
      {{5}, {{5}}, {5}},
      {{5}, {{1}}, {5}},
      {{1}, {{5}}, {5}},
      {{5}, {{1, 5}}, {5}},
      {{1}, {{1, 5}}, {5}},
      {{1, 5}, {{5}}, {1, 5}},
      {{1, 5}, {{1}}, {1, 5}},
      {{1, 5}, {{1, 5}}, {1, 5}},
      {{1, 5}, {{1, 1}}, {1, 5}},
  };
  for (const auto& each : good) {
    for (const Profile& who : {kDocumented, kReleased, kOn950}) {
      ExpectFault(Of(each.scale, each.offset, each.out).Check(who), Fault::kNone);
    }
  }
  const std::string on_a2 =
      " on Ascend910B4 (Atlas A2 training series / Atlas A2 inference series products); allowed "
      "[t] and [1, n], each 1 and above, and [g, n] on ";
  const struct {
    Shape scale;
    std::optional<Shape> offset;
    Shape out;
    std::string message;
  } bad[] = {
      {{}, {}, {}, "scale is []" + on_a2},
      {{0}, {}, {0}, "scale is [0]" + on_a2},
      {{1, 0}, {}, {1, 0}, "scale is [1, 0]" + on_a2},
      {{2, 3}, {}, {2, 3}, "scale is [2, 3]" + on_a2},
      {{2, 1}, {}, {2, 1}, "scale is [2, 1]" + on_a2},
      {{1, 1, 3}, {}, {1, 1, 3}, "scale is [1, 1, 3]" + on_a2},
      {{3}, {{}}, {3}, "offset is []; allowed [t] and [1, n], each 1 and above"},
      {{3}, {{0}}, {3}, "offset is [0]; allowed [t]"},
      {{3}, {{3, 1}}, {3}, "offset is [3, 1]; allowed [t]"},
      {{3}, {{1, 1, 3}}, {3}, "offset is [1, 1, 3]; allowed [t]"},
      {{3}, {{2}}, {3}, "scale is [3] and offset [2]; allowed equal numbers of elements"},
      {{3}, {{1, 2}}, {3}, "scale is [3] and offset [1, 2]; allowed equal numbers"},
      {{1, 3}, {{2}}, {1, 3}, "scale is [1, 3] and offset [2]; allowed equal numbers"},
      {{1, 1}, {{3}}, {1, 1}, "scale is [1, 1] and offset [3]; allowed offsets of 1 element"},
      {{3}, {}, {4}, "out is [4]; allowed [3]"},
      {{3}, {}, {1, 3}, "out is [1, 3]; allowed [3]"},
      {{1, 3}, {}, {3}, "out is [3]; allowed [1, 3]"},
      {{1}, {{3}}, {1}, "out is [1]; allowed [3]"},
  };
  for (const auto& each : bad) {
    for (const Profile& who : {kDocumented, kReleased}) {
      const Status status = Of(each.scale, each.offset, each.out).Check(who);
      ExpectFault(status, Fault::kInvalidParam);
      EXPECT_EQ(status.message().find(each.message), 0U) << status.message();
    }
  }
}

TEST(QuantParamTensor, ScalesOfSeveralRowsOnThe950Family) {
  ExpectFault(Of({2, 3}, {}, {2, 3}).Check(kOn950), Fault::kNone);
  ExpectFault(Of({4, 1}, {}, {4, 1}).Check(kOn950), Fault::kNone);
  ExpectFault(Of({2, 3}, {{1}}, {2, 3}).Check(kOn950), Fault::kNone);
  ExpectFault(Of({2, 3}, {{1, 6}}, {2, 3}).Check(kOn950), Fault::kNone);
  ExpectFault(Of({4, 1}, {{4}}, {4, 1}).Check(kOn950), Fault::kNone);
  ExpectFault(Of({2, 3}, {}, {2, 3}).Check(Who(Behaviour::kReleased, "Ascend350_354f")),
              Fault::kNone);
  // Held against the first dimension, as published, and against the number of elements.
  ExpectFault(Of({2, 3}, {{6}}, {2, 3}).Check(kOn950), Fault::kInvalidParam);
  ExpectFault(Of({2, 3}, {{2}}, {2, 3}).Check(kOn950), Fault::kInvalidParam);
  ExpectFault(Of({2, 3}, {{1, 3}}, {2, 3}).Check(kOn950), Fault::kInvalidParam);
  ExpectFault(Of({0, 3}, {}, {0, 3}).Check(kOn950), Fault::kInvalidParam,
              "scale is [0, 3]; allowed one or two dimensions, each 1 and above");
}

TEST(QuantParamTensor, InputsWithGaps) {
  Arguments gaps = Of({3}, {{3}}, {3});
  gaps.offset->strides[0] = 2;
  ExpectFault(gaps.Check(kDocumented), Fault::kInvalidParam,
              "offset is [3] with strides [2]; allowed contiguous tensors "
              "(BELAY_BEHAVIOR=released allows others)");
  ExpectFault(gaps.Check(kReleased), Fault::kNone);
  // A stride that no step uses says nothing.
  Arguments single = Of({1, 3}, {{1}}, {1, 3});
  single.scale.strides[0] = 77;
  single.offset->strides[0] = 5;
  ExpectFault(single.Check(kDocumented), Fault::kNone);
}

TEST(QuantParamTensor, OutThatIsNoGoodView) {
  Arguments arguments = Of({3}, {}, {3});
  arguments.out.strides[0] = 0;
  for (const Profile& who : {kDocumented, kReleased}) {
    ExpectFault(arguments.Check(who), Fault::kInvalidParam,
                "out is [3] with strides [0], so two of its indices mean the same element; allowed "
                "written tensors whose elements lie apart");
  }
}

// Faults in the order in which they are looked for, each with what it puts into the message.
TEST(QuantParamTensor, ChecksInPublishedOrder) {
  const std::pair<const char*, std::function<void(Arguments&, Profile&)>> steps[] = {
      {"aclnnTransQuantParamV3 is not served on",
       [](Arguments&, Profile& who) { who.chip = FindChip("Ascend910A"); }},
      {"scale is of type float16; allowed float",
       [](Arguments& a, Profile&) { a.scale.dtype = DataType::kFloat16; }},
      {"offset is of type double",
       [](Arguments& a, Profile&) { a.offset->dtype = DataType::kDouble; }},
      {"out is of type int32; allowed uint64 and int64",
       [](Arguments& a, Profile&) { a.out.dtype = DataType::kInt32; }},
      {"scale is in format", [](Arguments& a, Profile&) { a.scale.format = Format{0}; }},
      {"offset is in format", [](Arguments& a, Profile&) { a.offset->format = Format{1}; }},
      {"out is in format", [](Arguments& a, Profile&) { a.out.format = Format{29}; }},
      {"stride 0 of scale is -1", [](Arguments& a, Profile&) { a.scale.strides[0] = -1; }},
      {"dimension 0 of offset is -3", [](Arguments& a, Profile&) { a.offset->dims.sizes[0] = -3; }},
      {"out has 9 dimensions", [](Arguments& a, Profile&) { a.out.dims.rank = 9; }},
      {"scale is [0]", [](Arguments& a, Profile&) { a.scale.dims.sizes[0] = 0; }},
      {"offset is [0]", [](Arguments& a, Profile&) { a.offset->dims.sizes[0] = 0; }},
      {"scale is [3] and offset [2]", [](Arguments& a, Profile&) { a.offset->dims.sizes[0] = 2; }},
      {"roundMode is 2; allowed 0 and 1", [](Arguments& a, Profile&) { a.params.round_mode = 2; }},
      {"out is [7]; allowed [3]", [](Arguments& a, Profile&) { a.out.dims.sizes[0] = 7; }},
      {"scale is [3] with strides [2]", [](Arguments& a, Profile&) { a.scale.strides[0] = 2; }},
      {"offset is [3] with strides [0]", [](Arguments& a, Profile&) { a.offset->strides[0] = 0; }},
      {"out is [3] with strides [0]", [](Arguments& a, Profile&) { a.out.strides[0] = 0; }},
  };
  for (std::size_t first = 0; first < std::size(steps); ++first) {
    for (std::size_t second = first; second < std::size(steps); ++second) {
      Arguments arguments;
      Profile who = kDocumented;
      steps[second].second(arguments, who);
      steps[first].second(arguments, who);
      const Status status = arguments.Check(who);
      ExpectFault(status, Fault::kInvalidParam);
      EXPECT_EQ(status.message().find(steps[first].first), 0U)
          << steps[first].first << " before " << steps[second].first << ": " << status.message();
    }
  }
}

TEST(QuantParamTensor, RoundModesThatAreNone) {
  for (const std::int64_t round_mode :
       {std::int64_t{-1}, std::int64_t{2}, std::numeric_limits<std::int64_t>::max()}) {
    Arguments arguments;
    arguments.params.round_mode = round_mode;
    ExpectFault(arguments.Check(kReleased), Fault::kInvalidParam,
                "roundMode is " + std::to_string(round_mode) + "; allowed 0 and 1");
  }
}

// The plan for these arguments; where it is run, three scales, three offsets and three words.
Status RunOn(const Arguments& arguments, const Profile& who, const std::vector<float>& scale,
             const std::vector<float>& offset, Bytes& words) {
  const StatusOr<Plan> plan = arguments.Make(who);
  if (!plan) return plan.error();
  Memory scales(ToBytes(scale));
  Memory offsets(ToBytes(offset));
  Memory out(words);
  Status status = Execute(*plan, {scales.data(), offsets.data(), out.data()});
  words = out.Content();
  return status;
}

TEST(QuantParamTensor, ValuesThatAreNotFinite) {
  const std::pair<float, std::string> values[] = {{kNan, "nan"}, {-kInf, "-inf"}, {kInf, "inf"}};
  const Bytes before(24, std::byte{7});
  for (const auto& [value, name] : values) {
    for (const std::int64_t round_mode : {0, 1}) {
      Arguments arguments;
      arguments.params.round_mode = round_mode;
      Bytes words = before;
      ExpectFault(RunOn(arguments, kDocumented, {1, value, kNan}, {value, 1, 1}, words),
                  Fault::kTaskException, "scale[1] is " + name + "; allowed finite values");
      ExpectFault(RunOn(arguments, kDocumented, {1, 1, 1}, {1, 1, value}, words),
                  Fault::kTaskException, "offset[2] is " + name + "; allowed finite values");
      EXPECT_EQ(words, before);

      const QuantParamCase data{{1, value, 1}, std::vector<float>{value, 1, value}};
      ExpectFault(RunOn(arguments, kReleased, data.scale, *data.offset, words), Fault::kNone);
      EXPECT_EQ(FromBytes<std::uint64_t>(words),
                ReferenceQuantParamTensor(data, static_cast<int>(round_mode)));
    }
  }
}

TEST(QuantParamTensor, NamesTheElementOfSeveralRows) {
  const Arguments arguments = Of({2, 3}, {}, {2, 3});
  Bytes words(48);
  ExpectFault(RunOn(arguments, kOn950, {1, 1, 1, 1, 1, kNan}, {}, words), Fault::kTaskException,
              "scale[1, 2] is nan; allowed finite values");
}

TEST(QuantParamTensor, OutSharesNoElementWithInputs) {
  const StatusOr<Plan> plan = Arguments().Make(kDocumented);
  ASSERT_TRUE(plan);
  std::vector<float> memory(32, 1.0F);
  ExpectFault(Execute(*plan, {memory.data(), memory.data() + 10, memory.data() + 2}),
              Fault::kTensorAddr);
  ExpectFault(Execute(*plan, {memory.data() + 10, memory.data(), memory.data() + 2}),
              Fault::kTensorAddr);
  ExpectFault(Execute(*plan, {memory.data(), memory.data(), memory.data()}), Fault::kTensorAddr);
  // Inputs may be one.
  ExpectFault(Execute(*plan, {memory.data(), memory.data(), memory.data() + 4}), Fault::kNone);
}

TEST(QuantParamTensor, PlanNamesWhatItTouches) {
  Arguments arguments = Of({4}, {{1}}, {4});
  arguments.out.strides[0] = 3;
  const StatusOr<Plan> plan = arguments.Make(kDocumented);
  ASSERT_TRUE(plan);
  EXPECT_STREQ(plan->operation, "aclnnTransQuantParamV3");
  EXPECT_EQ(plan->workspace_bytes, 0U);
  ASSERT_EQ(plan->accesses().size(), 3U);
  EXPECT_EQ(plan->accesses()[0].extent, 16U);
  EXPECT_EQ(plan->accesses()[1].extent, 4U);
  EXPECT_EQ(plan->accesses()[2].extent, 80U);
  EXPECT_EQ(plan->accesses()[2].mode, AccessMode::kWrite);
  const StatusOr<Plan> without = Of({4}, {}, {4}).Make(kDocumented);
  ASSERT_TRUE(without);
  EXPECT_EQ(without->accesses()[1].extent, 0U);
}

}  // namespace
}  // namespace belay::ops
