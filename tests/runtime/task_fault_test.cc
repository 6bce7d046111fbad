// Faults that tasks meet: who returns them, once, and with which words.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <ostream>
#include <string>
#include <thread>
#include <tuple>

#include "support/test_task.h"
#include "support/threads.h"

namespace belay::test {
namespace {

constexpr aclError kFault = ACL_ERROR_RT_VECTOR_CORE_EXCEPTION;

int CountOf(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

// One way to wait for a stream, or for an event recorded at its end.
struct Wait {
  const char* function;
  std::function<aclError(aclrtStream stream, aclrtEvent event)> call;
};

// As ctest names the case.
void PrintTo(const Wait& wait, std::ostream* out) { *out << wait.function; }

const Wait kWaits[] = {
    {"aclrtSynchronizeStream",
     [](aclrtStream stream, aclrtEvent) { return aclrtSynchronizeStream(stream); }},
    {"aclrtSynchronizeStreamWithTimeout",
     [](aclrtStream stream, aclrtEvent) {
       return aclrtSynchronizeStreamWithTimeout(stream, 60000);
     }},
    {"aclrtSynchronizeDevice", [](aclrtStream, aclrtEvent) { return aclrtSynchronizeDevice(); }},
    {"aclrtSynchronizeDeviceWithTimeout",
     [](aclrtStream, aclrtEvent) { return aclrtSynchronizeDeviceWithTimeout(60000); }},
    {"aclrtSynchronizeEvent",
     [](aclrtStream, aclrtEvent event) { return aclrtSynchronizeEvent(event); }},
    {"aclrtSynchronizeEventWithTimeout",
     [](aclrtStream, aclrtEvent event) { return aclrtSynchronizeEventWithTimeout(event, 60000); }},
    {"aclrtStreamQuery",
     [](aclrtStream stream, aclrtEvent) {
       aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
       aclError result = ACL_SUCCESS;
       while (result == ACL_SUCCESS && status == ACL_STREAM_STATUS_NOT_READY) {
         std::this_thread::yield();
         result = aclrtStreamQuery(stream, &status);
       }
       return result;
     }},
};

class TaskFault : public TaskTest, public testing::WithParamInterface<std::tuple<Wait, Size>> {};

TEST_P(TaskFault, IsReturnedOnceByTheFirstWait) {
  const auto& [wait, size] = GetParam();
  const OwnStream stream;
  const OwnEvent event;
  Fail(stream, size);
  ASSERT_EQ(aclrtRecordEvent(event, stream), ACL_SUCCESS);
  ExpectRefused(wait.call(stream, event), kFault, std::string(wait.function) + ": ",
                "TestOperation: indices[17] is 4096; allowed 0..1023 (dimension 0 of var)");
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), kFault);
  for (const Wait& again : kWaits) {
    EXPECT_EQ(again.call(stream, event), ACL_SUCCESS) << again.function;
  }
  EXPECT_EQ(TakeMessages(), "");
}

TEST_P(TaskFault, OfSeveralTheFirstIsReturnedAndTheRestAreInTheMessage) {
  const auto& [wait, size] = GetParam();
  const OwnStream stream;
  const OwnEvent event;
  Run(stream, size, [] { return Refuse(Fault::kOutOfMemory, "first fault"); });
  Fail(stream, size, 2001);
  Run(stream, size, []() -> Status { return {}; });
  Fail(stream, size, 2002);
  ASSERT_EQ(aclrtRecordEvent(event, stream), ACL_SUCCESS);
  EXPECT_EQ(wait.call(stream, event), ACL_ERROR_RT_MEMORY_ALLOCATION);
  const std::string messages = TakeMessages();
  EXPECT_THAT(messages, testing::ContainsRegex("first fault(.|\n)*is 2001(.|\n)*is 2002"));
  EXPECT_EQ(CountOf(messages, wait.function), 1);
  EXPECT_EQ(wait.call(stream, event), ACL_SUCCESS);
}

INSTANTIATE_TEST_SUITE_P(Waits, TaskFault,
                         testing::Combine(testing::ValuesIn(kWaits),
                                          testing::Values(Size::kSmall, Size::kBig)),
                         [](const auto& params) {
                           return std::string(std::get<0>(params.param).function) +
                                  testing::PrintToString(std::get<1>(params.param));
                         });

class TaskFaults : public TaskTest {};

TEST_F(TaskFaults, AnEventRecordedBeforeTheTaskDoesNotReturnItsFault) {
  const OwnStream stream;
  const OwnEvent before;
  const OwnEvent after;
  ASSERT_EQ(aclrtRecordEvent(before, stream), ACL_SUCCESS);
  Fail(stream, Size::kSmall);
  ASSERT_EQ(aclrtRecordEvent(after, stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeEvent(before), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeEvent(after), kFault);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
}

TEST_F(TaskFaults, AnEventTakesTheFaultsUpToItselfOnly) {
  const OwnStream stream;
  const OwnEvent between;
  Fail(stream, Size::kSmall, 2001);
  ASSERT_EQ(aclrtRecordEvent(between, stream), ACL_SUCCESS);
  Fail(stream, Size::kSmall, 2002);
  EXPECT_EQ(aclrtSynchronizeEvent(between), kFault);
  EXPECT_THAT(TakeMessages(), testing::AllOf(testing::HasSubstr("is 2001"),
                                             testing::Not(testing::HasSubstr("is 2002"))));
  ExpectRefused(aclrtSynchronizeStream(stream), kFault, "is 2002");
}

TEST_F(TaskFaults, AnEventOfAnotherStreamThatWaitedDoesNotReturnIt) {
  const OwnStream failing;
  const OwnStream other;
  const OwnEvent end_of_failing;
  const OwnEvent end_of_other;
  Fail(failing, Size::kBig);
  ASSERT_EQ(aclrtRecordEvent(end_of_failing, failing), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(other, end_of_failing), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(end_of_other, other), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeEvent(end_of_other), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeEvent(end_of_failing), kFault);
}

TEST_F(TaskFaults, AnotherStreamsSynchroniseDoesNotReturnIt) {
  const OwnStream failing;
  const OwnStream other;
  Fail(failing, Size::kSmall);
  EXPECT_EQ(aclrtSynchronizeStream(other), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(failing), kFault);
}

TEST_F(TaskFaults, SynchronizeDeviceOrdersTheFaultsOfAllStreams) {
  const OwnStream one;
  const OwnStream two;
  Fail(two, Size::kSmall, 2001);
  Fail(one, Size::kSmall, 2002);
  Fail(two, Size::kSmall, 2003);
  EXPECT_EQ(aclrtSynchronizeDevice(), kFault);
  EXPECT_THAT(TakeMessages(), testing::ContainsRegex("is 2001(.|\n)*is 2002(.|\n)*is 2003"));
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
}

TEST_F(TaskFaults, MoreThanAMessageHoldsAreCounted) {
  constexpr int kFaults = 1000;
  const OwnStream stream;
  for (int i = 0; i < kFaults; ++i) Fail(stream, Size::kSmall, 2001 + i);
  EXPECT_EQ(aclrtSynchronizeStream(stream), kFault);
  const std::string text = TakeMessages();
  EXPECT_LT(text.size(), 16U * 1024);
  const int shown = CountOf(text, "indices[17] is ");
  EXPECT_GT(shown, 100);
  EXPECT_THAT(text, testing::StartsWith("aclrtSynchronizeStream: "));
  EXPECT_THAT(text, testing::HasSubstr("\nand " + std::to_string(kFaults - shown) +
                                       " further faults that are not shown [source: "));
  EXPECT_THAT(text, testing::EndsWith("]"));
}

TEST_F(TaskFaults, QueryOfABusyStreamDoesNotReturnIt) {
  const OwnStream stream;
  const Gate gate;
  Fail(stream, Size::kSmall);
  Hold(stream, gate.door());
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  EXPECT_EQ(aclrtStreamQuery(stream, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_STREAM_STATUS_NOT_READY);
  gate.Open();
  EXPECT_EQ(aclrtSynchronizeStream(stream), kFault);
}

TEST_F(TaskFaults, QueryLeavesTheStatusAloneWhenItReturnsAFault) {
  const OwnStream stream;
  Fail(stream, Size::kSmall);
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  EXPECT_EQ(aclrtStreamQuery(stream, &status), kFault);
  EXPECT_EQ(status, ACL_STREAM_STATUS_RESERVED);
}

TEST_F(TaskFaults, ATimeoutConsumesNothing) {
  const OwnStream stream;
  const OwnEvent event;
  const Gate gate;
  Fail(stream, Size::kSmall);
  Hold(stream, gate.door());
  ASSERT_EQ(aclrtRecordEvent(event, stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 1), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_EQ(aclrtSynchronizeDeviceWithTimeout(1), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, 1), ACL_ERROR_RT_EVENT_SYNC_TIMEOUT);
  (void)TakeMessages();
  gate.Open();
  ExpectRefused(aclrtSynchronizeStream(stream), kFault, "is 4096");
}

TEST_F(TaskFaults, TheFaultOfAStreamDestroyedUnaskedIsReturnedBySynchronizeDevice) {
  for (int round = 0; round < 200; ++round) {
    aclrtStream stream = nullptr;
    ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
    Fail(stream, round % 2 == 0 ? Size::kSmall : Size::kBig);
    ASSERT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
    ASSERT_EQ(aclrtSynchronizeDevice(), kFault) << round;
    ASSERT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS) << round;
  }
}

TEST_F(TaskFaults, AnEventReturnsTheFaultOfAStreamThatIsGone) {
  OwnStream own;
  const aclrtStream stream = own.Release();
  const OwnEvent event;
  Fail(stream, Size::kBig);
  ASSERT_EQ(aclrtRecordEvent(event, stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeEvent(event), kFault);
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
}

TEST_F(TaskFaults, TwoThreadsThatWaitGetItOnceBetweenThem) {
  const OwnStream stream;
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&context), ACL_SUCCESS);
  for (int round = 0; round < 100; ++round) {
    Fail(stream, Size::kBig);
    std::atomic<int> got{0};
    RunTogether(2, [&](std::size_t) {
      ASSERT_EQ(aclrtSetCurrentContext(context), ACL_SUCCESS);
      if (aclrtSynchronizeStream(stream) == kFault) got.fetch_add(1);
    });
    ASSERT_EQ(got.load(), 1);
  }
}

TEST_F(TaskFaults, WaitsOfTheLibraryItselfConsumeNothing) {
  const OwnStream stream;
  void* device = nullptr;
  ASSERT_EQ(aclrtMalloc(&device, 64, ACL_MEM_MALLOC_NORMAL_ONLY), ACL_SUCCESS);
  const char pageable[64] = "pageable";
  Fail(stream, Size::kBig);
  EXPECT_EQ(aclrtMemcpyAsync(device, 64, pageable, 64, ACL_MEMCPY_HOST_TO_DEVICE, stream),
            ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream), kFault);
  ASSERT_EQ(aclrtFree(device), ACL_SUCCESS);
}

}  // namespace
}  // namespace belay::test
