// Queued work keeps the mappings it touches, each of them when it lies across several.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "support/test_task.h"
#include "support/virtual_memory.h"

namespace belay::test {
namespace {

constexpr auto kD2D = ACL_MEMCPY_DEVICE_TO_DEVICE;
constexpr auto kD2H = ACL_MEMCPY_DEVICE_TO_HOST;

class MappingKept : public TaskTest {};

TEST_F(MappingKept, WorkAcrossMappingsThatAreUnmappedAtOnce) {
  const OwnStream stream;
  OwnPhysical memory(3);
  OwnAddresses addresses(3);
  for (std::size_t i = 0; i < 3; ++i) addresses.Map(i, 1, memory, i);
  constexpr std::size_t kBytes = 2 * kUnit + 100;
  std::uint8_t* const src = addresses.At(0) + 50;  // in all three
  ASSERT_EQ(aclrtMemset(src, kBytes, 0x5A, kBytes), ACL_SUCCESS);
  void* dst = nullptr;
  ASSERT_EQ(aclrtMalloc(&dst, kBytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  Blocker blocker(stream);
  ASSERT_EQ(aclrtMemcpyAsync(dst, kBytes, src, kBytes, kD2D, stream), ACL_SUCCESS);
  for (std::size_t i = 0; i < 3; ++i) addresses.Unmap(i);
  ASSERT_EQ(aclrtFreePhysical(memory.Release()), ACL_SUCCESS);
  // Other memory gets neither their bytes nor, yet, their addresses.
  const OwnPhysical other(3);
  ExpectRefused(aclrtMapMem(addresses.At(2), kUnit, 0, other, 0), ACL_ERROR_RT_PARAM_INVALID,
                "queued work still uses what was mapped before");
  OwnAddresses elsewhere(3);
  elsewhere.Map(0, 3, other);
  ASSERT_EQ(aclrtMemset(elsewhere.At(0), 3 * kUnit, 0, 3 * kUnit), ACL_SUCCESS);
  blocker.Open();
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  std::vector<std::uint8_t> host(kBytes);
  ASSERT_EQ(aclrtMemcpy(host.data(), kBytes, dst, kBytes, kD2H), ACL_SUCCESS);
  EXPECT_EQ(host, std::vector<std::uint8_t>(kBytes, 0x5A));
  addresses.Map(0, 3, other);
  ASSERT_EQ(aclrtFree(dst), ACL_SUCCESS);
}

TEST_F(MappingKept, AReservationThatIsReleasedAtOnce) {
  const OwnStream stream;
  const OwnPhysical memory(1);
  void* address = nullptr;
  ASSERT_EQ(aclrtReserveMemAddress(&address, kUnit, 0, nullptr, 0), ACL_SUCCESS);
  ASSERT_EQ(aclrtMapMem(address, kUnit, 0, memory, 0), ACL_SUCCESS);
  OwnAddresses view(1);
  view.Map(0, 1, memory);
  Blocker blocker(stream);
  ASSERT_EQ(aclrtMemsetAsync(address, kUnit, 0x33, kUnit, stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtUnmapMem(address), ACL_SUCCESS);
  ASSERT_EQ(aclrtReleaseMemAddress(address), ACL_SUCCESS);
  void* second = nullptr;
  ASSERT_EQ(aclrtReserveMemAddress(&second, kUnit, 0, address, 0), ACL_SUCCESS);
  EXPECT_NE(second, address);
  ExpectRefused(aclrtMemset(address, kUnit, 0, kUnit), ACL_ERROR_RT_PARAM_INVALID,
                "freed by aclrtUnmapMem");
  blocker.Open();
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  std::vector<std::uint8_t> host(kUnit);
  ASSERT_EQ(aclrtMemcpy(host.data(), kUnit, view.At(0), kUnit, kD2H), ACL_SUCCESS);
  EXPECT_EQ(host, std::vector<std::uint8_t>(kUnit, 0x33));
  ASSERT_EQ(aclrtReleaseMemAddress(second), ACL_SUCCESS);
  ASSERT_EQ(aclrtReserveMemAddress(&second, kUnit, 0, address, 0), ACL_SUCCESS);
  EXPECT_EQ(second, address);
}

TEST_F(MappingKept, AStreamThatWasWaitedForHoldsNothing) {
  const OwnStream stream;
  const OwnPhysical memory(2);
  OwnAddresses addresses(2);
  for (const Size size : {Size::kSmall, Size::kBig}) {
    for (int round = 0; round < 200; ++round) {
      addresses.Map(0, 1, memory);
      addresses.Map(1, 1, memory, 1);
      const std::size_t bytes = size == Size::kBig ? 2 * kUnit : 200;
      ASSERT_EQ(aclrtMemsetAsync(addresses.At(1) - bytes / 2, bytes, round, bytes, stream),
                ACL_SUCCESS);
      ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
      addresses.Unmap(0);
      addresses.Unmap(1);
    }
  }
}

// A task that a thread runs in place lets go of its memory before others learn that it is done.
TEST_F(MappingKept, WhoWaitsFromAnotherThreadMayMapAgain) {
  const OwnStream stream;
  const OwnPhysical memory(1);
  OwnAddresses addresses(1);
  for (int round = 0; round < 100; ++round) {
    addresses.Map(0, 1, memory);
    const Gate started;
    auto place = Machine::Get().memory().Locate("x", addresses.At(0), kUnit);
    ASSERT_TRUE(place);
    const TaskBody body = [door = started.door()]() -> Status {
      door.Open();
      return {};
    };
    runtime::LaunchTask task{MakeLaunch(body, Size::kSmall), {}};
    task.blocks[0] = std::move(place->block);
    std::thread runner([&] {
      EXPECT_TRUE(Stream::Submit(Machine::Get().streams().Acquire(stream), std::move(task)).ok());
    });
    ASSERT_TRUE(started.Wait());
    ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
    addresses.Unmap(0);
    EXPECT_EQ(aclrtMapMem(addresses.At(0), kUnit, 0, memory, 0), ACL_SUCCESS);
    EXPECT_EQ(aclrtUnmapMem(addresses.At(0)), ACL_SUCCESS);
    runner.join();
  }
}

TEST_F(MappingKept, TheDeviceMayBeResetWhileWorkRuns) {
  OwnStream own;
  const aclrtStream stream = own.Release();  // it ends with the device
  void* address = nullptr;
  aclrtDrvMemHandle handle = nullptr;
  const aclrtPhysicalMemProp prop = DeviceProperties();
  ASSERT_EQ(aclrtReserveMemAddress(&address, 2 * kUnit, 0, nullptr, 0), ACL_SUCCESS);
  ASSERT_EQ(aclrtMallocPhysical(&handle, 2 * kUnit, &prop, 0), ACL_SUCCESS);
  ASSERT_EQ(aclrtMapMem(address, kUnit, 0, handle, 0), ACL_SUCCESS);
  ASSERT_EQ(aclrtMapMem(static_cast<std::uint8_t*>(address) + kUnit, kUnit, kUnit, handle, 0),
            ACL_SUCCESS);
  const Gate gate;
  const Gate begun;
  const Gate done;
  auto place = Machine::Get().memory().Locate("x", address, 2 * kUnit);
  ASSERT_TRUE(place);
  const std::weak_ptr<runtime::Block> block = place->block;
  auto* const bytes = static_cast<std::uint8_t*>(address);
  const TaskBody body = [=, door = gate.door(), at = begun.door(), end = done.door()]() -> Status {
    at.Open();
    EXPECT_TRUE(door.Wait());
    std::fill(bytes, bytes + 2 * kUnit, std::uint8_t{1});  // still there
    const Door last = end;                                 // the test may end before the task has
    last.Open();
    return {};
  };
  runtime::LaunchTask task{MakeLaunch(body, Size::kBig), {}};
  task.blocks[0] = std::move(place->block);
  ASSERT_TRUE(Stream::Submit(Machine::Get().streams().Acquire(stream), std::move(task)).ok());
  ASSERT_TRUE(begun.Wait());
  ASSERT_EQ(aclrtResetDeviceForce(0), ACL_SUCCESS);  // does not wait for the task
  EXPECT_EQ(aclrtUnmapMem(address), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_FALSE(block.expired());
  gate.Open();
  EXPECT_TRUE(done.Wait());
  while (!block.expired()) std::this_thread::yield();
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
}

}  // namespace
}  // namespace belay::test
