// The end of contexts and devices that still have work, and who may bring it about.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "support/test_task.h"
#include "support/threads.h"

namespace belay::test {
namespace {

class ContextEnd : public TaskTest {};

TEST_F(ContextEnd, ResetOfADeviceWaitsForItsStreams) {
  const Gate gate;
  const Gate entered;
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  std::atomic<bool> done{false};
  Run(stream, Size::kBig, [&done, door = gate.door(), entered = entered.door()]() -> Status {
    entered.Open();
    EXPECT_TRUE(door.Wait());
    done = true;
    return {};
  });
  ASSERT_TRUE(entered.Wait());
  {
    const std::jthread resetter([&done] {
      EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
      EXPECT_TRUE(done.load());
    });
    gate.Open();
  }
  ExpectRefused(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_CONTEXT_NULL,
                "no current context any more");
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(ContextEnd, EachSetDeviceOfAnyThreadWantsOneReset) {
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&context), ACL_SUCCESS);
  RunTogether(4, [context](std::size_t) {
    EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    aclrtContext shared = nullptr;
    EXPECT_EQ(aclrtGetCurrentContext(&shared), ACL_SUCCESS);
    EXPECT_EQ(shared, context);
  });
  OnFreshThread([] {
    for (int i = 0; i < 4; ++i) EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  });
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);  // the fifth is this thread's
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_EQ(aclrtResetDevice(0), ACL_ERROR_RT_CONTEXT_RELEASE_ERROR);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
}

TEST_F(ContextEnd, ResetForceDoesNotWaitForAnEventThatNobodyRecords) {
  aclrtStream stream = nullptr;
  aclrtEvent never = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateEventWithFlag(&never, ACL_EVENT_SYNC), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(stream, never), ACL_SUCCESS);
  std::atomic<bool> ran{false};
  Run(stream, Size::kSmall, [&ran]() -> Status {
    ran = true;
    return {};
  });
  EXPECT_EQ(aclrtResetDeviceForce(0), ACL_SUCCESS);
  EXPECT_FALSE(ran.load());
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyEvent(never), ACL_SUCCESS);
}

TEST_F(ContextEnd, ForcedDestroyEndsTheWaitOfWhoeverWaitsForTheStream) {
  OwnStream stream;
  const OwnEvent never(EventKind::kFlagged, ACL_EVENT_SYNC);
  ASSERT_EQ(aclrtStreamWaitEvent(stream, never), ACL_SUCCESS);
  const Gate started;
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&context), ACL_SUCCESS);
  const std::jthread waiter([&stream, context, door = started.door()] {
    EXPECT_EQ(aclrtSetCurrentContext(context), ACL_SUCCESS);
    const aclrtStream waited_for = stream;
    door.Open();
    // Too late for the wait to begin is as good: the stream is gone then.
    const aclError error = aclrtSynchronizeStream(waited_for);
    EXPECT_TRUE(error == ACL_SUCCESS || error == ACL_ERROR_RT_INVALID_HANDLE) << error;
  });
  ASSERT_TRUE(started.Wait());
  EXPECT_EQ(aclrtDestroyStreamForce(stream.Release()), ACL_SUCCESS);
}

TEST_F(ContextEnd, ForcedDestroyLetsTheEventGo) {
  const OwnEvent never(EventKind::kFlagged, ACL_EVENT_SYNC);
  for (int i = 0; i < 100; ++i) {
    aclrtStream stream = nullptr;
    ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
    ASSERT_EQ(aclrtStreamWaitEvent(stream, never), ACL_SUCCESS);
    ASSERT_EQ(aclrtDestroyStreamForce(stream), ACL_SUCCESS);
  }
  // No wait is left once the threads have looked; nothing but time can stand in the way.
  aclrtEventWaitStatus status = ACL_EVENT_WAIT_STATUS_NOT_READY;
  while (status != ACL_EVENT_WAIT_STATUS_COMPLETE) {
    ASSERT_EQ(aclrtQueryEventWaitStatus(never, &status), ACL_SUCCESS);
    std::this_thread::yield();
  }
}

TEST_F(ContextEnd, ResetForceEndsTheDeviceWhateverTheCount) {
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDeviceForce(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(0), ACL_ERROR_RT_CONTEXT_RELEASE_ERROR);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
}

TEST_F(ContextEnd, DestroyContextRefusals) {
  aclrtContext primary = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&primary), ACL_SUCCESS);
  ExpectRefused(aclrtDestroyContext(nullptr), ACL_ERROR_INVALID_PARAM,
                "aclrtDestroyContext: context is null");
  ExpectRefused(aclrtDestroyContext(primary), ACL_ERROR_RT_CONTEXT_NULL,
                "aclrtDestroyContext: context is the primary context of device 0");
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtCreateContext(&context, 0), ACL_SUCCESS);
  ASSERT_EQ(aclrtDestroyContext(context), ACL_SUCCESS);
  ExpectRefused(aclrtDestroyContext(context), ACL_ERROR_RT_CONTEXT_NULL,
                "a context that is already destroyed");
  ASSERT_EQ(aclrtSetCurrentContext(primary), ACL_SUCCESS);
  const OwnStream stream;
  ExpectRefused(aclrtDestroyContext(stream), ACL_ERROR_RT_CONTEXT_NULL, "the handle of a stream");
}

TEST_F(ContextEnd, ASecondDestroyDuringTheFirstIsRefused) {
  aclrtContext primary = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&primary), ACL_SUCCESS);
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtCreateContext(&context, 0), ACL_SUCCESS);
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  const Gate gate;
  Hold(stream, gate.door());
  const Ref<runtime::Context> object = Machine::Get().contexts().Acquire(context);
  {
    const std::jthread destroyer(
        [context] { EXPECT_EQ(aclrtDestroyContext(context), ACL_SUCCESS); });
    while (!object->ending.load()) std::this_thread::yield();
    ExpectRefused(aclrtDestroyContext(context), ACL_ERROR_RT_CONTEXT_RELEASE_ERROR,
                  "aclrtDestroyContext: context is being destroyed by another thread");
    EXPECT_EQ(aclrtSetCurrentContext(context), ACL_ERROR_RT_PARAM_INVALID);
    gate.Open();
  }
  EXPECT_EQ(aclrtDestroyContext(context), ACL_ERROR_RT_CONTEXT_NULL);
  ASSERT_EQ(aclrtSetCurrentContext(primary), ACL_SUCCESS);
}

TEST_F(ContextEnd, DestroyContextEndsItsStreamsAndNoOthers) {
  const OwnStream of_primary;
  aclrtContext primary = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&primary), ACL_SUCCESS);
  uint32_t before = 0;
  ASSERT_EQ(aclrtGetStreamAvailableNum(&before), ACL_SUCCESS);
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtCreateContext(&context, 0), ACL_SUCCESS);
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  std::atomic<int> ran{0};
  for (const aclrtStream each : {stream, of_primary.get()}) {
    Run(each, Size::kBig, [&ran]() -> Status {
      ++ran;
      return {};
    });
  }
  ASSERT_EQ(aclrtDestroyContext(context), ACL_SUCCESS);
  EXPECT_GE(ran.load(), 1);
  ASSERT_EQ(aclrtSetCurrentContext(primary), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtSynchronizeStream(of_primary), ACL_SUCCESS);
  EXPECT_EQ(ran.load(), 2);
  uint32_t after = 0;
  EXPECT_EQ(aclrtGetStreamAvailableNum(&after), ACL_SUCCESS);
  EXPECT_EQ(after, before);
}

TEST_F(ContextEnd, OtherThreadsLoseAContextThatIsDestroyed) {
  aclrtContext primary = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&primary), ACL_SUCCESS);
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtCreateContext(&context, 0), ACL_SUCCESS);
  const Gate set;
  const Gate destroyed;
  const std::jthread other([&] {
    ASSERT_EQ(aclrtSetCurrentContext(context), ACL_SUCCESS);
    set.Open();
    ASSERT_TRUE(destroyed.Wait());
    ExpectRefused(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_CONTEXT_NULL,
                  "no current context any more (it was destroyed");
  });
  ASSERT_TRUE(set.Wait());
  ASSERT_EQ(aclrtDestroyContext(context), ACL_SUCCESS);
  destroyed.Open();
  ASSERT_EQ(aclrtSetCurrentContext(primary), ACL_SUCCESS);
}

TEST_F(ContextEnd, TheFaultOfAContextThatIsGoneIsReturnedBySynchronizeDevice) {
  aclrtContext primary = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&primary), ACL_SUCCESS);
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtCreateContext(&context, 0), ACL_SUCCESS);
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  Fail(stream, Size::kBig);
  ASSERT_EQ(aclrtDestroyContext(context), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetCurrentContext(primary), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
}

}  // namespace
}  // namespace belay::test
