// Every public call that makes, uses or ends something, with each of its allocations failing.
#include <acl/acl.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "alloc_failure/device_fixture.h"
#include "alloc_failure/probe.h"

namespace belay::alloc_failure {
namespace {

class Calls : public OnDevice {};

void* const kUntouched = reinterpret_cast<void*>(0x1234);

TEST_F(Calls, MemoryIsAllocatedOrNot) {
  void* block = kUntouched;
  const auto reset = [&] { block = kUntouched; };
  const auto untouched = [&] { EXPECT_EQ(block, kUntouched); };
  const auto free_block = [&] { EXPECT_EQ(aclrtFree(block), ACL_SUCCESS); };
  constexpr auto kPolicy = ACL_MEM_MALLOC_HUGE_FIRST;
  const std::vector<Probe> probes = {
      {.name = "aclrtMalloc",
       .call = [&] { return aclrtMalloc(&block, kBytes, kPolicy); },
       .prepare = reset,
       .undo = free_block,
       .unharmed = untouched},
      {.name = "aclrtMalloc, a new extent",
       .call = [&] { return aclrtMalloc(&block, std::size_t{65} << 20, kPolicy); },
       .prepare = reset,
       .undo = free_block,
       .unharmed = untouched},
      {.name = "aclrtMallocAlign32",
       .call = [&] { return aclrtMallocAlign32(&block, kBytes, kPolicy); },
       .prepare = reset,
       .undo = free_block,
       .unharmed = untouched},
      {.name = "aclrtMallocCached",
       .call = [&] { return aclrtMallocCached(&block, kBytes, kPolicy); },
       .prepare = reset,
       .undo = free_block,
       .unharmed = untouched},
      {.name = "aclrtMallocHost",
       .call = [&] { return aclrtMallocHost(&block, kBytes); },
       .prepare = reset,
       .undo = [&] { EXPECT_EQ(aclrtFreeHost(block), ACL_SUCCESS); },
       .unharmed = untouched},
      {.name = "aclrtHostRegister",
       .call =
           [&] {
             return aclrtHostRegister(pageable_.data(), kBytes, ACL_HOST_REGISTER_MAPPED, &block);
           },
       .prepare = reset,
       .undo = [&] { EXPECT_EQ(aclrtHostUnregister(pageable_.data()), ACL_SUCCESS); },
       .unharmed = untouched},
  };
  for (const Probe& probe : probes) ExpectSurvives(probe);
  // A size that no hole has left: each needs a mapping of its own.
  ExpectSurvives({.name = "aclrtMalloc, mmap",
                  .call = [&] { return aclrtMalloc(&block, std::size_t{300} << 20, kPolicy); },
                  .prepare = reset,
                  .undo = free_block,
                  .unharmed = untouched},
                 Source::kMmap);
}

TEST_F(Calls, ObjectsAreMadeOrNot) {
  void* made = kUntouched;
  const auto reset = [&] { made = kUntouched; };
  const auto untouched = [&] { EXPECT_EQ(made, kUntouched); };
  const auto destroy_stream = [&] { EXPECT_EQ(aclrtDestroyStream(made), ACL_SUCCESS); };
  const auto destroy_event = [&] { EXPECT_EQ(aclrtDestroyEvent(made), ACL_SUCCESS); };
  const std::vector<Probe> probes = {
      {.name = "aclrtCreateStream",
       .call = [&] { return aclrtCreateStream(&made); },
       .prepare = reset,
       .undo = destroy_stream,
       .unharmed = untouched},
      {.name = "aclrtCreateStreamWithConfig",
       .call = [&] { return aclrtCreateStreamWithConfig(&made, 3, ACL_STREAM_FAST_LAUNCH); },
       .prepare = reset,
       .undo = destroy_stream,
       .unharmed = untouched},
      {.name = "aclrtCreateEvent",
       .call = [&] { return aclrtCreateEvent(&made); },
       .prepare = reset,
       .undo = destroy_event,
       .unharmed = untouched},
      {.name = "aclrtCreateEventWithFlag",
       .call = [&] { return aclrtCreateEventWithFlag(&made, ACL_EVENT_TIME_LINE); },
       .prepare = reset,
       .undo = destroy_event,
       .unharmed = untouched},
      {.name = "aclrtCreateEventExWithFlag",
       .call = [&] { return aclrtCreateEventExWithFlag(&made, ACL_EVENT_SYNC); },
       .prepare = reset,
       .undo = destroy_event,
       .unharmed = untouched},
      {.name = "aclrtCreateContext",
       .call = [&] { return aclrtCreateContext(&made, 0); },
       .prepare = reset,
       .undo =
           [&] {
             EXPECT_EQ(aclrtDestroyContext(made), ACL_SUCCESS);
             EXPECT_EQ(aclrtSetCurrentContext(context_), ACL_SUCCESS);
           },
       .unharmed = untouched},
      {.name = "aclCreateDataBuffer",
       .call =
           [&] {
             made = aclCreateDataBuffer(device_, kBytes);
             return made != nullptr ? ACL_SUCCESS : ACL_ERROR_RT_MEMORY_ALLOCATION;
           },
       .undo =
           [&] {
             EXPECT_EQ(aclDestroyDataBuffer(static_cast<aclDataBuffer*>(made)), ACL_SUCCESS);
           }},
  };
  for (const Probe& probe : probes) ExpectSurvives(probe);
}

TEST_F(Calls, ManyObjectsAreMadeOrNot) {
  // Enough of each kind that the tables grow.
  std::vector<void*> made(600, nullptr);
  ExpectSurvives({.name = "600 events",
                  .call =
                      [&] {
                        for (void*& event : made) {
                          if (const int code = aclrtCreateEvent(&event); code != 0) return code;
                        }
                        return ACL_SUCCESS;
                      },
                  .undo =
                      [&] {
                        for (void* event : made) EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
                        made.assign(made.size(), nullptr);
                      },
                  .unharmed =
                      [&] {
                        for (void*& event : made) {
                          if (event == nullptr) continue;
                          EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
                          event = nullptr;
                        }
                      }});
}

TEST_F(Calls, WhatGivesBackNeverFails) {
  void* thing = nullptr;
  const auto make_stream = [&] { ASSERT_EQ(aclrtCreateStream(&thing), ACL_SUCCESS); };
  const auto make_block = [&] {
    ASSERT_EQ(aclrtMalloc(&thing, kBytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  };
  const std::vector<Probe> probes = {
      NeverFails("aclrtFree", make_block, [&] { return aclrtFree(thing); }),
      NeverFails(
          "aclrtFreeHost", [&] { ASSERT_EQ(aclrtMallocHost(&thing, kBytes), ACL_SUCCESS); },
          [&] { return aclrtFreeHost(thing); }),
      NeverFails("aclrtDestroyStream", make_stream, [&] { return aclrtDestroyStream(thing); }),
      NeverFails("aclrtDestroyStreamForce", make_stream,
                 [&] { return aclrtDestroyStreamForce(thing); }),
      NeverFails(
          "aclrtDestroyEvent", [&] { ASSERT_EQ(aclrtCreateEvent(&thing), ACL_SUCCESS); },
          [&] { return aclrtDestroyEvent(thing); }),
      NeverFails(
          "aclDestroyDataBuffer", [&] { thing = aclCreateDataBuffer(device_, 1); },
          [&] { return aclDestroyDataBuffer(static_cast<aclDataBuffer*>(thing)); }),
      NeverFails(
          "aclrtHostUnregister",
          [&] {
            ASSERT_EQ(aclrtHostRegister(pageable_.data(), 64, ACL_HOST_REGISTER_MAPPED, &thing),
                      ACL_SUCCESS);
          },
          [&] { return aclrtHostUnregister(pageable_.data()); }),
      NeverFails(
          "aclrtResetEvent", [] {}, [&] { return aclrtResetEvent(event_, stream_); }),
  };
  for (const Probe& probe : probes) ExpectSurvives(probe);
  ExpectSurvives({.name = "aclrtDestroyContext",
                  .call = [&] { return aclrtDestroyContext(thing); },
                  .out_of_memory = ACL_SUCCESS,
                  .prepare =
                      [&] {
                        ASSERT_EQ(aclrtCreateContext(&thing, 0), ACL_SUCCESS);
                        void* stream = nullptr;
                        ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
                      },
                  .undo = [&] { ASSERT_EQ(aclrtSetCurrentContext(context_), ACL_SUCCESS); }});
}

TEST_F(Calls, QuestionsAreAnsweredWithoutMemory) {
  ASSERT_EQ(aclrtRecordEvent(event_, stream_), ACL_SUCCESS);
  std::int32_t number = 0;
  std::uint32_t count = 0;
  std::int64_t figure = 0;
  std::uint64_t stamp = 0;
  float elapsed = 0;
  std::size_t size = 0;
  void* handle = nullptr;
  aclrtStreamStatus stream_status{};
  aclrtEventRecordedStatus recorded{};
  aclrtEventWaitStatus waits{};
  aclrtPtrAttributes where{};
  aclrtStreamAttrValue attribute{};
  aclrtRunMode mode{};
  const auto probe = [](const char* name, std::function<int()> call) {
    ExpectSurvives({.name = name, .call = std::move(call), .out_of_memory = ACL_SUCCESS});
  };
  probe("aclrtGetDevice", [&] { return aclrtGetDevice(&number); });
  probe("aclrtGetRunMode", [&] { return aclrtGetRunMode(&mode); });
  probe("aclrtGetDeviceCount", [&] { return aclrtGetDeviceCount(&count); });
  probe("aclrtGetDeviceInfo",
        [&] { return aclrtGetDeviceInfo(0, ACL_DEV_ATTR_AICORE_CORE_NUM, &figure); });
  probe("aclrtSetDevice again", [&] { return aclrtSetDevice(0); });
  probe("aclrtSetCurrentContext", [&] { return aclrtSetCurrentContext(context_); });
  probe("aclrtGetCurrentContext", [&] { return aclrtGetCurrentContext(&handle); });
  probe("aclrtCtxGetCurrentDefaultStream",
        [&] { return aclrtCtxGetCurrentDefaultStream(&handle); });
  probe("aclrtSetSysParamOpt", [] { return aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1); });
  probe("aclrtCtxSetSysParamOpt", [] { return aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1); });
  probe("aclrtCtxGetSysParamOpt",
        [&] { return aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &figure); });
  probe("aclrtStreamGetId", [&] { return aclrtStreamGetId(stream_, &number); });
  probe("aclrtStreamQuery", [&] { return aclrtStreamQuery(stream_, &stream_status); });
  probe("aclrtGetStreamAttribute",
        [&] { return aclrtGetStreamAttribute(stream_, ACL_STREAM_ATTR_FAILURE_MODE, &attribute); });
  probe("aclrtSynchronizeStream", [&] { return aclrtSynchronizeStream(stream_); });
  probe("aclrtSynchronizeEvent", [&] { return aclrtSynchronizeEvent(event_); });
  probe("aclrtSynchronizeEventWithTimeout",
        [&] { return aclrtSynchronizeEventWithTimeout(event_, 1000); });
  probe("aclrtQueryEventStatus", [&] { return aclrtQueryEventStatus(event_, &recorded); });
  probe("aclrtQueryEventWaitStatus", [&] { return aclrtQueryEventWaitStatus(event_, &waits); });
  probe("aclrtEventElapsedTime", [&] { return aclrtEventElapsedTime(&elapsed, event_, event_); });
  probe("aclrtEventGetTimestamp", [&] { return aclrtEventGetTimestamp(event_, &stamp); });
  probe("aclrtGetMemInfo", [&] { return aclrtGetMemInfo(ACL_HBM_MEM, &size, &size); });
  probe("aclrtPointerGetAttributes", [&] { return aclrtPointerGetAttributes(device_, &where); });
  probe("aclrtMemFlush", [&] { return aclrtMemFlush(device_, kBytes); });
  probe("aclrtMemcpy", [&] {
    return aclrtMemcpy(device_, kBytes, pageable_.data(), kBytes, ACL_MEMCPY_HOST_TO_DEVICE);
  });
  probe("aclrtMemset", [&] { return aclrtMemset(device_, kBytes, 0, kBytes); });
  probe("aclrtMemcpy2d", [&] {
    return aclrtMemcpy2d(device_, 64, pageable_.data(), 64, 32, 8, ACL_MEMCPY_HOST_TO_DEVICE);
  });
}

TEST_F(Calls, DeviceWaitsNeedALittleMemory) {
  ExpectSurvives(
      {.name = "aclrtSynchronizeDevice", .call = [] { return aclrtSynchronizeDevice(); }});
  ExpectSurvives({.name = "aclrtSynchronizeDeviceWithTimeout",
                  .call = [] { return aclrtSynchronizeDeviceWithTimeout(1000); }});
}

TEST_F(Calls, LogLinesMayBeLost) {
  ExpectSurvives({.name = "aclAppLog", .call = [] {
                    aclAppLog(ACL_ERROR, "function", "file", 1, "%s", "text");
                    return ACL_SUCCESS;
                  }});
}

}  // namespace
}  // namespace belay::alloc_failure
