// Threads that start together and are joined with the test.
#pragma once

#include <cstddef>
#include <latch>
#include <thread>
#include <utility>
#include <vector>

namespace belay::test {

/// Runs body(0) ... body(count - 1), each on a thread of its own, all starting at once.
template <class Body>
void RunTogether(std::size_t count, Body body) {
  std::latch start(static_cast<std::ptrdiff_t>(count));
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < count; ++i) {
    threads.emplace_back([&start, &body, i] {
      start.arrive_and_wait();
      body(i);
    });
  }
}

/// Runs the body on a fresh thread, which has no context, and waits for it.
template <class Body>
void OnFreshThread(Body body) {
  std::jthread thread(std::move(body));
}

}  // namespace belay::test
