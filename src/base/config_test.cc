#include "base/config.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "base/usable_cores.h"

namespace belay {
namespace {

using Environment = std::map<std::string, std::string>;
using Devices = std::vector<std::int32_t>;

StatusOr<Config> Read(const Environment& environment) {
  const auto lookup = [&](const char* name) -> const char* {
    const auto found = environment.find(name);
    return found == environment.end() ? nullptr : found->second.c_str();
  };
  return ReadConfig(lookup);
}

std::string Refusal(const std::string& name, const std::string& value) {
  const auto config = Read({{name, value}});
  if (config) return "accepted";
  EXPECT_EQ(config.error().fault(), Fault::kBadEnvironment);
  return config.error().message();
}

TEST(Config, DefaultsWithoutAnyVariable) {
  const auto config = Read({});
  ASSERT_TRUE(config);
  EXPECT_EQ(config->behaviour, Behaviour::kDocumented);
  EXPECT_EQ(config->chip, FindChip("Ascend910B4"));
  EXPECT_EQ(config->visible_devices, Devices{0});
  EXPECT_EQ(config->compute_threads, UsableCores());
  EXPECT_FALSE(config->launch_blocking);
  EXPECT_EQ(config->log.level, LogLevel::kError);
  EXPECT_FALSE(config->log.acl_level);
  EXPECT_FALSE(config->log.operator_level);
  EXPECT_FALSE(config->log.to_stdout);
  EXPECT_EQ(config->log.directory, "");
}

TEST(Config, BelayVariablesAreRead) {
  const auto config = Read({{"BELAY_BEHAVIOR", "released"},
                            {"BELAY_SOC", "Ascend910_93"},
                            {"BELAY_NUM_DEVICES", "16"},
                            {"BELAY_NUM_THREADS", "1024"},
                            {"BELAY_LAUNCH_BLOCKING", "1"}});
  ASSERT_TRUE(config);
  EXPECT_EQ(config->behaviour, Behaviour::kReleased);
  EXPECT_EQ(config->chip->soc_name, "Ascend910_9382");
  EXPECT_EQ(config->visible_devices.size(), 16U);
  EXPECT_EQ(config->visible_devices.back(), 15);
  EXPECT_EQ(config->compute_threads, 1024U);
  EXPECT_TRUE(config->launch_blocking);
}

TEST(Config, BadValueIsNamedWithTheLegalOnes) {
  EXPECT_EQ(Refusal("BELAY_NUM_DEVICES", "abc"), "BELAY_NUM_DEVICES is \"abc\"; allowed 1 to 16");
  EXPECT_EQ(Refusal("BELAY_NUM_THREADS", "0"), "BELAY_NUM_THREADS is \"0\"; allowed 1 to 1024");
  EXPECT_EQ(Refusal("BELAY_BEHAVIOR", "Released"),
            "BELAY_BEHAVIOR is \"Released\"; allowed documented or released");
  EXPECT_EQ(Refusal("BELAY_LAUNCH_BLOCKING", "yes"),
            "BELAY_LAUNCH_BLOCKING is \"yes\"; allowed 0 or 1");
}

TEST(Config, BadNumbers) {
  for (const char* value :
       {"", "0", "17", "-1", "+1", " 1", "1 ", "1x", "1.0", "0x1", "99999999999999999999"}) {
    EXPECT_NE(Refusal("BELAY_NUM_DEVICES", value), "accepted") << value;
  }
  EXPECT_NE(Refusal("BELAY_NUM_THREADS", "1025"), "accepted");
}

TEST(Config, EmptyValueIsBad) {
  for (const VariableInfo& variable : BelayVariables()) {
    const std::string message = Refusal(std::string(variable.name), "");
    EXPECT_EQ(message.find(std::string(variable.name) + " is \"\"; allowed "), 0U) << message;
  }
}

TEST(Config, LongOrUnprintableValueIsShortened) {
  EXPECT_EQ(
      Refusal("BELAY_BEHAVIOR", std::string(5000, 'x')),
      "BELAY_BEHAVIOR is \"" + std::string(48, 'x') + "\"...; allowed documented or released");
  EXPECT_EQ(Refusal("BELAY_BEHAVIOR", "a\nb"),
            "BELAY_BEHAVIOR is \"a?b\"; allowed documented or released");
}

TEST(Config, BadSocListsFamiliesAndSuggests) {
  const std::string allowed =
      "allowed a family (Ascend910, Ascend310P, Ascend310B, Ascend910B, Ascend910_93, Ascend950) "
      "or an exact SoC name, as `belay info --chips` lists them";
  EXPECT_EQ(Refusal("BELAY_SOC", "gpu"), "BELAY_SOC is \"gpu\"; " + allowed);
  EXPECT_EQ(Refusal("BELAY_SOC", "ascend910b"),
            "BELAY_SOC is \"ascend910b\"; " + allowed + "; did you mean Ascend910B?");
  EXPECT_EQ(Refusal("BELAY_SOC", "ASCEND310P3"),
            "BELAY_SOC is \"ASCEND310P3\"; " + allowed + "; did you mean Ascend310P3?");
  EXPECT_EQ(Refusal("BELAY_SOC", "Asend950PR_9599"),
            "BELAY_SOC is \"Asend950PR_9599\"; " + allowed + "; did you mean Ascend950PR_9599?");
  EXPECT_EQ(Refusal("BELAY_SOC", "Ascend910-93"),
            "BELAY_SOC is \"Ascend910-93\"; " + allowed + "; did you mean Ascend910_93?");
}

TEST(Config, VisibleDevicesStopAtTheFirstBadId) {
  const std::pair<const char*, Devices> cases[] = {
      {"2,0", {2, 0}}, {"1", {1}},          {"3,2,1,0", {3, 2, 1, 0}},
      {"1,4,2", {1}},  {"1,x,2", {1}},      {"1,1,2", {1}},
      {"1,-1", {1}},   {"1,,2", {1}},       {"1,2,", {1, 2}},
      {"", {}},        {"x", {}},           {",1", {}},
      {"-1", {}},      {"99999999999", {}},
  };
  for (const auto& [list, devices] : cases) {
    const auto config = Read({{"BELAY_NUM_DEVICES", "4"}, {"ASCEND_RT_VISIBLE_DEVICES", list}});
    ASSERT_TRUE(config) << list;
    EXPECT_EQ(config->visible_devices, devices) << list;
  }
}

TEST(Config, LogVariablesAreRead) {
  const auto config = Read({{"ASCEND_GLOBAL_LOG_LEVEL", "1"},
                            {"ASCEND_MODULE_LOG_LEVEL", "OP=0:GE=1:ASCENDCL=4"},
                            {"ASCEND_SLOG_PRINT_TO_STDOUT", "1"},
                            {"ASCEND_PROCESS_LOG_PATH", "/logs"}});
  ASSERT_TRUE(config);
  EXPECT_EQ(config->log.level, LogLevel::kInfo);
  EXPECT_EQ(config->log.operator_level, LogLevel::kDebug);
  EXPECT_EQ(config->log.acl_level, LogLevel::kNone);
  EXPECT_TRUE(config->log.to_stdout);
  EXPECT_EQ(config->log.directory, "/logs");
}

TEST(Config, BadLogValuesCountAsUnset) {
  for (const char* value : {"", "5", "-1", "debug", "1x", "99999999999"}) {
    const auto config = Read({{"ASCEND_GLOBAL_LOG_LEVEL", value},
                              {"ASCEND_MODULE_LOG_LEVEL", "OP=" + std::string(value)},
                              {"ASCEND_SLOG_PRINT_TO_STDOUT", value}});
    ASSERT_TRUE(config) << value;
    EXPECT_EQ(config->log.level, LogLevel::kError) << value;
    EXPECT_FALSE(config->log.operator_level) << value;
    EXPECT_FALSE(config->log.to_stdout) << value;
  }
  const auto config = Read({{"ASCEND_MODULE_LOG_LEVEL", "::OP:=3:OP=:ASCENDCL=2:"}});
  ASSERT_TRUE(config);
  EXPECT_FALSE(config->log.operator_level);
  EXPECT_EQ(config->log.acl_level, LogLevel::kWarning);
}

TEST(Config, BehaviourPointsAreEachNamedOnce) {
  ASSERT_EQ(BehaviourPoints().size(), 11U);
  for (std::size_t i = 0; i < BehaviourPoints().size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(BehaviourPoints()[i].point), i);
  }
}

// A directory that stands for the file system, with control group files in it.
class UsableCoresTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    root_ = std::filesystem::path(testing::TempDir()) / (std::string("belay_") + test->name());
    std::filesystem::remove_all(root_);
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void Write(const std::string& path, const std::string& text) {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text << '\n';
  }

  std::filesystem::path root_;
};

TEST_F(UsableCoresTest, NoGroupsNoQuota) { EXPECT_EQ(QuotaCores(root_), std::nullopt); }

TEST_F(UsableCoresTest, Version2QuotaIsRoundedUp) {
  Write("proc/self/cgroup", "0::/job");
  Write("sys/fs/cgroup/job/cpu.max", "150000 100000");
  EXPECT_EQ(QuotaCores(root_), 2U);
}

TEST_F(UsableCoresTest, Version2WithoutQuota) {
  Write("proc/self/cgroup", "0::/job");
  Write("sys/fs/cgroup/job/cpu.max", "max 100000");
  EXPECT_EQ(QuotaCores(root_), std::nullopt);
}

TEST_F(UsableCoresTest, TightestParentCounts) {
  Write("proc/self/cgroup", "0::/a/b/c");
  Write("sys/fs/cgroup/a/cpu.max", "300000 100000");
  Write("sys/fs/cgroup/a/b/cpu.max", "max 100000");
  Write("sys/fs/cgroup/a/b/c/cpu.max", "800000 100000");
  EXPECT_EQ(QuotaCores(root_), 3U);
}

TEST_F(UsableCoresTest, PathOfTheHostEndsAtTheMountPoint) {
  Write("proc/self/cgroup", "0::/container/1234");
  Write("sys/fs/cgroup/cpu.max", "400000 100000");
  EXPECT_EQ(QuotaCores(root_), 4U);
}

TEST_F(UsableCoresTest, PathAboveTheMountPoint) {
  Write("proc/self/cgroup", "0::/../other");
  Write("sys/fs/cgroup/cpu.max", "50000 100000");
  EXPECT_EQ(QuotaCores(root_), 1U);
}

TEST_F(UsableCoresTest, Version1) {
  Write("proc/self/cgroup", "9:memory:/job\n4:cpu,cpuacct:/job\n0::/");
  Write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "250000");
  Write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000");
  Write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1");
  Write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000");
  EXPECT_EQ(QuotaCores(root_), 3U);
}

TEST_F(UsableCoresTest, NonsenseIsNoQuota) {
  Write("proc/self/cgroup", "nonsense\n0:cpuset\n0::/job");
  Write("sys/fs/cgroup/job/cpu.max", "100000 0");
  Write("sys/fs/cgroup/cpu.max", "-5 100000");
  EXPECT_EQ(QuotaCores(root_), std::nullopt);
}

TEST_F(UsableCoresTest, AtLeastOne) { EXPECT_GE(UsableCores(), 1U); }

}  // namespace
}  // namespace belay
