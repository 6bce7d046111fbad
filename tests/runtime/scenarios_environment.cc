// What depends on environment variables: limits of a small chip, launches that block.
#include <pthread.h>

#include <atomic>
#include <cstring>
#include <latch>
#include <string>
#include <thread>
#include <vector>

#include "runtime/scenario.h"

namespace belay::test {
namespace {

bool NextMessageHas(const char* text) {
  const char* messages = aclGetRecentErrMsg();
  return messages != nullptr && std::strstr(messages, text) != nullptr;
}

aclrtStream NewStream() {
  aclrtStream stream = nullptr;
  SCENARIO_OK(aclrtCreateStream(&stream));
  return stream;
}

// BELAY_SOC=Ascend310P3
int StreamLimit() {
  SCENARIO_OK(aclrtSetDevice(0));
  uint32_t available = 0;
  SCENARIO_OK(aclrtGetStreamAvailableNum(&available));
  SCENARIO_CHECK(available == 1024 - 1);  // the default stream is one
  std::vector<aclrtStream> streams;
  for (uint32_t i = 0; i < available; ++i) streams.push_back(NewStream());
  uint32_t left = 77;
  SCENARIO_OK(aclrtGetStreamAvailableNum(&left));
  SCENARIO_CHECK(left == 0);
  int local = 0;
  aclrtStream stream = &local;
  SCENARIO_CHECK(aclrtCreateStream(&stream) == ACL_ERROR_RT_NO_STREAM_RESOURCE);
  SCENARIO_CHECK(stream == &local);
  SCENARIO_CHECK(
      NextMessageHas("aclrtCreateStream: device 0 has 1024 streams; allowed at most "
                     "1024 on Ascend310P3"));
  aclrtContext context = nullptr;
  SCENARIO_CHECK(aclrtCreateContext(&context, 0) == ACL_ERROR_RT_NO_STREAM_RESOURCE);
  SCENARIO_CHECK(context == nullptr);
  for (int i = 0; i < 200; ++i) {  // a destroyed stream makes room at once
    SCENARIO_OK(aclrtDestroyStream(streams.back()));
    SCENARIO_OK(aclrtCreateStream(&streams.back()));
  }
  for (const aclrtStream each : streams) SCENARIO_OK(aclrtDestroyStream(each));
  SCENARIO_OK(aclrtGetStreamAvailableNum(&left));
  SCENARIO_CHECK(left == 1024 - 1);
  return 0;
}

// BELAY_SOC=Ascend310P3
int EventLimit() {
  SCENARIO_OK(aclrtSetDevice(0));
  uint32_t available = 0;
  SCENARIO_OK(aclrtGetEventAvailNum(&available));
  SCENARIO_CHECK(available == 1023);
  std::vector<aclrtEvent> events(available);
  for (aclrtEvent& event : events) SCENARIO_OK(aclrtCreateEvent(&event));
  int local = 0;
  aclrtEvent event = &local;
  SCENARIO_CHECK(aclrtCreateEvent(&event) == ACL_ERROR_RT_NO_EVENT_RESOURCE);
  SCENARIO_CHECK(
      NextMessageHas("aclrtCreateEvent: device 0 has 1023 events; allowed at most 1023 "
                     "on Ascend310P3"));
  SCENARIO_CHECK(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC) ==
                 ACL_ERROR_RT_NO_EVENT_RESOURCE);
  SCENARIO_CHECK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC) ==
                 ACL_ERROR_RT_NO_EVENT_RESOURCE);
  SCENARIO_CHECK(event == &local);
  SCENARIO_OK(aclrtDestroyEvent(events.back()));
  SCENARIO_OK(aclrtCreateEvent(&events.back()));
  for (const aclrtEvent each : events) SCENARIO_OK(aclrtDestroyEvent(each));
  SCENARIO_OK(aclrtGetEventAvailNum(&available));
  SCENARIO_CHECK(available == 1023);
  return 0;
}

// BELAY_SOC=Ascend310P3
int NoHugeStreams() {
  SCENARIO_OK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  SCENARIO_CHECK(aclrtCreateStreamWithConfig(&stream, 0, ACL_STREAM_HUGE) ==
                 ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  SCENARIO_CHECK(stream == nullptr);
  SCENARIO_CHECK(NextMessageHas("ACL_STREAM_HUGE (0x8) on Ascend310P3; allowed on"));
  return 0;
}

// BELAY_LAUNCH_BLOCKING=1
int LaunchesBlock() {
  SCENARIO_OK(aclrtSetDevice(0));
  const aclrtStream stream = NewStream();
  std::atomic<int> ran{0};
  const std::function<Status()> body = [&ran]() -> Status {
    ++ran;
    return {};
  };
  for (int i = 1; i <= 200; ++i) {
    SCENARIO_CHECK(LaunchForever(stream, body, /*small=*/i % 2 == 0).ok());
    SCENARIO_CHECK(ran == i);
  }
  return 0;
}

// BELAY_LAUNCH_BLOCKING=1
int LaunchesOfManyThreadsBlock() {
  SCENARIO_OK(aclrtSetDevice(0));
  aclrtContext context = nullptr;
  SCENARIO_OK(aclrtGetCurrentContext(&context));
  const aclrtStream stream = NewStream();
  std::vector<std::jthread> threads;
  std::latch start(4);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&start, context, stream] {
      SCENARIO_OK(aclrtSetCurrentContext(context));
      aclrtEvent event = nullptr;
      SCENARIO_OK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
      SCENARIO_OK(aclrtRecordEvent(event, nullptr));
      start.arrive_and_wait();
      int ran = 0;
      const std::function<Status()> body = [&ran]() -> Status {
        ++ran;
        return {};
      };
      for (int i = 1; i <= 300; ++i) {
        SCENARIO_OK(aclrtStreamWaitEvent(stream, event));  // reached long ago: holds nothing up
        SCENARIO_CHECK(LaunchForever(stream, body, /*small=*/false).ok());
        SCENARIO_CHECK(ran == i);
      }
    });
  }
  return 0;
}

// BELAY_LAUNCH_BLOCKING=1
int ABlockingLaunchReturnsNoFault() {
  SCENARIO_OK(aclrtSetDevice(0));
  const aclrtStream stream = NewStream();
  const std::function<Status()> body = [] { return Refuse(Fault::kTaskException, "bad value"); };
  SCENARIO_CHECK(LaunchForever(stream, body, /*small=*/false).ok());
  SCENARIO_CHECK(aclGetRecentErrMsg() == nullptr);
  SCENARIO_CHECK(aclrtSynchronizeStream(stream) == ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
  return 0;
}

// BELAY_LAUNCH_BLOCKING=1
int AHeldStreamDoesNotHangABlockingLaunch() {
  SCENARIO_OK(aclrtSetDevice(0));
  const aclrtStream stream = NewStream();
  const aclrtStream recording = NewStream();
  aclrtEvent event = nullptr;
  SCENARIO_OK(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC));
  SCENARIO_OK(aclrtStreamWaitEvent(stream, event));
  std::atomic<int> ran{0};
  const std::function<Status()> body = [&ran]() -> Status {
    ++ran;
    return {};
  };
  SCENARIO_CHECK(LaunchForever(stream, body, /*small=*/false).ok());
  SCENARIO_CHECK(LaunchForever(stream, body, /*small=*/true).ok());
  SCENARIO_CHECK(ran == 0);
  SCENARIO_OK(aclrtRecordEvent(event, recording));
  SCENARIO_OK(aclrtSynchronizeStream(stream));
  SCENARIO_CHECK(ran == 2);
  SCENARIO_CHECK(LaunchForever(stream, body, /*small=*/false).ok());
  SCENARIO_CHECK(ran == 3);
  return 0;
}

// A launch inside a host function of its own stream, one behind a function that goes on only after
// it, and one behind a callback that nobody runs yet.
int HostFunctionsDoNotHangABlockingLaunch() {
  SCENARIO_OK(aclrtSetDevice(0));
  static const aclrtStream stream = NewStream();
  static std::atomic<int> ran{0};
  static std::atomic<bool> launched{false};
  static const std::function<Status()> body = []() -> Status {
    ++ran;
    return {};
  };
  SCENARIO_OK(aclrtLaunchHostFunc(
      stream,
      [](void*) {
        while (!launched) std::this_thread::yield();
        SCENARIO_CHECK(LaunchForever(stream, body, /*small=*/false).ok());
        SCENARIO_CHECK(ran == 0);
      },
      nullptr));
  SCENARIO_CHECK(LaunchForever(stream, body, /*small=*/false).ok());
  launched = true;
  SCENARIO_OK(aclrtSynchronizeStream(stream));
  SCENARIO_OK(aclrtSynchronizeStream(stream));  // what the function launched
  SCENARIO_CHECK(ran == 2);

  const aclrtStream served = NewStream();
  SCENARIO_OK(aclrtSubscribeReport(static_cast<uint64_t>(::pthread_self()), served));
  SCENARIO_OK(aclrtLaunchCallback([](void*) {}, nullptr, ACL_CALLBACK_BLOCK, served));
  SCENARIO_CHECK(LaunchForever(served, body, /*small=*/false).ok());
  SCENARIO_CHECK(ran == 2);
  SCENARIO_OK(aclrtProcessReport(-1));
  SCENARIO_OK(aclrtSynchronizeStream(served));
  SCENARIO_CHECK(ran == 3);
  return 0;
}

constexpr Scenario kScenarios[] = {
    {"StreamLimit", StreamLimit},
    {"EventLimit", EventLimit},
    {"NoHugeStreams", NoHugeStreams},
    {"LaunchesBlock", LaunchesBlock},
    {"LaunchesOfManyThreadsBlock", LaunchesOfManyThreadsBlock},
    {"ABlockingLaunchReturnsNoFault", ABlockingLaunchReturnsNoFault},
    {"AHeldStreamDoesNotHangABlockingLaunch", AHeldStreamDoesNotHangABlockingLaunch},
    {"HostFunctionsDoNotHangABlockingLaunch", HostFunctionsDoNotHangABlockingLaunch},
};

}  // namespace

std::span<const Scenario> EnvironmentScenarios() { return kScenarios; }

}  // namespace belay::test
