// Virtual memory, batches and tensor descriptions, with each of their allocations failing.
#include <acl/acl.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "alloc_failure/device_fixture.h"
#include "alloc_failure/probe.h"

namespace belay::alloc_failure {
namespace {

constexpr std::size_t kUnit = std::size_t{2} << 20;
void* const kUntouched = reinterpret_cast<void*>(0x1234);

aclrtPhysicalMemProp Properties() {
  aclrtPhysicalMemProp prop{};
  prop.memAttr = ACL_HBM_MEM_HUGE;
  prop.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  return prop;
}

class Virtual : public OnDevice {
 protected:
  void SetUp() override {
    OnDevice::SetUp();
    void* address = nullptr;
    ASSERT_EQ(aclrtReserveMemAddress(&address, 2 * kUnit, 0, nullptr, 0), ACL_SUCCESS);
    addresses_ = static_cast<char*>(address);
    ASSERT_EQ(aclrtMallocPhysical(&memory_, 2 * kUnit, &prop_, 0), ACL_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(aclrtFreePhysical(memory_), ACL_SUCCESS);
    EXPECT_EQ(aclrtReleaseMemAddress(addresses_), ACL_SUCCESS);
    OnDevice::TearDown();
  }
  void MapBoth() {
    ASSERT_EQ(aclrtMapMem(addresses_, kUnit, 0, memory_, 0), ACL_SUCCESS);
    ASSERT_EQ(aclrtMapMem(addresses_ + kUnit, kUnit, kUnit, memory_, 0), ACL_SUCCESS);
  }
  void UnmapBoth() {
    ASSERT_EQ(aclrtUnmapMem(addresses_), ACL_SUCCESS);
    ASSERT_EQ(aclrtUnmapMem(addresses_ + kUnit), ACL_SUCCESS);
  }

  const aclrtPhysicalMemProp prop_ = Properties();
  char* addresses_ = nullptr;
  aclrtDrvMemHandle memory_ = nullptr;
};

TEST_F(Virtual, AddressesAndMemoryAreHadOrNot) {
  void* result = kUntouched;
  const auto reset = [&] { result = kUntouched; };
  const auto untouched = [&] { EXPECT_EQ(result, kUntouched); };
  const std::vector<Probe> probes = {
      {.name = "aclrtReserveMemAddress",
       .call = [&] { return aclrtReserveMemAddress(&result, kUnit, 0, nullptr, 0); },
       .prepare = reset,
       .undo = [&] { EXPECT_EQ(aclrtReleaseMemAddress(result), ACL_SUCCESS); },
       .unharmed = untouched},
      {.name = "aclrtMallocPhysical",
       .call = [&] { return aclrtMallocPhysical(&result, kUnit, &prop_, 0); },
       .prepare = reset,
       .undo = [&] { EXPECT_EQ(aclrtFreePhysical(result), ACL_SUCCESS); },
       .unharmed = untouched},
      {.name = "aclrtMapMem",
       .call = [&] { return aclrtMapMem(addresses_, kUnit, 0, memory_, 0); },
       .undo = [&] { EXPECT_EQ(aclrtUnmapMem(addresses_), ACL_SUCCESS); },
       .unharmed =
           [&] {
             // Nothing is mapped, and the place is free.
             EXPECT_EQ(aclrtUnmapMem(addresses_), ACL_ERROR_RT_PARAM_INVALID);
             EXPECT_EQ(aclrtMapMem(addresses_, kUnit, 0, memory_, 0), ACL_SUCCESS);
             EXPECT_EQ(aclrtUnmapMem(addresses_), ACL_SUCCESS);
           }},
  };
  for (const Probe& probe : probes) ExpectSurvives(probe);
}

TEST_F(Virtual, GivingBackNeedsNoMemory) {
  void* result = nullptr;
  ExpectSurvives(NeverFails(
      "aclrtUnmapMem",
      [&] { ASSERT_EQ(aclrtMapMem(addresses_, kUnit, 0, memory_, 0), ACL_SUCCESS); },
      [&] { return aclrtUnmapMem(addresses_); }));
  ExpectSurvives(NeverFails(
      "aclrtFreePhysical",
      [&] { ASSERT_EQ(aclrtMallocPhysical(&result, kUnit, &prop_, 0), ACL_SUCCESS); },
      [&] { return aclrtFreePhysical(result); }));
  ExpectSurvives(NeverFails(
      "aclrtReleaseMemAddress",
      [&] { ASSERT_EQ(aclrtReserveMemAddress(&result, kUnit, 0, nullptr, 0), ACL_SUCCESS); },
      [&] { return aclrtReleaseMemAddress(result); }));
}

TEST_F(Virtual, WorkAcrossMappings) {
  MapBoth();
  const std::vector<Probe> probes = {
      {.name = "aclrtMemset",
       .call = [&] { return aclrtMemset(addresses_, 2 * kUnit, 7, 2 * kUnit); }},
      {.name = "aclrtMemsetAsync, queued",
       .call = [&] { return aclrtMemsetAsync(addresses_, 2 * kUnit, 7, 2 * kUnit, stream_); },
       .prepare = [&] { CloseGate(); },
       .undo = [&] { OpenGate(); },
       .unharmed = [&] { OpenGate(); }},
  };
  for (const Probe& probe : probes) ExpectSurvives(probe);
  UnmapBoth();
}

TEST_F(Virtual, Batches) {
  void* dsts[] = {device_, other_device_};
  void* srcs[] = {pinned_, pinned_};
  std::size_t sizes[] = {64, 64};
  std::size_t first = 0;
  std::size_t failed = 0;
  aclrtMemcpyBatchAttr attribute{};
  attribute.dstLoc.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  attribute.srcLoc.type = ACL_MEM_LOCATION_TYPE_HOST;
  const auto reset = [&] { failed = 4711; };
  const std::vector<Probe> probes = {
      {.name = "aclrtMemcpyBatch",
       .call =
           [&] {
             return aclrtMemcpyBatch(dsts, sizes, srcs, sizes, 2, &attribute, &first, 1, &failed);
           },
       .prepare = reset,
       .unharmed = [&] { EXPECT_NE(failed, 4711U); }},
      {.name = "aclrtMemcpyBatchAsync",
       .call =
           [&] {
             return aclrtMemcpyBatchAsync(dsts, sizes, srcs, sizes, 2, &attribute, &first, 1,
                                          &failed, stream_);
           },
       .prepare = reset,
       .unharmed = [&] { EXPECT_NE(failed, 4711U); }},
  };
  for (const Probe& probe : probes) ExpectSurvives(probe);
}

TEST_F(Virtual, TensorDescriptions) {
  const std::array<std::int64_t, 4> dims = {2, 3, 4, 5};
  aclTensorDesc* desc = aclCreateTensorDesc(ACL_FLOAT, 4, dims.data(), ACL_FORMAT_NCHW);
  ASSERT_NE(desc, nullptr);
  aclTensorDesc* other = nullptr;
  std::array<char, 100> data{};
  std::int64_t ranges[4][2] = {{1, 2}, {3, 3}, {4, 4}, {5, 5}};
  const std::vector<Probe> probes = {
      {.name = "aclTransTensorDescFormat",
       .call = [&] { return aclTransTensorDescFormat(desc, ACL_FORMAT_NHWC, &other); },
       .prepare = [&] { other = nullptr; },
       .undo = [&] { aclDestroyTensorDesc(other); },
       .unharmed = [&] { EXPECT_EQ(other, nullptr); }},
      {.name = "aclSetTensorConst",
       .call = [&] { return aclSetTensorConst(desc, data.data(), data.size()); }},
      {.name = "aclSetTensorShapeRange",
       .call = [&] { return aclSetTensorShapeRange(desc, 4, ranges); }},
      {.name = "aclSetTensorValueRange",
       .call = [&] { return aclSetTensorValueRange(desc, 4, ranges); }},
      {.name = "aclSetTensorShape",
       .call = [&] { return aclSetTensorShape(desc, 4, dims.data()); }},
      {.name = "aclSetTensorOriginShape",
       .call = [&] { return aclSetTensorOriginShape(desc, 4, dims.data()); }},
      {.name = "aclSetTensorDynamicInput",
       .call =
           [&] { return aclSetTensorDynamicInput(desc, "a name that no string has room for"); }},
      {.name = "aclCreateTensorDesc",
       .call =
           [&] {
             other = aclCreateTensorDesc(ACL_FLOAT, 4, dims.data(), ACL_FORMAT_ND);
             return other == nullptr ? ACL_ERROR_RT_MEMORY_ALLOCATION : ACL_SUCCESS;
           },
       .undo = [&] { aclDestroyTensorDesc(other); }},
  };
  for (const Probe& probe : probes) ExpectSurvives(probe);
  aclDestroyTensorDesc(desc);
}

}  // namespace
}  // namespace belay::alloc_failure
