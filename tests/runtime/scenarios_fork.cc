// Children made by fork that do not exec.
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <latch>
#include <string>
#include <thread>
#include <vector>

#include "runtime/scenario.h"

namespace belay::test {
namespace {

constexpr std::size_t kBytes = 8 << 20;

aclrtStream NewStream() {
  aclrtStream stream = nullptr;
  SCENARIO_OK(aclrtCreateStream(&stream));
  return stream;
}

// What a working runtime can do.
void UseEverything() {
  SCENARIO_OK(aclrtSetDevice(0));
  const aclrtStream one = NewStream();
  const aclrtStream two = NewStream();
  aclrtEvent event = nullptr;
  SCENARIO_OK(aclrtCreateEvent(&event));
  void* block = nullptr;
  SCENARIO_OK(aclrtMalloc(&block, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY));
  SCENARIO_OK(aclrtMemsetAsync(block, kBytes, 7, kBytes, one));
  SCENARIO_OK(aclrtRecordEvent(event, one));
  SCENARIO_OK(aclrtStreamWaitEvent(two, event));
  std::vector<char> bytes(kBytes);
  SCENARIO_OK(
      aclrtMemcpyAsync(bytes.data(), kBytes, block, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, two));
  SCENARIO_OK(aclrtSynchronizeStream(two));
  SCENARIO_CHECK(bytes.front() == 7 && bytes.back() == 7);
  SCENARIO_OK(aclrtFree(block));
  SCENARIO_OK(aclrtDestroyEvent(event));
  SCENARIO_OK(aclrtDestroyStream(one));
  SCENARIO_OK(aclrtDestroyStream(two));
}

// Handles and memory of the parent.
struct Belongings {
  aclrtStream stream;
  aclrtEvent event;
  aclrtContext context;
  void* block;
};

// A child may neither hang nor be told that something worked.
void ExpectAllRefused(const Belongings& parents) {
  aclrtStream stream = nullptr;
  aclrtEvent event = nullptr;
  aclrtContext context = nullptr;
  void* block = nullptr;
  int32_t id = 0;
  uint32_t number = 0;
  uint64_t references = 0;
  std::size_t free = 0;
  std::size_t total = 0;
  float ms = 0;
  char host[64] = {};
  aclrtStreamStatus stream_status = ACL_STREAM_STATUS_RESERVED;
  auto event_status = ACL_EVENT_RECORDED_STATUS_COMPLETE;
  const aclError results[] = {
      aclInit(nullptr),
      aclrtSetDevice(0),
      aclrtGetDevice(&id),
      aclrtGetDeviceCount(&number),
      aclrtCreateContext(&context, 0),
      aclrtSetCurrentContext(parents.context),
      aclrtGetCurrentContext(&context),
      aclrtDestroyContext(parents.context),
      aclrtCreateStream(&stream),
      aclrtStreamQuery(parents.stream, &stream_status),
      aclrtSynchronizeStream(parents.stream),
      aclrtSynchronizeStreamWithTimeout(parents.stream, 1),
      aclrtSynchronizeDevice(),
      aclrtSynchronizeDeviceWithTimeout(1),
      aclrtGetStreamAvailableNum(&number),
      aclrtCreateEvent(&event),
      aclrtRecordEvent(parents.event, parents.stream),
      aclrtStreamWaitEvent(parents.stream, parents.event),
      aclrtQueryEventStatus(parents.event, &event_status),
      aclrtSynchronizeEvent(parents.event),
      aclrtSynchronizeEventWithTimeout(parents.event, 1),
      aclrtEventElapsedTime(&ms, parents.event, parents.event),
      aclrtDestroyEvent(parents.event),
      aclrtMalloc(&block, 64, ACL_MEM_MALLOC_NORMAL_ONLY),
      aclrtMallocHost(&block, 64),
      aclrtMemcpy(host, 64, parents.block, 64, ACL_MEMCPY_DEVICE_TO_HOST),
      aclrtMemcpyAsync(host, 64, parents.block, 64, ACL_MEMCPY_DEVICE_TO_HOST, parents.stream),
      aclrtMemset(parents.block, 64, 0, 64),
      aclrtMemsetAsync(parents.block, 64, 0, 64, parents.stream),
      aclrtGetMemInfo(ACL_HBM_MEM, &free, &total),
      aclrtFree(parents.block),
      aclrtDestroyStream(parents.stream),
      aclrtDestroyStreamForce(parents.stream),
      aclrtResetDevice(0),
      aclrtResetDeviceForce(0),
      aclrtGetLastError(ACL_RT_THREAD_LEVEL),
      aclFinalizeReference(&references),
      aclFinalize(),
  };
  for (const aclError result : results) SCENARIO_CHECK(result == ACL_ERROR_RT_INTERNAL_ERROR);
  const char* messages = aclGetRecentErrMsg();
  SCENARIO_CHECK(messages != nullptr && std::strstr(messages, "fork") != nullptr);
}

// The parent's view of a child that ran `body` and left with 0.
template <class Body>
void InChild(Body body) {
  const pid_t child = fork();
  SCENARIO_CHECK(child >= 0);
  if (child == 0) {
    body();
    std::exit(0);
  }
  int status = -1;
  SCENARIO_CHECK(waitpid(child, &status, 0) == child);
  SCENARIO_CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int ForkWhileStreamsAreBusy() {
  SCENARIO_OK(aclInit(nullptr));
  SCENARIO_OK(aclrtSetDevice(0));
  Belongings parents{NewStream(), nullptr, nullptr, nullptr};
  SCENARIO_OK(aclrtGetCurrentContext(&parents.context));
  SCENARIO_OK(aclrtCreateEventWithFlag(&parents.event, ACL_EVENT_SYNC));
  SCENARIO_OK(aclrtMalloc(&parents.block, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY));
  SCENARIO_OK(aclrtStreamWaitEvent(parents.stream, parents.event));
  const aclrtStream busy = NewStream();
  for (int i = 0; i < 50; ++i) {
    SCENARIO_OK(aclrtMemsetAsync(parents.block, kBytes, i, kBytes, busy));
  }
  for (int i = 0; i < 3; ++i) InChild([&parents] { ExpectAllRefused(parents); });
  SCENARIO_OK(aclrtRecordEvent(parents.event, busy));
  SCENARIO_OK(aclrtSynchronizeDevice());
  UseEverything();
  return 0;
}

int ForkWhileThreadsCall() {
  SCENARIO_OK(aclrtSetDevice(0));
  static std::latch running(3);
  for (int i = 0; i < 3; ++i) {
    std::thread([] {
      SCENARIO_OK(aclrtSetDevice(0));
      const aclrtStream stream = NewStream();
      void* block = nullptr;
      SCENARIO_OK(aclrtMalloc(&block, 1 << 20, ACL_MEM_MALLOC_NORMAL_ONLY));
      running.count_down();
      while (true) {
        (void)aclrtMemsetAsync(block, 1 << 20, 1, 1 << 20, stream);
        (void)aclrtSynchronizeStream(stream);
      }
    }).detach();
  }
  running.wait();
  for (int i = 0; i < 8; ++i) {
    InChild([] {
      aclrtStream stream = nullptr;
      SCENARIO_CHECK(aclrtCreateStream(&stream) == ACL_ERROR_RT_INTERNAL_ERROR);
      SCENARIO_CHECK(aclGetRecentErrMsg() != nullptr);
    });
  }
  UseEverything();
  return 0;
}

int ForkBeforeFirstUse() {
  InChild(UseEverything);
  UseEverything();
  return 0;
}

constexpr Scenario kScenarios[] = {
    {"ForkWhileStreamsAreBusy", ForkWhileStreamsAreBusy},
    {"ForkWhileThreadsCall", ForkWhileThreadsCall},
    {"ForkBeforeFirstUse", ForkBeforeFirstUse},
};

}  // namespace

std::span<const Scenario> ForkScenarios() { return kScenarios; }

}  // namespace belay::test
