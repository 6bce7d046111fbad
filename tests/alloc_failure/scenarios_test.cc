// Queued work, faults and the life of a device, with each allocation on the way failing.
#include <acl/acl.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <vector>

#include "alloc_failure/device_fixture.h"
#include "alloc_failure/probe.h"
#include "runtime/machine.h"

namespace belay::alloc_failure {
namespace {

using runtime::HandleKind;
using runtime::LaunchTask;
using runtime::Machine;
using runtime::Ref;
using runtime::Stream;

std::atomic<int> runs{0};

Status Count(const Plan&, std::span<void* const>) {
  ++runs;
  return {};
}

Status Fail(const Plan&, std::span<void* const>) {
  ++runs;
  return Refuse(Fault::kTaskException, "element 3 is 9; allowed 0 to 8");
}

class Scenarios : public OnDevice {
 protected:
  Status Submit(Plan::Step run) {
    LaunchTask task;
    task.launch.plan.operation = "probe";
    task.launch.plan.run = run;
    return Stream::Submit(Machine::Get().streams().Acquire(stream_), std::move(task));
  }
};

TEST_F(Scenarios, AFailedLaunchDidNotRunAndAnAcceptedOneRanOnce) {
  for (std::int64_t nth = 1;; ++nth) {
    SCOPED_TRACE(nth);
    runs = 0;
    CloseGate();
    int accepted = 0;
    bool fired = false;
    {
      const Injection injection(nth);
      // Enough tasks that the queue's own storage grows.
      for (int i = 0; i < 40; ++i) {
        try {
          accepted += Submit(Count).ok() ? 1 : 0;
        } catch (const std::bad_alloc&) {
        }
      }
      fired = injection.fired();
    }
    OpenGate();
    EXPECT_EQ(runs, accepted);
    if (!fired || HasFailure()) break;
  }
}

TEST_F(Scenarios, AFailedCopyLeavesItsTargetAlone) {
  for (std::int64_t nth = 1;; ++nth) {
    SCOPED_TRACE(nth);
    ASSERT_EQ(aclrtMemset(device_, kBytes, 0xEE, kBytes), ACL_SUCCESS);
    CloseGate();
    std::vector<int> codes(32, -1);
    bool fired = false;
    {
      const Injection injection(nth);
      for (std::size_t i = 0; i < codes.size(); ++i) {
        codes[i] = aclrtMemsetAsync(static_cast<char*>(device_) + i, 1, 0x11, 1, stream_);
      }
      fired = injection.fired();
    }
    OpenGate();
    const auto* bytes = static_cast<const unsigned char*>(device_);
    for (std::size_t i = 0; i < codes.size(); ++i) {
      EXPECT_TRUE(codes[i] == ACL_SUCCESS || codes[i] == ACL_ERROR_RT_MEMORY_ALLOCATION);
      EXPECT_EQ(bytes[i], codes[i] == ACL_SUCCESS ? 0x11 : 0xEE) << i;
    }
    if (!fired || HasFailure()) break;
  }
}

TEST_F(Scenarios, EveryQueuedCallSucceedsOrLeavesNoTrace) {
  char* const host = static_cast<char*>(pinned_);
  const auto close = [&] { CloseGate(); };
  const auto open = [&] { OpenGate(); };
  const std::vector<Probe> probes = {
      {.name = "aclrtMemcpyAsync",
       .call =
           [&] {
             return aclrtMemcpyAsync(device_, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE, stream_);
           },
       .prepare = close,
       .undo = open,
       .unharmed = open},
      {.name = "aclrtMemcpy2dAsync",
       .call =
           [&] {
             return aclrtMemcpy2dAsync(device_, 64, host, 64, 32, 4, ACL_MEMCPY_HOST_TO_DEVICE,
                                       stream_);
           },
       .prepare = close,
       .undo = open,
       .unharmed = open},
      {.name = "aclrtMemsetAsync",
       .call = [&] { return aclrtMemsetAsync(device_, 64, 1, 64, stream_); },
       .prepare = close,
       .undo = open,
       .unharmed = open},
      {.name = "aclrtRecordEvent",
       .call = [&] { return aclrtRecordEvent(event_, stream_); },
       .prepare = close,
       .undo = open,
       .unharmed = open},
  };
  for (const Probe& probe : probes) ExpectSurvives(probe);
}

TEST_F(Scenarios, AWaitStandsOrDoesNot) {
  CloseGate();  // now there is a thread to hold a stream
  OpenGate();
  aclrtEventWaitStatus waits{};
  ExpectSurvives({.name = "aclrtStreamWaitEvent",
                  .call = [&] { return aclrtStreamWaitEvent(stream_, gate_); },
                  .prepare = [&] { ASSERT_EQ(aclrtResetEvent(gate_, stream_), ACL_SUCCESS); },
                  .undo = [&] { OpenGate(); },
                  .unharmed =
                      [&] {
                        ASSERT_EQ(aclrtQueryEventWaitStatus(gate_, &waits), ACL_SUCCESS);
                        EXPECT_EQ(waits, ACL_EVENT_WAIT_STATUS_COMPLETE);
                        EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream_, 1000), ACL_SUCCESS);
                      }});
}

TEST_F(Scenarios, AFailedRecordLeavesTheEventAsItWas) {
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC), ACL_SUCCESS);
  aclrtEventRecordedStatus status{};
  ExpectSurvives({.name = "aclrtRecordEvent, idle stream",
                  .call = [&] { return aclrtRecordEvent(event, stream_); },
                  .prepare = [&] { ASSERT_EQ(aclrtResetEvent(event, stream_), ACL_SUCCESS); },
                  .unharmed =
                      [&] {
                        ASSERT_EQ(aclrtQueryEventStatus(event, &status), ACL_SUCCESS);
                        EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_NOT_READY);
                      }});
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
}

// A fault is returned once: by the wait that had memory for it, or by the next.
void ExpectDelivered(const char* name, const std::function<void()>& cause,
                     const std::function<int()>& wait) {
  ExpectSurvives({.name = name,
                  .call = wait,
                  .expected = ACL_ERROR_RT_VECTOR_CORE_EXCEPTION,
                  .prepare = cause,
                  .undo = [&] { EXPECT_EQ(wait(), ACL_SUCCESS); },
                  .unharmed =
                      [&] {
                        EXPECT_EQ(wait(), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
                        EXPECT_EQ(wait(), ACL_SUCCESS);
                      }});
}

TEST_F(Scenarios, FaultsAreNotLostByTheWaitThatRunsOutOfMemory) {
  const auto three = [&] {
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(Submit(Fail).ok());
  };
  const auto three_then_record = [&] {
    three();
    ASSERT_EQ(aclrtRecordEvent(event_, stream_), ACL_SUCCESS);
  };
  aclrtStreamStatus status{};
  ExpectDelivered("stream", three, [&] { return aclrtSynchronizeStream(stream_); });
  ExpectDelivered("query", three, [&] { return aclrtStreamQuery(stream_, &status); });
  ExpectDelivered("event", three_then_record, [&] { return aclrtSynchronizeEvent(event_); });
  ExpectDelivered("device", three, [] { return aclrtSynchronizeDevice(); });
  const auto stopping = [&] {
    ASSERT_EQ(aclrtSetStreamFailureMode(stream_, ACL_STOP_ON_FAILURE), ACL_SUCCESS);
    three();
  };
  ExpectDelivered("stopped stream", stopping, [&] { return aclrtSynchronizeStream(stream_); });
}

TEST_F(Scenarios, FaultsOfSeveralStreamsAndOfGoneOnesAreNotLost) {
  const auto cause = [&] {
    aclrtStream gone = nullptr;
    ASSERT_EQ(aclrtCreateStream(&gone), ACL_SUCCESS);
    for (const aclrtStream stream : {stream_, other_stream_, gone}) {
      LaunchTask task;
      task.launch.plan.operation = "probe";
      task.launch.plan.run = Fail;
      ASSERT_TRUE(Stream::Submit(Machine::Get().streams().Acquire(stream), std::move(task)).ok());
    }
    ASSERT_EQ(aclrtDestroyStream(gone), ACL_SUCCESS);
  };
  // What one wait has no memory for is there for a later one.
  for (std::int64_t nth = 1;; ++nth) {
    SCOPED_TRACE(nth);
    cause();
    bool fired = false;
    int first = 0;
    {
      const Injection injection(nth);
      first = aclrtSynchronizeDevice();
      fired = injection.fired();
    }
    if (first != ACL_ERROR_RT_VECTOR_CORE_EXCEPTION) {
      EXPECT_EQ(first, ACL_ERROR_RT_MEMORY_ALLOCATION);
      EXPECT_EQ(aclrtSynchronizeDevice(), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
    } else if (!fired) {
      EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
    }
    while (aclrtSynchronizeDevice() != ACL_SUCCESS && !HasFailure()) {
    }
    if (!fired || HasFailure()) break;
  }
}

TEST_F(Scenarios, AFaultIsKeptWhenThereIsNoMemoryForItsMessage) {
  for (std::int64_t nth = 1;; ++nth) {
    SCOPED_TRACE(nth);
    bool fired = false;
    {
      const Injection injection(nth);
      EXPECT_TRUE(Submit(Fail).ok());
      fired = injection.fired();
    }
    EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
    EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
    if (!fired || HasFailure()) break;
  }
}

TEST_F(Scenarios, ForceDropsAQueueWithoutMemory) {
  aclrtStream doomed = nullptr;
  const std::uint32_t streams = ReadAccounts().streams;
  Probe probe = NeverFails(
      "aclrtDestroyStreamForce",
      [&] {
        ASSERT_EQ(aclrtResetEvent(gate_, other_stream_), ACL_SUCCESS);
        ASSERT_EQ(aclrtCreateStream(&doomed), ACL_SUCCESS);
        ASSERT_EQ(aclrtStreamWaitEvent(doomed, gate_), ACL_SUCCESS);
        ASSERT_EQ(aclrtRecordEvent(event_, doomed), ACL_SUCCESS);
      },
      [&] { return aclrtDestroyStreamForce(doomed); });
  probe.undo = [&] {
    // The dropped record lets go of whoever waits for it.
    EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event_, 5000), ACL_SUCCESS);
    OpenGate();
    // The stream is gone when the thread that stood in its wait has left it.
    while (ReadAccounts().streams != streams) std::this_thread::yield();
  };
  ExpectSurvives(probe);
}

TEST_F(Scenarios, NoThreadToBeHad) {
  const Accounts before = ReadAccounts();
  // Each held stream needs a thread of its own.
  std::vector<aclrtStream> streams(4, nullptr);
  for (aclrtStream& stream : streams) ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtResetEvent(gate_, other_stream_), ACL_SUCCESS);
  for (const aclrtStream stream : streams) {
    int code = 0;
    bool fired = false;
    {
      const Injection injection(1, Source::kThread);
      code = aclrtStreamWaitEvent(stream, gate_);
      fired = injection.fired();
    }
    if (fired) {
      EXPECT_EQ(code, ACL_ERROR_RT_RESOURCE_ALLOC_FAIL);
      EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 1000), ACL_SUCCESS);
      code = aclrtStreamWaitEvent(stream, gate_);
    }
    EXPECT_EQ(code, ACL_SUCCESS);
  }
  EXPECT_EQ(aclrtRecordEvent(gate_, other_stream_), ACL_SUCCESS);
  for (const aclrtStream stream : streams) EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  OpenGate();
  EXPECT_EQ(ReadAccounts().free_bytes, before.free_bytes);
}

TEST_F(Scenarios, NoMemoryForAThread) {
  // A second held stream needs a second thread, and that a little memory.
  aclrtStream held = nullptr;
  ASSERT_EQ(aclrtCreateStream(&held), ACL_SUCCESS);
  CloseGate();
  int code = -1;
  for (std::int64_t nth = 1; code != ACL_SUCCESS && !HasFailure(); ++nth) {
    const Injection injection(nth);
    code = aclrtStreamWaitEvent(held, gate_);
    if (code == ACL_SUCCESS) break;
    EXPECT_TRUE(injection.fired());
    EXPECT_TRUE(code == ACL_ERROR_RT_MEMORY_ALLOCATION || code == ACL_ERROR_RT_RESOURCE_ALLOC_FAIL)
        << code;
  }
  OpenGate();
  EXPECT_EQ(aclrtDestroyStream(held), ACL_SUCCESS);
}

TEST_F(Scenarios, LargeCopiesSurviveWithoutNewThreads) {
  constexpr std::size_t kLarge = std::size_t{8} << 20;
  void* large = nullptr;
  ASSERT_EQ(aclrtMalloc(&large, kLarge, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  {
    const Injection injection(1, Source::kThread);
    const int code = aclrtMemset(large, kLarge, 0x5A, kLarge);
    EXPECT_TRUE(code == ACL_SUCCESS || injection.fired()) << code;
  }
  ASSERT_EQ(aclrtMemset(large, kLarge, 0x5B, kLarge), ACL_SUCCESS);
  const auto* bytes = static_cast<const unsigned char*>(large);
  EXPECT_EQ(bytes[0], 0x5B);
  EXPECT_EQ(bytes[kLarge - 1], 0x5B);
  EXPECT_EQ(std::memcmp(bytes, bytes + 1, kLarge - 1), 0);
  EXPECT_EQ(aclrtFree(large), ACL_SUCCESS);
}

TEST_F(Scenarios, LargeCopiesSurviveWithoutMemory) {
  constexpr std::size_t kLarge = std::size_t{4} << 20;
  void* large = nullptr;
  ASSERT_EQ(aclrtMalloc(&large, kLarge, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  ExpectSurvives(
      {.name = "aclrtMemset", .call = [&] { return aclrtMemset(large, kLarge, 0x5A, kLarge); }});
  EXPECT_EQ(aclrtFree(large), ACL_SUCCESS);
}

TEST(Life, OfADevice) {
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  std::int32_t active = 1;
  ExpectSurvives({.name = "aclrtSetDevice",
                  .call = [] { return aclrtSetDevice(0); },
                  .undo = [] { EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS); },
                  .unharmed =
                      [&] {
                        ASSERT_EQ(aclrtGetPrimaryCtxState(0, nullptr, &active), ACL_SUCCESS);
                        EXPECT_EQ(active, 0);
                      }});
  const auto fill_device = [] {
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    for (int i = 0; i < 3; ++i) {
      void* thing = nullptr;
      ASSERT_EQ(aclrtMalloc(&thing, 4096, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
      ASSERT_EQ(aclrtCreateStream(&thing), ACL_SUCCESS);
    }
  };
  const auto expect_empty = [] {
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    const Accounts accounts = ReadAccounts();
    std::size_t free_bytes = 0;
    std::size_t total = 0;
    ASSERT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total), ACL_SUCCESS);
    EXPECT_EQ(free_bytes, total);
    EXPECT_EQ(accounts.streams, 1983U);  // all but the default stream
    ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  };
  for (const auto& reset : {aclrtResetDevice, aclrtResetDeviceForce}) {
    Probe probe = NeverFails("aclrtResetDevice", fill_device, [&] { return reset(0); });
    probe.undo = expect_empty;
    ExpectSurvives(probe);
  }
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
}

}  // namespace
}  // namespace belay::alloc_failure
