// Allocation with attributes, freeing after the device's work, and host memory registered by flags.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "support/api_test_support.h"
#include "support/gate.h"
#include "support/host_function.h"
#include "support/threads.h"

namespace belay::test {
namespace {

constexpr std::size_t kBytes = 64;

class MemoryConfig : public DeviceTest {
 protected:
  HostBodies bodies_;
};

using Attributes = std::vector<aclrtMallocAttribute>;

aclrtMallocAttribute ModuleId(uint16_t id) {
  aclrtMallocAttribute attribute{};
  attribute.attr = ACL_RT_MEM_ATTR_MODULE_ID;
  attribute.value.moduleId = id;
  return attribute;
}

std::size_t FreeBytes() {
  std::size_t free = 0;
  std::size_t total = 0;
  EXPECT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total), ACL_SUCCESS);
  return free;
}

TEST_F(MemoryConfig, TakesAttributesThatSayNothing) {
  Attributes attributes{ModuleId(3), ModuleId(0)};
  aclrtMallocConfig config{attributes.data(), attributes.size()};
  aclrtMallocConfig empty{nullptr, 0};
  const std::size_t free = FreeBytes();
  for (aclrtMallocConfig* each : {&config, &empty, static_cast<aclrtMallocConfig*>(nullptr)}) {
    void* device = nullptr;
    ASSERT_EQ(aclrtMallocWithCfg(&device, kBytes, ACL_MEM_MALLOC_HUGE_FIRST, each), ACL_SUCCESS);
    EXPECT_EQ(FreeBytes(), free - kBytes - 32);
    EXPECT_EQ(aclrtMemset(device, kBytes, 1, kBytes), ACL_SUCCESS);
    ASSERT_EQ(aclrtFree(device), ACL_SUCCESS);
    void* host = nullptr;
    ASSERT_EQ(aclrtMallocHostWithCfg(&host, kBytes, each), ACL_SUCCESS);
    ASSERT_EQ(aclrtFreeHost(host), ACL_SUCCESS);
  }
}

TEST_F(MemoryConfig, RefusesInItsOrder) {
  Output<void*> block;
  aclrtMallocConfig null{nullptr, 1};
  const auto device = [&block](std::size_t size, aclrtMallocConfig* config) {
    return aclrtMallocWithCfg(&block, size, ACL_MEM_MALLOC_HUGE_FIRST, config);
  };
  const auto host = [&block](std::size_t size, aclrtMallocConfig* config) {
    return aclrtMallocHostWithCfg(&block, size, config);
  };
  ExpectRefused(device(0, &null), 100000, "size is 0");
  ExpectRefused(host(0, &null), 100000, "size is 0");
  ExpectRefused(device(8, &null), 100000, "cfg->attrs is null");
  ExpectRefused(host(8, &null), 100000, "cfg->attrs is null");
  for (const int attr : {2, 3, 99}) {
    Attributes attributes{ModuleId(1), {}};
    attributes[1].attr = static_cast<aclrtMallocAttrType>(attr);
    aclrtMallocConfig config{attributes.data(), attributes.size()};
    const std::string seen = "cfg->attrs[1].attr is " + std::to_string(attr);
    ExpectRefused(device(8, &config), 207000, seen);
    ExpectRefused(host(8, &config), 207000, seen);
  }
  OnFreshThread([&] { ExpectRefused(device(8, nullptr), 107002, "no current context"); });
  EXPECT_TRUE(block.Untouched());
}

TEST_F(MemoryConfig, FreeingWithSyncWaitsForTheDevice) {
  const OwnStream stream;
  for (const bool on_device : {true, false}) {
    void* block = nullptr;
    ASSERT_EQ(on_device ? aclrtMalloc(&block, kBytes, ACL_MEM_MALLOC_HUGE_FIRST)
                        : aclrtMallocHost(&block, kBytes),
              ACL_SUCCESS);
    const Gate gate;
    std::atomic<bool> done{false};
    ASSERT_EQ(bodies_.LaunchHostFunc(stream,
                                     [&] {
                                       EXPECT_TRUE(gate.Wait());
                                       done = true;
                                     }),
              ACL_SUCCESS);
    std::jthread opener([&gate] { gate.Open(); });
    ASSERT_EQ(on_device ? aclrtFreeWithDevSync(block) : aclrtFreeHostWithDevSync(block),
              ACL_SUCCESS);
    EXPECT_TRUE(done.load());
    ExpectRefused(on_device ? aclrtFreeWithDevSync(block) : aclrtFreeHostWithDevSync(block), 107000,
                  "freed by aclrtFree");
  }
}

TEST_F(MemoryConfig, FreeingWithSyncLeavesFaultsToTheProgramsWaits) {
  const OwnStream stream;
  Block block(kBytes);
  ASSERT_EQ(bodies_.LaunchHostFunc(stream, [] { throw 1; }), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreeWithDevSync(block.Release()), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
}

TEST_F(MemoryConfig, FreeingWithSyncNeedsAContextAndNoHeldStream) {
  const OwnStream stream;
  Block block(kBytes);
  OnFreshThread([&block] {
    ExpectRefused(aclrtFreeWithDevSync(block.get()), 107002, "no current context");
    ExpectRefused(aclrtFreeHostWithDevSync(block.get()), 107002, "no current context");
  });
  ASSERT_EQ(bodies_.LaunchHostFunc(stream,
                                   [&block] {
                                     ExpectRefused(aclrtFreeWithDevSync(block.get()), 107000,
                                                   "held by the host function");
                                   }),
            ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
}

TEST_F(MemoryConfig, RegistersHostMemoryByFlags) {
  for (const uint32_t flag : {0x0U, 0x2U, 0x4U, 0x8U, 0x10000000U, 0x1000000EU}) {
    Bytes bytes(kBytes, 7);
    ASSERT_EQ(aclrtHostRegisterV2(bytes.data(), kBytes, flag), ACL_SUCCESS) << flag;
    void* device = nullptr;
    ASSERT_EQ(aclrtHostGetDevicePointer(bytes.data() + 8, &device, 0), ACL_SUCCESS);
    const Block block(8);
    ASSERT_EQ(aclrtMemcpyAsync(block.get(), 8, device, 8, ACL_MEMCPY_DEFAULT, nullptr),
              ACL_SUCCESS);
    ASSERT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
    EXPECT_EQ(block.Read(8), Bytes(8, 7));
    ExpectRefused(aclrtHostRegisterV2(bytes.data(), kBytes, flag), 507910,
                  "registered by aclrtHostRegisterV2");
    ASSERT_EQ(aclrtHostUnregister(bytes.data()), ACL_SUCCESS);
  }
}

TEST_F(MemoryConfig, RegisteringRefusesInItsOrder) {
  Bytes bytes(kBytes);
  Output<void*> device;
  ExpectRefused(aclrtHostRegisterV2(bytes.data(), 0, 1), 100000, "size is 0");
  for (const uint32_t flag : {0x1U, 0x10U, 0x80000000U}) {
    ExpectRefused(aclrtHostRegisterV2(bytes.data(), kBytes, flag), 107000, "flag is 0x");
  }
  ExpectRefused(aclrtHostGetDevicePointer(bytes.data(), &device, 1), 100000, "flag is 1");
  ExpectRefused(aclrtHostGetDevicePointer(bytes.data(), &device, 0), 507911,
                "allowed memory registered by aclrtHostRegister");
  const Block block(kBytes);
  ExpectRefused(aclrtHostGetDevicePointer(block.get(), &device, 0), 507911, "memory of device 0");
  EXPECT_TRUE(device.Untouched());
}

TEST_F(MemoryConfig, TheOverflowSwitchOfAStreamIsItsAttribute) {
  const OwnStream stream;
  uint32_t flag = 7;
  ASSERT_EQ(aclrtGetStreamOverflowSwitch(stream, &flag), ACL_SUCCESS);
  EXPECT_EQ(flag, 0U);
  ASSERT_EQ(aclrtSetStreamOverflowSwitch(stream, 1), ACL_SUCCESS);
  ASSERT_EQ(aclrtGetStreamOverflowSwitch(stream, &flag), ACL_SUCCESS);
  EXPECT_EQ(flag, 1U);
  aclrtStreamAttrValue value{};
  ASSERT_EQ(aclrtGetStreamAttribute(stream, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, &value),
            ACL_SUCCESS);
  EXPECT_EQ(value.overflowSwitch, 1U);
  ExpectRefused(aclrtSetStreamOverflowSwitch(stream, 2), 100000, "flag is 2", "0 (off) and 1 (on)");
  ASSERT_EQ(aclrtGetStreamOverflowSwitch(stream, &flag), ACL_SUCCESS);
  EXPECT_EQ(flag, 1U);
  ASSERT_EQ(aclrtGetStreamOverflowSwitch(nullptr, &flag), ACL_SUCCESS) << "the default stream's";
  EXPECT_EQ(flag, 0U);
}

}  // namespace
}  // namespace belay::test
