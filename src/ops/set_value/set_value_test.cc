#include "ops/set_value/set_value.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <limits>

#include "ops/set_value/set_value_reference.h"
#include "support/operator_run.h"

namespace belay::ops {
namespace {

using testing::Bytes;
using testing::Desc;
using testing::ExpectFault;
using testing::Who;
using Entries = std::vector<std::int64_t>;

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

const Profile kDocumented = Who(Behaviour::kDocumented);

// A caller with valid arguments, each of which a test may spoil.
struct Caller {
  SetValueCase shapes{{28, 10, 4096}, {13, 2, 4096}, {0, 0, 0}, {13, 2, 4096}, {1, 1, 1}};
  DataType dst_type = DataType::kFloat16;
  DataType src_type = DataType::kFloat16;
  Format dst_format = Format::kNd;
  Profile who = kDocumented;

  [[nodiscard]] testing::Life<SetValue> Life() const {
    return {{shapes.starts, shapes.ends, shapes.strides}, who};
  }
  [[nodiscard]] std::vector<TensorDesc> Inputs() const {
    return {Desc(dst_type, shapes.dst, dst_format), Desc(src_type, shapes.src)};
  }
  // InferShape and Setup say the same.
  [[nodiscard]] Status Check() const {
    const Status inferred = Life().InferShape(Inputs());
    const Status set_up = Life().Setup(Inputs(), {});
    EXPECT_EQ(inferred.fault(), set_up.fault());
    EXPECT_EQ(inferred.message(), set_up.message());
    return set_up;
  }
};

Fault Check(const SetValueCase& shapes) {
  Caller caller;
  caller.shapes = shapes;
  const Status status = caller.Check();
  ExpectFault(status, status.fault());
  return status.fault();
}

TEST(SetValue, DocumentsExample) {
  Caller caller;
  caller.shapes = {{5, 5}, {3, 2}, {1, 2}, {4, 4}, {1, 1}};
  caller.dst_type = caller.src_type = DataType::kInt32;
  Plan plan;
  ASSERT_TRUE(caller.Life().Setup(caller.Inputs(), {}, &plan).ok());
  testing::Memory dst(
      testing::ToBytes<std::int32_t>({14, -2, 2,  -10, -12, -11, 3, 2,  -18, 6,  1,  -18, -12,
                                      9,  -6, 16, -11, 6,   -6,  3, 12, 18,  14, 10, 9}));
  testing::Memory src(testing::ToBytes<std::int32_t>({1, 0, -4, 7, 9, -18}));
  ASSERT_TRUE(testing::Execute(plan, {dst.data(), src.data()}).ok());
  EXPECT_EQ(testing::FromBytes<std::int32_t>(dst.Content()),
            (std::vector<std::int32_t>{14, -2, 2,  -10, -12, -11, 3, 1,  0,  6,  1,  -18, -4,
                                       7,  -6, 16, -11, 9,   -18, 3, 12, 18, 14, 10, 9}));
}

TEST(SetValue, PublishedTestTable) {
  for (const DataType type : {DataType::kInt64, DataType::kFloat16, DataType::kInt32,
                              DataType::kFloat, DataType::kBf16}) {
    Caller caller;
    caller.dst_type = caller.src_type = type;
    ExpectFault(caller.Check(), Fault::kNone);
  }
  const Caller good;
  const auto with = [&](Entries SetValueCase::*member, Entries value) {
    Caller caller = good;
    caller.shapes.*member = std::move(value);
    return caller.Check().fault();
  };
  EXPECT_EQ(with(&SetValueCase::strides, {2, 1, 1}), Fault::kInvalidParam);
  EXPECT_EQ(with(&SetValueCase::ends, {13, 5, 4096}), Fault::kInvalidParam);
  EXPECT_EQ(with(&SetValueCase::starts, {0, 0, 0, 0}), Fault::kInvalidParam);
  EXPECT_EQ(with(&SetValueCase::ends, {13, 2, 4096, 1}), Fault::kInvalidParam);
  EXPECT_EQ(with(&SetValueCase::starts, {0, 5, 0}), Fault::kInvalidParam);
  EXPECT_EQ(with(&SetValueCase::starts, {-1, 0, 0}), Fault::kInvalidParam);
  EXPECT_EQ(with(&SetValueCase::dst, {28, 10, 4096, 1}), Fault::kTensorDimNum);
  EXPECT_EQ(with(&SetValueCase::src, {29, 2, 4096}), Fault::kTensorDim);
  EXPECT_EQ(Check({{28, 10, 4096}, {13, 10, 4096}, {0, 0, 0}, {13, 10, 4096}, {1, 1, 1}}),
            Fault::kTensorDim);
  EXPECT_EQ(Check({{28, 10, 4096}, {28, 4, 512}, {0, 0, 0}, {28, 4, 512}, {1, 1, 1}}),
            Fault::kTensorDim);

  Caller caller = good;
  caller.dst_format = static_cast<Format>(1);
  ExpectFault(caller.Check(), Fault::kTensorIniMatch);
  caller = good;
  caller.dst_type = caller.src_type = DataType::kInt8;
  ExpectFault(caller.Check(), Fault::kTensorIniMatch);
  caller.dst_type = DataType::kFloat;
  caller.src_type = DataType::kFloat16;
  ExpectFault(caller.Check(), Fault::kTensorIniMatch);
}

TEST(SetValue, TwoFaultsTheFirstDecides) {
  EXPECT_EQ(Check({{8, 8}, {8, 8, 8}, {}, {}, {}}), Fault::kTensorDimNum);
  EXPECT_EQ(Check({{8, 8}, {9, 9}, {0}, {9, 9}, {1, 1}}), Fault::kInvalidParam);
  EXPECT_EQ(Check({{8, 8}, {9, 4}, {0, 0}, {9, 4}, {2, 1}}), Fault::kTensorDim);
  EXPECT_EQ(Check({{8, 8}, {8, 8}, {0, 0}, {8, 8}, {2, 1}}), Fault::kInvalidParam);
  EXPECT_EQ(Check({{8, 8}, {8, 8}, {0, 1}, {8, 8}, {1, 1}}), Fault::kInvalidParam);
  EXPECT_EQ(Check({{8, 8}, {8, 8}, {0, 0}, {8, 8}, {1, 1}}), Fault::kTensorDim);
  EXPECT_EQ(Check({{8}, {4}, {0}, {4}, {1}}), Fault::kTensorDim);
}

TEST(SetValue, MessagesNameEntrySeenAndAllowed) {
  Caller caller;
  const auto message = [&](SetValueCase shapes) {
    caller.shapes = std::move(shapes);
    return caller.Check().message();
  };
  EXPECT_EQ(message({{4, 10}, {4, 2}, {0, 9}, {4, 11}, {1, 1}}),
            "starts[1] is 9; allowed 0 to 8 (dimension 1 of dst is 10, of src 2)");
  EXPECT_EQ(message({{4, 10}, {4, 2}, {0, 5}, {4, 8}, {1, 1}}),
            "ends[1] is 8; allowed 7 (starts[1] is 5, dimension 1 of src is 2)");
  EXPECT_EQ(message({{4, 10}, {4, 2}, {0, 5}, {4, 7}, {1, 2}}), "strides[1] is 2; allowed 1");
  EXPECT_EQ(message({{4, 10}, {4, 2}, {0}, {4, 7}, {1, 1}}),
            "starts has 1 entries; allowed 2, as dst has dimensions");
  EXPECT_EQ(message({{4, 10}, {4, 12}, {0, 0}, {4, 12}, {1, 1}}),
            "dimension 1 of src is 12; allowed 1 to 10, that of dst");
  EXPECT_EQ(message({{4, 10}, {4, 10}, {0, 0}, {4, 10}, {1, 1}}),
            "src is [4, 10] and dst [4, 10]: 0 dimensions besides dimension 0 differ; allowed "
            "exactly 1");
  EXPECT_EQ(message({{4, 10}, {4}, {0, 0}, {4, 10}, {1, 1}}),
            "src has 1 dimensions; allowed 2, as dst has");
}

TEST(SetValue, HugeEntriesAreRefused) {
  for (const std::int64_t huge : {kMax, kMin, kMax - 3, kMin + 3}) {
    EXPECT_EQ(Check({{4, 10}, {4, 2}, {0, huge}, {4, 7}, {1, 1}}), Fault::kInvalidParam);
    EXPECT_EQ(Check({{4, 10}, {4, 2}, {0, 5}, {4, huge}, {1, 1}}), Fault::kInvalidParam);
    EXPECT_EQ(Check({{4, 10}, {4, 2}, {0, huge}, {4, huge + (huge < 0 ? 2 : -2)}, {1, 1}}),
              Fault::kInvalidParam);
  }
  Caller caller;
  caller.shapes.starts = Entries(256, 0);
  ExpectFault(caller.Life().Create(), Fault::kNone);
  ExpectFault(caller.Check(), Fault::kInvalidParam);
}

TEST(SetValue, ServedOnAllButThe950Generation) {
  for (const Chip& chip : AllChips()) {
    const bool served = chip.family != Family::kAscend950 && chip.family != Family::kAscend350;
    Caller caller;
    caller.who.chip = &chip;
    ExpectFault(caller.Life().Create(), served ? Fault::kNone : Fault::kInvalidParam);
    caller.dst_type = caller.src_type = DataType::kBf16;
    const bool bf16 = chip.family == Family::kAscend910B || chip.family == Family::kAscend910_93;
    ExpectFault(caller.Check(), bf16 ? Fault::kNone : Fault::kTensorDtype);
  }
}

TEST(SetValue, TensorCounts) {
  const Caller caller;
  const std::vector<TensorDesc> inputs = caller.Inputs();
  ExpectFault(caller.Life().InferShape({inputs[0]}), Fault::kInTensorNum);
  ExpectFault(caller.Life().Setup(inputs, {inputs[0]}), Fault::kInTensorNum);
  InferredOutput output;
  output.exists = true;
  ExpectFault(caller.Life().InferShape(inputs, &output), Fault::kNone);
  EXPECT_FALSE(output.exists);
}

TEST(SetValue, PlanNamesWhatItTouches) {
  Caller caller;
  caller.shapes = {{5, 6}, {2, 3}, {1, 2}, {3, 5}, {1, 1}};
  Plan plan;
  ASSERT_TRUE(caller.Life().Setup(caller.Inputs(), {}, &plan).ok());
  ASSERT_EQ(plan.accesses().size(), 2U);
  const Access& dst = plan.accesses()[0];
  EXPECT_STREQ(dst.argument, "dst");
  EXPECT_EQ(dst.mode, AccessMode::kWrite);
  EXPECT_EQ(dst.offset, 16U);  // element [1, 2]
  EXPECT_EQ(dst.size, 18U);    // up to and with [2, 4]
  EXPECT_EQ(dst.extent, 60U);
  const Access& src = plan.accesses()[1];
  EXPECT_STREQ(src.argument, "src");
  EXPECT_EQ(src.mode, AccessMode::kRead);
  EXPECT_EQ(src.size, 12U);
  EXPECT_EQ(src.extent, 12U);
  EXPECT_EQ(plan.workspace_bytes, 0U);
}

TEST(SetValue, OverlapIsRefusedBeforeAnythingIsWritten) {
  Caller caller;
  caller.shapes = {{4, 4}, {4, 2}, {0, 0}, {4, 2}, {1, 1}};
  Plan plan;
  ASSERT_TRUE(caller.Life().Setup(caller.Inputs(), {}, &plan).ok());
  testing::Memory memory(96);
  const Bytes before = memory.Content();
  for (const std::size_t offset :
       std::initializer_list<std::size_t>{0, 16, 30}) {  // 30: the last byte pair of dst's 32
    ExpectFault(testing::Execute(plan, {memory.data(), memory.data() + offset}),
                Fault::kTensorAddr);
    EXPECT_EQ(memory.Content(), before);
  }
  ExpectFault(testing::Execute(plan, {memory.data() + 15, memory.data()}), Fault::kTensorAddr);
  ExpectFault(testing::Execute(plan, {memory.data(), memory.data() + 32}), Fault::kNone);
  ExpectFault(testing::Execute(plan, {memory.data() + 16, memory.data()}), Fault::kNone);
}

constexpr std::array kTypes = {DataType::kFloat16, DataType::kFloat, DataType::kInt32,
                               DataType::kInt64, DataType::kBf16};

// Any legal case.
SetValueCase DrawCase() {
  const auto size = [](std::int64_t low, std::int64_t high) {
    return *rc::gen::inRange<std::int64_t>(low, high + 1);
  };
  SetValueCase data;
  const auto rank = static_cast<std::size_t>(size(2, 8));
  const auto different = static_cast<std::size_t>(size(1, static_cast<std::int64_t>(rank) - 1));
  const std::int64_t largest = rank > 4 ? 3 : 7;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::int64_t dst = size(i == different ? 2 : 1, largest);
    const std::int64_t src = i == 0 ? size(1, dst) : i == different ? size(1, dst - 1) : dst;
    const std::int64_t start = size(0, dst - src);
    data.dst.push_back(dst);
    data.src.push_back(src);
    data.starts.push_back(start);
    data.ends.push_back(start + src);
    data.strides.push_back(1);
  }
  return data;
}

RC_GTEST_PROP(SetValueProperty, MatchesReferenceBitForBit, ()) {
  Caller caller;
  caller.shapes = DrawCase();
  caller.dst_type = caller.src_type = *rc::gen::elementOf(kTypes);
  caller.who.behaviour = *rc::gen::element(Behaviour::kDocumented, Behaviour::kReleased);
  Plan plan;
  const Status status = caller.Life().Setup(caller.Inputs(), {}, &plan);
  RC_ASSERT(status.ok());
  RC_ASSERT(ReferenceSetValueFault(caller.shapes) == Fault::kNone);

  const auto draw_bytes = [](const TensorDesc& desc) {
    const auto words = *rc::gen::container<std::vector<unsigned char>>(
        TensorBytes(desc), rc::gen::arbitrary<unsigned char>());
    return testing::ToBytes(words);
  };
  const Bytes src_bytes = draw_bytes(caller.Inputs()[1]);
  Bytes dst_bytes = draw_bytes(caller.Inputs()[0]);
  testing::Memory src(src_bytes);
  testing::Memory dst(dst_bytes);
  RC_ASSERT(testing::Execute(plan, {dst.data(), src.data()}).ok());
  ReferenceSetValue(caller.shapes,
                    TensorBytes(caller.Inputs()[0]) / ElementCount(caller.Inputs()[0].dims),
                    dst_bytes, src_bytes);
  RC_ASSERT(dst.Content() == dst_bytes);
  RC_ASSERT(src.Content() == src_bytes);

  // Nothing outside the stated range was written.
  const Access& access = plan.accesses()[0];
  RC_ASSERT(access.offset + access.size <= access.extent);
}

RC_GTEST_PROP(SetValueProperty, RefusesWhatTheTableSays, ()) {
  Caller caller;
  caller.shapes = DrawCase();
  // Up to three changes of one number or one length.
  for (int changes = *rc::gen::inRange(0, 4); changes > 0; --changes) {
    const std::array<Entries*, 5> lists = {&caller.shapes.dst, &caller.shapes.src,
                                           &caller.shapes.starts, &caller.shapes.ends,
                                           &caller.shapes.strides};
    const auto which = *rc::gen::inRange<std::size_t>(0, lists.size());
    Entries& entries = *lists[which];
    if (*rc::gen::inRange(0, 5) == 0) {
      if (entries.size() > 1 && *rc::gen::arbitrary<bool>()) {
        entries.pop_back();
      } else if (entries.size() < 8) {
        entries.push_back(1);
      }
    } else {
      std::int64_t& entry = entries[*rc::gen::inRange<std::size_t>(0, entries.size())];
      entry += *rc::gen::element<std::int64_t>(-2, -1, 1, 2);
      if (which < 2) entry = std::max<std::int64_t>(entry, 1);
    }
  }
  RC_ASSERT(caller.Check().fault() == ReferenceSetValueFault(caller.shapes));
}

}  // namespace
}  // namespace belay::ops
