// Scalars of every type: which are numbers, which can be cast without a loss, and what they are in
// another type.
#include "ops/scalar_value.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <cstdint>
#include <cstring>
#include <limits>

namespace belay::ops {
namespace {

template <class T>
ScalarValue Scalar(DataType type, T value, T second = T{}) {
  ScalarValue scalar{type, {}};
  std::memcpy(scalar.bytes.data(), &value, sizeof(T));
  if (2 * sizeof(T) <= scalar.bytes.size()) {
    std::memcpy(scalar.bytes.data() + sizeof(T), &second, sizeof(T));
  }
  return scalar;
}

template <class T>
T Cast(DataType to, const ScalarValue& scalar) {
  const CastValue bytes = CastTo(to, scalar);
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  return value;
}

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(ScalarValue, NumbersAreWhatCanBeCast) {
  for (const DataType type :
       {DataType::kFloat, DataType::kFloat16, DataType::kBf16, DataType::kDouble, DataType::kInt8,
        DataType::kInt64, DataType::kUint16, DataType::kBool, DataType::kComplex64,
        DataType::kComplex128}) {
    EXPECT_TRUE(CheckNumber("alpha", ScalarValue{type, {}}).ok());
  }
  for (const DataType type : {DataType::kString, DataType::kUndefined, DataType::kInt4,
                              DataType::kHifloat8, DataType::kFloat8E5m2}) {
    const Status status = CheckNumber("alpha", ScalarValue{type, {}});
    EXPECT_EQ(status.fault(), Fault::kInvalidParam);
    EXPECT_NE(status.message().find("; allowed"), std::string::npos);
  }
}

TEST(ScalarValue, NoFractionAndNoImaginaryPartIsLost) {
  const auto castable = [](const ScalarValue& scalar, DataType to) {
    const Status status = CheckCastable("alpha", scalar, to);
    EXPECT_TRUE(status.ok() || status.fault() == Fault::kInvalidParam);
    return status.ok();
  };
  const ScalarValue half = Scalar(DataType::kDouble, 0.5);
  const ScalarValue two = Scalar(DataType::kFloat, 2.0F);
  const ScalarValue tiny = Scalar(DataType::kFloat, std::numeric_limits<float>::denorm_min());
  const ScalarValue complex = Scalar(DataType::kComplex64, 2.0F, 1.0F);
  const ScalarValue real = Scalar(DataType::kComplex128, 2.0, -0.0);
  const ScalarValue real_half = Scalar(DataType::kComplex128, 2.5, 0.0);
  const ScalarValue odd =
      Scalar(DataType::kComplex64, 2.0F, std::numeric_limits<float>::quiet_NaN());
  for (const DataType to :
       {DataType::kInt8, DataType::kInt32, DataType::kUint8, DataType::kInt64, DataType::kBool}) {
    EXPECT_FALSE(castable(half, to));
    EXPECT_FALSE(castable(tiny, to));
    EXPECT_FALSE(castable(complex, to));
    EXPECT_FALSE(castable(real_half, to));
    EXPECT_FALSE(castable(odd, to));
    EXPECT_TRUE(castable(two, to));
    EXPECT_TRUE(castable(real, to));
    // What is out of range has no fraction to lose.
    EXPECT_TRUE(castable(Scalar(DataType::kDouble, 1e300), to));
    EXPECT_TRUE(castable(Scalar(DataType::kDouble, kInfinity), to));
    EXPECT_TRUE(castable(Scalar(DataType::kDouble, kNan), to));
    EXPECT_TRUE(castable(Scalar(DataType::kInt64, std::numeric_limits<std::int64_t>::max()), to));
  }
  for (const DataType to :
       {DataType::kFloat16, DataType::kBf16, DataType::kFloat, DataType::kDouble}) {
    EXPECT_TRUE(castable(half, to));
    EXPECT_FALSE(castable(complex, to));
    EXPECT_TRUE(castable(real_half, to));
    EXPECT_TRUE(castable(Scalar(DataType::kDouble, 1e300), to));
  }
}

TEST(ScalarValue, CastsTruncateSaturateAndWrap) {
  EXPECT_EQ(Cast<std::int8_t>(DataType::kInt8, Scalar(DataType::kDouble, -2.9)), -2);
  EXPECT_EQ(Cast<std::uint8_t>(DataType::kUint8, Scalar(DataType::kFloat, -3.0F)), 0);
  EXPECT_EQ(Cast<std::int32_t>(DataType::kInt32, Scalar(DataType::kDouble, 1e10)), INT32_MAX);
  EXPECT_EQ(Cast<std::int64_t>(DataType::kInt64, Scalar(DataType::kDouble, kNan)), 0);
  EXPECT_EQ(Cast<std::int16_t>(DataType::kInt16, Scalar<std::int64_t>(DataType::kInt64, 65537)), 1);
  EXPECT_EQ(Cast<std::uint8_t>(DataType::kBool, Scalar<std::int64_t>(DataType::kInt64, 256)), 1);
  EXPECT_EQ(Cast<double>(DataType::kDouble, Scalar(DataType::kComplex64, 1.5F, 9.0F)), 1.5);
  EXPECT_EQ(Cast<float>(DataType::kFloat, Scalar<std::uint16_t>(DataType::kFloat16, 0x3E00)), 1.5F);
  EXPECT_EQ(Cast<float>(DataType::kFloat, Scalar<std::uint8_t>(DataType::kBool, 7)), 1.0F);
}

TEST(ScalarValue, TheCallersRoundingModeDoesNotMatter) {
  const ScalarValue third = Scalar(DataType::kDouble, 1.0 / 3);
  const ScalarValue large = Scalar<std::int64_t>(DataType::kInt64, (std::int64_t{1} << 60) + 1);
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    const auto third_cast = Cast<float>(DataType::kFloat, third);
    const auto large_cast = Cast<float>(DataType::kFloat, large);
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(third_cast, 1.0F / 3);
    EXPECT_EQ(large_cast, 0x1p60F);
  }
}

}  // namespace
}  // namespace belay::ops
