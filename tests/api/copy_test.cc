// aclrtMemcpy and aclrtMemcpyAsync.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "support/api_test_support.h"
#include "support/threads.h"

namespace belay::test {
namespace {

constexpr auto kH2H = ACL_MEMCPY_HOST_TO_HOST;
constexpr auto kH2D = ACL_MEMCPY_HOST_TO_DEVICE;
constexpr auto kD2H = ACL_MEMCPY_DEVICE_TO_HOST;
constexpr auto kD2D = ACL_MEMCPY_DEVICE_TO_DEVICE;
constexpr auto kDefault = ACL_MEMCPY_DEFAULT;

class CopyTest : public DeviceTest {};

// Host to device, within the device, and back.
void ExpectRoundTrip(const Block& first, const Block& second, const Bytes& bytes) {
  const std::size_t size = bytes.size();
  ASSERT_EQ(aclrtMemcpy(first.get(), size, bytes.data(), size, kH2D), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemcpy(second.get(), size, first.get(), size, kD2D), ACL_SUCCESS);
  Bytes back(size + 1, 0xEE);
  ASSERT_EQ(aclrtMemcpy(back.data(), size, second.get(), size, kD2H), ACL_SUCCESS);
  ASSERT_EQ(back[size], 0xEE) << size;
  back.pop_back();
  ASSERT_EQ(back, bytes) << size;
}

TEST_F(CopyTest, ContentsOfManySizes) {
  constexpr std::size_t kLargest = 70000;
  const Block first(kLargest);
  const Block second(kLargest);
  const Bytes all = SomeBytes(kLargest);
  for (std::size_t size = 1; size <= kLargest; size += size < 2000 ? 1 : 97) {
    ExpectRoundTrip(first, second, Bytes(all.begin(), all.begin() + static_cast<long>(size)));
    if (HasFatalFailure()) return;
  }
  for (const std::size_t size : {4095, 4096, 4097, 65535, 65536, 65537, 69999, 70000}) {
    ExpectRoundTrip(first, second, Bytes(all.begin(), all.begin() + static_cast<long>(size)));
  }
}

TEST_F(CopyTest, ContentsOfEightMebibytes) {
  const Bytes bytes = SomeBytes(8 << 20);
  ExpectRoundTrip(Block(8 << 20), Block(8 << 20), bytes);
}

TEST_F(CopyTest, OffsetsAndBytesAroundTheTargetStay) {
  Bytes expected = SomeBytes(300, 1);
  const Block block(expected);
  const Bytes patch = SomeBytes(100, 2);
  for (const std::size_t offset : {0, 1, 63, 200}) {
    ASSERT_EQ(aclrtMemcpy(block.At(offset), 300 - offset, patch.data(), 100, kH2D), ACL_SUCCESS);
    std::ranges::copy(patch, expected.begin() + static_cast<long>(offset));
    EXPECT_EQ(block.Read(300), expected) << offset;
  }
}

TEST_F(CopyTest, TheDirectionComesFromTheAddresses) {
  const Bytes bytes = SomeBytes(64);
  for (const auto kind : {kH2H, kH2D, kD2H, kD2D, kDefault, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE}) {
    const Block block(64);
    Bytes back(64);
    Bytes host(64);
    EXPECT_EQ(aclrtMemcpy(block.get(), 64, bytes.data(), 64, kind), ACL_SUCCESS) << kind;
    EXPECT_EQ(aclrtMemcpy(back.data(), 64, block.get(), 64, kind), ACL_SUCCESS) << kind;
    EXPECT_EQ(aclrtMemcpy(host.data(), 64, back.data(), 64, kind), ACL_SUCCESS) << kind;
    EXPECT_EQ(host, bytes) << kind;
  }
}

TEST_F(CopyTest, OverlappingCopiesMoveTheBytes) {
  const Bytes bytes = SomeBytes(4096);
  for (const auto& [from, to] : {std::pair<long, long>{0, 1}, {1, 0}, {0, 1000}, {1000, 0}}) {
    const Block block(bytes);
    Bytes expected = bytes;
    std::memmove(expected.data() + to, expected.data() + from, 3000);
    ASSERT_EQ(aclrtMemcpy(block.At(static_cast<std::size_t>(to)), 3000,
                          block.At(static_cast<std::size_t>(from)), 3000, kD2D),
              ACL_SUCCESS);
    EXPECT_EQ(block.Read(4096), expected) << from << " to " << to;
  }
}

TEST_F(CopyTest, ActsAtOnceAndWaitsForNoStream) {
  const OwnStream stream;
  const Blocker blocker(stream);
  const Block block(SomeBytes(64));
  EXPECT_EQ(block.Read(64), SomeBytes(64));
}

// Order of checks: of two faults the earlier rule answers.

TEST_F(CopyTest, NothingToCopyIsFineWhateverTheRest) {
  const auto bad_kind = static_cast<aclrtMemcpyKind>(6);
  int local = 0;
  const auto expect_fine = [&] {
    EXPECT_EQ(aclrtMemcpy(nullptr, 0, nullptr, 0, kH2D), ACL_SUCCESS);
    EXPECT_EQ(aclrtMemcpy(nullptr, 8, &local, 0, bad_kind), ACL_SUCCESS);
    EXPECT_EQ(aclrtMemcpyAsync(nullptr, 0, nullptr, 0, kH2D, nullptr), ACL_SUCCESS);
    EXPECT_EQ(aclrtMemcpyAsync(&local, 0, nullptr, 0, bad_kind, &local), ACL_SUCCESS);
  };
  expect_fine();
  OnFreshThread(expect_fine);  // not even a context is needed
}

using Copy = std::function<aclError(void*, std::size_t, const void*, std::size_t, aclrtMemcpyKind)>;

const std::pair<const char*, Copy> kCopies[] = {
    {"aclrtMemcpy:", [](void* dst, std::size_t most, const void* src, std::size_t count,
                        aclrtMemcpyKind kind) { return aclrtMemcpy(dst, most, src, count, kind); }},
    {"aclrtMemcpyAsync:",
     [](void* dst, std::size_t most, const void* src, std::size_t count, aclrtMemcpyKind kind) {
       return aclrtMemcpyAsync(dst, most, src, count, kind, nullptr);
     }},
};

TEST_F(CopyTest, ArgumentRefusals) {
  const Block block(64);
  Bytes host = SomeBytes(64, 3);
  for (const auto& [name, copy] : kCopies) {
    const auto kind9 = static_cast<aclrtMemcpyKind>(7);
    ExpectRefused(copy(nullptr, 64, host.data(), 64, kH2D), 100000, name, "dst is null");
    ExpectRefused(copy(block.get(), 64, nullptr, 64, kH2D), 100000, name, "src is null");
    ExpectRefused(copy(nullptr, 0, nullptr, 64, kind9), 100000, name, "dst is null");
    ExpectRefused(copy(block.get(), 0, nullptr, 64, kind9), 100000, name, "src is null");
    for (const int kind : {-1, 6, 7, 8}) {
      ExpectRefused(copy(block.get(), 32, host.data(), 64, static_cast<aclrtMemcpyKind>(kind)),
                    100000, name, "kind is ");
    }
    ExpectRefused(copy(block.get(), 63, host.data(), 64, kH2D), 107000, name, "count is 64",
                  "destMax, which is 63");
    ExpectRefused(copy(block.get(), 0, host.data(), 1, kH2D), 107000, name, "count is 1",
                  "destMax, which is 0");
    ExpectRefused(copy(host.data(), 8, host.data(), 9, kD2H), 107000, name, "count is 9");
  }
  EXPECT_EQ(host, SomeBytes(64, 3));
}

TEST_F(CopyTest, WithoutContext) {
  Block freed(8);
  void* const stale = freed.Release();
  ASSERT_EQ(aclrtFree(stale), ACL_SUCCESS);
  OnFreshThread([stale] {
    Bytes host = SomeBytes(8);
    for (const auto& [name, copy] : kCopies) {
      ExpectRefused(copy(stale, 8, host.data(), 8, kH2D), 107002, name, "no current context");
      ExpectRefused(copy(stale, 7, host.data(), 8, kH2D), 107000, name, "count is 8");
    }
    EXPECT_EQ(aclrtMemcpy(host.data(), 8, host.data(), 8, kH2H), ACL_SUCCESS)
        << "onto itself there is nothing to do, with or without a context";
  });
}

// Whatever is wrong with an address, nothing is copied, and the message says what it is.
TEST_F(CopyTest, BlocksThatAreTooSmallOrGone) {
  const Bytes before = SomeBytes(64, 4);
  const Block block(before);
  Block freed(64);
  void* const stale = freed.Release();
  ASSERT_EQ(aclrtFree(stale), ACL_SUCCESS);
  void* page_locked = nullptr;
  ASSERT_EQ(aclrtMallocHost(&page_locked, 64), ACL_SUCCESS);
  const struct {
    void* dst;
    std::size_t offset;
    const char* text;
  } rows[] = {
      {block.get(), 0, "36 more than the block has there"},
      {block.At(63), 63, "99 more than the block has there"},
      {stale, 0, "freed by aclrtFree (call "},
      {page_locked, 0, "36 more than the block has there; allowed up to"},
      {static_cast<char*>(page_locked) + 60, 0, "60 bytes into a block of 64 bytes of page-locked"},
  };
  const Bytes source = SomeBytes(100, 5);
  Bytes target(100, 0x77);
  for (const auto& [name, copy] : kCopies) {
    for (const auto& row : rows) {
      ExpectRefused(copy(row.dst, 100, source.data(), 100, kH2D), 107000, name, "dst is 0x",
                    row.text);
      ExpectRefused(copy(target.data(), 100, row.dst, 100, kD2H), 107000, name, "src is 0x",
                    row.text);
    }
    // The destination is looked at first.
    ExpectRefused(copy(stale, 64, block.At(1), 64, kD2D), 107000, name, "dst is 0x");
    ExpectRefused(copy(block.get(), 64, stale, 64, kD2D), 107000, name, "src is 0x");
  }
  ASSERT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
  EXPECT_EQ(block.Read(64), before);
  EXPECT_EQ(target, Bytes(100, 0x77));
  EXPECT_EQ(aclrtFreeHost(page_locked), ACL_SUCCESS);
}

TEST_F(CopyTest, SizesThatWrap) {
  const Block block(SomeBytes(64));
  Bytes host(64, 0x77);
  void* const last = reinterpret_cast<void*>(UINTPTR_MAX - 15);
  for (const auto& [name, copy] : kCopies) {
    for (const std::size_t size : {SIZE_MAX, SIZE_MAX - 4096}) {
      ExpectRefused(copy(block.get(), size, host.data(), size, kH2D), 107000, name, "wraps past");
      ExpectRefused(copy(host.data(), SIZE_MAX, block.get(), size, kD2H), 107000, name,
                    "wraps past");
    }
    ExpectRefused(copy(block.get(), SIZE_MAX, host.data(), std::size_t{1} << 46, kH2D), 107000,
                  name, "more than the block has there");
    ExpectRefused(copy(last, 32, host.data(), 32, kDefault), 107000, name, "dst is 0x", "wraps");
    ExpectRefused(copy(host.data(), 32, last, 32, kDefault), 107000, name, "src is 0x", "wraps");
  }
  EXPECT_EQ(host, Bytes(64, 0x77));
  EXPECT_EQ(block.Read(64), SomeBytes(64));
}

TEST_F(CopyTest, RegisteredMemoryIsHostMemory) {
  Bytes host = SomeBytes(8192);
  void* device = nullptr;
  ASSERT_EQ(aclrtHostRegister(host.data(), host.size(), ACL_HOST_REGISTER_MAPPED, &device),
            ACL_SUCCESS);
  const Block block(8192);
  EXPECT_EQ(aclrtMemcpy(block.get(), 8192, device, 8192, kDefault), ACL_SUCCESS);
  EXPECT_EQ(block.Read(8192), host);
  ASSERT_EQ(aclrtMemset(block.get(), 8192, 9, 8192), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemcpyAsync(host.data(), 8192, block.get(), 8192, kD2H, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(host, Bytes(8192, 9));
  EXPECT_EQ(aclrtHostUnregister(host.data()), ACL_SUCCESS);
}

// Asynchronous copies.

TEST_F(CopyTest, AsyncFromHostToHostIsNotSupported) {
  Bytes a = SomeBytes(8);
  Bytes b(8, 0x11);
  ExpectRefused(aclrtMemcpyAsync(b.data(), 8, a.data(), 8, kH2H, nullptr), 207000,
                "aclrtMemcpyAsync", "kind is ACL_MEMCPY_HOST_TO_HOST");
  ExpectRefused(aclrtMemcpyAsync(b.data(), 7, a.data(), 8, kH2H, nullptr), 107000, "count is 8");
  EXPECT_EQ(b, Bytes(8, 0x11));
}

TEST_F(CopyTest, AsyncWithABadStream) {
  const Block block(8);
  Bytes host = SomeBytes(8);
  OwnStream gone;
  aclrtStream stale = gone.Release();
  ASSERT_EQ(aclrtDestroyStream(stale), ACL_SUCCESS);
  ExpectRefused(aclrtMemcpyAsync(block.get(), 8, host.data(), 8, kH2D, stale), 107017,
                "aclrtMemcpyAsync", "stream is", "already destroyed");
  ExpectRefused(aclrtMemcpyAsync(block.get(), 8, host.data(), 8, kH2D, &host), 107017,
                "aclrtMemcpyAsync", "no handle");
}

TEST_F(CopyTest, PageableMemoryIsDoneWhenTheCallReturns) {
  const OwnStream stream;
  const Block block(64);
  Bytes host = SomeBytes(64, 1);
  ASSERT_EQ(aclrtMemsetAsync(block.get(), 64, 3, 64, stream), ACL_SUCCESS);
  Bytes back(64);
  ASSERT_EQ(aclrtMemcpyAsync(back.data(), 64, block.get(), 64, kD2H, stream), ACL_SUCCESS);
  EXPECT_EQ(back, Bytes(64, 3)) << "after the work before it";
  ASSERT_EQ(aclrtMemcpyAsync(block.get(), 64, host.data(), 64, kH2D, stream), ACL_SUCCESS);
  std::ranges::fill(host, std::uint8_t{0});  // the caller may reuse it now
  EXPECT_EQ(block.Read(64), SomeBytes(64, 1));
}

TEST_F(CopyTest, PageLockedMemoryIsReadWhenTheStreamGetsThere) {
  void* memory = nullptr;
  ASSERT_EQ(aclrtMallocHost(&memory, 64), ACL_SUCCESS);
  auto* host = static_cast<std::uint8_t*>(memory);
  std::memset(host, 1, 64);
  const OwnStream stream;
  const Block block(Bytes(64, 9));
  Blocker blocker(stream);
  ASSERT_EQ(aclrtMemcpyAsync(block.get(), 64, host, 64, kH2D, stream), ACL_SUCCESS);
  EXPECT_EQ(block.Read(64), Bytes(64, 9)) << "the stream is held up, so nothing has moved";
  std::memset(host, 2, 64);
  blocker.Open();
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(block.Read(64), Bytes(64, 2));
  EXPECT_EQ(aclrtFreeHost(host), ACL_SUCCESS);
}

TEST_F(CopyTest, QueuedCopiesKeepWhatTheyNeed) {
  void* result = nullptr;
  ASSERT_EQ(aclrtMallocHost(&result, 64), ACL_SUCCESS);
  const OwnStream stream;
  Blocker blocker(stream);
  Block source(SomeBytes(64));
  Block between(64);
  ASSERT_EQ(aclrtMemcpyAsync(between.get(), 64, source.get(), 64, kD2D, stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemcpyAsync(result, 64, between.get(), 64, kD2H, stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(source.Release()), ACL_SUCCESS) << "legal while the work waits";
  EXPECT_EQ(aclrtFree(between.Release()), ACL_SUCCESS);
  const Block other(Bytes(64, 0xFF));  // must not take their place yet
  blocker.Open();
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(std::memcmp(result, SomeBytes(64).data(), 64), 0);
  EXPECT_EQ(aclrtFreeHost(result), ACL_SUCCESS);
}

TEST_F(CopyTest, BetweenDevices) {
  ExpectChildPasses({{"BELAY_NUM_DEVICES", "2"}}, [] {
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    const Block first(SomeBytes(100));
    ASSERT_EQ(aclrtSetDevice(1), ACL_SUCCESS);
    const Block second(100);
    ASSERT_EQ(aclrtDeviceEnablePeerAccess(0, 0), ACL_SUCCESS);
    EXPECT_EQ(aclrtMemcpy(second.get(), 100, first.get(), 100, kD2D), ACL_SUCCESS);
    EXPECT_EQ(second.Read(100), SomeBytes(100));
  });
}

}  // namespace
}  // namespace belay::test
