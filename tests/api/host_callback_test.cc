// aclrtSubscribeReport, LaunchCallback, ProcessReport and UnSubscribeReport.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <new>
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
constexpr auto kBlock = ACL_CALLBACK_BLOCK;
constexpr auto kNoBlock = ACL_CALLBACK_NO_BLOCK;

class HostCallback : public DeviceTest {
 protected:
  HostBodies bodies_;
};

// Serves a stream from the thread that makes it.
class Served {
 public:
  explicit Served(aclrtStream stream) : stream_(stream) {
    EXPECT_EQ(aclrtSubscribeReport(ThisThread(), stream), ACL_SUCCESS);
  }
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;
  ~Served() { EXPECT_EQ(aclrtUnSubscribeReport(ThisThread(), stream_), ACL_SUCCESS); }

 private:
  aclrtStream stream_;
};

bool IsDone(aclrtStream stream) {
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  EXPECT_EQ(aclrtStreamQuery(stream, &status), ACL_SUCCESS);
  return status == ACL_STREAM_STATUS_COMPLETE;
}

TEST_F(HostCallback, RunsOnTheServingThreadInsideProcessReport) {
  const OwnStream stream;
  const Served served(stream);
  std::thread::id thread;
  ASSERT_EQ(
      bodies_.LaunchCallback(stream, kBlock, [&thread] { thread = std::this_thread::get_id(); }),
      ACL_SUCCESS);
  EXPECT_EQ(thread, std::thread::id());
  ASSERT_EQ(aclrtProcessReport(60000), ACL_SUCCESS);
  EXPECT_EQ(thread, std::this_thread::get_id());
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
}

TEST_F(HostCallback, OneThatBlocksHoldsTheStream) {
  const OwnStream stream;
  const Served served(stream);
  const Block block(Bytes(kBytes, 1));
  std::uint8_t seen = 0;
  ASSERT_EQ(bodies_.LaunchCallback(stream, kBlock,
                                   [&] {
                                     EXPECT_FALSE(IsDone(stream));
                                     seen = block.Read(1)[0];
                                   }),
            ACL_SUCCESS);
  ASSERT_EQ(aclrtMemsetAsync(block.get(), kBytes, 2, kBytes, stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_EQ(block.Read(1)[0], 1);
  ASSERT_EQ(aclrtProcessReport(-1), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(seen, 1);
  EXPECT_EQ(block.Read(1)[0], 2);
}

TEST_F(HostCallback, OneThatDoesNotBlockLetsTheStreamGoOn) {
  const OwnStream stream;
  const Served served(stream);
  const Block block(Bytes(kBytes, 1));
  std::vector<int> order;
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(bodies_.LaunchCallback(stream, kNoBlock, [&order, i] { order.push_back(i); }),
              ACL_SUCCESS);
  }
  ASSERT_EQ(aclrtMemsetAsync(block.get(), kBytes, 2, kBytes, stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(block.Read(1)[0], 2);
  EXPECT_TRUE(order.empty());
  ASSERT_EQ(aclrtProcessReport(60000), ACL_SUCCESS);
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2})) << "one call runs all that are there";
}

TEST_F(HostCallback, WaitsForTheWorkBeforeIt) {
  const OwnStream stream;
  const OwnStream holder;
  const OwnEvent event;
  const Gate gate;
  const Served served(stream);
  ASSERT_EQ(bodies_.LaunchHostFunc(holder, [&gate] { EXPECT_TRUE(gate.Wait()); }), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(event, holder), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(stream, event), ACL_SUCCESS);
  int calls = 0;
  for (const auto type : {kNoBlock, kBlock}) {
    ASSERT_EQ(bodies_.LaunchCallback(stream, type, [&calls] { ++calls; }), ACL_SUCCESS);
  }
  ExpectRefused(aclrtProcessReport(20), ACL_ERROR_RT_REPORT_TIMEOUT, "no callback", "within 20 ms");
  EXPECT_EQ(calls, 0);
  gate.Open();
  while (calls < 2) ASSERT_EQ(aclrtProcessReport(60000), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
}

TEST_F(HostCallback, SubscribeRefuses) {
  const OwnStream stream;
  const Served served(stream);
  ExpectRefused(aclrtSubscribeReport(ThisThread(), stream), ACL_ERROR_RT_STREAM_SUBSCRIBE,
                "which thread", "serves");
  ExpectRefused(aclrtSubscribeReport(1, stream), ACL_ERROR_RT_STREAM_SUBSCRIBE,
                "allowed one thread");
  ExpectRefused(aclrtLaunchHostFunc(stream, RunHostBody, nullptr), ACL_ERROR_RT_STREAM_SUBSCRIBE,
                "allowed streams without aclrtSubscribeReport");
  OnFreshThread([&stream] {
    ExpectRefused(aclrtSubscribeReport(ThisThread(), stream), 107002, "no current context");
  });
}

TEST_F(HostCallback, LaunchRefuses) {
  const OwnStream served_stream;
  const OwnStream stream;
  const Served served(served_stream);
  for (const int type : {-1, 2}) {
    ExpectRefused(
        aclrtLaunchCallback(nullptr, nullptr, static_cast<aclrtCallbackBlockType>(type), stream),
        100000, "blockType is " + std::to_string(type));
  }
  ExpectRefused(aclrtLaunchCallback(nullptr, nullptr, kBlock, stream), 107000, "fn is null");
  ExpectRefused(aclrtLaunchCallback(RunHostBody, nullptr, kBlock, stream),
                ACL_ERROR_RT_STREAM_NO_CB_REG, "no thread serves", "after aclrtSubscribeReport");
}

TEST_F(HostCallback, ProcessRefuses) {
  ExpectRefused(aclrtProcessReport(1), ACL_ERROR_RT_THREAD_SUBSCRIBE, "serves no stream");
  const OwnStream stream;
  const Served served(stream);
  for (const int timeout : {0, -2}) {
    ExpectRefused(aclrtProcessReport(timeout), 100000, "timeout is " + std::to_string(timeout));
  }
  ExpectRefused(aclrtProcessReport(1), ACL_ERROR_RT_REPORT_TIMEOUT, "within 1 ms");
  OnFreshThread([] {
    ExpectRefused(aclrtProcessReport(1), ACL_ERROR_RT_THREAD_SUBSCRIBE, "serves no stream");
  });
}

TEST_F(HostCallback, UnsubscribeRefuses) {
  const OwnStream stream;
  ExpectRefused(aclrtUnSubscribeReport(ThisThread(), stream), ACL_ERROR_RT_STREAM_SUBSCRIBE,
                "whose callbacks no thread serves");
  const Served served(stream);
  ExpectRefused(aclrtUnSubscribeReport(1, stream), ACL_ERROR_RT_THREAD_SUBSCRIBE, "threadId is 0x1",
                "is served by thread");
}

TEST_F(HostCallback, AThreadServesSeveralStreams) {
  const OwnStream one;
  const OwnStream two;
  const Served served_one(one);
  int calls = 0;
  {
    const Served served_two(two);
    const Served served_default(nullptr);
    for (const aclrtStream stream : {one.get(), two.get(), aclrtStream{nullptr}}) {
      ASSERT_EQ(bodies_.LaunchCallback(stream, kBlock, [&calls] { ++calls; }), ACL_SUCCESS);
    }
    while (calls < 3) ASSERT_EQ(aclrtProcessReport(60000), ACL_SUCCESS);
    ASSERT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
  }
  ASSERT_EQ(bodies_.LaunchCallback(one, kBlock, [&calls] { ++calls; }), ACL_SUCCESS);
  ASSERT_EQ(aclrtProcessReport(60000), ACL_SUCCESS) << "the others' end is not this one's";
  EXPECT_EQ(calls, 4);
}

TEST_F(HostCallback, UnsubscribingDropsWhatHasNotBegun) {
  const OwnStream stream;
  const OwnStream other;
  const Block block(Bytes(kBytes, 1));
  const Served serves_other(other);
  std::atomic<int> calls{0};
  std::atomic<int> others{0};
  ASSERT_EQ(aclrtSubscribeReport(ThisThread(), stream), ACL_SUCCESS);
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(bodies_.LaunchCallback(stream, kNoBlock, [&calls] { ++calls; }), ACL_SUCCESS);
    ASSERT_EQ(bodies_.LaunchCallback(other, kNoBlock, [&others] { ++others; }), ACL_SUCCESS);
    ASSERT_EQ(bodies_.LaunchCallback(stream, kBlock, [&calls] { ++calls; }), ACL_SUCCESS);
  }
  ASSERT_EQ(aclrtMemsetAsync(block.get(), kBytes, 2, kBytes, stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtUnSubscribeReport(ThisThread(), stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS) << "nothing holds it any more";
  EXPECT_EQ(block.Read(1)[0], 2);
  ASSERT_EQ(aclrtProcessReport(60000), ACL_SUCCESS);
  EXPECT_EQ(calls.load(), 0);
  EXPECT_EQ(others.load(), 3);
}

TEST_F(HostCallback, UnsubscribingEndsAWaitingProcessReport) {
  const OwnStream stream;
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&context), ACL_SUCCESS);
  std::atomic<uint64_t> id{0};
  const Gate subscribed;
  aclError result = ACL_SUCCESS;
  std::string message;
  std::jthread server([&] {
    id = ThisThread();
    EXPECT_TRUE(subscribed.Wait());
    result = aclrtProcessReport(-1);
    message = TakeMessages();
  });
  while (id.load() == 0) std::this_thread::yield();
  ASSERT_EQ(aclrtSubscribeReport(id, stream), ACL_SUCCESS);
  subscribed.Open();
  std::this_thread::yield();
  ASSERT_EQ(aclrtUnSubscribeReport(id, stream), ACL_SUCCESS);
  server.join();
  EXPECT_EQ(result, ACL_ERROR_RT_THREAD_SUBSCRIBE);
  EXPECT_THAT(message, testing::HasSubstr("serves no stream"));
}

TEST_F(HostCallback, DestroyingTheStreamDropsWhatHasNotBegun) {
  for (const bool force : {false, true}) {
    OwnStream own;
    const aclrtStream stream = own.Release();
    std::atomic<int> calls{0};
    ASSERT_EQ(aclrtSubscribeReport(ThisThread(), stream), ACL_SUCCESS);
    for (const auto type : {kNoBlock, kBlock, kBlock}) {
      ASSERT_EQ(bodies_.LaunchCallback(stream, type, [&calls] { ++calls; }), ACL_SUCCESS);
    }
    ASSERT_EQ(force ? aclrtDestroyStreamForce(stream) : aclrtDestroyStream(stream), ACL_SUCCESS);
    EXPECT_EQ(calls.load(), 0);
    ExpectRefused(aclrtProcessReport(1), ACL_ERROR_RT_THREAD_SUBSCRIBE, "serves no stream");
  }
}

TEST_F(HostCallback, ResettingTheDeviceEndsTheSubscription) {
  ASSERT_EQ(aclrtSubscribeReport(ThisThread(), nullptr), ACL_SUCCESS);
  ASSERT_EQ(bodies_.LaunchCallback(nullptr, kBlock, [] {}), ACL_SUCCESS);
  ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  ExpectRefused(aclrtProcessReport(1), ACL_ERROR_RT_THREAD_SUBSCRIBE, "serves no stream");
}

TEST_F(HostCallback, MayCallTheRuntime) {
  const OwnStream stream;
  const Served served(stream);
  const Block block(Bytes(kBytes, 1));
  int calls = 0;
  ASSERT_EQ(
      bodies_.LaunchCallback(
          stream, kBlock,
          [&] {
            ++calls;
            EXPECT_EQ(aclrtMemsetAsync(block.get(), kBytes, 3, kBytes, stream), ACL_SUCCESS);
            EXPECT_EQ(bodies_.LaunchCallback(stream, kNoBlock, [&calls] { ++calls; }), ACL_SUCCESS);
            ExpectRefused(aclrtSynchronizeStream(stream), 107000, "held by the host function");
            ExpectRefused(aclrtDestroyStream(stream), 107000, "held by the host function");
          }),
      ACL_SUCCESS);
  while (calls < 2) ASSERT_EQ(aclrtProcessReport(60000), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(block.Read(1)[0], 3);
}

TEST_F(HostCallback, OneThatDoesNotBlockMayWaitForItsStream) {
  const OwnStream stream;
  const Served served(stream);
  aclError result = ACL_ERROR_FAILURE;
  ASSERT_EQ(
      bodies_.LaunchCallback(stream, kNoBlock, [&] { result = aclrtSynchronizeStream(stream); }),
      ACL_SUCCESS);
  ASSERT_EQ(aclrtProcessReport(60000), ACL_SUCCESS);
  EXPECT_EQ(result, ACL_SUCCESS);
}

TEST_F(HostCallback, MayProcessReportsItself) {
  const OwnStream stream;
  const Served served(stream);
  std::vector<int> order;
  ASSERT_EQ(bodies_.LaunchCallback(stream, kNoBlock,
                                   [&order] {
                                     order.push_back(1);
                                     EXPECT_EQ(aclrtProcessReport(60000), ACL_SUCCESS);
                                     order.push_back(3);
                                   }),
            ACL_SUCCESS);
  ASSERT_EQ(bodies_.LaunchCallback(stream, kNoBlock, [&order] { order.push_back(2); }),
            ACL_SUCCESS);
  ASSERT_EQ(aclrtProcessReport(60000), ACL_SUCCESS);
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
}

TEST_F(HostCallback, MayEndItsOwnSubscription) {
  const OwnStream stream;
  const Block block(Bytes(kBytes, 1));
  ASSERT_EQ(aclrtSubscribeReport(ThisThread(), stream), ACL_SUCCESS);
  int calls = 0;
  ASSERT_EQ(bodies_.LaunchCallback(stream, kBlock,
                                   [&] {
                                     ++calls;
                                     EXPECT_EQ(aclrtUnSubscribeReport(ThisThread(), stream),
                                               ACL_SUCCESS);
                                     EXPECT_FALSE(IsDone(stream)) << "held until it returns";
                                   }),
            ACL_SUCCESS);
  ASSERT_EQ(bodies_.LaunchCallback(stream, kBlock, [&calls] { ++calls; }), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemsetAsync(block.get(), kBytes, 2, kBytes, stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtProcessReport(60000), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(block.Read(1)[0], 2);
}

TEST_F(HostCallback, AnExceptionReachesNobodyAndHoldsNothing) {
  const OwnStream stream;
  const Served served(stream);
  const auto launch = [&](const std::function<void()>& body) {
    ASSERT_EQ(bodies_.LaunchCallback(stream, kBlock, body), ACL_SUCCESS);
  };
  launch([] { throw 1; });
  ExpectRefused(aclrtProcessReport(60000), ACL_ERROR_RT_INTERNAL_ERROR,
                "a callback ended by an exception that is no std::exception");
  launch([] { throw std::runtime_error("thrown by a test"); });
  ExpectRefused(aclrtProcessReport(60000), ACL_ERROR_RT_INTERNAL_ERROR,
                "a callback ended by an exception that says \"thrown by a test\"");
  launch([] { throw std::bad_alloc(); });
  ExpectRefused(aclrtProcessReport(60000), ACL_ERROR_RT_INTERNAL_ERROR,
                "a callback ended by an exception that says \"std::bad_alloc\"");
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
}

TEST_F(HostCallback, ThreadsAreLimited) {
  std::vector<aclrtStream> streams(1025);
  for (aclrtStream& stream : streams) ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  for (uint64_t i = 0; i < 1024; ++i)
    ASSERT_EQ(aclrtSubscribeReport(i + 1, streams[i]), ACL_SUCCESS);
  ExpectRefused(aclrtSubscribeReport(5000, streams[1024]), ACL_ERROR_RT_RESOURCE_ALLOC_FAIL,
                "1024 other threads");
  EXPECT_EQ(aclrtSubscribeReport(7, streams[1024]), ACL_SUCCESS) << "a thread that serves already";
  for (const aclrtStream stream : streams) ASSERT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
}

TEST_F(HostCallback, ManyCallbacksOfManyStreams) {
  constexpr int kStreams = 4;
  constexpr int kRounds = 300;
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&context), ACL_SUCCESS);
  std::atomic<int> calls{0};
  RunTogether(kStreams, [&](std::size_t i) {
    ASSERT_EQ(aclrtSetCurrentContext(context), ACL_SUCCESS);
    const OwnStream stream;
    const Served served(stream);
    std::vector<int> order;
    std::jthread launcher([&, i] {
      ASSERT_EQ(aclrtSetCurrentContext(context), ACL_SUCCESS);
      for (int round = 0; round < kRounds; ++round) {
        const auto type = (static_cast<int>(i) + round) % 3 == 0 ? kBlock : kNoBlock;
        ASSERT_EQ(bodies_.LaunchCallback(stream, type,
                                         [&order, &calls, round] {
                                           order.push_back(round);
                                           ++calls;
                                         }),
                  ACL_SUCCESS);
      }
    });
    while (order.size() < kRounds) ASSERT_EQ(aclrtProcessReport(60000), ACL_SUCCESS);
    for (int round = 0; round < kRounds; ++round) {
      ASSERT_EQ(order[static_cast<std::size_t>(round)], round);
    }
  });
  EXPECT_EQ(calls.load(), kStreams * kRounds);
}

}  // namespace
}  // namespace belay::test
