#include "ops/repeat/repeat.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>

#include "ops/repeat/repeat_reference.h"
#include "support/operator_run.h"

namespace belay::ops {
namespace {

using testing::Bytes;
using testing::Desc;
using testing::ExpectFault;
using testing::Who;
using Entries = std::vector<std::int64_t>;
using Halves = std::vector<std::uint16_t>;

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

const Profile kDocumented = Who(Behaviour::kDocumented);
const Profile kReleased = Who(Behaviour::kReleased);

testing::Life<Repeat> LifeOf(Entries multiples, const Profile& who) {
  return {{std::move(multiples)}, who};
}

Fault CreateFault(Entries multiples, const Profile& who = kDocumented) {
  const Status status = LifeOf(std::move(multiples), who).Create();
  ExpectFault(status, status.fault());
  return status.fault();
}

Fault InferFault(const Entries& x, Entries multiples, const Profile& who,
                 DataType type = DataType::kFloat16) {
  const Status status = LifeOf(std::move(multiples), who).InferShape({Desc(type, x)});
  ExpectFault(status, status.fault());
  return status.fault();
}

Fault SetupFault(const Entries& x, Entries multiples, const TensorDesc& y,
                 const Profile& who = kDocumented) {
  const Status status = LifeOf(std::move(multiples), who).Setup({Desc(DataType::kFloat16, x)}, {y});
  ExpectFault(status, status.fault());
  return status.fault();
}

Halves Repeated(const RepeatCase& data, const Profile& who, const Halves& values) {
  const auto life = LifeOf(data.multiples, who);
  const TensorDesc x = Desc(DataType::kFloat16, data.x);
  InferredOutput y;
  Plan plan;
  EXPECT_TRUE(life.Create().ok()) << life.Create().message();
  EXPECT_TRUE(life.InferShape({x}, &y).ok()) << life.InferShape({x}).message();
  EXPECT_TRUE(y.exists);
  EXPECT_EQ(y.desc.dtype, x.dtype);
  EXPECT_EQ(y.desc.format, x.format);
  EXPECT_EQ(y.desc.dims, Desc(x.dtype, ReferenceRepeatDims(data)).dims);
  EXPECT_TRUE(life.Setup({x}, {y.desc}, &plan).ok());
  testing::Memory source(testing::ToBytes(values));
  testing::Memory target(TensorBytes(y.desc));
  const Status status = testing::Execute(plan, {source.data(), target.data()});
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(source.Content(), testing::ToBytes(values));
  return testing::FromBytes<std::uint16_t>(target.Content());
}

TEST(Repeat, DocumentsExamples) {
  const Halves x = {1, 2, 3, 4, 5, 6};
  const Halves y = {1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6, 1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6};
  for (const Profile& who : {kDocumented, kReleased}) {
    EXPECT_EQ(Repeated({{1, 2, 3}, {1, 2, 2}}, who, x), y);
    EXPECT_EQ(Repeated({{2, 3}, {1, 2, 2}}, who, x), y);
  }
}

TEST(Repeat, PublishedTestTable) {
  EXPECT_EQ(CreateFault({1, 1, 1, 1, 1, 1, 1, 1, 1}), Fault::kInvalidParam);
  EXPECT_EQ(CreateFault({1, 0}), Fault::kInvalidParam);
  for (const Profile& who : {kDocumented, kReleased}) {
    EXPECT_EQ(InferFault({2, 3, 4}, {2, 2}, who), Fault::kTensorDim);
    EXPECT_EQ(InferFault({2, 3}, {2, 2}, who, DataType::kFloat), Fault::kTensorIniMatch);
    EXPECT_EQ(InferFault({256, 2, 1, 1, 128, 1, 2, 128}, {1, 1, 1, 16, 1, 1, 1, 3}, who),
              Fault::kTensorDim);
  }
  const Format fractal_nz = static_cast<Format>(29);
  ExpectFault(
      LifeOf({2, 2}, kDocumented).InferShape({Desc(DataType::kFloat16, {2, 3}, fractal_nz)}),
      Fault::kTensorIniMatch);
  EXPECT_EQ(SetupFault({2, 3}, {2, 2}, Desc(DataType::kFloat, {4, 6})), Fault::kTensorIniMatch);
  EXPECT_EQ(SetupFault({2, 3}, {2, 2}, Desc(DataType::kFloat16, {4, 6}, fractal_nz)),
            Fault::kTensorIniMatch);
  EXPECT_EQ(SetupFault({2, 3}, {2, 2}, Desc(DataType::kFloat16, {1, 4, 6})), Fault::kTensorDim);
}

// The published table of the released library's results.
TEST(Repeat, ReleasedCountsFromTheLeft) {
  EXPECT_EQ(InferFault({2, 3, 4}, {2, 2, 2}, kReleased), Fault::kNone);
  EXPECT_EQ(InferFault({2, 3, 4, 5}, {2, 2, 2, 2}, kReleased), Fault::kNone);
  EXPECT_EQ(InferFault({2, 3, 4, 5, 6}, {2, 2, 2, 2, 2}, kReleased), Fault::kTensorDim);
  EXPECT_EQ(InferFault({3, 5}, {1, 1, 1, 1, 1, 1, 2, 2}, kReleased), Fault::kNone);
  EXPECT_EQ(InferFault({2, 2}, {2, 2, 1, 1, 1, 1, 1}, kReleased), Fault::kTensorDim);
  EXPECT_EQ(InferFault({2, 2}, {3, 3, 1, 1, 1, 1, 1, 1}, kReleased), Fault::kTensorDim);
  EXPECT_EQ(InferFault({2, 3, 5}, {1, 1, 1, 1, 1, 1, 1, 1}, kReleased), Fault::kNone);
  EXPECT_EQ(InferFault({2, 2, 5}, {1, kMax, 1}, kReleased), Fault::kInvalidParam);
}

TEST(Repeat, DocumentedCountsFromTheRight) {
  EXPECT_EQ(InferFault({3, 5}, {1, 1, 1, 1, 1, 1, 2, 2}, kDocumented), Fault::kTensorDim);
  EXPECT_EQ(InferFault({3, 5}, {1, 1, 1, 1, 1, 1, 1, 2}, kDocumented), Fault::kTensorDim);
  EXPECT_EQ(InferFault({3, 5}, {1, 1, 1, 1, 1, 1, 2}, kDocumented), Fault::kNone);
  EXPECT_EQ(InferFault({3, 5}, {1, 1, 1, 1, 2, 2}, kDocumented), Fault::kNone);
  EXPECT_EQ(InferFault({2, 2}, {2, 2, 1, 1, 1, 1, 1}, kDocumented), Fault::kNone);
  EXPECT_EQ(InferFault({2, 2}, {3, 3, 1, 1, 1, 1, 1, 1}, kDocumented), Fault::kNone);
  EXPECT_EQ(InferFault({2, 2, 5}, {1, kMax, 1}, kDocumented), Fault::kInvalidParam);
}

TEST(Repeat, AtMostTwoRepeatedDimensionsAsDocumented) {
  EXPECT_EQ(CreateFault({2, 1, 2}), Fault::kNone);
  EXPECT_EQ(CreateFault({2, 2, 2}), Fault::kInvalidParam);
  EXPECT_EQ(CreateFault({2, 2, 2}, kReleased), Fault::kNone);
  EXPECT_EQ(CreateFault(Entries(8, 1)), Fault::kNone);
  EXPECT_EQ(CreateFault({}), Fault::kNone);
  for (const Profile& who : {kDocumented, kReleased}) {
    EXPECT_EQ(InferFault({2}, {}, who), Fault::kTensorDim);
    EXPECT_EQ(CreateFault(Entries(256, -1), who), Fault::kInvalidParam);
  }
}

TEST(Repeat, TwoFaultsTheFirstDecides) {
  const Profile ascend950 = Who(Behaviour::kDocumented, "Ascend950");
  ExpectFault(LifeOf(Entries(9, 0), kDocumented).Create(), Fault::kInvalidParam,
              "multiples has 9 entries; allowed 0 to 8");
  ExpectFault(LifeOf({2, 2, 2, -4}, kDocumented).Create(), Fault::kInvalidParam,
              "multiples[3] is -4; allowed 1 and above");
  ExpectFault(LifeOf({2, 3, 2}, kDocumented).Create(), Fault::kInvalidParam,
              "multiples is [2, 3, 2], with 3 entries above 1; allowed up to 2 "
              "(BELAY_BEHAVIOR=released allows more)");
  EXPECT_NE(LifeOf(Entries(9, 0), ascend950).Create().message().find("is not served on"),
            std::string::npos);
  // Number of entries before the size of y; the count before an overflow.
  EXPECT_EQ(InferFault({2, 2, 2}, {kMax, 2}, kDocumented), Fault::kTensorDim);
  EXPECT_EQ(InferFault({3, 5}, {1, 1, 1, 1, 1, 1, kMax, 2}, kDocumented), Fault::kTensorDim);
  // At Setup: an overflow before the shape of y.
  EXPECT_EQ(SetupFault({2, 2}, {1, kMax}, Desc(DataType::kFloat16, {2})), Fault::kInvalidParam);
}

TEST(Repeat, OverflowNamesTheLastSuchEntry) {
  ExpectFault(LifeOf({kMax, kMax}, kDocumented).InferShape({Desc(DataType::kFloat16, {3, 4})}),
              Fault::kInvalidParam,
              "multiples[1] is 9223372036854775807; allowed 1 to 2305843009213693951 (the "
              "dimension of x is 4)");
  InferredOutput y;
  ExpectFault(LifeOf({kMax, kMax}, kDocumented).InferShape({Desc(DataType::kFloat16, {1, 1})}, &y),
              Fault::kNone);  // the size of y is looked at when y is there
  ExpectFault(LifeOf({kMax, kMax}, kDocumented).Setup({Desc(DataType::kFloat16, {1, 1})}, {y.desc}),
              Fault::kTensorSize);
}

TEST(Repeat, OutputHasToBeTheInferredOne) {
  for (const Profile& who : {kDocumented, kReleased}) {
    EXPECT_EQ(SetupFault({2, 3}, {2, 2}, Desc(DataType::kFloat16, {4, 6}), who), Fault::kNone);
    EXPECT_EQ(SetupFault({2, 3}, {2, 2}, Desc(DataType::kFloat16, {4, 5}), who), Fault::kTensorDim);
    EXPECT_EQ(SetupFault({2, 3}, {2, 2}, Desc(DataType::kFloat16, {5, 6}), who), Fault::kTensorDim);
    EXPECT_EQ(SetupFault({2, 3}, {2, 2}, Desc(DataType::kFloat16, {24}), who), Fault::kTensorDim);
  }
  ExpectFault(LifeOf({2, 2}, kDocumented)
                  .Setup({Desc(DataType::kFloat16, {2, 3})}, {Desc(DataType::kFloat16, {4, 5})}),
              Fault::kTensorDim, "dimension 1 of y is 5; allowed 6, as y is to be [4, 6]");
}

TEST(Repeat, ServedOnAllButThe950Generation) {
  for (const Chip& chip : AllChips()) {
    const bool served = chip.family != Family::kAscend950 && chip.family != Family::kAscend350;
    const bool bf16 = chip.family == Family::kAscend910B || chip.family == Family::kAscend910_93;
    for (const Behaviour behaviour : {Behaviour::kDocumented, Behaviour::kReleased}) {
      const Profile who{Face::kAtb, &chip, behaviour};
      EXPECT_EQ(CreateFault({2, 2}, who), served ? Fault::kNone : Fault::kInvalidParam);
      EXPECT_EQ(InferFault({2, 3}, {2, 2}, who, DataType::kBf16),
                bf16 ? Fault::kNone : Fault::kTensorDtype);
    }
  }
}

TEST(Repeat, PlanNamesWhatItTouchesAndRefusesOverlap) {
  const auto life = LifeOf({2}, kDocumented);
  Plan plan;
  ASSERT_TRUE(
      life.Setup({Desc(DataType::kFloat16, {8})}, {Desc(DataType::kFloat16, {16})}, &plan).ok());
  ASSERT_EQ(plan.accesses().size(), 2U);
  EXPECT_STREQ(plan.accesses()[0].argument, "x");
  EXPECT_EQ(plan.accesses()[0].mode, AccessMode::kRead);
  EXPECT_EQ(plan.accesses()[0].size, 16U);
  EXPECT_STREQ(plan.accesses()[1].argument, "y");
  EXPECT_EQ(plan.accesses()[1].mode, AccessMode::kWrite);
  EXPECT_EQ(plan.accesses()[1].size, 32U);
  EXPECT_EQ(plan.accesses()[1].extent, 32U);
  EXPECT_EQ(plan.workspace_bytes, 0U);

  testing::Memory memory(80);
  const Bytes before = memory.Content();
  for (const std::size_t x_at : std::initializer_list<std::size_t>{0, 16, 31}) {
    ExpectFault(testing::Execute(plan, {memory.data() + x_at, memory.data()}), Fault::kTensorAddr);
    EXPECT_EQ(memory.Content(), before);
  }
  ExpectFault(testing::Execute(plan, {memory.data() + 32, memory.data()}), Fault::kNone);
}

// Any case of small tensors that creation takes; the shapes may be refused.
RepeatCase DrawCase(Behaviour behaviour) {
  RepeatCase data;
  const auto entries = *rc::gen::inRange<std::size_t>(1, 9);
  const auto rank = *rc::gen::inRange<std::size_t>(1, entries + 1);
  for (std::size_t i = 0; i < rank; ++i) {
    data.x.push_back(*rc::gen::weightedElement<std::int64_t>({{3, 1}, {2, 2}, {1, 3}, {1, 4}}));
  }
  data.multiples.assign(entries, 1);
  std::size_t repeated =
      *rc::gen::inRange<std::size_t>(0, behaviour == Behaviour::kDocumented ? 3 : entries + 1);
  for (; repeated > 0; --repeated) {
    data.multiples[*rc::gen::inRange<std::size_t>(0, entries)] =
        *rc::gen::inRange<std::int64_t>(1, 4);
  }
  return data;
}

RC_GTEST_PROP(RepeatProperty, MatchesReferenceBitForBit, ()) {
  const auto behaviour = *rc::gen::element(Behaviour::kDocumented, Behaviour::kReleased);
  const RepeatCase data = DrawCase(behaviour);
  RC_ASSERT(CreateFault(data.multiples, Who(behaviour)) == Fault::kNone);
  const Fault expected = ReferenceRepeatShapeFault(data, behaviour);
  RC_ASSERT(InferFault(data.x, data.multiples, Who(behaviour)) == expected);
  if (expected != Fault::kNone) return;

  const std::size_t count = ElementCount(Desc(DataType::kFloat16, data.x).dims);
  const auto x = *rc::gen::container<Halves>(count, rc::gen::arbitrary<std::uint16_t>());
  const Halves y = Repeated(data, Who(behaviour), x);
  RC_ASSERT(testing::ToBytes(y) == ReferenceRepeat(data, 2, testing::ToBytes(x)));
}

RC_GTEST_PROP(RepeatProperty, RefusesWhatTheTablesSay, ()) {
  const auto behaviour = *rc::gen::element(Behaviour::kDocumented, Behaviour::kReleased);
  RepeatCase data;
  data.multiples =
      *rc::gen::resize(10, rc::gen::container<Entries>(rc::gen::weightedElement<std::int64_t>(
                               {{10, 1}, {5, 2}, {2, 7}, {1, 0}, {1, -1}, {1, kMax}})));
  const Fault expected = ReferenceRepeatCreateFault(data, behaviour);
  RC_ASSERT(CreateFault(data.multiples, Who(behaviour)) == expected);
  if (expected != Fault::kNone) return;
  std::ranges::replace(data.multiples, kMax, std::int64_t{5});
  const auto rank = *rc::gen::inRange<std::size_t>(1, 9);
  data.x = *rc::gen::container<Entries>(rank, rc::gen::inRange<std::int64_t>(1, 4));
  RC_ASSERT(InferFault(data.x, data.multiples, Who(behaviour)) ==
            ReferenceRepeatShapeFault(data, behaviour));
}

}  // namespace
}  // namespace belay::ops
