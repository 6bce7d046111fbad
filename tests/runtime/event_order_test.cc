// Events order the tasks of different streams.
#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <thread>
#include <vector>

#include "support/test_task.h"
#include "support/threads.h"

namespace belay::test {
namespace {

class EventOrder : public TaskTest, public testing::WithParamInterface<EventKind> {};

TEST_P(EventOrder, ATaskBehindAWaitRunsAfterTheTasksBeforeTheRecord) {
  const OwnStream producer;
  const OwnStream consumer;
  const OwnEvent event(GetParam());
  const Gate gate;
  Journal<int> journal;
  Hold(producer, gate.door());
  Run(producer, Size::kSmall, [&journal]() -> Status {
    journal.Add(1);
    return {};
  });
  ASSERT_EQ(aclrtRecordEvent(event, producer), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(consumer, event), ACL_SUCCESS);
  Run(consumer, Size::kSmall, [&journal]() -> Status {
    journal.Add(2);
    return {};
  });
  EXPECT_TRUE(journal.entries().empty());
  gate.Open();
  ASSERT_EQ(aclrtSynchronizeStream(consumer), ACL_SUCCESS);
  EXPECT_EQ(journal.entries(), (std::vector{1, 2}));
}

TEST_P(EventOrder, AHandOverBackAndForthLosesNoStep) {
  constexpr int kRounds = 1000;
  const OwnStream streams[2];
  const OwnEvent ping(GetParam());
  const OwnEvent pong(GetParam());
  const aclrtEvent events[2] = {ping, pong};
  int counter = 0;  // no atomic: only the events keep the tasks apart
  for (int i = 0; i < kRounds; ++i) {
    const int own = i % 2;
    if (i > 0) {
      ASSERT_EQ(aclrtStreamWaitEvent(streams[own], events[1 - own]), ACL_SUCCESS);
    }
    Run(streams[own], i % 3 == 0 ? Size::kBig : Size::kSmall, [&counter, i]() -> Status {
      EXPECT_EQ(counter, i);
      ++counter;
      return {};
    });
    ASSERT_EQ(aclrtRecordEvent(events[own], streams[own]), ACL_SUCCESS);
  }
  ASSERT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
  EXPECT_EQ(counter, kRounds);
}

TEST_P(EventOrder, SynchronizeEventSeesWhatTheTasksBeforeItWrote) {
  const OwnStream stream;
  const OwnEvent event(GetParam());
  for (int i = 1; i <= 500; ++i) {
    int written = 0;
    Run(stream, Size::kBig, [&written, i]() -> Status {
      written = i;
      return {};
    });
    ASSERT_EQ(aclrtRecordEvent(event, stream), ACL_SUCCESS);
    ASSERT_EQ(aclrtSynchronizeEvent(event), ACL_SUCCESS);
    ASSERT_EQ(written, i);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, EventOrder,
                         testing::Values(EventKind::kDefault, EventKind::kFlagged, EventKind::kEx),
                         [](const auto& kind) { return testing::PrintToString(kind.param); });

class EventRaces : public TaskTest {};

// One event, recorded by one thread while another has a stream wait for it: whichever call comes
// first, the record must release the wait.
TEST_F(EventRaces, AWaitIssuedDuringARecordIsReleasedByIt) {
  const OwnStream producer;
  const OwnStream consumer;
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&context), ACL_SUCCESS);
  std::atomic<int> round_of_record{0};
  std::atomic<int> round_of_wait{0};
  constexpr int kRounds = 3000;
  std::vector<aclrtEvent> events(kRounds);
  for (aclrtEvent& event : events) {
    ASSERT_EQ(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC), ACL_SUCCESS);
  }
  RunTogether(2, [&](std::size_t thread) {
    ASSERT_EQ(aclrtSetCurrentContext(context), ACL_SUCCESS);
    std::atomic<int>& mine = thread == 0 ? round_of_record : round_of_wait;
    std::atomic<int>& other = thread == 0 ? round_of_wait : round_of_record;
    for (int i = 0; i < kRounds; ++i) {
      const aclrtEvent event = events[static_cast<std::size_t>(i)];
      mine.store(i + 1);
      while (other.load() < i + 1) std::this_thread::yield();
      const aclError result =
          thread == 0 ? aclrtRecordEvent(event, producer) : aclrtStreamWaitEvent(consumer, event);
      ASSERT_EQ(result, ACL_SUCCESS);
    }
  });
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(consumer, 20000), ACL_SUCCESS);
  for (const aclrtEvent event : events) EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
}

TEST_F(EventRaces, RecordsOfOneEventFromManyThreadsReleaseAllWaits) {
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&context), ACL_SUCCESS);
  const OwnEvent event;
  std::deque<OwnStream> streams(4);
  RunTogether(streams.size(), [&](std::size_t i) {
    ASSERT_EQ(aclrtSetCurrentContext(context), ACL_SUCCESS);
    for (int round = 0; round < 300; ++round) {
      ASSERT_EQ(aclrtRecordEvent(event, streams[i]), ACL_SUCCESS);
      ASSERT_EQ(aclrtStreamWaitEvent(streams[(i + 1) % streams.size()], event), ACL_SUCCESS);
      ASSERT_EQ(aclrtSynchronizeEvent(event), ACL_SUCCESS);
    }
  });
  EXPECT_EQ(aclrtSynchronizeDeviceWithTimeout(20000), ACL_SUCCESS);
}

}  // namespace
}  // namespace belay::test
