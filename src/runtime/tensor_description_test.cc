#include "runtime/tensor_description.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace belay::runtime {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr Format kNchw{0};
constexpr Format kNhwc{1};
constexpr Format kHwcn{16};
constexpr Format kNdhwc{27};
constexpr Format kNz{29};
constexpr Format kNcdhw{30};
constexpr Format kNcl{47};

TensorDescription Described(DataType dtype, std::vector<std::int64_t> dims,
                            Format format = Format::kNd) {
  TensorDescription description;
  description.dtype = dtype;
  description.dims = std::move(dims);
  description.format = format;
  return description;
}

TEST(TensorDescription, BytesOfEveryType) {
  struct {
    DataType dtype;
    std::size_t of_1;
    std::size_t of_9;
  } const cases[] = {
      {DataType::kFloat, 4, 36},       {DataType::kFloat16, 2, 18},
      {DataType::kInt8, 1, 9},         {DataType::kInt32, 4, 36},
      {DataType::kUint8, 1, 9},        {DataType::kInt16, 2, 18},
      {DataType::kUint16, 2, 18},      {DataType::kUint32, 4, 36},
      {DataType::kInt64, 8, 72},       {DataType::kUint64, 8, 72},
      {DataType::kDouble, 8, 72},      {DataType::kBool, 1, 9},
      {DataType::kComplex64, 8, 72},   {DataType::kComplex128, 16, 144},
      {DataType::kBf16, 2, 18},        {DataType::kInt4, 1, 5},
      {DataType::kUint1, 1, 2},        {DataType::kComplex32, 4, 36},
      {DataType::kHifloat8, 1, 9},     {DataType::kFloat8E5m2, 1, 9},
      {DataType::kFloat8E4m3fn, 1, 9}, {DataType::kFloat8E8m0, 1, 9},
      {DataType::kFloat6E3m2, 1, 7},   {DataType::kFloat6E2m3, 1, 7},
      {DataType::kFloat4E2m1, 1, 5},   {DataType::kFloat4E1m2, 1, 5},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(*SizeInBytes(Described(c.dtype, {})), c.of_1) << Name(c.dtype);
    EXPECT_EQ(*SizeInBytes(Described(c.dtype, {3, 1, 3})), c.of_9) << Name(c.dtype);
    EXPECT_EQ(*SizeInBytes(Described(c.dtype, {5, 0, 7})), 0U) << Name(c.dtype);
    EXPECT_TRUE(CheckType(c.dtype).ok());
  }
  for (const DataType dtype : {DataType::kUndefined, DataType::kString}) {
    EXPECT_TRUE(CheckType(dtype).ok());
    const auto size = SizeInBytes(Described(dtype, {3}));
    ASSERT_FALSE(size);
    EXPECT_THAT(size.error().message(), HasSubstr(Name(dtype)));
  }
  for (const int number : {5, 14, 28, 42, -2}) {
    EXPECT_EQ(CheckType(static_cast<DataType>(number)).fault(), Fault::kInvalidParam);
  }
}

TEST(TensorDescription, SizesThatDoNotFit) {
  constexpr std::int64_t kHalf = std::int64_t{1} << 32;
  EXPECT_FALSE(ElementCount(Described(DataType::kInt8, {kHalf, kHalf})));
  EXPECT_FALSE(ElementCount(Described(DataType::kInt8, {INT64_MAX, 3})));
  EXPECT_EQ(*ElementCount(Described(DataType::kInt8, {INT64_MAX, 2})), ~std::size_t{0} - 1);
  EXPECT_EQ(*SizeInBytes(Described(DataType::kInt8, {INT64_MAX, 2})), ~std::size_t{0} - 1);
  EXPECT_FALSE(SizeInBytes(Described(DataType::kFloat16, {INT64_MAX, 2})));
  EXPECT_EQ(*SizeInBytes(Described(DataType::kUint1, {INT64_MAX, 2})), std::size_t{1} << 61);
  EXPECT_EQ(*SizeInBytes(Described(DataType::kFloat16, {INT64_MAX})), ~std::size_t{0} - 1);
  // Nothing of something too large is nothing.
  EXPECT_EQ(*ElementCount(Described(DataType::kInt8, {kHalf, kHalf, kHalf, 0})), 0U);
  const auto unknown = ElementCount(Described(DataType::kInt8, {0, -1}));
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message(), HasSubstr("[0, -1]"));
}

TEST(TensorDescription, Shapes) {
  const std::vector<std::int64_t> good[] = {{}, {0}, {1, -1, INT64_MAX}, {-2}};
  for (const auto& dims : good) EXPECT_TRUE(CheckDims(dims).ok());
  const std::vector<std::int64_t> bad[] = {{-3}, {INT64_MIN}, {4, -2}, {-2, -2}};
  for (const auto& dims : bad) EXPECT_EQ(CheckDims(dims).fault(), Fault::kInvalidParam);
  EXPECT_THAT(CheckDims(bad[2]).message(), HasSubstr("dims[1] is -2"));
}

TEST(TensorDescription, Ranges) {
  const std::vector<DimRange> good = {{0, 0}, {1, -1}, {2, INT64_MAX}};
  EXPECT_TRUE(CheckShapeRanges(good).ok());
  for (const DimRange bad : {DimRange{-1, 4}, DimRange{2, 1}, DimRange{0, -2}}) {
    EXPECT_FALSE(CheckShapeRanges(std::vector{good[0], bad}).ok());
  }
  EXPECT_TRUE(CheckValueRanges(std::vector{DimRange{-5, -4}, DimRange{3, -1}}).ok());
  EXPECT_FALSE(CheckValueRanges(std::vector{DimRange{-4, -5}}).ok());
}

TEST(TensorDescription, FormatsOfTheSameAxes) {
  const TensorDescription nchw = Described(DataType::kFloat, {2, 3, 5, 7}, kNchw);
  EXPECT_THAT(Transposed(nchw, kNhwc)->dims, ElementsAre(2, 5, 7, 3));
  EXPECT_THAT(Transposed(nchw, kHwcn)->dims, ElementsAre(5, 7, 3, 2));
  EXPECT_THAT(Transposed(nchw, kNchw)->dims, ElementsAre(2, 3, 5, 7));
  EXPECT_THAT(Transposed(nchw, Format::kNd)->dims, ElementsAre(2, 3, 5, 7));
  EXPECT_EQ(Transposed(nchw, kNhwc)->format, kNhwc);
  EXPECT_THAT(Transposed(Described(DataType::kFloat, {2, 3, 5, 7}), kNhwc)->dims,
              ElementsAre(2, 3, 5, 7));
  EXPECT_THAT(Transposed(Described(DataType::kInt8, {2, 3, 4, 5, 6}, kNcdhw), kNdhwc)->dims,
              ElementsAre(2, 4, 5, 6, 3));
  EXPECT_THAT(Transposed(Described(DataType::kInt8, {-2}, kNchw), kNhwc)->dims, ElementsAre(-2));
  EXPECT_THAT(Transposed(Described(DataType::kInt8, {9}, kNz), kNz)->dims, ElementsAre(9));
}

TEST(TensorDescription, ThereAndBackIsTheSame) {
  TensorDescription all = Described(DataType::kBf16, {2, -1, 5, -1}, kNchw);
  all.shape_ranges = {{2, 2}, {1, 9}, {5, 5}, {3, -1}};
  all.name = "x";
  for (const Format format : {kNhwc, kHwcn}) {
    const auto there = Transposed(all, format);
    ASSERT_TRUE(there);
    EXPECT_NE(there->dims, all.dims);
    const auto back = Transposed(*there, kNchw);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->dims, all.dims);
    EXPECT_EQ(back->shape_ranges, all.shape_ranges);
    EXPECT_EQ(back->name, "x");
  }
  EXPECT_THAT(Transposed(all, kNhwc)->shape_ranges,
              ElementsAre(DimRange{2, 2}, DimRange{5, 5}, DimRange{3, -1}, DimRange{1, 9}));
}

TEST(TensorDescription, StorageAndConstantStayBehind) {
  TensorDescription all = Described(DataType::kInt8, {1, 2, 3, 4}, kNchw);
  all.storage_format = kNz;
  all.storage_dims = {{24}};
  all.constant = std::make_shared<std::vector<std::byte>>(24);
  const auto there = Transposed(all, kNhwc);
  ASSERT_TRUE(there);
  EXPECT_FALSE(there->storage_format || there->storage_dims || there->constant);
}

TEST(TensorDescription, FormatsThatAreNotServed) {
  const TensorDescription nchw = Described(DataType::kFloat, {2, 3, 5, 7}, kNchw);
  for (const Format format : {kNz, kNdhwc, kNcl, Format::kUndefined, Format{3}}) {
    const auto refused = Transposed(nchw, format);
    ASSERT_FALSE(refused) << Name(format);
    EXPECT_EQ(refused.error().fault(), Fault::kInvalidParam);
    EXPECT_THAT(refused.error().message(), HasSubstr("dstFormat is " + Name(format)));
  }
  EXPECT_FALSE(Transposed(Described(DataType::kFloat, {2, 3}, kNz), Format::kNd));
  EXPECT_THAT(Transposed(Described(DataType::kFloat, {2, 3, 4}), kNchw).error().message(),
              HasSubstr("[2, 3, 4]; allowed 4 dimensions"));
  EXPECT_FALSE(Transposed(Described(DataType::kFloat, {2, 3, 4}, kNchw), kNhwc));
  EXPECT_FALSE(Transposed(Described(DataType::kFloat, {2, 3, 4}, kNchw), Format::kNd));
}

TEST(TensorDescription, LengthsOfConstants) {
  const TensorDescription floats = Described(DataType::kFloat, {3});
  EXPECT_TRUE(CheckConstantLength(floats, 12).ok());
  EXPECT_TRUE(CheckConstantLength(floats, 1).ok());
  EXPECT_FALSE(CheckConstantLength(floats, 13).ok());
  EXPECT_FALSE(CheckConstantLength(floats, 0).ok());
  EXPECT_TRUE(CheckConstantLength(Described(DataType::kInt4, {3}), 3).ok());
  EXPECT_FALSE(CheckConstantLength(Described(DataType::kInt4, {3}), 4).ok());
  const TensorDescription open = Described(DataType::kFloat, {-1});
  EXPECT_TRUE(CheckConstantLength(open, 1000).ok());
  EXPECT_FALSE(CheckConstantLength(open, ~std::size_t{0}).ok());
}

}  // namespace
}  // namespace belay::runtime
