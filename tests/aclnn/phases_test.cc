// The two phases, told apart from any operator: a probe that copies one tensor into another.
#include "aclnn/phases.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "base/tensor_view.h"
#include "opdev/op_errno.h"
#include "ops/views.h"
#include "support/api_test_support.h"

namespace belay::test {
namespace {

using aclnn::PublishedOperator;

constexpr PublishedOperator kProbe{"aclnnProbe", "aclnnProbeGetWorkspaceSize", "this test"};
constexpr PublishedOperator kOther{"aclnnOther", "aclnnOtherGetWorkspaceSize", "this test"};
constexpr PublishedOperator kResultsLast{"aclnnLast", "aclnnLastGetWorkspaceSize", "this test",
                                         true};

struct ProbeWork {
  ops::ViewSet views;
};

// The optional tensor has address 1, out has 2. What values holds first is the workspace's size; a
// negative one is refused.
StatusOr<Plan> PlanProbe(const ops::Profile& /*who*/, const TensorView& self,
                         const TensorView* optional, const aclnn::IntArray& values,
                         const TensorView& out) {
  if (values.values[0] < 0) return Unexpected(Refuse(Fault::kTiling, "values[0] is negative"));
  Plan plan;
  plan.operation = "aclnnProbe";
  plan.workspace_bytes = static_cast<std::uint64_t>(values.values[0]);
  const ops::ViewUse views[] = {
      {"self", &self, AccessMode::kRead},
      {"optional", optional, AccessMode::kRead},
      {"out", &out, AccessMode::kWrite},
  };
  ops::AddViews(plan, plan.EmplaceParameters<ProbeWork>().views, views);
  if (ops::IsEmpty(out)) return plan;
  plan.run = [](const Plan& self_plan, std::span<void* const> addresses) -> Status {
    std::memcpy(addresses[2], addresses[0], self_plan.accesses()[2].extent);
    return {};
  };
  return plan;
}

aclnnStatus PhaseOne(const aclTensor* self, const aclTensor* optional, const aclIntArray* values,
                     const aclTensor* out, uint64_t* size, aclOpExecutor** executor,
                     const PublishedOperator& op = kProbe) {
  return aclnn::PhaseOne(op, {size, executor}, PlanProbe, aclnn::Input("self", self),
                         aclnn::OptionalInput("optional", optional), aclnn::Ints("values", values),
                         aclnn::Output("out", out));
}

aclTensor* MakeTensor(const std::vector<std::int64_t>& dims, void* data, std::int64_t offset = 0) {
  return aclCreateTensor(dims.data(), dims.size(), ACL_INT32, nullptr, offset, ACL_FORMAT_ND,
                         dims.data(), dims.size(), data);
}

class AclnnPhasesTest : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    x_.emplace(SomeBytes(64, 1));
    y_.emplace(SomeBytes(64, 2));
    self_ = MakeTensor({4}, x_->get());
    out_ = MakeTensor({4}, y_->get());
    SetWorkspace(0);
  }
  void TearDown() override {
    for (const aclTensor* tensor : {self_, out_}) (void)aclDestroyTensor(tensor);
    (void)aclDestroyIntArray(values_);
    x_.reset();
    y_.reset();
    DeviceTest::TearDown();
  }

  void SetWorkspace(std::int64_t bytes) {
    if (values_ != nullptr) (void)aclDestroyIntArray(values_);
    values_ = aclCreateIntArray(&bytes, 1);
  }
  aclOpExecutor* MakeExecutor() {
    aclOpExecutor* executor = nullptr;
    EXPECT_EQ(PhaseOne(self_, nullptr, values_, out_, &size_, &executor), ACLNN_SUCCESS);
    EXPECT_NE(executor, nullptr);
    return executor;
  }
  static aclnnStatus Run(aclOpExecutor* executor, void* workspace = nullptr, uint64_t size = 0,
                         aclrtStream stream = nullptr) {
    return aclnn::PhaseTwo(kProbe, workspace, size, executor, stream);
  }
  void ExpectCopied() {
    EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
    EXPECT_EQ(y_->Read(16), x_->Read(16));
  }

  std::optional<Block> x_;  // within SetUp and TearDown
  std::optional<Block> y_;
  aclTensor* self_ = nullptr;
  aclTensor* out_ = nullptr;
  aclIntArray* values_ = nullptr;
  uint64_t size_ = 77;
};

TEST_F(AclnnPhasesTest, RunsOnceAndEndsTheExecutor) {
  aclOpExecutor* executor = MakeExecutor();
  EXPECT_EQ(size_, 0U);
  EXPECT_EQ(Run(executor), ACLNN_SUCCESS);
  ExpectCopied();
  ExpectRefused(Run(executor), ACLNN_ERR_PARAM_INVALID, "aclnnProbe: executor is",
                "an executor that has run already and was not made repeatable");
  ExpectRefused(aclDestroyAclOpExecutor(executor), ACLNN_ERR_PARAM_INVALID,
                "aclDestroyAclOpExecutor", "has run already");
}

TEST_F(AclnnPhasesTest, ResultsComeFirst) {
  aclOpExecutor* executor = nullptr;
  ExpectRefused(PhaseOne(nullptr, nullptr, nullptr, nullptr, nullptr, &executor),
                ACLNN_ERR_PARAM_NULLPTR, "aclnnProbeGetWorkspaceSize", "workspaceSize is null");
  ExpectRefused(PhaseOne(nullptr, nullptr, nullptr, nullptr, &size_, nullptr),
                ACLNN_ERR_PARAM_NULLPTR, "executor is null");
  EXPECT_EQ(executor, nullptr);
}

TEST_F(AclnnPhasesTest, OrLastWhereThatIsPublished) {
  ExpectRefused(PhaseOne(nullptr, nullptr, values_, out_, nullptr, nullptr, kResultsLast),
                ACLNN_ERR_PARAM_NULLPTR, "self is null");
  SetWorkspace(-1);
  ExpectRefused(PhaseOne(self_, nullptr, values_, out_, nullptr, nullptr, kResultsLast),
                ACLNN_ERR_INNER_TILING_ERROR, "values[0]");
  SetWorkspace(0);
  ExpectRefused(PhaseOne(self_, nullptr, values_, out_, nullptr, nullptr, kResultsLast),
                ACLNN_ERR_PARAM_NULLPTR, "workspaceSize is null");
}

TEST_F(AclnnPhasesTest, NullComesBeforeDeadHandles) {
  (void)aclDestroyTensor(self_);
  Output<aclOpExecutor*> executor;
  Output<uint64_t> size;
  ExpectRefused(PhaseOne(self_, nullptr, values_, nullptr, &size, &executor),
                ACLNN_ERR_PARAM_NULLPTR, "out is null");
  ExpectRefused(PhaseOne(self_, nullptr, values_, out_, &size, &executor), ACLNN_ERR_PARAM_INVALID,
                "self is", "a tensor that is already destroyed");
  ExpectRefused(
      PhaseOne(out_, reinterpret_cast<aclTensor*>(values_), values_, out_, &size, &executor),
      ACLNN_ERR_PARAM_INVALID, "optional is", "the handle of an int array");
  EXPECT_TRUE(executor.Untouched() && size.Untouched());
}

TEST_F(AclnnPhasesTest, WhatTheOperatorRefusesLeavesNoExecutor) {
  SetWorkspace(-1);
  Output<aclOpExecutor*> executor;
  Output<uint64_t> size;
  ExpectRefused(PhaseOne(self_, nullptr, values_, out_, &size, &executor),
                ACLNN_ERR_INNER_TILING_ERROR, "aclnnProbeGetWorkspaceSize: values[0] is negative");
  EXPECT_TRUE(executor.Untouched() && size.Untouched());
}

TEST_F(AclnnPhasesTest, PhaseTwoChecksTheExecutor) {
  ExpectRefused(Run(nullptr), ACLNN_ERR_PARAM_NULLPTR, "executor is null");
  ExpectRefused(Run(reinterpret_cast<aclOpExecutor*>(self_)), ACLNN_ERR_PARAM_INVALID,
                "the handle of a tensor");
  aclOpExecutor* executor = MakeExecutor();
  ExpectRefused(aclnn::PhaseTwo(kOther, nullptr, 0, executor, nullptr), ACLNN_ERR_PARAM_INVALID,
                "aclnnOther: executor is one of aclnnProbe");
  // It was not this operator's to end.
  EXPECT_EQ(Run(executor), ACLNN_SUCCESS);
  ExpectCopied();
}

TEST_F(AclnnPhasesTest, TheWorkspaceIsChecked) {
  SetWorkspace(64);
  const Block workspace{64};
  ExpectRefused(Run(MakeExecutor(), nullptr, 64), ACLNN_ERR_PARAM_NULLPTR, "workspace is null");
  EXPECT_EQ(size_, 64U);
  ExpectRefused(Run(MakeExecutor(), nullptr, 0), ACLNN_ERR_PARAM_NULLPTR, "workspace is null");
  ExpectRefused(Run(MakeExecutor(), workspace.get(), 63), ACLNN_ERR_PARAM_INVALID,
                "workspaceSize is 63; allowed 64 and above");
  std::vector<std::byte> host(64);
  ExpectRefused(Run(MakeExecutor(), host.data(), 64), ACLNN_ERR_PARAM_INVALID, "workspace is");
  ExpectRefused(Run(MakeExecutor(), workspace.At(1), 64), ACLNN_ERR_PARAM_INVALID, "workspace");
  // What the work writes there would be the program's own tensors.
  ExpectRefused(Run(MakeExecutor(), x_->get(), 64), ACLNN_ERR_PARAM_INVALID, "workspace at",
                "self at", "share bytes");
  ExpectRefused(Run(MakeExecutor(), y_->get(), 64), ACLNN_ERR_PARAM_INVALID, "out at");
  EXPECT_EQ(y_->Read(64), SomeBytes(64, 2));
  EXPECT_EQ(Run(MakeExecutor(), workspace.get(), 64), ACLNN_SUCCESS);
  ExpectCopied();
}

// Elsewhere the operator may need what it does not need here.
TEST_F(AclnnPhasesTest, AWorkspaceThatIsNotNeededIsCheckedAsWell) {
  const Block workspace{64};
  std::vector<std::byte> host(64);
  ExpectRefused(Run(MakeExecutor(), host.data(), 16), ACLNN_ERR_PARAM_INVALID, "workspace is");
  ExpectRefused(Run(MakeExecutor(), x_->get(), 16), ACLNN_ERR_PARAM_INVALID, "workspace at");
  ExpectRefused(Run(MakeExecutor(), workspace.get(), 65), ACLNN_ERR_PARAM_INVALID,
                "needs 65 bytes");
  ExpectRefused(Run(MakeExecutor(), workspace.get(), ~std::uint64_t{0}), ACLNN_ERR_PARAM_INVALID,
                "workspace is");
  EXPECT_EQ(Run(MakeExecutor(), host.data(), 0), ACLNN_SUCCESS);
  EXPECT_EQ(Run(MakeExecutor(), workspace.get(), 64), ACLNN_SUCCESS);
  // A repeatable executor looks again when more is given.
  aclOpExecutor* const executor = MakeExecutor();
  ASSERT_EQ(aclSetAclOpExecutorRepeatable(executor), ACLNN_SUCCESS);
  EXPECT_EQ(Run(executor, workspace.get(), 32), ACLNN_SUCCESS);
  ExpectRefused(Run(executor, workspace.get(), 65), ACLNN_ERR_PARAM_INVALID, "needs 65 bytes");
  EXPECT_EQ(Run(executor, nullptr, 0), ACLNN_SUCCESS);
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), ACLNN_SUCCESS);
  ExpectCopied();
}

TEST_F(AclnnPhasesTest, ARefusedPhaseTwoEndsTheExecutor) {
  SetWorkspace(64);
  aclOpExecutor* executor = MakeExecutor();
  ExpectRefused(Run(executor, nullptr, 64), ACLNN_ERR_PARAM_NULLPTR, "workspace is null");
  ExpectRefused(Run(executor, nullptr, 64), ACLNN_ERR_PARAM_INVALID, "has run already");
}

TEST_F(AclnnPhasesTest, AnyAddressIsChecked) {
  std::vector<std::int32_t> host(4);
  const auto refused = [&](void* data, std::int64_t offset, const char* text) {
    aclTensor* tensor = MakeTensor({4}, data, offset);
    aclOpExecutor* executor = nullptr;
    EXPECT_EQ(PhaseOne(tensor, nullptr, values_, out_, &size_, &executor), ACLNN_SUCCESS);
    ExpectRefused(Run(executor), ACLNN_ERR_PARAM_INVALID, "aclnnProbe: self", text);
    EXPECT_EQ(aclDestroyTensor(tensor), ACLNN_SUCCESS);
  };
  refused(nullptr, 0, "without a device address");
  refused(host.data(), 0, "host memory");
  refused(x_->get(), 13, "");  // past the end
  refused(x_->get(), -1, "");  // before the start
  for (const std::int64_t far : {INT64_MAX, INT64_MIN, std::int64_t{1} << 62,
                                 -(std::int64_t{1} << 62), (std::int64_t{1} << 62) + 2}) {
    refused(x_->get(), far, "");  // in bytes, some of these are multiples of 2^64
  }
  void* freed = nullptr;
  ASSERT_EQ(aclrtMalloc(&freed, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  ASSERT_EQ(aclrtFree(freed), ACL_SUCCESS);
  refused(freed, 0, "freed");
  EXPECT_EQ(y_->Read(64), SomeBytes(64, 2));
}

TEST_F(AclnnPhasesTest, AnOffsetStaysInTheBlockOfTheStorage) {
  const Block other{SomeBytes(64, 3)};
  const auto distance = static_cast<std::byte*>(other.get()) - static_cast<std::byte*>(x_->get());
  aclTensor* tensor = MakeTensor({4}, x_->get(), distance / 4);
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(PhaseOne(tensor, nullptr, values_, out_, &size_, &executor), ACLNN_SUCCESS);
  ExpectRefused(Run(executor), ACLNN_ERR_PARAM_INVALID, "self begins", "does not reach there");
  EXPECT_EQ(y_->Read(64), SomeBytes(64, 2));
  EXPECT_EQ(aclDestroyTensor(tensor), ACLNN_SUCCESS);
}

TEST_F(AclnnPhasesTest, TheOffsetCountsInElements) {
  aclTensor* tensor = MakeTensor({4}, x_->get(), 12);
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(PhaseOne(tensor, nullptr, values_, out_, &size_, &executor), ACLNN_SUCCESS);
  EXPECT_EQ(Run(executor), ACLNN_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
  const Bytes all = x_->Read(64);
  EXPECT_EQ(y_->Read(16), Bytes(all.begin() + 48, all.end()));
  EXPECT_EQ(aclDestroyTensor(tensor), ACLNN_SUCCESS);
}

TEST_F(AclnnPhasesTest, TheStorageMayBeTheEndOfItsBlock) {
  for (const std::int64_t offset : {-4, -16, -17}) {
    aclTensor* tensor = MakeTensor({4}, static_cast<std::byte*>(x_->get()) + 64, offset);
    aclOpExecutor* executor = nullptr;
    EXPECT_EQ(PhaseOne(tensor, nullptr, values_, out_, &size_, &executor), ACLNN_SUCCESS);
    if (offset == -17) {
      ExpectRefused(Run(executor), ACLNN_ERR_PARAM_INVALID, "self begins -68 bytes");
    } else {
      EXPECT_EQ(Run(executor), ACLNN_SUCCESS);
      EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
      const Bytes all = x_->Read(64);
      const auto first = all.begin() + 64 + 4 * offset;
      EXPECT_EQ(y_->Read(16), Bytes(first, first + 16));
    }
    EXPECT_EQ(aclDestroyTensor(tensor), ACLNN_SUCCESS);
  }
}

TEST_F(AclnnPhasesTest, AnExecutorKeepsTheViewOfPhaseOne) {
  for (const std::int64_t offset : {0, 8}) {
    aclTensor* tensor = MakeTensor({4}, x_->get(), offset);
    aclOpExecutor* executor = nullptr;
    EXPECT_EQ(PhaseOne(tensor, nullptr, values_, out_, &size_, &executor), ACLNN_SUCCESS);
    const std::int64_t one = 1;
    EXPECT_EQ(aclInitTensor(tensor, &one, 1, ACL_COMPLEX128, nullptr, 2, ACL_FORMAT_ND, &one, 1,
                            y_->get()),
              ACLNN_SUCCESS);
    EXPECT_EQ(aclSetInputTensorAddr(executor, 0, tensor, x_->get()), ACLNN_SUCCESS);
    EXPECT_EQ(Run(executor), ACLNN_SUCCESS);
    EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
    const Bytes all = x_->Read(64);
    EXPECT_EQ(y_->Read(16), Bytes(all.begin() + 4 * offset, all.begin() + 4 * offset + 16));
    EXPECT_EQ(aclDestroyTensor(tensor), ACLNN_SUCCESS);
  }
}

TEST_F(AclnnPhasesTest, WrittenTensorsShareNoElements) {
  const auto run = [&](std::int64_t offset) {
    aclTensor* overlapping = MakeTensor({4}, x_->get(), offset);
    aclOpExecutor* executor = nullptr;
    EXPECT_EQ(PhaseOne(self_, nullptr, values_, overlapping, &size_, &executor), ACLNN_SUCCESS);
    const aclnnStatus status = Run(executor);
    EXPECT_EQ(aclDestroyTensor(overlapping), ACLNN_SUCCESS);
    return status;
  };
  ExpectRefused(run(1), ACLNN_ERR_PARAM_INVALID, "out at", "self at", "share elements");
  ExpectRefused(run(3), ACLNN_ERR_PARAM_INVALID, "share elements");
  EXPECT_EQ(run(4), ACLNN_SUCCESS);
  EXPECT_EQ(run(0), ACLNN_SUCCESS);  // the same view
}

TEST_F(AclnnPhasesTest, AnEmptyTensorNeedsNoAddress) {
  aclTensor* empty = MakeTensor({0, 4}, nullptr);
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(PhaseOne(empty, nullptr, values_, empty, &size_, &executor), ACLNN_SUCCESS);
  EXPECT_EQ(Run(executor), ACLNN_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
  EXPECT_EQ(aclDestroyTensor(empty), ACLNN_SUCCESS);
}

TEST_F(AclnnPhasesTest, ObjectsLiveUntilPhaseTwo) {
  aclOpExecutor* executor = MakeExecutor();
  EXPECT_EQ(aclDestroyTensor(self_), ACLNN_SUCCESS);
  ExpectRefused(Run(executor), ACLNN_ERR_PARAM_INVALID, "self is",
                "a tensor that is already destroyed");
  self_ = MakeTensor({4}, x_->get());
  executor = MakeExecutor();
  EXPECT_EQ(aclDestroyIntArray(values_), ACLNN_SUCCESS);
  ExpectRefused(Run(executor), ACLNN_ERR_PARAM_INVALID, "values is",
                "an int array that is already destroyed");
  EXPECT_EQ(y_->Read(64), SomeBytes(64, 2));
}

TEST_F(AclnnPhasesTest, ObjectsAndMemoryMayGoAfterPhaseTwo) {
  const OwnStream stream;
  Blocker blocker(stream);
  aclOpExecutor* executor = MakeExecutor();
  EXPECT_EQ(Run(executor, nullptr, 0, stream), ACLNN_SUCCESS);
  EXPECT_EQ(aclDestroyTensor(self_), ACLNN_SUCCESS);
  EXPECT_EQ(aclDestroyTensor(out_), ACLNN_SUCCESS);
  EXPECT_EQ(aclDestroyIntArray(values_), ACLNN_SUCCESS);
  self_ = nullptr;
  out_ = nullptr;
  values_ = nullptr;
  EXPECT_EQ(y_->Read(64), SomeBytes(64, 2));
  blocker.Open();
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  ExpectCopied();
}

TEST_F(AclnnPhasesTest, ARepeatableExecutorRunsUntilItIsDestroyed) {
  aclOpExecutor* executor = MakeExecutor();
  EXPECT_EQ(aclSetAclOpExecutorRepeatable(executor), ACLNN_SUCCESS);
  for (unsigned seed = 3; seed < 6; ++seed) {
    x_->Write(SomeBytes(64, seed));
    EXPECT_EQ(Run(executor), ACLNN_SUCCESS);
    ExpectCopied();
  }
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), ACLNN_SUCCESS);
  ExpectRefused(Run(executor), ACLNN_ERR_PARAM_INVALID, "already destroyed");
  ExpectRefused(aclSetAclOpExecutorRepeatable(executor), ACLNN_ERR_PARAM_INVALID,
                "already destroyed");
  ExpectRefused(aclSetAclOpExecutorRepeatable(nullptr), ACLNN_ERR_INNER_NULLPTR,
                "executor is null");
  ExpectRefused(aclDestroyAclOpExecutor(nullptr), ACLNN_ERR_INNER_NULLPTR, "executor is null");
}

TEST_F(AclnnPhasesTest, ARepeatableExecutorSurvivesARefusal) {
  SetWorkspace(64);
  const Block workspace{64};
  aclOpExecutor* executor = MakeExecutor();
  EXPECT_EQ(aclSetAclOpExecutorRepeatable(executor), ACLNN_SUCCESS);
  ExpectRefused(Run(executor, nullptr, 64), ACLNN_ERR_PARAM_NULLPTR, "workspace is null");
  EXPECT_EQ(Run(executor, workspace.get(), 64), ACLNN_SUCCESS);
  ExpectCopied();
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), ACLNN_SUCCESS);
}

TEST_F(AclnnPhasesTest, AddressesMayChangeBetweenRuns) {
  const Block other{SomeBytes(64, 9)};
  const Block target{SomeBytes(64, 8)};
  aclOpExecutor* executor = MakeExecutor();
  EXPECT_EQ(aclSetAclOpExecutorRepeatable(executor), ACLNN_SUCCESS);
  EXPECT_EQ(Run(executor), ACLNN_SUCCESS);
  EXPECT_EQ(aclSetInputTensorAddr(executor, 0, self_, other.get()), ACLNN_SUCCESS);
  EXPECT_EQ(AclSetOutputTensorAddr(executor, 0, out_, target.get()), ACLNN_SUCCESS);
  EXPECT_EQ(Run(executor), ACLNN_SUCCESS);
  ExpectCopied();
  EXPECT_EQ(target.Read(16), other.Read(16));
  void* address = nullptr;
  EXPECT_EQ(aclGetRawTensorAddr(self_, &address), ACLNN_SUCCESS);
  EXPECT_EQ(address, other.get());
  // Among all tensor parameters the optional one, which was not given, keeps its place.
  EXPECT_EQ(aclSetTensorAddr(executor, 2, out_, y_->get()), ACLNN_SUCCESS);
  EXPECT_EQ(AclSetTensorAddr(executor, 0, self_, x_->get()), ACLNN_SUCCESS);
  EXPECT_EQ(AclSetInputTensorAddr(executor, 0, self_, target.get()), ACLNN_SUCCESS);
  EXPECT_EQ(aclSetOutputTensorAddr(executor, 0, out_, y_->get()), ACLNN_SUCCESS);
  EXPECT_EQ(Run(executor), ACLNN_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
  EXPECT_EQ(y_->Read(16), other.Read(16));
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), ACLNN_SUCCESS);
}

TEST_F(AclnnPhasesTest, AddressesOfOtherTensorsAreRefused) {
  aclOpExecutor* executor = MakeExecutor();
  ExpectRefused(aclSetInputTensorAddr(executor, 0, nullptr, x_->get()), ACLNN_ERR_INNER_NULLPTR,
                "tensor is null");
  ExpectRefused(aclSetInputTensorAddr(executor, 2, self_, x_->get()), ACLNN_ERR_PARAM_INVALID,
                "index is 2; aclnnProbe has no input tensor at that position");
  ExpectRefused(aclSetOutputTensorAddr(executor, 1, out_, x_->get()), ACLNN_ERR_PARAM_INVALID,
                "no output tensor");
  ExpectRefused(aclSetTensorAddr(executor, SIZE_MAX, out_, x_->get()), ACLNN_ERR_PARAM_INVALID,
                "aclnnProbe has no tensor at that position");
  ExpectRefused(aclSetInputTensorAddr(executor, 0, out_, x_->get()), ACLNN_ERR_PARAM_INVALID,
                "tensor is not the one that phase one of aclnnProbe got as self");
  ExpectRefused(aclSetTensorAddr(executor, 1, out_, x_->get()), ACLNN_ERR_PARAM_INVALID,
                "got as optional");
  // Published so: the tensor changes although there is no executor.
  ExpectRefused(aclSetInputTensorAddr(nullptr, 0, out_, x_->get()), ACLNN_ERR_INNER_NULLPTR,
                "executor is null");
  void* address = nullptr;
  EXPECT_EQ(aclGetRawTensorAddr(out_, &address), ACLNN_SUCCESS);
  EXPECT_EQ(address, x_->get());
  EXPECT_EQ(Run(executor), ACLNN_SUCCESS);
  ExpectCopied();
  ExpectRefused(aclSetInputTensorAddr(executor, 0, self_, x_->get()), ACLNN_ERR_PARAM_INVALID,
                "has run already");
}

TEST_F(AclnnPhasesTest, NoOperatorHereHasLists) {
  const aclTensor* elements[] = {MakeTensor({1}, nullptr)};
  aclTensorList* list = aclCreateTensorList(elements, 1);
  aclOpExecutor* executor = MakeExecutor();
  using Set = aclnnStatus (*)(aclOpExecutor*, size_t, size_t, aclTensorList*, void*);
  for (const Set set :
       {aclSetDynamicInputTensorAddr, aclSetDynamicOutputTensorAddr, aclSetDynamicTensorAddr,
        AclSetDynamicInputTensorAddr, AclSetDynamicOutputTensorAddr, AclSetDynamicTensorAddr}) {
    ExpectRefused(set(executor, 0, 0, nullptr, x_->get()), ACLNN_ERR_INNER_NULLPTR,
                  "tensors is null");
    ExpectRefused(set(nullptr, 0, 1, list, x_->get()), ACLNN_ERR_PARAM_INVALID,
                  "relativeIndex is 1; allowed below 1");
    ExpectRefused(set(nullptr, 0, 0, list, x_->get()), ACLNN_ERR_INNER_NULLPTR, "executor is null");
    ExpectRefused(set(executor, 0, 0, list, x_->get()), ACLNN_ERR_PARAM_INVALID,
                  "aclnnProbe has no tensor list");
  }
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), ACLNN_SUCCESS);
  EXPECT_EQ(aclDestroyTensorList(list), ACLNN_SUCCESS);
}

TEST_F(AclnnPhasesTest, StreamsAreChecked) {
  OwnStream stream;
  const aclrtStream dead = stream.get();
  ASSERT_EQ(aclrtDestroyStream(stream.Release()), ACL_SUCCESS);
  ExpectRefused(Run(MakeExecutor(), nullptr, 0, dead), ACLNN_ERR_PARAM_INVALID, "stream is");
  aclOpExecutor* executor = MakeExecutor();
  std::thread([&] { ExpectRefused(Run(executor), ACLNN_ERR_RUNTIME_ERROR, "context"); }).join();
  aclrtContext mine = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&mine), ACL_SUCCESS);
  aclrtContext other = nullptr;
  const OwnStream of_mine;
  ASSERT_EQ(aclrtCreateContext(&other, 0), ACL_SUCCESS);
  ExpectRefused(Run(MakeExecutor(), nullptr, 0, of_mine), ACLNN_ERR_RUNTIME_ERROR,
                "belongs to another context");
  ASSERT_EQ(aclrtDestroyContext(other), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetCurrentContext(mine), ACL_SUCCESS);
}

TEST_F(AclnnPhasesTest, OfTwoThreadsOneRunsTheExecutor) {
  for (int round = 0; round < 200; ++round) {
    aclOpExecutor* executor = MakeExecutor();
    aclrtContext context = nullptr;
    ASSERT_EQ(aclrtGetCurrentContext(&context), ACL_SUCCESS);
    int good = 0;
    std::thread other([&] {
      EXPECT_EQ(aclrtSetCurrentContext(context), ACL_SUCCESS);
      if (Run(executor) == ACLNN_SUCCESS) ++good;
    });
    const bool mine = Run(executor) == ACLNN_SUCCESS;
    other.join();
    EXPECT_EQ(good + (mine ? 1 : 0), 1);
  }
  ExpectCopied();
}

TEST_F(AclnnPhasesTest, ManyExecutorsAreTheirOwn) {
  std::vector<aclOpExecutor*> executors;
  for (int i = 0; i < 1000; ++i) executors.push_back(MakeExecutor());
  for (std::size_t i = 0; i < executors.size(); i += 2) {
    EXPECT_EQ(aclDestroyAclOpExecutor(executors[i]), ACLNN_SUCCESS);
  }
  for (std::size_t i = 0; i < executors.size(); ++i) {
    EXPECT_EQ(Run(executors[i]), i % 2 == 0 ? ACLNN_ERR_PARAM_INVALID : ACLNN_SUCCESS);
  }
  (void)TakeMessages();
  ExpectCopied();
}

}  // namespace
}  // namespace belay::test
