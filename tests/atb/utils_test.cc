// atb::Utils.
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "support/atb_test.h"

namespace belay::test {
namespace {

constexpr int64_t kMaxInt64 = std::numeric_limits<int64_t>::max();

TEST(AtbUtils, Version) { EXPECT_EQ(atb::Utils::GetAtbVersion(), "8.5.0"); }

TEST(AtbUtils, TensorNumel) {
  struct {
    Shape shape;
    uint64_t numel;
  } const cases[] = {{{}, 0},
                     {{1}, 1},
                     {{2, 3, 4}, 24},
                     {{2, 0, 4}, 0},
                     {{2, -3}, 0},
                     {Shape(8, 2), 256},
                     {Shape(9, 1), 0},
                     {{kMaxInt64, 2}, uint64_t{0} - 2},
                     {{kMaxInt64, 3}, 0}};
  for (const auto& c : cases) {
    const atb::TensorDesc desc = Desc(ACL_FLOAT, c.shape);
    EXPECT_EQ(atb::Utils::GetTensorNumel(desc), c.numel);
    EXPECT_EQ(atb::Utils::GetTensorNumel(Bare(desc)), c.numel);
  }
}

TEST(AtbUtils, TensorSize) {
  struct {
    int dtype;
    uint64_t item;
  } const cases[] = {{ACL_DT_UNDEFINED, 1},
                     {ACL_BOOL, 1},
                     {ACL_INT8, 1},
                     {ACL_UINT8, 1},
                     {ACL_FLOAT16, 2},
                     {ACL_BF16, 2},
                     {ACL_INT16, 2},
                     {ACL_UINT16, 2},
                     {ACL_FLOAT, 4},
                     {ACL_INT32, 4},
                     {ACL_UINT32, 4},
                     {ACL_INT64, 8},
                     {ACL_UINT64, 8},
                     {ACL_DOUBLE, 8},
                     {ACL_COMPLEX64, 8},
                     {ACL_COMPLEX128, 16},
                     {ACL_INT4, 0},
                     {ACL_UINT1, 0},
                     {ACL_COMPLEX32, 0},
                     {999, 0},
                     {-2, 0},
                     {ACL_STRING, sizeof(std::string)}};
  for (const auto& c : cases) {
    const auto dtype = static_cast<aclDataType>(c.dtype);
    const atb::TensorDesc desc = Desc(dtype, {2, 3});
    EXPECT_EQ(atb::Utils::GetTensorSize(desc), 6 * c.item) << c.dtype;
    atb::Tensor tensor = Bare(desc);
    tensor.dataSize = 12345;  // not looked at
    EXPECT_EQ(atb::Utils::GetTensorSize(tensor), 6 * c.item) << c.dtype;
    EXPECT_EQ(atb::Utils::GetTensorSize(Desc(dtype, {})), 0U);
    EXPECT_EQ(atb::Utils::GetTensorSize(Desc(dtype, {kMaxInt64, kMaxInt64})), 0U);
  }
  EXPECT_EQ(atb::Utils::GetTensorSize(Desc(ACL_INT64, {kMaxInt64})), 0U) << "it overflows";
}

TEST(AtbUtils, QuantParamConvert) {
  const float src[] = {1.0F, -2.0F, 1.1F};
  uint64_t dest[] = {7, 7, 7, 7};
  atb::Utils::QuantParamConvert(src, dest, 3);
  EXPECT_EQ((std::vector<uint64_t>(dest, dest + 4)),
            (std::vector<uint64_t>{0x3F800000, 0xC0000000, 0x3F8CCCCD, 7}));
  atb::Utils::QuantParamConvert(nullptr, dest, 3);
  atb::Utils::QuantParamConvert(src, nullptr, 3);
  atb::Utils::QuantParamConvert(src, dest + 3, 0);
  EXPECT_EQ(dest[0], 0x3F800000U);
  EXPECT_EQ(dest[3], 7U);
}

TEST(AtbUtils, SetLogLevel) {
  ExpectChildPasses({}, [] {
    const auto lines = [](const char* what) {
      testing::internal::CaptureStderr();
      EXPECT_EQ(atb::SetExecuteStreamId(nullptr, 1), atb::ERROR_INVALID_PARAM);
      const std::string text = testing::internal::GetCapturedStderr();
      return text.find(what) != std::string::npos;
    };
    EXPECT_TRUE(lines("operation is null"));
    for (const int bad : {-1, 5}) {
      ExpectRefused(atb::Utils::SetLogLevel(static_cast<atb::LogLevel>(bad)),
                    atb::ERROR_INVALID_PARAM, "atbLogLevel is " + std::to_string(bad));
    }
    EXPECT_EQ(atb::Utils::SetLogLevel(atb::LogLevel::NONE), atb::NO_ERROR);
    EXPECT_FALSE(lines("operation is null"));
    ExpectRefused(atb::SetExecuteStreamId(nullptr, 1), atb::ERROR_INVALID_PARAM, "is null");
    for (const auto level :
         {atb::LogLevel::DEBUG, atb::LogLevel::INFO, atb::LogLevel::WARN, atb::LogLevel::ERROR}) {
      EXPECT_EQ(atb::Utils::SetLogLevel(level), atb::NO_ERROR);
      EXPECT_TRUE(lines("operation is null"));
    }
  });
}

TEST(AtbUtils, ResetLogLevelReadsTheEnvironment) {
  struct {
    const char* global;
    const char* module;
    bool accepted, shown;
  } const cases[] = {{nullptr, nullptr, true, true}, {"4", nullptr, true, false},
                     {"4", "OP=3", true, true},      {"3", "GE=1:OP=4:OP=3", true, false},
                     {"4", "OP:OP=3", true, true},   {"5", nullptr, false, true},
                     {"3", "OP=x", false, true}};
  for (const auto& c : cases) {
    const auto set = [](const char* name, const char* value) {
      value == nullptr ? ::unsetenv(name) : ::setenv(name, value, 1);
    };
    EXPECT_EQ(atb::Utils::SetLogLevel(atb::LogLevel::ERROR), atb::NO_ERROR);
    set("ASCEND_GLOBAL_LOG_LEVEL", c.global);
    set("ASCEND_MODULE_LOG_LEVEL", c.module);
    testing::internal::CaptureStderr();
    EXPECT_EQ(atb::Utils::ResetLogLevel(), c.accepted ? atb::NO_ERROR : atb::ERROR_INVALID_PARAM);
    EXPECT_EQ(atb::SetExecuteStreamId(nullptr, 1), atb::ERROR_INVALID_PARAM);
    const std::string text = testing::internal::GetCapturedStderr();
    EXPECT_EQ(text.find("operation is null") != std::string::npos, c.shown) << text;
  }
}

}  // namespace
}  // namespace belay::test
