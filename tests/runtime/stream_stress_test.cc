// Many threads at once. Each test is bounded by work, not by time.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <deque>

#include "support/test_task.h"
#include "support/threads.h"

namespace belay::test {
namespace {

constexpr std::size_t kThreads = 6;

class StreamStress : public TaskTest {
 protected:
  void SetUp() override {
    TaskTest::SetUp();
    ASSERT_EQ(aclrtGetCurrentContext(&context_), ACL_SUCCESS);
  }
  // Runs the body on many threads that share the test's context.
  template <class Body>
  void Storm(Body body) {
    RunTogether(kThreads, [this, &body](std::size_t thread) {
      ASSERT_EQ(aclrtSetCurrentContext(context_), ACL_SUCCESS);
      body(thread);
    });
  }

  aclrtContext context_ = nullptr;
};

TEST_F(StreamStress, AllCallsOnOneStream) {
  const OwnStream stream;
  std::atomic<int> ran{0};
  Storm([&](std::size_t thread) {
    const OwnEvent event;
    for (int i = 0; i < 300; ++i) {
      Run(stream, i % 2 == 0 ? Size::kSmall : Size::kBig, [&ran]() -> Status {
        ++ran;
        return {};
      });
      ASSERT_EQ(aclrtRecordEvent(event, stream), ACL_SUCCESS);
      aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
      ASSERT_EQ(aclrtStreamQuery(stream, &status), ACL_SUCCESS);
      if (i % 10 == static_cast<int>(thread)) {
        ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
        ASSERT_EQ(aclrtSynchronizeEvent(event), ACL_SUCCESS);
      }
    }
  });
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(ran.load(), 300 * static_cast<int>(kThreads));
}

TEST_F(StreamStress, StreamsThatWaitForEachOther) {
  std::deque<OwnStream> streams(8);
  std::deque<OwnEvent> events(8);
  std::atomic<int> ran{0};
  Storm([&](std::size_t thread) {
    for (std::size_t i = 0; i < 300; ++i) {
      const std::size_t own = (thread + i) % streams.size();
      const std::size_t other = (thread * 3 + i * 5) % streams.size();
      Run(streams[own], i % 4 == 0 ? Size::kBig : Size::kSmall, [&ran]() -> Status {
        ++ran;
        return {};
      });
      ASSERT_EQ(aclrtRecordEvent(events[own], streams[own]), ACL_SUCCESS);
      ASSERT_EQ(aclrtStreamWaitEvent(streams[other], events[own]), ACL_SUCCESS);
    }
  });
  ASSERT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
  EXPECT_EQ(ran.load(), 300 * static_cast<int>(kThreads));
}

TEST_F(StreamStress, CreateAndDestroyStorm) {
  uint32_t streams_before = 0;
  uint32_t events_before = 0;
  ASSERT_EQ(aclrtGetStreamAvailableNum(&streams_before), ACL_SUCCESS);
  ASSERT_EQ(aclrtGetEventAvailNum(&events_before), ACL_SUCCESS);
  std::atomic<int> ran{0};
  Storm([&](std::size_t) {
    for (int i = 0; i < 150; ++i) {
      aclrtStream stream = nullptr;
      aclrtEvent event = nullptr;
      ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
      ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
      Run(stream, i % 2 == 0 ? Size::kBig : Size::kSmall, [&ran]() -> Status {
        ++ran;
        return {};
      });
      ASSERT_EQ(aclrtRecordEvent(event, stream), ACL_SUCCESS);
      ASSERT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
      ASSERT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
    }
  });
  EXPECT_EQ(ran.load(), 150 * static_cast<int>(kThreads));
  uint32_t streams_after = 0;
  uint32_t events_after = 0;
  EXPECT_EQ(aclrtGetStreamAvailableNum(&streams_after), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetEventAvailNum(&events_after), ACL_SUCCESS);
  EXPECT_EQ(streams_after, streams_before);
  EXPECT_EQ(events_after, events_before);
}

// All threads work on the same handles, which any of them may have destroyed: every call either
// works or says that the handle is dead, and each object is destroyed exactly once.
TEST_F(StreamStress, HandlesSharedByThreadsThatDestroyThem) {
  constexpr std::size_t kHandles = 8;
  std::array<std::atomic<aclrtStream>, kHandles> streams;
  std::array<std::atomic<aclrtEvent>, kHandles> events;
  std::atomic<int> created{0};
  std::atomic<int> destroyed{0};
  const auto make = [&](std::size_t i) {
    aclrtStream stream = nullptr;
    aclrtEvent event = nullptr;
    ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC), ACL_SUCCESS);
    streams[i] = stream;
    events[i] = event;
    created += 2;
  };
  for (std::size_t i = 0; i < kHandles; ++i) make(i);
  const auto ok_or_dead = [](aclError result) {
    return result == ACL_SUCCESS || result == ACL_ERROR_RT_INVALID_HANDLE;
  };
  Storm([&](std::size_t thread) {
    for (std::size_t i = 0; i < 400; ++i) {
      const std::size_t at = (i * (thread + 1)) % kHandles;
      const aclrtStream stream = streams[at];
      const aclrtEvent event = events[(at + thread) % kHandles];
      EXPECT_TRUE(ok_or_dead(aclrtRecordEvent(event, stream)));
      EXPECT_TRUE(ok_or_dead(aclrtStreamWaitEvent(streams[(at + 1) % kHandles], event)));
      EXPECT_TRUE(ok_or_dead(aclrtSynchronizeEvent(event)));
      aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
      EXPECT_TRUE(ok_or_dead(aclrtStreamQuery(stream, &status)));
      if (i % 16 != thread) continue;
      const aclError stream_result =
          i % 2 == 0 ? aclrtDestroyStream(stream) : aclrtDestroyStreamForce(stream);
      EXPECT_TRUE(ok_or_dead(stream_result));
      destroyed += stream_result == ACL_SUCCESS ? 1 : 0;
      const aclrtEvent own = events[at];
      const aclError event_result = aclrtDestroyEvent(own);
      EXPECT_TRUE(ok_or_dead(event_result));
      destroyed += event_result == ACL_SUCCESS ? 1 : 0;
      if (stream_result == ACL_SUCCESS && event_result == ACL_SUCCESS) make(at);
    }
  });
  for (std::size_t i = 0; i < kHandles; ++i) {
    destroyed += aclrtDestroyStream(streams[i]) == ACL_SUCCESS ? 1 : 0;
    destroyed += aclrtDestroyEvent(events[i]) == ACL_SUCCESS ? 1 : 0;
  }
  EXPECT_EQ(destroyed.load(), created.load());
}

TEST_F(StreamStress, FaultsOfManyThreadsAreEachReturnedOnce) {
  const OwnStream stream;
  std::atomic<int> seen{0};
  const auto collect = [&seen] {
    const std::string messages = TakeMessages();
    for (std::size_t at = messages.find("indices[17]"); at != std::string::npos;
         at = messages.find("indices[17]", at + 1)) {
      ++seen;
    }
  };
  Storm([&](std::size_t) {
    for (int i = 0; i < 50; ++i) {
      Fail(stream, i % 2 == 0 ? Size::kSmall : Size::kBig);
      (void)aclrtSynchronizeStream(stream);
      collect();
    }
  });
  (void)aclrtSynchronizeStream(stream);
  collect();
  EXPECT_EQ(seen.load(), 50 * static_cast<int>(kThreads));
}

TEST_F(StreamStress, ContextsComeAndGoWhileOthersWork) {
  const OwnStream shared;
  std::atomic<int> ran{0};
  Storm([&](std::size_t thread) {
    for (int i = 0; i < 40; ++i) {
      if (thread % 2 == 0) {
        Run(shared, Size::kBig, [&ran]() -> Status {
          ++ran;
          return {};
        });
        ASSERT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
        continue;
      }
      aclrtContext context = nullptr;
      ASSERT_EQ(aclrtCreateContext(&context, 0), ACL_SUCCESS);
      aclrtStream stream = nullptr;
      ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
      Run(stream, Size::kBig, [&ran]() -> Status {
        ++ran;
        return {};
      });
      ASSERT_EQ(aclrtDestroyContext(context), ACL_SUCCESS);
    }
  });
  ASSERT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
  EXPECT_EQ(ran.load(), 40 * static_cast<int>(kThreads));
}

}  // namespace
}  // namespace belay::test
