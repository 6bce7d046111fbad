// Tensors of one call that share memory: the same view is in place and right, anything else is
// refused; and a workspace that strided tensors ask for.
#include <gtest/gtest.h>

#include <vector>

#include "aclnn/index_case.h"
#include "aclnnop/aclnn_index_add.h"
#include "aclnnop/aclnn_index_copy.h"
#include "opdev/op_errno.h"

namespace belay::test {
namespace {

// Views of one block of 64 floats, 0 to 63.
class IndexAliasTest : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    std::vector<float> numbers(64);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i);
    Bytes bytes(numbers.size() * sizeof(float));
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    block_.emplace(bytes);
    index_block_.emplace(Bytes{1, 0, 0, 0, 0, 0, 0, 0});
    std::int64_t one = 1;
    alpha_ = aclCreateScalar(&one, ACL_INT64);
    index_ = Tensor(ACL_INT32, {2}, {1}, 0, *index_block_);
  }
  void TearDown() override {
    for (const aclTensor* tensor : tensors_) EXPECT_EQ(aclDestroyTensor(tensor), 0);
    EXPECT_EQ(aclDestroyScalar(alpha_), 0);
    block_.reset();
    index_block_.reset();
    DeviceTest::TearDown();
  }

  aclTensor* Tensor(aclDataType type, const Shape& dims, const Shape& strides, std::int64_t offset,
                    const Block& block) {
    const Shape storage = {64};
    tensors_.push_back(aclCreateTensor(dims.data(), dims.size(), type, strides.data(), offset,
                                       ACL_FORMAT_ND, storage.data(), storage.size(), block.get()));
    return tensors_.back();
  }
  aclTensor* Floats(const Shape& dims, const Shape& strides, std::int64_t offset) {
    return Tensor(ACL_FLOAT, dims, strides, offset, *block_);
  }

  // Phase one passes; what phase two answers, the work waited for.
  aclnnStatus Add(aclTensor* self, aclTensor* source, aclTensor* out, std::int64_t dim = 0) {
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    EXPECT_EQ(
        aclnnIndexAddGetWorkspaceSize(self, dim, index_, source, alpha_, out, &size, &executor),
        ACLNN_SUCCESS);
    const Block workspace(size + 1);
    const aclnnStatus status = aclnnIndexAdd(workspace.get(), size, executor, nullptr);
    EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
    return status;
  }
  aclnnStatus CopyInPlace(aclTensor* self, aclTensor* source) {
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    EXPECT_EQ(aclnnInplaceIndexCopyGetWorkspaceSize(self, 0, index_, source, &size, &executor),
              ACLNN_SUCCESS);
    const Block workspace(size + 1);
    const aclnnStatus status = aclnnInplaceIndexCopy(workspace.get(), size, executor, nullptr);
    EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
    return status;
  }
  float At(std::size_t i) const { return ValuesOf<float>(block_->Read(256))[i]; }

  std::optional<Block> block_;
  std::optional<Block> index_block_;
  aclScalar* alpha_ = nullptr;
  aclTensor* index_ = nullptr;  // 1, 0
  std::vector<aclTensor*> tensors_;
};

TEST_F(IndexAliasTest, SelfAndSourceAreWhatIsWritten) {
  aclTensor* const all = Floats({2, 2}, {2, 1}, 0);
  // Rows as they were: 2, 3 and 0, 1.
  EXPECT_EQ(CopyInPlace(all, all), ACLNN_SUCCESS);
  EXPECT_EQ(At(0), 2.0F);
  EXPECT_EQ(At(1), 3.0F);
  EXPECT_EQ(At(2), 0.0F);
  EXPECT_EQ(At(3), 1.0F);
  // Row 1 += row 0 and row 0 += row 1, as they were.
  EXPECT_EQ(Add(all, all, all), ACLNN_SUCCESS);
  EXPECT_EQ(At(0), 2.0F);
  EXPECT_EQ(At(1), 4.0F);
  EXPECT_EQ(At(2), 2.0F);
  EXPECT_EQ(At(3), 4.0F);
}

TEST_F(IndexAliasTest, AnotherTensorOfTheSameViewIsTheSame) {
  // Strides of dimensions of one element are nothing.
  aclTensor* const self = Floats({2, 1}, {8, 1}, 8);
  aclTensor* const out = Floats({2, 1}, {8, 5}, 8);
  EXPECT_EQ(Add(self, Floats({2, 1}, {1, 1}, 40), out), ACLNN_SUCCESS);
  EXPECT_EQ(At(8), 8.0F + 41.0F);
  EXPECT_EQ(At(16), 16.0F + 40.0F);
  EXPECT_EQ(At(9), 9.0F);
}

TEST_F(IndexAliasTest, ElementsBetweenEachOtherAreApart) {
  // Even ones and odd ones.
  EXPECT_EQ(Add(Floats({2}, {2}, 0), Floats({2}, {1}, 40), Floats({2}, {2}, 1)), ACLNN_SUCCESS);
  EXPECT_EQ(At(0), 0.0F);
  EXPECT_EQ(At(1), 0.0F + 41.0F);
  EXPECT_EQ(At(3), 2.0F + 40.0F);
}

TEST_F(IndexAliasTest, OtherViewsOfTheSameElementsAreRefused) {
  aclTensor* const out = Floats({2, 2}, {2, 1}, 4);
  aclTensor* const elsewhere = Floats({2, 2}, {2, 1}, 40);
  const Bytes before = block_->Read(256);
  ExpectRefused(Add(Floats({2, 2}, {2, 1}, 6), elsewhere, out), ACLNN_ERR_PARAM_INVALID, "out at",
                "self at", "share elements");
  ExpectRefused(Add(elsewhere, Floats({2, 2}, {1, 2}, 4), out), ACLNN_ERR_PARAM_INVALID, "out at",
                "source at", "share elements");
  index_ = Tensor(ACL_INT32, {2}, {1}, 7, *block_);
  ExpectRefused(Add(elsewhere, elsewhere, out), ACLNN_ERR_PARAM_INVALID, "out at", "index at",
                "share elements");
  ExpectRefused(CopyInPlace(out, elsewhere), ACLNN_ERR_PARAM_INVALID, "selfRef at", "index at");
  EXPECT_EQ(block_->Read(256), before);
}

// A piece for each strided tensor and for int64 indices, none for what is contiguous.
TEST_F(IndexAliasTest, StridedTensorsAskForWorkspace) {
  const auto workspace_of = [&](aclTensor* self, aclTensor* source, aclTensor* out) {
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    EXPECT_EQ(aclnnIndexAddGetWorkspaceSize(self, 0, index_, source, alpha_, out, &size, &executor),
              ACLNN_SUCCESS);
    EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
    return size;
  };
  aclTensor* const contiguous = Floats({2, 4}, {4, 1}, 0);
  aclTensor* const strided = Floats({2, 4}, {1, 2}, 16);
  aclTensor* const out = Floats({2, 4}, {4, 1}, 32);
  EXPECT_EQ(workspace_of(contiguous, contiguous, out), 0U);
  EXPECT_EQ(workspace_of(strided, contiguous, out), 0U);
  EXPECT_EQ(workspace_of(contiguous, strided, out), 64U);
  EXPECT_EQ(workspace_of(contiguous, strided, Floats({2, 4}, {1, 2}, 32)), 128U);
  index_ = Tensor(ACL_INT64, {2}, {1}, 0, *block_);
  EXPECT_EQ(workspace_of(contiguous, contiguous, out), 64U);
}

}  // namespace
}  // namespace belay::test
