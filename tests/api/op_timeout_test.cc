// Time-outs of operators: stored and told, and no end of any work.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "support/api_test_support.h"
#include "support/host_function.h"
#include "support/threads.h"

namespace belay::test {
namespace {

// Puts the time-out back.
class OpTimeout : public testing::Test {
 protected:
  void TearDown() override { EXPECT_EQ(aclrtSetOpExecuteTimeOut(0), ACL_SUCCESS); }
};

uint32_t Milliseconds() {
  uint32_t timeout = 77;
  EXPECT_EQ(aclrtGetOpExecuteTimeout(&timeout), ACL_SUCCESS);
  return timeout;
}

TEST_F(OpTimeout, IsNoneAtFirst) { EXPECT_EQ(Milliseconds(), 0U); }

TEST_F(OpTimeout, OfSecondsAndMilliseconds) {
  ASSERT_EQ(aclrtSetOpExecuteTimeOut(3), ACL_SUCCESS);
  EXPECT_EQ(Milliseconds(), 3000U);
  ASSERT_EQ(aclrtSetOpExecuteTimeOutWithMs(1234), ACL_SUCCESS);
  EXPECT_EQ(Milliseconds(), 1234U);
  ASSERT_EQ(aclrtSetOpExecuteTimeOutWithMs(UINT32_MAX), ACL_SUCCESS);
  EXPECT_EQ(Milliseconds(), UINT32_MAX);
  ASSERT_EQ(aclrtSetOpExecuteTimeOut(UINT32_MAX), ACL_SUCCESS);
  EXPECT_EQ(Milliseconds(), UINT32_MAX) << "the largest that can be told";
}

TEST_F(OpTimeout, OfMicrosecondsIsUsedAsItIs) {
  uint64_t interval = 0;
  ASSERT_EQ(aclrtGetOpTimeOutInterval(&interval), ACL_SUCCESS);
  EXPECT_EQ(interval, 1U);
  struct Row {
    uint64_t microseconds;
    uint32_t milliseconds;
  };
  for (const Row& row :
       {Row{0, 0}, Row{1, 1}, Row{999, 1}, Row{1000, 1}, Row{1001, 2}, Row{1500000, 1500},
        Row{UINT64_MAX, UINT32_MAX}, Row{uint64_t{UINT32_MAX} * 1000 + 1, UINT32_MAX}}) {
    uint64_t actual = 7;
    ASSERT_EQ(aclrtSetOpExecuteTimeOutV2(row.microseconds, &actual), ACL_SUCCESS);
    EXPECT_EQ(actual, row.microseconds);
    EXPECT_EQ(Milliseconds(), row.milliseconds) << row.microseconds;
  }
}

TEST_F(OpTimeout, IsLeftAloneByARefusal) {
  ASSERT_EQ(aclrtSetOpExecuteTimeOut(3), ACL_SUCCESS);
  ExpectRefused(aclrtSetOpExecuteTimeOutV2(1, nullptr), 100000, "actualTimeout is null");
  EXPECT_EQ(Milliseconds(), 3000U);
}

TEST_F(OpTimeout, IsOfTheProcess) {
  ASSERT_EQ(aclrtSetOpExecuteTimeOut(5), ACL_SUCCESS);
  OnFreshThread([] { EXPECT_EQ(Milliseconds(), 5000U); });
}

TEST_F(OpTimeout, EndsNoWork) {
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  uint64_t actual = 0;
  ASSERT_EQ(aclrtSetOpExecuteTimeOutV2(1, &actual), ACL_SUCCESS);
  bool ended = false;
  HostBodies bodies;
  ASSERT_EQ(bodies.LaunchHostFunc(nullptr,
                                  [&ended] {
                                    std::this_thread::sleep_for(std::chrono::milliseconds(20));
                                    ended = true;
                                  }),
            ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_TRUE(ended);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
}

}  // namespace
}  // namespace belay::test
