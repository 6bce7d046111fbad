// Every pointer argument of every function once null, and every handle argument once a pointer that
// is no live handle: refused with a message, never followed.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_trans_quant_param.h"
#include "support/api_test_support.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"  // aclrtGetVersion, aclrtQueryEvent

namespace belay::test {
namespace {

// What the calls below may use; all of it is alive.
struct Live {
  aclrtStream stream = nullptr;
  aclrtEvent event = nullptr;  // recorded
  void* block = nullptr;       // of 64 bytes
  std::uint8_t host[64] = {};
} live;

class NullPointerTest : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    ASSERT_EQ(aclrtCreateStream(&live.stream), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateEvent(&live.event), ACL_SUCCESS);
    ASSERT_EQ(aclrtRecordEvent(live.event, live.stream), ACL_SUCCESS);
    ASSERT_EQ(aclrtSynchronizeStream(live.stream), ACL_SUCCESS);
    ASSERT_EQ(aclrtMalloc(&live.block, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(aclrtFree(live.block), ACL_SUCCESS);
    EXPECT_EQ(aclrtDestroyEvent(live.event), ACL_SUCCESS);
    EXPECT_EQ(aclrtDestroyStream(live.stream), ACL_SUCCESS);
    DeviceTest::TearDown();
  }
};

constexpr auto kH2D = ACL_MEMCPY_HOST_TO_DEVICE;
constexpr auto kHugeFirst = ACL_MEM_MALLOC_HUGE_FIRST;

// Outputs of calls whose other argument is null.
Output<std::size_t> size_output;
Output<int32_t> int_output;
Output<uint32_t> uint_output;
Output<void*> pointer_output;

struct Row {
  const char* function;
  const char* argument;
  int code;
  int (*call)();
};

#define BELAY_CALL(...) [] { return static_cast<int>(__VA_ARGS__); }
#define BELAY_NULL(function, argument, ...) \
  { #function, argument, 100000, BELAY_CALL(function(__VA_ARGS__)) }

const Row kNulls[] = {
    // Base.
    BELAY_NULL(aclDestroyDataBuffer, "dataBuffer", nullptr),
    BELAY_NULL(aclUpdateDataBuffer, "dataBuffer", nullptr, live.host, 8),
    BELAY_NULL(aclGetDeviceCapability, "value", 0, ACL_DEVICE_INFO_L2_SIZE, nullptr),
    BELAY_NULL(aclrtGetVersion, "majorVersion", nullptr, &int_output, &int_output),
    BELAY_NULL(aclrtGetVersion, "minorVersion", &int_output, nullptr, &int_output),
    BELAY_NULL(aclrtGetVersion, "patchVersion", &int_output, &int_output, nullptr),
    // Devices and contexts.
    BELAY_NULL(aclrtGetDevice, "deviceId", nullptr),
    BELAY_NULL(aclrtGetDeviceCount, "count", nullptr),
    BELAY_NULL(aclrtGetRunMode, "runMode", nullptr),
    BELAY_NULL(aclrtQueryDeviceStatus, "deviceStatus", 0, nullptr),
    BELAY_NULL(aclrtGetDeviceInfo, "value", 0, ACL_DEV_ATTR_L2_CACHE_SIZE, nullptr),
    BELAY_NULL(aclrtCreateContext, "context", nullptr, 0),
    BELAY_NULL(aclrtDestroyContext, "context", nullptr),
    BELAY_NULL(aclrtSetCurrentContext, "context", nullptr),
    BELAY_NULL(aclrtGetCurrentContext, "context", nullptr),
    BELAY_NULL(aclrtCtxGetCurrentDefaultStream, "stream", nullptr),
    BELAY_NULL(aclrtCtxGetSysParamOpt, "value", ACL_OPT_DETERMINISTIC, nullptr),
    BELAY_NULL(aclrtGetSysParamOpt, "value", ACL_OPT_DETERMINISTIC, nullptr),
    BELAY_NULL(aclrtDevicePeerAccessStatus, "status", 0, 0, nullptr),
    BELAY_NULL(aclrtGetDeviceSatMode, "mode", nullptr),
    BELAY_NULL(aclrtSetOpExecuteTimeOutV2, "actualTimeout", 1, nullptr),
    BELAY_NULL(aclrtGetOpTimeOutInterval, "interval", nullptr),
    BELAY_NULL(aclrtGetOpExecuteTimeout, "timeoutMs", nullptr),
    BELAY_NULL(aclrtGetPrimaryCtxState, "active", 0, nullptr, nullptr),
    // Memory.
    BELAY_NULL(aclrtMalloc, "devPtr", nullptr, 8, kHugeFirst),
    BELAY_NULL(aclrtMallocAlign32, "devPtr", nullptr, 8, kHugeFirst),
    BELAY_NULL(aclrtMallocCached, "devPtr", nullptr, 8, kHugeFirst),
    BELAY_NULL(aclrtMallocHost, "hostPtr", nullptr, 8),
    BELAY_NULL(aclrtFree, "devPtr", nullptr),
    BELAY_NULL(aclrtFreeHost, "hostPtr", nullptr),
    BELAY_NULL(aclrtMemFlush, "devPtr", nullptr, 8),
    BELAY_NULL(aclrtMemInvalidate, "devPtr", nullptr, 8),
    BELAY_NULL(aclrtMemset, "devPtr", nullptr, 8, 0, 8),
    BELAY_NULL(aclrtMemsetAsync, "devPtr", nullptr, 8, 0, 8, live.stream),
    BELAY_NULL(aclrtMemcpy, "dst", nullptr, 8, live.host, 8, kH2D),
    BELAY_NULL(aclrtMemcpy, "src", live.block, 8, nullptr, 8, kH2D),
    BELAY_NULL(aclrtMemcpyAsync, "dst", nullptr, 8, live.host, 8, kH2D, live.stream),
    BELAY_NULL(aclrtMemcpyAsync, "src", live.block, 8, nullptr, 8, kH2D, live.stream),
    BELAY_NULL(aclrtMemcpy2d, "dst", nullptr, 8, live.host, 8, 8, 2, kH2D),
    BELAY_NULL(aclrtMemcpy2d, "src", live.block, 8, nullptr, 8, 8, 2, kH2D),
    BELAY_NULL(aclrtMemcpy2dAsync, "dst", nullptr, 8, live.host, 8, 8, 2, kH2D, live.stream),
    BELAY_NULL(aclrtMemcpy2dAsync, "src", live.block, 8, nullptr, 8, 8, 2, kH2D, live.stream),
    BELAY_NULL(aclrtGetMemInfo, "free", ACL_HBM_MEM, nullptr, &size_output),
    BELAY_NULL(aclrtGetMemInfo, "total", ACL_HBM_MEM, &size_output, nullptr),
    BELAY_NULL(aclrtPointerGetAttributes, "attributes", live.host, nullptr),
    BELAY_NULL(aclrtHostRegister, "ptr", nullptr, 8, ACL_HOST_REGISTER_MAPPED, &pointer_output),
    BELAY_NULL(aclrtHostRegister, "devPtr", live.host, 8, ACL_HOST_REGISTER_MAPPED, nullptr),
    BELAY_NULL(aclrtMallocWithCfg, "devPtr", nullptr, 8, kHugeFirst, nullptr),
    BELAY_NULL(aclrtMallocHostWithCfg, "ptr", nullptr, 8, nullptr),
    BELAY_NULL(aclrtFreeWithDevSync, "devPtr", nullptr),
    BELAY_NULL(aclrtFreeHostWithDevSync, "hostPtr", nullptr),
    BELAY_NULL(aclrtHostRegisterV2, "ptr", nullptr, 8, 0),
    BELAY_NULL(aclrtHostGetDevicePointer, "pHost", nullptr, &pointer_output, 0),
    BELAY_NULL(aclrtHostGetDevicePointer, "pDevice", live.host, nullptr, 0),
    BELAY_NULL(aclrtGetStreamOverflowSwitch, "flag", live.stream, nullptr),
    BELAY_NULL(aclrtHostUnregister, "ptr", nullptr),
    // Virtual memory. No handle is looked at before the other arguments.
    BELAY_NULL(aclrtReserveMemAddress, "virPtr", nullptr, 8, 0, nullptr, 0),
    BELAY_NULL(aclrtReleaseMemAddress, "virPtr", nullptr),
    BELAY_NULL(aclrtMallocPhysical, "handle", nullptr, 8, nullptr, 0),
    BELAY_NULL(aclrtMallocPhysical, "prop", &pointer_output, 8, nullptr, 0),
    BELAY_NULL(aclrtFreePhysical, "handle", nullptr),
    BELAY_NULL(aclrtMapMem, "virPtr", nullptr, 8, 0, live.stream, 0),
    BELAY_NULL(aclrtMapMem, "handle", live.block, 8, 0, nullptr, 0),
    BELAY_NULL(aclrtUnmapMem, "virPtr", nullptr),
    BELAY_NULL(aclrtMemGetAllocationGranularity, "prop", nullptr,
               ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, &size_output),
    // Streams.
    BELAY_NULL(aclrtCreateStream, "stream", nullptr),
    BELAY_NULL(aclrtCreateStreamWithConfig, "stream", nullptr, 0, 0),
    BELAY_NULL(aclrtDestroyStream, "stream", nullptr),
    BELAY_NULL(aclrtDestroyStreamForce, "stream", nullptr),
    BELAY_NULL(aclrtStreamQuery, "status", live.stream, nullptr),
    BELAY_NULL(aclrtStreamGetId, "streamId", live.stream, nullptr),
    BELAY_NULL(aclrtStreamGetPriority, "priority", live.stream, nullptr),
    BELAY_NULL(aclrtStreamGetFlags, "flags", live.stream, nullptr),
    BELAY_NULL(aclrtSetStreamAttribute, "value", live.stream, ACL_STREAM_ATTR_PRIORITY, nullptr),
    BELAY_NULL(aclrtGetStreamAttribute, "value", live.stream, ACL_STREAM_ATTR_PRIORITY, nullptr),
    BELAY_NULL(aclrtGetStreamAvailableNum, "streamCount", nullptr),
    BELAY_NULL(aclrtStreamWaitEvent, "event", live.stream, nullptr),
    {"aclrtStreamWaitEventWithTimeout", "event", 107000,
     BELAY_CALL(aclrtStreamWaitEventWithTimeout(live.stream, nullptr, 1))},
    {"aclrtLaunchCallback", "fn", 107000,
     BELAY_CALL(aclrtLaunchCallback(nullptr, nullptr, ACL_CALLBACK_BLOCK, live.stream))},
    {"aclrtLaunchHostFunc", "fn", 107000,
     BELAY_CALL(aclrtLaunchHostFunc(live.stream, nullptr, nullptr))},
    {"aclrtExceptionInfoCallbackRegister", "callback", 107000,
     BELAY_CALL(aclrtExceptionInfoCallbackRegister(nullptr))},
    {"aclrtExceptionInfoCallbackUnregister", "callback", 107000,
     BELAY_CALL(aclrtExceptionInfoCallbackUnregister(nullptr))},
    // Events.
    BELAY_NULL(aclrtCreateEvent, "event", nullptr),
    BELAY_NULL(aclrtCreateEventWithFlag, "event", nullptr, ACL_EVENT_SYNC),
    BELAY_NULL(aclrtCreateEventExWithFlag, "event", nullptr, ACL_EVENT_SYNC),
    BELAY_NULL(aclrtDestroyEvent, "event", nullptr),
    BELAY_NULL(aclrtRecordEvent, "event", nullptr, live.stream),
    BELAY_NULL(aclrtResetEvent, "event", nullptr, live.stream),
    BELAY_NULL(aclrtQueryEvent, "status", live.event, nullptr),
    BELAY_NULL(aclrtQueryEventStatus, "status", live.event, nullptr),
    BELAY_NULL(aclrtQueryEventWaitStatus, "status", live.event, nullptr),
    BELAY_NULL(aclrtSynchronizeEvent, "event", nullptr),
    BELAY_NULL(aclrtSynchronizeEventWithTimeout, "event", nullptr, 1),
    BELAY_NULL(aclrtEventElapsedTime, "ms", nullptr, live.event, live.event),
    BELAY_NULL(aclrtEventGetTimestamp, "timestamp", live.event, nullptr),
    BELAY_NULL(aclrtGetEventId, "event", nullptr, &uint_output),
    BELAY_NULL(aclrtGetEventId, "eventId", live.event, nullptr),
    BELAY_NULL(aclrtGetEventAvailNum, "eventCount", nullptr),
};

TEST_F(NullPointerTest, EveryPointerOfEveryFunction) {
  for (const Row& row : kNulls) {
    SCOPED_TRACE(std::string(row.function) + " " + row.argument);
    ExpectRefused(row.call(), row.code, std::string(row.function) + ": ",
                  std::string(row.argument) + " is null");
  }
  EXPECT_TRUE(size_output.Untouched() && int_output.Untouched() && uint_output.Untouched() &&
              pointer_output.Untouched());
}

TEST_F(NullPointerTest, FunctionsWithOutputsOfTheirOwn) {
  Output<aclrtEventStatus> old_status;
  Output<aclrtEventRecordedStatus> status;
  Output<aclrtEventWaitStatus> wait_status;
  Output<float> ms;
  Output<uint64_t> timestamp;
  Output<aclrtPtrAttributes> attributes;
  Output<uint64_t*> packed;
  Output<uint64_t> size;
  const float one = 1.0F;
  ExpectRefused(aclrtQueryEvent(nullptr, &old_status), 100000, "aclrtQueryEvent: event is null");
  ExpectRefused(aclrtQueryEventStatus(nullptr, &status), 100000,
                "aclrtQueryEventStatus: event is null");
  ExpectRefused(aclrtQueryEventWaitStatus(nullptr, &wait_status), 100000,
                "aclrtQueryEventWaitStatus: event is null");
  ExpectRefused(aclrtEventElapsedTime(&ms, nullptr, live.event), 100000, "startEvent is null");
  ExpectRefused(aclrtEventElapsedTime(&ms, live.event, nullptr), 100000, "endEvent is null");
  ExpectRefused(aclrtEventGetTimestamp(nullptr, &timestamp), 100000, "event is null");
  ExpectRefused(aclrtPointerGetAttributes(nullptr, &attributes), 100000, "ptr is null");
  ExpectRefused(aclnnTransQuantParam(nullptr, 1, nullptr, 0, &packed, &size), 161001,
                "scaleArray is null");
  ExpectRefused(aclnnTransQuantParam(&one, 1, nullptr, 0, nullptr, &size), 161001,
                "quantParam is null");
  ExpectRefused(aclnnTransQuantParam(&one, 1, nullptr, 0, &packed, nullptr), 161001,
                "quantParamSize is null");
  EXPECT_TRUE(old_status.Untouched() && status.Untouched() && wait_status.Untouched() &&
              ms.Untouched() && timestamp.Untouched() && attributes.Untouched() &&
              packed.Untouched() && size.Untouched());
}

TEST_F(NullPointerTest, WhereNullIsLegal) {
  const Row rows[] = {
      {"aclrtRecordEvent", "stream", 0, BELAY_CALL(aclrtRecordEvent(live.event, nullptr))},
      {"aclrtResetEvent", "stream", 0, BELAY_CALL(aclrtResetEvent(live.event, nullptr))},
      {"aclrtSynchronizeStream", "stream", 0, BELAY_CALL(aclrtSynchronizeStream(nullptr))},
      {"aclrtSynchronizeStreamWithTimeout", "stream", 0,
       BELAY_CALL(aclrtSynchronizeStreamWithTimeout(nullptr, 1000))},
      {"aclrtSetExceptionInfoCallback", "callback", 0,
       BELAY_CALL(aclrtSetExceptionInfoCallback(nullptr))},
      {"aclrtSetStreamFailureMode", "stream", 0, BELAY_CALL(aclrtSetStreamFailureMode(nullptr, 0))},
      {"aclrtMemsetAsync", "stream", 0,
       BELAY_CALL(aclrtMemsetAsync(live.block, 64, 0, 64, nullptr))},
      {"aclrtDeviceGetStreamPriorityRange", "both", 0,
       BELAY_CALL(aclrtDeviceGetStreamPriorityRange(nullptr, nullptr))},
  };
  for (const Row& row : rows) EXPECT_EQ(row.call(), row.code) << row.function << TakeMessages();
}

// Handles.

struct HandleRow {
  const char* function;
  int (*call)(void*);
};

#define BELAY_HANDLE(function, ...)                                                 \
  {                                                                                 \
#function, [](void* handle) { return static_cast<int>(function(__VA_ARGS__)); } \
  }

Output<aclrtStreamStatus> stream_status;
Output<aclrtStreamAttrValue> attribute_value;
Output<aclrtEventStatus> event_status;
Output<aclrtEventRecordedStatus> recorded_status;
Output<aclrtEventWaitStatus> wait_status;
Output<float> elapsed;
Output<uint64_t> stamp;

const HandleRow kStreamFunctions[] = {
    BELAY_HANDLE(aclrtDestroyStream, handle),
    BELAY_HANDLE(aclrtDestroyStreamForce, handle),
    BELAY_HANDLE(aclrtSynchronizeStream, handle),
    BELAY_HANDLE(aclrtSynchronizeStreamWithTimeout, handle, 1),
    BELAY_HANDLE(aclrtStreamQuery, handle, &stream_status),
    BELAY_HANDLE(aclrtStreamGetId, handle, &int_output),
    BELAY_HANDLE(aclrtStreamGetPriority, handle, &uint_output),
    BELAY_HANDLE(aclrtStreamGetFlags, handle, &uint_output),
    BELAY_HANDLE(aclrtStreamWaitEvent, handle, live.event),
    BELAY_HANDLE(aclrtStreamWaitEventWithTimeout, handle, live.event, 1),
    BELAY_HANDLE(aclrtSetStreamFailureMode, handle, 1),
    BELAY_HANDLE(aclrtSetStreamAttribute, handle, ACL_STREAM_ATTR_PRIORITY, &attribute_value),
    BELAY_HANDLE(aclrtGetStreamAttribute, handle, ACL_STREAM_ATTR_PRIORITY, &attribute_value),
    BELAY_HANDLE(aclrtRecordEvent, live.event, handle),
    BELAY_HANDLE(aclrtResetEvent, live.event, handle),
    BELAY_HANDLE(aclrtMemsetAsync, live.block, 64, 0, 64, handle),
    BELAY_HANDLE(aclrtMemcpyAsync, live.block, 64, live.host, 64, kH2D, handle),
    BELAY_HANDLE(aclrtMemcpy2dAsync, live.block, 8, live.host, 8, 8, 2, kH2D, handle),
    BELAY_HANDLE(aclrtSetStreamOverflowSwitch, handle, 1),
    BELAY_HANDLE(aclrtGetStreamOverflowSwitch, handle, &uint_output),
    BELAY_HANDLE(aclrtSubscribeReport, 1, handle),
    BELAY_HANDLE(aclrtUnSubscribeReport, 1, handle),
    BELAY_HANDLE(
        aclrtLaunchCallback, [](void*) {}, nullptr, ACL_CALLBACK_BLOCK, handle),
    BELAY_HANDLE(
        aclrtLaunchHostFunc, handle, [](void*) {}, nullptr),
};

const HandleRow kEventFunctions[] = {
    BELAY_HANDLE(aclrtDestroyEvent, handle),
    BELAY_HANDLE(aclrtRecordEvent, handle, live.stream),
    BELAY_HANDLE(aclrtResetEvent, handle, live.stream),
    BELAY_HANDLE(aclrtQueryEvent, handle, &event_status),
    BELAY_HANDLE(aclrtQueryEventStatus, handle, &recorded_status),
    BELAY_HANDLE(aclrtQueryEventWaitStatus, handle, &wait_status),
    BELAY_HANDLE(aclrtSynchronizeEvent, handle),
    BELAY_HANDLE(aclrtSynchronizeEventWithTimeout, handle, 1),
    BELAY_HANDLE(aclrtEventElapsedTime, &elapsed, handle, live.event),
    BELAY_HANDLE(aclrtEventElapsedTime, &elapsed, live.event, handle),
    BELAY_HANDLE(aclrtEventGetTimestamp, handle, &stamp),
    BELAY_HANDLE(aclrtGetEventId, handle, &uint_output),
    BELAY_HANDLE(aclrtStreamWaitEvent, live.stream, handle),
    BELAY_HANDLE(aclrtStreamWaitEventWithTimeout, live.stream, handle, 1),
};

using BadHandles = std::vector<std::pair<void*, std::string>>;

// Pointers that are no handle of any kind; `live_handle` is one.
BadHandles Foreign(void* live_handle) {
  const std::string no_handle = "no handle that this library gave out";
  return {{live.host, no_handle},
          {live.block, no_handle},
          {reinterpret_cast<void*>(std::uintptr_t{1}), no_handle},
          {reinterpret_cast<void*>(UINTPTR_MAX), no_handle},
          {static_cast<char*>(live_handle) + 0x8001, "already destroyed"}};
}

template <std::size_t N>
void ExpectAllRefuse(const HandleRow (&rows)[N], const BadHandles& handles) {
  for (const HandleRow& row : rows) {
    for (const auto& [handle, text] : handles) {
      SCOPED_TRACE(std::string(row.function) + " " + text);
      ExpectRefused(row.call(handle), ACL_ERROR_RT_INVALID_HANDLE, std::string(row.function) + ": ",
                    text);
    }
  }
  EXPECT_TRUE(int_output.Untouched() && uint_output.Untouched() && stream_status.Untouched() &&
              attribute_value.Untouched() && event_status.Untouched() &&
              recorded_status.Untouched() && wait_status.Untouched() && elapsed.Untouched() &&
              stamp.Untouched());
}

TEST_F(NullPointerTest, WhatIsNoStream) {
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&context), ACL_SUCCESS);
  aclrtStream stale = OwnStream().Release();
  ASSERT_EQ(aclrtDestroyStream(stale), ACL_SUCCESS);
  BadHandles handles = Foreign(live.stream);
  handles.emplace_back(stale, "a stream that is already destroyed");
  handles.emplace_back(live.event, "the handle of an event");
  handles.emplace_back(context, "the handle of a context");
  ExpectAllRefuse(kStreamFunctions, handles);
  EXPECT_EQ(aclrtSynchronizeStream(live.stream), ACL_SUCCESS);
}

TEST_F(NullPointerTest, WhatIsNoEvent) {
  aclrtEvent stale = OwnEvent().Release();
  ASSERT_EQ(aclrtDestroyEvent(stale), ACL_SUCCESS);
  aclDataBuffer* buffer = aclCreateDataBuffer(nullptr, 0);
  BadHandles handles = Foreign(live.event);
  handles.emplace_back(stale, "an event that is already destroyed");
  handles.emplace_back(live.stream, "the handle of a stream");
  handles.emplace_back(buffer, "the handle of a data buffer");
  ExpectAllRefuse(kEventFunctions, handles);
  EXPECT_EQ(aclDestroyDataBuffer(buffer), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeEvent(live.event), ACL_SUCCESS);
}

}  // namespace
}  // namespace belay::test
