#include "alloc_failure/probe.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace belay::alloc_failure {
namespace {

// More allocations than any call makes; reaching it means that a call never settles.
constexpr std::int64_t kMostAllocations = 3000;

}  // namespace

Accounts ReadAccounts() {
  Accounts accounts;
  aclrtContext context = nullptr;
  if (aclrtGetCurrentContext(&context) != ACL_SUCCESS) return accounts;
  std::size_t total = 0;
  EXPECT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &accounts.free_bytes, &total), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetStreamAvailableNum(&accounts.streams), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetEventAvailNum(&accounts.events), ACL_SUCCESS);
  return accounts;
}

void ExpectSurvives(const Probe& probe, Source source, Extent extent) {
  for (std::int64_t nth = 1; nth <= kMostAllocations; ++nth) {
    SCOPED_TRACE(std::string(probe.name) + ", allocation " + std::to_string(nth) +
                 (extent == Extent::kAllLater ? " and all later ones" : ""));
    const Accounts before = ReadAccounts();
    probe.prepare();
    int code = 0;
    bool fired = false;
    {
      const Injection injection(nth, source, extent);
      code = probe.call();
      fired = injection.fired();
    }
    (void)aclGetRecentErrMsg();
    if (code == probe.expected) {
      probe.undo();
    } else {
      EXPECT_TRUE(fired) << "refused without a failed allocation: " << code;
      EXPECT_EQ(code, probe.out_of_memory);
      if (code == probe.out_of_memory) probe.unharmed();
    }
    const Accounts after = ReadAccounts();
    EXPECT_EQ(after.free_bytes, before.free_bytes);
    EXPECT_EQ(after.streams, before.streams);
    EXPECT_EQ(after.events, before.events);
    if (!fired || testing::Test::HasFailure()) return;
  }
  ADD_FAILURE() << probe.name << " allocates without end";
}

Probe Refusal(const char* name, int code, std::function<int()> call) {
  return {.name = name, .call = std::move(call), .expected = code, .out_of_memory = code};
}

Probe NeverFails(const char* name, std::function<void()> prepare, std::function<int()> call) {
  return {.name = name,
          .call = std::move(call),
          .out_of_memory = ACL_SUCCESS,
          .prepare = std::move(prepare)};
}

}  // namespace belay::alloc_failure
