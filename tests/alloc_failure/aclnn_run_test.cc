// Phase two of aclnn's IndexAdd and IndexCopy and the run of their tasks, with each of their
// allocations failing: the tensor that is written is done or as it was.
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "aclnnop/aclnn_index_add_v2.h"
#include "aclnnop/aclnn_index_copy.h"
#include "alloc_failure/injector.h"
#include "support/api_test_support.h"

namespace belay::alloc_failure {
namespace {

using test::Block;
using test::Bytes;

constexpr std::int64_t kRows = 300;
constexpr std::int64_t kWidth = 40;
constexpr std::int64_t kMostAllocations = 200;

enum class Way : std::uint8_t { kHalf, kDouble, kCopyOfItself };

// As ctest names cases.
void PrintTo(Way way, std::ostream* out) {
  constexpr const char* kNames[] = {"Half", "Double", "CopyOfItself"};
  *out << kNames[static_cast<int>(way)];
}

// Rows in descending order, so that they have to be put into order. `self` is another tensor than
// `out`, which takes it before anything is added.
class IndexRuns : public test::DeviceTest, public testing::WithParamInterface<Way> {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    const std::size_t bytes = kRows * kWidth * (IsHalf() ? 2 : 4);
    std::vector<std::int32_t> indices(kRows);
    std::iota(indices.rbegin(), indices.rend(), 0);
    Bytes index_bytes(indices.size() * sizeof(indices[0]));
    std::memcpy(index_bytes.data(), indices.data(), index_bytes.size());
    index_block_.emplace(index_bytes);
    before_ = test::SomeBytes(bytes, 1);
    self_block_.emplace(test::SomeBytes(bytes, 2));
    source_block_.emplace(test::SomeBytes(bytes, 3));
    out_block_.emplace(before_);
    const aclDataType type = IsHalf() ? ACL_FLOAT16 : ACL_FLOAT;
    self_ = Tensor(type, {kRows, kWidth}, *self_block_);
    index_ = Tensor(ACL_INT32, {kRows}, *index_block_);
    source_ = Tensor(type, {kRows, kWidth}, *source_block_);
    out_ = Tensor(type, {kRows, kWidth}, *out_block_);
    std::int64_t one = 1;
    alpha_ = aclCreateScalar(&one, ACL_INT64);
  }
  void TearDown() override {
    for (const aclTensor* tensor : {self_, index_, source_, out_}) {
      EXPECT_EQ(aclDestroyTensor(tensor), 0);
    }
    EXPECT_EQ(aclDestroyScalar(alpha_), 0);
    for (auto* block : {&self_block_, &index_block_, &source_block_, &out_block_}) block->reset();
    DeviceTest::TearDown();
  }

  static bool IsHalf() { return GetParam() == Way::kHalf; }
  static bool Copies() { return GetParam() == Way::kCopyOfItself; }
  static aclTensor* Tensor(aclDataType type, const std::vector<std::int64_t>& dims,
                           const Block& block) {
    return aclCreateTensor(dims.data(), dims.size(), type, nullptr, 0, ACL_FORMAT_ND, dims.data(),
                           dims.size(), block.get());
  }

  aclOpExecutor* PhaseOne() {
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    EXPECT_EQ(Copies()
                  ? aclnnIndexCopyGetWorkspaceSize(self_, 0, index_, out_, out_, &size, &executor)
                  : aclnnIndexAddV2GetWorkspaceSize(self_, 0, index_, source_, alpha_,
                                                    IsHalf() ? 0 : 1, out_, &size, &executor),
              0);
    EXPECT_EQ(size, 0U);
    return executor;
  }
  static aclnnStatus PhaseTwo(aclOpExecutor* executor) {
    return Copies() ? aclnnIndexCopy(nullptr, 0, executor, nullptr)
                    : aclnnIndexAddV2(nullptr, 0, executor, nullptr);
  }

  Bytes before_;
  std::optional<Block> self_block_;
  std::optional<Block> index_block_;
  std::optional<Block> source_block_;
  std::optional<Block> out_block_;
  aclTensor* self_ = nullptr;
  aclTensor* index_ = nullptr;
  aclTensor* source_ = nullptr;
  aclTensor* out_ = nullptr;
  aclScalar* alpha_ = nullptr;
};
INSTANTIATE_TEST_SUITE_P(, IndexRuns, testing::Values(Way::kHalf, Way::kDouble, Way::kCopyOfItself),
                         testing::PrintToStringParamName());

TEST_P(IndexRuns, WriteAllOrNothing) {
  EXPECT_EQ(PhaseTwo(PhaseOne()), 0);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  const Bytes expected = out_block_->Read(before_.size());
  EXPECT_NE(expected, before_);
  int failures = 0;
  bool fired = true;
  for (std::int64_t nth = 1; fired; ++nth) {
    SCOPED_TRACE("allocation " + std::to_string(nth));
    ASSERT_LE(nth, kMostAllocations) << "allocates without end";
    out_block_->Write(before_);
    aclOpExecutor* const executor = PhaseOne();
    aclnnStatus status = 0;
    aclError waited = 0;
    {
      const Injection injection(nth);
      status = PhaseTwo(executor);
      waited = aclrtSynchronizeStream(nullptr);
      fired = injection.fired();
    }
    const bool done = status == 0 && waited == ACL_SUCCESS;
    if (!done) {
      ++failures;
      EXPECT_TRUE(fired);
      EXPECT_THAT(test::TakeMessages(), testing::HasSubstr("no host memory"));
      EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS) << "a fault is returned once";
    }
    EXPECT_EQ(out_block_->Read(before_.size()), done ? expected : before_);
  }
  EXPECT_GT(failures, 0);
}

}  // namespace
}  // namespace belay::alloc_failure
