// aclDataBuffer: a pair of address and size that owns neither.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <set>

#include "acl/acl.h"
#include "support/api_test_support.h"
#include "support/threads.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"  // aclGetDataBufferSize

namespace belay::test {
namespace {

class DataBufferTest : public testing::Test {
 protected:
  void SetUp() override { (void)TakeMessages(); }
};

TEST_F(DataBufferTest, HoldsWhatItIsGiven) {
  int data = 7;
  aclDataBuffer* buffer = aclCreateDataBuffer(&data, sizeof data);
  ASSERT_NE(buffer, nullptr);
  EXPECT_EQ(aclGetDataBufferAddr(buffer), &data);
  EXPECT_EQ(aclGetDataBufferSize(buffer), sizeof data);
  EXPECT_EQ(aclGetDataBufferSizeV2(buffer), sizeof data);
  EXPECT_EQ(aclUpdateDataBuffer(buffer, nullptr, 0), ACL_SUCCESS);
  EXPECT_EQ(aclGetDataBufferAddr(buffer), nullptr);
  EXPECT_EQ(aclGetDataBufferSizeV2(buffer), 0U);
  EXPECT_EQ(aclDestroyDataBuffer(buffer), ACL_SUCCESS);
  EXPECT_EQ(data, 7);
  EXPECT_EQ(TakeMessages(), "");
}

TEST_F(DataBufferTest, CreationChecksNothing) {
  aclDataBuffer* empty = aclCreateDataBuffer(nullptr, 0);
  aclDataBuffer* odd = aclCreateDataBuffer(nullptr, SIZE_MAX);
  ASSERT_NE(empty, nullptr);
  ASSERT_NE(odd, nullptr);
  EXPECT_EQ(aclGetDataBufferSizeV2(odd), SIZE_MAX);
  EXPECT_EQ(aclDestroyDataBuffer(empty), ACL_SUCCESS);
  EXPECT_EQ(aclDestroyDataBuffer(odd), ACL_SUCCESS);
}

TEST_F(DataBufferTest, TheOldSizeFunctionGivesTheLowHalf) {
  constexpr std::size_t kSize = (std::size_t{3} << 32) + 5;
  aclDataBuffer* buffer = aclCreateDataBuffer(nullptr, kSize);
  EXPECT_EQ(aclGetDataBufferSize(buffer), 5U);
  EXPECT_EQ(aclGetDataBufferSizeV2(buffer), kSize);
  EXPECT_EQ(aclDestroyDataBuffer(buffer), ACL_SUCCESS);
}

// All functions refuse the handle, and say why.
template <class... Texts>
void ExpectNoBuffer(aclDataBuffer* buffer, const Texts&... texts) {
  int data = 0;
  ExpectRefused(aclDestroyDataBuffer(buffer), ACL_ERROR_INVALID_PARAM, "aclDestroyDataBuffer",
                "dataBuffer is", texts...);
  ExpectRefused(aclUpdateDataBuffer(buffer, &data, sizeof data), ACL_ERROR_INVALID_PARAM,
                "aclUpdateDataBuffer", "dataBuffer is", texts...);
  ExpectRefused(aclGetDataBufferAddr(buffer) == nullptr ? 1 : 0, 1, "aclGetDataBufferAddr",
                texts...);
  ExpectRefused(static_cast<int>(aclGetDataBufferSize(buffer)), 0, "aclGetDataBufferSize",
                texts...);
  ExpectRefused(static_cast<int>(aclGetDataBufferSizeV2(buffer)), 0, "aclGetDataBufferSizeV2",
                texts...);
}

TEST_F(DataBufferTest, NullAndForeignPointersAreNoBuffers) {
  std::uint64_t words[8] = {};
  ExpectNoBuffer(nullptr, "null");
  ExpectNoBuffer(reinterpret_cast<aclDataBuffer*>(words), "no handle that this library gave out");
  ExpectNoBuffer(reinterpret_cast<aclDataBuffer*>(std::uintptr_t{1}), "no handle");
  ExpectNoBuffer(reinterpret_cast<aclDataBuffer*>(UINTPTR_MAX), "no handle");
}

TEST_F(DataBufferTest, DestroyedTwice) {
  aclDataBuffer* buffer = aclCreateDataBuffer(nullptr, 8);
  EXPECT_EQ(aclDestroyDataBuffer(buffer), ACL_SUCCESS);
  ExpectNoBuffer(buffer, "already destroyed");
  // Later buffers do not bring the old handle back to life.
  std::set<aclDataBuffer*> later;
  for (int i = 0; i < 600; ++i) later.insert(aclCreateDataBuffer(nullptr, 1));
  EXPECT_EQ(later.size(), 600U);
  EXPECT_FALSE(later.contains(buffer));
  ExpectNoBuffer(buffer, "already destroyed");
  for (aclDataBuffer* each : later) EXPECT_EQ(aclDestroyDataBuffer(each), ACL_SUCCESS);
}

TEST_F(DataBufferTest, OtherHandlesAreNoBuffers) {
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  {
    const OwnEvent event;
    const OwnStream stream;
    aclrtContext context = nullptr;
    ASSERT_EQ(aclrtGetCurrentContext(&context), ACL_SUCCESS);
    ExpectNoBuffer(static_cast<aclDataBuffer*>(aclrtEvent(event)), "the handle of an event");
    ExpectNoBuffer(static_cast<aclDataBuffer*>(aclrtStream(stream)), "the handle of a stream");
    ExpectNoBuffer(static_cast<aclDataBuffer*>(context), "the handle of a context");
  }
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
}

TEST_F(DataBufferTest, ThreadsCreateUpdateAndDestroy) {
  RunTogether(8, [](std::size_t thread) {
    for (std::size_t i = 1; i <= 500; ++i) {
      aclDataBuffer* buffer = aclCreateDataBuffer(nullptr, 1);
      EXPECT_EQ(aclUpdateDataBuffer(buffer, nullptr, thread * 1000 + i), ACL_SUCCESS);
      EXPECT_EQ(aclGetDataBufferSizeV2(buffer), thread * 1000 + i);
      EXPECT_EQ(aclDestroyDataBuffer(buffer), ACL_SUCCESS);
    }
  });
}

TEST_F(DataBufferTest, OfManyThreadsExactlyOneDestroys) {
  for (int round = 0; round < 50; ++round) {
    aclDataBuffer* buffer = aclCreateDataBuffer(nullptr, 1);
    std::atomic<int> destroyed = 0;
    RunTogether(4, [&](std::size_t) {
      if (aclDestroyDataBuffer(buffer) == ACL_SUCCESS) ++destroyed;
    });
    EXPECT_EQ(destroyed, 1);
  }
}

}  // namespace
}  // namespace belay::test
