// Tensors, scalars, arrays and lists: they keep what they are told, and refuse what they are not.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "acl/acl.h"
#include "aclnn/aclnn_base.h"
#include "opdev/op_errno.h"
#include "support/api_test_support.h"

namespace belay::test {
namespace {

using Shape = std::vector<std::int64_t>;

aclTensor* MakeTensor(const Shape& view, const Shape* strides, std::int64_t offset,
                      const Shape& storage, void* data) {
  return aclCreateTensor(view.data(), view.size(), ACL_FLOAT16,
                         strides == nullptr ? nullptr : strides->data(), offset, ACL_FORMAT_NCHW,
                         storage.data(), storage.size(), data);
}

using ArrayGetter = aclnnStatus (*)(const aclTensor*, int64_t**, uint64_t*);

Shape Get(ArrayGetter getter, const aclTensor* tensor) {
  int64_t* values = nullptr;
  uint64_t count = 77;
  EXPECT_EQ(getter(tensor, &values, &count), ACLNN_SUCCESS);
  const std::unique_ptr<int64_t[]> owner(values);
  EXPECT_NE(values, nullptr);
  return {values, values + count};
}

// Any number as an enum of the API, as a program may have it in memory.
template <class E>
E NumberAs(int number) {
  static_assert(sizeof(E) == sizeof(number));
  E value;
  std::memcpy(&value, &number, sizeof(value));
  return value;
}

class AclnnObjectsTest : public testing::Test {
 protected:
  void SetUp() override { (void)TakeMessages(); }
  int memory_ = 0;
};

TEST_F(AclnnObjectsTest, ATensorKeepsWhatItIsTold) {
  const Shape strides = {1, 40};
  aclTensor* tensor = MakeTensor({3, 5}, &strides, 7, {1000}, &memory_);
  ASSERT_NE(tensor, nullptr);
  EXPECT_EQ(Get(aclGetViewShape, tensor), (Shape{3, 5}));
  EXPECT_EQ(Get(aclGetViewStrides, tensor), strides);
  EXPECT_EQ(Get(aclGetStorageShape, tensor), (Shape{1000}));
  int64_t offset = 0;
  aclFormat format = ACL_FORMAT_UNDEFINED;
  aclDataType dtype = ACL_DT_UNDEFINED;
  void* address = nullptr;
  EXPECT_EQ(aclGetViewOffset(tensor, &offset), ACLNN_SUCCESS);
  EXPECT_EQ(aclGetFormat(tensor, &format), ACLNN_SUCCESS);
  EXPECT_EQ(aclGetDataType(tensor, &dtype), ACLNN_SUCCESS);
  EXPECT_EQ(aclGetRawTensorAddr(tensor, &address), ACLNN_SUCCESS);
  EXPECT_EQ(offset, 7);
  EXPECT_EQ(format, ACL_FORMAT_NCHW);
  EXPECT_EQ(dtype, ACL_FLOAT16);
  EXPECT_EQ(address, &memory_);
  EXPECT_EQ(aclDestroyTensor(tensor), ACLNN_SUCCESS);
  EXPECT_EQ(TakeMessages(), "");
}

TEST_F(AclnnObjectsTest, WithoutStridesAViewHasNoGaps) {
  aclTensor* tensor = MakeTensor({2, 3, 4}, nullptr, 0, {2, 3, 4}, nullptr);
  EXPECT_EQ(Get(aclGetViewStrides, tensor), (Shape{12, 4, 1}));
  EXPECT_EQ(aclDestroyTensor(tensor), ACLNN_SUCCESS);
}

TEST_F(AclnnObjectsTest, ATensorOfNoDimensionsHasEmptyShapes) {
  aclTensor* tensor =
      aclCreateTensor(nullptr, 0, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, nullptr, 0, nullptr);
  ASSERT_NE(tensor, nullptr);
  EXPECT_EQ(Get(aclGetViewShape, tensor), Shape());
  EXPECT_EQ(Get(aclGetViewStrides, tensor), Shape());
  EXPECT_EQ(Get(aclGetStorageShape, tensor), Shape());
  EXPECT_EQ(aclDestroyTensor(tensor), ACLNN_SUCCESS);
}

TEST_F(AclnnObjectsTest, CreationJudgesNoValues) {
  const Shape odd = {-1, INT64_MIN, INT64_MAX, 0, 1, 2, 3, 4, 5, 6};
  aclTensor* tensor =
      aclCreateTensor(odd.data(), odd.size(), NumberAs<aclDataType>(99), nullptr, INT64_MIN,
                      NumberAs<aclFormat>(98), odd.data(), odd.size(), nullptr);
  ASSERT_NE(tensor, nullptr);
  EXPECT_EQ(Get(aclGetViewShape, tensor), odd);
  EXPECT_EQ(aclDestroyTensor(tensor), ACLNN_SUCCESS);
}

TEST_F(AclnnObjectsTest, CreationRefusesDimsThatAreNotThere) {
  const int64_t one = 1;
  EXPECT_EQ(aclCreateTensor(nullptr, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, &one, 1, nullptr),
            nullptr);
  ExpectTold("aclCreateTensor", "viewDims is null");
  EXPECT_EQ(aclCreateTensor(&one, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, nullptr, 1, nullptr),
            nullptr);
  ExpectTold("aclCreateTensor", "storageDims is null");
  EXPECT_EQ(
      aclCreateTensor(&one, UINT64_MAX, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, &one, 1, nullptr),
      nullptr);
  ExpectTold("viewDimsNum is 18446744073709551615");
}

TEST_F(AclnnObjectsTest, InitKeepsWhatIsNotNamed) {
  const Shape strides = {1, 40};
  aclTensor* tensor = MakeTensor({3, 5}, &strides, 7, {1000}, &memory_);
  EXPECT_EQ(
      aclInitTensor(tensor, nullptr, 0, ACL_INT8, nullptr, 9, ACL_FORMAT_ND, nullptr, 0, nullptr),
      ACLNN_SUCCESS);
  EXPECT_EQ(Get(aclGetViewShape, tensor), (Shape{3, 5}));
  EXPECT_EQ(Get(aclGetViewStrides, tensor), (Shape{5, 1}));
  EXPECT_EQ(Get(aclGetStorageShape, tensor), (Shape{1000}));
  void* address = nullptr;
  aclDataType dtype = ACL_DT_UNDEFINED;
  EXPECT_EQ(aclGetRawTensorAddr(tensor, &address), ACLNN_SUCCESS);
  EXPECT_EQ(aclGetDataType(tensor, &dtype), ACLNN_SUCCESS);
  EXPECT_EQ(address, &memory_);
  EXPECT_EQ(dtype, ACL_INT8);

  const Shape dims = {2};
  const Shape stride = {3};
  int other = 0;
  EXPECT_EQ(aclInitTensor(tensor, dims.data(), 1, ACL_INT8, stride.data(), 0, ACL_FORMAT_ND,
                          dims.data(), 1, &other),
            ACLNN_SUCCESS);
  EXPECT_EQ(Get(aclGetViewShape, tensor), dims);
  EXPECT_EQ(Get(aclGetViewStrides, tensor), stride);
  EXPECT_EQ(Get(aclGetStorageShape, tensor), dims);
  EXPECT_EQ(aclGetRawTensorAddr(tensor, &address), ACLNN_SUCCESS);
  EXPECT_EQ(address, &other);
  EXPECT_EQ(aclSetRawTensorAddr(tensor, nullptr), ACLNN_SUCCESS);
  EXPECT_EQ(aclGetRawTensorAddr(tensor, &address), ACLNN_SUCCESS);
  EXPECT_EQ(address, nullptr);
  EXPECT_EQ(aclDestroyTensor(tensor), ACLNN_SUCCESS);
}

TEST_F(AclnnObjectsTest, GettersRefuseNullAndWriteNothing) {
  aclTensor* tensor = MakeTensor({3}, nullptr, 0, {3}, nullptr);
  Output<int64_t*> values;
  Output<uint64_t> count;
  Output<int64_t> offset;
  for (const ArrayGetter getter : {aclGetViewShape, aclGetStorageShape, aclGetViewStrides}) {
    EXPECT_EQ(getter(nullptr, &values, &count), ACLNN_ERR_PARAM_NULLPTR);
    EXPECT_EQ(getter(tensor, nullptr, &count), ACLNN_ERR_PARAM_NULLPTR);
    EXPECT_EQ(getter(tensor, &values, nullptr), ACLNN_ERR_PARAM_NULLPTR);
  }
  EXPECT_EQ(aclGetViewOffset(nullptr, &offset), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(aclGetViewOffset(tensor, nullptr), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(aclGetFormat(tensor, nullptr), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(aclGetDataType(tensor, nullptr), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(aclGetRawTensorAddr(tensor, nullptr), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(aclSetRawTensorAddr(nullptr, nullptr), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(
      aclInitTensor(nullptr, nullptr, 0, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, nullptr, 0, nullptr),
      ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_TRUE(values.Untouched() && count.Untouched() && offset.Untouched());
  EXPECT_EQ(aclDestroyTensor(tensor), ACLNN_SUCCESS);
}

TEST_F(AclnnObjectsTest, ADestroyedTensorIsRefusedEverywhere) {
  aclTensor* tensor = MakeTensor({3}, nullptr, 0, {3}, nullptr);
  EXPECT_EQ(aclDestroyTensor(tensor), ACLNN_SUCCESS);
  // A later tensor in its place is another one.
  aclTensor* later = MakeTensor({4}, nullptr, 0, {4}, nullptr);
  EXPECT_NE(tensor, later);
  Output<int64_t> offset;
  EXPECT_EQ(aclGetViewOffset(tensor, &offset), ACLNN_ERR_PARAM_INVALID);
  ExpectTold("aclGetViewOffset", "a tensor that is already destroyed");
  EXPECT_EQ(aclDestroyTensor(tensor), ACLNN_ERR_PARAM_INVALID);
  EXPECT_EQ(aclSetRawTensorAddr(tensor, &memory_), ACLNN_ERR_PARAM_INVALID);
  EXPECT_TRUE(offset.Untouched());
  EXPECT_EQ(aclDestroyTensor(later), ACLNN_SUCCESS);
}

TEST_F(AclnnObjectsTest, AHandleOfAnotherKindIsNamed) {
  aclTensor* tensor = MakeTensor({3}, nullptr, 0, {3}, nullptr);
  EXPECT_EQ(aclDestroyIntArray(reinterpret_cast<aclIntArray*>(tensor)), ACLNN_ERR_PARAM_INVALID);
  ExpectTold("aclDestroyIntArray", "the handle of a tensor");
  EXPECT_EQ(aclDestroyTensor(reinterpret_cast<aclTensor*>(&memory_)), ACLNN_ERR_PARAM_INVALID);
  ExpectTold("no handle that this library gave out");
  EXPECT_EQ(aclDestroyTensor(tensor), ACLNN_SUCCESS);
}

TEST_F(AclnnObjectsTest, NullIsDestroyedInSilence) {
  EXPECT_EQ(aclDestroyTensor(nullptr), ACLNN_SUCCESS);
  EXPECT_EQ(aclDestroyScalar(nullptr), ACLNN_SUCCESS);
  EXPECT_EQ(aclDestroyIntArray(nullptr), ACLNN_SUCCESS);
  EXPECT_EQ(aclDestroyFloatArray(nullptr), ACLNN_SUCCESS);
  EXPECT_EQ(aclDestroyBoolArray(nullptr), ACLNN_SUCCESS);
  EXPECT_EQ(aclDestroyTensorList(nullptr), ACLNN_SUCCESS);
  EXPECT_EQ(aclDestroyScalarList(nullptr), ACLNN_SUCCESS);
  EXPECT_EQ(TakeMessages(), "");
}

TEST_F(AclnnObjectsTest, ArraysTellTheirSize) {
  const std::vector<int64_t> ints = {1, 2, 3};
  const float floats[] = {1.0F, 2.0F};
  const bool bools[] = {true};
  aclIntArray* int_array = aclCreateIntArray(ints.data(), ints.size());
  aclFloatArray* float_array = aclCreateFloatArray(floats, 2);
  aclBoolArray* bool_array = aclCreateBoolArray(bools, 1);
  aclIntArray* empty = aclCreateIntArray(nullptr, 0);
  ASSERT_NE(empty, nullptr);
  uint64_t size = 99;
  EXPECT_EQ(aclGetIntArraySize(int_array, &size), ACLNN_SUCCESS);
  EXPECT_EQ(size, 3U);
  EXPECT_EQ(aclGetFloatArraySize(float_array, &size), ACLNN_SUCCESS);
  EXPECT_EQ(size, 2U);
  EXPECT_EQ(aclGetBoolArraySize(bool_array, &size), ACLNN_SUCCESS);
  EXPECT_EQ(size, 1U);
  EXPECT_EQ(aclGetIntArraySize(empty, &size), ACLNN_SUCCESS);
  EXPECT_EQ(size, 0U);
  EXPECT_EQ(aclGetIntArraySize(nullptr, &size), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(aclGetIntArraySize(empty, nullptr), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(aclDestroyIntArray(int_array), ACLNN_SUCCESS);
  EXPECT_EQ(aclDestroyFloatArray(float_array), ACLNN_SUCCESS);
  EXPECT_EQ(aclDestroyBoolArray(bool_array), ACLNN_SUCCESS);
  EXPECT_EQ(aclDestroyIntArray(empty), ACLNN_SUCCESS);
  EXPECT_EQ(aclGetIntArraySize(int_array, &size), ACLNN_ERR_PARAM_INVALID);
  EXPECT_EQ(aclGetFloatArraySize(float_array, &size), ACLNN_ERR_PARAM_INVALID);
  EXPECT_EQ(aclGetBoolArraySize(bool_array, &size), ACLNN_ERR_PARAM_INVALID);
}

TEST_F(AclnnObjectsTest, CreationRefusesValuesThatAreNotThere) {
  EXPECT_EQ(aclCreateScalar(nullptr, ACL_FLOAT), nullptr);
  EXPECT_EQ(aclCreateIntArray(nullptr, 3), nullptr);
  ExpectTold("aclCreateScalar", "aclCreateIntArray", "value is null");
  EXPECT_EQ(aclCreateFloatArray(nullptr, 3), nullptr);
  EXPECT_EQ(aclCreateBoolArray(nullptr, 3), nullptr);
  EXPECT_EQ(aclCreateTensorList(nullptr, 3), nullptr);
  EXPECT_EQ(aclCreateScalarList(nullptr, 3), nullptr);
}

TEST_F(AclnnObjectsTest, CreationRefusesSizesThatNoMemoryHolds) {
  const int64_t ints[1] = {};
  const float floats[1] = {};
  const bool bools[1] = {};
  const aclTensor* tensors[1] = {};
  const aclScalar* scalars[1] = {};
  for (const uint64_t size : {UINT64_MAX, (uint64_t{1} << 63) + 1}) {
    EXPECT_EQ(aclCreateBoolArray(bools, size), nullptr);
    ExpectTold("aclCreateBoolArray", "size is");
  }
  for (const uint64_t size : {UINT64_MAX, (uint64_t{1} << 62), (uint64_t{1} << 61) + 1}) {
    EXPECT_EQ(aclCreateIntArray(ints, size), nullptr);
    ExpectTold("aclCreateIntArray", "size is");
    EXPECT_EQ(aclCreateFloatArray(floats, size), nullptr);
    EXPECT_EQ(aclCreateTensorList(tensors, size), nullptr);
    EXPECT_EQ(aclCreateScalarList(scalars, size), nullptr);
    ExpectTold("aclCreateScalarList", "size is");
  }
}

TEST_F(AclnnObjectsTest, ScalarsTakeAnyType) {
  double value[2] = {1.5, 2.5};
  for (int dtype = -1; dtype < 50; ++dtype) {
    aclScalar* scalar = aclCreateScalar(value, NumberAs<aclDataType>(dtype));
    EXPECT_NE(scalar, nullptr) << dtype;
    EXPECT_EQ(aclDestroyScalar(scalar), ACLNN_SUCCESS);
  }
}

TEST_F(AclnnObjectsTest, AListOwnsItsElements) {
  aclTensor* first = MakeTensor({1}, nullptr, 0, {1}, nullptr);
  aclTensor* second = MakeTensor({2}, nullptr, 0, {2}, nullptr);
  const aclTensor* elements[] = {first, second};
  aclTensorList* list = aclCreateTensorList(elements, 2);
  ASSERT_NE(list, nullptr);
  uint64_t size = 0;
  EXPECT_EQ(aclGetTensorListSize(list, &size), ACLNN_SUCCESS);
  EXPECT_EQ(size, 2U);
  EXPECT_EQ(aclDestroyTensor(first), ACLNN_ERR_PARAM_INVALID);
  ExpectTold("aclDestroyTensor", "belongs to a list");
  EXPECT_EQ(aclDestroyTensorList(list), ACLNN_SUCCESS);
  Output<int64_t> offset;
  EXPECT_EQ(aclGetViewOffset(second, &offset), ACLNN_ERR_PARAM_INVALID);
  ExpectTold("a tensor that was destroyed with its list");
  EXPECT_EQ(aclDestroyTensorList(list), ACLNN_ERR_PARAM_INVALID);
  EXPECT_EQ(aclGetTensorListSize(list, &size), ACLNN_ERR_PARAM_INVALID);
  EXPECT_EQ(aclGetTensorListSize(nullptr, &size), ACLNN_ERR_PARAM_NULLPTR);
}

TEST_F(AclnnObjectsTest, AnElementIsInOneListOnce) {
  float value = 1.0F;
  aclScalar* scalar = aclCreateScalar(&value, ACL_FLOAT);
  aclScalar* other = aclCreateScalar(&value, ACL_FLOAT);
  const aclScalar* twice[] = {other, scalar, scalar};
  EXPECT_EQ(aclCreateScalarList(twice, 3), nullptr);
  ExpectTold("value[2] is value[1] again");
  // What failed gave both back.
  const aclScalar* once[] = {other, scalar};
  aclScalarList* list = aclCreateScalarList(once, 2);
  ASSERT_NE(list, nullptr);
  uint64_t size = 0;
  EXPECT_EQ(aclGetScalarListSize(list, &size), ACLNN_SUCCESS);
  EXPECT_EQ(size, 2U);
  EXPECT_EQ(aclCreateScalarList(once, 2), nullptr);
  ExpectTold("value[0]", "belongs to a list already");
  EXPECT_EQ(aclDestroyScalarList(list), ACLNN_SUCCESS);
  EXPECT_EQ(aclDestroyScalar(scalar), ACLNN_ERR_PARAM_INVALID);
  const aclScalar* dead[] = {scalar};
  EXPECT_EQ(aclCreateScalarList(dead, 1), nullptr);
}

TEST_F(AclnnObjectsTest, InitAndFinalizeAreOptional) {
  EXPECT_EQ(aclnnInit(nullptr), ACLNN_SUCCESS);
  EXPECT_EQ(aclnnInit("/no/such/file"), ACLNN_SUCCESS);
  EXPECT_EQ(aclnnFinalize(), ACLNN_SUCCESS);
}

class AclnnDumpTest : public DeviceTest {};

TEST_F(AclnnDumpTest, ChecksItsArguments) {
  const OwnStream stream;
  aclTensor* tensor = MakeTensor({3}, nullptr, 0, {3}, nullptr);
  aclTensor* tensors[] = {tensor, tensor};
  EXPECT_EQ(aclDumpOpTensors("Add", "add_1", tensors, 1, 1, stream.get()), ACLNN_SUCCESS);
  EXPECT_EQ(aclDumpOpTensors(nullptr, "add_1", tensors, 1, 1, stream.get()),
            ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(aclDumpOpTensors("Add", nullptr, tensors, 1, 1, stream.get()), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(aclDumpOpTensors("Add", "add_1", nullptr, 1, 1, stream.get()), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(aclDumpOpTensors("Add", "add_1", tensors, 1, 1, nullptr), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(aclDestroyTensor(tensor), ACLNN_SUCCESS);
  EXPECT_EQ(aclDumpOpTensors("Add", "add_1", tensors, 1, 1, stream.get()), ACLNN_ERR_PARAM_INVALID);
}

}  // namespace
}  // namespace belay::test
