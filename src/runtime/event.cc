#include "runtime/event.h"

#include <algorithm>
#include <utility>

#include "runtime/waiting.h"

namespace belay::runtime {
namespace {

bool IsSet(const std::atomic<bool>* flag) noexcept {
  return flag != nullptr && flag->load(std::memory_order_acquire);
}

}  // namespace

std::shared_ptr<RecordPoint> Event::NewPoint(const void* stream, std::int32_t stream_id,
                                             std::shared_ptr<FaultLog> faults) {
  auto point = std::make_shared<RecordPoint>();
  point->stream = stream;
  point->stream_id = stream_id;
  point->faults = std::move(faults);
  const std::lock_guard lock(mutex_);
  point->ordinal = ++newest_ordinal_;
  return point;
}

void Event::Capture(std::shared_ptr<RecordPoint> point) {
  const std::lock_guard lock(mutex_);
  ever_recorded_ = true;
  newest_captured_ = std::max(newest_captured_, point->ordinal);
  if (current_ == nullptr || current_->ordinal < point->ordinal) current_ = std::move(point);
}

void Event::Reset() {
  const std::lock_guard lock(mutex_);
  current_.reset();
}

void Event::Complete(RecordPoint& point, bool dropped) noexcept {
  {
    const std::lock_guard lock(mutex_);
    point.done = true;
    if (!dropped) point.reached = Clock::now();
    newest_reached_ = std::max(newest_reached_, point.ordinal);
  }
  changed_.notify_all();
}

std::shared_ptr<RecordPoint> Event::Current() const {
  const std::lock_guard lock(mutex_);
  return current_;
}

bool Event::EverRecorded() const {
  const std::lock_guard lock(mutex_);
  return ever_recorded_;
}

bool Event::IsDone(const RecordPoint& point) const {
  const std::lock_guard lock(mutex_);
  return point.done;
}

std::optional<Clock::time_point> Event::ReachedAt(const RecordPoint& point) const {
  const std::lock_guard lock(mutex_);
  return point.reached;
}

std::uint64_t Event::CapturedOrdinal() const {
  const std::lock_guard lock(mutex_);
  return newest_captured_;
}

bool Event::WaitFor(const RecordPoint& point, Patience patience,
                    const std::atomic<bool>* given_up) {
  std::unique_lock lock(mutex_);
  (void)WaitUntilReady(changed_, lock, patience,
                       [&point, given_up] { return point.done || IsSet(given_up); });
  return point.done;
}

bool Event::WaitForLaterThan(std::uint64_t ordinal, Patience patience,
                             const std::atomic<bool>* given_up) {
  std::unique_lock lock(mutex_);
  (void)WaitUntilReady(changed_, lock, patience, [this, ordinal, given_up] {
    return newest_reached_ > ordinal || IsSet(given_up);
  });
  return newest_reached_ > ordinal;
}

void Event::BeginStreamWait() {
  const std::lock_guard lock(mutex_);
  ++stream_waits_;
}

void Event::EndStreamWait() noexcept {
  const std::lock_guard lock(mutex_);
  --stream_waits_;
}

bool Event::HasStreamWaits() const {
  const std::lock_guard lock(mutex_);
  return stream_waits_ != 0;
}

void Event::Wake() noexcept {
  { const std::lock_guard lock(mutex_); }  // nobody is between looking and waiting
  changed_.notify_all();
}

}  // namespace belay::runtime
