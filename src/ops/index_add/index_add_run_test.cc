// What the operator does with memory: examples, aliases, values that it refuses.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "kernels/half.h"
#include "ops/index_add/index_add.h"
#include "support/operator_run.h"

namespace belay::ops {
namespace {

using testing::Bytes;
using testing::Desc;
using testing::ExpectFault;
using testing::FromBytes;
using testing::Memory;
using testing::ToBytes;
using testing::Who;
using Halves = std::vector<std::uint16_t>;

constexpr auto kFp16 = DataType::kFloat16;
constexpr IndexAdd::Type kTypes[] = {IndexAdd::kIndexAdd, IndexAdd::kIndexAddValid};

const Profile kDocumented = Who(Behaviour::kDocumented);
const Profile kReleased = Who(Behaviour::kReleased);

// For `count` indices into the dimension `axis` of var.
Plan PlanOf(IndexAdd::Type type, const TensorDesc& var, std::int64_t count, const Profile& who,
            std::int64_t axis = 0) {
  TensorDesc updates = var;
  const std::uint64_t at = axis < 0 ? var.dims.rank - static_cast<std::uint64_t>(-axis)
                                    : static_cast<std::uint64_t>(axis);
  updates.dims.sizes[at] = count;
  const TensorDesc scalar =
      Desc(type == IndexAdd::kIndexAddValid ? DataType::kInt32 : var.dtype, {1});
  Plan plan;
  const testing::Life<IndexAdd> life{{type, axis}, who};
  ExpectFault(life.Setup({var, Desc(DataType::kInt32, {count}), updates, scalar}, {var}, &plan),
              Fault::kNone);
  return plan;
}

Halves Fp16s(const std::vector<float>& values) {
  Halves halves;
  for (const float value : values) halves.push_back(kernels::Fp16::FromFloat(value));
  return halves;
}

// The memory of one call.
struct Arguments {
  Memory var;
  Memory indices;
  Memory updates;
  Memory scalar;
  Memory output;

  // With output apart from var.
  Status Execute(const Plan& plan) {
    return testing::Execute(
        plan, {var.data(), indices.data(), updates.data(), scalar.data(), output.data()});
  }
  Status ExecuteInPlace(const Plan& plan) {
    return testing::Execute(
        plan, {var.data(), indices.data(), updates.data(), scalar.data(), var.data()});
  }
};

Arguments MakeArguments(const Halves& var, const std::vector<std::int32_t>& indices,
                        const Halves& updates, const Bytes& scalar) {
  return {Memory(ToBytes(var)), Memory(ToBytes(indices)), Memory(ToBytes(updates)), Memory(scalar),
          Memory(ToBytes(var))};
}

TEST(IndexAddRun, DocumentsExampleOfIndexAdd) {
  for (const Profile& who : {kDocumented, kReleased}) {
    const Plan plan = PlanOf(IndexAdd::kIndexAdd, Desc(kFp16, {5, 3}), 3, who);
    Arguments arguments = MakeArguments(Fp16s(std::vector<float>(15, 1)), {0, 4, 2},
                                        Fp16s({1, 2, 3, 4, 5, 6, 7, 8, 9}), ToBytes(Fp16s({1})));
    ASSERT_TRUE(arguments.ExecuteInPlace(plan).ok());
    EXPECT_EQ(FromBytes<std::uint16_t>(arguments.var.Content()),
              Fp16s({2, 3, 4, 1, 1, 1, 8, 9, 10, 1, 1, 1, 5, 6, 7}));
  }
}

TEST(IndexAddRun, DocumentsExampleOfIndexAddValid) {
  for (const Profile& who : {kDocumented, kReleased}) {
    const Plan plan = PlanOf(IndexAdd::kIndexAddValid, Desc(kFp16, {5, 3}), 5, who);
    Arguments arguments = MakeArguments(Fp16s(std::vector<float>(15, 0)), {0, 2, 2, -1, -1},
                                        Fp16s({0, 1, 2, 1, 2, 3, 2, 3, 4, 5, 6, 7, 6, 7, 8}),
                                        ToBytes<std::int32_t>({3}));
    ASSERT_TRUE(arguments.ExecuteInPlace(plan).ok());
    EXPECT_EQ(FromBytes<std::uint16_t>(arguments.var.Content()),
              Fp16s({0, 1, 2, 0, 0, 0, 3, 5, 7, 0, 0, 0, 0, 0, 0}));
  }
}

TEST(IndexAddRun, DuplicatesAddUpInTheOrderOfIndices) {
  const Plan plan = PlanOf(IndexAdd::kIndexAdd, Desc(DataType::kBf16, {2, 1}), 4, kDocumented);
  const auto run = [&](const Halves& updates) {
    Arguments arguments =
        MakeArguments(Halves{0, 0x7F81}, {0, 0, 0, 0}, updates, ToBytes(Halves{0x3F80}));
    EXPECT_TRUE(arguments.ExecuteInPlace(plan).ok());
    return FromBytes<std::uint16_t>(arguments.var.Content());
  };
  // 2^24 + 1 is 2^24 in float32. The other row keeps its bits.
  EXPECT_EQ(run({0x4B80, 0x3F80, 0xCB80, 0}), (Halves{0, 0x7F81}));
  EXPECT_EQ(run({0x4B80, 0xCB80, 0x3F80, 0}), (Halves{0x3F80, 0x7F81}));
}

TEST(IndexAddRun, OverlapWithVarIsRefused) {
  for (const Profile& who : {kDocumented, kReleased}) {
    for (const IndexAdd::Type type : kTypes) {
      const Plan plan = PlanOf(type, Desc(kFp16, {8, 4}), 2, who);
      Memory var(64);
      Memory others(std::size_t{128});
      std::memset(others.data(), 0, 128);
      const Bytes before = var.Content();
      for (std::size_t spoilt = 1; spoilt <= 3; ++spoilt) {
        void* addresses[] = {var.data(), others.data(), others.data() + 32, others.data() + 64};
        addresses[spoilt] = var.data() + 62;
        ExpectFault(testing::Execute(
                        plan, {addresses[0], addresses[1], addresses[2], addresses[3], var.data()}),
                    Fault::kTensorAddr);
        EXPECT_EQ(var.Content(), before);
      }
      // Inputs may overlap each other.
      ExpectFault(testing::Execute(
                      plan, {var.data(), others.data(), others.data(), others.data(), var.data()}),
                  Fault::kNone);
    }
  }
}

TEST(IndexAddRun, AnotherOutputIsRefusedAsDocumented) {
  for (const IndexAdd::Type type : kTypes) {
    const Plan plan = PlanOf(type, Desc(kFp16, {2, 1}), 1, kDocumented);
    Arguments arguments = MakeArguments(Fp16s({1, 2}), {0}, Fp16s({5}), Bytes(4));
    const Bytes before = arguments.var.Content();
    const Status status = arguments.Execute(plan);
    ExpectFault(status, Fault::kTensorAddr);
    EXPECT_NE(status.message().find("the address of var"), std::string::npos);
    EXPECT_EQ(arguments.var.Content(), before);
    EXPECT_EQ(arguments.output.Content(), before);
  }
}

TEST(IndexAddRun, AnotherOutputAsReleased) {
  Plan plan = PlanOf(IndexAdd::kIndexAdd, Desc(kFp16, {2, 1}), 1, kReleased);
  Arguments arguments = MakeArguments(Fp16s({1, 2}), {1}, Fp16s({5}), ToBytes(Fp16s({2})));
  std::memcpy(arguments.output.data(), Fp16s({100, 200}).data(), 4);
  ASSERT_TRUE(arguments.Execute(plan).ok());
  EXPECT_EQ(FromBytes<std::uint16_t>(arguments.var.Content()), Fp16s({1, 2}));
  EXPECT_EQ(FromBytes<std::uint16_t>(arguments.output.Content()), Fp16s({100, 210}));

  plan = PlanOf(IndexAdd::kIndexAddValid, Desc(kFp16, {2, 1}), 1, kReleased);
  arguments = MakeArguments(Fp16s({1, 2}), {1}, Fp16s({5}), ToBytes<std::int32_t>({1}));
  std::memcpy(arguments.output.data(), Fp16s({100, 200}).data(), 4);
  ASSERT_TRUE(arguments.Execute(plan).ok());
  EXPECT_EQ(FromBytes<std::uint16_t>(arguments.var.Content()), Fp16s({1, 7}));
  EXPECT_EQ(FromBytes<std::uint16_t>(arguments.output.Content()), Fp16s({100, 200}));
}

TEST(IndexAddRun, IllegalIndexLeavesEverythingUntouched) {
  const Plan plan = PlanOf(IndexAdd::kIndexAdd, Desc(kFp16, {2, 4, 1}), 3, kDocumented, -2);
  for (const std::int32_t bad : {4, -1, std::numeric_limits<std::int32_t>::max(),
                                 std::numeric_limits<std::int32_t>::min()}) {
    Arguments arguments =
        MakeArguments(Halves(8, 0x3C00), {0, 3, bad}, Halves(6, 0x3C00), ToBytes(Halves{0x3C00}));
    ExpectFault(arguments.ExecuteInPlace(plan), Fault::kTaskException,
                "indices[2] is " + std::to_string(bad) + "; allowed 0..3 (dimension 1 of var)");
    EXPECT_EQ(arguments.var.Content(), ToBytes(Halves(8, 0x3C00)));
  }
}

TEST(IndexAddRun, ValidIndicesNum) {
  const Plan plan = PlanOf(IndexAdd::kIndexAddValid, Desc(kFp16, {2, 1}), 3, kDocumented);
  const auto run = [&](std::int32_t valid, const std::vector<std::int32_t>& indices) {
    Arguments arguments = MakeArguments(Halves{0x3C00, 0x7D55}, indices, Halves(3, 0x3C00),
                                        ToBytes<std::int32_t>({valid}));
    const Status status = arguments.ExecuteInPlace(plan);
    EXPECT_EQ(status.ok() && valid != 0,
              arguments.var.Content() != ToBytes(Halves{0x3C00, 0x7D55}));
    return status;
  };
  ExpectFault(run(0, {9, 9, 9}), Fault::kNone);
  ExpectFault(run(1, {0, -1, 9}), Fault::kNone);
  ExpectFault(run(3, {0, 0, 1}), Fault::kNone);
  ExpectFault(run(3, {0, 0, 2}), Fault::kTaskException,
              "indices[2] is 2; allowed 0..1 (dimension 0 of var)");
  for (const std::int32_t valid : {-1, 4, std::numeric_limits<std::int32_t>::min()}) {
    ExpectFault(run(valid, {9, 9, 9}), Fault::kTaskException,
                "validIndicesNum[0] is " + std::to_string(valid) +
                    "; allowed 0..3 (dimension 0 of indices)");
  }
}

}  // namespace
}  // namespace belay::ops
