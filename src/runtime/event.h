// Events: marks in streams that other streams and the host can wait for.
//
// Each record makes a new RecordPoint and puts it in place of the last one. Whoever waits holds the
// point it found when it was asked to, so a later record does not move what an earlier wait waits
// for. What an event stands for changes in the order of the API calls; when it is reached is
// decided by the streams.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "base/export.h"
#include "base/status.h"
#include "runtime/fault_log.h"
#include "runtime/live_count.h"

namespace belay::runtime {

using Clock = std::chrono::steady_clock;
/// How long to wait; nothing: for ever.
using Patience = std::optional<std::chrono::milliseconds>;

/// How an event was made decides what it may be used for (spec of the acl API, event kinds).
enum class EventMode : std::uint8_t {
  kDefault,  // aclrtCreateEvent
  kFlagged,  // aclrtCreateEventWithFlag
  kEx,       // aclrtCreateEventExWithFlag
};

/// One captured position of one stream. What can change is guarded by the event's mutex.
struct RecordPoint {
  const void* stream = nullptr;  // the handle of the stream
  std::int32_t stream_id = 0;
  std::uint64_t ordinal = 0;         // counts the event's records
  std::uint64_t sequence = 0;        // the stream's tasks up to here are captured
  std::shared_ptr<FaultLog> faults;  // of that stream
  bool done = false;
  std::optional<Clock::time_point> reached;  // nothing while not done, or when it was dropped
};

class BELAY_EXPORT Event {
 public:
  /// `live_events` was raised for this event already.
  Event(std::uint32_t number, EventMode made_as, std::uint32_t creation_flags,
        std::atomic<std::uint32_t>& live_events)
      : id(number), mode(made_as), flags(creation_flags), live_(live_events) {}
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  const std::uint32_t id;
  const EventMode mode;
  const std::uint32_t flags;

  /// A new point, with the next ordinal. Not current until Capture.
  [[nodiscard]] std::shared_ptr<RecordPoint> NewPoint(const void* stream, std::int32_t stream_id,
                                                      std::shared_ptr<FaultLog> faults);
  /// Puts the point in place of the last one, unless a newer one is there already.
  void Capture(std::shared_ptr<RecordPoint> point);
  /// Forgets the last point; the event counts as not yet recorded.
  void Reset();
  /// The stream has reached the point, or dropped it.
  void Complete(RecordPoint& point, bool dropped) noexcept;

  [[nodiscard]] std::shared_ptr<RecordPoint> Current() const;
  /// Whether it was recorded since it was made, resets or not.
  [[nodiscard]] bool EverRecorded() const;
  [[nodiscard]] bool IsDone(const RecordPoint& point) const;
  [[nodiscard]] std::optional<Clock::time_point> ReachedAt(const RecordPoint& point) const;
  /// The ordinal of the newest point captured so far, resets or not.
  [[nodiscard]] std::uint64_t CapturedOrdinal() const;

  /// False when patience or the process ended first, or `given_up` was set and Wake called.
  [[nodiscard]] bool WaitFor(const RecordPoint& point, Patience patience,
                             const std::atomic<bool>* given_up = nullptr);
  /// Waits until a point made after `ordinal` is reached.
  [[nodiscard]] bool WaitForLaterThan(std::uint64_t ordinal, Patience patience,
                                      const std::atomic<bool>* given_up = nullptr);

  /// Wait tasks that stand in streams.
  void BeginStreamWait();
  void EndStreamWait() noexcept;
  [[nodiscard]] bool HasStreamWaits() const;

  /// Lets everybody who waits look again: the process is ending, or a wait was given up.
  void Wake() noexcept;

 private:
  LiveCount live_;
  mutable std::mutex mutex_;  // guards all below and the points
  std::condition_variable changed_;
  std::shared_ptr<RecordPoint> current_;
  bool ever_recorded_ = false;
  std::uint64_t newest_ordinal_ = 0;
  std::uint64_t newest_captured_ = 0;
  std::uint64_t newest_reached_ = 0;
  std::uint32_t stream_waits_ = 0;
};

}  // namespace belay::runtime
