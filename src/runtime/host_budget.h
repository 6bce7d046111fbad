// How much more memory this host can commit: an emulated device may be larger than the machine.
//
// Blocks cost the host nothing until they are touched, so what was promised and not yet touched
// counts as used. Source of the figures: /proc/meminfo, the memory cgroup and /proc/self/statm.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>

#include "base/export.h"

namespace belay::runtime {

class BELAY_EXPORT HostBudget {
 public:
  HostBudget();

  /// Promises `size` bytes; false, and nothing promised, when the host cannot keep the promise.
  [[nodiscard]] bool Reserve(std::size_t size);
  void Release(std::size_t size) noexcept;

  /// Bytes the host could still commit, by the last look.
  [[nodiscard]] std::uint64_t Available();

 private:
  [[nodiscard]] std::uint64_t Look() const;

  std::mutex mutex_;
  std::uint64_t resident_at_start_;
  std::uint64_t promised_ = 0;
  // Small requests spend this allowance instead of reading /proc each time.
  std::uint64_t allowance_ = 0;
};

}  // namespace belay::runtime
