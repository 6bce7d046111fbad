#include "base/parallel.h"

#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

extern char** environ;

namespace belay {
namespace {

/// Whether [0, count) was covered exactly once, in pieces of at least `grain` where possible.
void ExpectCovered(std::size_t count, std::size_t grain) {
  std::vector<std::atomic<std::uint8_t>> seen(count);
  std::atomic<bool> small{false};
  ParallelFor(count, grain, [&](std::size_t begin, std::size_t end) {
    ASSERT_LT(begin, end);
    ASSERT_LE(end, count);
    if (end - begin < std::min(grain, count)) small = true;
    for (std::size_t i = begin; i < end; ++i) ++seen[i];
  });
  const auto once = [](const std::atomic<std::uint8_t>& times) { return times == 1; };
  EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), once)) << count << ", " << grain;
  EXPECT_FALSE(small) << count << ", " << grain;
}

TEST(ParallelFor, CoversEverythingOnce) {
  for (std::size_t count = 0; count < 70; ++count) {
    for (const std::size_t grain : {0U, 1U, 2U, 3U, 7U, 16U, 69U, 1000U}) {
      ExpectCovered(count, grain);
    }
  }
  for (const std::size_t count : {1000U, 4095U, 4096U, 100003U}) {
    for (const std::size_t grain : {1U, 64U, 1000U, 1000000U}) ExpectCovered(count, grain);
  }
}

TEST(ParallelFor, OnePieceOnTheCallingThreadUpToTheGrain) {
  const auto caller = std::this_thread::get_id();
  int calls = 0;
  ParallelFor(100, 100, [&](std::size_t begin, std::size_t end) {
    ++calls;
    EXPECT_EQ(begin, 0U);
    EXPECT_EQ(end, 100U);
    EXPECT_EQ(std::this_thread::get_id(), caller);
  });
  EXPECT_EQ(calls, 1);
}

TEST(ParallelFor, SizesNearTheLimitDoNotOverflow) {
  std::atomic<std::size_t> sum{0};
  ParallelFor(SIZE_MAX, SIZE_MAX / 3,
              [&](std::size_t begin, std::size_t end) { sum += end - begin; });
  EXPECT_EQ(sum, SIZE_MAX);
}

TEST(ParallelFor, MayBeNested) {
  std::atomic<std::size_t> sum{0};
  ParallelFor(50, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      ParallelFor(100, 3, [&](std::size_t from, std::size_t to) { sum += to - from; });
    }
  });
  EXPECT_EQ(sum, 5000U);
}

TEST(ParallelFor, ServesManyThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([] {
      for (int i = 0; i < 20; ++i) ExpectCovered(997, 8);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(ParallelFor, AnExceptionReachesTheCaller) {
  for (const std::size_t bad : {0U, 500U, 999U}) {
    const auto throws = [bad](std::size_t begin, std::size_t end) {
      if (begin <= bad && bad < end) throw std::runtime_error("bad element");
    };
    EXPECT_THROW(ParallelFor(1000, 10, throws), std::runtime_error);
    EXPECT_THROW(ParallelFor(1000, 1000, throws), std::runtime_error);
  }
  ExpectCovered(1000, 10);
}

TEST(ParallelFor, StaysWithinTheThreadBound) {
  std::atomic<unsigned> inside{0};
  std::atomic<unsigned> most{0};
  ParallelFor(200, 1, [&](std::size_t, std::size_t) {
    const unsigned now = ++inside;
    unsigned seen = most.load();
    while (now > seen && !most.compare_exchange_weak(seen, now)) {
    }
    std::this_thread::yield();
    --inside;
  });
  EXPECT_GE(most, 1U);
  EXPECT_LE(most, ComputeThreadCount());
  if (const char* bound = std::getenv("BELAY_NUM_THREADS")) {
    EXPECT_EQ(std::to_string(ComputeThreadCount()), bound);
  }
}

// All of the above again with a bound of its own, which a process reads once.
TEST(ParallelForChild, UnderEveryThreadBound) {
  if (std::getenv("BELAY_NUM_THREADS") != nullptr) GTEST_SKIP() << "the bound is set already";
  for (const char* bound : {"1", "2", "5"}) {
    const std::string variable = std::string("BELAY_NUM_THREADS=") + bound;
    std::vector<char*> environment;
    for (char** entry = environ; *entry != nullptr; ++entry) environment.push_back(*entry);
    environment.push_back(const_cast<char*>(variable.c_str()));
    environment.push_back(nullptr);
    std::string program = "/proc/self/exe";
    std::string filter = "--gtest_filter=ParallelFor.*";
    std::string brief = "--gtest_brief=1";
    char* arguments[] = {program.data(), filter.data(), brief.data(), nullptr};
    ::pid_t child = 0;
    ASSERT_EQ(
        ::posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, arguments, environment.data()),
        0);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << bound;
  }
}

}  // namespace
}  // namespace belay
