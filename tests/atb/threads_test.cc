// Many operations on many streams and threads for about a second.
#include <atomic>
#include <chrono>
#include <memory>
#include <random>
#include <vector>

#include "support/atb_test.h"
#include "support/threads.h"

namespace belay::test {
namespace {

constexpr std::size_t kThreads = 6;
constexpr std::chrono::milliseconds kTime{1000};

bool TimeIsUp(std::chrono::steady_clock::time_point start) {
  return std::chrono::steady_clock::now() - start > kTime;
}

// Everything is the thread's own: operations come and go, memory is freed while work is queued.
TEST_F(AtbTest, EachThreadWithItsOwnContext) {
  const auto start = std::chrono::steady_clock::now();
  RunTogether(kThreads, [&](std::size_t thread) {
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    std::mt19937 random(static_cast<unsigned>(thread));
    for (int turn = 0; turn == 0 || !TimeIsUp(start); ++turn) {
      const OwnStream first;
      const OwnStream second;
      atb::Context* context = nullptr;
      ASSERT_EQ(atb::CreateContext(&context), atb::NO_ERROR);
      ASSERT_EQ(context->SetExecuteStreams({first, second}), atb::NO_ERROR);
      std::vector<std::unique_ptr<Sample>> samples;
      for (int i = 0; i < 8; ++i) {
        auto& sample = samples.emplace_back(std::make_unique<Sample>(kKinds[random() % 4]));
        ASSERT_EQ(atb::SetExecuteStreamId(sample->operation, random() % 2), atb::NO_ERROR);
        uint64_t size = 0;
        ASSERT_EQ(sample->operation->Setup(sample->pack, size, context), atb::NO_ERROR);
        const Block workspace(size + 32);
        ASSERT_EQ(sample->operation->Execute(sample->pack, static_cast<uint8_t*>(workspace.get()),
                                             size, context),
                  atb::NO_ERROR);
        if (random() % 2 == 0) {
          EXPECT_EQ(atb::DestroyOperation(sample->operation.Release()), atb::NO_ERROR);
        }
      }
      ASSERT_EQ(aclrtSynchronizeStream(first), ACL_SUCCESS);
      ASSERT_EQ(aclrtSynchronizeStream(second), ACL_SUCCESS);
      for (const auto& sample : samples) EXPECT_EQ(sample->Result(), sample->expected);
      ASSERT_EQ(atb::DestroyContext(context), atb::NO_ERROR);
    }
  });
}

// Threads with contexts of their own that share one stream: its order is that of the calls.
TEST_F(AtbTest, ThreadsShareAStream) {
  const auto start = std::chrono::steady_clock::now();
  const DeviceTensor sum = HalfTensor({1, 1}, {0});
  const DeviceTensor index = IntTensor({0});
  const DeviceTensor one = HalfTensor({1, 1}, {1});
  const DeviceTensor alpha = HalfTensor({1}, {1});
  const atb::VariantPack pack = Pack({sum, index, one, alpha}, {sum});
  std::atomic<int> added{0};
  RunTogether(kThreads, [&](std::size_t) {
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    atb::Context* context = nullptr;
    ASSERT_EQ(atb::CreateContext(&context), atb::NO_ERROR);
    ASSERT_EQ(context->SetExecuteStream(stream_), atb::NO_ERROR);
    const OwnOperation operation(IndexAddParam(kAdd));
    while (!TimeIsUp(start) && added.fetch_add(1) < 2000) {  // float16 counts exactly to 2048
      uint64_t size = 0;
      ASSERT_EQ(operation->Setup(pack, size, context), atb::NO_ERROR);
      ASSERT_EQ(operation->Execute(pack, nullptr, size, context), atb::NO_ERROR);
    }
    ASSERT_EQ(atb::DestroyContext(context), atb::NO_ERROR);
  });
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  const float result = ToFloats(sum.Read<aclFloat16>())[0];
  EXPECT_GT(result, 0);
  EXPECT_LE(result, 2000);
  EXPECT_GE(result, static_cast<float>(std::min(added.load(), 2000)) - kThreads);
}

// One context in turn on two threads: PRELAUNCH here, LAUNCH there.
TEST_F(AtbTest, PrelaunchAndLaunchOnTwoThreads) {
  const auto start = std::chrono::steady_clock::now();
  const Sample sample(Kind::kIndexAdd);
  std::atomic<int> turn{0};  // even: the preparing thread's, odd: the launching one's
  std::atomic<bool> ended{false};
  const std::unique_ptr<Block> workspace = Setup(sample.operation, sample.pack);
  RunTogether(2, [&](std::size_t thread) {
    ASSERT_EQ(context_->SetExecuteType(thread == 0 ? atb::EXECUTE_PRELAUNCH : atb::EXECUTE_LAUNCH),
              atb::NO_ERROR);
    for (int i = static_cast<int>(thread);; i += 2) {
      while (turn.load() != i) {
        if (ended.load() && turn.load() != i) return;
        std::this_thread::yield();
      }
      if (thread == 0 && (i >= 200 || TimeIsUp(start))) {
        ended = true;
        return;
      }
      EXPECT_EQ(Execute(sample.operation, sample.pack, workspace), atb::NO_ERROR);
      ++turn;
    }
  });
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  const auto launches = static_cast<float>(turn.load() / 2);
  EXPECT_GE(launches, 1);
  EXPECT_EQ(sample.Result()[2], 3);                  // no index names this row
  EXPECT_EQ(sample.Result()[4], 5 + 20 * launches);  // exact in float16 up to 2048
}

}  // namespace
}  // namespace belay::test
