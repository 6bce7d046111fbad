// The end of the process while the runtime still has something to do.
#include <pthread.h>

#include <chrono>
#include <cstring>
#include <latch>
#include <thread>

#include "runtime/scenario.h"

namespace belay::test {
namespace {

constexpr std::size_t kBytes = 8 << 20;

aclrtStream NewStream() {
  aclrtStream stream = nullptr;
  SCENARIO_OK(aclrtCreateStream(&stream));
  return stream;
}

void* NewBlock(std::size_t size = kBytes) {
  void* block = nullptr;
  SCENARIO_OK(aclrtMalloc(&block, size, ACL_MEM_MALLOC_NORMAL_ONLY));
  return block;
}

// A stream that waits for an event that nobody records.
aclrtStream HeldStream(aclrtEvent& event) {
  const aclrtStream stream = NewStream();
  SCENARIO_OK(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC));
  SCENARIO_OK(aclrtStreamWaitEvent(stream, event));
  return stream;
}

aclrtStream HeldStream() {
  aclrtEvent event = nullptr;
  return HeldStream(event);
}

int QueuedWork() {
  SCENARIO_OK(aclrtSetDevice(0));
  for (int s = 0; s < 4; ++s) {
    void* const block = NewBlock();
    const aclrtStream stream = NewStream();
    for (int i = 0; i < 200; ++i) {
      SCENARIO_OK(aclrtMemsetAsync(block, kBytes, i, kBytes, stream));
    }
  }
  return 0;
}

int StreamThatWaitsForever() {
  SCENARIO_OK(aclrtSetDevice(0));
  const aclrtStream stream = HeldStream();
  void* const block = NewBlock();
  SCENARIO_OK(aclrtMemsetAsync(block, kBytes, 1, kBytes, stream));
  return 0;
}

int StreamThatWaitsForADestroyedEvent() {
  SCENARIO_OK(aclrtSetDevice(0));
  aclrtEvent event = nullptr;
  (void)HeldStream(event);
  SCENARIO_OK(aclrtDestroyEvent(event));
  return 0;
}

int StreamDestroyedByForceWhileItWaits() {
  SCENARIO_OK(aclrtSetDevice(0));
  aclrtEvent event = nullptr;
  const aclrtStream stream = HeldStream(event);
  SCENARIO_OK(aclrtDestroyStreamForce(stream));
  SCENARIO_OK(aclrtDestroyEvent(event));
  return 0;
}

template <class Wait>
int ThreadInAWait(Wait wait) {
  SCENARIO_OK(aclrtSetDevice(0));
  aclrtContext context = nullptr;
  SCENARIO_OK(aclrtGetCurrentContext(&context));
  const aclrtStream stream = HeldStream();
  aclrtEvent behind = nullptr;
  SCENARIO_OK(aclrtCreateEvent(&behind));
  SCENARIO_OK(aclrtRecordEvent(behind, stream));
  static std::latch about_to_wait(1);
  std::thread([context, stream, behind, wait] {
    SCENARIO_OK(aclrtSetCurrentContext(context));
    about_to_wait.count_down();
    SCENARIO_CHECK(wait(stream, behind) == ACL_ERROR_RT_INTERNAL_ERROR);
  }).detach();
  about_to_wait.wait();
  return 0;
}

int ThreadInSynchronizeStream() {
  return ThreadInAWait(
      [](aclrtStream stream, aclrtEvent) { return aclrtSynchronizeStream(stream); });
}

int ThreadInSynchronizeDevice() {
  return ThreadInAWait([](aclrtStream, aclrtEvent) { return aclrtSynchronizeDevice(); });
}

int ThreadInSynchronizeEvent() {
  return ThreadInAWait([](aclrtStream, aclrtEvent event) { return aclrtSynchronizeEvent(event); });
}

int ThreadsThatKeepCalling() {
  SCENARIO_OK(aclrtSetDevice(0));
  static std::latch running(4);
  for (int i = 0; i < 4; ++i) {
    std::thread([] {
      SCENARIO_OK(aclrtSetDevice(0));
      running.count_down();
      while (true) {
        aclrtStream stream = nullptr;
        (void)aclrtCreateStream(&stream);
        (void)aclrtMemsetAsync(nullptr, 1, 0, 1, stream);
        (void)aclrtSynchronizeStream(stream);
        (void)aclrtDestroyStream(stream);
      }
    }).detach();
  }
  running.wait();
  return 0;
}

int StaticDestructorsOfABusyProgram() {
  static aclrtStream busy = nullptr;
  static aclrtStream held = nullptr;
  static void* block = nullptr;
  AfterMain([] {
    char bytes[64];
    std::memset(bytes, 7, sizeof(bytes));
    SCENARIO_OK(aclrtMemcpy(block, sizeof(bytes), bytes, sizeof(bytes), ACL_MEMCPY_HOST_TO_DEVICE));
    std::memset(bytes, 0, sizeof(bytes));
    SCENARIO_OK(aclrtMemcpy(bytes, sizeof(bytes), block, sizeof(bytes), ACL_MEMCPY_DEVICE_TO_HOST));
    SCENARIO_CHECK(bytes[63] == 7);
    SCENARIO_OK(aclrtFree(block));
    SCENARIO_OK(aclrtDestroyStream(busy));
    SCENARIO_OK(aclrtDestroyStream(held));
    SCENARIO_OK(aclrtResetDevice(0));
    SCENARIO_OK(aclFinalize());
    SCENARIO_CHECK(aclGetRecentErrMsg() == nullptr);
  });
  SCENARIO_OK(aclInit(nullptr));
  SCENARIO_OK(aclrtSetDevice(0));
  busy = NewStream();
  block = NewBlock();
  for (int i = 0; i < 100; ++i) SCENARIO_OK(aclrtMemsetAsync(block, kBytes, i, kBytes, busy));
  held = HeldStream();
  return 0;
}

int StaticDestructorsThatStartWork() {
  AfterMain([] {
    SCENARIO_OK(aclrtSetDevice(0));
    const aclrtStream stream = NewStream();
    void* const block = NewBlock();
    SCENARIO_OK(aclrtMemsetAsync(block, kBytes, 7, kBytes, stream));
    SCENARIO_OK(aclrtSynchronizeStream(stream));
    char last = 0;
    SCENARIO_OK(aclrtMemcpy(&last, 1, static_cast<char*>(block) + kBytes - 1, 1,
                            ACL_MEMCPY_DEVICE_TO_HOST));
    SCENARIO_CHECK(last == 7);
  });
  SCENARIO_OK(aclrtSetDevice(0));
  return 0;
}

int StaticDestructorsMakeTheFirstCall() {
  AfterMain([] {
    SCENARIO_OK(aclrtSetDevice(0));
    const aclrtStream stream = NewStream();
    void* const block = NewBlock();
    SCENARIO_OK(aclrtMemsetAsync(block, kBytes, 7, kBytes, stream));
    SCENARIO_OK(aclrtSynchronizeStream(stream));
  });
  return 0;
}

// The thread itself, as aclrtSubscribeReport names it.
uint64_t Self() { return static_cast<uint64_t>(::pthread_self()); }

// Made in a function after the first call, and so destroyed before the library ends.
void AtTheEndOfMain(void (*body)()) {
  struct Runs {
    void (*body)();
    ~Runs() { body(); }
  };
  static const Runs runs{body};
}

int StaticOfAFunctionWaitsForever() {
  SCENARIO_OK(aclrtSetDevice(0));
  static const aclrtStream held = HeldStream();
  static aclrtEvent behind = nullptr;
  static const aclrtStream second = NewStream();
  SCENARIO_OK(aclrtCreateEvent(&behind));
  SCENARIO_OK(aclrtRecordEvent(behind, held));
  SCENARIO_OK(aclrtStreamWaitEvent(second, behind));
  AtTheEndOfMain([] {
    for (const aclrtStream stream : {second, held}) {
      SCENARIO_CHECK(aclrtSynchronizeStream(stream) == ACL_ERROR_RT_INTERNAL_ERROR);
    }
    SCENARIO_CHECK(aclrtSynchronizeEvent(behind) == ACL_ERROR_RT_INTERNAL_ERROR);
    SCENARIO_CHECK(aclrtSynchronizeDevice() == ACL_ERROR_RT_INTERNAL_ERROR);
    SCENARIO_OK(aclrtDestroyStream(second));
    SCENARIO_OK(aclrtResetDevice(0));
  });
  return 0;
}

int StaticOfAFunctionWaitsForACallbackThatNobodyRuns() {
  SCENARIO_OK(aclrtSetDevice(0));
  static const aclrtStream stream = NewStream();
  SCENARIO_OK(aclrtSubscribeReport(Self(), stream));
  SCENARIO_OK(aclrtLaunchCallback([](void*) {}, nullptr, ACL_CALLBACK_BLOCK, stream));
  AtTheEndOfMain(
      [] { SCENARIO_CHECK(aclrtSynchronizeStream(stream) == ACL_ERROR_RT_INTERNAL_ERROR); });
  return 0;
}

int StaticOfAFunctionWaitsForWork() {
  SCENARIO_OK(aclrtSetDevice(0));
  static const aclrtStream stream = NewStream();
  (void)HeldStream();  // stands still meanwhile
  static void* const block = NewBlock();
  AtTheEndOfMain([] {
    for (int i = 0; i < 200; ++i) {
      SCENARIO_OK(aclrtMemsetAsync(block, kBytes, i, kBytes, stream));
    }
    // Longer than the patience for what stands still: this does not.
    SCENARIO_OK(aclrtLaunchHostFunc(
        stream, [](void*) { std::this_thread::sleep_for(std::chrono::seconds(6)); }, nullptr));
    SCENARIO_OK(aclrtSynchronizeStream(stream));
    char last = 0;
    SCENARIO_OK(aclrtMemcpy(&last, 1, block, 1, ACL_MEMCPY_DEVICE_TO_HOST));
    SCENARIO_CHECK(last == static_cast<char>(199));
  });
  return 0;
}

int StaticOfAFunctionWaitsForAnotherThread() {
  SCENARIO_OK(aclrtSetDevice(0));
  static aclrtEvent event = nullptr;
  static const aclrtStream stream = HeldStream(event);
  static aclrtContext context = nullptr;
  SCENARIO_OK(aclrtGetCurrentContext(&context));
  AtTheEndOfMain([] {
    std::thread recorder([] {
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
      SCENARIO_OK(aclrtSetCurrentContext(context));
      SCENARIO_OK(aclrtRecordEvent(event, NewStream()));
    });
    SCENARIO_OK(aclrtSynchronizeStream(stream));
    recorder.join();
  });
  return 0;
}

int ExitFromAThread() {
  SCENARIO_OK(aclrtSetDevice(0));
  (void)HeldStream();
  AfterMain([] {
    // No context: that was the main thread's, and this is the thread that called exit.
    SCENARIO_CHECK(aclrtSynchronizeDevice() == ACL_ERROR_RT_CONTEXT_NULL);
    SCENARIO_OK(aclrtResetDevice(0));
  });
  std::thread([] { std::exit(0); }).join();
  return 1;
}

int ExitFromATask() {
  SCENARIO_OK(aclrtSetDevice(0));
  const aclrtStream stream = NewStream();
  SCENARIO_CHECK(LaunchForever(stream,
                               Immortal(std::function<Status()>([]() -> Status { std::exit(0); })),
                               /*small=*/true)
                     .ok());
  return 1;
}

int UncollectedFaults() {
  SCENARIO_OK(aclrtSetDevice(0));
  const aclrtStream stream = NewStream();
  const aclrtStream destroyed = NewStream();
  for (const aclrtStream each : {stream, destroyed}) {
    const int value = each == stream ? 2001 : 2002;
    SCENARIO_CHECK(LaunchForever(each, Immortal(std::function<Status()>([value] {
                                   return Refuse(Fault::kTaskException,
                                                 "indices[17] is {}; allowed 0..1023", value);
                                 })),
                                 /*small=*/true)
                       .ok());
  }
  SCENARIO_OK(aclrtDestroyStream(destroyed));
  return 0;
}

int CollectedFault() {
  SCENARIO_OK(aclrtSetDevice(0));
  const aclrtStream stream = NewStream();
  SCENARIO_CHECK(LaunchForever(stream, Immortal(std::function<Status()>([] {
                                 return Refuse(Fault::kTaskException, "told by the wait");
                               })),
                               /*small=*/true)
                     .ok());
  SCENARIO_CHECK(aclrtSynchronizeStream(stream) == ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
  return 0;
}

int CallbacksThatNobodyRuns() {
  SCENARIO_OK(aclrtSetDevice(0));
  const aclrtStream stream = NewStream();
  void* const block = NewBlock();
  SCENARIO_OK(aclrtSubscribeReport(Self(), stream));
  for (const auto type : {ACL_CALLBACK_NO_BLOCK, ACL_CALLBACK_BLOCK, ACL_CALLBACK_BLOCK}) {
    SCENARIO_OK(aclrtLaunchCallback([](void*) {}, nullptr, type, stream));
    SCENARIO_OK(aclrtMemsetAsync(block, kBytes, 1, kBytes, stream));
  }
  return 0;
}

int ThreadInProcessReport() {
  SCENARIO_OK(aclrtSetDevice(0));
  static const aclrtStream stream = NewStream();
  static aclrtContext context = nullptr;
  SCENARIO_OK(aclrtGetCurrentContext(&context));
  static std::latch about_to_wait(1);
  std::thread([] {
    SCENARIO_OK(aclrtSetCurrentContext(context));
    SCENARIO_OK(aclrtSubscribeReport(Self(), stream));
    about_to_wait.count_down();
    SCENARIO_CHECK(aclrtProcessReport(-1) == ACL_ERROR_RT_INTERNAL_ERROR);
  }).detach();
  about_to_wait.wait();
  return 0;
}

int QueuedHostFunctions() {
  SCENARIO_OK(aclrtSetDevice(0));
  for (int s = 0; s < 4; ++s) {
    const aclrtStream stream = NewStream();
    for (int i = 0; i < 200; ++i) {
      SCENARIO_OK(aclrtLaunchHostFunc(
          stream, [](void*) {}, nullptr));
    }
  }
  return 0;
}

int ExitFromAHostFunction() {
  SCENARIO_OK(aclrtSetDevice(0));
  const aclrtStream stream = NewStream();
  SCENARIO_OK(aclrtLaunchHostFunc(
      stream, [](void*) { std::exit(0); }, nullptr));
  std::this_thread::sleep_for(std::chrono::seconds(20));
  return 1;
}

int StaticDestructorsLaunchHostFunctions() {
  AfterMain([] {
    static bool ran = false;
    SCENARIO_OK(aclrtSetDevice(0));
    const aclrtStream stream = NewStream();
    SCENARIO_OK(aclrtLaunchHostFunc(
        stream, [](void*) { ran = true; }, nullptr));
    SCENARIO_OK(aclrtSynchronizeStream(stream));
    SCENARIO_CHECK(ran);
    SCENARIO_OK(aclrtSubscribeReport(Self(), nullptr));
    SCENARIO_OK(aclrtLaunchCallback([](void*) {}, nullptr, ACL_CALLBACK_BLOCK, nullptr));
    SCENARIO_OK(aclrtResetDevice(0));
  });
  SCENARIO_OK(aclrtSetDevice(0));
  return 0;
}

constexpr Scenario kScenarios[] = {
    {"CallbacksThatNobodyRuns", CallbacksThatNobodyRuns},
    {"ThreadInProcessReport", ThreadInProcessReport},
    {"QueuedHostFunctions", QueuedHostFunctions},
    {"ExitFromAHostFunction", ExitFromAHostFunction},
    {"StaticDestructorsLaunchHostFunctions", StaticDestructorsLaunchHostFunctions},
    {"QueuedWork", QueuedWork},
    {"StreamThatWaitsForever", StreamThatWaitsForever},
    {"StreamThatWaitsForADestroyedEvent", StreamThatWaitsForADestroyedEvent},
    {"StreamDestroyedByForceWhileItWaits", StreamDestroyedByForceWhileItWaits},
    {"ThreadInSynchronizeStream", ThreadInSynchronizeStream},
    {"ThreadInSynchronizeDevice", ThreadInSynchronizeDevice},
    {"ThreadInSynchronizeEvent", ThreadInSynchronizeEvent},
    {"ThreadsThatKeepCalling", ThreadsThatKeepCalling},
    {"StaticDestructorsOfABusyProgram", StaticDestructorsOfABusyProgram},
    {"StaticDestructorsThatStartWork", StaticDestructorsThatStartWork},
    {"StaticDestructorsMakeTheFirstCall", StaticDestructorsMakeTheFirstCall},
    {"StaticOfAFunctionWaitsForever", StaticOfAFunctionWaitsForever},
    {"StaticOfAFunctionWaitsForACallbackThatNobodyRuns",
     StaticOfAFunctionWaitsForACallbackThatNobodyRuns},
    {"StaticOfAFunctionWaitsForWork", StaticOfAFunctionWaitsForWork},
    {"StaticOfAFunctionWaitsForAnotherThread", StaticOfAFunctionWaitsForAnotherThread},
    {"ExitFromAThread", ExitFromAThread},
    {"ExitFromATask", ExitFromATask},
    {"UncollectedFaults", UncollectedFaults},
    {"CollectedFault", CollectedFault},
};

}  // namespace

std::span<const Scenario> EndScenarios() { return kScenarios; }

}  // namespace belay::test
