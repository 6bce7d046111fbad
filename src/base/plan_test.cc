#include "base/plan.h"

#include <gtest/gtest.h>

#include <string>

namespace belay {
namespace {

struct Parameters {
  std::uint64_t value;
  char text[40];
};

Status Refusing(const Plan&, std::span<void* const>) {
  return Refuse(Fault::kTaskException, "bad value");
}
Status Accepting(const Plan&, std::span<void* const>) { return {}; }
Status StoreOne(const Plan& plan, std::span<void* const> addresses) {
  *static_cast<std::uint64_t*>(addresses[2]) = plan.Parameters<Parameters>().value;
  return {};
}

TEST(Plan, TrafficCountsReadsAndWrites) {
  Plan plan;
  EXPECT_EQ(plan.TrafficBytes(), 0U);
  EXPECT_TRUE(plan.accesses().empty());
  plan.AddAccess({"src", 0, AccessMode::kRead, 0, 100});
  plan.AddAccess({"dst", 1, AccessMode::kWrite, 16, 10});
  plan.AddAccess({"var", 2, AccessMode::kReadWrite, 0, 1});
  EXPECT_EQ(plan.TrafficBytes(), 112U);
  ASSERT_EQ(plan.accesses().size(), 3U);
  EXPECT_STREQ(plan.accesses()[1].argument, "dst");
  plan.traffic_bytes = 30;  // the operator knows that it touches less
  EXPECT_EQ(plan.TrafficBytes(), 30U);
}

TEST(Plan, HoldsAsManyAccessesAsItSays) {
  Plan plan;
  for (std::size_t i = 0; i < Plan::kMaxAccesses; ++i) plan.AddAccess({"x", 0, {}, 0, 1});
  EXPECT_EQ(plan.accesses().size(), Plan::kMaxAccesses);
}

TEST(Plan, ParametersComeBackAsStored) {
  Plan plan;
  plan.EmplaceParameters<Parameters>(Parameters{7, "seven"});
  const Plan copy = plan;
  EXPECT_EQ(copy.Parameters<Parameters>().value, 7U);
  EXPECT_STREQ(copy.Parameters<Parameters>().text, "seven");
  Plan other;
  other.EmplaceParameters<std::uint8_t>(std::uint8_t{1});
  other = copy;
  EXPECT_STREQ(other.Parameters<Parameters>().text, "seven");
}

TEST(Launch, RunsAfterInspection) {
  std::uint64_t out = 0;
  Launch launch;
  launch.addresses[2] = &out;
  launch.plan.EmplaceParameters<Parameters>(Parameters{9, ""});
  launch.plan.run = StoreOne;
  launch.plan.inspect = Refusing;
  EXPECT_EQ(launch.Run().message(), "bad value");
  EXPECT_EQ(out, 0U);
  launch.plan.inspect = Accepting;
  EXPECT_TRUE(launch.Run().ok());
  EXPECT_EQ(out, 9U);
  launch.plan.inspect = nullptr;
  launch.plan.run = Refusing;
  EXPECT_EQ(launch.Run().fault(), Fault::kTaskException);
}

}  // namespace
}  // namespace belay
