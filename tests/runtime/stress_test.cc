// Many threads on all entry points at once. Meant for ThreadSanitizer: it asks for no crash, no
// hang, no race and balanced accounts, not for results.
#include <acl/acl.h>
#include <aclnnop/aclnn_trans_quant_param.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <thread>
#include <vector>

namespace belay {
namespace {

constexpr std::size_t kSlots = 8;
constexpr std::size_t kBytes = 8192;
constexpr unsigned kThreads = 6;
constexpr int kMostRounds = 100000;  // per thread
constexpr auto kTime = std::chrono::seconds(2);

// What the threads share: handles and blocks that any of them may end at any time.
struct Shared {
  std::array<std::atomic<void*>, kSlots> streams{};
  std::array<std::atomic<void*>, kSlots> events{};
  std::array<std::atomic<void*>, kSlots> contexts{};
  std::array<std::atomic<void*>, kSlots> buffers{};
};

class Worker {
 public:
  Worker(Shared& shared, unsigned seed) : shared_(shared), random_(seed) {}

  void Run(std::chrono::steady_clock::time_point end) {
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    ASSERT_EQ(aclrtMalloc(&block_, kBytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    for (int i = 0; i < kMostRounds && std::chrono::steady_clock::now() < end; ++i) {
      Step();
      (void)aclGetRecentErrMsg();
    }
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    EXPECT_EQ(aclrtFree(block_), ACL_SUCCESS);
  }

 private:
  std::atomic<void*>& Pick(std::array<std::atomic<void*>, kSlots>& slots) {
    return slots[random_() % kSlots];
  }

  void Step() {
    switch (random_() % 6) {
      case 0:
        return Memory();
      case 1:
        return Streams();
      case 2:
        return Events();
      case 3:
        return Contexts();
      case 4:
        return Buffers();
      default:
        return Questions();
    }
  }

  void Memory() {
    void* mine = nullptr;
    if (aclrtMalloc(&mine, 1 + random_() % kBytes, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS) {
      (void)aclrtMemset(mine, 1, 7, 1);
      (void)aclrtMemsetAsync(mine, 1, 7, 1, Pick(shared_.streams).load());
      EXPECT_EQ(aclrtFree(mine), ACL_SUCCESS);
    }
    (void)aclrtMemcpyAsync(block_, kBytes, host_.data(), host_.size(), ACL_MEMCPY_HOST_TO_DEVICE,
                           Pick(shared_.streams).load());
    (void)aclrtMemcpy(host_.data(), host_.size(), block_, host_.size(), ACL_MEMCPY_DEVICE_TO_HOST);
    if (aclrtMallocHost(&mine, 64) == ACL_SUCCESS) {
      EXPECT_EQ(aclrtFreeHost(mine), ACL_SUCCESS);
    }
    if (aclrtHostRegister(host_.data(), 16, ACL_HOST_REGISTER_MAPPED, &mine) == ACL_SUCCESS) {
      EXPECT_EQ(aclrtHostUnregister(host_.data()), ACL_SUCCESS);
    }
  }

  void Streams() {
    std::atomic<void*>& slot = Pick(shared_.streams);
    void* stream = nullptr;
    switch (random_() % 4) {
      case 0:
        if (aclrtCreateStream(&stream) == ACL_SUCCESS) {
          if (void* const old = slot.exchange(stream); old != nullptr) {
            (void)aclrtDestroyStream(old);
          }
        }
        return;
      case 1:
        (void)aclrtDestroyStreamForce(slot.exchange(nullptr));
        return;
      case 2:
        (void)aclrtSynchronizeStreamWithTimeout(slot.load(), 1);
        return;
      default:
        (void)aclrtSetStreamFailureMode(slot.load(), random_() % 2);
        (void)aclrtSynchronizeDeviceWithTimeout(1);
    }
  }

  void Events() {
    std::atomic<void*>& slot = Pick(shared_.events);
    void* event = nullptr;
    float elapsed = 0;
    aclrtEventRecordedStatus status{};
    switch (random_() % 5) {
      case 0:
        if (aclrtCreateEvent(&event) == ACL_SUCCESS) {
          if (void* const old = slot.exchange(event); old != nullptr) (void)aclrtDestroyEvent(old);
        }
        return;
      case 1:
        (void)aclrtRecordEvent(slot.load(), Pick(shared_.streams).load());
        return;
      case 2:
        // Never reset, so that each wait is for a record that is on its way.
        (void)aclrtStreamWaitEvent(Pick(shared_.streams).load(), slot.load());
        return;
      case 3:
        (void)aclrtSynchronizeEventWithTimeout(slot.load(), 1);
        return;
      default:
        (void)aclrtQueryEventStatus(slot.load(), &status);
        (void)aclrtEventElapsedTime(&elapsed, slot.load(), Pick(shared_.events).load());
    }
  }

  void Contexts() {
    std::atomic<void*>& slot = Pick(shared_.contexts);
    void* context = nullptr;
    switch (random_() % 4) {
      case 0:
        if (aclrtCreateContext(&context, 0) == ACL_SUCCESS) {
          if (void* const old = slot.exchange(context); old != nullptr) {
            (void)aclrtDestroyContext(old);
          }
        }
        return;
      case 1:
        (void)aclrtSetCurrentContext(slot.load());
        return;
      default:
        (void)aclrtSetDevice(0);
    }
  }

  void Buffers() {
    std::atomic<void*>& slot = Pick(shared_.buffers);
    auto* const buffer = static_cast<aclDataBuffer*>(slot.load());
    if (random_() % 3 == 0) {
      void* const old = slot.exchange(aclCreateDataBuffer(block_, kBytes));
      if (old != nullptr) (void)aclDestroyDataBuffer(static_cast<aclDataBuffer*>(old));
      return;
    }
    (void)aclUpdateDataBuffer(buffer, block_, random_());
    (void)aclGetDataBufferAddr(buffer);
    (void)aclGetDataBufferSizeV2(buffer);
  }

  void Questions() {
    std::size_t bytes = 0;
    std::uint32_t count = 0;
    aclrtPtrAttributes where{};
    (void)aclrtGetMemInfo(ACL_HBM_MEM, &bytes, &bytes);
    (void)aclrtGetStreamAvailableNum(&count);
    (void)aclrtPointerGetAttributes(block_, &where);
    (void)aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, static_cast<std::int64_t>(random_() % 2));
    if (aclInit(nullptr) == ACL_SUCCESS && random_() % 4 == 0) (void)aclFinalize();
    std::uint64_t* words = nullptr;
    std::uint64_t length = 0;
    if (aclnnTransQuantParam(&scale_, 1, nullptr, 0, &words, &length) == 0) std::free(words);
  }

  Shared& shared_;
  std::minstd_rand random_;
  void* block_ = nullptr;
  std::array<char, 256> host_{};
  float scale_ = 1.5F;
};

TEST(Stress, AllEntryPointsAtOnce) {
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  Shared shared;
  const auto end = std::chrono::steady_clock::now() + kTime;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < kThreads; ++t) {
    threads.emplace_back([&shared, end, t] { Worker(shared, t + 1).Run(end); });
  }
  for (std::thread& thread : threads) thread.join();

  for (auto& event : shared.events) (void)aclrtDestroyEvent(event.load());
  for (auto& context : shared.contexts) (void)aclrtDestroyContext(context.load());
  for (auto& buffer : shared.buffers) {
    (void)aclDestroyDataBuffer(static_cast<aclDataBuffer*>(buffer.load()));
  }
  EXPECT_EQ(aclrtResetDeviceForce(0), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  EXPECT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total_bytes), ACL_SUCCESS);
  EXPECT_EQ(free_bytes, total_bytes);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
}

}  // namespace
}  // namespace belay
