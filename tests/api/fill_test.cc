// aclrtMemset and aclrtMemsetAsync.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "acl/acl.h"
#include "support/api_test_support.h"
#include "support/threads.h"

namespace belay::test {
namespace {

class FillTest : public DeviceTest {};

aclError InStream(void* memory, std::size_t most, std::int32_t value, std::size_t count) {
  return aclrtMemsetAsync(memory, most, value, count, nullptr);
}

using Fill = aclError (*)(void*, std::size_t, std::int32_t, std::size_t);
const std::pair<const char*, Fill> kFills[] = {{"aclrtMemset:", aclrtMemset},
                                               {"aclrtMemsetAsync:", InStream}};

TEST_F(FillTest, TheLowEightBitsCount) {
  const std::pair<std::int32_t, std::uint8_t> values[] = {
      {0, 0},   {1, 1},         {0x7F, 0x7F},   {0xFF, 0xFF},      {-1, 0xFF},
      {256, 0}, {0x1234, 0x34}, {INT32_MIN, 0}, {INT32_MAX, 0xFF}, {-2, 0xFE}};
  const Block block(100);
  for (const auto& [name, fill] : kFills) {
    for (const auto& [value, byte] : values) {
      ASSERT_EQ(fill(block.get(), 100, value, 100), ACL_SUCCESS);
      ASSERT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
      EXPECT_EQ(block.Read(100), Bytes(100, byte)) << name << value;
    }
  }
}

TEST_F(FillTest, OnlyTheGivenBytes) {
  for (const auto& [name, fill] : kFills) {
    for (const std::size_t count : {1, 7, 64, 4095, 65537, 8 << 20}) {
      Bytes expected = SomeBytes(count + 200);
      const Block block(expected);
      ASSERT_EQ(fill(block.At(100), count + 100, 0xAB, count), ACL_SUCCESS);
      ASSERT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
      std::fill_n(expected.begin() + 100, count, std::uint8_t{0xAB});
      EXPECT_TRUE(block.Read(count + 200) == expected) << name << count;
    }
  }
}

TEST_F(FillTest, NothingToFillIsFineWhateverTheRest) {
  const auto expect_fine = [] {
    int local = 0;
    EXPECT_EQ(aclrtMemset(nullptr, 0, 1, 0), ACL_SUCCESS);
    EXPECT_EQ(aclrtMemsetAsync(nullptr, 0, 1, 0, &local), ACL_SUCCESS);
  };
  expect_fine();
  OnFreshThread(expect_fine);
}

TEST_F(FillTest, Refusals) {
  const Bytes before = SomeBytes(100);
  const Block block(before);
  Block freed(100);
  void* const stale = freed.Release();
  ASSERT_EQ(aclrtFree(stale), ACL_SUCCESS);
  for (const auto& [name, fill] : kFills) {
    ExpectRefused(fill(nullptr, 8, 1, 8), 100000, name, "devPtr is null");
    ExpectRefused(fill(nullptr, 7, 1, 8), 100000, name, "devPtr is null");
    ExpectRefused(fill(block.get(), 7, 1, 8), 107000, name, "count is 8", "maxCount, which is 7");
    ExpectRefused(fill(block.get(), 101, 1, 101), 107000, name, "devPtr is 0x", "needs 101 bytes",
                  "1 more than the block has there");
    ExpectRefused(fill(block.At(99), 2, 1, 2), 107000, name, "99 bytes into a block of 100 bytes");
    ExpectRefused(fill(block.get(), SIZE_MAX, 1, SIZE_MAX), 107000, name, "wraps past the end");
    ExpectRefused(fill(stale, 100, 1, 100), 107000, name, "freed by aclrtFree (call ");
    OnFreshThread([&, &name = name, &fill = fill] {
      ExpectRefused(fill(block.get(), 8, 1, 8), 107002, name, "no current context");
      ExpectRefused(fill(block.get(), 7, 1, 8), 107000, name, "count is 8");
    });
  }
  EXPECT_EQ(block.Read(100), before);
}

TEST_F(FillTest, AsyncKeepsItsPlaceInTheStream) {
  const OwnStream stream;
  const Block block(Bytes(64, 1));
  {
    const Blocker blocker(stream);
    ASSERT_EQ(aclrtMemsetAsync(block.get(), 64, 2, 64, stream), ACL_SUCCESS);
    ASSERT_EQ(aclrtMemsetAsync(block.get(), 32, 3, 32, stream), ACL_SUCCESS);
    EXPECT_EQ(block.Read(64), Bytes(64, 1)) << "the stream is held up";
  }
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  Bytes expected(64, 2);
  std::fill_n(expected.begin(), 32, std::uint8_t{3});
  EXPECT_EQ(block.Read(64), expected);
  ExpectRefused(aclrtMemsetAsync(block.get(), 64, 2, 64, block.get()), 107017, "aclrtMemsetAsync",
                "stream is");
}

}  // namespace
}  // namespace belay::test
