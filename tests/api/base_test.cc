// Data types, half-precision numbers, and what the imitated chip says of itself.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "acl/acl.h"
#include "support/api_test_support.h"

namespace belay::test {
namespace {

TEST(DataType, SizeInBytes) {
  const std::pair<int, std::size_t> sizes[] = {
      {ACL_DT_UNDEFINED, 0}, {ACL_FLOAT, 4},       {ACL_FLOAT16, 2},       {ACL_INT8, 1},
      {ACL_INT32, 4},        {ACL_UINT8, 1},       {ACL_INT16, 2},         {ACL_UINT16, 2},
      {ACL_UINT32, 4},       {ACL_INT64, 8},       {ACL_UINT64, 8},        {ACL_DOUBLE, 8},
      {ACL_BOOL, 1},         {ACL_STRING, 0},      {ACL_COMPLEX64, 8},     {ACL_COMPLEX128, 16},
      {ACL_BF16, 2},         {ACL_INT4, 1},        {ACL_UINT1, 1},         {ACL_COMPLEX32, 4},
      {ACL_HIFLOAT8, 1},     {ACL_FLOAT8_E5M2, 1}, {ACL_FLOAT8_E4M3FN, 1}, {ACL_FLOAT8_E8M0, 1},
      {ACL_FLOAT6_E3M2, 8},  {ACL_FLOAT6_E2M3, 8}, {ACL_FLOAT4_E2M1, 8},   {ACL_FLOAT4_E1M2, 8},
  };
  for (const auto& [type, size] : sizes) {
    EXPECT_EQ(aclDataTypeSize(static_cast<aclDataType>(type)), size) << type;
  }
}

TEST(DataType, SizeOfUnknownTypesIsEight) {
  for (const int type : {-2, 5, 14, 15, 18, 26, 28, 31, 32, 42, 63}) {
    EXPECT_EQ(aclDataTypeSize(static_cast<aclDataType>(type)), 8U) << type;
  }
}

TEST(Float16, PublishedVectors) {
  const std::pair<aclFloat16, float> to_float[] = {
      {0x3C00, 1.0F},     {0x7BFF, 65504.0F},       {0x7C00, 65536.0F}, {0xFC00, -65536.0F},
      {0x7E00, 98304.0F}, {0x0001, 5.9604645e-08F}, {0x8000, -0.0F},
  };
  for (const auto& [half, value] : to_float) {
    EXPECT_EQ(std::bit_cast<std::uint32_t>(aclFloat16ToFloat(half)),
              std::bit_cast<std::uint32_t>(value))
        << half;
  }
  const float inf = std::numeric_limits<float>::infinity();
  const std::pair<float, aclFloat16> to_half[] = {
      {1.0F, 0x3C00},
      {65504.0F, 0x7BFF},
      {70000.0F, 0x7BFF},
      {-inf, 0xFBFF},
      {1e-10F, 0x0000},
      {-0.0F, 0x8000},
      {inf, 0x7BFF},
      {std::bit_cast<float>(0x7FC00000U), 0x7BFF},
      {std::bit_cast<float>(0xFFC00000U), 0xFBFF},
      {std::bit_cast<float>(0x7F800001U), 0x7BFF},
  };
  for (const auto& [value, half] : to_half) EXPECT_EQ(aclFloatToFloat16(value), half) << value;
}

// The value of a half whose highest exponent is an ordinary one.
float ValueOf(std::uint32_t half) {
  const int exponent = static_cast<int>(half >> 10 & 0x1F);
  const auto mantissa = static_cast<float>(half & 0x3FF);
  const float magnitude =
      exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024.0F + mantissa, exponent - 25);
  return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

TEST(Float16, EveryPatternHasItsValueAndComesBack) {
  for (std::uint32_t half = 0; half <= 0xFFFF; ++half) {
    const float value = aclFloat16ToFloat(static_cast<aclFloat16>(half));
    ASSERT_EQ(std::bit_cast<std::uint32_t>(value), std::bit_cast<std::uint32_t>(ValueOf(half)))
        << half;
    const bool too_large = (half & 0x7C00) == 0x7C00;
    ASSERT_EQ(aclFloatToFloat16(value), too_large ? (half & 0x8000) | 0x7BFF : half) << half;
  }
}

// Between every two neighbours: the middle goes to the even one, all else to the nearer one.
TEST(Float16, RoundsToNearestAndTiesToEven) {
  for (std::uint32_t low = 0; low < 0x7BFF; ++low) {
    const std::uint32_t high = low + 1;
    const float middle = (ValueOf(low) + ValueOf(high)) / 2;  // exact
    const std::uint32_t even = (low & 1) == 0 ? low : high;
    ASSERT_EQ(aclFloatToFloat16(middle), even) << low;
    ASSERT_EQ(aclFloatToFloat16(std::nextafter(middle, 0.0F)), low) << low;
    ASSERT_EQ(aclFloatToFloat16(std::nextafter(middle, 1e6F)), high) << low;
    ASSERT_EQ(aclFloatToFloat16(-middle), even | 0x8000) << low;
    ASSERT_EQ(aclFloatToFloat16(-std::nextafter(middle, 1e6F)), high | 0x8000) << low;
  }
}

TEST(Float16, SaturatesAtBothEndsAndKeepsTheSignOfZero) {
  for (const float value : {65519.996F, 65520.0F, 65535.0F, 65536.0F, 131008.0F, 131072.0F, 1e30F,
                            std::numeric_limits<float>::max()}) {
    EXPECT_EQ(aclFloatToFloat16(value), 0x7BFF) << value;
    EXPECT_EQ(aclFloatToFloat16(-value), 0xFBFF) << value;
  }
  const float half_of_smallest = std::ldexp(1.0F, -25);
  for (const float value : {half_of_smallest, std::nextafter(half_of_smallest, 0.0F), 1e-30F,
                            std::numeric_limits<float>::denorm_min()}) {
    EXPECT_EQ(aclFloatToFloat16(value), 0x0000) << value;
    EXPECT_EQ(aclFloatToFloat16(-value), 0x8000) << value;
  }
}

TEST(Platform, DefaultChipIsAscend910B4) {
  EXPECT_STREQ(aclrtGetSocName(), "Ascend910B4");
  EXPECT_EQ(aclrtGetSocName(), aclrtGetSocName()) << "static storage";
  int64_t value = 0;
  EXPECT_EQ(aclGetDeviceCapability(0, ACL_DEVICE_INFO_L2_SIZE, &value), ACL_SUCCESS);
  EXPECT_EQ(value, 100663296);
}

TEST(Platform, RefusedQueriesLeaveTheOutputAlone) {
  (void)TakeMessages();
  Output<int64_t> value;
  const auto info = ACL_DEVICE_INFO_AI_CORE_NUM;
  ExpectRefused(aclGetDeviceCapability(0, info, nullptr), ACL_ERROR_INVALID_PARAM,
                "aclGetDeviceCapability", "value is null");
  ExpectRefused(aclGetDeviceCapability(1, info, &value), ACL_ERROR_INVALID_PARAM,
                "aclGetDeviceCapability", "deviceId is 1;", "0 to 0");
  ExpectRefused(aclGetDeviceCapability(UINT32_MAX, info, &value), ACL_ERROR_INVALID_PARAM,
                "deviceId is 4294967295");
  for (const int unknown : {-1, 3}) {
    ExpectRefused(aclGetDeviceCapability(0, static_cast<aclDeviceInfo>(unknown), &value),
                  ACL_ERROR_INVALID_PARAM, "aclGetDeviceCapability",
                  "deviceInfo is " + std::to_string(unknown));
  }
  // With two faults the pointer comes first.
  ExpectRefused(aclGetDeviceCapability(9, ACL_DEVICE_INFO_UNDEFINED, nullptr),
                ACL_ERROR_INVALID_PARAM, "value is null");
  EXPECT_TRUE(value.Untouched());
}

TEST(Platform, WithoutVisibleDevicesEveryDeviceIdIsRefused) {
  ExpectChildPasses({{"ASCEND_RT_VISIBLE_DEVICES", ""}}, [] {
    Output<int64_t> value;
    ExpectRefused(aclGetDeviceCapability(0, ACL_DEVICE_INFO_AI_CORE_NUM, &value),
                  ACL_ERROR_INVALID_PARAM, "deviceId is 0; allowed none");
    EXPECT_TRUE(value.Untouched());
    EXPECT_STREQ(aclrtGetSocName(), "Ascend910B4");
  });
}

struct ChipRow {
  const char* asked;
  const char* name;
  int ai_cores;
  int vector_cores;
  int64_t l2_bytes;
};

const ChipRow kChips[] = {
    {"Ascend910A", "Ascend910A", 32, 0, 33554432},
    {"Ascend910ProB", "Ascend910ProB", 30, 0, 33554432},
    {"Ascend310P1", "Ascend310P1", 10, 8, 16777216},
    {"Ascend310P3", "Ascend310P3", 8, 7, 16777216},
    {"Ascend310B1", "Ascend310B1", 1, 1, 4194304},
    {"Ascend910B1", "Ascend910B1", 24, 48, 201326592},
    {"Ascend910B3", "Ascend910B3", 20, 40, 201326592},
    {"Ascend910B4", "Ascend910B4", 20, 40, 100663296},
    {"Ascend910B4-1", "Ascend910B4-1", 20, 40, 176160768},
    {"Ascend910_9362", "Ascend910_9362", 20, 40, 176160768},
    {"Ascend910_9382", "Ascend910_9382", 24, 48, 201326592},
    {"Ascend950PR_9599", "Ascend950PR_9599", 36, 72, 134217728},
    {"Ascend950PR_957c", "Ascend950PR_957c", 28, 56, 117440512},
    {"Ascend950PR_950z", "Ascend950PR_950z", 4, 8, 16777216},
    {"Ascend950DT_9572", "Ascend950DT_9572", 28, 56, 134217728},
    {"Ascend350_354f", "Ascend350_354f", 14, 28, 58720256},
    // Families stand for a member.
    {"Ascend910", "Ascend910A", 32, 0, 33554432},
    {"Ascend310P", "Ascend310P3", 8, 7, 16777216},
    {"Ascend310B", "Ascend310B1", 1, 1, 4194304},
    {"Ascend910B", "Ascend910B4", 20, 40, 100663296},
    {"Ascend910_93", "Ascend910_9382", 24, 48, 201326592},
    {"Ascend950", "Ascend950PR_9599", 36, 72, 134217728},
};

void ExpectChipOfTheEnvironment() {
  for (const ChipRow& row : kChips) {
    if (Variable("BELAY_SOC") != row.asked) continue;
    EXPECT_STREQ(aclrtGetSocName(), row.name);
    const std::pair<aclDeviceInfo, int64_t> figures[] = {
        {ACL_DEVICE_INFO_AI_CORE_NUM, row.ai_cores},
        {ACL_DEVICE_INFO_VECTOR_CORE_NUM, row.vector_cores},
        {ACL_DEVICE_INFO_L2_SIZE, row.l2_bytes}};
    for (const auto& [info, figure] : figures) {
      int64_t value = -1;
      EXPECT_EQ(aclGetDeviceCapability(0, info, &value), ACL_SUCCESS);
      EXPECT_EQ(value, figure) << info;
    }
    return;
  }
  FAIL() << "no such row";
}

TEST(Platform, EveryChipAnswersItsNameAndFigures) {
  for (const ChipRow& row : kChips) {
    ExpectChildPasses({{"BELAY_SOC", row.asked}}, ExpectChipOfTheEnvironment);
  }
}

}  // namespace
}  // namespace belay::test
