#include "runtime/fault_log.h"

#include <algorithm>
#include <utility>

#include "runtime/message_queue.h"

namespace belay::runtime {
namespace {

// What the messages of one wait may take: the function's name and the source need room, too.
constexpr std::size_t kMaxSummaryBytes = MessageQueue::kMaxBytes - 1024;

std::uint64_t NextOrdinal() noexcept {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace

FaultLog::FaultLog(std::shared_ptr<FailureStop> stop) : stop_(std::move(stop)) {
  entries_.reserve(4);  // the first faults are kept even when there is no memory
}

FaultLog::~FaultLog() {
  for (const TaskFault& entry : entries_) {
    if (entry.stops) stop_->faults.fetch_sub(1, std::memory_order_acq_rel);
  }
}

void FaultLog::Add(std::uint64_t sequence, Status status, bool stops, TaskOrigin origin) noexcept {
  const std::lock_guard lock(mutex_);
  try {
    entries_.push_back({NextOrdinal(), sequence, std::move(status), stops, origin});
  } catch (...) {
    TaskFault& last = entries_.back();
    last.sequence = sequence;
    if (stops && !last.stops) stop_->faults.fetch_add(1, std::memory_order_acq_rel);
    last.stops = last.stops || stops;
    return;
  }
  if (stops) stop_->faults.fetch_add(1, std::memory_order_acq_rel);
  pending_.store(entries_.size(), std::memory_order_release);
}

void FaultLog::Take(std::uint64_t sequence, std::vector<TaskFault>& faults) {
  if (empty()) return;
  const std::lock_guard lock(mutex_);
  const auto end = std::partition_point(
      entries_.begin(), entries_.end(),
      [sequence](const TaskFault& entry) { return entry.sequence <= sequence; });
  faults.reserve(faults.size() + static_cast<std::size_t>(end - entries_.begin()));
  std::uint64_t dropped = 0;
  for (auto it = entries_.begin(); it != end; ++it) {
    if (it->stops && stop_->faults.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      dropped = stop_->dropped_tasks.exchange(0, std::memory_order_acq_rel);
    }
    faults.push_back(std::move(*it));
  }
  entries_.erase(entries_.begin(), end);
  pending_.store(entries_.size(), std::memory_order_release);
  if (dropped != 0) {
    Status& last = faults.back().status;
    std::string text = Text("{}\n{} later {} dropped (failure mode STOP)", last.message(), dropped,
                            dropped == 1 ? "task was" : "tasks were");
    if (!text.empty()) last = Status(last.fault(), std::move(text));
  }
}

Status Summarize(std::vector<TaskFault> faults) noexcept {
  if (faults.empty()) return {};
  std::sort(faults.begin(), faults.end(),
            [](const TaskFault& a, const TaskFault& b) { return a.ordinal < b.ordinal; });
  Status first = std::move(faults.front().status);
  if (faults.size() == 1) return first;
  std::string text = Described([&] {
    std::string all = first.message();
    for (std::size_t i = 1; i < faults.size(); ++i) {
      const std::string line = "\nalso: " + faults[i].status.message();
      if (all.size() + line.size() > kMaxSummaryBytes) {
        const std::size_t left = faults.size() - i;
        return all + fmt::format("\nand {} further {} not shown", left,
                                 left == 1 ? "fault that is" : "faults that are");
      }
      all += line;
    }
    return all;
  });
  return text.empty() ? first : Status(first.fault(), std::move(text));
}

}  // namespace belay::runtime
