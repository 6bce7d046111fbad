// The steps of a copy, for calls that make several of them.
#pragma once

#include "base/status.h"
#include "runtime/memory_map.h"
#include "runtime/stream.h"
#include "runtime/transfer.h"

namespace belay::runtime {

/// What lies at the two ends of a copy or, both the same, under a fill.
struct TransferEnds {
  Place dst;
  Place src;

  [[nodiscard]] bool TouchPageableHost() const noexcept {
    return dst.kind == PlaceKind::kPageableHost || src.kind == PlaceKind::kPageableHost;
  }
};

/// Who copies or fills: a stream of a device, or the host while that device is current. A device
/// reaches its own memory and that of its peers. The host reaches all devices, but has the current
/// one copy between them.
struct Worker {
  std::int32_t device = 0;
  bool is_stream = false;
};

/// The published checks that need neither context nor memory map.
[[nodiscard]] Status CheckCopy(const Copy& copy);
/// That of this thread's context.
[[nodiscard]] StatusOr<std::int32_t> CurrentDevice();
/// Both ranges lie in live memory or are the host's, and within reach of who copies.
[[nodiscard]] StatusOr<TransferEnds> LocateEnds(const Copy2d& copy, const Worker& worker);
/// A launch that holds the blocks at its ends.
[[nodiscard]] LaunchTask PlanCopy(const Copy2d& copy, const TransferEnds& ends);
[[nodiscard]] Status RunNow(const Launch& launch, CallSite site);
/// Waits for the stream's work so far, as copies with pageable memory do. It returns no faults,
/// those are for the program's waits.
[[nodiscard]] Status WaitUnseen(const Ref<Stream>& stream);

/// A copy without pitches.
[[nodiscard]] inline Copy2d AsRow(const Copy& copy) {
  return {copy.dst, copy.count, copy.src, copy.count, copy.count, 1, copy.kind};
}

}  // namespace belay::runtime
