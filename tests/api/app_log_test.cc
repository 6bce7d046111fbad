// The program's own log lines, and where the log variables send them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "support/api_test_support.h"
#include "support/threads.h"

namespace belay::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

// The lines of the library in an output, without those of the test framework.
std::vector<std::string> LogLines(const std::string& text) {
  static const std::regex kLine(R"(\[(DEBUG|INFO|WARNING|ERROR)\] [A-Z]+\(\d+\): .*)");
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (std::regex_match(line, kLine)) lines.push_back(line);
  }
  return lines;
}

void LogAtEveryLevel() {
  aclAppLog(ACL_DEBUG, "Run", "program.cc", 1, "level %d", 0);
  aclAppLog(ACL_INFO, "Run", "program.cc", 2, "level %d", 1);
  aclAppLog(ACL_WARNING, "Run", "program.cc", 3, "level %d", 2);
  aclAppLog(ACL_ERROR, "Run", "program.cc", 4, "level %d", 3);
}

TEST(AppLog, TheGlobalLevelFilters) {
  const std::pair<const char*, std::size_t> kept[] = {{"0", 4}, {"1", 3}, {"2", 2}, {"3", 1},
                                                      {"4", 0}, {"x", 1}, {"", 1},  {"5", 1}};
  for (const auto& [level, count] : kept) {
    const BodyResult child =
        ExpectChildPasses({{"ASCEND_GLOBAL_LOG_LEVEL", level}}, LogAtEveryLevel);
    EXPECT_THAT(LogLines(child.err), SizeIs(count)) << level << "\n" << child.err;
    EXPECT_THAT(LogLines(child.out), IsEmpty()) << level;
  }
}

TEST(AppLog, ByDefaultOnlyErrorsReachStderr) {
  const BodyResult child = ExpectChildPasses({}, LogAtEveryLevel);
  const std::vector<std::string> lines = LogLines(child.err);
  ASSERT_THAT(lines, SizeIs(1));
  // Level, module, process; then thread, function, file, line and the message.
  const std::string pid = std::to_string(child.pid);
  EXPECT_EQ(lines[0], "[ERROR] APP(" + pid + "): " + pid + " Run: program.cc:4: \"level 3\"");
}

TEST(AppLog, LevelNames) {
  const BodyResult child = ExpectChildPasses({{"ASCEND_GLOBAL_LOG_LEVEL", "0"}}, LogAtEveryLevel);
  EXPECT_THAT(LogLines(child.err),
              ElementsAre(HasSubstr("[DEBUG] APP("), HasSubstr("[INFO] APP("),
                          HasSubstr("[WARNING] APP("), HasSubstr("[ERROR] APP(")));
}

TEST(AppLog, ModuleLevelsConcernTheLibraryNotTheProgram) {
  const auto body = [] {
    LogAtEveryLevel();
    EXPECT_EQ(aclrtFree(nullptr), ACL_ERROR_INVALID_PARAM);
    EXPECT_THAT(TakeMessages(), HasSubstr("aclrtFree")) << "the queue does not depend on the log";
  };
  const BodyResult silent =
      ExpectChildPasses({{"ASCEND_MODULE_LOG_LEVEL", "ASCENDCL=4:OP=4"}}, body);
  EXPECT_THAT(LogLines(silent.err), ElementsAre(HasSubstr("level 3")));
  const BodyResult loud = ExpectChildPasses(
      {{"ASCEND_MODULE_LOG_LEVEL", "ASCENDCL=3"}, {"ASCEND_GLOBAL_LOG_LEVEL", "4"}}, body);
  EXPECT_THAT(LogLines(loud.err), ElementsAre(HasSubstr("[ERROR] ASCENDCL(")));
  EXPECT_THAT(loud.err, HasSubstr("aclrtFree: devPtr is null"));
}

TEST(AppLog, StdoutWhenAskedFor) {
  const BodyResult child =
      ExpectChildPasses({{"ASCEND_SLOG_PRINT_TO_STDOUT", "1"}}, LogAtEveryLevel);
  EXPECT_THAT(LogLines(child.out), ElementsAre(HasSubstr("level 3")));
  EXPECT_THAT(LogLines(child.err), IsEmpty());
  const BodyResult other =
      ExpectChildPasses({{"ASCEND_SLOG_PRINT_TO_STDOUT", "0"}}, LogAtEveryLevel);
  EXPECT_THAT(LogLines(other.err), SizeIs(1));
}

TEST(AppLog, FileOnlyWhenAFolderIsNamed) {
  const Folder folder;
  const BodyResult child = ExpectChildPasses(
      {{"ASCEND_PROCESS_LOG_PATH", folder.path().string()}, {"ASCEND_GLOBAL_LOG_LEVEL", "1"}},
      LogAtEveryLevel);
  std::vector<std::string> logged;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path())) {
    if (!entry.is_regular_file()) continue;
    EXPECT_THAT(entry.path().filename().string(), HasSubstr(std::to_string(child.pid)));
    std::ifstream file(entry.path());
    std::stringstream text;
    text << file.rdbuf();
    for (const std::string& line : LogLines(text.str())) logged.push_back(line);
  }
  EXPECT_THAT(logged, SizeIs(3));
  EXPECT_EQ(LogLines(child.err), logged) << "stderr keeps its lines";
}

TEST(AppLog, AFolderThatCannotBeWrittenChangesNothing) {
  const Folder folder;
  const std::string file = folder.Write("file", "");
  const BodyResult child =
      ExpectChildPasses({{"ASCEND_PROCESS_LOG_PATH", file + "/below"}}, LogAtEveryLevel);
  EXPECT_THAT(LogLines(child.err), ElementsAre(HasSubstr("level 3")));
}

TEST(AppLog, LongTextIsCutAndMarked) {
  const BodyResult child = ExpectChildPasses({}, [] {
    for (const std::size_t length : {1022, 1023, 1024, 1025, 100000}) {
      aclAppLog(ACL_ERROR, "Run", "program.cc", 1, "%s", std::string(length, 'x').c_str());
    }
  });
  const std::vector<std::string> lines = LogLines(child.err);
  ASSERT_THAT(lines, SizeIs(5));
  const std::string cut = ": \"" + std::string(1023 - 14, 'x') + "...[truncated]\"";
  const std::string whole[] = {": \"" + std::string(1022, 'x') + "\"",
                               ": \"" + std::string(1023, 'x') + "\"", cut, cut, cut};
  for (std::size_t i = 0; i < lines.size(); ++i) EXPECT_TRUE(lines[i].ends_with(whole[i])) << i;
}

TEST(AppLog, NullsAndUnknownLevelsAreIgnored) {
  const BodyResult child = ExpectChildPasses({{"ASCEND_GLOBAL_LOG_LEVEL", "0"}}, [] {
    const char* const none = nullptr;
    aclAppLog(ACL_ERROR, none, "file", 1, "text");
    aclAppLog(ACL_ERROR, "func", none, 1, "text");
    aclAppLog(ACL_ERROR, "func", "file", 1, none);
    for (const int level : {-1, 4, 100}) {
      aclAppLog(static_cast<aclLogLevel>(level), "func", "file", 1, "text");
    }
    EXPECT_EQ(aclGetRecentErrMsg(), nullptr);
  });
  EXPECT_THAT(LogLines(child.err), IsEmpty());
}

TEST(AppLog, MacroNamesItsPlaceAndTheQueueStaysEmpty) {
  const BodyResult child = ExpectChildPasses({}, [] {
    ACL_APP_LOG(ACL_ERROR, "sum of %d and %s", 3, "four");
    ACL_APP_LOG(ACL_ERROR, "plain");
    EXPECT_EQ(aclGetRecentErrMsg(), nullptr);
    EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  });
  EXPECT_THAT(LogLines(child.err),
              ElementsAre(HasSubstr("\"sum of 3 and four\""), HasSubstr("\"plain\"")));
  EXPECT_THAT(child.err, HasSubstr("app_log_test.cc:"));
}

TEST(AppLog, AMessageIsOneLineWhateverItHolds) {
  const BodyResult child = ExpectChildPasses(
      {}, [] { aclAppLog(ACL_ERROR, "Run", "program.cc", 1, "first\nsecond %s", "{} %n %s"); });
  const std::vector<std::string> lines = LogLines(child.err);
  ASSERT_THAT(lines, SizeIs(1));
  EXPECT_THAT(lines[0], HasSubstr("first; second {} %n %s"));
}

TEST(AppLog, LinesOfThreadsDoNotMix) {
  const BodyResult child = ExpectChildPasses({}, [] {
    RunTogether(8, [](std::size_t thread) {
      const std::string text(200, static_cast<char>('a' + thread));
      for (int i = 0; i < 50; ++i) {
        aclAppLog(ACL_ERROR, "Run", "program.cc", 1, "%s", text.c_str());
      }
    });
  });
  const std::vector<std::string> lines = LogLines(child.err);
  EXPECT_THAT(lines, SizeIs(400));
  for (const std::string& line : lines) {
    const std::string text = line.substr(line.find('"') + 1, 200);
    EXPECT_EQ(std::ranges::count(text, text[0]), 200) << line;
  }
}

TEST(AppLog, EachRefusalIsOneLineOnStderr) {
  const BodyResult child = ExpectChildPasses({}, [] {
    EXPECT_EQ(aclrtFree(nullptr), ACL_ERROR_INVALID_PARAM);
    EXPECT_EQ(aclrtSetDevice(-1), ACL_ERROR_RT_INVALID_DEVICEID);
  });
  EXPECT_THAT(LogLines(child.err), ElementsAre(HasSubstr("aclrtFree: devPtr is null"),
                                               HasSubstr("aclrtSetDevice: deviceId is -1")));
  EXPECT_THAT(child.err, Not(HasSubstr("program")));
}

}  // namespace
}  // namespace belay::test
