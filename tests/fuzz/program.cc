#include "fuzz/program.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace belay::fuzz {
namespace {

constexpr int kWaitMs = 1;

aclrtMemcpyKind TakeKind(Input& input) { return static_cast<aclrtMemcpyKind>(input.Below(8)); }

}  // namespace

void Program::Run() {
  FUZZ_CHECK(aclrtSetDevice(0) == ACL_SUCCESS);
  for (std::size_t step = 0; step < kMaxSteps && !input_.empty(); ++step) {
    EnsureContext();
    Step();
    (void)aclGetRecentErrMsg();
  }
  End();
}

void Program::Step() {
  switch (input_.Below(5)) {
    case 0:
      return StepMemory();
    case 1:
      return StepCopy();
    case 2:
      return StepStream();
    case 3:
      return StepEvent();
    default:
      return StepContext();
  }
}

// Mostly one of the kind that is asked for, alive or ended; else another kind, null or a number.
void* Program::Handle(const std::vector<void*>& likely) {
  const std::size_t choice = input_.Below(16);
  const std::vector<void*>* pool = &likely;
  if (choice == 12) pool = &streams_;
  if (choice == 13) pool = &events_;
  if (choice == 14) pool = &contexts_;
  if (choice == 15) return reinterpret_cast<void*>(input_.Take<std::uint64_t>());
  if (choice == 11 || pool->empty()) return nullptr;
  return (*pool)[input_.Below(pool->size())];
}

std::size_t Program::TakeSize() {
  switch (input_.Below(8)) {
    case 0:
      return 0;
    case 1:
      return SIZE_MAX - input_.Below(256);
    case 2:
      // More than any chip has: gigabytes that can be had cost a sanitizer as much for its shadow.
      return input_.Take<std::uint64_t>() | std::size_t{1} << 44;
    case 3:
      return std::size_t{2} << 20;
    case 4:
      return input_.Take<std::uint32_t>() % (std::size_t{4} << 20);
    default:
      return input_.Take<std::uint16_t>();
  }
}

Program::Address Program::TakeAddress() {
  switch (input_.Below(5)) {
    case 0:
      return {nullptr, SIZE_MAX, false};
    case 1: {
      const std::size_t offset = input_.Take<std::uint16_t>() % kArenaBytes;
      return {arena_.data() + offset, kArenaBytes - offset, true};
    }
    default: {
      const std::vector<void*>& pool = input_.Below(4) == 0 ? pinned_ : blocks_;
      if (pool.empty()) return {nullptr, SIZE_MAX, false};
      auto* const block = static_cast<char*>(pool[input_.Below(pool.size())]);
      const std::size_t offset = input_.Below(3) == 0 ? input_.Take<std::uint16_t>() : 0;
      return {block + offset, SIZE_MAX, false};
    }
  }
}

void Program::StepMemory() {
  constexpr auto kPolicy = ACL_MEM_MALLOC_HUGE_FIRST;
  void* address = nullptr;
  std::size_t bytes = 0;
  aclrtPtrAttributes attributes{};
  switch (input_.Below(9)) {
    case 0:
    case 1:
      if (blocks_.size() < 24 && aclrtMalloc(&address, TakeSize(), kPolicy) == ACL_SUCCESS) {
        blocks_.push_back(address);
      }
      return;
    case 2:
      if (pinned_.size() < 8 && aclrtMallocHost(&address, TakeSize()) == ACL_SUCCESS) {
        pinned_.push_back(address);
      }
      return;
    case 3:
      (void)aclrtFree(TakeAddress().pointer);
      return;
    case 4:
      (void)aclrtFreeHost(TakeAddress().pointer);
      return;
    case 5:
      (void)aclrtGetMemInfo(static_cast<aclrtMemAttr>(input_.Below(18)), &bytes, &bytes);
      return;
    case 6:
      (void)aclrtPointerGetAttributes(TakeAddress().pointer, &attributes);
      (void)aclrtMemFlush(TakeAddress().pointer, TakeSize());
      return;
    case 7: {
      const Address place = TakeAddress();
      const std::size_t size = std::min(TakeSize(), place.room);
      if (aclrtHostRegister(place.pointer, size, ACL_HOST_REGISTER_MAPPED, &address) ==
          ACL_SUCCESS) {
        registered_.push_back(place.pointer);
      }
      return;
    }
    default:
      (void)aclrtHostUnregister(TakeAddress().pointer);
  }
}

void Program::StepCopy() {
  const Address dst = TakeAddress();
  const Address src = TakeAddress();
  const std::size_t room = std::min(dst.room, src.room);
  const std::size_t count = std::min(TakeSize(), room);
  const std::size_t most = input_.Below(4) == 0 ? TakeSize() : count;
  const auto kind = TakeKind(input_);
  void* const stream = Handle(streams_);
  // Rows whose last one still lies in the arena.
  const std::size_t height = std::size_t{1} + input_.Below(16);
  const std::size_t pitch = room == SIZE_MAX ? TakeSize() : room / height;
  const std::size_t width = room == SIZE_MAX ? TakeSize() : std::min(TakeSize(), pitch);
  // Pageable memory makes the call wait for the stream.
  if (dst.pageable || src.pageable) Release();
  switch (input_.Below(6)) {
    case 0:
      (void)aclrtMemcpy(dst.pointer, most, src.pointer, count, kind);
      return;
    case 1:
      (void)aclrtMemcpyAsync(dst.pointer, most, src.pointer, count, kind, stream);
      return;
    case 2:
      (void)aclrtMemset(dst.pointer, most, input_.Take<std::int32_t>(), count);
      return;
    case 3:
      (void)aclrtMemsetAsync(dst.pointer, most, input_.Take<std::int32_t>(), count, stream);
      return;
    case 4:
      (void)aclrtMemcpy2d(dst.pointer, pitch, src.pointer, pitch, width, height, kind);
      return;
    default:
      (void)aclrtMemcpy2dAsync(dst.pointer, pitch, src.pointer, pitch, width, height, kind, stream);
  }
}

void Program::StepStream() {
  void* stream = nullptr;
  std::int32_t id = 0;
  aclrtStreamStatus status{};
  aclrtStreamAttrValue value{};
  switch (input_.Below(8)) {
    case 0:
    case 1:
      if (streams_.size() < 16 &&
          aclrtCreateStreamWithConfig(&stream, input_.Take<std::uint8_t>(),
                                      input_.Below(3) == 0 ? input_.Take<std::uint8_t>() : 0) ==
              ACL_SUCCESS) {
        streams_.push_back(stream);
      }
      return;
    case 2:
      Release();
      (void)aclrtDestroyStream(Handle(streams_));
      return;
    case 3:
      (void)aclrtDestroyStreamForce(Handle(streams_));
      return;
    case 4:
      (void)aclrtSynchronizeStreamWithTimeout(Handle(streams_), kWaitMs);
      return;
    case 5:
      (void)aclrtStreamQuery(Handle(streams_), &status);
      (void)aclrtStreamGetId(Handle(streams_), &id);
      return;
    case 6:
      value.failureMode = input_.Below(2);
      (void)aclrtSetStreamAttribute(Handle(streams_), static_cast<aclrtStreamAttr>(input_.Below(8)),
                                    &value);
      return;
    default:
      (void)aclrtSetStreamFailureMode(Handle(streams_), input_.Below(2));
  }
}

void Program::StepEvent() {
  void* event = nullptr;
  float elapsed = 0;
  std::uint64_t stamp = 0;
  aclrtEventRecordedStatus recorded{};
  aclrtEventWaitStatus waits{};
  switch (input_.Below(9)) {
    case 0:
      if (events_.size() >= 16) return;
      if (input_.Below(2) == 0 ? aclrtCreateEventWithFlag(&event, input_.Take<std::uint8_t>()) == 0
                               : aclrtCreateEvent(&event) == 0) {
        events_.push_back(event);
      }
      return;
    case 1:
      if (events_.size() < 16 &&
          aclrtCreateEventExWithFlag(&event, input_.Take<std::uint8_t>()) == ACL_SUCCESS) {
        events_.push_back(event);
      }
      return;
    case 2:
      Release();  // the wait of a stream for an event that is gone would never end
      (void)aclrtDestroyEvent(Handle(events_));
      return;
    case 3:
    case 4:
      (void)aclrtRecordEvent(Handle(events_), Handle(streams_));
      return;
    case 5:
      // Not the default stream, which Release needs, and no invented event.
      if (streams_.empty() || events_.empty()) return;
      held_ = true;
      (void)aclrtStreamWaitEvent(streams_[input_.Below(streams_.size())],
                                 events_[input_.Below(events_.size())]);
      return;
    case 6:
      (void)aclrtResetEvent(Handle(events_), Handle(streams_));
      return;
    case 7:
      (void)aclrtSynchronizeEventWithTimeout(Handle(events_), kWaitMs);
      return;
    default:
      (void)aclrtQueryEventStatus(Handle(events_), &recorded);
      (void)aclrtQueryEventWaitStatus(Handle(events_), &waits);
      (void)aclrtEventElapsedTime(&elapsed, Handle(events_), Handle(events_));
      (void)aclrtEventGetTimestamp(Handle(events_), &stamp);
  }
}

void Program::StepContext() {
  void* context = nullptr;
  std::int64_t value = 0;
  switch (input_.Below(8)) {
    case 0:
      if (contexts_.size() < 6 && aclrtCreateContext(&context, 0) == ACL_SUCCESS) {
        contexts_.push_back(context);
      }
      return;
    case 1:
      Release();
      (void)aclrtDestroyContext(Handle(contexts_));
      return;
    case 2:
      (void)aclrtSetCurrentContext(Handle(contexts_));
      return;
    case 3:
      (void)aclrtSynchronizeDeviceWithTimeout(kWaitMs);
      return;
    case 4:
      (void)aclrtCtxSetSysParamOpt(static_cast<aclSysParamOpt>(input_.Below(4)),
                                   input_.Take<std::int8_t>());
      (void)aclrtCtxGetSysParamOpt(static_cast<aclSysParamOpt>(input_.Below(4)), &value);
      return;
    case 5:
      Release();
      (void)(input_.Below(2) == 0 ? aclrtResetDevice(0) : aclrtResetDeviceForce(0));
      return;
    default:
      (void)aclrtSetDevice(static_cast<std::int32_t>(input_.Below(3)) - 1);
  }
}

void Program::EnsureContext() {
  void* context = nullptr;
  if (aclrtGetCurrentContext(&context) != ACL_SUCCESS) {
    FUZZ_CHECK(aclrtSetDevice(0) == ACL_SUCCESS);
  }
}

void Program::Release() {
  if (!held_) return;
  held_ = false;
  EnsureContext();
  for (void* event : events_) (void)aclrtRecordEvent(event, nullptr);
}

void Program::End() {
  Release();
  for (void* event : events_) (void)aclrtDestroyEvent(event);
  for (void* context : contexts_) (void)aclrtDestroyContext(context);
  for (void* block : pinned_) (void)aclrtFreeHost(block);
  for (void* place : registered_) (void)aclrtHostUnregister(place);
  // Memory of a device that was reset while other contexts lived is freed by the next reset.
  FUZZ_CHECK(aclrtSetDevice(0) == ACL_SUCCESS);
  while (aclrtResetDevice(0) == ACL_SUCCESS) {
  }
  (void)aclGetRecentErrMsg();

  // All the memory and all the streams and events of the chip are there again.
  FUZZ_CHECK(aclrtSetDevice(0) == ACL_SUCCESS);
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  FUZZ_CHECK(aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total_bytes) == ACL_SUCCESS);
  FUZZ_CHECK(free_bytes == total_bytes);
  std::uint32_t streams = 0;
  std::uint32_t events = 0;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  // A thread that has just finished a stream's last task may hold the stream a moment longer.
  while (streams != 1983 || events != 65536) {
    FUZZ_CHECK(std::chrono::steady_clock::now() < deadline);
    FUZZ_CHECK(aclrtGetStreamAvailableNum(&streams) == ACL_SUCCESS);
    FUZZ_CHECK(aclrtGetEventAvailNum(&events) == ACL_SUCCESS);
  }
  FUZZ_CHECK(aclrtResetDevice(0) == ACL_SUCCESS);
}

}  // namespace belay::fuzz
