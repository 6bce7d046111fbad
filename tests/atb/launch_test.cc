// The two halves of Execute on one or two threads, and graph launch mode.
#include <memory>
#include <string>
#include <vector>

#include "support/atb_test.h"
#include "support/threads.h"

namespace belay::test {
namespace {

class LaunchTest : public AtbTest, public testing::WithParamInterface<Kind> {
 protected:
  void SetType(atb::ExecuteType type) { EXPECT_EQ(context_->SetExecuteType(type), atb::NO_ERROR); }
  aclError Synchronize() { return aclrtSynchronizeStream(stream_); }
};
INSTANTIATE_TEST_SUITE_P(, LaunchTest, testing::ValuesIn(kKinds),
                         testing::PrintToStringParamName());

TEST_P(LaunchTest, PrelaunchOnOneThreadAndLaunchOnAnother) {
  const Sample sample(GetParam());
  const std::unique_ptr<Block> workspace = Setup(sample.operation, sample.pack);
  SetType(atb::EXECUTE_PRELAUNCH);
  EXPECT_EQ(Execute(sample.operation, sample.pack, workspace), atb::NO_ERROR);
  EXPECT_EQ(Synchronize(), ACL_SUCCESS);
  EXPECT_NE(sample.Result(), sample.expected) << "PRELAUNCH alone must not run anything";
  OnFreshThread([&] {
    EXPECT_EQ(context_->GetExecuteType(), atb::EXECUTE_NORMAL) << "the type is the thread's own";
    SetType(atb::EXECUTE_LAUNCH);
    // Neither the pack nor the workspace is looked at.
    EXPECT_EQ(sample.operation->Execute({}, nullptr, 0, context_), atb::NO_ERROR);
  });
  EXPECT_EQ(context_->GetExecuteType(), atb::EXECUTE_PRELAUNCH);
  EXPECT_EQ(Synchronize(), ACL_SUCCESS);
  EXPECT_EQ(sample.Result(), sample.expected);
}

TEST_P(LaunchTest, LaunchNeedsAPrelaunch) {
  const Sample sample(GetParam());
  const auto refused = [&] {
    SetType(atb::EXECUTE_LAUNCH);
    ExpectRefused(sample.operation->Execute(sample.pack, nullptr, 0, context_),
                  atb::ERROR_INVALID_PARAM, sample.message_name + ": Execute",
                  "nothing was prelaunched");
    ExpectRefused(sample.operation->Execute(sample.pack, nullptr, 0, nullptr),
                  atb::ERROR_INVALID_PARAM, "context is null");
  };
  refused();
  std::unique_ptr<Block> workspace = Setup(sample.operation, sample.pack);
  refused();
  // A PRELAUNCH that fails takes back the one before it; so does a Setup.
  SetType(atb::EXECUTE_PRELAUNCH);
  EXPECT_EQ(Execute(sample.operation, sample.pack, workspace), atb::NO_ERROR);
  atb::VariantPack bad = sample.pack;
  bad.inTensors[0].dataSize = 1;
  ExpectRefused(Execute(sample.operation, bad, workspace), atb::ERROR_INVALID_PARAM, "dataSize");
  refused();
  SetType(atb::EXECUTE_PRELAUNCH);
  EXPECT_EQ(Execute(sample.operation, sample.pack, workspace), atb::NO_ERROR);
  workspace = Setup(sample.operation, sample.pack);
  refused();
  EXPECT_EQ(Synchronize(), ACL_SUCCESS);
  EXPECT_NE(sample.Result(), sample.expected);
}

TEST_P(LaunchTest, LaunchNeedsTheStreamAgain) {
  const Sample sample(GetParam());
  const std::unique_ptr<Block> workspace = Setup(sample.operation, sample.pack);
  SetType(atb::EXECUTE_PRELAUNCH);
  EXPECT_EQ(Execute(sample.operation, sample.pack, workspace), atb::NO_ERROR);
  SetType(atb::EXECUTE_LAUNCH);
  ASSERT_EQ(context_->SetExecuteStream(nullptr), atb::NO_ERROR);
  ExpectRefused(sample.operation->Execute({}, nullptr, 0, context_), atb::ERROR_INVALID_PARAM,
                "the context has no stream 0");
  ASSERT_EQ(context_->SetExecuteStream(stream_), atb::NO_ERROR);
  EXPECT_EQ(sample.operation->Execute({}, nullptr, 0, context_), atb::NO_ERROR);
  EXPECT_EQ(Synchronize(), ACL_SUCCESS);
  EXPECT_EQ(sample.Result(), sample.expected);
}

TEST_P(LaunchTest, PrelaunchMakesTheChecks) {
  const Sample sample(GetParam());
  SetType(atb::EXECUTE_PRELAUNCH);
  ExpectRefused(sample.operation->Execute(sample.pack, nullptr, 0, context_),
                atb::ERROR_INVALID_PARAM, "no good Setup before");
  const std::unique_ptr<Block> workspace = Setup(sample.operation, sample.pack);
  int host = 0;
  atb::VariantPack pack = sample.pack;
  pack.inTensors[0].deviceData = &host;
  ExpectRefused(Execute(sample.operation, pack, workspace), atb::ERROR_INVALID_TENSOR_ADDR,
                sample.names[0]);
}

class GraphTest : public LaunchTest {
 protected:
  void SetUp() override {
    LaunchTest::SetUp();
    ASSERT_EQ(context_->SetLaunchMode(atb::GRAPH_LAUNCH_MODE), atb::NO_ERROR);
  }
};
INSTANTIATE_TEST_SUITE_P(, GraphTest, testing::ValuesIn(kKinds), testing::PrintToStringParamName());

TEST_P(GraphTest, TheFirstTurnIsAsInKernelMode) {
  const Sample sample(GetParam());
  ExpectRefused(sample.operation->Execute(sample.pack, nullptr, 0, context_),
                atb::ERROR_INVALID_PARAM, "no good Setup before");
  uint64_t size = 4711;
  atb::VariantPack bad = sample.pack;
  bad.inTensors[0].desc.dtype = ACL_BOOL;
  ExpectRefused(sample.operation->Setup(bad, size, context_), atb::ERROR_INVALID_TENSOR_INI_MATCH,
                "bool");
  // Before the capture shapes may change.
  const std::unique_ptr<Block> workspace = Setup(sample.operation, sample.pack);
  bad = sample.pack;
  bad.inTensors[0].dataSize = 1;
  ExpectRefused(Execute(sample.operation, bad, workspace), atb::ERROR_INVALID_PARAM, "dataSize");
  EXPECT_EQ(Execute(sample.operation, sample.pack, workspace), atb::NO_ERROR);
  EXPECT_EQ(Synchronize(), ACL_SUCCESS);
  EXPECT_EQ(sample.Result(), sample.expected);
}

TEST_P(GraphTest, AfterTheCaptureTheDescsAreFixed) {
  const Sample sample(GetParam());
  EXPECT_EQ(Run(sample.operation, sample.pack), ACL_SUCCESS);
  for (std::size_t i = 0; i < sample.names.size(); ++i) {
    for (int change = 0; change < 4; ++change) {
      SCOPED_TRACE(sample.names[i] + " " + std::to_string(change));
      atb::VariantPack pack = sample.pack;
      atb::TensorDesc& desc = Sample::At(pack, i).desc;
      if (change == 0) desc.shape.dims[0] += 1;
      if (change == 1) desc.shape.dimNum += 1;
      if (change == 2) desc.dtype = desc.dtype == ACL_BF16 ? ACL_FLOAT16 : ACL_BF16;
      if (change == 3) desc.format = ACL_FORMAT_NCHW;
      uint64_t size = 4711;
      ExpectRefused(sample.operation->Setup(pack, size, context_), atb::ERROR_INVALID_TENSOR_DIM,
                    sample.message_name + ": Setup", "the graph was captured with", "; allowed");
      EXPECT_EQ(size, 4711U);
      ExpectRefused(sample.operation->Execute(sample.pack, nullptr, 0, context_),
                    atb::ERROR_INVALID_PARAM, "no good Setup before");
    }
  }
  atb::VariantPack fewer = sample.pack;
  fewer.inTensors.clear();
  uint64_t size = 4711;
  ExpectRefused(sample.operation->Setup(fewer, size, context_), atb::ERROR_INVALID_TENSOR_DIM,
                "captured");
  EXPECT_EQ(sample.operation->Setup(sample.pack, size, context_), atb::NO_ERROR);
  EXPECT_EQ(size, GetParam() == Kind::kIndexAddValid ? 512U : 0U) << "it is written each time";
}

TEST_P(GraphTest, AfterTheCaptureTheAddressesAreThoseOfSetup) {
  const Sample first(GetParam());
  const Sample second(GetParam());
  const Sample third(GetParam());
  EXPECT_EQ(Run(first.operation, first.pack), ACL_SUCCESS);
  EXPECT_EQ(first.Result(), first.expected);
  const std::unique_ptr<Block> workspace = Setup(first.operation, second.pack);
  EXPECT_EQ(Execute(first.operation, third.pack, workspace), atb::NO_ERROR);
  EXPECT_EQ(Synchronize(), ACL_SUCCESS);
  EXPECT_EQ(second.Result(), second.expected);
  EXPECT_NE(third.Result(), third.expected) << "written although Setup named others";
}

TEST_P(GraphTest, AfterTheCaptureMemoryIsStillChecked) {
  const Sample sample(GetParam());
  EXPECT_EQ(Run(sample.operation, sample.pack), ACL_SUCCESS);
  for (std::size_t i = 0; i < sample.names.size(); ++i) {
    SCOPED_TRACE(sample.names[i]);
    int host = 0;
    for (void* const bad : {static_cast<void*>(nullptr), static_cast<void*>(&host)}) {
      atb::VariantPack pack = sample.pack;
      Sample::At(pack, i).deviceData = bad;
      const std::unique_ptr<Block> workspace = Setup(sample.operation, pack);
      ExpectRefused(Execute(sample.operation, sample.pack, workspace),
                    atb::ERROR_INVALID_TENSOR_ADDR, sample.names[i] + " is");
    }
  }
  if (GetParam() == Kind::kIndexAddValid) {
    uint64_t size = 0;
    ASSERT_EQ(sample.operation->Setup(sample.pack, size, context_), atb::NO_ERROR);
    ExpectRefused(sample.operation->Execute(sample.pack, nullptr, size, context_),
                  atb::ERROR_INVALID_PARAM, "workspace is null");
  }
}

TEST_P(GraphTest, KernelModeIsBackAtOnce) {
  const Sample sample(GetParam());
  EXPECT_EQ(Run(sample.operation, sample.pack), ACL_SUCCESS);
  ASSERT_EQ(context_->SetLaunchMode(atb::KERNEL_LAUNCH_MODE), atb::NO_ERROR);
  const Sample other(GetParam());
  const std::unique_ptr<Block> workspace = Setup(sample.operation, sample.pack);
  EXPECT_EQ(Execute(sample.operation, other.pack, workspace), atb::NO_ERROR);
  EXPECT_EQ(Synchronize(), ACL_SUCCESS);
  EXPECT_EQ(other.Result(), other.expected);
}

TEST_P(GraphTest, OtherTypesInKernelModeLeaveTheCaptureAsItIs) {
  const Sample sample(GetParam());
  EXPECT_EQ(Run(sample.operation, sample.pack), ACL_SUCCESS);
  atb::VariantPack other = sample.pack;
  for (std::size_t i = 0; i < sample.names.size(); ++i) {
    aclDataType& dtype = Sample::At(other, i).desc.dtype;
    if (dtype == ACL_FLOAT16) dtype = ACL_BF16;
  }
  ASSERT_EQ(context_->SetLaunchMode(atb::KERNEL_LAUNCH_MODE), atb::NO_ERROR);
  (void)Setup(sample.operation, other);
  ASSERT_EQ(context_->SetLaunchMode(atb::GRAPH_LAUNCH_MODE), atb::NO_ERROR);
  uint64_t size = 0;
  ExpectRefused(sample.operation->Setup(other, size, context_), atb::ERROR_INVALID_TENSOR_DIM,
                sample.names[0] + " is bf16", "; allowed float16");
  const Sample second(GetParam());
  EXPECT_EQ(Run(sample.operation, second.pack), ACL_SUCCESS);
  EXPECT_EQ(second.Result(), second.expected);
}

}  // namespace
}  // namespace belay::test
