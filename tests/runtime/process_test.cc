// Runs the scenarios that need a process of their own. Each must end in time, with status 0, and
// say nothing but what it is expected to say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <ostream>
#include <string>
#include <vector>

#include "support/child_process.h"

namespace belay::test {
namespace {

// The end of the process may take a few seconds, and sanitizers are slow; a hang is for ever.
constexpr std::chrono::seconds kPatience{30};

struct Case {
  const char* scenario;
  std::vector<std::string> environment = {};
  bool says_anything = false;  // refusals are logged; otherwise the output must be empty
};

// As ctest names the case.
void PrintTo(const Case& each, std::ostream* out) { *out << each.scenario; }

ChildResult RunScenario(const char* name, const std::vector<std::string>& environment = {}) {
  return RunChild({BELAY_PROCESS_SCENARIOS, name}, environment, kPatience);
}

class Process : public testing::TestWithParam<Case> {};

TEST_P(Process, EndsWell) {
  const Case& param = GetParam();
  const ChildResult result = RunScenario(param.scenario, param.environment);
  EXPECT_FALSE(result.timed_out);
  EXPECT_EQ(result.status, 0) << result.output;
  if (param.says_anything) {
    EXPECT_THAT(result.output, testing::Not(testing::HasSubstr("Sanitizer")));
  } else {
    EXPECT_EQ(result.output, "");
  }
}

const std::string kSmallChip = "BELAY_SOC=Ascend310P3";
const std::string kBlocking = "BELAY_LAUNCH_BLOCKING=1";

INSTANTIATE_TEST_SUITE_P(
    End, Process,
    testing::Values(
        Case{"QueuedWork"}, Case{"StreamThatWaitsForever"},
        Case{"StreamThatWaitsForADestroyedEvent"}, Case{"StreamDestroyedByForceWhileItWaits"},
        Case{"ThreadInSynchronizeStream", {}, true}, Case{"ThreadInSynchronizeDevice", {}, true},
        Case{"ThreadInSynchronizeEvent", {}, true}, Case{"ThreadsThatKeepCalling", {}, true},
        Case{"StaticDestructorsOfABusyProgram"}, Case{"StaticDestructorsThatStartWork"},
        Case{"StaticDestructorsMakeTheFirstCall"}, Case{"StaticOfAFunctionWaitsForever", {}, true},
        Case{"StaticOfAFunctionWaitsForACallbackThatNobodyRuns", {}, true},
        Case{"StaticOfAFunctionWaitsForWork"}, Case{"StaticOfAFunctionWaitsForAnotherThread"},
        Case{"ExitFromAThread", {}, true}, Case{"ExitFromATask"}, Case{"CallbacksThatNobodyRuns"},
        Case{"ThreadInProcessReport", {}, true}, Case{"QueuedHostFunctions"},
        Case{"ExitFromAHostFunction"}, Case{"StaticDestructorsLaunchHostFunctions"},
        Case{"CollectedFault", {}, true}),
    [](const auto& each) { return each.param.scenario; });

// In a child of fork the leak check looks for threads that stayed with the parent.
const std::string kNoLeakCheck = "ASAN_OPTIONS=detect_leaks=0";

INSTANTIATE_TEST_SUITE_P(Fork, Process,
                         testing::Values(Case{"ForkWhileStreamsAreBusy", {kNoLeakCheck}, true},
                                         Case{"ForkWhileThreadsCall", {kNoLeakCheck}, true},
                                         Case{"ForkBeforeFirstUse"}),
                         [](const auto& each) { return each.param.scenario; });

INSTANTIATE_TEST_SUITE_P(
    Environment, Process,
    testing::Values(Case{"StreamLimit", {kSmallChip}, true}, Case{"EventLimit", {kSmallChip}, true},
                    Case{"NoHugeStreams", {kSmallChip}, true}, Case{"LaunchesBlock", {kBlocking}},
                    Case{"LaunchesOfManyThreadsBlock", {kBlocking}},
                    Case{"ABlockingLaunchReturnsNoFault", {kBlocking}, true},
                    Case{"AHeldStreamDoesNotHangABlockingLaunch", {kBlocking}},
                    Case{"HostFunctionsDoNotHangABlockingLaunch", {kBlocking}}),
    [](const auto& each) { return each.param.scenario; });

TEST(ProcessEnd, WritesFaultsThatNobodyWaitedForToStderr) {
  const ChildResult result = RunScenario("UncollectedFaults");
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.output,
              testing::AllOf(testing::HasSubstr("ends with a fault that no call waited for"),
                             testing::HasSubstr("TestOperation: indices[17] is 2001"),
                             testing::HasSubstr("indices[17] is 2002")));
}

TEST(ProcessEnd, TellsACollectedFaultOnce) {
  const ChildResult result = RunScenario("CollectedFault");
  const std::size_t first = result.output.find("told by the wait");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(result.output.find("told by the wait", first + 1), std::string::npos);
}

}  // namespace
}  // namespace belay::test
