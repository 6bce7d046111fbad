// What becomes of the tasks behind one that failed.
#include <gtest/gtest.h>

#include <atomic>
#include <optional>

#include "support/test_task.h"

namespace belay::test {
namespace {

constexpr aclError kFault = ACL_ERROR_RT_VECTOR_CORE_EXCEPTION;

class FailureMode : public TaskTest {
 protected:
  void SetUp() override {
    TaskTest::SetUp();
    ran_ = 0;
  }
  void Count(aclrtStream stream, Size size = Size::kSmall) {
    Run(stream, size, [this]() -> Status {
      ++ran_;
      return {};
    });
  }
  static void Stop(aclrtStream stream) {
    ASSERT_EQ(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE), ACL_SUCCESS);
  }

  std::atomic<int> ran_{0};
};

TEST_F(FailureMode, ContinueRunsLaterTasks) {
  const OwnStream stream;
  Fail(stream, Size::kSmall);
  Count(stream);
  Count(stream, Size::kBig);
  EXPECT_EQ(aclrtSynchronizeStream(stream), kFault);
  EXPECT_EQ(ran_, 2);
  EXPECT_THAT(TakeMessages(), testing::Not(testing::HasSubstr("dropped")));
}

TEST_F(FailureMode, StopDropsLaterTasksUntilTheFaultIsCollected) {
  const OwnStream stream;
  Stop(stream);
  Count(stream);
  Fail(stream, Size::kSmall);
  Count(stream);
  Count(stream, Size::kBig);
  Count(stream);
  ExpectRefused(aclrtSynchronizeStream(stream), kFault, "is 4096",
                "3 later tasks were dropped (failure mode STOP)");
  EXPECT_EQ(ran_, 1);
  Count(stream);
  Count(stream, Size::kBig);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(ran_, 3);
}

TEST_F(FailureMode, StopDropsWhatWasQueuedBeforeTheTaskFailed) {
  const OwnStream stream;
  const Gate gate;
  Stop(stream);
  Hold(stream, gate.door());
  Fail(stream, Size::kSmall);
  Count(stream);
  Count(stream);
  gate.Open();
  ExpectRefused(aclrtSynchronizeStream(stream), kFault, "2 later tasks were dropped");
  EXPECT_EQ(ran_, 0);
}

TEST_F(FailureMode, StopAppliesToTheOtherStreamsOfTheContext) {
  const OwnStream stopping;
  const OwnStream other;
  Stop(stopping);
  Fail(stopping, Size::kSmall);
  Count(other);
  Count(other, Size::kBig);
  EXPECT_EQ(aclrtSynchronizeStream(other), ACL_SUCCESS);  // the fault is not this stream's
  EXPECT_EQ(ran_, 0);
  ExpectRefused(aclrtSynchronizeStream(stopping), kFault, "2 later tasks were dropped");
  Count(other);
  EXPECT_EQ(ran_, 1);
}

TEST_F(FailureMode, StopDoesNotReachOtherContexts) {
  const OwnStream stopping;
  Stop(stopping);
  Fail(stopping, Size::kSmall);
  aclrtContext first = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&first), ACL_SUCCESS);
  aclrtContext second = nullptr;
  ASSERT_EQ(aclrtCreateContext(&second, 0), ACL_SUCCESS);
  {
    const OwnStream stream;
    Count(stream);
    EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  }
  EXPECT_EQ(ran_, 1);
  ASSERT_EQ(aclrtDestroyContext(second), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetCurrentContext(first), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stopping), kFault);
}

TEST_F(FailureMode, AFaultOfAContinueStreamStopsNobody) {
  const OwnStream stopping;
  const OwnStream other;
  Stop(stopping);
  Fail(other, Size::kSmall);
  Count(stopping);
  Count(other);
  EXPECT_EQ(ran_, 2);
  EXPECT_EQ(aclrtSynchronizeDevice(), kFault);
}

TEST_F(FailureMode, StopKeepsEventsGoing) {
  const OwnStream stopping;
  const OwnStream other;
  const OwnEvent event;
  Stop(stopping);
  Fail(stopping, Size::kBig);
  ASSERT_EQ(aclrtRecordEvent(event, stopping), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(other, event), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(other), ACL_SUCCESS);  // nobody hangs
  EXPECT_EQ(aclrtSynchronizeEvent(event), kFault);
}

TEST_F(FailureMode, TwoFaultsStopUntilBothAreCollected) {
  const OwnStream one;
  const OwnStream two;
  const Gate gate;
  Stop(one);
  Stop(two);
  // Both tasks are past the point where they would be dropped before either fails.
  const Gate entered_one;
  const Gate entered_two;
  const auto fail_at = [&gate](const Gate& entered) {
    return [door = gate.door(), entered = entered.door()]() -> Status {
      entered.Open();
      EXPECT_TRUE(door.Wait());
      return BadIndex(4096);
    };
  };
  Run(one, Size::kBig, fail_at(entered_one));
  Run(two, Size::kBig, fail_at(entered_two));
  ASSERT_TRUE(entered_one.Wait());
  ASSERT_TRUE(entered_two.Wait());
  gate.Open();
  EXPECT_EQ(aclrtSynchronizeStream(one), kFault);
  const Ref<Stream> second = Machine::Get().streams().Acquire(two);
  ASSERT_EQ(second->WaitFor(second->Submitted(), std::nullopt), runtime::WaitResult::kDone);
  Count(one);
  EXPECT_EQ(aclrtSynchronizeStream(one), ACL_SUCCESS);
  EXPECT_EQ(ran_, 0);
  ExpectRefused(aclrtSynchronizeStream(two), kFault, "1 later task was dropped");
  Count(one);
  EXPECT_EQ(ran_, 1);
}

TEST_F(FailureMode, AStreamDestroyedUnaskedStopsUntilTheDeviceIsWaitedFor) {
  OwnStream own;
  const OwnStream other;
  const aclrtStream stopping = own.Release();
  Stop(stopping);
  Fail(stopping, Size::kBig);
  ASSERT_EQ(aclrtDestroyStream(stopping), ACL_SUCCESS);
  Count(other);
  EXPECT_EQ(ran_, 0);
  EXPECT_EQ(aclrtSynchronizeDevice(), kFault);
  Count(other);
  EXPECT_EQ(ran_, 1);
}

TEST_F(FailureMode, AWaitThatTimedOutStopsToo) {
  const OwnStream stream;
  const OwnEvent missing(EventKind::kFlagged, ACL_EVENT_SYNC);
  Stop(stream);
  ASSERT_EQ(aclrtStreamWaitEventWithTimeout(stream, missing, 1), ACL_SUCCESS);
  Count(stream);
  ExpectRefused(aclrtSynchronizeStream(stream), ACL_ERROR_RT_WAIT_TIMEOUT, "not recorded within",
                "1 later task was dropped");
  EXPECT_EQ(ran_, 0);
}

}  // namespace
}  // namespace belay::test
