// aclnnInplaceCopy, aclnnExpand, aclnnRepeat and aclnnStridedSliceAssignV2 through the C API:
// codes, messages, results. Their rules are tested one by one beside the operators.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_copy.h"
#include "aclnnop/aclnn_expand.h"
#include "aclnnop/aclnn_repeat.h"
#include "aclnnop/aclnn_strided_slice_assign_v2.h"
#include "opdev/op_errno.h"
#include "support/api_test_support.h"

namespace belay::test {
namespace {

using Shape = std::vector<std::int64_t>;
using Ints = std::vector<std::int32_t>;

template <class Object, aclnnStatus (*kDestroy)(const Object*)>
struct Destroy {
  void operator()(Object* object) const { EXPECT_EQ(kDestroy(object), ACLNN_SUCCESS); }
};
using Tensor = std::unique_ptr<aclTensor, Destroy<aclTensor, aclDestroyTensor>>;
using Array = std::unique_ptr<aclIntArray, Destroy<aclIntArray, aclDestroyIntArray>>;

Array MakeArray(const Shape& values) {
  return Array(aclCreateIntArray(values.data(), values.size()));
}

Bytes BytesOf(const Ints& values) {
  Bytes bytes(values.size() * sizeof(std::int32_t));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

// An INT32 tensor in memory of its own, or of another type without an element looked at.
struct Given {
  Given(const Shape& shape, const Ints& values, const Shape& strides = {}, std::int64_t offset = 0,
        aclDataType type = ACL_INT32)
      : block(BytesOf(values)), count(values.size()) {
    tensor = Tensor(aclCreateTensor(shape.data(), shape.size(), type,
                                    strides.empty() ? nullptr : strides.data(), offset,
                                    ACL_FORMAT_ND, shape.data(), shape.size(), block.get()));
  }
  [[nodiscard]] Ints Read() const {
    const Bytes bytes = block.Read(count * sizeof(std::int32_t));
    Ints values(count);
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }

  Block block;
  std::size_t count;
  Tensor tensor;
};

struct Answers {
  Output<std::uint64_t> size;
  Output<aclOpExecutor*> executor;
};

using PhaseOneCall = std::function<aclnnStatus(std::uint64_t*, aclOpExecutor**)>;
using PhaseTwoCall = aclnnStatus (*)(void*, std::uint64_t, aclOpExecutor*, aclrtStream);

// Both phases and the wait.
void ExpectRuns(const PhaseOneCall& phase_one, PhaseTwoCall phase_two) {
  Answers answers;
  ASSERT_EQ(phase_one(&answers.size, &answers.executor), ACLNN_SUCCESS) << TakeMessages();
  EXPECT_EQ(*answers.size, 0U);
  const OwnStream stream;
  ASSERT_EQ(phase_two(nullptr, 0, *answers.executor, stream), ACLNN_SUCCESS) << TakeMessages();
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
}

template <class... Texts>
void ExpectPhaseOneRefused(const PhaseOneCall& phase_one, aclnnStatus code, const Texts&... texts) {
  Answers answers;
  ExpectRefused(phase_one(&answers.size, &answers.executor), code, texts...);
  EXPECT_TRUE(answers.size.Untouched());
  EXPECT_TRUE(answers.executor.Untouched());
}

class MoveOperators : public DeviceTest {
 protected:
  // Results that are null come before anything else.
  static void ExpectResultsFirst(const PhaseOneCall& all_null, const std::string& function) {
    Answers answers;
    ExpectRefused(all_null(nullptr, &answers.executor), ACLNN_ERR_PARAM_NULLPTR,
                  function + "GetWorkspaceSize", "workspaceSize is null");
    ExpectRefused(all_null(&answers.size, nullptr), ACLNN_ERR_PARAM_NULLPTR, "executor is null");
    EXPECT_TRUE(answers.size.Untouched());
    EXPECT_TRUE(answers.executor.Untouched());
  }
};

// ---- aclnnInplaceCopy

PhaseOneCall Copying(const aclTensor* self, const aclTensor* src) {
  return [=](std::uint64_t* size, aclOpExecutor** executor) {
    return aclnnInplaceCopyGetWorkspaceSize(const_cast<aclTensor*>(self), src, size, executor);
  };
}

// What was found out about a tensor when it was made does not outlive its shape.
TEST_F(MoveOperators, AReinitialisedTensorIsJudgedAnew) {
  const Given self({4}, {0, 0, 0, 0});
  const Given src({4}, {1, 2, 3, 4});
  const auto copy = [&](std::uint64_t* size, aclOpExecutor** executor) {
    return aclnnInplaceCopyGetWorkspaceSize(self.tensor.get(), src.tensor.get(), size, executor);
  };
  const auto init = [&](std::int64_t count, std::int64_t stride) {
    ASSERT_EQ(aclInitTensor(src.tensor.get(), &count, 1, ACL_INT32, &stride, 0, ACL_FORMAT_ND,
                            &count, 1, src.block.get()),
              ACLNN_SUCCESS);
  };
  ExpectRuns(copy, aclnnInplaceCopy);
  init(-4, 1);
  ExpectPhaseOneRefused(copy, ACLNN_ERR_PARAM_INVALID, "dimension 0 of src is -4");
  init(4, -1);
  ExpectPhaseOneRefused(copy, ACLNN_ERR_PARAM_INVALID, "stride 0 of src is -1");
  init(4, 1);
  ExpectRuns(copy, aclnnInplaceCopy);
  EXPECT_EQ(self.Read(), Ints({1, 2, 3, 4}));
}

TEST_F(MoveOperators, InplaceCopyCopiesIntoAView) {
  const Given self({2, 2}, Ints(8, -1), {3, 2}, 1);
  const Given src({2}, {10, 20});
  ExpectRuns(Copying(self.tensor.get(), src.tensor.get()), aclnnInplaceCopy);
  EXPECT_EQ(self.Read(), (Ints{-1, 10, -1, 20, 10, -1, 20, -1}));
}

TEST_F(MoveOperators, InplaceCopyCasts) {
  const Given self({2}, {0, 0}, {}, 0, ACL_FLOAT);
  const Given src({2}, {3, -2});
  ExpectRuns(Copying(self.tensor.get(), src.tensor.get()), aclnnInplaceCopy);
  EXPECT_EQ(self.Read(), (Ints{0x40400000, static_cast<std::int32_t>(0xC0000000)}));
}

TEST_F(MoveOperators, InplaceCopyRefusals) {
  ExpectResultsFirst(Copying(nullptr, nullptr), "aclnnInplaceCopy");
  const Given self({2}, {0, 0});
  const Given src({3}, {1, 2, 3});
  const Given fp8({2}, {0}, {}, 0, ACL_FLOAT8_E5M2);
  ExpectPhaseOneRefused(Copying(nullptr, nullptr), ACLNN_ERR_PARAM_NULLPTR, "selfRef is null");
  ExpectPhaseOneRefused(Copying(fp8.tensor.get(), nullptr), ACLNN_ERR_PARAM_NULLPTR, "src is null");
  ExpectPhaseOneRefused(Copying(fp8.tensor.get(), src.tensor.get()), ACLNN_ERR_PARAM_INVALID,
                        "aclnnInplaceCopyGetWorkspaceSize", "selfRef is of type float8_e5m2");
  ExpectPhaseOneRefused(Copying(self.tensor.get(), src.tensor.get()), ACLNN_ERR_PARAM_INVALID,
                        "src is [3]", "document aclnnInplaceCopy");
}

TEST_F(MoveOperators, PartsOfOneBlockMayNotOverlap) {
  const Given whole({4}, {1, 2, 3, 4});
  const auto part = [&](std::int64_t offset) {
    const std::int64_t dims[] = {3};
    return Tensor(aclCreateTensor(dims, 1, ACL_INT32, nullptr, offset, ACL_FORMAT_ND, dims, 1,
                                  whole.block.get()));
  };
  const Tensor first = part(0);
  const Tensor second = part(1);
  Answers answers;
  ASSERT_EQ(Copying(first.get(), second.get())(&answers.size, &answers.executor), ACLNN_SUCCESS);
  ExpectRefused(aclnnInplaceCopy(nullptr, 0, *answers.executor, nullptr), ACLNN_ERR_PARAM_INVALID,
                "aclnnInplaceCopy", "selfRef at", "share elements");
  ExpectRuns(Copying(first.get(), first.get()), aclnnInplaceCopy);
  EXPECT_EQ(whole.Read(), (Ints{1, 2, 3, 4}));
}

TEST_F(MoveOperators, EmptyTensorsNeedNoMemory) {
  const std::int64_t dims[] = {0, 3};
  const Tensor empty(
      aclCreateTensor(dims, 2, ACL_INT32, nullptr, 0, ACL_FORMAT_ND, dims, 2, nullptr));
  const Array size = MakeArray({0, 3});
  const Array repeats = MakeArray({2, 2});
  ExpectRuns(Copying(empty.get(), empty.get()), aclnnInplaceCopy);
  ExpectRuns(
      [&](std::uint64_t* bytes, aclOpExecutor** executor) {
        return aclnnExpandGetWorkspaceSize(empty.get(), size.get(), empty.get(), bytes, executor);
      },
      aclnnExpand);
  ExpectRuns(
      [&](std::uint64_t* bytes, aclOpExecutor** executor) {
        return aclnnRepeatGetWorkspaceSize(empty.get(), repeats.get(), empty.get(), bytes,
                                           executor);
      },
      aclnnRepeat);
}

// ---- aclnnExpand

PhaseOneCall Expanding(const aclTensor* self, const aclIntArray* size, const aclTensor* out) {
  return [=](std::uint64_t* bytes, aclOpExecutor** executor) {
    return aclnnExpandGetWorkspaceSize(self, size, const_cast<aclTensor*>(out), bytes, executor);
  };
}

TEST_F(MoveOperators, ExpandBroadcasts) {
  const Given self({2, 1}, {5, 6});
  const Given out({2, 2, 2}, Ints(8, -1));
  const Array size = MakeArray({2, 2, 2});
  ExpectRuns(Expanding(self.tensor.get(), size.get(), out.tensor.get()), aclnnExpand);
  EXPECT_EQ(out.Read(), (Ints{5, 5, 6, 6, 5, 5, 6, 6}));
}

TEST_F(MoveOperators, ExpandRefusals) {
  ExpectResultsFirst(Expanding(nullptr, nullptr, nullptr), "aclnnExpand");
  const Given self({2}, {5, 6});
  const Given out({2}, {0, 0});
  const Array size = MakeArray({-1});
  const aclTensor* const good = self.tensor.get();
  ExpectPhaseOneRefused(Expanding(nullptr, nullptr, nullptr), ACLNN_ERR_PARAM_NULLPTR,
                        "self is null");
  ExpectPhaseOneRefused(Expanding(good, nullptr, nullptr), ACLNN_ERR_PARAM_NULLPTR, "size is null");
  ExpectPhaseOneRefused(Expanding(good, size.get(), nullptr), ACLNN_ERR_PARAM_NULLPTR,
                        "out is null");
  ExpectPhaseOneRefused(Expanding(good, size.get(), out.tensor.get()), ACLNN_ERR_PARAM_INVALID,
                        "aclnnExpandGetWorkspaceSize", "size[0] is -1", "document aclnnExpand");
}

// ---- aclnnRepeat

PhaseOneCall Repeating(const aclTensor* self, const aclIntArray* repeats, const aclTensor* out) {
  return [=](std::uint64_t* bytes, aclOpExecutor** executor) {
    return aclnnRepeatGetWorkspaceSize(self, repeats, const_cast<aclTensor*>(out), bytes, executor);
  };
}

TEST_F(MoveOperators, RepeatTiles) {
  const Given self({2}, {5, 6});
  const Given out({2, 4}, Ints(8, -1));
  const Given view({2, 4}, Ints(8, -1), {1, 2});
  const Array repeats = MakeArray({2, 2});
  ExpectRuns(Repeating(self.tensor.get(), repeats.get(), out.tensor.get()), aclnnRepeat);
  EXPECT_EQ(out.Read(), (Ints{5, 6, 5, 6, 5, 6, 5, 6}));
  ExpectRuns(Repeating(self.tensor.get(), repeats.get(), view.tensor.get()), aclnnRepeat);
  EXPECT_EQ(view.Read(), (Ints{5, 5, 6, 6, 5, 5, 6, 6}));
}

TEST_F(MoveOperators, RepeatRefusals) {
  ExpectResultsFirst(Repeating(nullptr, nullptr, nullptr), "aclnnRepeat");
  const Given self({1}, {5});
  const Given out({32}, Ints(32));
  const Array many = MakeArray({2, 2, 2, 2, 2});
  const Given five({2, 2, 2, 2, 2}, Ints(32));
  const aclTensor* const good = self.tensor.get();
  ExpectPhaseOneRefused(Repeating(nullptr, nullptr, nullptr), ACLNN_ERR_PARAM_NULLPTR,
                        "self is null");
  ExpectPhaseOneRefused(Repeating(good, nullptr, nullptr), ACLNN_ERR_PARAM_NULLPTR,
                        "repeats is null");
  ExpectPhaseOneRefused(Repeating(good, many.get(), nullptr), ACLNN_ERR_PARAM_NULLPTR,
                        "out is null");
  ExpectPhaseOneRefused(Repeating(good, many.get(), out.tensor.get()), ACLNN_ERR_PARAM_INVALID,
                        "aclnnRepeatGetWorkspaceSize", "out is [32]", "document aclnnRepeat");
  ExpectPhaseOneRefused(Repeating(good, many.get(), five.tensor.get()), ACLNN_ERR_INNER_NULLPTR,
                        "with 5 entries above 1");
}

void ExpectBf16Repeats(aclnnStatus code) {
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  {
    const Given self({2}, {5}, {}, 0, ACL_BF16);
    const Given out({4}, {0, 0}, {}, 0, ACL_BF16);
    const Array repeats = MakeArray({2});
    const PhaseOneCall call = Repeating(self.tensor.get(), repeats.get(), out.tensor.get());
    if (code == ACLNN_SUCCESS) {
      ExpectRuns(call, aclnnRepeat);
      EXPECT_EQ(out.Read(), (Ints{5, 5}));
    } else {
      ExpectPhaseOneRefused(call, code, "self is of type bf16");
    }
  }
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
}

TEST(MoveOperatorsBehaviour, RepeatOfBf16OnOlderProducts) {
  for (const char* soc : {"Ascend310P3", "Ascend910A"}) {
    ExpectChildPasses({{"BELAY_SOC", soc}}, [] { ExpectBf16Repeats(ACLNN_ERR_PARAM_INVALID); });
    ExpectChildPasses({{"BELAY_SOC", soc}, {"BELAY_BEHAVIOR", "released"}},
                      [] { ExpectBf16Repeats(ACLNN_SUCCESS); });
  }
}

// ---- aclnnStridedSliceAssignV2

struct SliceArrays {
  Array begin = MakeArray({-3, 0});
  Array end = MakeArray({100, 1});
  Array strides = MakeArray({2, 1});
  Array axes = MakeArray({0, -1});
};

PhaseOneCall Assigning(const aclTensor* var, const aclTensor* value, const aclIntArray* begin,
                       const aclIntArray* end, const aclIntArray* strides,
                       const aclIntArray* axes) {
  return [=](std::uint64_t* bytes, aclOpExecutor** executor) {
    return aclnnStridedSliceAssignV2GetWorkspaceSize(const_cast<aclTensor*>(var), value, begin, end,
                                                     strides, axes, bytes, executor);
  };
}

void ExpectAssigns() {
  const Given var({4, 2}, {0, 1, 2, 3, 4, 5, 6, 7});
  const Given value({2, 1}, {50, 60});
  const SliceArrays arrays;
  for (const aclIntArray* axes : {static_cast<const aclIntArray*>(arrays.axes.get()),
                                  static_cast<const aclIntArray*>(nullptr)}) {
    var.block.Write(BytesOf({0, 1, 2, 3, 4, 5, 6, 7}));
    ExpectRuns(Assigning(var.tensor.get(), value.tensor.get(), arrays.begin.get(), arrays.end.get(),
                         arrays.strides.get(), axes),
               aclnnStridedSliceAssignV2);
    EXPECT_EQ(var.Read(), (Ints{0, 1, 50, 3, 4, 5, 60, 7}));
  }
}

TEST_F(MoveOperators, StridedSliceAssignWritesTheSlice) { ExpectAssigns(); }

TEST_F(MoveOperators, StridedSliceAssignRefusals) {
  ExpectResultsFirst(Assigning(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr),
                     "aclnnStridedSliceAssignV2");
  const Given var({4, 2}, Ints(8));
  const Given value({3, 1}, Ints(3));
  const SliceArrays arrays;
  const aclTensor* const v = var.tensor.get();
  const aclTensor* const x = value.tensor.get();
  const aclIntArray* const some = arrays.begin.get();
  ExpectPhaseOneRefused(Assigning(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr),
                        ACLNN_ERR_PARAM_NULLPTR, "varRef is null");
  ExpectPhaseOneRefused(Assigning(v, nullptr, nullptr, nullptr, nullptr, nullptr),
                        ACLNN_ERR_PARAM_NULLPTR, "inputValue is null");
  ExpectPhaseOneRefused(Assigning(v, x, nullptr, nullptr, nullptr, nullptr),
                        ACLNN_ERR_PARAM_NULLPTR, "begin is null");
  ExpectPhaseOneRefused(Assigning(v, x, some, nullptr, nullptr, nullptr), ACLNN_ERR_PARAM_NULLPTR,
                        "end is null");
  ExpectPhaseOneRefused(Assigning(v, x, some, some, nullptr, nullptr), ACLNN_ERR_PARAM_NULLPTR,
                        "strides is null");
  ExpectPhaseOneRefused(Assigning(v, x, some, arrays.end.get(), arrays.strides.get(), nullptr),
                        ACLNN_ERR_INNER_TILING_ERROR, "aclnnStridedSliceAssignV2GetWorkspaceSize",
                        "inputValue is [3, 1]", "document aclnnStridedSliceAssignV2");
  const Given bools({4, 2}, Ints(2), {}, 0, ACL_BOOL);
  ExpectPhaseOneRefused(Assigning(bools.tensor.get(), x, some, some, some, nullptr),
                        ACLNN_ERR_PARAM_INVALID, "varRef is of type bool");
}

TEST(MoveOperatorsBehaviour, StridedSliceAssignOn950) {
  ExpectChildPasses({{"BELAY_SOC", "Ascend950"}}, [] {
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    {
      const Given var({4, 2}, Ints(8));
      const SliceArrays arrays;
      ExpectPhaseOneRefused(Assigning(var.tensor.get(), var.tensor.get(), arrays.begin.get(),
                                      arrays.end.get(), arrays.strides.get(), nullptr),
                            ACLNN_ERR_PARAM_INVALID,
                            "aclnnStridedSliceAssignV2 is not served on Ascend950");
    }
    EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  });
  ExpectChildPasses({{"BELAY_SOC", "Ascend950"}, {"BELAY_BEHAVIOR", "released"}}, [] {
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    ExpectAssigns();
    EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  });
}

// An executor that is kept works on the addresses that its tensors have now.
TEST_F(MoveOperators, RepeatableExecutorsTakeOtherAddresses) {
  const Given self({2}, {5, 6});
  const Given other({2}, {7, 8});
  const Given out({4}, Ints(4));
  const Array repeats = MakeArray({2});
  Answers answers;
  ASSERT_EQ(Repeating(self.tensor.get(), repeats.get(), out.tensor.get())(&answers.size,
                                                                          &answers.executor),
            ACLNN_SUCCESS);
  ASSERT_EQ(aclSetAclOpExecutorRepeatable(*answers.executor), ACLNN_SUCCESS);
  ASSERT_EQ(aclnnRepeat(nullptr, 0, *answers.executor, nullptr), ACLNN_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(out.Read(), (Ints{5, 6, 5, 6}));
  ASSERT_EQ(aclSetInputTensorAddr(*answers.executor, 0, self.tensor.get(), other.block.get()),
            ACLNN_SUCCESS);
  ASSERT_EQ(aclnnRepeat(nullptr, 0, *answers.executor, nullptr), ACLNN_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(out.Read(), (Ints{7, 8, 7, 8}));
  EXPECT_EQ(aclDestroyAclOpExecutor(*answers.executor), ACLNN_SUCCESS);
}

}  // namespace
}  // namespace belay::test
