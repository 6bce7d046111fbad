// aclrtLaunchHostFunc: who runs the function, what it holds, and what it may call.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/api_test_support.h"
#include "support/gate.h"
#include "support/host_function.h"
#include "support/threads.h"

namespace belay::test {
namespace {

constexpr std::size_t kBytes = 64;

class HostFunc : public DeviceTest {
 protected:
  void TearDown() override {
    EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);  // before the bodies go
    DeviceTest::TearDown();
  }

  HostBodies bodies_;
};

TEST_F(HostFunc, RunsOnceWithItsArgumentsOnAnotherThread) {
  const OwnStream stream;
  struct Seen {
    int calls = 0;
    std::thread::id thread;
  } seen;
  ASSERT_EQ(aclrtLaunchHostFunc(
                stream,
                [](void* args) {
                  auto& into = *static_cast<Seen*>(args);
                  ++into.calls;
                  into.thread = std::this_thread::get_id();
                },
                &seen),
            ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(seen.calls, 1);
  EXPECT_NE(seen.thread, std::this_thread::get_id());
}

TEST_F(HostFunc, TakesItsTurnInTheStream) {
  const OwnStream stream;
  const Block block(Bytes(kBytes, 0));
  const Gate gate;
  std::uint8_t seen[3] = {9, 9, 9};
  const auto look = [&block, &seen](int i) {
    return [&block, &seen, i] {
      EXPECT_EQ(aclrtMemcpy(&seen[i], 1, block.get(), 1, ACL_MEMCPY_DEVICE_TO_HOST), ACL_SUCCESS);
    };
  };
  ASSERT_EQ(bodies_.LaunchHostFunc(stream, [&gate] { EXPECT_TRUE(gate.Wait()); }), ACL_SUCCESS);
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(bodies_.LaunchHostFunc(stream, look(i)), ACL_SUCCESS);
    ASSERT_EQ(aclrtMemsetAsync(block.get(), kBytes, i + 1, kBytes, stream), ACL_SUCCESS);
  }
  aclrtStreamStatus status = ACL_STREAM_STATUS_COMPLETE;
  ASSERT_EQ(aclrtStreamQuery(stream, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_STREAM_STATUS_NOT_READY);
  EXPECT_EQ(block.Read(1)[0], 0) << "the first function holds the stream";
  gate.Open();
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(seen[0], 0);
  EXPECT_EQ(seen[1], 1);
  EXPECT_EQ(seen[2], 2);
  EXPECT_EQ(block.Read(1)[0], 3);
}

TEST_F(HostFunc, NullStreamIsTheDefaultStream) {
  std::atomic<int> calls{0};
  ASSERT_EQ(bodies_.LaunchHostFunc(nullptr, [&calls] { ++calls; }), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(calls.load(), 1);
}

TEST_F(HostFunc, RefusesNullFunctionsAndThreadsWithoutContext) {
  const OwnStream stream;
  ExpectRefused(aclrtLaunchHostFunc(stream, nullptr, nullptr), 107000, "fn is null");
  OnFreshThread([&stream] {
    ExpectRefused(aclrtLaunchHostFunc(stream, RunHostBody, nullptr), 107002, "no current context");
  });
}

TEST_F(HostFunc, AStreamOfHostFunctionsTakesNoSubscriber) {
  const OwnStream stream;
  ASSERT_EQ(bodies_.LaunchHostFunc(stream, [] {}), ACL_SUCCESS);
  ExpectRefused(aclrtSubscribeReport(ThisThread(), stream), ACL_ERROR_RT_STREAM_SUBSCRIBE,
                "in which aclrtLaunchHostFunc runs functions");
  ExpectRefused(aclrtUnSubscribeReport(ThisThread(), stream), ACL_ERROR_RT_STREAM_SUBSCRIBE,
                "in which aclrtLaunchHostFunc runs functions");
  ExpectRefused(aclrtLaunchCallback(RunHostBody, nullptr, ACL_CALLBACK_BLOCK, stream),
                ACL_ERROR_RT_STREAM_NO_CB_REG, "no thread serves");
  ExpectRefused(aclrtProcessReport(1), ACL_ERROR_RT_THREAD_SUBSCRIBE, "serves no stream");
}

TEST_F(HostFunc, MayCallTheRuntime) {
  const OwnStream stream;
  const OwnStream other;
  const OwnEvent before;
  const Block block(Bytes(kBytes, 1));
  const Block copy(kBytes);
  std::atomic<bool> ran{false};
  ASSERT_EQ(aclrtRecordEvent(before, stream), ACL_SUCCESS);
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&context), ACL_SUCCESS);
  ASSERT_EQ(bodies_.LaunchHostFunc(
                stream,
                [&] {
                  aclrtContext current = nullptr;
                  EXPECT_EQ(aclrtGetCurrentContext(&current), ACL_SUCCESS);
                  EXPECT_EQ(current, context);
                  EXPECT_EQ(aclrtMemsetAsync(block.get(), kBytes, 5, kBytes, stream), ACL_SUCCESS);
                  EXPECT_EQ(aclrtMemcpyAsync(copy.get(), kBytes, block.get(), kBytes,
                                             ACL_MEMCPY_DEVICE_TO_DEVICE, stream),
                            ACL_SUCCESS);
                  EXPECT_EQ(aclrtSynchronizeEvent(before), ACL_SUCCESS);
                  EXPECT_EQ(aclrtSynchronizeStream(other), ACL_SUCCESS);
                  void* fresh = nullptr;
                  EXPECT_EQ(aclrtMalloc(&fresh, 8, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
                  EXPECT_EQ(aclrtFree(fresh), ACL_SUCCESS);
                  EXPECT_EQ(bodies_.LaunchHostFunc(stream, [&ran] { ran = true; }), ACL_SUCCESS);
                }),
            ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);  // what the function queued
  EXPECT_EQ(copy.Read(kBytes), Bytes(kBytes, 5));
  EXPECT_TRUE(ran.load());
}

TEST_F(HostFunc, TheContextIsCurrentForTheFunctionOnly) {
  const OwnStream stream;
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtCreateContext(&context, 0), ACL_SUCCESS);
  const Gate gate;
  aclrtStream other = nullptr;
  ASSERT_EQ(aclrtCreateStream(&other), ACL_SUCCESS);
  aclrtContext current = nullptr;
  const auto ask = [&current] { EXPECT_EQ(aclrtGetCurrentContext(&current), ACL_SUCCESS); };
  ASSERT_EQ(bodies_.LaunchHostFunc(other, ask), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(other), ACL_SUCCESS);
  EXPECT_EQ(current, context);
  ASSERT_EQ(aclrtDestroyContext(context), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  ASSERT_EQ(bodies_.LaunchHostFunc(stream, ask), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_NE(current, context);
}

// Something a host function must not do in its own stream.
struct OwnWait {
  const char* name;
  std::function<aclError(aclrtStream stream, aclrtEvent after, void* block)> call;
};

// As ctest names the case.
void PrintTo(const OwnWait& wait, std::ostream* out) { *out << wait.name; }

const OwnWait kOwnWaits[] = {
    {"SynchronizeStream",
     [](aclrtStream stream, aclrtEvent, void*) { return aclrtSynchronizeStream(stream); }},
    {"SynchronizeStreamWithTimeout",
     [](aclrtStream stream, aclrtEvent, void*) {
       return aclrtSynchronizeStreamWithTimeout(stream, 60000);
     }},
    {"SynchronizeDevice", [](aclrtStream, aclrtEvent, void*) { return aclrtSynchronizeDevice(); }},
    {"SynchronizeEvent",
     [](aclrtStream, aclrtEvent after, void*) { return aclrtSynchronizeEvent(after); }},
    {"DestroyStream",
     [](aclrtStream stream, aclrtEvent, void*) { return aclrtDestroyStream(stream); }},
    {"ResetDevice", [](aclrtStream, aclrtEvent, void*) { return aclrtResetDevice(0); }},
    {"CopyOfPageableMemory",
     [](aclrtStream stream, aclrtEvent, void* block) {
       const char bytes[8] = {};
       return aclrtMemcpyAsync(block, 8, bytes, 8, ACL_MEMCPY_HOST_TO_DEVICE, stream);
     }},
};

class HostFuncOwnWait : public DeviceTest, public testing::WithParamInterface<OwnWait> {
 protected:
  HostBodies bodies_;
};

TEST_P(HostFuncOwnWait, IsRefused) {
  const OwnStream stream;
  const OwnEvent after;
  const Block block(Bytes(kBytes, 1));
  const Gate recorded;
  aclError result = ACL_SUCCESS;
  std::string message;
  ASSERT_EQ(bodies_.LaunchHostFunc(stream,
                                   [&] {
                                     EXPECT_TRUE(recorded.Wait());
                                     result = GetParam().call(stream, after, block.get());
                                     message = TakeMessages();
                                   }),
            ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(after, stream), ACL_SUCCESS);
  recorded.Open();
  ASSERT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 60000), ACL_SUCCESS);
  EXPECT_EQ(result, ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_THAT(message, testing::HasSubstr("is held by the host function that makes this call"));
  EXPECT_EQ(block.Read(kBytes), Bytes(kBytes, 1));
}

INSTANTIATE_TEST_SUITE_P(All, HostFuncOwnWait, testing::ValuesIn(kOwnWaits),
                         [](const auto& each) { return std::string(each.param.name); });

TEST_F(HostFunc, MayDestroyItsStreamByForce) {
  OwnStream own;
  const aclrtStream stream = own.Release();
  const Gate gate;
  std::atomic<bool> later{false};
  const Gate done;
  ASSERT_EQ(bodies_.LaunchHostFunc(stream,
                                   [&, door = done.door()] {
                                     EXPECT_TRUE(gate.Wait());
                                     EXPECT_EQ(aclrtDestroyStreamForce(stream), ACL_SUCCESS);
                                     // The test may end before this function has.
                                     const Door last = door;
                                     last.Open();
                                   }),
            ACL_SUCCESS);
  ASSERT_EQ(bodies_.LaunchHostFunc(stream, [&later] { later = true; }), ACL_SUCCESS);
  gate.Open();
  EXPECT_TRUE(done.Wait());
  EXPECT_FALSE(later.load()) << "dropped";
}

TEST_F(HostFunc, AnExceptionIsAFaultOfTheStream) {
  const OwnStream stream;
  const Block block(Bytes(kBytes, 1));
  ASSERT_EQ(bodies_.LaunchHostFunc(stream, [] { throw std::runtime_error("thrown by a test"); }),
            ACL_SUCCESS);
  ASSERT_EQ(aclrtMemsetAsync(block.get(), kBytes, 2, kBytes, stream), ACL_SUCCESS);
  ExpectRefused(aclrtSynchronizeStream(stream), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION,
                "host function in stream", "ended by an exception that says \"thrown by a test\"");
  EXPECT_EQ(block.Read(kBytes), Bytes(kBytes, 2)) << "the stream goes on";
}

TEST_F(HostFunc, DestroyingTheStreamWaitsForIt) {
  OwnStream own;
  const aclrtStream stream = own.Release();
  std::vector<int> order;
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(bodies_.LaunchHostFunc(stream, [&order, i] { order.push_back(i); }), ACL_SUCCESS);
  }
  ASSERT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  ASSERT_EQ(order.size(), 100U);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

TEST_F(HostFunc, ManyStreamsAtOnce) {
  constexpr std::size_t kStreams = 8;
  std::atomic<int> calls{0};
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&context), ACL_SUCCESS);
  RunTogether(kStreams, [&](std::size_t) {
    ASSERT_EQ(aclrtSetCurrentContext(context), ACL_SUCCESS);
    const OwnStream stream;
    for (int i = 0; i < 200; ++i) {
      ASSERT_EQ(bodies_.LaunchHostFunc(stream, [&calls] { ++calls; }), ACL_SUCCESS);
    }
    ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  });
  EXPECT_EQ(calls.load(), static_cast<int>(kStreams) * 200);
}

}  // namespace
}  // namespace belay::test
