// Tasks of the test's own making: what they do is a function, how big they claim to be decides
// whether a stream may run them in place.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <mutex>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "base/plan.h"
#include "runtime/machine.h"
#include "runtime/stream.h"
#include "support/device_test.h"
#include "support/gate.h"

namespace belay::test {

using runtime::Machine;
using runtime::Ref;
using runtime::Stream;

using TaskBody = std::function<Status()>;

enum class Size : std::uint8_t {
  kSmall,  // runs in place on an idle stream
  kBig,    // is always queued
};

// As ctest names cases.
inline void PrintTo(Size size, std::ostream* out) {
  *out << (size == Size::kSmall ? "Small" : "Big");
}

inline Launch MakeLaunch(const TaskBody& body, Size size, const char* operation = "TestOperation") {
  Launch launch;
  launch.plan.operation = operation;
  launch.plan.kernel = "test";
  launch.plan.run = [](const Plan& plan, std::span<void* const>) {
    return (*plan.Parameters<const TaskBody*>())();
  };
  launch.plan.AddAccess({"var", 0, AccessMode::kWrite, 0, size == Size::kBig ? 1U << 30 : 64U});
  launch.plan.EmplaceParameters<decltype(&body)>(&body);
  return launch;
}

/// What an operator reports for a bad index.
inline Status BadIndex(int value) {
  return Refuse(Fault::kTaskException, "indices[17] is {}; allowed 0..1023 (dimension 0 of var)",
                value);
}

/// Submits tasks of the test to streams. Device 0 is reset, and so all work done, before the bodies
/// of the tasks go.
class TaskTest : public DeviceTest {
 protected:
  Status Submit(aclrtStream stream, Size size, TaskBody body) {
    const TaskBody* kept = nullptr;
    {
      const std::lock_guard lock(mutex_);
      kept = &bodies_.emplace_back(std::move(body));
    }
    const Ref<Stream> found = Machine::Get().streams().Acquire(stream);
    if (!found) return Refuse(Fault::kInvalidHandle, "the test's stream is not alive");
    return Stream::Submit(found, runtime::LaunchTask{MakeLaunch(*kept, size), {}});
  }
  /// The same, and it must be accepted.
  void Run(aclrtStream stream, Size size, TaskBody body) {
    const Status status = Submit(stream, size, std::move(body));
    EXPECT_TRUE(status.ok()) << status.message();
  }
  /// A task that holds the stream until the door opens.
  void Hold(aclrtStream stream, const Door& door) {
    Run(stream, Size::kBig, [door]() -> Status {
      EXPECT_TRUE(door.Wait());
      return {};
    });
  }
  void Fail(aclrtStream stream, Size size, int value = 4096) {
    Run(stream, size, [value] { return BadIndex(value); });
  }

 private:
  std::mutex mutex_;             // guards bodies_
  std::deque<TaskBody> bodies_;  // addresses stay
};

/// What happened, in the order in which it happened.
template <class T>
class Journal {
 public:
  void Add(T entry) {
    const std::lock_guard lock(mutex_);
    entries_.push_back(std::move(entry));
  }
  [[nodiscard]] std::vector<T> entries() const {
    const std::lock_guard lock(mutex_);
    return entries_;
  }

 private:
  mutable std::mutex mutex_;  // guards entries_
  std::vector<T> entries_;
};

}  // namespace belay::test
