// Contexts, Utils, and the ends of lives: what is destroyed answers calls with a refusal.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/atb_test.h"
#include "support/threads.h"

namespace belay::test {
namespace {

using Alloc = std::function<void*(std::size_t)>;
using Dealloc = std::function<void(void*)>;

constexpr atb::Context** kNoContext = nullptr;

TEST_F(AtbTest, CreateContextRefusesNull) {
  const Alloc alloc = [](std::size_t) -> void* { return nullptr; };
  const Dealloc dealloc;
  ExpectRefused(atb::CreateContext(kNoContext), atb::ERROR_INVALID_PARAM,
                "CreateContext: context is null");
  // Two faults: the pointer comes first.
  ExpectRefused(atb::CreateContext(kNoContext, alloc, dealloc), atb::ERROR_INVALID_PARAM,
                "context is null");
  ExpectRefused(atb::CreateContext(kNoContext, 0, 0), atb::ERROR_INVALID_PARAM, "context is null");
}

TEST_F(AtbTest, CreateContextChecksBlockNumbers) {
  struct {
    uint32_t host, device;
    const char* text;  // null: allowed
  } const cases[] = {
      {128, 32, nullptr},
      {1024, 1024, nullptr},
      {127, 32, "hostTilingBlockNum is 127; allowed 128 to 1024"},
      {1025, 31, "hostTilingBlockNum is 1025"},
      {128, 31, "deviceTilingBlockNum is 31; allowed 32 to 1024"},
      {128, 1025, "deviceTilingBlockNum is 1025"},
      {0, 0, "hostTilingBlockNum is 0"},
      {~0U, 32, "hostTilingBlockNum is 4294967295"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.host);
    Output<atb::Context*> out;
    if (c.text == nullptr) {
      ASSERT_EQ(atb::CreateContext(&out, c.host, c.device), atb::NO_ERROR);
      EXPECT_EQ(atb::DestroyContext(*out), atb::NO_ERROR);
    } else {
      ExpectRefused(atb::CreateContext(&out, c.host, c.device), atb::ERROR_INVALID_PARAM, c.text);
      EXPECT_TRUE(out.Untouched());
    }
  }
}

TEST_F(AtbTest, TheAllocatorsAreCalledOnceEach) {
  std::vector<std::size_t> sizes;
  std::vector<void*> freed;
  int pool = 0;
  atb::Context* context = nullptr;
  {
    Alloc alloc = [&](std::size_t size) -> void* {
      sizes.push_back(size);
      return &pool;
    };
    Dealloc dealloc = [&](void* address) { freed.push_back(address); };
    ASSERT_EQ(atb::CreateContext(&context, alloc, dealloc), atb::NO_ERROR);
  }  // the library has copies
  ASSERT_EQ(context->SetExecuteStream(stream_), atb::NO_ERROR);
  const Sample sample(Kind::kRepeat);
  uint64_t size = 0;
  EXPECT_EQ(sample.operation->Setup(sample.pack, size, context), atb::NO_ERROR);
  EXPECT_EQ(sample.operation->Execute(sample.pack, nullptr, 0, context), atb::NO_ERROR);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_TRUE(freed.empty());
  EXPECT_EQ(atb::DestroyContext(context), atb::NO_ERROR);
  EXPECT_EQ(sizes, std::vector<std::size_t>{100663296});
  EXPECT_EQ(freed, std::vector<void*>{&pool});
  ExpectRefused(atb::DestroyContext(context), atb::ERROR_INVALID_PARAM, "already destroyed");
  EXPECT_EQ(freed.size(), 1U);
}

TEST_F(AtbTest, AllocatorsThatFail) {
  int pool = 0;
  int freed = 0;
  const Dealloc dealloc = [&](void*) { ++freed; };
  const Alloc none = [](std::size_t) -> void* { return nullptr; };
  const Alloc bad_alloc = [](std::size_t) -> void* { throw std::bad_alloc(); };
  const Alloc odd = [](std::size_t) -> void* { throw std::runtime_error("odd"); };
  const Alloc no_exception = [](std::size_t) -> void* { throw 5; };
  const Alloc good = [&](std::size_t) -> void* { return &pool; };
  Output<atb::Context*> out;
  ExpectRefused(atb::CreateContext(&out, good, Dealloc()), atb::ERROR_INVALID_PARAM,
                "dealloc is empty");
  ExpectRefused(atb::CreateContext(&out, Alloc(), dealloc), atb::ERROR_INVALID_PARAM,
                "alloc is empty");
  ExpectRefused(atb::CreateContext(&out, none, dealloc), atb::ERROR_OUT_OF_DEVICE_MEMORY,
                "alloc returned null for 100663296 bytes");
  ExpectRefused(atb::CreateContext(&out, bad_alloc, dealloc), atb::ERROR_OUT_OF_DEVICE_MEMORY,
                "alloc threw an exception that says \"std::bad_alloc\" for 100663296 bytes");
  ExpectRefused(atb::CreateContext(&out, odd, dealloc), atb::ERROR_OUT_OF_DEVICE_MEMORY,
                "alloc threw an exception that says \"odd\"");
  ExpectRefused(atb::CreateContext(&out, no_exception, dealloc), atb::ERROR_OUT_OF_DEVICE_MEMORY,
                "alloc threw an exception that is no std::exception for 100663296 bytes");
  EXPECT_TRUE(out.Untouched());
  EXPECT_EQ(freed, 0);

  ASSERT_EQ(atb::CreateContext(&out, nullptr, nullptr), atb::NO_ERROR);  // the default allocator
  EXPECT_EQ(atb::DestroyContext(*out), atb::NO_ERROR);
  const Dealloc throws = [](void*) { throw std::runtime_error("odd"); };
  ASSERT_EQ(atb::CreateContext(&out, good, throws), atb::NO_ERROR);
  EXPECT_EQ(atb::DestroyContext(*out), atb::NO_ERROR);
}

TEST_F(AtbTest, StreamsOfAContext) {
  const OwnStream second;
  atb::Context* context = nullptr;
  ASSERT_EQ(atb::CreateContext(&context), atb::NO_ERROR);
  using Streams = std::vector<aclrtStream>;
  EXPECT_EQ(context->GetExecuteStream(), nullptr);
  EXPECT_EQ(context->GetExecuteStreams(), Streams{nullptr});
  EXPECT_EQ(context->SetExecuteStreams({nullptr, second}), atb::NO_ERROR);
  EXPECT_EQ(context->GetExecuteStream(), nullptr);
  EXPECT_EQ(context->SetExecuteStream(stream_), atb::NO_ERROR);  // the others stay
  EXPECT_EQ(context->GetExecuteStreams(), (Streams{stream_, second}));
  ExpectRefused(context->SetExecuteStreams({}), atb::ERROR_INVALID_PARAM,
                "Context::SetExecuteStreams: streams is empty");
  EXPECT_EQ(context->GetExecuteStreams(), (Streams{stream_, second}));
  EXPECT_EQ(context->SetExecuteStreams({second}), atb::NO_ERROR);
  EXPECT_EQ(context->GetExecuteStreams(), (Streams{second}));
  EXPECT_EQ(context->SetExecuteStream(nullptr), atb::NO_ERROR);
  EXPECT_EQ(context->GetExecuteStream(), nullptr);
  EXPECT_EQ(atb::DestroyContext(context), atb::NO_ERROR);
  EXPECT_EQ(aclrtSynchronizeStream(second), ACL_SUCCESS) << "the streams are the program's";
}

TEST_F(AtbTest, TheExecuteTypeBelongsToTheThread) {
  atb::Context* other = nullptr;
  ASSERT_EQ(atb::CreateContext(&other), atb::NO_ERROR);
  EXPECT_EQ(context_->GetExecuteType(), atb::EXECUTE_NORMAL);
  for (const int bad : {-1, 3, 99}) {
    ExpectRefused(context_->SetExecuteType(static_cast<atb::ExecuteType>(bad)),
                  atb::ERROR_INVALID_PARAM, "type is " + std::to_string(bad));
  }
  EXPECT_EQ(context_->GetExecuteType(), atb::EXECUTE_NORMAL);
  EXPECT_EQ(context_->SetExecuteType(atb::EXECUTE_LAUNCH), atb::NO_ERROR);
  EXPECT_EQ(other->GetExecuteType(), atb::EXECUTE_LAUNCH) << "all contexts share it";
  OnFreshThread([&] {
    EXPECT_EQ(context_->GetExecuteType(), atb::EXECUTE_NORMAL);
    EXPECT_EQ(other->SetExecuteType(atb::EXECUTE_PRELAUNCH), atb::NO_ERROR);
  });
  EXPECT_EQ(other->GetExecuteType(), atb::EXECUTE_LAUNCH);
  EXPECT_EQ(atb::DestroyContext(other), atb::NO_ERROR);
}

TEST_F(AtbTest, TheLaunchModeBelongsToTheContext) {
  atb::Context* other = nullptr;
  ASSERT_EQ(atb::CreateContext(&other), atb::NO_ERROR);
  EXPECT_EQ(context_->SetLaunchMode(atb::GRAPH_LAUNCH_MODE), atb::NO_ERROR);
  for (const int bad : {-1, 2}) {
    ExpectRefused(context_->SetLaunchMode(static_cast<atb::LaunchMode>(bad)),
                  atb::ERROR_INVALID_PARAM, "mode is " + std::to_string(bad));
  }
  EXPECT_EQ(context_->GetLaunchMode(), atb::GRAPH_LAUNCH_MODE);
  EXPECT_EQ(other->GetLaunchMode(), atb::KERNEL_LAUNCH_MODE);
  EXPECT_EQ(atb::DestroyContext(other), atb::NO_ERROR);
}

TEST_F(AtbTest, AsynchronousTilingCopyGoesOnAndOff) {
  EXPECT_FALSE(context_->GetAsyncTilingCopyStatus());
  for (const bool enable : {false, true, true, false, true}) {
    EXPECT_EQ(context_->SetAsyncTilingCopyStatus(enable), atb::NO_ERROR);
    EXPECT_EQ(context_->GetAsyncTilingCopyStatus(), enable);
  }
}

TEST_F(AtbTest, ADestroyedContextRefusesEveryCall) {
  atb::Context* gone = nullptr;
  ASSERT_EQ(atb::CreateContext(&gone), atb::NO_ERROR);
  ASSERT_EQ(gone->SetExecuteStream(stream_), atb::NO_ERROR);
  ASSERT_EQ(atb::DestroyContext(gone), atb::NO_ERROR);
  const auto refused = [](atb::Status status) {
    ExpectRefused(status, atb::ERROR_INVALID_PARAM, "the context is destroyed; allowed");
  };
  refused(gone->SetExecuteStream(stream_));
  refused(gone->SetExecuteStreams({stream_}));
  refused(gone->SetAsyncTilingCopyStatus(true));
  refused(gone->SetExecuteType(atb::EXECUTE_NORMAL));
  refused(gone->SetLaunchMode(atb::KERNEL_LAUNCH_MODE));
  EXPECT_EQ(gone->GetExecuteStream(), nullptr);
  EXPECT_TRUE(gone->GetExecuteStreams().empty());
  EXPECT_FALSE(gone->GetAsyncTilingCopyStatus());
  EXPECT_EQ(gone->GetLaunchMode(), atb::KERNEL_LAUNCH_MODE);
  ExpectRefused(atb::DestroyContext(gone), atb::ERROR_INVALID_PARAM, "already destroyed");
  EXPECT_EQ(atb::DestroyContext(nullptr), atb::NO_ERROR);
}

TEST_F(AtbTest, NamesAndCounts) {
  struct {
    Kind kind;
    const char* name;
    uint32_t inputs, outputs;
  } const cases[] = {{Kind::kSetValue, "SetValueOperation", 2, 0},
                     {Kind::kRepeat, "RepeatOperation", 1, 1},
                     {Kind::kIndexAdd, "IndexAddOperation", 4, 1},
                     {Kind::kIndexAddValid, "IndexAddOperation", 4, 1}};
  for (const auto& c : cases) {
    const Sample sample(c.kind);
    EXPECT_EQ(sample.operation->GetName(), c.name);
    EXPECT_EQ(sample.operation->GetInputNum(), c.inputs);
    EXPECT_EQ(sample.operation->GetOutputNum(), c.outputs);
  }
}

TEST_F(AtbTest, ADestroyedOperationRefusesEveryCall) {
  for (const Kind kind : kKinds) {
    Sample sample(kind);
    atb::Operation* const gone = sample.operation.Release();
    ASSERT_EQ(atb::DestroyOperation(gone), atb::NO_ERROR);
    ExpectRefused(atb::DestroyOperation(gone), atb::ERROR_INVALID_PARAM, "DestroyOperation",
                  "already destroyed");
    EXPECT_EQ(gone->GetName(), "");
    EXPECT_EQ(gone->GetInputNum(), 0U);
    EXPECT_EQ(gone->GetOutputNum(), 0U);
    atb::SVector<atb::TensorDesc> outputs;
    ExpectRefused(gone->InferShape(DescsOf(sample.pack.inTensors), outputs),
                  atb::ERROR_INVALID_PARAM, "the operation is destroyed");
    uint64_t size = 4711;
    ExpectRefused(gone->Setup(sample.pack, size, context_), atb::ERROR_INVALID_PARAM, "destroyed");
    EXPECT_EQ(size, 4711U);
    ExpectRefused(gone->Execute(sample.pack, nullptr, 0, context_), atb::ERROR_INVALID_PARAM,
                  "destroyed");
    ExpectRefused(atb::SetExecuteStreamId(gone, 1), atb::ERROR_INVALID_PARAM, "destroyed");
    EXPECT_EQ(atb::GetExecuteStreamId(gone), 0U);
  }
  EXPECT_EQ(atb::DestroyOperation(nullptr), atb::NO_ERROR);
}

TEST_F(AtbTest, StreamIds) {
  const Sample sample(Kind::kRepeat);
  EXPECT_EQ(atb::GetExecuteStreamId(sample.operation), 0U);
  EXPECT_EQ(atb::SetExecuteStreamId(sample.operation, ~0U), atb::NO_ERROR);
  EXPECT_EQ(atb::GetExecuteStreamId(sample.operation), ~0U);
  ExpectRefused(atb::SetExecuteStreamId(nullptr, 0), atb::ERROR_INVALID_PARAM, "operation is null");
  EXPECT_EQ(atb::GetExecuteStreamId(nullptr), 0U);
}

// What was deleted must not come to serve two operations afterwards.
TEST_F(AtbTest, DeleteIsAnotherWayToDestroy) {
  atb::Operation* operation = nullptr;
  ASSERT_EQ(atb::CreateOperation(RepeatParam({1, 2}), &operation), atb::NO_ERROR);
  delete operation;
  ExpectRefused(atb::DestroyOperation(operation), atb::ERROR_INVALID_PARAM, "already destroyed");
  atb::Context* context = nullptr;
  ASSERT_EQ(atb::CreateContext(&context), atb::NO_ERROR);
  delete context;
  ExpectRefused(atb::DestroyContext(context), atb::ERROR_INVALID_PARAM, "already destroyed");
  ASSERT_EQ(atb::CreateOperation(RepeatParam({1, 2}), &operation), atb::NO_ERROR);
  ASSERT_EQ(atb::DestroyOperation(operation), atb::NO_ERROR);
  delete operation;  // a mistake, but one that harms nobody else
  ExpectRefused(atb::DestroyOperation(operation), atb::ERROR_INVALID_PARAM, "already destroyed");
  std::vector<OwnOperation> operations;
  std::vector<atb::Operation*> addresses;
  for (int i = 0; i < 200; ++i) {
    addresses.push_back(operations.emplace_back(RepeatParam({1, 2})));
  }
  std::sort(addresses.begin(), addresses.end());
  EXPECT_EQ(std::unique(addresses.begin(), addresses.end()), addresses.end());
}

TEST_F(AtbTest, AnOperationOfTheProgramsOwnIsDeleted) {
  class Own final : public atb::Operation {
   public:
    explicit Own(bool& deleted) : deleted_(deleted) {}
    ~Own() override { deleted_ = true; }
    std::string GetName() const override { return "Own"; }
    atb::Status InferShape(const atb::SVector<atb::TensorDesc>&,
                           atb::SVector<atb::TensorDesc>&) const override {
      return atb::NO_ERROR;
    }
    uint32_t GetInputNum() const override { return 0; }
    uint32_t GetOutputNum() const override { return 0; }
    atb::Status Setup(const atb::VariantPack&, uint64_t&, atb::Context*) override {
      return atb::NO_ERROR;
    }
    atb::Status Execute(const atb::VariantPack&, uint8_t*, uint64_t, atb::Context*) override {
      return atb::NO_ERROR;
    }

   private:
    bool& deleted_;
  };
  bool deleted = false;
  auto* const own = new Own(deleted);
  ExpectRefused(atb::SetExecuteStreamId(own, 1), atb::ERROR_INVALID_PARAM, "not of this library");
  EXPECT_EQ(atb::GetExecuteStreamId(own), 0U);
  EXPECT_EQ(atb::DestroyOperation(own), atb::NO_ERROR);
  EXPECT_TRUE(deleted);
}

TEST(AtbLife, AContextNeedsADeviceAndASetupDoesNot) {
  ExpectChildPasses({}, [] {
    Output<atb::Context*> out;
    ExpectRefused(atb::CreateContext(&out), atb::ERROR_OUT_OF_DEVICE_MEMORY, "aclrtSetDevice");
    EXPECT_TRUE(out.Untouched());
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    ASSERT_EQ(atb::CreateContext(&out), atb::NO_ERROR);
    const OwnStream stream;
    ASSERT_EQ((*out)->SetExecuteStream(stream), atb::NO_ERROR);
    const Sample sample(Kind::kIndexAdd);
    OnFreshThread([&] {
      uint64_t size = 0;
      EXPECT_EQ(sample.operation->Setup(sample.pack, size, *out), atb::NO_ERROR);
      EXPECT_EQ(sample.operation->Execute(sample.pack, nullptr, 0, *out), atb::NO_ERROR);
    });
    EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
    EXPECT_EQ(sample.Result(), sample.expected);
    EXPECT_EQ(atb::DestroyContext(*out), atb::NO_ERROR);
  });
}

TEST(AtbLife, ContextsAndOperationsOutliveStreamsAndAclFinalize) {
  ExpectChildPasses({}, [] {
    for (int turn = 0; turn < 3; ++turn) {
      ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
      ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
      atb::Context* context = nullptr;
      ASSERT_EQ(atb::CreateContext(&context), atb::NO_ERROR);
      aclrtStream stream = nullptr;
      ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
      ASSERT_EQ(context->SetExecuteStream(stream), atb::NO_ERROR);
      atb::Operation* operation = nullptr;
      {
        Sample sample(Kind::kRepeat);
        uint64_t size = 0;
        EXPECT_EQ(sample.operation->Setup(sample.pack, size, context), atb::NO_ERROR);
        EXPECT_EQ(sample.operation->Execute(sample.pack, nullptr, 0, context), atb::NO_ERROR);
        EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
        EXPECT_EQ(sample.Result(), sample.expected);
        operation = sample.operation.Release();
      }
      EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
      ASSERT_EQ(aclFinalize(), ACL_SUCCESS);
      EXPECT_EQ(operation->GetName(), "RepeatOperation");
      EXPECT_EQ(atb::DestroyOperation(operation), atb::NO_ERROR);
      EXPECT_EQ(atb::DestroyContext(context), atb::NO_ERROR);
    }
  });
}

}  // namespace
}  // namespace belay::test
