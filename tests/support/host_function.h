// Host functions and callbacks as C++ closures.
#pragma once

#include <gtest/gtest.h>

#include <pthread.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <utility>

#include "acl/acl.h"

namespace belay::test {

using HostBody = std::function<void()>;

inline void RunHostBody(void* body) { (*static_cast<HostBody*>(body))(); }

/// Keeps the closures until it goes; their streams must be done by then.
class HostBodies {
 public:
  aclError LaunchHostFunc(aclrtStream stream, HostBody body) {
    return aclrtLaunchHostFunc(stream, RunHostBody, Keep(std::move(body)));
  }
  aclError LaunchCallback(aclrtStream stream, aclrtCallbackBlockType type, HostBody body) {
    return aclrtLaunchCallback(RunHostBody, Keep(std::move(body)), type, stream);
  }

 private:
  HostBody* Keep(HostBody body) {
    const std::lock_guard lock(mutex_);
    return &bodies_.emplace_back(std::move(body));
  }

  std::mutex mutex_;             // guards bodies_
  std::deque<HostBody> bodies_;  // addresses stay
};

/// The calling thread as aclrtSubscribeReport wants it.
inline uint64_t ThisThread() { return static_cast<uint64_t>(::pthread_self()); }

}  // namespace belay::test
