// Tensor descriptions.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "support/api_test_support.h"

// aclGetTensorDescDim, aclSetTensorStorageFormat and aclSetTensorStorageShape have to work.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace belay::test {
namespace {

/// A description that is destroyed with the test.
class OwnDesc {
 public:
  explicit OwnDesc(const std::vector<int64_t>& dims, aclDataType dtype = ACL_FLOAT,
                   aclFormat format = ACL_FORMAT_ND)
      : desc_(aclCreateTensorDesc(dtype, static_cast<int>(dims.size()), dims.data(), format)) {
    EXPECT_NE(desc_, nullptr) << TakeMessages();
  }
  explicit OwnDesc(aclTensorDesc* desc) : desc_(desc) { EXPECT_NE(desc, nullptr); }
  OwnDesc(const OwnDesc&) = delete;
  OwnDesc& operator=(const OwnDesc&) = delete;
  ~OwnDesc() { aclDestroyTensorDesc(desc_); }

  operator aclTensorDesc*() const { return desc_; }  // NOLINT: as the API takes it

 private:
  aclTensorDesc* desc_;
};

// Any number, as C programs can pass it.
aclDataType TypeOf(int number) { return static_cast<aclDataType>(number); }
aclFormat FormatOf(int number) { return static_cast<aclFormat>(number); }

std::vector<int64_t> DimsOf(const aclTensorDesc* desc) {
  std::vector<int64_t> dims(aclGetTensorDescNumDims(desc));
  for (std::size_t i = 0; i < dims.size(); ++i) {
    EXPECT_EQ(aclGetTensorDescDimV2(desc, i, &dims[i]), ACL_SUCCESS);
    EXPECT_EQ(aclGetTensorDescDim(desc, i), dims[i]);
  }
  return dims;
}

class TensorDescTest : public testing::Test {
 protected:
  void SetUp() override { (void)TakeMessages(); }
  // A getter answered with its value for refusals, and said why.
  template <class... Texts>
  static void ExpectSaid(const Texts&... texts) {
    EXPECT_THAT(TakeMessages(), testing::AllOf(testing::HasSubstr(texts)...));
  }
};

TEST_F(TensorDescTest, SaysWhatItWasCreatedWith) {
  const OwnDesc desc({2, 3, 4}, ACL_FLOAT16, ACL_FORMAT_NCL);
  EXPECT_EQ(aclGetTensorDescType(desc), ACL_FLOAT16);
  EXPECT_EQ(aclGetTensorDescFormat(desc), ACL_FORMAT_NCL);
  EXPECT_EQ(DimsOf(desc), (std::vector<int64_t>{2, 3, 4}));
  EXPECT_EQ(aclGetTensorDescElementCount(desc), 24U);
  EXPECT_EQ(aclGetTensorDescSize(desc), 48U);
  EXPECT_STREQ(aclGetTensorDescName(desc), "");
  EXPECT_EQ(aclGetTensorDescAddress(desc), nullptr);
  EXPECT_EQ(TakeMessages(), "");
}

TEST_F(TensorDescTest, ScalarsAndUnknownShapes) {
  const OwnDesc scalar(aclCreateTensorDesc(ACL_INT4, 0, nullptr, ACL_FORMAT_ND));
  EXPECT_EQ(aclGetTensorDescNumDims(scalar), 0U);
  EXPECT_EQ(aclGetTensorDescElementCount(scalar), 1U);
  EXPECT_EQ(aclGetTensorDescSize(scalar), 1U);
  const OwnDesc placeholder(
      aclCreateTensorDesc(ACL_DT_UNDEFINED, 0, nullptr, ACL_FORMAT_UNDEFINED));
  EXPECT_EQ(aclGetTensorDescType(placeholder), ACL_DT_UNDEFINED);
  const OwnDesc dynamic({2, -1});
  EXPECT_EQ(DimsOf(dynamic), (std::vector<int64_t>{2, -1}));
  EXPECT_EQ(TakeMessages(), "");
  EXPECT_EQ(aclGetTensorDescElementCount(dynamic), 0U);
  ExpectSaid("aclGetTensorDescElementCount: the shape is [2, -1]");
  EXPECT_EQ(aclGetTensorDescSize(dynamic), 0U);
  ExpectSaid("aclGetTensorDescSize: the shape is [2, -1]");
  const OwnDesc unknown({-2});
  EXPECT_EQ(aclGetTensorDescNumDims(unknown), ACL_UNKNOWN_RANK);
  EXPECT_EQ(aclGetTensorDescSize(unknown), 0U);
  EXPECT_EQ(aclGetTensorDescSize(placeholder), 0U);
  ExpectSaid("undefined");
}

TEST_F(TensorDescTest, SizesThatDoNotFit) {
  const OwnDesc desc({INT64_MAX, INT64_MAX});
  EXPECT_EQ(aclGetTensorDescElementCount(desc), 0U);
  ExpectSaid("allowed up to 2^64 - 1 elements");
  EXPECT_EQ(aclGetTensorDescSize(desc), 0U);
  const OwnDesc wide({INT64_MAX}, ACL_DOUBLE);
  EXPECT_EQ(aclGetTensorDescElementCount(wide), static_cast<std::size_t>(INT64_MAX));
  EXPECT_EQ(aclGetTensorDescSize(wide), 0U);
  ExpectSaid("allowed up to 2^64 - 1 bytes");
}

TEST_F(TensorDescTest, WhatCannotBeCreated) {
  const int64_t dims[] = {2, 3};
  const int64_t negative[] = {2, -3};
  EXPECT_EQ(aclCreateTensorDesc(ACL_FLOAT, -1, dims, ACL_FORMAT_ND), nullptr);
  ExpectSaid("aclCreateTensorDesc: numDims is -1");
  EXPECT_EQ(aclCreateTensorDesc(ACL_FLOAT, 129, dims, ACL_FORMAT_ND), nullptr);
  ExpectSaid("numDims is 129; allowed 0 to 128");
  EXPECT_EQ(aclCreateTensorDesc(ACL_FLOAT, 2, nullptr, ACL_FORMAT_ND), nullptr);
  ExpectSaid("dims is null");
  EXPECT_EQ(aclCreateTensorDesc(ACL_FLOAT, 2, negative, ACL_FORMAT_ND), nullptr);
  ExpectSaid("dims[1] is -3");
  EXPECT_EQ(aclCreateTensorDesc(TypeOf(99), 2, dims, ACL_FORMAT_ND), nullptr);
  ExpectSaid("dataType is 99");
  EXPECT_EQ(aclCreateTensorDesc(ACL_FLOAT, 2, dims, FormatOf(5)), nullptr);
  ExpectSaid("format is 5");
}

TEST_F(TensorDescTest, DimensionsThatAreNotThere) {
  const OwnDesc desc({2});
  Output<int64_t> size;
  ExpectRefused(aclGetTensorDescDimV2(desc, 1, &size), 100000, "aclGetTensorDescDimV2: index is 1");
  ExpectRefused(aclGetTensorDescDimV2(desc, SIZE_MAX, &size), 100000, "index is 184467");
  ExpectRefused(aclGetTensorDescDimV2(desc, 0, nullptr), 100000, "dimSize is null");
  EXPECT_TRUE(size.Untouched());
  EXPECT_EQ(aclGetTensorDescDim(desc, 1), -1);
  ExpectSaid("aclGetTensorDescDim: index is 1; allowed below 1");
}

TEST_F(TensorDescTest, RangesOfDimensions) {
  const OwnDesc desc({4, -1});
  int64_t range[3] = {7, 7, 7};
  EXPECT_EQ(aclGetTensorDescDimRange(desc, 0, 2, range), ACL_SUCCESS);
  EXPECT_EQ(range[0], 4);
  EXPECT_EQ(range[1], 4);
  ExpectRefused(aclGetTensorDescDimRange(desc, 1, 2, range), 100000, "dimension 1 is not known");
  int64_t ranges[][ACL_TENSOR_SHAPE_RANGE_NUM] = {{4, 4}, {1, -1}, {3, 2}};
  ExpectRefused(aclSetTensorShapeRange(desc, 3, ranges), 100000, "dimsCount is 3; allowed 2");
  ExpectRefused(aclSetTensorShapeRange(desc, SIZE_MAX, ranges), 100000, "dimsCount is 184467");
  ExpectRefused(aclSetTensorShapeRange(desc, 2, ranges + 1), 100000, "dimsRange[1] is 3 to 2");
  ExpectRefused(aclSetTensorShapeRange(desc, 2, nullptr), 100000, "dimsRange is null");
  EXPECT_EQ(aclSetTensorShapeRange(desc, 2, ranges), ACL_SUCCESS);
  EXPECT_EQ(aclGetTensorDescDimRange(desc, 1, 3, range), ACL_SUCCESS);
  EXPECT_EQ(range[0], 1);
  EXPECT_EQ(range[1], -1);
  EXPECT_EQ(range[2], 7);
  ExpectRefused(aclGetTensorDescDimRange(desc, 2, 2, range), 100000, "index is 2; allowed below 2");
  ExpectRefused(aclGetTensorDescDimRange(desc, 1, 1, range), 100000, "dimRangeNum is 1");
  ExpectRefused(aclGetTensorDescDimRange(desc, 1, 2, nullptr), 100000, "dimRange is null");
  // Of an unknown rank as many as one likes; another shape ends them.
  const OwnDesc unknown({-2});
  EXPECT_EQ(aclSetTensorShapeRange(unknown, 2, ranges), ACL_SUCCESS);
  EXPECT_EQ(aclGetTensorDescDimRange(unknown, 1, 2, range), ACL_SUCCESS);
  const int64_t dims[] = {5, 6, -1};
  EXPECT_EQ(aclSetTensorOriginShape(unknown, 3, dims), ACL_SUCCESS);
  EXPECT_EQ(aclGetTensorDescDimRange(unknown, 1, 2, range), ACL_SUCCESS);
  EXPECT_EQ(range[0], 6);
}

TEST_F(TensorDescTest, RangesOfValues) {
  const OwnDesc desc({2});
  int64_t ranges[][ACL_TENSOR_VALUE_RANGE_NUM] = {{-5, 5}, {3, 2}};
  EXPECT_EQ(aclSetTensorValueRange(desc, 1, ranges), ACL_SUCCESS);
  ExpectRefused(aclSetTensorValueRange(desc, 2, ranges), 100000, "valueRange[1] is 3 to 2");
  ExpectRefused(aclSetTensorValueRange(desc, 1, nullptr), 100000, "valueRange is null");
}

TEST_F(TensorDescTest, NamesAreCopied) {
  const OwnDesc desc({2});
  std::string name(1000, 'x');
  aclSetTensorDescName(desc, name.c_str());
  const char* const kept = aclGetTensorDescName(desc);
  const std::string before = name;
  name.assign(1000, 'y');
  EXPECT_EQ(kept, before);
  aclSetTensorDescName(desc, nullptr);
  ExpectSaid("aclSetTensorDescName: name is null");
  EXPECT_EQ(aclGetTensorDescName(desc), before);
  EXPECT_EQ(aclSetTensorDynamicInput(desc, "inputs"), ACL_SUCCESS);
  ExpectRefused(aclSetTensorDynamicInput(desc, nullptr), 100000, "dynamicInputName is null");
}

TEST_F(TensorDescTest, OriginAndStorage) {
  const OwnDesc desc({2, 3, 4, 5}, ACL_FLOAT, ACL_FORMAT_NCHW);
  const int64_t storage[] = {2, 1, 4, 5, 16};
  const int64_t negative[] = {-7};
  EXPECT_EQ(aclSetTensorFormat(desc, ACL_FORMAT_NC1HWC0), ACL_SUCCESS);
  EXPECT_EQ(aclSetTensorShape(desc, 5, storage), ACL_SUCCESS);
  EXPECT_EQ(aclSetTensorStorageFormat(desc, ACL_FORMAT_FRACTAL_NZ), ACL_SUCCESS);
  EXPECT_EQ(aclSetTensorStorageShape(desc, 5, storage), ACL_SUCCESS);
  // The getters speak of the tensor as the model defines it.
  EXPECT_EQ(aclGetTensorDescFormat(desc), ACL_FORMAT_NCHW);
  EXPECT_EQ(DimsOf(desc), (std::vector<int64_t>{2, 3, 4, 5}));
  EXPECT_EQ(aclSetTensorOriginFormat(desc, ACL_FORMAT_NHWC), ACL_SUCCESS);
  EXPECT_EQ(aclSetTensorOriginShape(desc, 2, storage), ACL_SUCCESS);
  EXPECT_EQ(aclGetTensorDescFormat(desc), ACL_FORMAT_NHWC);
  EXPECT_EQ(DimsOf(desc), (std::vector<int64_t>{2, 1}));
  const auto bad_format = FormatOf(1000);
  ExpectRefused(aclSetTensorFormat(desc, bad_format), 100000, "aclSetTensorFormat: format is 1000");
  ExpectRefused(aclSetTensorStorageFormat(desc, bad_format), 100000, "format is 1000");
  ExpectRefused(aclSetTensorOriginFormat(desc, bad_format), 100000, "format is 1000");
  for (const auto set : {aclSetTensorShape, aclSetTensorStorageShape, aclSetTensorOriginShape}) {
    ExpectRefused(set(desc, 1, negative), 100000, "dims[0] is -7");
    ExpectRefused(set(desc, 1, nullptr), 100000, "dims is null");
    ExpectRefused(set(desc, -1, storage), 100000, "numDims is -1");
  }
  EXPECT_EQ(DimsOf(desc), (std::vector<int64_t>{2, 1}));
}

TEST_F(TensorDescTest, ConstantDataIsCopied) {
  const OwnDesc desc({4}, ACL_INT8);
  char data[] = {1, 2, 3, 4, 5};
  EXPECT_EQ(aclSetTensorConst(desc, data, 4), ACL_SUCCESS);
  data[0] = 9;
  const void* const kept = aclGetTensorDescAddress(desc);
  ASSERT_NE(kept, nullptr);
  EXPECT_EQ(std::memcmp(kept, "\1\2\3\4", 4), 0);
  ExpectRefused(aclSetTensorConst(desc, nullptr, 4), 100000, "dataBuffer is null");
  ExpectRefused(aclSetTensorConst(desc, data, 0), 100000, "length is 0");
  ExpectRefused(aclSetTensorConst(desc, data, 5), 100000, "length is 5; allowed 1 to 4");
  EXPECT_EQ(aclGetTensorDescAddress(desc), kept);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  {
    const Block block(4);
    ExpectRefused(aclSetTensorConst(desc, block.get(), 4), 100000, "dataBuffer is ",
                  "allowed memory of the host");
    const OwnDesc open({-1}, ACL_INT8);
    ExpectRefused(aclSetTensorConst(open, block.get(), 100), 100000, "dataBuffer is ");
    ExpectRefused(aclSetTensorConst(open, data, SIZE_MAX), 100000, "length is ");
  }
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
}

TEST_F(TensorDescTest, PlacesAndIndices) {
  const OwnDesc desc({4});
  for (const auto place :
       {ACL_MEMTYPE_DEVICE, ACL_MEMTYPE_HOST, ACL_MEMTYPE_HOST_COMPILE_INDEPENDENT}) {
    EXPECT_EQ(aclSetTensorPlaceMent(desc, place), ACL_SUCCESS);
  }
  for (const int place : {-1, 3}) {
    ExpectRefused(aclSetTensorPlaceMent(desc, static_cast<aclMemType>(place)), 100000,
                  "memType is " + std::to_string(place));
  }
  EXPECT_EQ(aclGetTensorDescByIndex(desc, 0), static_cast<aclTensorDesc*>(desc));
  EXPECT_EQ(aclGetTensorDescByIndex(desc, 1), nullptr);
  ExpectSaid("aclGetTensorDescByIndex: index is 1; allowed 0");
}

TEST_F(TensorDescTest, AnotherFormatIsAnotherDescription) {
  aclTensorDesc* out = nullptr;
  const OwnDesc source({2, 3, 4, 5}, ACL_FLOAT16, ACL_FORMAT_NCHW);
  aclSetTensorDescName(source, "x");
  ASSERT_EQ(aclTransTensorDescFormat(source, ACL_FORMAT_NHWC, &out), ACL_SUCCESS);
  const OwnDesc nhwc(out);
  EXPECT_EQ(DimsOf(nhwc), (std::vector<int64_t>{2, 4, 5, 3}));
  EXPECT_EQ(aclGetTensorDescFormat(nhwc), ACL_FORMAT_NHWC);
  EXPECT_EQ(aclGetTensorDescSize(nhwc), aclGetTensorDescSize(source));
  EXPECT_STREQ(aclGetTensorDescName(nhwc), "x");
  EXPECT_EQ(DimsOf(source), (std::vector<int64_t>{2, 3, 4, 5}));
  Output<aclTensorDesc*> untouched;
  ExpectRefused(aclTransTensorDescFormat(source, ACL_FORMAT_FRACTAL_NZ, &untouched), 100000,
                "aclTransTensorDescFormat: dstFormat is FRACTAL_NZ");
  ExpectRefused(aclTransTensorDescFormat(source, FormatOf(77), &untouched), 100000,
                "dstFormat is 77");
  ExpectRefused(aclTransTensorDescFormat(source, ACL_FORMAT_NHWC, nullptr), 100000,
                "dstDesc is null");
  ExpectRefused(aclTransTensorDescFormat(nullptr, ACL_FORMAT_NHWC, &untouched), 100000,
                "srcDesc is null");
  EXPECT_TRUE(untouched.Untouched());
}

// Every function, with what is no description.
TEST_F(TensorDescTest, WhatIsNoDescription) {
  const int64_t dims[] = {2};
  aclTensorDesc* const stale = aclCreateTensorDesc(ACL_FLOAT, 1, dims, ACL_FORMAT_ND);
  aclDestroyTensorDesc(stale);
  aclDataBuffer* const buffer = aclCreateDataBuffer(nullptr, 0);
  char host[64] = {};
  const std::pair<void*, const char*> handles[] = {
      {nullptr, "is null"},
      {stale, "a tensor description that is already destroyed"},
      {buffer, "the handle of a data buffer"},
      {host, "no handle that this library gave out"},
      {reinterpret_cast<void*>(UINTPTR_MAX), "no handle that this library gave out"},
  };
  (void)TakeMessages();
  for (const auto& [handle, text] : handles) {
    SCOPED_TRACE(text);
    auto* const desc = static_cast<aclTensorDesc*>(handle);
    int64_t ranges[][2] = {{1, 1}};
    int64_t size[2] = {};
    Output<aclTensorDesc*> out;
    ExpectRefused(aclSetTensorShapeRange(desc, 1, ranges), 100000, "aclSetTensorShapeRange", text);
    ExpectRefused(aclSetTensorValueRange(desc, 1, ranges), 100000, text);
    ExpectRefused(aclGetTensorDescDimV2(desc, 0, size), 100000, text);
    ExpectRefused(aclGetTensorDescDimRange(desc, 0, 2, size), 100000, text);
    ExpectRefused(aclTransTensorDescFormat(desc, ACL_FORMAT_ND, &out), 100000, "srcDesc", text);
    ExpectRefused(aclSetTensorStorageFormat(desc, ACL_FORMAT_ND), 100000, text);
    ExpectRefused(aclSetTensorStorageShape(desc, 1, dims), 100000, text);
    ExpectRefused(aclSetTensorFormat(desc, ACL_FORMAT_ND), 100000, text);
    ExpectRefused(aclSetTensorShape(desc, 1, dims), 100000, text);
    ExpectRefused(aclSetTensorOriginFormat(desc, ACL_FORMAT_ND), 100000, text);
    ExpectRefused(aclSetTensorOriginShape(desc, 1, dims), 100000, text);
    ExpectRefused(aclSetTensorDynamicInput(desc, "x"), 100000, text);
    ExpectRefused(aclSetTensorConst(desc, host, 8), 100000, text);
    ExpectRefused(aclSetTensorPlaceMent(desc, ACL_MEMTYPE_HOST), 100000, text);
    EXPECT_EQ(aclGetTensorDescType(desc), ACL_DT_UNDEFINED);
    ExpectSaid("aclGetTensorDescType", text);
    EXPECT_EQ(aclGetTensorDescFormat(desc), ACL_FORMAT_UNDEFINED);
    ExpectSaid("aclGetTensorDescFormat", text);
    EXPECT_EQ(aclGetTensorDescSize(desc), 0U);
    ExpectSaid("aclGetTensorDescSize", text);
    EXPECT_EQ(aclGetTensorDescElementCount(desc), 0U);
    ExpectSaid("aclGetTensorDescElementCount", text);
    EXPECT_EQ(aclGetTensorDescNumDims(desc), 0U);
    ExpectSaid("aclGetTensorDescNumDims", text);
    EXPECT_EQ(aclGetTensorDescDim(desc, 0), -1);
    ExpectSaid("aclGetTensorDescDim", text);
    EXPECT_STREQ(aclGetTensorDescName(desc), "");
    ExpectSaid("aclGetTensorDescName", text);
    EXPECT_EQ(aclGetTensorDescByIndex(desc, 0), nullptr);
    ExpectSaid("aclGetTensorDescByIndex", text);
    EXPECT_EQ(aclGetTensorDescAddress(desc), nullptr);
    ExpectSaid("aclGetTensorDescAddress", text);
    aclSetTensorDescName(desc, "x");
    ExpectSaid("aclSetTensorDescName", text);
    aclDestroyTensorDesc(desc);
    ExpectSaid("aclDestroyTensorDesc", text);
    EXPECT_TRUE(out.Untouched());
  }
  EXPECT_EQ(aclDestroyDataBuffer(buffer), ACL_SUCCESS);
}

}  // namespace
}  // namespace belay::test
