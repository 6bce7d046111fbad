// aclnnTransQuantParam with each of its allocations failing.
#include <aclnnop/aclnn_trans_quant_param.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "alloc_failure/probe.h"

namespace belay::alloc_failure {
namespace {

// For the face of the operators.
constexpr int kOutOfMemory = 561103;
constexpr int kNullPointer = 161001;
constexpr int kInvalidParam = 161002;

class TransQuantParam : public testing::Test {
 protected:
  int Call(const std::vector<float>& scale, const std::vector<float>& offset) {
    return aclnnTransQuantParam(scale.data(), scale.size(),
                                offset.empty() ? nullptr : offset.data(), offset.size(), &words_,
                                &count_);
  }
  Probe Success(const char* name, const std::vector<float>& scale,
                const std::vector<float>& offset) {
    return {.name = name,
            .call = [=, this] { return Call(scale, offset); },
            .out_of_memory = kOutOfMemory,
            .prepare =
                [this] {
                  words_ = &untouched_;
                  count_ = 77;
                },
            .undo = [this] { std::free(words_); },
            .unharmed =
                [this] {
                  EXPECT_EQ(words_, &untouched_);
                  EXPECT_EQ(count_, 77U);
                }};
  }

  std::uint64_t untouched_ = 0;
  std::uint64_t* words_ = &untouched_;
  std::uint64_t count_ = 77;
};

TEST_F(TransQuantParam, SucceedsOrLeavesTheOutputsAlone) {
  const std::vector<float> large(1 << 20, 1.5F);
  // The first calls on a thread and the compute threads: outside of what is probed.
  ASSERT_EQ(Call(large, large), 0);
  std::free(words_);
  for (const Source source : {Source::kNew, Source::kCalloc}) {
    // Not under a sanitizer, which owns the C heap: memory of a calloc of ours would be unknown to
    // its free().
    if (source == Source::kCalloc && !CanFailCHeap()) continue;
    ExpectSurvives(Success("one", {1.5F}, {}), source);
    ExpectSurvives(Success("both", {1.5F, 2.5F}, {3.0F}), source);
    ExpectSurvives(Success("large", large, large), source);
  }
}

TEST_F(TransQuantParam, RefusalsKeepTheirCodes) {
  const float scale = 1.0F;
  const float nan = std::nanf("");
  const std::vector<Probe> probes = {
      Refusal("null", kNullPointer,
              [&] { return aclnnTransQuantParam(&scale, 1, nullptr, 0, nullptr, &count_); }),
      Refusal("size 0", kInvalidParam,
              [&] { return aclnnTransQuantParam(&scale, 0, nullptr, 0, &words_, &count_); }),
      Refusal("offset size", kInvalidParam,
              [&] { return aclnnTransQuantParam(&scale, 1, &scale, 0, &words_, &count_); }),
      Refusal("no offset", kInvalidParam,
              [&] { return aclnnTransQuantParam(&scale, 1, nullptr, 5, &words_, &count_); }),
      Refusal(
          "length", kOutOfMemory,
          [&] { return aclnnTransQuantParam(&scale, UINT64_MAX, nullptr, 0, &words_, &count_); }),
      Refusal("nan", kInvalidParam,
              [&] { return aclnnTransQuantParam(&nan, 1, nullptr, 0, &words_, &count_); }),
  };
  for (const Probe& probe : probes) ExpectSurvives(probe);
  EXPECT_EQ(words_, &untouched_);
  EXPECT_EQ(count_, 77U);
}

}  // namespace
}  // namespace belay::alloc_failure
