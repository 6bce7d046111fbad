// aclrtMemcpy2d and aclrtMemcpy2dAsync: rows with a pitch.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

#include "acl/acl.h"
#include "support/api_test_support.h"
#include "support/threads.h"

namespace belay::test {
namespace {

constexpr auto kH2D = ACL_MEMCPY_HOST_TO_DEVICE;
constexpr auto kD2H = ACL_MEMCPY_DEVICE_TO_HOST;
constexpr auto kD2D = ACL_MEMCPY_DEVICE_TO_DEVICE;
constexpr auto kDefault = ACL_MEMCPY_DEFAULT;

class CopyRowsTest : public DeviceTest {};

struct Rows {
  void* dst;
  std::size_t dpitch;
  const void* src;
  std::size_t spitch;
  std::size_t width;
  std::size_t height;
  aclrtMemcpyKind kind;
};

aclError Now(const Rows& r) {
  return aclrtMemcpy2d(r.dst, r.dpitch, r.src, r.spitch, r.width, r.height, r.kind);
}

aclError InStream(const Rows& r) {
  return aclrtMemcpy2dAsync(r.dst, r.dpitch, r.src, r.spitch, r.width, r.height, r.kind, nullptr);
}

const std::pair<const char*, aclError (*)(const Rows&)> kCopies[] = {
    {"aclrtMemcpy2d:", Now}, {"aclrtMemcpy2dAsync:", InStream}};

// `dst` with the rows of `src` in it.
Bytes WithRows(Bytes dst, std::size_t dpitch, const Bytes& src, std::size_t spitch,
               std::size_t width, std::size_t height) {
  for (std::size_t row = 0; row < height; ++row) {
    for (std::size_t i = 0; i < width; ++i) dst[row * dpitch + i] = src[row * spitch + i];
  }
  return dst;
}

TEST_F(CopyRowsTest, RowsArriveAndGapsStay) {
  const struct {
    std::size_t dpitch, spitch, width, height;
  } shapes[] = {{8, 8, 8, 4},   {8, 8, 5, 4},     {16, 8, 8, 7},        {7, 13, 3, 9},
                {1, 1, 1, 100}, {100, 50, 50, 1}, {1000, 999, 998, 30}, {64, 4096, 64, 128}};
  for (const auto& s : shapes) {
    SCOPED_TRACE(std::to_string(s.dpitch) + " " + std::to_string(s.spitch) + " " +
                 std::to_string(s.width) + " x " + std::to_string(s.height));
    // The last row needs no full pitch.
    const Bytes src = SomeBytes((s.height - 1) * s.spitch + s.width, 1);
    const Bytes before = SomeBytes((s.height - 1) * s.dpitch + s.width, 2);
    const Bytes expected = WithRows(before, s.dpitch, src, s.spitch, s.width, s.height);
    for (const auto& [name, copy] : kCopies) {
      for (const auto kind : {kH2D, kDefault}) {
        const Block block(before);
        ASSERT_EQ(copy({block.get(), s.dpitch, src.data(), s.spitch, s.width, s.height, kind}),
                  ACL_SUCCESS);
        ASSERT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
        EXPECT_EQ(block.Read(before.size()), expected) << name;
      }
      for (const auto kind : {kD2H, kDefault}) {
        const Block block(src);
        Bytes host = before;
        ASSERT_EQ(copy({host.data(), s.dpitch, block.get(), s.spitch, s.width, s.height, kind}),
                  ACL_SUCCESS);
        ASSERT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
        EXPECT_EQ(host, expected) << name;
      }
    }
    const Block from(src);
    const Block to(before);
    ASSERT_EQ(InStream({to.get(), s.dpitch, from.get(), s.spitch, s.width, s.height, kD2D}),
              ACL_SUCCESS);
    ASSERT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
    EXPECT_EQ(to.Read(before.size()), expected);
  }
}

TEST_F(CopyRowsTest, EmptyRowsAreFineWhateverTheRest) {
  const auto expect_fine = [] {
    for (const auto& [name, copy] : kCopies) {
      EXPECT_EQ(copy({nullptr, 0, nullptr, 0, 0, 5, static_cast<aclrtMemcpyKind>(7)}), ACL_SUCCESS);
      EXPECT_EQ(copy({nullptr, 0, nullptr, 0, 5, 0, static_cast<aclrtMemcpyKind>(7)}), ACL_SUCCESS);
    }
  };
  expect_fine();
  OnFreshThread(expect_fine);
}

TEST_F(CopyRowsTest, ArgumentRefusals) {
  const Block block(1024);
  Bytes host(1024, 0x77);
  for (const auto& [name, copy] : kCopies) {
    const auto bad_kind = static_cast<aclrtMemcpyKind>(7);
    ExpectRefused(copy({nullptr, 1, nullptr, 1, 9, 9, bad_kind}), 100000, name, "dst is null");
    ExpectRefused(copy({block.get(), 1, nullptr, 1, 9, 9, bad_kind}), 100000, name, "src is null");
    // Width against the pitches, before the kind.
    ExpectRefused(copy({block.get(), 8, host.data(), 7, 8, 2, bad_kind}), 100000, name,
                  "width is 8", "spitch 7");
    ExpectRefused(copy({block.get(), 7, host.data(), 8, 8, 2, kH2D}), 100000, name, "width is 8",
                  "dpitch 7");
    for (const int kind : {-1, 0, 5, 6, 7, 8}) {
      ExpectRefused(
          copy({block.get(), 8, host.data(), 8, 8, 2, static_cast<aclrtMemcpyKind>(kind)}), 100000,
          name, "kind is");
    }
    ExpectRefused(copy({block.get(), 8, host.data(), 8, 8, 5242881, kH2D}), 107000, name,
                  "height is 5242881");
    ExpectRefused(copy({block.get(), 5000001, host.data(), 5000001, 5000001, 1, kH2D}), 107000,
                  name, "width is 5000001");
    OnFreshThread([&, &name = name, &copy = copy] {
      ExpectRefused(copy({block.get(), 8, host.data(), 8, 8, 2, kH2D}), 107002, name,
                    "no current context");
      ExpectRefused(copy({block.get(), 8, host.data(), 8, 8, 5242881, kH2D}), 107000, name,
                    "height");
    });
  }
  EXPECT_EQ(host, Bytes(1024, 0x77));
}

TEST_F(CopyRowsTest, WithinADeviceOnlyInAStream) {
  const Block a(Bytes(64, 1));
  const Block b(Bytes(64, 2));
  ExpectRefused(Now({a.get(), 8, b.get(), 8, 8, 8, kD2D}), 207000,
                "aclrtMemcpy2d:", "kind is ACL_MEMCPY_DEVICE_TO_DEVICE");
  ExpectRefused(Now({a.get(), 8, b.get(), 8, 8, 8, kDefault}), 107000,
                "aclrtMemcpy2d:", "both device memory");
  EXPECT_EQ(a.Read(64), Bytes(64, 1));
  Bytes from(64, 3);
  Bytes to(64, 4);
  ExpectRefused(Now({to.data(), 8, from.data(), 8, 8, 8, kDefault}), 107000,
                "aclrtMemcpy2d:", "both host memory");
  EXPECT_EQ(to, Bytes(64, 4));
}

TEST_F(CopyRowsTest, RowsMustLieInTheirBlocks) {
  const Bytes before = SomeBytes(100);
  const Block block(before);
  Block freed(100);
  void* const stale = freed.Release();
  ASSERT_EQ(aclrtFree(stale), ACL_SUCCESS);
  Bytes host(4096, 0x77);
  for (const auto& [name, copy] : kCopies) {
    // 10 rows of 10 fit, 11 do not; with a pitch of 11 the tenth row ends at 109.
    ExpectRefused(copy({block.get(), 10, host.data(), 10, 10, 11, kH2D}), 107000, name, "dst is",
                  "10 more than the block has there");
    ExpectRefused(copy({host.data(), 10, block.get(), 11, 10, 10, kD2H}), 107000, name, "src is",
                  "needs 109 bytes, 9 more than the block has there");
    ExpectRefused(copy({stale, 10, host.data(), 10, 10, 2, kH2D}), 107000, name, "dst is",
                  "freed by aclrtFree");
    ExpectRefused(copy({host.data(), 10, stale, 10, 10, 2, kD2H}), 107000, name, "src is",
                  "freed by aclrtFree");
    // Pitches that no address space holds.
    for (const std::size_t pitch : {SIZE_MAX, SIZE_MAX / 2 + 1, SIZE_MAX / 2}) {
      ExpectRefused(copy({block.get(), pitch, host.data(), 10, 10, 3, kH2D}), 107000, name);
      ExpectRefused(copy({host.data(), 10, block.get(), pitch, 10, 3, kD2H}), 107000, name);
    }
    ExpectRefused(copy({block.get(), SIZE_MAX, host.data(), 10, 10, 2, kH2D}), 107000, name);
  }
  EXPECT_EQ(block.Read(100), before);
  EXPECT_EQ(host, Bytes(4096, 0x77));
}

}  // namespace
}  // namespace belay::test
