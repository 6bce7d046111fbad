#include "ops/index_add/index_add.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/operator_run.h"

namespace belay::ops {
namespace {

using testing::Desc;
using testing::ExpectFault;
using testing::Who;
using Dimensions = std::vector<std::int64_t>;

constexpr auto kFp16 = DataType::kFloat16;
constexpr auto kBf16 = DataType::kBf16;
constexpr auto kInt32 = DataType::kInt32;

const Profile kDocumented = Who(Behaviour::kDocumented);

testing::Life<IndexAdd> LifeOf(std::int32_t type, std::int64_t axis, const Profile& who) {
  return {{type, axis}, who};
}

// A caller with valid arguments, each of which a test may spoil.
struct Caller {
  std::int32_t type = IndexAdd::kIndexAdd;
  std::int64_t axis = 0;
  Profile who = kDocumented;
  TensorDesc var = Desc(kFp16, {1024, 4096});
  TensorDesc indices = Desc(kInt32, {2});
  TensorDesc updates = Desc(kFp16, {2, 4096});
  TensorDesc scalar = Desc(kFp16, {1});
  TensorDesc output = Desc(kFp16, {1024, 4096});

  [[nodiscard]] testing::Life<IndexAdd> Life() const { return LifeOf(type, axis, who); }
  [[nodiscard]] std::vector<TensorDesc> Inputs() const { return {var, indices, updates, scalar}; }
  [[nodiscard]] Fault Infer(InferredOutput* out = nullptr) const {
    const Status status = Life().InferShape(Inputs(), out);
    ExpectFault(status, status.fault());
    return status.fault();
  }
  [[nodiscard]] Fault SetUp(Plan* plan = nullptr) const {
    const Status status = Life().Setup(Inputs(), {output}, plan);
    ExpectFault(status, status.fault());
    return status.fault();
  }
};

Caller ValidCaller(DataType type = kFp16, const Dimensions& var = {64, 2048},
                   std::int64_t count = 128) {
  Caller caller;
  caller.type = IndexAdd::kIndexAddValid;
  caller.var = caller.output = Desc(type, var);
  caller.indices = Desc(kInt32, {count});
  caller.updates = Desc(type, {count, var[1]});
  caller.scalar = Desc(kInt32, {1});
  return caller;
}

Caller SmallCaller(const Dimensions& var, std::int64_t count) {
  Caller caller;
  caller.var = caller.output = Desc(kFp16, var);
  caller.indices = Desc(kInt32, {count});
  caller.updates = caller.var;
  caller.updates.dims.sizes[0] = count;
  return caller;
}

TEST(IndexAdd, PublishedTestTableOfCreation) {
  const auto create = [](std::int32_t type, std::int64_t axis, const char* soc) {
    const Status status = LifeOf(type, axis, Who(Behaviour::kDocumented, soc)).Create();
    ExpectFault(status, status.fault());
    return status.fault();
  };
  for (const std::int32_t type : {0, 3, -1, std::numeric_limits<std::int32_t>::max(),
                                  std::numeric_limits<std::int32_t>::min()}) {
    EXPECT_EQ(create(type, 0, "Ascend910B4"), Fault::kInvalidParam);
  }
  EXPECT_EQ(create(2, 0, "Ascend310P3"), Fault::kInvalidParam);
  EXPECT_EQ(create(2, 1, "Ascend910B4"), Fault::kInvalidParam);
  EXPECT_EQ(create(2, 0, "Ascend910B4"), Fault::kNone);
  EXPECT_EQ(create(1, 99, "Ascend910B4"), Fault::kNone);  // looked at with the tensors
}

TEST(IndexAdd, PublishedTestTableOfIndexAdd) {
  const auto infer = [](auto spoil) {
    Caller caller;
    spoil(caller);
    const Fault fault = caller.Infer();
    EXPECT_EQ(fault, caller.SetUp());
    return fault;
  };
  EXPECT_EQ(infer([](Caller&) {}), Fault::kNone);
  EXPECT_EQ(infer([](Caller& c) { c.axis = -2; }), Fault::kNone);
  EXPECT_EQ(infer([](Caller& c) { c.axis = -3; }), Fault::kInvalidParam);
  EXPECT_EQ(infer([](Caller& c) { c.axis = 2; }), Fault::kInvalidParam);
  EXPECT_EQ(infer([](Caller& c) { c.axis = std::numeric_limits<std::int64_t>::min(); }),
            Fault::kInvalidParam);
  EXPECT_EQ(infer([](Caller& c) { c.indices = Desc(kInt32, {1, 2}); }), Fault::kTensorSize);
  EXPECT_EQ(infer([](Caller& c) { c.updates = Desc(kFp16, {1, 2, 4096}); }), Fault::kTensorSize);
  EXPECT_EQ(infer([](Caller& c) { c.scalar = Desc(kFp16, {1, 1}); }), Fault::kTensorSize);
  EXPECT_EQ(infer([](Caller& c) { c.updates = Desc(kFp16, {3, 4096}); }), Fault::kTensorDim);
  EXPECT_EQ(infer([](Caller& c) { c.updates = Desc(kFp16, {2, 3}); }), Fault::kTensorDim);
  EXPECT_EQ(infer([](Caller& c) { c.scalar = Desc(kFp16, {2}); }), Fault::kTensorDim);
  for (TensorDesc Caller::*const tensor :
       {&Caller::var, &Caller::indices, &Caller::updates, &Caller::scalar}) {
    EXPECT_EQ(infer([&](Caller& c) { (c.*tensor).dtype = DataType::kBool; }),
              Fault::kTensorIniMatch);
    EXPECT_EQ(infer([&](Caller& c) { (c.*tensor).format = static_cast<Format>(1); }),
              Fault::kTensorIniMatch);
  }
  EXPECT_EQ(infer([](Caller& c) { c.updates.dtype = kBf16; }), Fault::kTensorIniMatch);

  const auto set_up = [](const TensorDesc& output) {
    Caller caller;
    caller.output = output;
    EXPECT_EQ(caller.Infer(), Fault::kNone);
    return caller.SetUp();
  };
  EXPECT_EQ(set_up(Desc(DataType::kBool, {1024, 4096})), Fault::kTensorIniMatch);
  EXPECT_EQ(set_up(Desc(kFp16, {1024, 4096}, static_cast<Format>(1))), Fault::kTensorIniMatch);
  EXPECT_EQ(set_up(Desc(kFp16, {1024, 4096, 1})), Fault::kTensorDimNum);
  EXPECT_EQ(set_up(Desc(kFp16, {2, 4096})), Fault::kTensorDim);
  EXPECT_EQ(set_up(Desc(kFp16, {1024, 2})), Fault::kTensorDim);

  for (const std::int64_t axis : {0, 7}) {
    Caller caller = SmallCaller({2, 3, 2, 1, 2, 1, 2, 2}, 2);
    caller.axis = axis;
    EXPECT_EQ(caller.SetUp(), Fault::kNone);
  }
}

TEST(IndexAdd, PublishedTestTableOfIndexAddValid) {
  // The kind of refusal of a wrong rank depends on the type.
  for (const DataType type : {kFp16, kBf16}) {
    const Fault fault = type == kBf16 ? Fault::kTensorDim : Fault::kTensorSize;
    const auto infer = [&](auto spoil) {
      Caller caller = ValidCaller(type);
      spoil(caller);
      return caller.Infer();
    };
    EXPECT_EQ(infer([](Caller&) {}), Fault::kNone);
    EXPECT_EQ(infer([&](Caller& c) { c.var = Desc(type, {64, 2048, 1}); }), fault);
    EXPECT_EQ(infer([](Caller& c) { c.indices = Desc(kInt32, {128, 1}); }), fault);
    EXPECT_EQ(infer([&](Caller& c) { c.updates = Desc(type, {128, 2048, 1}); }), fault);
    EXPECT_EQ(infer([](Caller& c) { c.scalar = Desc(kInt32, {1, 1}); }), fault);
    EXPECT_EQ(infer([&](Caller& c) { c.updates = Desc(type, {2, 2048}); }), Fault::kTensorDim);
    EXPECT_EQ(infer([&](Caller& c) { c.updates = Desc(type, {128, 2}); }), Fault::kTensorDim);
    EXPECT_EQ(infer([](Caller& c) { c.scalar = Desc(kInt32, {2}); }), Fault::kTensorDim);
    EXPECT_EQ(infer([&](Caller& c) { c.scalar = Desc(type, {1}); }), Fault::kTensorIniMatch);
  }
  EXPECT_EQ(ValidCaller(kFp16, {4, 8193}).Infer(), Fault::kTensorDim);
  for (const Dimensions& var : {Dimensions{262144, 1}, Dimensions{1, 8192}, Dimensions{1, 1}}) {
    EXPECT_EQ(ValidCaller(kFp16, var, 262144).SetUp(), Fault::kNone);
  }
}

TEST(IndexAdd, TwoFaultsTheFirstDecides) {
  const Profile ascend310p = Who(Behaviour::kDocumented, "Ascend310P3");
  ExpectFault(LifeOf(3, 1, Who(Behaviour::kDocumented, "Ascend950")).Create(), Fault::kInvalidParam,
              "indexType is 3; allowed 1 (INDEX_ADD) and 2 (INDEX_ADD_VALID)");
  EXPECT_NE(LifeOf(2, 1, ascend310p).Create().message().find("is not served on Ascend310P3"),
            std::string::npos);
  ExpectFault(LifeOf(2, 1, kDocumented).Create(), Fault::kInvalidParam,
              "axis is 1; allowed 0 with INDEX_ADD_VALID");

  Caller caller;
  caller.axis = 9;
  caller.indices = Desc(kInt32, {1, 2});
  caller.updates = Desc(kFp16, {1, 2, 3});
  caller.scalar = Desc(kFp16, {2, 2});
  EXPECT_EQ(caller.Infer(), Fault::kInvalidParam);
  caller.axis = 0;
  EXPECT_EQ(caller.Life().InferShape(caller.Inputs()).message(),
            "indices has 2 dimensions; allowed 1");
  caller.indices = Desc(kInt32, {2});
  EXPECT_EQ(caller.Life().InferShape(caller.Inputs()).message(),
            "updates has 3 dimensions; allowed 2");
  caller.updates = Desc(kFp16, {3, 3});
  EXPECT_EQ(caller.Life().InferShape(caller.Inputs()).message(),
            "dimension 0 of updates is 3; allowed 2, as indices has");
  caller.updates = Desc(kFp16, {2, 3});
  EXPECT_EQ(caller.Life().InferShape(caller.Inputs()).message(),
            "dimension 1 of updates is 3; allowed 4096, as var has");
  caller.updates = Desc(kFp16, {2, 4096});
  caller.output = Desc(kFp16, {7});
  EXPECT_EQ(caller.SetUp(), Fault::kTensorSize);  // alpha, before output
  caller.scalar = Desc(kFp16, {1});
  EXPECT_EQ(caller.SetUp(), Fault::kTensorDimNum);

  caller = ValidCaller(kFp16, {4, 8193}, 3);
  caller.indices = Desc(kInt32, {3, 1});
  EXPECT_EQ(caller.Infer(), Fault::kTensorDim);  // the width, before the rank of indices
}

TEST(IndexAdd, ProductsOfBothTypes) {
  for (const Chip& chip : AllChips()) {
    const Family family = chip.family;
    const bool a2_a3 = family == Family::kAscend910B || family == Family::kAscend910_93;
    const bool served = a2_a3 || family == Family::kAscend310P || family == Family::kAscend910;
    const Profile who{Face::kAtb, &chip, Behaviour::kReleased};
    ExpectFault(LifeOf(1, 0, who).Create(), served ? Fault::kNone : Fault::kInvalidParam);
    ExpectFault(LifeOf(2, 0, who).Create(), a2_a3 ? Fault::kNone : Fault::kInvalidParam);
    Caller caller;
    caller.who = who;
    for (TensorDesc* desc : {&caller.var, &caller.updates, &caller.scalar, &caller.output}) {
      desc->dtype = kBf16;
    }
    EXPECT_EQ(caller.SetUp(), a2_a3 ? Fault::kNone : Fault::kTensorDtype);
  }
}

TEST(IndexAdd, OutputIsLikeVar) {
  InferredOutput output;
  const Caller caller;
  ASSERT_EQ(caller.Infer(&output), Fault::kNone);
  EXPECT_TRUE(output.exists);
  EXPECT_EQ(output.desc.dtype, caller.var.dtype);
  EXPECT_EQ(output.desc.format, caller.var.format);
  EXPECT_EQ(output.desc.dims, caller.var.dims);
}

TEST(IndexAdd, WorkspaceAsPublished) {
  const auto workspace = [](const Caller& caller) {
    Plan plan;
    EXPECT_EQ(caller.SetUp(&plan), Fault::kNone);
    return plan.workspace_bytes;
  };
  EXPECT_EQ(workspace(Caller()), 0U);
  EXPECT_EQ(workspace(ValidCaller(kFp16, {1, 1}, 1)), 512U);
  EXPECT_EQ(workspace(ValidCaller(kBf16, {128, 1}, 1)), 512U);
  EXPECT_EQ(workspace(ValidCaller(kFp16, {129, 1}, 1)), 1024U);
  EXPECT_EQ(workspace(ValidCaller(kFp16, {262144, 8192}, 1)), std::uint64_t{8} << 30);
}

TEST(IndexAdd, PlanNamesWhatItTouches) {
  for (const bool valid : {false, true}) {
    const Caller caller = valid ? ValidCaller(kFp16, {5, 3}, 4) : SmallCaller({5, 3}, 4);
    Plan plan;
    ASSERT_EQ(caller.SetUp(&plan), Fault::kNone);
    ASSERT_EQ(plan.accesses().size(), 5U);
    const char* const names[] = {"var", "indices", "updates", valid ? "validIndicesNum" : "alpha",
                                 "output"};
    const std::uint64_t bytes[] = {30, 16, 24, valid ? 4U : 2U, 30};
    const std::size_t written = valid ? 0 : 4;
    for (std::size_t i = 0; i < 5; ++i) {
      const Access& access = plan.accesses()[i];
      EXPECT_STREQ(access.argument, names[i]);
      EXPECT_EQ(access.address, i);
      EXPECT_EQ(access.extent, bytes[i]);
      EXPECT_EQ(access.mode, i == written ? AccessMode::kReadWrite : AccessMode::kRead);
      // Of the other one of var and output only the address is looked at.
      EXPECT_EQ(access.size, i + written == 4 ? 0 : bytes[i]);
    }
    EXPECT_STREQ(plan.operation,
                 valid ? "IndexAddOperation INDEX_ADD_VALID" : "IndexAddOperation INDEX_ADD");
  }
}

}  // namespace
}  // namespace belay::ops
