// What the environment may say, and that a bad BELAY_ variable is told at the first call.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "acl/acl.h"
#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_trans_quant_param.h"
#include "support/api_test_support.h"
#include "support/threads.h"

namespace belay::test {
namespace {

using testing::HasSubstr;

struct BadValue {
  const char* variable;
  std::string value;
  std::string text;  // what the message must say besides variable and value
};

const std::string kSocs =
    "a family (Ascend910, Ascend310P, Ascend310B, Ascend910B, Ascend910_93, "
    "Ascend950) or an exact SoC name";

const BadValue kBadValues[] = {
    {"BELAY_BEHAVIOR", "", "allowed documented or released"},
    {"BELAY_BEHAVIOR", "Released", "allowed documented or released"},
    {"BELAY_BEHAVIOR", "documented ", "allowed documented or released"},
    {"BELAY_SOC", "", kSocs},
    {"BELAY_SOC", "Ascend", kSocs},
    {"BELAY_SOC", "ascend910b4", "did you mean Ascend910B4?"},
    {"BELAY_SOC", "Ascend910B5", "did you mean "},
    {"BELAY_SOC", "Ascend910b", "did you mean Ascend910B?"},
    {"BELAY_SOC", "Ascend350", kSocs},
    {"BELAY_NUM_DEVICES", "", "allowed 1 to 16"},
    {"BELAY_NUM_DEVICES", "0", "allowed 1 to 16"},
    {"BELAY_NUM_DEVICES", "17", "allowed 1 to 16"},
    {"BELAY_NUM_DEVICES", "-1", "allowed 1 to 16"},
    {"BELAY_NUM_DEVICES", "2.0", "allowed 1 to 16"},
    {"BELAY_NUM_DEVICES", " 2", "allowed 1 to 16"},
    {"BELAY_NUM_DEVICES", "99999999999999999999", "allowed 1 to 16"},
    {"BELAY_NUM_THREADS", "0", "allowed 1 to 1024"},
    {"BELAY_NUM_THREADS", "1025", "allowed 1 to 1024"},
    {"BELAY_NUM_THREADS", "all", "allowed 1 to 1024"},
    {"BELAY_LAUNCH_BLOCKING", "", "allowed 0 or 1"},
    {"BELAY_LAUNCH_BLOCKING", "2", "allowed 0 or 1"},
    {"BELAY_LAUNCH_BLOCKING", "true", "allowed 0 or 1"},
};

// The last refusal names all that TEST_ variables say.
void ExpectTold(const std::string& function) {
  const std::string messages = TakeMessages();
  for (const std::string& text :
       {function, Variable("TEST_NAME") + " is \"" + Variable("TEST_VALUE") + "\"; allowed ",
        Variable("TEST_TEXT")}) {
    EXPECT_THAT(messages, HasSubstr(text));
  }
}

Environment EnvironmentOf(const BadValue& bad) {
  return {{bad.variable, bad.value},
          {"TEST_NAME", bad.variable},
          {"TEST_VALUE", bad.value},
          {"TEST_TEXT", bad.text}};
}

void FirstCallOfAcl() {
  Output<uint32_t> count;
  EXPECT_EQ(aclrtGetDeviceCount(&count), ACL_ERROR_INVALID_PARAM);
  ExpectTold("aclrtGetDeviceCount: ");
  EXPECT_TRUE(count.Untouched());
}

void FirstCallOfAclnn() {
  const float scale = 1.0F;
  Output<uint64_t*> packed;
  Output<uint64_t> size;
  EXPECT_EQ(aclnnTransQuantParam(&scale, 1, nullptr, 0, &packed, &size), 161002);
  ExpectTold("aclnnTransQuantParam: ");
  EXPECT_TRUE(packed.Untouched() && size.Untouched());
}

TEST(Environment, BadValuesFailTheFirstCallOfEachFace) {
  for (const BadValue& bad : kBadValues) {
    const BodyResult acl = ExpectChildPasses(EnvironmentOf(bad), FirstCallOfAcl);
    EXPECT_THAT(acl.err, HasSubstr(bad.variable)) << "the log tells it too";
    ExpectChildPasses(EnvironmentOf(bad), FirstCallOfAclnn);
  }
}

TEST(Environment, EveryCallIsRefusedAndNoneBreaks) {
  ExpectChildPasses(EnvironmentOf({"BELAY_NUM_DEVICES", "many", "1 to 16"}), [] {
    EXPECT_EQ(aclInit(nullptr), ACL_ERROR_INVALID_PARAM);
    ExpectTold("aclInit: ");
    EXPECT_EQ(aclrtSetDevice(0), ACL_ERROR_INVALID_PARAM);
    ExpectTold("aclrtSetDevice: ");
    EXPECT_EQ(aclrtGetSocName(), nullptr);
    ExpectTold("aclrtGetSocName: ");
    EXPECT_EQ(aclCreateDataBuffer(nullptr, 0), nullptr);
    ExpectTold("aclCreateDataBuffer: ");
    EXPECT_EQ(aclrtFree(nullptr), ACL_ERROR_INVALID_PARAM);
    ExpectTold("aclrtFree: ");
    EXPECT_EQ(aclnnInit(nullptr), 161002);
    ExpectTold("aclnnInit: ");
    FirstCallOfAclnn();
    OnFreshThread([] {
      EXPECT_EQ(aclrtMalloc(nullptr, 0, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_INVALID_PARAM);
      ExpectTold("aclrtMalloc: ");
    });
    aclAppLog(ACL_ERROR, "Run", "program.cc", 1, "text");
    EXPECT_EQ(aclDataTypeSize(ACL_FLOAT), 4U);
    EXPECT_EQ(aclFloatToFloat16(1.0F), 0x3C00);
    EXPECT_EQ(aclFinalize(), ACL_ERROR_INVALID_PARAM);
    ExpectTold("aclFinalize: ");
    EXPECT_EQ(aclGetRecentErrMsg(), nullptr);
  });
}

TEST(Environment, LongAndOddValuesStayOneReadableLine) {
  const BodyResult child =
      ExpectChildPasses({{"BELAY_SOC", "line\nbreak\t" + std::string(1000, 'a')}}, [] {
        EXPECT_EQ(aclrtSetDevice(0), ACL_ERROR_INVALID_PARAM);
        const std::string messages = TakeMessages();
        EXPECT_THAT(messages, HasSubstr("BELAY_SOC is \"line?break?aaa"));
        EXPECT_EQ(messages.find('\n'), std::string::npos);
        EXPECT_LT(messages.size(), 600U);
      });
  EXPECT_THAT(child.err, HasSubstr("BELAY_SOC"));
}

void ExpectAllWell() {
  EXPECT_EQ(aclInit(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  const Block block(SomeBytes(100));
  EXPECT_EQ(block.Read(100), SomeBytes(100));
  EXPECT_EQ(aclnnInit(nullptr), 0);
  EXPECT_EQ(aclnnFinalize(), 0);
  EXPECT_EQ(TakeMessages(), "");
}

TEST(Environment, GoodValuesWork) {
  const Environment rows[] = {
      {},
      {{"BELAY_BEHAVIOR", "documented"}},
      {{"BELAY_BEHAVIOR", "released"}},
      {{"BELAY_SOC", "Ascend910_9382"}},
      {{"BELAY_SOC", "Kirin9030"}},
      {{"BELAY_NUM_DEVICES", "1"}},
      {{"BELAY_NUM_DEVICES", "16"}},
      {{"BELAY_NUM_THREADS", "1"}},
      {{"BELAY_NUM_THREADS", "1024"}},
      {{"BELAY_LAUNCH_BLOCKING", "0"}},
      {{"BELAY_LAUNCH_BLOCKING", "1"}},
      // The vendor's variables never fail a call.
      {{"ASCEND_GLOBAL_LOG_LEVEL", "loud"},
       {"ASCEND_MODULE_LOG_LEVEL", "=:==:OP=:X"},
       {"ASCEND_SLOG_PRINT_TO_STDOUT", "yes"}},
  };
  for (const Environment& row : rows) ExpectChildPasses(row, ExpectAllWell);
}

TEST(Environment, FamiliesStandForAMember) {
  const std::pair<const char*, const char*> families[] = {
      {"Ascend910", "Ascend910A"},        {"Ascend310P", "Ascend310P3"},
      {"Ascend310B", "Ascend310B1"},      {"Ascend910B", "Ascend910B4"},
      {"Ascend910_93", "Ascend910_9382"}, {"Ascend950", "Ascend950PR_9599"}};
  for (const auto& [family, member] : families) {
    ExpectChildPasses({{"BELAY_SOC", family}, {"TEST_MEMBER", member}},
                      [] { EXPECT_EQ(aclrtGetSocName(), Variable("TEST_MEMBER")); });
  }
}

TEST(Environment, IsReadOnceAtTheFirstCall) {
  ExpectChildPasses({{"BELAY_NUM_DEVICES", "3"}}, [] {
    ::setenv("BELAY_NUM_DEVICES", "5", 1);  // before the first call: it counts
    uint32_t count = 0;
    EXPECT_EQ(aclrtGetDeviceCount(&count), ACL_SUCCESS);
    EXPECT_EQ(count, 5U);
    ::setenv("BELAY_NUM_DEVICES", "bad", 1);
    EXPECT_EQ(aclrtGetDeviceCount(&count), ACL_SUCCESS);
    EXPECT_EQ(count, 5U);
  });
}

TEST(Environment, LaunchBlockingRunsWorkAtItsLaunch) {
  ExpectChildPasses({{"BELAY_LAUNCH_BLOCKING", "1"}}, [] {
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    const Block block(Bytes(64, 1));
    void* memory = nullptr;
    ASSERT_EQ(aclrtMallocHost(&memory, 64), ACL_SUCCESS);
    ASSERT_EQ(aclrtMemcpyAsync(memory, 64, block.get(), 64, ACL_MEMCPY_DEVICE_TO_HOST, nullptr),
              ACL_SUCCESS);
    EXPECT_EQ(static_cast<const char*>(memory)[63], 1);
    EXPECT_EQ(aclrtFreeHost(memory), ACL_SUCCESS);
  });
}

}  // namespace
}  // namespace belay::test
