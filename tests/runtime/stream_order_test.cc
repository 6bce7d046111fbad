// Order within a stream, independence of streams, and that nobody can tell where a task ran.
#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <new>
#include <numeric>
#include <thread>
#include <utility>
#include <vector>

#include "support/test_task.h"
#include "support/threads.h"

namespace belay::test {
namespace {

class StreamOrder : public TaskTest {};

Size SizeOf(int i) { return i % 3 == 0 ? Size::kBig : Size::kSmall; }

TEST_F(StreamOrder, ASmallTaskOnAnIdleStreamRunsOnTheLaunchingThread) {
  const OwnStream stream;
  std::thread::id ran_on;
  Run(stream, Size::kSmall, [&ran_on]() -> Status {
    ran_on = std::this_thread::get_id();
    return {};
  });
  EXPECT_EQ(ran_on, std::this_thread::get_id());
}

TEST_F(StreamOrder, ABigTaskRunsElsewhere) {
  const OwnStream stream;
  std::thread::id ran_on;
  Run(stream, Size::kBig, [&ran_on]() -> Status {
    ran_on = std::this_thread::get_id();
    return {};
  });
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_NE(ran_on, std::this_thread::get_id());
}

TEST_F(StreamOrder, ALongTaskDoesNotHoldItsLauncher) {
  const OwnStream stream;
  const Gate gate;
  Hold(stream, gate.door());
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  EXPECT_EQ(aclrtStreamQuery(stream, &status), ACL_SUCCESS);  // got here: the launch returned
  EXPECT_EQ(status, ACL_STREAM_STATUS_NOT_READY);
  gate.Open();
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
}

TEST_F(StreamOrder, ASmallTaskBehindAQueuedOneWaitsForIt) {
  const OwnStream stream;
  const Gate gate;
  Journal<int> journal;
  Run(stream, Size::kBig, [&journal, door = gate.door()]() -> Status {
    EXPECT_TRUE(door.Wait());
    journal.Add(1);
    return {};
  });
  Run(stream, Size::kSmall, [&journal]() -> Status {
    journal.Add(2);
    return {};
  });
  EXPECT_TRUE(journal.entries().empty());
  gate.Open();
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(journal.entries(), (std::vector{1, 2}));
}

TEST_F(StreamOrder, MixedTasksKeepTheirOrder) {
  constexpr int kTasks = 3000;
  const OwnStream stream;
  Journal<int> journal;
  for (int i = 0; i < kTasks; ++i) {
    Run(stream, SizeOf(i), [&journal, i]() -> Status {
      journal.Add(i);
      return {};
    });
  }
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  std::vector<int> expected(kTasks);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(journal.entries(), expected);
}

TEST_F(StreamOrder, TasksOfOneStreamNeverOverlapAndEachThreadsOwnKeepTheirOrder) {
  constexpr std::size_t kThreads = 4;
  constexpr int kTasks = 500;
  const OwnStream stream;
  std::atomic<int> inside{0};
  Journal<std::pair<std::size_t, int>> journal;
  RunTogether(kThreads, [&](std::size_t thread) {
    for (int i = 0; i < kTasks; ++i) {
      Run(stream, SizeOf(i), [&, thread, i]() -> Status {
        EXPECT_EQ(inside.fetch_add(1), 0);
        journal.Add({thread, i});
        inside.fetch_sub(1);
        return {};
      });
    }
  });
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  std::vector<int> next(kThreads, 0);
  for (const auto& [thread, i] : journal.entries()) EXPECT_EQ(next[thread]++, i);
  EXPECT_EQ(next, std::vector<int>(kThreads, kTasks));
}

TEST_F(StreamOrder, StreamsDoNotWaitForEachOther) {
  const OwnStream held;
  const OwnStream free;
  const Gate gate;
  Hold(held, gate.door());
  Run(free, Size::kBig, []() -> Status { return {}; });
  EXPECT_EQ(aclrtSynchronizeStream(free), ACL_SUCCESS);
  Run(free, Size::kSmall, []() -> Status { return {}; });
  EXPECT_EQ(aclrtSynchronizeStream(free), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(held, 1), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
}

TEST_F(StreamOrder, ManyHeldStreamsLeaveThreadsForOthers) {
  constexpr int kStreams = 40;  // far more than cores
  const Gate gate;
  std::deque<OwnStream> streams;
  for (int i = 0; i < kStreams; ++i) Hold(streams.emplace_back(), gate.door());
  const OwnStream free;
  Run(free, Size::kBig, []() -> Status { return {}; });
  EXPECT_EQ(aclrtSynchronizeStream(free), ACL_SUCCESS);
  gate.Open();
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
}

TEST_F(StreamOrder, TwoStreamsRunAtTheSameTime) {
  const OwnStream one;
  const OwnStream two;
  const Gate first;
  const Gate second;
  const auto meet = [](const Door& mine, const Door& other) {
    return [mine, other]() -> Status {
      mine.Open();
      EXPECT_TRUE(other.Wait());
      return {};
    };
  };
  Run(one, Size::kBig, meet(first.door(), second.door()));
  Run(two, Size::kBig, meet(second.door(), first.door()));
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
}

// Whatever runs in place must show the same statuses at the same calls as what is queued.
class InPlaceOrQueued : public TaskTest, public testing::WithParamInterface<Size> {};

TEST_P(InPlaceOrQueued, ALaunchWhoseTaskFailsIsAccepted) {
  const OwnStream stream;
  EXPECT_TRUE(Submit(stream, GetParam(), [] { return BadIndex(4096); }).ok());
  EXPECT_EQ(TakeMessages(), "");
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
}

TEST_P(InPlaceOrQueued, CallsThatDoNotWaitReturnNoFault) {
  const OwnStream stream;
  const OwnStream other;
  const OwnEvent event;
  Fail(stream, GetParam());
  int32_t id = 0;
  EXPECT_EQ(aclrtStreamGetId(stream, &id), ACL_SUCCESS);
  EXPECT_EQ(aclrtRecordEvent(event, stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtStreamWaitEvent(other, event), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(other), ACL_SUCCESS);  // the fault is the first stream's
  Run(stream, GetParam(), []() -> Status { return {}; });
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
}

TEST_P(InPlaceOrQueued, AnExceptionInATaskIsAFaultOfTheStream) {
  const OwnStream stream;
  Run(stream, GetParam(), []() -> Status { throw std::bad_alloc(); });
  ExpectRefused(aclrtSynchronizeStream(stream), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION,
                "TestOperation: no host memory");
  Run(stream, GetParam(), []() -> Status { throw 7; });
  ExpectRefused(aclrtSynchronizeStream(stream), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION,
                "TestOperation: ended by an unexpected exception");
}

INSTANTIATE_TEST_SUITE_P(Sizes, InPlaceOrQueued, testing::Values(Size::kSmall, Size::kBig),
                         [](const auto& size) { return testing::PrintToString(size.param); });

}  // namespace
}  // namespace belay::test
