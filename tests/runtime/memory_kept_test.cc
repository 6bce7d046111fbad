// Queued work keeps what it needs: blocks that were freed and events that were destroyed meanwhile.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "support/test_task.h"

namespace belay::test {
namespace {

class MemoryKept : public TaskTest {
 protected:
  static constexpr std::size_t kBytes = 1 << 20;  // queued, and its own pages

  static void* Allocate(std::size_t size = kBytes) {
    void* address = nullptr;
    EXPECT_EQ(aclrtMallocAlign32(&address, size, ACL_MEM_MALLOC_NORMAL_ONLY), ACL_SUCCESS);
    return address;
  }
  static std::size_t FreeBytes() {
    std::size_t free = 0;
    std::size_t total = 0;
    EXPECT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total), ACL_SUCCESS);
    return free;
  }
};

TEST_F(MemoryKept, FreeOfABlockWithAQueuedCopyReturnsAndTheAccountDropsAtOnce) {
  const OwnStream stream;
  const std::size_t before = FreeBytes();
  void* const src = Allocate();
  void* const dst = Allocate();
  EXPECT_EQ(FreeBytes(), before - 2 * kBytes);
  Blocker blocker(stream);
  ASSERT_EQ(aclrtMemcpyAsync(dst, kBytes, src, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, stream),
            ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(src), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(dst), ACL_SUCCESS);
  EXPECT_EQ(FreeBytes(), before);
  blocker.Open();
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(FreeBytes(), before);
}

TEST_F(MemoryKept, AFreedBlockIsNotGivenOutAgainWhileACopyIsQueued) {
  const OwnStream stream;
  for (const std::size_t size : {std::size_t{64}, std::size_t{4096}, kBytes}) {
    void* const src = Allocate(size);
    void* const dst = Allocate(size);
    ASSERT_EQ(aclrtMemset(src, size, 0x5A, size), ACL_SUCCESS);
    std::vector<void*> others;
    {
      Blocker blocker(stream);
      ASSERT_EQ(aclrtMemcpyAsync(dst, size, src, size, ACL_MEMCPY_DEVICE_TO_DEVICE, stream),
                ACL_SUCCESS);
      ASSERT_EQ(aclrtFree(src), ACL_SUCCESS);
      for (int i = 0; i < 50; ++i) {
        others.push_back(Allocate(size));
        ASSERT_NE(others.back(), src);
        ASSERT_EQ(aclrtMemset(others.back(), size, 0, size), ACL_SUCCESS);
      }
    }
    ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
    std::vector<unsigned char> host(size);
    ASSERT_EQ(aclrtMemcpy(host.data(), size, dst, size, ACL_MEMCPY_DEVICE_TO_HOST), ACL_SUCCESS);
    EXPECT_EQ(std::count(host.begin(), host.end(), 0x5A), static_cast<std::ptrdiff_t>(size));
    for (void* const other : others) ASSERT_EQ(aclrtFree(other), ACL_SUCCESS);
    ASSERT_EQ(aclrtFree(dst), ACL_SUCCESS);
  }
}

TEST_F(MemoryKept, ABlockIsLetGoWhenTheStreamIsWaitedFor) {
  const OwnStream stream;
  void* const address = Allocate();
  const auto* block_begin = address;
  const auto place = Machine::Get().memory().Locate("address", block_begin, kBytes);
  ASSERT_TRUE(place);
  const std::weak_ptr<runtime::Block> block = place->block;
  {
    const TaskBody nothing = []() -> Status { return {}; };
    runtime::LaunchTask task{MakeLaunch(nothing, Size::kBig), {}};
    task.blocks[0] = block.lock();
    const Gate gate;
    Hold(stream, gate.door());
    ASSERT_TRUE(Stream::Submit(Machine::Get().streams().Acquire(stream), std::move(task)).ok());
    ASSERT_EQ(aclrtFree(address), ACL_SUCCESS);
    EXPECT_FALSE(block.expired());
    gate.Open();
    ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  }
  EXPECT_EQ(block.use_count(), 1);  // what this test holds through `place`
}

TEST_F(MemoryKept, AFreedBlockCannotBeUsedByNewWork) {
  const OwnStream stream;
  void* const src = Allocate();
  void* const dst = Allocate();
  Blocker blocker(stream);
  ASSERT_EQ(aclrtMemcpyAsync(dst, kBytes, src, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, stream),
            ACL_SUCCESS);
  ASSERT_EQ(aclrtFree(src), ACL_SUCCESS);
  ExpectRefused(aclrtMemcpyAsync(dst, kBytes, src, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, stream),
                ACL_ERROR_RT_PARAM_INVALID, "aclrtMemcpyAsync: ", "src", "freed");
  EXPECT_EQ(aclrtFree(src), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(MemoryKept, BlocksOfWorkThatForceDroppedAreLetGo) {
  OwnStream own;
  const aclrtStream stream = own.Release();
  void* const address = Allocate();
  auto place = Machine::Get().memory().Locate("address", address, kBytes);
  ASSERT_TRUE(place);
  const std::weak_ptr<runtime::Block> block = place->block;
  place->block.reset();
  Blocker blocker(stream);
  ASSERT_EQ(aclrtMemsetAsync(address, kBytes, 0, kBytes, stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtFree(address), ACL_SUCCESS);
  EXPECT_FALSE(block.expired());
  ASSERT_EQ(aclrtDestroyStreamForce(stream), ACL_SUCCESS);
  EXPECT_TRUE(block.expired());
}

// Such a launch holds no reference to its blocks.
TEST_F(MemoryKept, AFreeWaitsForALaunchThatRunsAtOnce) {
  const OwnStream stream;
  void* const address = Allocate();
  auto place = Machine::Get().memory().Locate("address", address, kBytes);
  ASSERT_TRUE(place);
  const std::weak_ptr<runtime::Block> block = place->block;
  place->block.reset();
  const Gate started;
  const Gate gate;
  std::atomic<bool> was_there{false};
  const TaskBody look = [&, door = gate.door()]() -> Status {
    started.Open();
    EXPECT_TRUE(door.Wait());
    was_there = !block.expired();
    return {};
  };
  std::jthread launcher([&, endings = Machine::Get().memory().endings()] {
    EXPECT_TRUE(Stream::RunNow(Machine::Get().streams().Acquire(stream),
                               MakeLaunch(look, Size::kSmall), endings));
  });
  ASSERT_TRUE(started.door().Wait());
  std::atomic<bool> freed{false};
  std::jthread freer([&] {
    EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    EXPECT_EQ(aclrtFree(address), ACL_SUCCESS);
    freed = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(freed);
  gate.Open();
  freer.join();
  launcher.join();
  EXPECT_TRUE(was_there);
  EXPECT_TRUE(block.expired());
}

TEST_F(MemoryKept, NothingRunsAtOnceOnWhatWasKnownBeforeMemoryEnded) {
  const OwnStream stream;
  const std::uint64_t endings = Machine::Get().memory().endings();
  int runs = 0;
  const TaskBody count = [&runs]() -> Status {
    ++runs;
    return {};
  };
  const Launch launch = MakeLaunch(count, Size::kSmall);
  const Ref<Stream> found = Machine::Get().streams().Acquire(stream);
  EXPECT_TRUE(Stream::RunNow(found, launch, endings));
  ASSERT_EQ(aclrtFree(Allocate()), ACL_SUCCESS);
  EXPECT_FALSE(Stream::RunNow(found, launch, endings));
  EXPECT_EQ(runs, 1);
  EXPECT_TRUE(Stream::RunNow(found, launch, Machine::Get().memory().endings()));
  EXPECT_EQ(runs, 2);
}

TEST_F(MemoryKept, ADestroyedEventStillHoldsAndReleasesQueuedWork) {
  const OwnStream producer;
  const OwnStream consumer;
  Journal<int> journal;
  const Gate gate;
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
  Hold(producer, gate.door());
  ASSERT_EQ(aclrtRecordEvent(event, producer), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(consumer, event), ACL_SUCCESS);
  Run(consumer, Size::kSmall, [&journal]() -> Status {
    journal.Add(1);
    return {};
  });
  ASSERT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
  EXPECT_TRUE(journal.entries().empty());
  gate.Open();
  EXPECT_EQ(aclrtSynchronizeStream(consumer), ACL_SUCCESS);
  EXPECT_EQ(journal.entries(), std::vector{1});
}

TEST_F(MemoryKept, AnAsyncCopyFromPageableMemoryIsDoneWhenTheCallReturns) {
  const OwnStream stream;
  void* const device = Allocate();
  std::vector<unsigned char> host(kBytes, 0x5A);
  ASSERT_EQ(
      aclrtMemcpyAsync(device, kBytes, host.data(), kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream),
      ACL_SUCCESS);
  std::fill(host.begin(), host.end(), std::uint8_t{0});
  ASSERT_EQ(
      aclrtMemcpyAsync(host.data(), kBytes, device, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, stream),
      ACL_SUCCESS);
  EXPECT_EQ(std::count(host.begin(), host.end(), 0x5A), static_cast<std::ptrdiff_t>(kBytes));
  ASSERT_EQ(aclrtFree(device), ACL_SUCCESS);
}

}  // namespace
}  // namespace belay::test
