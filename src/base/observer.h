// What the runtime tells somebody who watches it. With no observer set it costs one branch.
//
// Calls come from the thread on which the thing happens. OnSubmit and OnFinish of one stream come
// in its order, some under its lock, so an observer must neither call the API nor wait. Ids are
// those of the API (stream id, event id); `call` is the running number of the API call that caused
// it.
#pragma once

#include <cstdint>

#include "base/byte_range.h"
#include "base/plan.h"
#include "base/status.h"

namespace belay {

class Observer {
 public:
  virtual ~Observer() = default;

  virtual void OnAllocate(ByteRange block, std::int32_t device, std::uint64_t call) = 0;
  virtual void OnFree(ByteRange block, std::int32_t device, std::uint64_t call) = 0;
  /// A launch ran at once on the calling thread, in no stream (aclrtMemcpy and its kin).
  virtual void OnHostLaunch(const Launch& launch, std::uint64_t call) = 0;
  /// A launch entered a stream; `sequence` numbers the stream's tasks from 1.
  virtual void OnSubmit(std::int32_t stream, std::uint64_t sequence, const Launch& launch) = 0;
  /// A launch ended, with the fault it met if any.
  virtual void OnFinish(std::int32_t stream, std::uint64_t sequence, const Status& result) = 0;
  /// An event captured the stream's position `sequence`.
  virtual void OnRecord(std::uint32_t event, std::int32_t stream, std::uint64_t sequence) = 0;
  /// Later tasks of the stream are ordered after what the event last captured.
  virtual void OnStreamWait(std::int32_t stream, std::uint32_t event) = 0;
  /// The host knows that the stream's tasks up to `sequence` are done.
  virtual void OnHostWait(std::int32_t stream, std::uint64_t sequence) = 0;
};

}  // namespace belay
