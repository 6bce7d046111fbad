// What an observer is told, and in which order.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/observer.h"
#include "support/test_task.h"

namespace belay::test {
namespace {

// Writes down what it is told, in a few letters each.
class Recorder : public Observer {
 public:
  Recorder() { Machine::Get().SetObserver(this); }
  ~Recorder() override { Machine::Get().SetObserver(nullptr); }

  void OnAllocate(ByteRange block, std::int32_t device, std::uint64_t) override {
    journal_.Add(fmt::format("allocate {} on {}", block.size, device));
  }
  void OnFree(ByteRange block, std::int32_t device, std::uint64_t) override {
    journal_.Add(fmt::format("free {} on {}", block.size, device));
  }
  void OnHostLaunch(const Launch& launch, std::uint64_t) override {
    journal_.Add(fmt::format("host launch {}", launch.plan.operation));
  }
  void OnSubmit(std::int32_t stream, std::uint64_t sequence, const Launch& launch) override {
    journal_.Add(fmt::format("submit {}.{} {}", stream, sequence, launch.plan.operation));
  }
  void OnFinish(std::int32_t stream, std::uint64_t sequence, const Status& result) override {
    journal_.Add(fmt::format("finish {}.{} {}", stream, sequence, result.ok() ? "ok" : "fault"));
  }
  void OnRecord(std::uint32_t event, std::int32_t stream, std::uint64_t sequence) override {
    journal_.Add(fmt::format("record e{} {}.{}", event, stream, sequence));
  }
  void OnStreamWait(std::int32_t stream, std::uint32_t event) override {
    journal_.Add(fmt::format("stream wait {} e{}", stream, event));
  }
  void OnHostWait(std::int32_t stream, std::uint64_t sequence) override {
    journal_.Add(fmt::format("host wait {}.{}", stream, sequence));
  }

  std::vector<std::string> entries() const { return journal_.entries(); }

 private:
  Journal<std::string> journal_;
};

class ObserverTest : public TaskTest {
 protected:
  static int32_t Id(aclrtStream stream) {
    int32_t id = -1;
    EXPECT_EQ(aclrtStreamGetId(stream, &id), ACL_SUCCESS);
    return id;
  }
  static uint32_t Id(const OwnEvent& event) {
    uint32_t id = 0;
    EXPECT_EQ(aclrtGetEventId(event, &id), ACL_SUCCESS);
    return id;
  }
  static Status Nothing() { return {}; }
};

using testing::ElementsAre;

TEST_F(ObserverTest, SeesALaunchEnterAndEnd) {
  const OwnStream stream;
  const int32_t s = Id(stream);
  for (const Size size : {Size::kSmall, Size::kBig}) {
    const Recorder recorder;
    const std::uint64_t sequence = size == Size::kSmall ? 1 : 2;
    Run(stream, size, Nothing);
    ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
    EXPECT_THAT(recorder.entries(),
                ElementsAre(fmt::format("submit {}.{} TestOperation", s, sequence),
                            fmt::format("finish {}.{} ok", s, sequence),
                            fmt::format("host wait {}.{}", s, sequence)));
  }
}

TEST_F(ObserverTest, SeesTheFaultOfALaunch) {
  const OwnStream stream;
  const int32_t s = Id(stream);
  const Recorder recorder;
  Fail(stream, Size::kBig);
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
  EXPECT_THAT(recorder.entries(),
              ElementsAre(fmt::format("submit {}.1 TestOperation", s),
                          fmt::format("finish {}.1 fault", s), fmt::format("host wait {}.1", s)));
}

TEST_F(ObserverTest, SeesRecordsAndStreamWaits) {
  const OwnStream producer;
  const OwnStream consumer;
  const OwnEvent event;
  const int32_t p = Id(producer);
  const int32_t c = Id(consumer);
  const uint32_t e = Id(event);
  const Recorder recorder;
  Run(producer, Size::kSmall, Nothing);
  ASSERT_EQ(aclrtRecordEvent(event, producer), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(consumer, event), ACL_SUCCESS);
  Run(consumer, Size::kSmall, Nothing);
  ASSERT_EQ(aclrtSynchronizeStream(consumer), ACL_SUCCESS);
  EXPECT_THAT(
      recorder.entries(),
      ElementsAre(fmt::format("submit {}.1 TestOperation", p), fmt::format("finish {}.1 ok", p),
                  fmt::format("record e{} {}.2", e, p), fmt::format("stream wait {} e{}", c, e),
                  fmt::format("submit {}.2 TestOperation", c), fmt::format("finish {}.2 ok", c),
                  fmt::format("host wait {}.2", c)));
}

TEST_F(ObserverTest, SeesEveryWayInWhichTheHostLearnsThatTasksAreDone) {
  const OwnStream stream;
  const OwnEvent event(EventKind::kDefault);
  const int32_t s = Id(stream);
  Run(stream, Size::kSmall, Nothing);
  ASSERT_EQ(aclrtRecordEvent(event, stream), ACL_SUCCESS);
  Run(stream, Size::kSmall, Nothing);
  const std::string up_to_event = fmt::format("host wait {}.2", s);
  const std::string all = fmt::format("host wait {}.3", s);

  const auto seen = [](auto call) {
    const Recorder recorder;
    EXPECT_EQ(call(), ACL_SUCCESS);
    return recorder.entries();
  };
  aclrtStreamStatus stream_status = ACL_STREAM_STATUS_RESERVED;
  aclrtEventStatus event_status = ACL_EVENT_STATUS_RESERVED;
  auto recorded_status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
  EXPECT_THAT(seen([&] { return aclrtSynchronizeStream(stream); }), ElementsAre(all));
  EXPECT_THAT(seen([&] { return aclrtSynchronizeStreamWithTimeout(stream, 1000); }),
              ElementsAre(all));
  EXPECT_THAT(seen([&] { return aclrtStreamQuery(stream, &stream_status); }), ElementsAre(all));
  EXPECT_THAT(seen([&] { return aclrtSynchronizeDevice(); }), testing::Contains(all));
  EXPECT_THAT(seen([&] { return aclrtSynchronizeEvent(event); }), ElementsAre(up_to_event));
  EXPECT_THAT(seen([&] { return aclrtSynchronizeEventWithTimeout(event, 1000); }),
              ElementsAre(up_to_event));
  EXPECT_THAT(seen([&] { return QueryEvent(event, &event_status); }), ElementsAre(up_to_event));
  EXPECT_THAT(seen([&] { return aclrtQueryEventStatus(event, &recorded_status); }),
              ElementsAre(up_to_event));
}

TEST_F(ObserverTest, SeesNoHostWaitWhileWorkIsLeft) {
  const OwnStream stream;
  const OwnEvent event(EventKind::kDefault);
  Blocker blocker(stream);
  ASSERT_EQ(aclrtRecordEvent(event, stream), ACL_SUCCESS);
  const Recorder recorder;
  aclrtStreamStatus stream_status = ACL_STREAM_STATUS_RESERVED;
  aclrtEventStatus event_status = ACL_EVENT_STATUS_RESERVED;
  EXPECT_EQ(aclrtStreamQuery(stream, &stream_status), ACL_SUCCESS);
  EXPECT_EQ(QueryEvent(event, &event_status), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 1), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, 1), ACL_ERROR_RT_EVENT_SYNC_TIMEOUT);
  EXPECT_THAT(recorder.entries(), ElementsAre());
}

TEST_F(ObserverTest, SeesNoWaitThatIsNone) {
  const OwnStream stream;
  const OwnEvent event;
  const Recorder recorder;
  EXPECT_EQ(aclrtStreamWaitEvent(stream, event), ACL_SUCCESS);  // never recorded
  EXPECT_THAT(recorder.entries(), ElementsAre());
}

TEST_F(ObserverTest, SeesMemoryAndHostLaunches) {
  const Recorder recorder;
  void* device = nullptr;
  char host[64] = {};
  ASSERT_EQ(aclrtMallocAlign32(&device, 64, ACL_MEM_MALLOC_NORMAL_ONLY), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemset(device, 64, 1, 64), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemcpy(host, 64, device, 64, ACL_MEMCPY_DEVICE_TO_HOST), ACL_SUCCESS);
  ASSERT_EQ(aclrtFree(device), ACL_SUCCESS);
  EXPECT_THAT(recorder.entries(), ElementsAre("allocate 64 on 0", "host launch fill",
                                              "host launch copy", "free 64 on 0"));
}

TEST_F(ObserverTest, SeesDroppedLaunchesEnterOnly) {
  const OwnStream stream;
  const int32_t s = Id(stream);
  ASSERT_EQ(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE), ACL_SUCCESS);
  const Recorder recorder;
  Fail(stream, Size::kSmall);
  Run(stream, Size::kSmall, Nothing);
  EXPECT_THAT(recorder.entries(), ElementsAre(fmt::format("submit {}.1 TestOperation", s),
                                              fmt::format("finish {}.1 fault", s),
                                              fmt::format("submit {}.2 TestOperation", s)));
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
}

TEST_F(ObserverTest, IsNotCalledOnceUnset) {
  const OwnStream stream;
  Recorder recorder;
  Machine::Get().SetObserver(nullptr);
  Run(stream, Size::kBig, Nothing);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_THAT(recorder.entries(), ElementsAre());
}

}  // namespace
}  // namespace belay::test
