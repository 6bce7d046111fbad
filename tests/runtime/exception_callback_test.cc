// What a program hears of the faults of its tasks: once each, from the call that collects them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/test_task.h"
#include "support/threads.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"  // aclrtSetExceptionInfoCallback

namespace belay::test {
namespace {

constexpr aclError kFault = ACL_ERROR_RT_VECTOR_CORE_EXCEPTION;

struct Heard {
  int listener;
  uint32_t task;
  uint32_t stream;
  uint32_t thread;
  uint32_t device;
  uint32_t code;
  std::thread::id on;

  bool operator==(const Heard&) const = default;
};

Journal<Heard>* journal = nullptr;
std::function<void()> extra;  // what the first listener does besides

template <int kListener>
void Listen(aclrtExceptionInfo* info) {
  journal->Add({kListener, aclrtGetTaskIdFromExceptionInfo(info),
                aclrtGetStreamIdFromExceptionInfo(info), aclrtGetThreadIdFromExceptionInfo(info),
                aclrtGetDeviceIdFromExceptionInfo(info), aclrtGetErrorCodeFromExceptionInfo(info),
                std::this_thread::get_id()});
  if (kListener == 1 && extra) extra();
}

class ExceptionCallback : public TaskTest {
 protected:
  void SetUp() override {
    TaskTest::SetUp();
    journal = &journal_;
    extra = nullptr;
  }
  void TearDown() override {
    EXPECT_EQ(aclrtSetExceptionInfoCallback(nullptr), ACL_SUCCESS);
    for (const auto callback : {Listen<1>, Listen<2>, Listen<3>}) {
      (void)aclrtExceptionInfoCallbackUnregister(callback);
    }
    TaskTest::TearDown();
  }

  [[nodiscard]] std::vector<int> Listeners() const {
    std::vector<int> listeners;
    for (const Heard& heard : journal_.entries()) listeners.push_back(heard.listener);
    return listeners;
  }

  Journal<Heard> journal_;
};

class ExceptionCallbackOf : public ExceptionCallback, public testing::WithParamInterface<Size> {};

TEST_P(ExceptionCallbackOf, TellsWhichTaskAndWhoSubmittedIt) {
  const OwnStream stream;
  int32_t id = -1;
  ASSERT_EQ(aclrtStreamGetId(stream, &id), ACL_SUCCESS);
  ASSERT_EQ(aclrtExceptionInfoCallbackRegister(Listen<1>), ACL_SUCCESS);
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&context), ACL_SUCCESS);
  Run(stream, GetParam(), []() -> Status { return {}; });
  uint32_t submitter = 0;
  OnFreshThread([&] {
    ASSERT_EQ(aclrtSetCurrentContext(context), ACL_SUCCESS);
    submitter = static_cast<uint32_t>(::gettid());
    Fail(stream, GetParam());
  });
  Run(stream, GetParam(), []() -> Status { return {}; });
  Fail(stream, GetParam());
  EXPECT_EQ(aclrtSynchronizeStream(stream), kFault);
  const auto stream_id = static_cast<uint32_t>(id);
  const auto here = std::this_thread::get_id();
  const auto self = static_cast<uint32_t>(::gettid());
  EXPECT_EQ(journal_.entries(), (std::vector<Heard>{{1, 2, stream_id, submitter, 0, kFault, here},
                                                    {1, 4, stream_id, self, 0, kFault, here}}));
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
  EXPECT_EQ(journal_.entries().size(), 2U) << "once each";
}

INSTANTIATE_TEST_SUITE_P(Sizes, ExceptionCallbackOf, testing::Values(Size::kSmall, Size::kBig),
                         [](const auto& each) { return testing::PrintToString(each.param); });

TEST_F(ExceptionCallback, ComesFromEveryCallThatCollects) {
  const OwnEvent event;
  ASSERT_EQ(aclrtExceptionInfoCallbackRegister(Listen<1>), ACL_SUCCESS);
  const std::vector<std::function<aclError(aclrtStream)>> waits = {
      [](aclrtStream stream) { return aclrtSynchronizeStream(stream); },
      [](aclrtStream stream) { return aclrtSynchronizeStreamWithTimeout(stream, 60000); },
      [](aclrtStream) { return aclrtSynchronizeDevice(); },
      [](aclrtStream) { return aclrtSynchronizeDeviceWithTimeout(60000); },
      [&event](aclrtStream) { return aclrtSynchronizeEvent(event); },
      [&event](aclrtStream) { return aclrtSynchronizeEventWithTimeout(event, 60000); },
      [](aclrtStream stream) {
        aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
        return aclrtStreamQuery(stream, &status);
      },
  };
  std::size_t expected = 0;
  for (const auto& wait : waits) {
    const OwnStream stream;
    Fail(stream, Size::kSmall);
    ASSERT_EQ(aclrtRecordEvent(event, stream), ACL_SUCCESS);
    EXPECT_EQ(journal_.entries().size(), expected) << "not before";
    EXPECT_EQ(wait(stream), kFault);
    EXPECT_EQ(journal_.entries().size(), ++expected);
  }
}

TEST_F(ExceptionCallback, TellsTheCodeOfEachFault) {
  const OwnStream stream;
  ASSERT_EQ(aclrtExceptionInfoCallbackRegister(Listen<1>), ACL_SUCCESS);
  Run(stream, Size::kSmall, [] { return Refuse(Fault::kOutOfMemory, "first"); });
  Fail(stream, Size::kSmall);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_MEMORY_ALLOCATION);
  ASSERT_EQ(journal_.entries().size(), 2U);
  EXPECT_EQ(journal_.entries()[0].code, static_cast<uint32_t>(ACL_ERROR_RT_MEMORY_ALLOCATION));
  EXPECT_EQ(journal_.entries()[1].code, static_cast<uint32_t>(kFault));
}

TEST_F(ExceptionCallback, ComesInTheOrderOfTheFaultsOfAllStreams) {
  const OwnStream one;
  const OwnStream two;
  ASSERT_EQ(aclrtExceptionInfoCallbackRegister(Listen<1>), ACL_SUCCESS);
  for (const aclrtStream stream : {two.get(), one.get(), two.get()}) Fail(stream, Size::kSmall);
  EXPECT_EQ(aclrtSynchronizeDevice(), kFault);
  const std::vector<Heard> heard = journal_.entries();
  ASSERT_EQ(heard.size(), 3U);
  EXPECT_EQ(heard[0].stream, heard[2].stream);
  EXPECT_NE(heard[0].stream, heard[1].stream);
}

TEST_F(ExceptionCallback, SetReplacesAndRegisterAdds) {
  const OwnStream stream;
  const auto fail = [&] {
    Fail(stream, Size::kSmall);
    EXPECT_EQ(aclrtSynchronizeStream(stream), kFault);
  };
  ASSERT_EQ(aclrtExceptionInfoCallbackRegister(Listen<2>), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetExceptionInfoCallback(Listen<1>), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetExceptionInfoCallback(Listen<3>), ACL_SUCCESS);
  ASSERT_EQ(aclrtExceptionInfoCallbackRegister(Listen<1>), ACL_SUCCESS);
  ASSERT_EQ(aclrtExceptionInfoCallbackRegister(Listen<2>), ACL_SUCCESS) << "already there";
  ASSERT_EQ(aclrtExceptionInfoCallbackRegister(Listen<3>), ACL_SUCCESS)
      << "is told once all the same";
  fail();
  EXPECT_EQ(Listeners(), (std::vector<int>{3, 2, 1}));
  ASSERT_EQ(aclrtSetExceptionInfoCallback(nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtExceptionInfoCallbackUnregister(Listen<2>), ACL_SUCCESS);
  fail();
  EXPECT_EQ(Listeners(), (std::vector<int>{3, 2, 1, 1, 3}));
  ASSERT_EQ(aclrtExceptionInfoCallbackUnregister(Listen<1>), ACL_SUCCESS);
  ASSERT_EQ(aclrtExceptionInfoCallbackUnregister(Listen<3>), ACL_SUCCESS);
  fail();
  EXPECT_EQ(Listeners().size(), 5U);
}

TEST_F(ExceptionCallback, UnregisteringWhatIsNotThereIsRefused) {
  ASSERT_EQ(aclrtSetExceptionInfoCallback(Listen<1>), ACL_SUCCESS);
  ExpectRefused(aclrtExceptionInfoCallbackUnregister(Listen<1>), 107000, "is not registered");
  ExpectRefused(aclrtExceptionInfoCallbackUnregister(nullptr), 107000, "callback is null");
  ExpectRefused(aclrtExceptionInfoCallbackRegister(nullptr), 107000, "callback is null");
}

TEST_F(ExceptionCallback, MayCallTheRuntime) {
  const OwnStream stream;
  ASSERT_EQ(aclrtExceptionInfoCallbackRegister(Listen<1>), ACL_SUCCESS);
  int calls = 0;
  extra = [&] {
    ++calls;
    EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS) << "the fault is collected";
    EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
    void* block = nullptr;
    EXPECT_EQ(aclrtMalloc(&block, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    EXPECT_EQ(aclrtMemsetAsync(block, 64, 0, 64, stream), ACL_SUCCESS);
    EXPECT_EQ(aclrtFree(block), ACL_SUCCESS);
    if (calls == 1) {
      EXPECT_EQ(aclrtExceptionInfoCallbackUnregister(Listen<1>), ACL_SUCCESS);
    }
  };
  Fail(stream, Size::kBig, 2001);
  Fail(stream, Size::kBig, 2002);
  ExpectRefused(aclrtSynchronizeStream(stream), kFault, "is 2001", "is 2002");
  EXPECT_EQ(calls, 2) << "of both faults, though it was removed at the first";
}

TEST_F(ExceptionCallback, ItsExceptionsStayHere) {
  const OwnStream stream;
  ASSERT_EQ(aclrtExceptionInfoCallbackRegister(Listen<1>), ACL_SUCCESS);
  extra = [] { throw 1; };
  Fail(stream, Size::kSmall);
  ExpectRefused(aclrtSynchronizeStream(stream), kFault,
                "exception callback: 1 of its calls ended by an exception, the first by an "
                "exception that is no std::exception; allowed",
                "indices[17] is 4096");
  int calls = 0;
  extra = [&calls] { throw std::runtime_error("call " + std::to_string(++calls)); };
  for (int i = 0; i < 3; ++i) Fail(stream, Size::kSmall);
  ExpectRefused(aclrtSynchronizeStream(stream), kFault, "3 of its calls",
                "the first by an exception that says \"call 1\"");
}

TEST_F(ExceptionCallback, OfAStreamDestroyedUnaskedComesFromTheDevice) {
  OwnStream own;
  const aclrtStream stream = own.Release();
  ASSERT_EQ(aclrtExceptionInfoCallbackRegister(Listen<1>), ACL_SUCCESS);
  Fail(stream, Size::kBig);
  ASSERT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  EXPECT_TRUE(journal_.entries().empty());
  EXPECT_EQ(aclrtSynchronizeDevice(), kFault);
  EXPECT_EQ(journal_.entries().size(), 1U);
}

TEST_F(ExceptionCallback, OnceBetweenTwoThreadsThatWait) {
  const OwnStream stream;
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&context), ACL_SUCCESS);
  ASSERT_EQ(aclrtExceptionInfoCallbackRegister(Listen<1>), ACL_SUCCESS);
  for (std::size_t round = 1; round <= 100; ++round) {
    Fail(stream, Size::kBig);
    RunTogether(2, [&](std::size_t) {
      ASSERT_EQ(aclrtSetCurrentContext(context), ACL_SUCCESS);
      (void)aclrtSynchronizeStream(stream);
    });
    ASSERT_EQ(journal_.entries().size(), round);
  }
}

TEST(ExceptionInfo, OfNullIsAllOnes) {
  EXPECT_EQ(aclrtGetTaskIdFromExceptionInfo(nullptr), 0xFFFFFFFFU);
  EXPECT_EQ(aclrtGetStreamIdFromExceptionInfo(nullptr), 0xFFFFFFFFU);
  EXPECT_EQ(aclrtGetThreadIdFromExceptionInfo(nullptr), 0xFFFFFFFFU);
  EXPECT_EQ(aclrtGetDeviceIdFromExceptionInfo(nullptr), 0xFFFFFFFFU);
  EXPECT_EQ(aclrtGetErrorCodeFromExceptionInfo(nullptr), 0xFFFFFFFFU);
}

class HostFuncFaults : public TaskTest {};

TEST_F(HostFuncFaults, FailureModeStopDropsHostFunctionsToo) {
  const OwnStream stream;
  ASSERT_EQ(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE), ACL_SUCCESS);
  int calls = 0;
  const auto count = [](void* at) { ++*static_cast<int*>(at); };
  Fail(stream, Size::kBig);
  ASSERT_EQ(aclrtLaunchHostFunc(stream, count, &calls), ACL_SUCCESS);
  ExpectRefused(aclrtSynchronizeStream(stream), kFault, "1 later task was dropped");
  EXPECT_EQ(calls, 0);
  ASSERT_EQ(aclrtLaunchHostFunc(stream, count, &calls), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace belay::test
