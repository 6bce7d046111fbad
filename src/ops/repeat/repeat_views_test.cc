// Every rule of aclnnRepeat in its published order, both behaviours, and what it does with views.
#include "ops/repeat/repeat_views.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "kernels/cast_reference.h"
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

constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();
const Profile kWho = AclnnWho(Behaviour::kDocumented);
const Profile kReleased = AclnnWho(Behaviour::kReleased);

struct Arguments {
  Shape repeats = {2, 1, 2};
  TensorView self = View(DataType::kFloat, {2, 3});
  TensorView out = View(DataType::kFloat, {2, 2, 6});

  [[nodiscard]] StatusOr<Plan> Make(const Profile& who = kWho) const {
    return RepeatViews::MakePlan({repeats}, self, out, who);
  }
  [[nodiscard]] Status Check(const Profile& who = kWho) const {
    const StatusOr<Plan> plan = Make(who);
    return plan ? Status() : plan.error();
  }
  [[nodiscard]] Status CheckOfType(DataType type, const Profile& who) const {
    Arguments typed = *this;
    typed.self.dtype = type;
    typed.out.dtype = type;
    return typed.Check(who);
  }
};

TEST(RepeatViews, ProductsAndTypes) {
  for (const Behaviour behaviour : {Behaviour::kDocumented, Behaviour::kReleased}) {
    const bool released = behaviour == Behaviour::kReleased;
    ForEachFamily(behaviour, [released](const std::string& name, const Profile& who) {
      const bool served =
          name.starts_with("Ascend9") || name == "Ascend310P" || name == "Ascend350";
      const bool older = name == "Ascend910" || name == "Ascend310P";
      for (const DataType type : kernels::kCastTypes) {
        bool good = served;
        if (type == DataType::kBf16) good = served && (released || !older);
        if (type == DataType::kUint16) good = served && name != "Ascend910";
        ExpectFault(Arguments().CheckOfType(type, who), good ? Fault::kNone : Fault::kInvalidParam);
      }
      for (const DataType type : {DataType::kInt4, DataType::kHifloat8, DataType::kFloat8E5m2,
                                  DataType::kFloat8E4m3fn, DataType::kString}) {
        ExpectFault(Arguments().CheckOfType(type, who), Fault::kInvalidParam);
      }
    });
  }
}

TEST(RepeatViews, RefusalsInOrder) {
  Arguments arguments;
  arguments.self = View(DataType::kInt4, {2, 3}, {-1, 1});
  arguments.out = View(DataType::kFloat, {5}, {-1});
  arguments.repeats = {-1};
  EXPECT_TRUE(arguments.Check(AclnnWho(Behaviour::kReleased, "Ascend310B"))
                  .message()
                  .starts_with("aclnnRepeat is not served on Ascend310B"));
  EXPECT_TRUE(arguments.Check().message().starts_with("self is of type int4; allowed float,"));
  arguments.self.dtype = DataType::kDouble;
  ExpectFault(arguments.Check(), Fault::kInvalidParam,
              "out is of type float; allowed double, that of self");
  arguments.out.dtype = DataType::kDouble;
  ExpectFault(arguments.Check(), Fault::kInvalidParam,
              "repeats has 1 entries; allowed 2 and above, the number of dimensions of self");
  arguments.repeats = {1, 2, 2, 2, 2, 2, 2, 2, -1};
  ExpectFault(arguments.Check(), Fault::kInvalidParam, "repeats[8] is -1; allowed 0 and above");
  arguments.repeats.back() = 0;
  ExpectFault(arguments.Check(), Fault::kInvalidParam, "repeats has 9 entries; allowed 0 to 8");
  arguments.repeats = {1, 2, 2, 2, 2};
  ExpectFault(arguments.Check(), Fault::kInvalidParam,
              "stride 0 of self is -1; allowed 0 and above");
  arguments.self.strides[0] = 3;
  ExpectFault(arguments.Check(), Fault::kInvalidParam,
              "stride 0 of out is -1; allowed 0 and above");
  arguments.out.strides[0] = 0;
  ExpectFault(arguments.Check(), Fault::kInvalidParam,
              "out is [5]; allowed [1, 2, 2, 4, 6], repeats times the dimensions of self");
  arguments.out = View(DataType::kDouble, {1, 2, 2, 4, 6}, {0, 0, 0, 6, 1});
  EXPECT_TRUE(arguments.Check().message().starts_with("out is [1, 2, 2, 4, 6] with strides"));
  arguments.out = View(DataType::kDouble, {1, 2, 2, 4, 6});
  ExpectFault(arguments.Check(), Fault::kInnerNullPointer,
              "repeats is [1, 2, 2, 2, 2], with 4 entries above 1, the first one not among them; "
              "allowed up to 3");
  arguments.repeats = {1, 2, 2, 2, 1};
  arguments.out = View(DataType::kDouble, {1, 2, 2, 4, 3});
  ExpectFault(arguments.Check(), Fault::kNone);
}

TEST(RepeatViews, DeviceLimitOfRepeatedDimensions) {
  const auto check = [](const Shape& repeats, const Profile& who) {
    return Arguments{repeats, View(DataType::kInt8, {}), View(DataType::kInt8, repeats)}.Check(who);
  };
  for (const Profile& who : {kWho, kReleased}) {
    ExpectFault(check({2, 2, 2, 2}, who), Fault::kNone);
    ExpectFault(check({2, 1, 2, 2, 2, 1}, who), Fault::kNone);
    ExpectFault(check({2, 2, 2, 2, 2}, who), Fault::kInnerNullPointer);
    ExpectFault(check({1, 2, 2, 2}, who), Fault::kNone);
    ExpectFault(check({1, 2, 2, 2, 2}, who), Fault::kInnerNullPointer);
    // Nothing is repeated.
    ExpectFault(check({0, 2, 2, 2, 2}, who), Fault::kNone);
  }
}

TEST(RepeatViews, RanksAndSizes) {
  Arguments arguments;
  arguments.self = View(DataType::kFloat, Shape(9, 1));
  arguments.repeats = Shape(8, 1);
  ExpectFault(arguments.Check(), Fault::kInvalidParam);
  arguments.repeats = Shape(9, 1);
  ExpectFault(arguments.Check(), Fault::kInvalidParam, "repeats has 9 entries; allowed 0 to 8");
  arguments = {{kHuge}, View(DataType::kInt8, {2}), View(DataType::kInt8, {5})};
  ExpectFault(
      arguments.Check(), Fault::kInvalidParam,
      "repeats[0] is 9223372036854775807 and the dimension of self 2; allowed entries whose "
      "product with it fits into int64");
}

TEST(RepeatViews, EmptyIsDoneWhateverOutsShape) {
  const auto run = [](const Shape& repeats, const Shape& self, const Shape& out) {
    const StatusOr<Plan> plan =
        Arguments{repeats, View(DataType::kFloat, self), View(DataType::kFloat, out)}.Make();
    EXPECT_TRUE(plan);
    return plan && plan->run != nullptr;
  };
  EXPECT_FALSE(run({2}, {0}, {0}));
  EXPECT_FALSE(run({2}, {0}, {3, 4}));
  EXPECT_FALSE(run({2}, {3}, {0, 9}));
  EXPECT_FALSE(run({2, 0}, {3}, {5}));
  EXPECT_TRUE(run({2}, {3}, {6}));
  // Earlier rules hold.
  ExpectFault(Arguments{{-2}, View(DataType::kFloat, {0}), View(DataType::kFloat, {0})}.Check(),
              Fault::kInvalidParam);
}

TEST(RepeatViews, WithoutEntriesAScalarIsCopied) {
  Arguments arguments{{}, View(DataType::kInt32, {}), View(DataType::kInt32, {1})};
  ExpectFault(arguments.Check(), Fault::kInvalidParam,
              "out is [1]; allowed [], repeats times the dimensions of self");
  ViewTensor self = ViewTensor::Contiguous(DataType::kInt32, {});
  const ViewTensor out = ViewTensor::Contiguous(DataType::kInt32, {}, 2);
  const StatusOr<Plan> plan = RepeatViews::MakePlan({Shape{}}, self.view(), out.view(), kWho);
  ASSERT_TRUE(plan);
  EXPECT_EQ(RunOn(*plan, {&self, &out})[1], self.memory);
}

TEST(RepeatViews, TheKernelDependsOnGaps) {
  EXPECT_STREQ(Arguments().Make()->kernel, "Tile");
  Arguments arguments;
  arguments.self.strides[1] = 0;
  EXPECT_STREQ(arguments.Make()->kernel, "StridedCopy");
  arguments = {};
  arguments.out.strides[0] = 13;
  const StatusOr<Plan> plan = arguments.Make();
  EXPECT_STREQ(plan->kernel, "StridedCopy");
  EXPECT_EQ(plan->accesses()[1].extent, 100U);
  EXPECT_EQ(plan->TrafficBytes(), 24U + 96U);
}

TEST(RepeatViews, OutMayBeSelfAndOtherwiseSharesNothing) {
  Bytes memory = ToBytes(std::vector<float>{1, 2, 3, 4, 5, 6});
  const Bytes before = memory;
  for (const Shape& strides : {Shape{3, 1}, Shape{1, 2}}) {
    const TensorView view = View(DataType::kFloat, {2, 3}, strides);
    const StatusOr<Plan> plan = RepeatViews::MakePlan({Shape{1, 1}}, view, view, kWho);
    ASSERT_TRUE(plan);
    ExpectFault(testing::Execute(*plan, {memory.data(), memory.data()}), Fault::kNone);
    EXPECT_EQ(memory, before);
    ExpectFault(testing::Execute(*plan, {memory.data(), memory.data() + 4}), Fault::kTensorAddr);
  }
  const Arguments arguments{{2}, View(DataType::kFloat, {2}), View(DataType::kFloat, {4})};
  ExpectFault(testing::Execute(*arguments.Make(), {memory.data(), memory.data()}),
              Fault::kTensorAddr);
  EXPECT_EQ(memory, before);
  ExpectFault(testing::Execute(*arguments.Make(), {memory.data(), memory.data() + 8}),
              Fault::kNone);
  EXPECT_EQ(FromBytes<float>(memory), (std::vector<float>{1, 2, 1, 2, 1, 2}));
}

}  // namespace
}  // namespace belay::ops
