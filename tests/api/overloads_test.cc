// The C++ overloads of acl_rt_api.h do what the C functions do.
#include "acl/acl_rt_api.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "support/api_test_support.h"

namespace belay::test {
namespace {

class OverloadsTest : public DeviceTest {};

TEST_F(OverloadsTest, SynchroniseWithTimeouts) {
  const OwnStream stream;
  const OwnEvent event;
  ASSERT_EQ(aclrtRecordEvent(event, stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeDevice(1000), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream, 1000), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr, -1), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeEvent(event, 1000), ACL_SUCCESS);
  ExpectRefused(aclrtSynchronizeDevice(0), 107000, "aclrtSynchronizeDeviceWithTimeout");
  ExpectRefused(aclrtSynchronizeStream(stream, 0), 107000, "aclrtSynchronizeStreamWithTimeout");
  ExpectRefused(aclrtSynchronizeEvent(event, -2), 107000, "aclrtSynchronizeEventWithTimeout");
}

TEST_F(OverloadsTest, WaitsWithTimeouts) {
  const OwnStream stream;
  {
    const Blocker blocker(stream);
    ExpectRefused(aclrtSynchronizeStream(stream, 1), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT,
                  "aclrtSynchronizeStreamWithTimeout");
    ExpectRefused(aclrtSynchronizeDevice(1), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT,
                  "aclrtSynchronizeDeviceWithTimeout");
  }
  const OwnEvent event;
  EXPECT_EQ(aclrtStreamWaitEvent(stream, event, 10), ACL_SUCCESS);
  ExpectRefused(aclrtStreamWaitEvent(stream, event, -1), 107000, "aclrtStreamWaitEventWithTimeout");
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
}

TEST_F(OverloadsTest, CreationWithFlags) {
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream, 3, ACL_STREAM_FAST_SYNC), ACL_SUCCESS);
  uint32_t priority = 0;
  uint32_t flags = 0;
  EXPECT_EQ(aclrtStreamGetPriority(stream, &priority), ACL_SUCCESS);
  EXPECT_EQ(aclrtStreamGetFlags(stream, &flags), ACL_SUCCESS);
  EXPECT_EQ(priority, 3U);
  EXPECT_EQ(flags, ACL_STREAM_FAST_SYNC);
  EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);

  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEvent(&event, ACL_EVENT_SYNC), ACL_SUCCESS);
  aclrtEventRecordedStatus status{};
  EXPECT_EQ(aclrtQueryEventStatus(event, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_COMPLETE) << "an event that can be recorded again";
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
  Output<aclrtEvent> refused;
  ExpectRefused(aclrtCreateEvent(&refused, 0), 107000, "aclrtCreateEventExWithFlag", "flag is 0x0");
  EXPECT_TRUE(refused.Untouched());
}

TEST_F(OverloadsTest, TypedCopies) {
  std::vector<float> numbers(64);
  std::iota(numbers.begin(), numbers.end(), 1.0F);
  constexpr std::size_t kBytes = 64 * sizeof(float);
  const Block block(kBytes);
  auto* const on_device = static_cast<float*>(block.get());

  EXPECT_EQ(aclrtMemcpy(on_device, kBytes, numbers.data(), kBytes, ACL_MEMCPY_HOST_TO_DEVICE),
            ACL_SUCCESS);
  std::vector<float> back(64);
  EXPECT_EQ(
      aclrtMemcpyAsync(back.data(), kBytes, on_device, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, nullptr),
      ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(back, numbers);

  // The left half of each of eight rows.
  std::vector<float> halves(32);
  EXPECT_EQ(aclrtMemcpy2d(halves.data(), 16, on_device, 32, 16, 8, ACL_MEMCPY_DEVICE_TO_HOST),
            ACL_SUCCESS);
  std::vector<float> expected;
  for (std::size_t i = 0; i < 64; ++i) {
    if (i % 8 < 4) expected.push_back(numbers[i]);
  }
  EXPECT_EQ(halves, expected);
  std::vector<float> again(32);
  EXPECT_EQ(aclrtMemcpy2dAsync(again.data(), 16, on_device, 32, 16, 8, ACL_MEMCPY_DEVICE_TO_HOST,
                               nullptr),
            ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(again, expected);
  ExpectRefused(aclrtMemcpy(on_device, 3, numbers.data(), 4, ACL_MEMCPY_HOST_TO_DEVICE), 107000,
                "aclrtMemcpy:", "count is 4");
}

TEST_F(OverloadsTest, TypedPointersAndRegistration) {
  const Block block(64);
  aclrtPtrAttributes attributes{};
  EXPECT_EQ(aclrtPointerGetAttributes(static_cast<const int*>(block.get()), &attributes),
            ACL_SUCCESS);
  EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_DEVICE);

  std::vector<double> numbers(1000);
  double* device = nullptr;
  EXPECT_EQ(aclrtHostRegister(numbers.data(), numbers.size() * sizeof(double),
                              ACL_HOST_REGISTER_MAPPED, &device),
            ACL_SUCCESS);
  EXPECT_EQ(device, numbers.data());
  EXPECT_EQ(aclrtHostUnregister(numbers.data()), ACL_SUCCESS);
  ExpectRefused(aclrtHostUnregister(numbers.data()), 507911, "aclrtHostUnregister");
  Output<double*> untouched;
  ExpectRefused(aclrtHostRegister(numbers.data(), 0, ACL_HOST_REGISTER_MAPPED, &untouched), 100000,
                "aclrtHostRegister", "size is 0");
  EXPECT_TRUE(untouched.Untouched());
  double** const none = nullptr;
  ExpectRefused(aclrtHostRegister(numbers.data(), 8, ACL_HOST_REGISTER_MAPPED, none), 100000,
                "aclrtHostRegister", "devPtr is null");
}

}  // namespace
}  // namespace belay::test
