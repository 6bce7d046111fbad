// What all commands of `belay` do when standard output takes nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <string>
#include <vector>

#include "support/child_process.h"

namespace belay::test {
namespace {

namespace fs = std::filesystem;

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::chrono::seconds kPatience{60};
constexpr int kBadOutput = 3;

struct Case {
  const char* name;
  std::vector<std::string> arguments;
};

// As ctest names the case.
void PrintTo(const Case& each, std::ostream* out) { *out << each.name; }

// `program` with standard output redirected as the shell writes it.
ChildResult RunInto(const std::string& redirection, const std::string& program,
                    std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(),
                   {"/bin/sh", "-c", "exec \"$0\" \"$@\" " + redirection, program});
  ChildResult result = RunChild(arguments, {}, kPatience);
  EXPECT_FALSE(result.timed_out);
  return result;
}

// A tree that `belay env` takes for an installed one, gone with the test.
class Tree {
 public:
  Tree() {
    fs::create_directories(root_ / "bin");
    fs::create_directories(root_ / "lib");
    fs::copy_file(BELAY_PROGRAM, program(), fs::copy_options::overwrite_existing);
    const std::ofstream library(root_ / "lib/libascendcl.so");
  }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;
  ~Tree() { fs::remove_all(root_); }

  [[nodiscard]] std::string program() const { return root_ / "bin/belay"; }

 private:
  const fs::path root_ =
      fs::path(testing::TempDir()) / ("belay_output_" + std::to_string(::getpid()));
};

class Output : public testing::TestWithParam<Case> {};

TEST_P(Output, AFullDiskIsNoSuccess) {
  const Tree tree;
  const ChildResult fine = RunInto(">/dev/null", tree.program(), GetParam().arguments);
  EXPECT_EQ(fine.status, 0) << fine.output;
  EXPECT_EQ(fine.output, "");
  const ChildResult full = RunInto(">/dev/full", tree.program(), GetParam().arguments);
  EXPECT_EQ(full.status, kBadOutput);
  EXPECT_EQ(full.output, "belay: cannot write to standard output: No space left on device\n");
  const ChildResult closed = RunInto(">&-", tree.program(), GetParam().arguments);
  EXPECT_EQ(closed.status, kBadOutput);
  EXPECT_THAT(closed.output, AllOf(StartsWith("belay: cannot write to standard output: "),
                                   HasSubstr("Bad file descriptor")));
}

// More than a buffer holds, so that the write fails in the midst.
std::vector<std::string> ManyWords() {
  std::vector<std::string> arguments(2000, "0x0000400040000000");
  arguments.insert(arguments.begin(), {"decode", "--limit", "2000"});
  return arguments;
}

INSTANTIATE_TEST_SUITE_P(
    Commands, Output,
    testing::Values(Case{"help", {"--help"}}, Case{"version", {"--version"}},
                    Case{"helpOfACommand", {"decode", "--help"}}, Case{"info", {"info"}},
                    Case{"infoAsJson", {"info", "--json"}}, Case{"chips", {"info", "--chips"}},
                    Case{"chipsAsJson", {"info", "--chips", "--json"}}, Case{"env", {"env"}},
                    Case{"decode", {"decode", "0"}}, Case{"decodeALot", ManyWords()}),
    [](const auto& each) { return each.param.name; });

TEST(OutputOf, AVerdictIsLostWithIt) {
  EXPECT_EQ(RunInto(">/dev/null", BELAY_PROGRAM, {"decode", "-1"}).status, 1);
  EXPECT_EQ(RunInto(">/dev/full", BELAY_PROGRAM, {"decode", "-1"}).status, kBadOutput);
}

TEST(OutputOf, WhatPrintsNothingNeedsNoOutput) {
  const ChildResult bad = RunInto(">/dev/full", BELAY_PROGRAM, {"decode", "nothing"});
  EXPECT_EQ(bad.status, 2);
  EXPECT_THAT(bad.output, HasSubstr("is neither a word nor a file's name"));
}

}  // namespace
}  // namespace belay::test
