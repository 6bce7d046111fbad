// A refusal keeps its documented code when there is no memory for its message.
#include <acl/acl.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "alloc_failure/device_fixture.h"
#include "alloc_failure/probe.h"

namespace belay::alloc_failure {
namespace {

class Refusals : public OnDevice {
 protected:
  void SetUp() override {
    OnDevice::SetUp();
    ASSERT_EQ(aclrtMalloc(&freed_, kBytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    ASSERT_EQ(aclrtFree(freed_), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateEvent(&gone_event_), ACL_SUCCESS);
    ASSERT_EQ(aclrtDestroyEvent(gone_event_), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateStream(&gone_stream_), ACL_SUCCESS);
    ASSERT_EQ(aclrtDestroyStream(gone_stream_), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateContext(&foreign_context_, 0), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateStream(&foreign_stream_), ACL_SUCCESS);
    ASSERT_EQ(aclrtSetCurrentContext(context_), ACL_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(aclrtDestroyContext(foreign_context_), ACL_SUCCESS);
    OnDevice::TearDown();
  }

  void* freed_ = nullptr;
  aclrtEvent gone_event_ = nullptr;
  aclrtStream gone_stream_ = nullptr;
  aclrtContext foreign_context_ = nullptr;
  aclrtStream foreign_stream_ = nullptr;
};

TEST_F(Refusals, OfMemoryCalls) {
  void* block = nullptr;
  std::size_t size = 0;
  char* const host = pageable_.data();
  constexpr auto kPolicy = ACL_MEM_MALLOC_HUGE_FIRST;
  const std::vector<Probe> probes = {
      Refusal("null", ACL_ERROR_INVALID_PARAM, [&] { return aclrtMalloc(nullptr, 1, kPolicy); }),
      Refusal("size 0", ACL_ERROR_INVALID_PARAM, [&] { return aclrtMalloc(&block, 0, kPolicy); }),
      Refusal("size wraps", ACL_ERROR_INVALID_PARAM,
              [&] { return aclrtMalloc(&block, SIZE_MAX - 7, kPolicy); }),
      Refusal("more than the chip has", ACL_ERROR_RT_MEMORY_ALLOCATION,
              [&] { return aclrtMalloc(&block, std::size_t{1} << 45, kPolicy); }),
      Refusal("freed twice", ACL_ERROR_RT_PARAM_INVALID, [&] { return aclrtFree(freed_); }),
      Refusal("free of host memory", ACL_ERROR_RT_PARAM_INVALID, [&] { return aclrtFree(host); }),
      Refusal("free of the middle", ACL_ERROR_RT_PARAM_INVALID,
              [&] { return aclrtFree(static_cast<char*>(device_) + 8); }),
      Refusal("free of page-locked memory", ACL_ERROR_RT_PARAM_INVALID,
              [&] { return aclrtFree(pinned_); }),
      Refusal("free of device memory as host memory", ACL_ERROR_RT_PARAM_INVALID,
              [&] { return aclrtFreeHost(device_); }),
      Refusal("copy past the block", ACL_ERROR_RT_PARAM_INVALID,
              [&] {
                return aclrtMemcpy(device_, 2 * kBytes, other_device_, kBytes + 1,
                                   ACL_MEMCPY_DEVICE_TO_DEVICE);
              }),
      Refusal("copy to freed memory", ACL_ERROR_RT_PARAM_INVALID,
              [&] { return aclrtMemcpy(freed_, 8, host, 8, ACL_MEMCPY_HOST_TO_DEVICE); }),
      Refusal("copy of more than destMax", ACL_ERROR_RT_PARAM_INVALID,
              [&] { return aclrtMemcpy(device_, 8, host, 9, ACL_MEMCPY_HOST_TO_DEVICE); }),
      Refusal("copy that wraps", ACL_ERROR_RT_PARAM_INVALID,
              [&] {
                return aclrtMemcpy(device_, SIZE_MAX, host, SIZE_MAX - 3,
                                   ACL_MEMCPY_HOST_TO_DEVICE);
              }),
      Refusal("kind", ACL_ERROR_INVALID_PARAM,
              [&] { return aclrtMemcpy(device_, 8, host, 8, static_cast<aclrtMemcpyKind>(7)); }),
      Refusal("queued copy past the block", ACL_ERROR_RT_PARAM_INVALID,
              [&] {
                return aclrtMemcpyAsync(device_, 2 * kBytes, other_device_, kBytes + 1,
                                        ACL_MEMCPY_DEVICE_TO_DEVICE, stream_);
              }),
      Refusal("queued fill of freed memory", ACL_ERROR_RT_PARAM_INVALID,
              [&] { return aclrtMemsetAsync(freed_, 8, 0, 8, stream_); }),
      Refusal(
          "host to host in a stream", ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
          [&] { return aclrtMemcpyAsync(host, 8, host + 8, 8, ACL_MEMCPY_HOST_TO_HOST, stream_); }),
      Refusal("rows within a device", ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
              [&] {
                return aclrtMemcpy2d(device_, 8, other_device_, 8, 8, 2,
                                     ACL_MEMCPY_DEVICE_TO_DEVICE);
              }),
      Refusal("flush of host memory", ACL_ERROR_RT_PARAM_INVALID,
              [&] { return aclrtMemFlush(host, 8); }),
      Refusal("attribute of the wrong memory", ACL_ERROR_RT_INVALID_MEMORY_TYPE,
              [&] { return aclrtGetMemInfo(ACL_DDR_MEM, &size, &size); }),
      Refusal("not registered", ACL_ERROR_HOST_MEMORY_NOT_REGISTERED,
              [&] { return aclrtHostUnregister(host); }),
      Refusal("register a kind", ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
              [&] {
                return aclrtHostRegister(host, 8, static_cast<aclrtHostRegisterType>(1), &block);
              }),
  };
  for (const Probe& probe : probes) ExpectSurvives(probe);
}

TEST_F(Refusals, OfStreamAndEventCalls) {
  aclrtStream stream = nullptr;
  aclrtEvent event = nullptr;
  std::int32_t id = 0;
  float ms = 0;
  std::uint64_t stamp = 0;
  aclrtEventRecordedStatus status{};
  aclrtStreamAttrValue value{};
  const std::vector<Probe> probes = {
      Refusal("destroyed stream", ACL_ERROR_RT_INVALID_HANDLE,
              [&] { return aclrtStreamGetId(gone_stream_, &id); }),
      Refusal("event as stream", ACL_ERROR_RT_INVALID_HANDLE,
              [&] { return aclrtSynchronizeStream(event_); }),
      Refusal("stream of another context", ACL_ERROR_RT_STREAM_CONTEXT,
              [&] { return aclrtStreamGetId(foreign_stream_, &id); }),
      Refusal("destroyed twice", ACL_ERROR_RT_INVALID_HANDLE,
              [&] { return aclrtDestroyStream(gone_stream_); }),
      Refusal("flags that exclude each other", ACL_ERROR_RT_PARAM_INVALID,
              [&] { return aclrtCreateStreamWithConfig(&stream, 0, 0x21); }),
      Refusal("unknown attribute", ACL_ERROR_RT_PARAM_INVALID,
              [&] {
                return aclrtGetStreamAttribute(stream_, static_cast<aclrtStreamAttr>(7), &value);
              }),
      Refusal("time-out 0", ACL_ERROR_RT_PARAM_INVALID,
              [&] { return aclrtSynchronizeStreamWithTimeout(stream_, 0); }),
      Refusal("event flag 0", ACL_ERROR_RT_PARAM_INVALID,
              [&] { return aclrtCreateEventWithFlag(&event, 0); }),
      Refusal("destroyed event", ACL_ERROR_RT_INVALID_HANDLE,
              [&] { return aclrtRecordEvent(gone_event_, stream_); }),
      Refusal("event destroyed twice", ACL_ERROR_RT_INVALID_HANDLE,
              [&] { return aclrtDestroyEvent(gone_event_); }),
      Refusal("number as event", ACL_ERROR_RT_INVALID_HANDLE,
              [&] { return aclrtQueryEventStatus(pageable_.data(), &status); }),
      Refusal("never recorded", ACL_ERROR_RT_PARAM_INVALID,
              [&] { return aclrtStreamWaitEvent(stream_, event_); }),
      Refusal("no time yet", ACL_ERROR_RT_INTERNAL_ERROR,
              [&] { return aclrtEventElapsedTime(&ms, event_, event_); }),
      Refusal("no time stamp", ACL_ERROR_RT_INTERNAL_ERROR,
              [&] { return aclrtEventGetTimestamp(event_, &stamp); }),
  };
  for (const Probe& probe : probes) ExpectSurvives(probe);
}

TEST_F(Refusals, OfWaitsThatRunOut) {
  CloseGate();
  ASSERT_EQ(aclrtRecordEvent(event_, stream_), ACL_SUCCESS);
  ExpectSurvives(Refusal("stream", ACL_ERROR_RT_STREAM_SYNC_TIMEOUT,
                         [&] { return aclrtSynchronizeStreamWithTimeout(stream_, 1); }));
  ExpectSurvives(Refusal("event", ACL_ERROR_RT_EVENT_SYNC_TIMEOUT,
                         [&] { return aclrtSynchronizeEventWithTimeout(event_, 1); }));
  ExpectSurvives({.name = "device",
                  .call = [&] { return aclrtSynchronizeDeviceWithTimeout(1); },
                  .expected = ACL_ERROR_RT_STREAM_SYNC_TIMEOUT});
}

TEST_F(Refusals, OfDeviceAndContextCalls) {
  aclrtContext context = nullptr;
  std::int64_t value = 0;
  aclrtDeviceStatus status{};
  std::int32_t active = 0;
  const std::vector<Probe> probes = {
      Refusal("device id", ACL_ERROR_RT_INVALID_DEVICEID, [] { return aclrtSetDevice(99); }),
      Refusal("reset device id", ACL_ERROR_RT_INVALID_DEVICEID,
              [] { return aclrtResetDevice(-1); }),
      Refusal("status of a device id", ACL_ERROR_RT_INVALID_DEVICEID,
              [&] { return aclrtQueryDeviceStatus(99, &status); }),
      Refusal("info of a device id", ACL_ERROR_RT_PARAM_INVALID,
              [&] { return aclrtGetDeviceInfo(99, ACL_DEV_ATTR_AICORE_CORE_NUM, &value); }),
      Refusal("capability of a device id", ACL_ERROR_INVALID_PARAM,
              [&] { return aclGetDeviceCapability(99, ACL_DEVICE_INFO_L2_SIZE, &value); }),
      Refusal("context on a device id", ACL_ERROR_RT_INVALID_DEVICEID,
              [&] { return aclrtCreateContext(&context, 99); }),
      Refusal("primary context", ACL_ERROR_RT_CONTEXT_NULL,
              [&] { return aclrtDestroyContext(context_); }),
      Refusal("stream as context", ACL_ERROR_RT_CONTEXT_NULL,
              [&] { return aclrtDestroyContext(stream_); }),
      Refusal("stream as current context", ACL_ERROR_RT_PARAM_INVALID,
              [&] { return aclrtSetCurrentContext(stream_); }),
      Refusal("option", ACL_ERROR_INVALID_PARAM,
              [] { return aclrtCtxSetSysParamOpt(ACL_OPT_ENABLE_KERNEL_EARLY_START, 0); }),
      Refusal("value of an option", ACL_ERROR_INVALID_PARAM,
              [] { return aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 9); }),
      Refusal("option never set", ACL_ERROR_RT_SYSPARAMOPT_NOT_SET,
              [&] { return aclrtCtxGetSysParamOpt(ACL_OPT_ENABLE_DEBUG_KERNEL, &value); }),
      Refusal("primary context of a device id", ACL_ERROR_RT_INVALID_DEVICEID,
              [&] { return aclrtGetPrimaryCtxState(99, nullptr, &active); }),
      Refusal("level", ACL_ERROR_INVALID_PARAM,
              [] { return aclrtGetLastError(static_cast<aclrtLastErrLevel>(1)); }),
  };
  for (const Probe& probe : probes) ExpectSurvives(probe);
}

TEST(RefusalsWithoutDevice, NoContext) {
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  void* block = nullptr;
  aclrtStream stream = nullptr;
  aclrtEvent event = nullptr;
  char bytes[16] = {};
  const std::vector<Probe> probes = {
      Refusal("aclrtMalloc", ACL_ERROR_RT_CONTEXT_NULL,
              [&] { return aclrtMalloc(&block, 8, ACL_MEM_MALLOC_HUGE_FIRST); }),
      Refusal("aclrtCreateStream", ACL_ERROR_RT_CONTEXT_NULL,
              [&] { return aclrtCreateStream(&stream); }),
      Refusal("aclrtCreateEvent", ACL_ERROR_RT_CONTEXT_NULL,
              [&] { return aclrtCreateEvent(&event); }),
      Refusal("aclrtMemcpy", ACL_ERROR_RT_CONTEXT_NULL,
              [&] { return aclrtMemcpy(bytes, 8, bytes + 8, 8, ACL_MEMCPY_HOST_TO_HOST); }),
      Refusal("aclrtSynchronizeDevice", ACL_ERROR_RT_CONTEXT_NULL,
              [] { return aclrtSynchronizeDevice(); }),
      Refusal("aclrtResetDevice", ACL_ERROR_RT_CONTEXT_RELEASE_ERROR,
              [] { return aclrtResetDevice(0); }),
      Refusal("aclInit again", ACL_ERROR_REPEAT_INITIALIZE, [] { return aclInit(nullptr); }),
  };
  for (const Probe& probe : probes) ExpectSurvives(probe);
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  ExpectSurvives(
      Refusal("aclFinalize again", ACL_ERROR_REPEAT_FINALIZE, [] { return aclFinalize(); }));
}

}  // namespace
}  // namespace belay::alloc_failure
