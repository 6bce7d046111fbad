#include "runtime/host_budget.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace belay::runtime {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

TEST(HostBudget, RefusesMoreThanTheHostHas) {
  HostBudget budget;
  EXPECT_FALSE(budget.Reserve(SIZE_MAX));
  EXPECT_FALSE(budget.Reserve(std::size_t{1} << 60));
  EXPECT_TRUE(budget.Reserve(1));
  budget.Release(1);
}

TEST(HostBudget, APromiseLowersWhatIsLeftAndAReleaseRaisesIt) {
  HostBudget budget;
  const std::uint64_t before = budget.Available();
  if (before < 512 * kMiB) GTEST_SKIP() << "the host has hardly any memory left";
  ASSERT_TRUE(budget.Reserve(256 * kMiB));
  // Other processes come and go, hence the wide limits.
  EXPECT_LT(budget.Available(), before);
  budget.Release(256 * kMiB);
  EXPECT_TRUE(budget.Reserve(1));
}

TEST(HostBudget, PromisesAddUpUntilTheHostIsFull) {
  HostBudget budget;
  const std::uint64_t left = budget.Available();
  const std::uint64_t part = left / 4 + 64 * kMiB;
  int granted = 0;
  while (granted < 8 && budget.Reserve(part)) ++granted;
  // Nothing was touched, so only the promises stand in the way.
  EXPECT_LE(granted, 4);
  for (int i = 0; i < granted; ++i) budget.Release(part);
}

TEST(HostBudget, ReleasingTooMuchIsHarmless) {
  HostBudget budget;
  budget.Release(SIZE_MAX);
  EXPECT_TRUE(budget.Reserve(4096));
  budget.Release(4096);
}

TEST(HostBudget, ServesManyThreads) {
  HostBudget budget;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&budget] {
      for (int i = 0; i < 500; ++i) {
        if (budget.Reserve(4096)) budget.Release(4096);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(budget.Reserve(4096));
}

}  // namespace
}  // namespace belay::runtime
