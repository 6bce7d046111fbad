// Short programs that need a process of their own: another environment, or its end.
//
// They are functions in one executable, process_scenarios; process_test.cc runs each by its name.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <span>
#include <utility>

#include "acl/acl.h"
#include "base/plan.h"
#include "base/status.h"

namespace belay::test {

/// Ends the process with status 1 and the text when the condition does not hold.
#define SCENARIO_CHECK(condition)                                                         \
  do {                                                                                    \
    if (!(condition)) {                                                                   \
      std::fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
      std::_Exit(1);                                                                      \
    }                                                                                     \
  } while (false)

#define SCENARIO_OK(call) SCENARIO_CHECK((call) == ACL_SUCCESS)

/// Launches a task that runs `body`, which must never go away. Small ones may run in place.
Status LaunchForever(aclrtStream stream, const std::function<Status()>& body, bool small);

/// Has `body` called by the destructor of a static object that is older than any use of the API.
void AfterMain(std::function<void()> body);

/// An object that nobody destroys.
template <class T>
T& Immortal(T value) {
  static auto* const kept = new std::deque<T>;
  return kept->emplace_back(std::move(value));
}

struct Scenario {
  const char* name;
  int (*run)();  // what main returns
};

std::span<const Scenario> EndScenarios();
std::span<const Scenario> ForkScenarios();
std::span<const Scenario> EnvironmentScenarios();

}  // namespace belay::test
