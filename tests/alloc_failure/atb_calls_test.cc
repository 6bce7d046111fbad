// ATB's calls from CreateContext to Setup, and those that end something, with each of their
// allocations failing: one alone, and with all that follow it.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "alloc_failure/probe.h"
#include "support/atb_test.h"

namespace belay::alloc_failure {
namespace {

using test::Bare;
using test::Desc;
using test::Kind;
using test::Sample;

void ExpectSurvivesAll(const Probe& probe) {
  ExpectSurvives(probe);
  ExpectSurvives(probe, Source::kNew, Extent::kAllLater);
  if (CanFailCHeap()) ExpectSurvives(probe, Source::kRealloc);
}

class AtbCalls : public test::AtbTest {};

class AtbOperations : public AtbCalls, public testing::WithParamInterface<Kind> {};
INSTANTIATE_TEST_SUITE_P(, AtbOperations, testing::ValuesIn(test::kKinds),
                         testing::PrintToStringParamName());

TEST_F(AtbCalls, ContextsAreMadeOrNot) {
  auto* const untouched = reinterpret_cast<atb::Context*>(0x1234);
  atb::Context* made = untouched;
  int taken = 0;
  int given_back = 0;
  char memory = 0;
  // Too large for std::function to hold without memory of its own.
  const std::array<char, 64> ballast{};
  const std::function<void*(std::size_t)> alloc = [&, ballast](std::size_t bytes) -> void* {
    ++taken;
    return bytes != 0 ? &memory : nullptr;
  };
  const std::function<void(void*)> dealloc = [&, ballast](void* pool) {
    EXPECT_EQ(pool, &memory);
    ++given_back;
  };
  const auto probe = [&](const char* name, std::function<int()> create) {
    ExpectSurvivesAll({.name = name,
                       .call = std::move(create),
                       .out_of_memory = atb::ERROR_OUT_OF_HOST_MEMORY,
                       .prepare = [&] { made = untouched; },
                       .undo =
                           [&] {
                             ASSERT_NE(made, untouched);
                             EXPECT_EQ(made->GetExecuteStreams().size(), 1U);
                             EXPECT_EQ(atb::DestroyContext(made), atb::NO_ERROR);
                             EXPECT_EQ(given_back, taken);
                           },
                       .unharmed =
                           [&] {
                             EXPECT_EQ(made, untouched);
                             EXPECT_EQ(given_back, taken);
                           }});
  };
  probe("CreateContext", [&] { return atb::CreateContext(&made); });
  probe("CreateContext with numbers", [&] { return atb::CreateContext(&made, 128, 32); });
  probe("CreateContext with functions", [&] { return atb::CreateContext(&made, alloc, dealloc); });
  EXPECT_GT(taken, 1);
}

TEST_F(AtbCalls, ManyContextsAndOperationsAreMadeOrNot) {
  // Enough that the library's storage grows; it never shrinks, so each round needs a few more.
  std::vector<atb::Context*> contexts;
  std::vector<atb::Operation*> operations;
  contexts.reserve(4000);
  operations.reserve(4000);
  const auto call = [&]() -> int {
    for (int i = 0; i < 40; ++i) {
      atb::Context* context = nullptr;
      if (const int code = atb::CreateContext(&context); code != atb::NO_ERROR) return code;
      contexts.push_back(context);
      atb::Operation* operation = nullptr;
      const int code = atb::CreateOperation(atb::infer::RepeatParam(), &operation);
      if (code != atb::NO_ERROR) return code;
      operations.push_back(operation);
    }
    return atb::NO_ERROR;
  };
  for (const Extent extent : {Extent::kOne, Extent::kAllLater}) {
    for (std::int64_t nth = 1; nth < 60; nth += nth < 20 ? 1 : 7) {
      SCOPED_TRACE(nth);
      int code = 0;
      {
        const Injection injection(nth, Source::kNew, extent);
        code = call();
      }
      EXPECT_TRUE(code == atb::NO_ERROR || code == atb::ERROR_OUT_OF_HOST_MEMORY) << code;
      for (atb::Operation* operation : operations) EXPECT_EQ(operation->GetInputNum(), 1U);
    }
  }
  for (atb::Context* context : contexts) EXPECT_EQ(atb::DestroyContext(context), atb::NO_ERROR);
  for (atb::Operation* operation : operations) {
    EXPECT_EQ(atb::DestroyOperation(operation), atb::NO_ERROR);
  }
}

TEST_F(AtbCalls, NoDeviceMemoryIsItsOwnStatus) {
  auto* const untouched = reinterpret_cast<atb::Context*>(0x1234);
  atb::Context* made = untouched;
  int given_back = 0;
  const std::function<void*(std::size_t)> alloc = [](std::size_t) -> void* { return nullptr; };
  const std::function<void(void*)> dealloc = [&](void*) { ++given_back; };
  ExpectSurvivesAll(Refusal("alloc returns null", atb::ERROR_OUT_OF_DEVICE_MEMORY,
                            [&] { return atb::CreateContext(&made, alloc, dealloc); }));
  EXPECT_EQ(given_back, 0);
  ASSERT_EQ(aclrtResetDeviceForce(0), ACL_SUCCESS);
  ExpectSurvivesAll(Refusal("no device", atb::ERROR_OUT_OF_DEVICE_MEMORY,
                            [&] { return atb::CreateContext(&made); }));
  EXPECT_EQ(made, untouched);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  stream_ = nullptr;  // it ended with the device
}

TEST_F(AtbCalls, StreamsOfAContextAreReplacedOrNot) {
  const std::vector<aclrtStream> several(100, stream_);
  atb::Context* context = nullptr;
  ExpectSurvivesAll({.name = "SetExecuteStreams",
                     .call = [&] { return context->SetExecuteStreams(several); },
                     .out_of_memory = atb::ERROR_OUT_OF_HOST_MEMORY,
                     .prepare =
                         [&] {
                           ASSERT_EQ(atb::CreateContext(&context), atb::NO_ERROR);
                           ASSERT_EQ(context->SetExecuteStream(stream_), atb::NO_ERROR);
                         },
                     .undo =
                         [&] {
                           EXPECT_EQ(context->GetExecuteStreams(), several);
                           EXPECT_EQ(atb::DestroyContext(context), atb::NO_ERROR);
                         },
                     .unharmed =
                         [&] {
                           EXPECT_EQ(context->GetExecuteStreams().size(), 1U);
                           EXPECT_EQ(context->GetExecuteStream(), stream_);
                           EXPECT_EQ(atb::DestroyContext(context), atb::NO_ERROR);
                         }});
}

TEST_F(AtbCalls, SettersAndQuestionsNeedNoMemory) {
  const Sample sample(Kind::kIndexAdd);
  const auto probe = [](const char* name, const std::function<void()>& call) {
    const Probe needs_nothing = NeverFails(
        name, [] {},
        [&] {
          call();
          return ACL_SUCCESS;
        });
    ExpectSurvivesAll(needs_nothing);
  };
  // A text or list that there is no memory for comes back empty.
  probe("GetAtbVersion", [] { (void)atb::Utils::GetAtbVersion(); });
  probe("GetName", [&] { (void)sample.operation->GetName(); });
  probe("GetInputNum", [&] { (void)sample.operation->GetInputNum(); });
  probe("GetOutputNum", [&] { (void)sample.operation->GetOutputNum(); });
  probe("GetExecuteStreamId", [&] { (void)atb::GetExecuteStreamId(sample.operation); });
  probe("SetExecuteStreamId", [&] { (void)atb::SetExecuteStreamId(sample.operation, 0); });
  probe("GetExecuteStream", [&] { (void)context_->GetExecuteStream(); });
  probe("GetExecuteStreams", [&] { (void)context_->GetExecuteStreams(); });
  probe("SetExecuteStream", [&] { (void)context_->SetExecuteStream(stream_); });
  probe("SetExecuteType", [&] { (void)context_->SetExecuteType(atb::EXECUTE_NORMAL); });
  probe("GetExecuteType", [&] { (void)context_->GetExecuteType(); });
  probe("SetLaunchMode", [&] { (void)context_->SetLaunchMode(atb::KERNEL_LAUNCH_MODE); });
  probe("SetAsyncTilingCopyStatus", [&] { (void)context_->SetAsyncTilingCopyStatus(true); });
  probe("GetTensorSize", [&] { (void)atb::Utils::GetTensorSize(sample.pack.inTensors[0]); });
  probe("SetLogLevel", [] { (void)atb::Utils::SetLogLevel(atb::LogLevel::ERROR); });
  probe("ResetLogLevel", [] { (void)atb::Utils::ResetLogLevel(); });
  EXPECT_EQ(sample.operation->GetName(), "IndexAddOperation");
  EXPECT_EQ(context_->GetExecuteStream(), stream_);
}

TEST_F(AtbCalls, OperationsAreMadeOrNot) {
  auto* const untouched = reinterpret_cast<atb::Operation*>(0x1234);
  atb::Operation* made = untouched;
  const auto probe = [&](const char* name, const auto& param) {
    ExpectSurvivesAll({.name = name,
                       .call = [&] { return atb::CreateOperation(param, &made); },
                       .out_of_memory = atb::ERROR_OUT_OF_HOST_MEMORY,
                       .prepare = [&] { made = untouched; },
                       .undo =
                           [&] {
                             ASSERT_NE(made, untouched);
                             EXPECT_GT(made->GetInputNum(), 0U);
                             EXPECT_EQ(atb::DestroyOperation(made), atb::NO_ERROR);
                           },
                       .unharmed = [&] { EXPECT_EQ(made, untouched); }});
  };
  const test::Shape longest(atb::MAX_SVECTOR_SIZE, 1);
  probe("SetValueParam", test::SetValueParam(longest, longest, longest));
  probe("RepeatParam", test::RepeatParam({1, 2, 3, 1, 1, 1, 1, 1}));
  probe("IndexAddParam", test::IndexAddParam(test::kAdd, 1));
  probe("IndexAddParam, valid", test::IndexAddParam(test::kAddValid));

  made = untouched;
  ExpectSurvivesAll(Refusal("multiples", atb::ERROR_INVALID_PARAM, [&] {
    return atb::CreateOperation(test::IndexAddParam(test::kAddValid, 1), &made);
  }));
  EXPECT_EQ(made, untouched);
}

TEST_F(AtbCalls, WhatEndsNeverFails) {
  atb::Operation* operation = nullptr;
  atb::Context* context = nullptr;
  const auto make_context = [&] { ASSERT_EQ(atb::CreateContext(&context), atb::NO_ERROR); };
  const auto make_operation = [&] {
    const auto param = test::SetValueParam({0, 0}, {1, 1}, {1, 1});
    ASSERT_EQ(atb::CreateOperation(param, &operation), atb::NO_ERROR);
  };
  ExpectSurvivesAll(NeverFails("DestroyOperation", make_operation,
                               [&] { return atb::DestroyOperation(operation); }));
  ExpectSurvivesAll(NeverFails("delete operation", make_operation, [&] {
    delete operation;
    return atb::NO_ERROR;
  }));
  ExpectSurvivesAll(
      NeverFails("DestroyContext", make_context, [&] { return atb::DestroyContext(context); }));
  // Again: what was destroyed refuses, and keeps its status without memory for the reason.
  const auto refused = [](const char* name, std::function<int()> call) {
    ExpectSurvivesAll(Refusal(name, atb::ERROR_INVALID_PARAM, std::move(call)));
  };
  uint64_t size = 0;
  atb::SVector<atb::TensorDesc> descs;
  refused("DestroyContext again", [&] { return atb::DestroyContext(context); });
  const std::vector<aclrtStream> streams = {stream_};
  refused("SetExecuteStreams", [&] { return context->SetExecuteStreams(streams); });
  make_operation();
  ASSERT_EQ(atb::DestroyOperation(operation), atb::NO_ERROR);
  refused("DestroyOperation again", [&] { return atb::DestroyOperation(operation); });
  refused("InferShape", [&] { return operation->InferShape({}, descs); });
  refused("Setup", [&] { return operation->Setup({}, size, context_); });
  refused("Execute", [&] { return operation->Execute({}, nullptr, 0, context_); });
  refused("SetExecuteStreamId", [&] { return atb::SetExecuteStreamId(operation, 1); });
}

TEST_P(AtbOperations, InferShapeAnswersOrLeavesTheDescsAlone) {
  const Sample sample(GetParam());
  const atb::SVector<atb::TensorDesc> inputs = test::DescsOf(sample.pack.inTensors);
  const atb::TensorDesc mark = Desc(ACL_INT8, {7, 7, 7});
  for (const std::size_t before : {0, 1, 70}) {
    // With 70 the elements are on the heap, with room for them alone once the vector is a copy.
    const atb::SVector<atb::TensorDesc> marks(before, mark);
    atb::SVector<atb::TensorDesc> outputs;
    ExpectSurvivesAll({.name = "InferShape",
                       .call = [&] { return sample.operation->InferShape(inputs, outputs); },
                       .out_of_memory = atb::ERROR_OUT_OF_HOST_MEMORY,
                       .prepare = [&] { outputs = marks; },
                       .undo = [&] { EXPECT_EQ(outputs.size(), sample.operation->GetOutputNum()); },
                       .unharmed =
                           [&] {
                             ASSERT_EQ(outputs.size(), before);
                             for (const auto& desc : outputs) EXPECT_EQ(desc.shape.dimNum, 3U);
                           }});
  }
}

TEST_P(AtbOperations, InferShapeGrowsAnEmptyVectorOnTheHeapOrNot) {
  if (!CanFailCHeap()) GTEST_SKIP() << "a sanitizer owns the C heap";
  const Sample sample(GetParam());
  const atb::SVector<atb::TensorDesc> inputs = test::DescsOf(sample.pack.inTensors);
  atb::SVector<atb::TensorDesc> outputs;
  outputs.reserve(70);
  ExpectSurvives({.name = "InferShape",
                  .call = [&] { return sample.operation->InferShape(inputs, outputs); },
                  .out_of_memory = atb::ERROR_OUT_OF_HOST_MEMORY,
                  .prepare = [&] { outputs.clear(); },
                  .undo = [&] { EXPECT_EQ(outputs.size(), sample.operation->GetOutputNum()); },
                  .unharmed = [&] { EXPECT_EQ(outputs.size(), 0U); }},
                 Source::kRealloc);
}

TEST_P(AtbOperations, RefusalsOfInferShapeAndSetupKeepTheirStatus) {
  const Sample sample(GetParam());
  atb::SVector<atb::TensorDesc> outputs;
  uint64_t size = 4711;
  const auto expect_refused = [&](const char* name, atb::Status code, const auto& spoil) {
    atb::VariantPack pack = sample.pack;
    spoil(pack);
    const atb::SVector<atb::TensorDesc> inputs = test::DescsOf(pack.inTensors);
    ExpectSurvivesAll(
        Refusal(name, code, [&] { return sample.operation->InferShape(inputs, outputs); }));
    ExpectSurvivesAll(
        Refusal(name, code, [&] { return sample.operation->Setup(pack, size, context_); }));
  };
  expect_refused("no inputs", atb::ERROR_INVALID_IN_TENSOR_NUM,
                 [](atb::VariantPack& pack) { pack.inTensors.clear(); });
  expect_refused("too many", atb::ERROR_INVALID_IN_TENSOR_NUM, [](atb::VariantPack& pack) {
    while (pack.inTensors.size() < atb::MAX_SVECTOR_SIZE) {
      pack.inTensors.push_back(pack.inTensors[0]);
    }
  });
  expect_refused("nine dimensions", atb::ERROR_INVALID_TENSOR_DIM,
                 [](atb::VariantPack& pack) { pack.inTensors[0].desc.shape.dimNum = 9; });
  expect_refused("an empty dimension", atb::ERROR_INVALID_TENSOR_SIZE,
                 [](atb::VariantPack& pack) { pack.inTensors[0].desc.shape.dims[0] = 0; });
  expect_refused("type", atb::ERROR_INVALID_TENSOR_INI_MATCH,
                 [](atb::VariantPack& pack) { pack.inTensors[0].desc.dtype = ACL_INT8; });
  ExpectSurvivesAll(Refusal("context", atb::ERROR_INVALID_PARAM,
                            [&] { return sample.operation->Setup(sample.pack, size, nullptr); }));
  EXPECT_EQ(outputs.size(), 0U);
  EXPECT_EQ(size, 4711U);
}

TEST_P(AtbOperations, SetupStandsOrDoesNot) {
  Sample sample(GetParam());
  uint64_t size = 4711;
  const auto execute = [&] {
    const test::Block workspace(512);
    return sample.operation->Execute(sample.pack, static_cast<uint8_t*>(workspace.get()), 512,
                                     context_);
  };
  ExpectSurvivesAll(
      {.name = "Setup",
       .call = [&] { return sample.operation->Setup(sample.pack, size, context_); },
       .out_of_memory = atb::ERROR_OUT_OF_HOST_MEMORY,
       .prepare = [&] { size = 4711; },
       .undo = [&] { EXPECT_EQ(size, GetParam() == Kind::kIndexAddValid ? 512U : 0U); },
       .unharmed =
           [&] {
             EXPECT_EQ(size, 4711U);
             EXPECT_EQ(execute(), atb::ERROR_INVALID_PARAM);
           }});
  EXPECT_EQ(execute(), atb::NO_ERROR);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(sample.Result(), sample.expected);
}

}  // namespace
}  // namespace belay::alloc_failure
