#include "runtime/init_file.h"

#include <gtest/gtest.h>

#include <string>

namespace belay::runtime {
namespace {

Fault FaultOf(const std::string& text, std::int32_t devices = 4) {
  const auto file = ParseInitFile(text, devices);
  return file ? Fault::kNone : file.error().fault();
}

std::string Nested(int depth) {
  std::string text;
  for (int i = 0; i < depth; ++i) text += R"({"a":)";
  text += "1";
  return text + std::string(static_cast<std::size_t>(depth), '}');
}

TEST(InitFile, BlankTextSetsNothing) {
  for (const char* text : {"", " \n\t\r ", "{}"}) {
    const auto file = ParseInitFile(text, 1);
    ASSERT_TRUE(file) << text;
    EXPECT_EQ(file->default_device, -1);
    EXPECT_FALSE(file->process_messages);
  }
}

TEST(InitFile, ReadsItsSettingsWhereverTheyStand) {
  const auto file = ParseInitFile(
      R"({"dump": {"err_msg_mode": 5, "defaultDevice": {"default_device": 9}, "list": [1.5, null]},
          "defaultDevice": {"x": [{"default_device": 8}], "default_device": "3"},
          "err_msg_mode": 1, "max_opqueue_num": true})",
      4);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->default_device, 3);
  EXPECT_TRUE(file->process_messages);
}

TEST(InitFile, OfASettingGivenTwiceTheLastCounts) {
  EXPECT_EQ(FaultOf(R"({"err_msg_mode": 7, "err_msg_mode": 0})"), Fault::kNone);
  EXPECT_EQ(FaultOf(R"({"err_msg_mode": 0, "err_msg_mode": {}})"), Fault::kInvalidParam);
  EXPECT_EQ(FaultOf(R"({"defaultDevice": {"default_device": 1}, "defaultDevice": {}})"),
            Fault::kConfigUnparsable);
  EXPECT_EQ(FaultOf(R"({"defaultDevice": {"default_device": 1}, "defaultDevice": 2})"),
            Fault::kConfigUnparsable);
}

TEST(InitFile, RefusesBadSettings) {
  for (const char* mode :
       {"2", "-1", "\"\"", "\"1x\"", "null", "true", "1.0", "[]", "{}", "18446744073709551615"}) {
    EXPECT_EQ(FaultOf(std::string(R"({"err_msg_mode": )") + mode + "}"), Fault::kInvalidParam)
        << mode;
  }
  for (const char* device :
       {"4", "-1", "\"4\"", "\"\"", "null", "0.0", "[0]", "{}", "18446744073709551615"}) {
    EXPECT_EQ(FaultOf(std::string(R"({"defaultDevice": {"default_device": )") + device + "}}"),
              Fault::kConfigUnparsable)
        << device;
  }
  for (const char* section : {"0", "\"0\"", "[]", "[0]", "null", "{}"}) {
    EXPECT_EQ(FaultOf(std::string(R"({"defaultDevice": )") + section + "}"),
              Fault::kConfigUnparsable)
        << section;
  }
}

TEST(InitFile, RefusesWhatIsNoJsonObject) {
  for (const char* text : {"{", "}", "[]", "1", "\"x\"", "null", "{} {}", "{\"a\": 1e999}",
                           "{'a': 1}", "{\"a\": \"\xFF\"}", "// x\n{}"}) {
    EXPECT_EQ(FaultOf(text), Fault::kConfigUnparsable) << text;
  }
  EXPECT_EQ(FaultOf(std::string(1 << 20, '[')), Fault::kConfigUnparsable);
}

TEST(InitFile, NestsAtMostTenDeep) {
  EXPECT_EQ(FaultOf(Nested(10)), Fault::kNone);
  EXPECT_EQ(FaultOf(Nested(11)), Fault::kConfigUnparsable);
}

TEST(InitFile, WhatCannotBeReadIsNoFile) {
  for (const char* path : {"/no/such/file", "/proc/self", "/", "/dev/zero"}) {
    const auto text = ReadInitFile(path);
    ASSERT_FALSE(text) << path;
    EXPECT_EQ(text.error().fault(), Fault::kInvalidFile);
  }
  const auto empty = ReadInitFile("/dev/null");
  ASSERT_TRUE(empty);
  EXPECT_EQ(*empty, "");
}

}  // namespace
}  // namespace belay::runtime
