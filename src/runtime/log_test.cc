#include "runtime/log.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

namespace belay::runtime {
namespace {

std::string Prefix(const char* level, const char* module) {
  return "[" + std::string(level) + "] " + module + "(" + std::to_string(::getpid()) + "): ";
}

TEST(Log, ErrorsGoToStderrByDefault) {
  Log log(LogConfig{});
  testing::internal::CaptureStderr();
  log.Write(LogModule::kAcl, LogLevel::kError, "text");
  log.Write(LogModule::kAcl, LogLevel::kWarning, "not shown");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), Prefix("ERROR", "ASCENDCL") + "text\n");
}

TEST(Log, ToStdoutWhenAsked) {
  LogConfig config;
  config.to_stdout = true;
  Log log(config);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  log.Write(LogModule::kOperator, LogLevel::kError, "text");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), Prefix("ERROR", "OP") + "text\n");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Log, AMessageIsOneLine) {
  Log log(LogConfig{});
  testing::internal::CaptureStderr();
  log.Write(LogModule::kApplication, LogLevel::kError, "one\ntwo {} %s\n");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), Prefix("ERROR", "APP") + "one; two {} %s; \n");
}

TEST(Log, ThresholdsByModule) {
  LogConfig config;
  config.level = LogLevel::kWarning;
  config.acl_level = LogLevel::kDebug;
  config.operator_level = LogLevel::kNone;
  const Log log(config);
  EXPECT_TRUE(log.Enabled(LogModule::kAcl, LogLevel::kDebug));
  EXPECT_FALSE(log.Enabled(LogModule::kOperator, LogLevel::kError));
  EXPECT_TRUE(log.Enabled(LogModule::kApplication, LogLevel::kWarning));
  EXPECT_FALSE(log.Enabled(LogModule::kApplication, LogLevel::kInfo));
}

TEST(Log, NoneIsSilent) {
  LogConfig config;
  config.level = LogLevel::kNone;
  Log log(config);
  testing::internal::CaptureStderr();
  for (const LogLevel level : {LogLevel::kDebug, LogLevel::kError, LogLevel::kNone}) {
    EXPECT_FALSE(log.Enabled(LogModule::kAcl, level));
    log.Write(LogModule::kAcl, level, "text");
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Log, AFileBesidesWhenAFolderIsGiven) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("belay_log_" + std::to_string(::getpid()));
  LogConfig config;
  config.directory = folder.string();
  {
    Log log(config);
    testing::internal::CaptureStderr();
    log.Write(LogModule::kAcl, LogLevel::kError, "text");
    EXPECT_NE(testing::internal::GetCapturedStderr(), "");
  }
  std::ifstream file(folder / "belay" / ("belay_" + std::to_string(::getpid()) + ".log"));
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(content, Prefix("ERROR", "ASCENDCL") + "text\n");
  std::filesystem::remove_all(folder);
}

TEST(Log, AFolderThatCannotBeWrittenIsPassedOver) {
  LogConfig config;
  config.directory = "/proc/no/such/folder";
  Log log(config);
  testing::internal::CaptureStderr();
  log.Write(LogModule::kAcl, LogLevel::kError, "text");
  EXPECT_NE(testing::internal::GetCapturedStderr(), "");
}

TEST(Log, LinesOfThreadsStayWhole) {
  Log log(LogConfig{});
  testing::internal::CaptureStderr();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&log] {
      for (int i = 0; i < 100; ++i) {
        log.Write(LogModule::kAcl, LogLevel::kError, std::string(300, 'x'));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::string text = testing::internal::GetCapturedStderr();
  const std::string line = Prefix("ERROR", "ASCENDCL") + std::string(300, 'x') + "\n";
  ASSERT_EQ(text.size(), 400 * line.size());
  for (std::size_t i = 0; i < 400; ++i) {
    EXPECT_EQ(text.substr(i * line.size(), line.size()), line);
  }
}

}  // namespace
}  // namespace belay::runtime
