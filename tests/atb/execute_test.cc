// Execute, the checks that all operations share, and whose streams and contexts it runs on.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "support/atb_test.h"

namespace belay::test {
namespace {

class ExecuteTest : public AtbTest, public testing::WithParamInterface<Kind> {
 protected:
  void ExpectExecuteRefused(const Sample& sample, const atb::VariantPack& pack,
                            const std::unique_ptr<Block>& workspace, const std::string& text,
                            const std::string& name = "") {
    ExpectRefused(Execute(sample.operation, pack, workspace), atb::ERROR_INVALID_PARAM,
                  sample.message_name + ": Execute", text, name, "; allowed");
    EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  }
  // The refusals left nothing behind.
  void ExpectWorks(const Sample& sample, const std::unique_ptr<Block>& workspace) {
    EXPECT_EQ(Execute(sample.operation, sample.pack, workspace), atb::NO_ERROR);
    EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
    EXPECT_EQ(sample.Result(), sample.expected);
  }
};
INSTANTIATE_TEST_SUITE_P(, ExecuteTest, testing::ValuesIn(kKinds),
                         testing::PrintToStringParamName());

TEST_P(ExecuteTest, NeedsASetup) {
  const Sample sample(GetParam());
  const auto nothing = std::make_unique<Block>(32);
  ExpectExecuteRefused(sample, sample.pack, nothing, "there was no good Setup before");
  ExpectRefused(sample.operation->Execute(sample.pack, nullptr, 0, nullptr),
                atb::ERROR_INVALID_PARAM, "context is null");
}

TEST_P(ExecuteTest, RefusesWrongNumbersOfTensors) {
  const Sample sample(GetParam());
  const std::unique_ptr<Block> workspace = Setup(sample.operation, sample.pack);
  atb::VariantPack pack = sample.pack;
  pack.inTensors.push_back(pack.inTensors[0]);
  pack.outTensors.push_back(pack.inTensors[0]);  // the second fault, which comes later
  ExpectExecuteRefused(sample, pack, workspace, "the number of input tensors is",
                       "allowed " + std::to_string(sample.pack.inTensors.size()));
  pack.inTensors.clear();
  ExpectExecuteRefused(sample, pack, workspace, "the number of input tensors is 0");
  pack.inTensors = sample.pack.inTensors;
  ExpectExecuteRefused(sample, pack, workspace, "the number of output tensors is");
  if (!sample.pack.outTensors.empty()) {
    pack.outTensors.clear();
    ExpectExecuteRefused(sample, pack, workspace, "the number of output tensors is 0; allowed 1");
  }
  ExpectWorks(sample, workspace);
}

TEST_P(ExecuteTest, RefusesWrongSizesAndMissingAddresses) {
  const Sample sample(GetParam());
  const std::unique_ptr<Block> workspace = Setup(sample.operation, sample.pack);
  for (std::size_t i = 0; i < sample.names.size(); ++i) {
    SCOPED_TRACE(sample.names[i]);
    const std::string& name = sample.names[i];
    const uint64_t bytes = atb::Utils::GetTensorSize(sample.tensors[0]->get().desc);
    for (const uint64_t size : {uint64_t{0}, bytes * 3, ~uint64_t{0}}) {
      atb::VariantPack pack = sample.pack;
      atb::Tensor& tensor = Sample::At(pack, i);
      tensor.dataSize = size;
      tensor.deviceData = nullptr;  // the second fault, which comes later
      ExpectExecuteRefused(sample, pack, workspace, name + ".dataSize is " + std::to_string(size));
    }
    atb::VariantPack pack = sample.pack;
    Sample::At(pack, i).deviceData = nullptr;
    if (i + 1 < sample.names.size()) Sample::At(pack, i + 1).dataSize = 1;  // a later tensor
    ExpectExecuteRefused(sample, pack, workspace, name + ".deviceData and hostData are null");
  }
  ExpectWorks(sample, workspace);
}

TEST_P(ExecuteTest, IgnoresTheDescsItIsGiven) {
  const Sample sample(GetParam());
  const std::unique_ptr<Block> workspace = Setup(sample.operation, sample.pack);
  atb::VariantPack pack = sample.pack;
  for (std::size_t i = 0; i < sample.names.size(); ++i) {
    Sample::At(pack, i).desc = Desc(ACL_BOOL, Shape(9, -1), ACL_FORMAT_NCHW);
  }
  EXPECT_EQ(Execute(sample.operation, pack, workspace), atb::NO_ERROR);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(sample.Result(), sample.expected);
}

TEST_P(ExecuteTest, AnEmptyPackMeansTheTensorsOfSetup) {
  const Sample sample(GetParam());
  const std::unique_ptr<Block> workspace = Setup(sample.operation, sample.pack);
  EXPECT_EQ(Execute(sample.operation, {}, workspace), atb::NO_ERROR);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(sample.Result(), sample.expected);
}

TEST_P(ExecuteTest, ARefusedPackLeavesTheTensorsOfBefore) {
  const Sample sample(GetParam());
  const std::unique_ptr<Block> workspace = Setup(sample.operation, sample.pack);
  int host = 0;
  atb::VariantPack bad = sample.pack;
  bad.inTensors[0].deviceData = &host;
  ExpectRefused(Execute(sample.operation, bad, workspace), atb::ERROR_INVALID_TENSOR_ADDR, "host");
  EXPECT_EQ(Execute(sample.operation, {}, workspace), atb::NO_ERROR);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(sample.Result(), sample.expected);
}

TEST_P(ExecuteTest, TakesOtherAddressesEachTime) {
  const Sample sample(GetParam());
  const std::unique_ptr<Block> workspace = Setup(sample.operation, sample.pack);
  for (int turn = 0; turn < 3; ++turn) {
    const Sample other(GetParam());
    EXPECT_EQ(Execute(sample.operation, other.pack, workspace), atb::NO_ERROR);
    EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
    EXPECT_EQ(other.Result(), sample.expected);
  }
  EXPECT_NE(sample.Result(), sample.expected) << "written although others were named";
  EXPECT_EQ(Execute(sample.operation, {}, workspace), atb::NO_ERROR);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(sample.Result(), sample.expected) << "those of Setup count when none are named";
}

TEST_P(ExecuteTest, RefusesAContextOtherThanThatOfSetup) {
  const Sample sample(GetParam());
  const std::unique_ptr<Block> workspace = Setup(sample.operation, sample.pack);
  atb::Context* other = nullptr;
  ASSERT_EQ(atb::CreateContext(&other), atb::NO_ERROR);
  ASSERT_EQ(other->SetExecuteStream(stream_), atb::NO_ERROR);
  // Two faults: the context comes before the workspace.
  ExpectRefused(sample.operation->Execute(sample.pack, nullptr, 0, other), atb::ERROR_INVALID_PARAM,
                "context is not that of Setup");
  // Three: the stream comes before both.
  ASSERT_EQ(context_->SetExecuteStream(nullptr), atb::NO_ERROR);
  ExpectRefused(sample.operation->Execute(sample.pack, nullptr, 0, other), atb::ERROR_INVALID_PARAM,
                "the context has no stream 0");
  ASSERT_EQ(context_->SetExecuteStream(stream_), atb::NO_ERROR);
  EXPECT_EQ(atb::DestroyContext(other), atb::NO_ERROR);
  ExpectWorks(sample, workspace);
}

TEST_P(ExecuteTest, RefusesADestroyedContext) {
  const Sample sample(GetParam());
  atb::Context* other = nullptr;
  ASSERT_EQ(atb::CreateContext(&other), atb::NO_ERROR);
  ASSERT_EQ(other->SetExecuteStream(stream_), atb::NO_ERROR);
  uint64_t size = 0;
  ASSERT_EQ(sample.operation->Setup(sample.pack, size, other), atb::NO_ERROR);
  ASSERT_EQ(atb::DestroyContext(other), atb::NO_ERROR);
  ExpectRefused(sample.operation->Execute(sample.pack, nullptr, size, other),
                atb::ERROR_INVALID_PARAM, "the context of Setup is destroyed");
}

TEST_P(ExecuteTest, RefusesADestroyedOrForeignStream) {
  const Sample sample(GetParam());
  const std::unique_ptr<Block> workspace = Setup(sample.operation, sample.pack);
  OwnStream gone;
  const aclrtStream handle = gone.Release();
  ASSERT_EQ(aclrtDestroyStream(handle), ACL_SUCCESS);
  const OwnEvent event;
  int number = 0;
  for (const aclrtStream bad : {handle, static_cast<aclrtStream>(static_cast<aclrtEvent>(event)),
                                static_cast<aclrtStream>(&number)}) {
    ASSERT_EQ(context_->SetExecuteStream(bad), atb::NO_ERROR);
    ExpectRefused(Execute(sample.operation, sample.pack, workspace), atb::ERROR_INVALID_PARAM,
                  "the context's stream is", "allowed a live stream");
  }
  ASSERT_EQ(context_->SetExecuteStream(stream_), atb::NO_ERROR);
  ExpectWorks(sample, workspace);
}

TEST_P(ExecuteTest, RunsOnTheStreamOfItsId) {
  const Sample first(GetParam());
  const Sample second(GetParam());
  const OwnStream other;
  ASSERT_EQ(context_->SetExecuteStreams({stream_, other}), atb::NO_ERROR);
  ASSERT_EQ(atb::SetExecuteStreamId(second.operation, 1), atb::NO_ERROR);
  Blocker blocker(stream_);
  const std::unique_ptr<Block> workspace = Setup(first.operation, first.pack);
  EXPECT_EQ(Execute(first.operation, first.pack, workspace), atb::NO_ERROR);
  const std::unique_ptr<Block> other_workspace = Setup(second.operation, second.pack);
  EXPECT_EQ(Execute(second.operation, second.pack, other_workspace), atb::NO_ERROR);
  EXPECT_EQ(aclrtSynchronizeStream(other), ACL_SUCCESS);  // does not wait for the held stream
  EXPECT_EQ(second.Result(), second.expected);
  EXPECT_NE(first.Result(), first.expected);
  blocker.Open();
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(first.Result(), first.expected);
}

TEST_P(ExecuteTest, RefusesAStreamIdThatLeftTheContext) {
  const Sample sample(GetParam());
  const OwnStream other;
  ASSERT_EQ(context_->SetExecuteStreams({stream_, other}), atb::NO_ERROR);
  ASSERT_EQ(atb::SetExecuteStreamId(sample.operation, 1), atb::NO_ERROR);
  const std::unique_ptr<Block> workspace = Setup(sample.operation, sample.pack);
  ASSERT_EQ(context_->SetExecuteStreams({stream_}), atb::NO_ERROR);
  ExpectExecuteRefused(sample, sample.pack, workspace, "the context has no stream 1");
  ASSERT_EQ(context_->SetExecuteStreams({stream_, nullptr}), atb::NO_ERROR);
  ExpectExecuteRefused(sample, sample.pack, workspace, "the context has no stream 1");
  ASSERT_EQ(context_->SetExecuteStreams({nullptr, stream_}), atb::NO_ERROR);
  ExpectWorks(sample, workspace);
}

// Only INDEX_ADD_VALID asks for a workspace.
class WorkspaceTest : public AtbTest {
 protected:
  void ExpectWorkspaceRefused(const Sample& sample, void* workspace, uint64_t size,
                              const std::string& text) {
    ExpectRefused(
        sample.operation->Execute(sample.pack, static_cast<uint8_t*>(workspace), size, context_),
        atb::ERROR_INVALID_PARAM, "IndexAddOperation INDEX_ADD_VALID: Execute", text, "workspace");
  }
};

TEST_F(WorkspaceTest, MustBeDeviceMemoryOfTheSizeSetupAskedFor) {
  const Sample sample(Kind::kIndexAddValid);
  const std::unique_ptr<Block> workspace = Setup(sample.operation, sample.pack);
  ASSERT_EQ(workspace_bytes_, 512U);
  ExpectWorkspaceRefused(sample, workspace->get(), 511,
                         "workspaceSize is 511; allowed 512 and above");
  ExpectWorkspaceRefused(sample, nullptr, 511, "workspaceSize is 511");  // the size comes first
  ExpectWorkspaceRefused(sample, nullptr, 512, "workspace is null");

  alignas(64) uint8_t host[512];
  ExpectWorkspaceRefused(sample, host, 512, "host memory");
  void* locked = nullptr;
  ASSERT_EQ(aclrtMallocHost(&locked, 512), ACL_SUCCESS);
  ExpectWorkspaceRefused(sample, locked, 512, "page-locked host memory");
  ASSERT_EQ(aclrtFreeHost(locked), ACL_SUCCESS);
  const Block small(256);
  ExpectWorkspaceRefused(sample, small.get(), 512, "256 more than the block has there");
  ExpectWorkspaceRefused(sample, workspace->At(32), 512, "32 more than the block has there");
  Block gone(512);
  void* const freed = gone.Release();
  ASSERT_EQ(aclrtFree(freed), ACL_SUCCESS);
  ExpectWorkspaceRefused(sample, freed, 512, "freed by aclrtFree");

  const Block large(4096);
  EXPECT_EQ(
      sample.operation->Execute(sample.pack, static_cast<uint8_t*>(large.At(64)), 4032, context_),
      atb::NO_ERROR);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(sample.Result(), sample.expected);
}

TEST_F(WorkspaceTest, ComesBeforeTheTensors) {
  const Sample sample(Kind::kIndexAddValid);
  const std::unique_ptr<Block> workspace = Setup(sample.operation, sample.pack);
  atb::VariantPack pack = sample.pack;
  pack.inTensors.clear();
  ExpectRefused(sample.operation->Execute(pack, nullptr, 512, context_), atb::ERROR_INVALID_PARAM,
                "workspace is null");
  // What lies at the address is looked at last.
  uint8_t host[512];
  pack = sample.pack;
  pack.outTensors[0].deviceData = host;
  ExpectRefused(sample.operation->Execute(pack, host, 512, context_),
                atb::ERROR_INVALID_TENSOR_ADDR, "output is");
}

TEST_F(WorkspaceTest, IsIgnoredByOperationsThatNeedNone) {
  for (const Kind kind : {Kind::kSetValue, Kind::kRepeat, Kind::kIndexAdd}) {
    const Sample sample(kind);
    uint64_t size = 4711;
    ASSERT_EQ(sample.operation->Setup(sample.pack, size, context_), atb::NO_ERROR);
    EXPECT_EQ(size, 0U);
    int host = 0;
    EXPECT_EQ(
        sample.operation->Execute(sample.pack, reinterpret_cast<uint8_t*>(&host), 99, context_),
        atb::NO_ERROR);
    EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
    EXPECT_EQ(sample.Result(), sample.expected);
  }
}

}  // namespace
}  // namespace belay::test
