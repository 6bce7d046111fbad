// The owner of all state in the process: configuration, devices, memory, handles and threads.
//
// There is one machine, made by the first call and never destroyed: static destructors of a program
// may still call the API. What must end with the process (threads, waiting) is ended by End.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <string>
#include <string_view>

#include "base/config.h"
#include "base/export.h"
#include "base/observer.h"
#include "base/status.h"
#include "runtime/context.h"
#include "runtime/device.h"
#include "runtime/event.h"
#include "runtime/executor.h"
#include "runtime/fault_listeners.h"
#include "runtime/handle_table.h"
#include "runtime/life.h"
#include "runtime/log.h"
#include "runtime/memory_map.h"
#include "runtime/op_objects.h"
#include "runtime/physical_memory.h"
#include "runtime/report_queue.h"
#include "runtime/stream.h"
#include "runtime/tensor_description.h"

namespace belay::runtime {

/// What aclCreateDataBuffer makes: an address and a size, nothing more.
struct DataBuffer {
  DataBuffer(void* address, std::size_t size_bytes) : data(address), size(size_bytes) {}
  std::atomic<void*> data;
  std::atomic<std::size_t> size;
};

class BELAY_EXPORT Machine {
 public:
  /// The machine of this process. Throws std::bad_alloc while there is no memory to make it.
  static Machine& Get();

  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  ~Machine() = delete;

  /// Ok, or why no call can be served: a bad environment variable, or a child of fork, which has
  /// none of the threads and must not wait for their locks.
  [[nodiscard]] Status Usable() const {
    if (!refuses_.load(std::memory_order_acquire)) [[likely]]
      return {};
    return Refusal();
  }

  [[nodiscard]] const Config& config() const noexcept { return config_; }
  [[nodiscard]] Log& log() noexcept { return log_; }
  [[nodiscard]] Life& life() noexcept { return life_; }
  [[nodiscard]] MemoryMap& memory() noexcept { return memory_; }
  [[nodiscard]] Executor& executor() noexcept { return executor_; }
  [[nodiscard]] Subscribers& subscribers() noexcept { return subscribers_; }
  [[nodiscard]] FaultListeners& fault_listeners() noexcept { return fault_listeners_; }
  [[nodiscard]] SystemOptions& options() noexcept { return options_; }
  [[nodiscard]] HandleTable<Context>& contexts() noexcept { return contexts_; }
  [[nodiscard]] HandleTable<Stream>& streams() noexcept { return streams_; }
  [[nodiscard]] HandleTable<Event>& events() noexcept { return events_; }
  [[nodiscard]] HandleTable<DataBuffer>& data_buffers() noexcept { return data_buffers_; }
  [[nodiscard]] OpObjects& op_objects() noexcept { return op_objects_; }
  [[nodiscard]] HandleTable<PhysicalShare>& physical_memories() noexcept {
    return physical_memories_;
  }
  [[nodiscard]] HandleTable<SharedTensorDescription>& tensor_descriptions() noexcept {
    return tensor_descriptions_;
  }

  [[nodiscard]] std::int32_t device_count() const noexcept {
    return static_cast<std::int32_t>(devices_.size());
  }
  /// The device of a user id, or kInvalidDeviceId; `argument` is what the caller's call names it.
  [[nodiscard]] StatusOr<Device*> FindDevice(std::int64_t id,
                                             std::string_view argument = "deviceId");
  [[nodiscard]] Device& device(std::int32_t id) { return devices_[static_cast<std::size_t>(id)]; }

  /// Time-out of event waits in streams that name none (aclrtSetOpWaitTimeout); 0: no limit.
  std::atomic<std::uint32_t> op_wait_timeout_s{0};

  /// Time-out of operators (aclrtSetOpExecuteTimeOut and its kin); 0: no limit. It is told and
  /// not kept: the work of a CPU takes as long as it takes.
  std::atomic<std::uint64_t> op_execute_timeout_us{0};

  /// The next call's number, for messages and observers.
  [[nodiscard]] CallSite NewCallSite(const char* function) noexcept {
    return {function, calls_.fetch_add(1, std::memory_order_relaxed) + 1};
  }

  [[nodiscard]] Observer* observer() const noexcept {
    return observer_.load(std::memory_order_acquire);
  }
  /// Not owned; must outlive all calls. Null: none.
  void SetObserver(Observer* observer) noexcept {
    observer_.store(observer, std::memory_order_release);
  }

  /// An error message for the program: to the message queue and, as one line, to the log.
  void Tell(LogModule module, std::string message) noexcept;

  /// The messages since the last call, of this thread or of the process; null when there are
  /// none.
  [[nodiscard]] const char* Messages();

  /// Called by who has made a stream, and by who has counted the end of some memory and goes on to
  /// look for streams. Of the two the later one sees what the earlier did: the stream is found, or
  /// its first launch finds the new count.
  void LetStreamsAndEndingsMeet() noexcept { meetings_.fetch_add(1, std::memory_order_acq_rel); }

  /// Keeps the faults of a destroyed stream for the next wait for its device. They come as a
  /// list, which is emptied, so that no memory is needed.
  void KeepFaults(std::int32_t device, std::list<std::shared_ptr<FaultLog>>& faults) noexcept;

 private:
  Machine(Config config, Status environment);

  static Machine* Create();
  [[nodiscard]] Status Refusal() const;
  /// Returns when no launch runs any more that Stream::RunNow had begun before.
  void LetLaunchesEnd() noexcept;
  void End() noexcept;
  void ReportUncollectedFaults() noexcept;

  const Config config_;
  const Status environment_;  // what is wrong with the environment
  std::atomic<bool> refuses_;
  std::atomic<bool> forked_{false};
  Log log_;
  Life life_;
  SystemOptions options_;
  std::deque<Device> devices_;
  MemoryMap memory_;
  HandleTable<Context> contexts_{HandleKind::kContext};
  HandleTable<Stream> streams_{HandleKind::kStream};
  HandleTable<Event> events_{HandleKind::kEvent};
  HandleTable<DataBuffer> data_buffers_{HandleKind::kDataBuffer};
  Subscribers subscribers_;
  FaultListeners fault_listeners_;
  OpObjects op_objects_;
  HandleTable<PhysicalShare> physical_memories_{HandleKind::kPhysicalMemory};
  HandleTable<SharedTensorDescription> tensor_descriptions_{HandleKind::kTensorDesc};
  Executor executor_;
  std::atomic<Observer*> observer_{nullptr};
  std::atomic<std::uint64_t> calls_{0};
  std::atomic<std::uint64_t> meetings_{0};
};

}  // namespace belay::runtime
