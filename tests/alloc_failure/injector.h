// Makes one allocation of this process fail, wherever it is made.
//
// The test program replaces operator new, mmap, pthread_create and (without sanitizers) calloc and
// realloc; the shared libraries resolve to the replacements, so they meet the same failures.
#pragma once

#include <cstdint>

namespace belay::alloc_failure {

enum class Source : std::uint8_t { kNew, kMmap, kThread, kCalloc, kRealloc };

/// What fails: one request, or also all that follow it, as when memory stays short.
enum class Extent : std::uint8_t { kOne, kAllLater };

/// Whether calloc and realloc are replaced. A sanitizer owns the C heap: memory of another calloc
/// would be foreign to its free().
bool CanFailCHeap();

/// From construction to destruction the `nth` request (from 1) to the source fails, from any
/// thread; 0 counts without failing one. At most one lives at a time.
class Injection {
 public:
  explicit Injection(std::int64_t nth, Source source = Source::kNew, Extent extent = Extent::kOne);
  Injection(const Injection&) = delete;
  Injection& operator=(const Injection&) = delete;
  ~Injection();

  /// Whether the failure took place.
  [[nodiscard]] bool fired() const;
};

}  // namespace belay::alloc_failure
