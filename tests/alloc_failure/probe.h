// Runs one call again and again, each time with another of its allocations failing.
#pragma once

#include <acl/acl.h>

#include <cstddef>
#include <cstdint>
#include <functional>

#include "alloc_failure/injector.h"

namespace belay::alloc_failure {

/// What a device has left; a failed call must not change it.
struct Accounts {
  std::size_t free_bytes = 0;
  std::uint32_t streams = 0;
  std::uint32_t events = 0;
  bool operator==(const Accounts&) const = default;
};
/// Of the current device; all zero without a context.
Accounts ReadAccounts();

struct Probe {
  const char* name;
  std::function<int()> call;  // returns the status code
  int expected = ACL_SUCCESS;
  /// The code when the failure could not be survived; `expected` when the call may never fail.
  int out_of_memory = ACL_ERROR_RT_MEMORY_ALLOCATION;
  std::function<void()> prepare = [] {};
  std::function<void()> undo = [] {};      // after a call that gave `expected`
  std::function<void()> unharmed = [] {};  // after one that gave `out_of_memory`
};

/// For the failure of allocation 1, 2, ... until the call makes no more: the code is one of the
/// two, the accounts are as before, and the next round (where it may succeed) works.
void ExpectSurvives(const Probe& probe, Source source = Source::kNew, Extent extent = Extent::kOne);

/// A call that has to give this code however little memory there is.
Probe Refusal(const char* name, int code, std::function<int()> call);
/// A call that must succeed however little memory there is: it gives something back.
Probe NeverFails(const char* name, std::function<void()> prepare, std::function<int()> call);

}  // namespace belay::alloc_failure
