// Makes one allocation of this process fail, wherever it is made.
//
// The test program replaces operator new, mmap, pthread_create and (without sanitizers) calloc; the
// shared libraries resolve to the replacements, so they meet the same failures.
#pragma once

#include <cstdint>

namespace belay::alloc_failure {

enum class Source : std::uint8_t { kNew, kMmap, kThread, kCalloc };

/// Whether calloc is replaced. A sanitizer owns the C heap: memory of another calloc would be
/// foreign to its free().
bool CanFailCalloc();

/// From construction to destruction the `nth` request (from 1) to the source fails, from any
/// thread; 0 counts without failing. At most one lives at a time.
class Injection {
 public:
  explicit Injection(std::int64_t nth, Source source = Source::kNew);
  Injection(const Injection&) = delete;
  Injection& operator=(const Injection&) = delete;
  ~Injection();

  /// Whether the failure took place.
  [[nodiscard]] bool fired() const;
};

}  // namespace belay::alloc_failure
