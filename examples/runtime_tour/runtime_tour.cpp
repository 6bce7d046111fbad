// A tour of the acl runtime: device, memory, two streams, an event between them, asynchronous
// copies with page-locked host memory, elapsed time.
//
//   first stream   input --> a,  record `sent`
//   second stream  wait for `sent`,  a --> b,  b --> output
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "acl/acl.h"

// Ends the program when a call fails.
#define CHECK(call)                                                               \
  do {                                                                            \
    const aclError error = (call);                                                \
    if (error != ACL_SUCCESS) {                                                   \
      const char* text = aclGetRecentErrMsg();                                    \
      std::printf("%s returned %d: %s\n", #call, error, text ? text : "no text"); \
      std::exit(1);                                                               \
    }                                                                             \
  } while (0)

int main() {
  constexpr size_t kCount = 1024;
  constexpr size_t kBytes = kCount * sizeof(float);

  CHECK(aclInit(nullptr));
  uint32_t deviceCount = 0;
  CHECK(aclrtGetDeviceCount(&deviceCount));
  CHECK(aclrtSetDevice(0));
  std::printf("devices: %u, chip: %s\n", deviceCount, aclrtGetSocName());

  size_t freeBefore = 0;
  size_t total = 0;
  CHECK(aclrtGetMemInfo(ACL_HBM_MEM, &freeBefore, &total));
  std::printf("device memory: %zu MiB\n", total >> 20);

  void* input = nullptr;
  void* output = nullptr;
  void* a = nullptr;
  void* b = nullptr;
  CHECK(aclrtMallocHost(&input, kBytes));
  CHECK(aclrtMallocHost(&output, kBytes));
  CHECK(aclrtMalloc(&a, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMalloc(&b, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  for (size_t i = 0; i < kCount; ++i) static_cast<float*>(input)[i] = static_cast<float>(i);
  CHECK(aclrtMemset(output, kBytes, 0, kBytes));

  aclrtStream first = nullptr;
  aclrtStream second = nullptr;
  aclrtEvent sent = nullptr;
  aclrtEvent begin = nullptr;
  aclrtEvent end = nullptr;
  CHECK(aclrtCreateStream(&first));
  CHECK(aclrtCreateStream(&second));
  CHECK(aclrtCreateEventWithFlag(&sent, ACL_EVENT_SYNC));
  CHECK(aclrtCreateEventWithFlag(&begin, ACL_EVENT_TIME_LINE));
  CHECK(aclrtCreateEventWithFlag(&end, ACL_EVENT_TIME_LINE));

  CHECK(aclrtRecordEvent(begin, first));
  CHECK(aclrtMemcpyAsync(a, kBytes, input, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, first));
  CHECK(aclrtRecordEvent(sent, first));

  CHECK(aclrtStreamWaitEvent(second, sent));
  CHECK(aclrtMemcpyAsync(b, kBytes, a, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, second));
  CHECK(aclrtMemcpyAsync(output, kBytes, b, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, second));
  CHECK(aclrtRecordEvent(end, second));
  CHECK(aclrtSynchronizeStream(second));

  size_t equal = 0;
  for (size_t i = 0; i < kCount; ++i) {
    if (static_cast<float*>(output)[i] == static_cast<float>(i)) ++equal;
  }
  std::printf("came back: %zu of %zu floats equal, the last is %.1f\n", equal, kCount,
              static_cast<double>(static_cast<float*>(output)[kCount - 1]));

  float elapsedMs = -1;
  CHECK(aclrtEventElapsedTime(&elapsedMs, begin, end));
  std::printf("elapsed time: %s\n", elapsedMs >= 0 ? "0 ms or more" : "negative");

  CHECK(aclrtDestroyEvent(end));
  CHECK(aclrtDestroyEvent(begin));
  CHECK(aclrtDestroyEvent(sent));
  CHECK(aclrtDestroyStream(second));
  CHECK(aclrtDestroyStream(first));
  CHECK(aclrtFree(b));
  CHECK(aclrtFree(a));
  CHECK(aclrtFreeHost(output));
  CHECK(aclrtFreeHost(input));

  size_t freeAfter = 0;
  CHECK(aclrtGetMemInfo(ACL_HBM_MEM, &freeAfter, &total));
  std::printf("all memory given back: %s\n", freeAfter == freeBefore ? "yes" : "no");
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
  return 0;
}
