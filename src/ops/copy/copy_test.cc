// InplaceCopy and Expand: every rule, in the published order, and what they do with views.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "kernels/cast_reference.h"
#include "ops/copy/expand.h"
#include "ops/copy/inplace_copy.h"
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
const Shape kNineOnes(9, 1);
constexpr DataType kRefusedTypes[] = {
    DataType::kUndefined,  DataType::kString,     DataType::kInt4,          DataType::kUint1,
    DataType::kComplex32,  DataType::kHifloat8,   DataType::kFloat8E5m2,    DataType::kFloat8E4m3fn,
    DataType::kFloat8E8m0, DataType::kFloat4E2m1, static_cast<DataType>(99)};
const Profile kWho = AclnnWho(Behaviour::kDocumented);
const Profile kReleased = AclnnWho(Behaviour::kReleased);

template <class T>
ViewTensor Tensor(DataType type, const Shape& shape, const std::vector<T>& values) {
  ViewTensor tensor = ViewTensor::Contiguous(type, shape);
  tensor.memory = ToBytes(values);
  return tensor;
}

// ---- InplaceCopy

struct CopyArguments {
  TensorView self_ref = View(DataType::kFloat, {2, 3});
  TensorView src = View(DataType::kInt32, {3});

  [[nodiscard]] Status Check(const Profile& who = kWho) const {
    const StatusOr<Plan> plan = InplaceCopy::MakePlan(self_ref, src, who);
    return plan ? Status() : plan.error();
  }
};

TEST(InplaceCopy, Products) {
  for (const Behaviour behaviour : {Behaviour::kDocumented, Behaviour::kReleased}) {
    ForEachFamily(behaviour, [](const std::string& name, const Profile& who) {
      const bool served = name != "Ascend031" && name != "Ascend035" && !name.starts_with("Kirin");
      ExpectFault(CopyArguments().Check(who), served ? Fault::kNone : Fault::kInvalidParam);
    });
  }
}

TEST(InplaceCopy, Types) {
  for (const DataType type : kernels::kCastTypes) {
    for (const DataType other : kernels::kCastTypes) {
      ExpectFault(CopyArguments{View(type, {2}), View(other, {2})}.Check(), Fault::kNone);
    }
  }
  for (const DataType type : kRefusedTypes) {
    for (const Profile& who : {kWho, kReleased}) {
      ExpectFault(CopyArguments{View(type, {2}), View(DataType::kFloat, {2})}.Check(who),
                  Fault::kInvalidParam);
      ExpectFault(CopyArguments{View(DataType::kFloat, {2}), View(type, {2})}.Check(who),
                  Fault::kInvalidParam);
    }
  }
}

// Each of the later faults as well, so that the order shows.
TEST(InplaceCopy, RefusalsInOrder) {
  CopyArguments arguments;
  arguments.self_ref = View(DataType::kInt4, {2, 3}, {0, -1});
  arguments.src = View(DataType::kString, kNineOnes);
  ForEachFamily(Behaviour::kDocumented, [&](const std::string& name, const Profile& who) {
    if (name != "KirinX90") return;
    EXPECT_TRUE(arguments.Check(who).message().starts_with("aclnnInplaceCopy is not served on "));
  });
  ExpectFault(arguments.Check(), Fault::kInvalidParam,
              "selfRef is of type int4; allowed float, float16, int8, int32, uint8, int16, uint16, "
              "uint32, int64, uint64, double, bool, bf16, complex64, complex128");
  arguments.self_ref.dtype = DataType::kFloat;
  EXPECT_TRUE(arguments.Check().message().starts_with("src is of type string; allowed float,"));
  arguments.src.dtype = DataType::kInt32;
  ExpectFault(arguments.Check(), Fault::kInvalidParam,
              "stride 1 of selfRef is -1; allowed 0 and above");
  arguments.self_ref = View(DataType::kFloat, {2, 3}, {0, 1});
  ExpectFault(arguments.Check(), Fault::kInvalidParam, "src has 9 dimensions; allowed 0 to 8");
  arguments.src = View(DataType::kInt32, {2});
  ExpectFault(arguments.Check(), Fault::kInvalidParam,
              "src is [2]; allowed shapes that broadcast to [2, 3], that of selfRef: from the last "
              "dimension on, the same size or 1");
  arguments.src = View(DataType::kInt32, {3});
  ExpectFault(arguments.Check(), Fault::kInvalidParam,
              "selfRef is [2, 3] with strides [0, 1], so two of its indices mean the same element; "
              "allowed written tensors whose elements lie apart");
  arguments.self_ref = View(DataType::kFloat, {2, 3}, {3, 1});
  ExpectFault(arguments.Check(), Fault::kNone);
}

TEST(InplaceCopy, ShapesThatBroadcast) {
  const auto check = [](const Shape& self, const Shape& src) {
    return CopyArguments{View(DataType::kFloat, self), View(DataType::kFloat, src)}.Check().ok();
  };
  EXPECT_TRUE(check({}, {}));
  EXPECT_TRUE(check({2, 3}, {}));
  EXPECT_TRUE(check({2, 3}, {1}));
  EXPECT_TRUE(check({2, 3}, {2, 1}));
  EXPECT_TRUE(check({1, 2, 1, 2, 1, 2, 1, 2}, {2}));
  EXPECT_FALSE(check({}, {1}));  // not exactly selfRef's shape
  EXPECT_FALSE(check({3}, {1, 3}));
  EXPECT_FALSE(check({2, 3}, {2}));
  EXPECT_FALSE(check({1, 3}, {2, 3}));
  EXPECT_FALSE(check({3}, {0}));
  EXPECT_FALSE(check({0}, {3}));
}

TEST(InplaceCopy, EmptyTensorsHaveNothingToRun) {
  for (const auto& [self, src] :
       {std::pair<Shape, Shape>{{0}, {0}}, {{2, 0}, {}}, {{0, 3}, {1, 3}}, {{3, 0, 2}, {1, 1}}}) {
    const StatusOr<Plan> plan =
        InplaceCopy::MakePlan(View(DataType::kFloat, self), View(DataType::kBool, src), kWho);
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->run, nullptr);
    EXPECT_EQ(plan->workspace_bytes, 0U);
  }
}

TEST(InplaceCopy, Casts) {
  const ViewTensor src = Tensor<float>(DataType::kFloat, {4}, {-1.75F, 300.5F, NAN, -0.0F});
  const auto cast = [&src](DataType type) {
    const ViewTensor dst = ViewTensor::Contiguous(type, {4});
    const StatusOr<Plan> plan = InplaceCopy::MakePlan(dst.view(), src.view(), kWho);
    return plan ? RunOn(*plan, {&dst, &src})[0] : Bytes();
  };
  EXPECT_EQ(FromBytes<std::int8_t>(cast(DataType::kInt8)),
            (std::vector<std::int8_t>{-1, 127, 0, 0}));
  EXPECT_EQ(FromBytes<std::uint8_t>(cast(DataType::kUint8)),
            (std::vector<std::uint8_t>{0, 255, 0, 0}));
  EXPECT_EQ(FromBytes<std::uint8_t>(cast(DataType::kBool)),
            (std::vector<std::uint8_t>{1, 1, 1, 0}));
  EXPECT_EQ(FromBytes<std::uint16_t>(cast(DataType::kFloat16)),
            (std::vector<std::uint16_t>{0xBF00, 0x5CB2, 0x7E00, 0x8000}));
}

// The first addresses of both are the same.
Status RunInPlace(const Plan& plan, Bytes& memory, std::size_t distance = 0) {
  return testing::Execute(plan, {memory.data(), memory.data() + distance});
}

TEST(InplaceCopy, TheSameViewMayBeBothAndOthersMayNotOverlap) {
  const TensorView floats = View(DataType::kFloat, {2, 3}, {1, 2});
  const TensorView ints = View(DataType::kInt32, {2, 3}, {1, 2});
  Bytes memory = ToBytes(std::vector<std::int32_t>{1, 2, 3, -4, 5, 6});
  const Bytes before = memory;
  ExpectFault(RunInPlace(*InplaceCopy::MakePlan(ints, ints, kWho), memory), Fault::kNone);
  EXPECT_EQ(memory, before);
  ExpectFault(RunInPlace(*InplaceCopy::MakePlan(floats, ints, kWho), memory), Fault::kNone);
  EXPECT_EQ(FromBytes<float>(memory), (std::vector<float>{1, 2, 3, -4, 5, 6}));

  // Another view of the same elements; the same one further on; one element of it.
  const Bytes floats_before = memory;
  const TensorView rows = View(DataType::kFloat, {2, 3}, {3, 1});
  ExpectFault(RunInPlace(*InplaceCopy::MakePlan(floats, rows, kWho), memory), Fault::kTensorAddr);
  const TensorView half = View(DataType::kFloat, {3});
  ExpectFault(RunInPlace(*InplaceCopy::MakePlan(half, half, kWho), memory, 8), Fault::kTensorAddr);
  const TensorView one = View(DataType::kFloat, {});
  ExpectFault(RunInPlace(*InplaceCopy::MakePlan(half, one, kWho), memory), Fault::kTensorAddr);
  EXPECT_EQ(memory, floats_before);
  // Every second element each.
  const TensorView even = View(DataType::kFloat, {3}, {2});
  ExpectFault(RunInPlace(*InplaceCopy::MakePlan(even, even, kWho), memory, 4), Fault::kNone);
  EXPECT_EQ(FromBytes<float>(memory), (std::vector<float>{2, 2, -4, -4, 6, 6}));
}

TEST(InplaceCopy, PlanNamesWhatItTouches) {
  const TensorView self = View(DataType::kFloat, {2, 3}, {10, 2});
  const StatusOr<Plan> plan = InplaceCopy::MakePlan(self, View(DataType::kInt8, {3}), kWho);
  ASSERT_TRUE(plan);
  EXPECT_STREQ(plan->operation, "aclnnInplaceCopy");
  EXPECT_STREQ(plan->kernel, "StridedCast");
  ASSERT_EQ(plan->accesses().size(), 2U);
  EXPECT_STREQ(plan->accesses()[0].argument, "selfRef");
  EXPECT_EQ(plan->accesses()[0].mode, AccessMode::kWrite);
  EXPECT_EQ(plan->accesses()[0].extent, 60U);
  EXPECT_STREQ(plan->accesses()[1].argument, "src");
  EXPECT_EQ(plan->accesses()[1].mode, AccessMode::kRead);
  EXPECT_EQ(plan->accesses()[1].extent, 3U);
  EXPECT_EQ(plan->TrafficBytes(), 27U);
  EXPECT_STREQ(InplaceCopy::MakePlan(self, self, kWho)->kernel, "StridedCopy");
}

// ---- Expand

struct ExpandArguments {
  Shape size = {2, 3};
  TensorView self = View(DataType::kFloat, {1, 3});
  TensorView out = View(DataType::kFloat, {2, 3});

  [[nodiscard]] Status Check(const Profile& who = kWho) const {
    const StatusOr<Plan> plan = Expand::MakePlan({size}, self, out, who);
    return plan ? Status() : plan.error();
  }
};

TEST(Expand, ProductsAndTypes) {
  for (const Behaviour behaviour : {Behaviour::kDocumented, Behaviour::kReleased}) {
    ForEachFamily(behaviour, [](const std::string& name, const Profile& who) {
      const bool served =
          name.starts_with("Ascend9") || name == "Ascend310P" || name == "Ascend350";
      const bool with_bf16 = served && name != "Ascend910" && name != "Ascend310P";
      ExpectFault(ExpandArguments().Check(who), served ? Fault::kNone : Fault::kInvalidParam);
      ExpandArguments bf16;
      bf16.self.dtype = DataType::kBf16;
      bf16.out.dtype = DataType::kBf16;
      ExpectFault(bf16.Check(who), with_bf16 ? Fault::kNone : Fault::kInvalidParam);
    });
  }
  std::vector<DataType> refused(std::begin(kRefusedTypes), std::end(kRefusedTypes));
  for (const DataType type : {DataType::kDouble, DataType::kInt16, DataType::kUint16,
                              DataType::kUint32, DataType::kUint64, DataType::kComplex64}) {
    refused.push_back(type);
  }
  for (const DataType type : refused) {
    ExpandArguments arguments;
    arguments.self.dtype = type;
    arguments.out.dtype = type;
    ExpectFault(arguments.Check(), Fault::kInvalidParam);
  }
  for (const DataType type :
       {DataType::kFloat16, DataType::kFloat, DataType::kUint8, DataType::kInt8, DataType::kInt32,
        DataType::kInt64, DataType::kBool}) {
    ExpandArguments arguments;
    arguments.self.dtype = type;
    arguments.out.dtype = type;
    ExpectFault(arguments.Check(AclnnWho(Behaviour::kDocumented, "Ascend910")), Fault::kNone);
  }
}

TEST(Expand, RefusalsInOrder) {
  ExpandArguments arguments;
  arguments.self = View(DataType::kDouble, {4, 3}, {-1, 1});
  arguments.out = View(DataType::kFloat, {5, 3}, {0, 1});
  arguments.size = {2};
  EXPECT_TRUE(arguments.Check(AclnnWho(Behaviour::kDocumented, "Ascend310B"))
                  .message()
                  .starts_with("aclnnExpand is not served on Ascend310B"));
  ExpectFault(arguments.Check(), Fault::kInvalidParam,
              "out is of type float; allowed double, that of self");
  arguments.out.dtype = DataType::kDouble;
  ExpectFault(arguments.Check(), Fault::kInvalidParam,
              "self is of type double; allowed float16, float, uint8, int8, int32, int64, bool, "
              "bf16");
  arguments.self.dtype = DataType::kFloat;
  arguments.out.dtype = DataType::kFloat;
  ExpectFault(arguments.Check(), Fault::kInvalidParam,
              "stride 0 of self is -1; allowed 0 and above");
  arguments.self.strides[0] = 3;
  ExpectFault(arguments.Check(), Fault::kInvalidParam,
              "size has 1 entries; allowed 2 and above, the number of dimensions of self");
  arguments.size = {2, 3};
  ExpectFault(arguments.Check(), Fault::kInvalidParam,
              "size[0] is 2; allowed 4, as dimension 0 of self is");
  arguments.size = {4, 3};
  ExpectFault(arguments.Check(), Fault::kInvalidParam,
              "out is [5, 3]; allowed [4, 3], as size says");
  arguments.size = {5, 3};
  arguments.self.dims.sizes[0] = 1;
  EXPECT_TRUE(arguments.Check().message().starts_with("out is [5, 3] with strides [0, 1], so two"));
  arguments.out.strides[0] = 3;
  ExpectFault(arguments.Check(), Fault::kNone);
}

TEST(Expand, SizesThatDoNotFit) {
  ExpandArguments arguments;
  for (const Shape& size :
       {Shape{2, -1}, Shape{-1, 3}, Shape{2, 3, 3}, Shape{}, Shape(9, 1), Shape{kHuge, kHuge}}) {
    arguments.size = size;
    ExpectFault(arguments.Check(), Fault::kInvalidParam);
    ExpectFault(arguments.Check(kReleased), Fault::kInvalidParam);
  }
  arguments.size = {2, 3};
  arguments.self = View(DataType::kFloat, kNineOnes);
  ExpectFault(arguments.Check(), Fault::kInvalidParam, "self has 9 dimensions; allowed 0 to 8");
  arguments = {{2, 3}, View(DataType::kFloat, {}), View(DataType::kFloat, kNineOnes)};
  ExpectFault(arguments.Check(), Fault::kInvalidParam, "out has 9 dimensions; allowed 0 to 8");
}

TEST(Expand, EmptyTensorsAndScalars) {
  const StatusOr<Plan> plan = Expand::MakePlan({Shape{2, 0}}, View(DataType::kFloat, {1, 0}),
                                               View(DataType::kFloat, {2, 0}), kWho);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->run, nullptr);
  EXPECT_EQ(
      Expand::MakePlan({Shape{0}}, View(DataType::kFloat, {}), View(DataType::kFloat, {0}), kWho)
          ->run,
      nullptr);
  const ViewTensor self = Tensor<std::int32_t>(DataType::kInt32, {}, {7});
  const ViewTensor out = ViewTensor::Contiguous(DataType::kInt32, {2, 2});
  const StatusOr<Plan> filled = Expand::MakePlan({Shape{2, 2}}, self.view(), out.view(), kWho);
  ASSERT_TRUE(filled);
  EXPECT_EQ(FromBytes<std::int32_t>(RunOn(*filled, {&self, &out})[1]),
            (std::vector<std::int32_t>{7, 7, 7, 7}));
}

TEST(Expand, OutMayBeSelfAndOtherwiseSharesNothing) {
  Bytes memory = ToBytes(std::vector<float>{1, 2, 3, 4});
  const Bytes before = memory;
  const TensorView two = View(DataType::kFloat, {2});
  ExpectFault(RunInPlace(*Expand::MakePlan({Shape{2}}, two, two, kWho), memory), Fault::kNone);
  EXPECT_EQ(memory, before);
  ExpectFault(RunInPlace(*Expand::MakePlan({Shape{2}}, two, two, kWho), memory, 4),
              Fault::kTensorAddr);
  const StatusOr<Plan> wider =
      Expand::MakePlan({Shape{2, 2}}, two, View(DataType::kFloat, {2, 2}), kWho);
  ExpectFault(RunInPlace(*wider, memory), Fault::kTensorAddr);
  EXPECT_EQ(memory, before);
}

}  // namespace
}  // namespace belay::ops
