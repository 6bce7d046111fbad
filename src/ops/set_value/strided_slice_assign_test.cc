// Every rule of aclnnStridedSliceAssignV2 in its order, both behaviours, and slices said in all
// ways.
#include "ops/set_value/strided_slice_assign.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "support/view_tensor.h"

namespace belay::ops {
namespace {

using testing::AclnnWho;
using testing::Bytes;
using testing::ExpectFault;
using testing::ForEachFamily;
using testing::FromBytes;
using testing::RunOn;
using testing::Shape;
using testing::ToBytes;
using testing::View;
using testing::ViewTensor;

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
const Profile kWho = AclnnWho(Behaviour::kDocumented);

struct Arguments {
  Shape begin = {1, 0};
  Shape end = {4, 2};
  Shape strides = {2, 1};
  std::optional<Shape> axes;
  TensorView var_ref = View(DataType::kFloat, {4, 3});
  TensorView input_value = View(DataType::kFloat, {2, 2});

  [[nodiscard]] StatusOr<Plan> Make(const Profile& who = kWho) const {
    StridedSliceAssign::Params params{begin, end, strides, {}};
    if (axes) params.axes = *axes;
    return StridedSliceAssign::MakePlan(params, var_ref, input_value, who);
  }
  [[nodiscard]] Status Check(const Profile& who = kWho) const {
    const StatusOr<Plan> plan = Make(who);
    return plan ? Status() : plan.error();
  }
};

TEST(StridedSliceAssign, ProductsAndTypes) {
  for (const Behaviour behaviour : {Behaviour::kDocumented, Behaviour::kReleased}) {
    const bool released = behaviour == Behaviour::kReleased;
    ForEachFamily(behaviour, [released](const std::string& name, const Profile& who) {
      const bool served = name == "Ascend910B" || name == "Ascend910_93" ||
                          (released && (name == "Ascend950" || name == "Ascend350"));
      ExpectFault(Arguments().Check(who), served ? Fault::kNone : Fault::kInvalidParam);
    });
  }
  for (std::int32_t number = -1; number < 50; ++number) {
    const auto type = static_cast<DataType>(number);
    bool good = false;
    for (const DataType allowed :
         {DataType::kFloat16, DataType::kFloat, DataType::kBf16, DataType::kInt32, DataType::kInt64,
          DataType::kDouble, DataType::kInt8}) {
      good = good || type == allowed;
    }
    Arguments arguments;
    arguments.var_ref.dtype = type;
    arguments.input_value.dtype = type;
    ExpectFault(arguments.Check(), good ? Fault::kNone : Fault::kInvalidParam);
  }
}

TEST(StridedSliceAssign, RefusalsInOrder) {
  Arguments arguments;
  arguments.var_ref = View(DataType::kBool, {});
  arguments.input_value = View(DataType::kFloat, {7}, {-1});
  arguments.begin = {0, 0, 0};
  arguments.end = {0};
  arguments.strides = {0};
  arguments.axes = Shape{};
  EXPECT_TRUE(arguments.Check(AclnnWho(Behaviour::kDocumented, "Ascend950"))
                  .message()
                  .starts_with("aclnnStridedSliceAssignV2 is not served on Ascend950"));
  ExpectFault(arguments.Check(), Fault::kInvalidParam,
              "varRef is of type bool; allowed float16, float, bf16, int32, int64, double, int8");
  arguments.var_ref.dtype = DataType::kInt8;
  ExpectFault(arguments.Check(), Fault::kInvalidParam,
              "inputValue is of type float; allowed int8, that of varRef");
  arguments.input_value.dtype = DataType::kInt8;
  ExpectFault(arguments.Check(), Fault::kTiling, "varRef has 0 dimensions; allowed 1 to 8");
  arguments.var_ref = View(DataType::kInt8, Shape(9, 1));
  ExpectFault(arguments.Check(), Fault::kTiling, "varRef has 9 dimensions; allowed 1 to 8");
  arguments.var_ref = View(DataType::kInt8, {5, 0}, {0, -1});
  ExpectFault(arguments.Check(), Fault::kTiling,
              "inputValue has 1 dimensions; allowed 2, as varRef has");
  arguments.input_value = View(DataType::kInt8, {7, -7}, {-1, 1});
  ExpectFault(arguments.Check(), Fault::kTiling, "dimension 1 of varRef is 0; allowed 1 and above");
  arguments.var_ref.dims.sizes[1] = 4;
  ExpectFault(arguments.Check(), Fault::kTiling,
              "begin has 3 entries; allowed 0 to 2, the number of dimensions of varRef");
  arguments.begin = {0, 0};
  ExpectFault(arguments.Check(), Fault::kTiling, "end has 1 entries; allowed 2, as begin has");
  arguments.end = {3, 4};
  ExpectFault(arguments.Check(), Fault::kTiling, "strides has 1 entries; allowed 2, as begin has");
  arguments.strides = {0, 0};
  ExpectFault(arguments.Check(), Fault::kTiling,
              "axesOptional has 0 entries; allowed 2, as begin has");
  arguments.axes = Shape{-3, 2};
  ExpectFault(arguments.Check(), Fault::kTiling, "axesOptional[0] is -3; allowed -2 to 1");
  arguments.axes = Shape{1, 2};
  ExpectFault(arguments.Check(), Fault::kTiling, "axesOptional[1] is 2; allowed -2 to 1");
  arguments.axes = Shape{1, -1};
  ExpectFault(arguments.Check(), Fault::kTiling,
              "axesOptional[1] is -1, the axis of axesOptional[0] as well; allowed each axis once");
  arguments.axes = Shape{1, 0};
  ExpectFault(arguments.Check(), Fault::kTiling, "strides[0] is 0; allowed 1 and above");
  arguments.strides = {2, -2};
  ExpectFault(arguments.Check(), Fault::kTiling, "strides[1] is -2; allowed 1 and above");
  arguments.strides = {2, 2};
  ExpectFault(arguments.Check(), Fault::kTiling,
              "strides[0] is 2; allowed 1, since it is of the last axis");
  arguments.strides = {1, 2};
  ExpectFault(arguments.Check(), Fault::kTiling,
              "inputValue is [7, -7]; allowed [2, 3], as long as the slice");
  arguments.input_value.dims.sizes = {2, 3};
  ExpectFault(arguments.Check(), Fault::kInvalidParam,
              "stride 1 of varRef is -1; allowed 0 and above");
  arguments.var_ref.strides[1] = 1;
  ExpectFault(arguments.Check(), Fault::kInvalidParam,
              "stride 0 of inputValue is -1; allowed 0 and above");
  arguments.input_value.strides[0] = 0;
  EXPECT_TRUE(arguments.Check().message().starts_with("varRef is [5, 4] with strides [0, 1], so"));
  arguments.var_ref.strides[0] = 4;
  ExpectFault(arguments.Check(), Fault::kNone);
}

// A vector of ten, of which begin:end:1 is written.
std::optional<std::vector<std::int32_t>> Assign(std::int64_t begin, std::int64_t end,
                                                const std::vector<std::int32_t>& values) {
  ViewTensor var = ViewTensor::Contiguous(DataType::kInt32, {10});
  var.memory = Bytes(40);
  ViewTensor value =
      ViewTensor::Contiguous(DataType::kInt32, {static_cast<std::int64_t>(values.size())});
  value.memory = ToBytes(values);
  Arguments arguments;
  arguments.begin = {begin};
  arguments.end = {end};
  arguments.strides = {1};
  arguments.var_ref = var.view();
  arguments.input_value = value.view();
  const StatusOr<Plan> plan = arguments.Make();
  if (!plan) return std::nullopt;
  return FromBytes<std::int32_t>(RunOn(*plan, {&var, &value})[0]);
}

TEST(StridedSliceAssign, BeginAndEndCountFromTheEndAndAreClamped) {
  using Values = std::vector<std::int32_t>;
  const Values last_two = {0, 0, 0, 0, 0, 0, 0, 0, 7, 8};
  EXPECT_EQ(Assign(8, 10, {7, 8}), last_two);
  EXPECT_EQ(Assign(-2, 10, {7, 8}), last_two);
  EXPECT_EQ(Assign(-2, kMost, {7, 8}), last_two);
  const Values first_two = {7, 8, 0, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(Assign(0, 2, {7, 8}), first_two);
  EXPECT_EQ(Assign(-10, -8, {7, 8}), first_two);
  EXPECT_EQ(Assign(kLeast, 2, {7, 8}), first_two);
  EXPECT_EQ(Assign(-11, -8, {7, 8}), first_two);
  // Nothing, and not something.
  const Values zeros(10);
  EXPECT_EQ(Assign(5, 5, {}), zeros);
  EXPECT_EQ(Assign(kMost, kLeast, {}), zeros);
  EXPECT_EQ(Assign(0, -10, {}), zeros);
  EXPECT_EQ(Assign(5, 4, {7}), std::nullopt);
  EXPECT_EQ(Assign(0, -1, {7, 8}), std::nullopt);
}

TEST(StridedSliceAssign, AxesThatAreNotNamedAreTakenWhole) {
  ViewTensor var = ViewTensor::Contiguous(DataType::kInt32, {4, 3});
  var.memory = Bytes(48);
  ViewTensor value = ViewTensor::Contiguous(DataType::kInt32, {4, 1});
  value.memory = ToBytes(std::vector<std::int32_t>{1, 2, 3, 4});
  Arguments arguments{{1}, {2}, {1}, Shape{-1}, var.view(), value.view()};
  EXPECT_EQ(FromBytes<std::int32_t>(RunOn(*arguments.Make(), {&var, &value})[0]),
            (std::vector<std::int32_t>{0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0}));
  // Every second row from row 1 on; without axes, entry k is of axis k.
  ViewTensor rows = ViewTensor::Contiguous(DataType::kInt32, {2, 3});
  rows.memory = ToBytes(std::vector<std::int32_t>{1, 2, 3, 4, 5, 6});
  arguments = {{1}, {kMost}, {2}, {}, var.view(), rows.view()};
  EXPECT_EQ(FromBytes<std::int32_t>(RunOn(*arguments.Make(), {&var, &rows})[0]),
            (std::vector<std::int32_t>{0, 0, 0, 1, 2, 3, 0, 0, 0, 4, 5, 6}));
  // No entry at all: the whole tensor.
  ViewTensor all = ViewTensor::Contiguous(DataType::kInt32, {4, 3}, 3);
  arguments = {{}, {}, {}, {}, var.view(), all.view()};
  EXPECT_EQ(RunOn(*arguments.Make(), {&var, &all})[0], all.memory);
  // A stride larger than anything, where there is one place.
  ViewTensor one = ViewTensor::Contiguous(DataType::kInt32, {1, 3});
  one.memory = ToBytes(std::vector<std::int32_t>{7, 8, 9});
  arguments = {{2}, {4}, {kMost}, {}, var.view(), one.view()};
  EXPECT_EQ(FromBytes<std::int32_t>(RunOn(*arguments.Make(), {&var, &one})[0]),
            (std::vector<std::int32_t>{0, 0, 0, 0, 0, 0, 7, 8, 9, 0, 0, 0}));
}

TEST(StridedSliceAssign, EmptySlicesHaveNothingToRun) {
  Arguments arguments;
  arguments.begin = {3, 0};
  arguments.end = {3, 2};
  arguments.input_value = View(DataType::kFloat, {0, 2});
  const StatusOr<Plan> plan = arguments.Make();
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->run, nullptr);
  EXPECT_EQ(plan->workspace_bytes, 0U);
}

TEST(StridedSliceAssign, ValueMayBeVarItselfAndOtherwiseSharesNothing) {
  Bytes memory = ToBytes(std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
  const Bytes before = memory;
  Arguments arguments;
  const TensorView whole = View(DataType::kFloat, {4, 3}, {1, 4});
  arguments = {{0, 0}, {4, 3}, {1, 1}, {}, whole, whole};
  ExpectFault(testing::Execute(*arguments.Make(), {memory.data(), memory.data()}), Fault::kNone);
  EXPECT_EQ(memory, before);
  arguments = {};
  ExpectFault(testing::Execute(*arguments.Make(), {memory.data(), memory.data() + 40}),
              Fault::kTensorAddr);
  EXPECT_EQ(memory, before);
  ExpectFault(testing::Execute(*arguments.Make(), {memory.data(), memory.data() + 48}),
              Fault::kNone);
  EXPECT_EQ(FromBytes<float>(memory),
            (std::vector<float>{1, 2, 3, 13, 14, 6, 7, 8, 9, 15, 16, 12, 13, 14, 15, 16}));
}

}  // namespace
}  // namespace belay::ops
