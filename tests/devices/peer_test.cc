// Access of one device to the memory of another: who may ask for it, and what it allows.
#include <gtest/gtest.h>

#include <algorithm>

#include <ostream>
#include <string>

#include "support/api_test_support.h"
#include "support/gate.h"
#include "support/many_devices.h"
#include "support/threads.h"

namespace belay::test {
namespace {

constexpr std::size_t kBytes = 64;

class Peer : public ManyDevices {};

int32_t Status(int32_t device, int32_t peer) {
  int32_t status = -1;
  EXPECT_EQ(aclrtDevicePeerAccessStatus(device, peer, &status), ACL_SUCCESS);
  return status;
}

TEST_F(Peer, EveryDeviceCanReachEveryOther) {
  for (int32_t device = 0; device < kDevices; ++device) {
    for (int32_t peer = 0; peer < kDevices; ++peer) {
      Output<int32_t> can;
      if (device == peer) {
        ExpectRefused(aclrtDeviceCanAccessPeer(&can, device, peer), 100000,
                      "peerDeviceId is " + std::to_string(peer), "other than deviceId");
        EXPECT_TRUE(can.Untouched());
      } else {
        EXPECT_EQ(aclrtDeviceCanAccessPeer(&can, device, peer), ACL_SUCCESS);
        EXPECT_EQ(*can, 1);
      }
    }
  }
}

TEST_F(Peer, CanAccessPeerChecksInItsOrder) {
  Output<int32_t> can;
  ExpectRefused(aclrtDeviceCanAccessPeer(nullptr, 1, 1), 100000, "peerDeviceId is 1");
  ExpectRefused(aclrtDeviceCanAccessPeer(nullptr, 0, 1), 107000, "canAccessPeer is null");
  ExpectRefused(aclrtDeviceCanAccessPeer(nullptr, 0, 7), 107000, "canAccessPeer is null");
  ExpectRefused(aclrtDeviceCanAccessPeer(&can, 0, kDevices), 107001,
                "aclrtDeviceCanAccessPeer: peerDeviceId is 3; allowed 0 to 2");
  ExpectRefused(aclrtDeviceCanAccessPeer(&can, -1, 0), 107001,
                "aclrtDeviceCanAccessPeer: deviceId is -1; allowed 0 to 2");
  EXPECT_TRUE(can.Untouched());
}

TEST_F(Peer, EnableChecksInItsOrder) {
  ExpectRefused(aclrtDeviceEnablePeerAccess(0, 1), 200006, "flags is 1", "allowed 0");
  ExpectRefused(aclrtDeviceEnablePeerAccess(0, 0), 100000, "peerDeviceId is 0",
                "the current one, which is 0");
  ExpectRefused(aclrtDeviceEnablePeerAccess(kDevices, 0), 107001, "peerDeviceId is 3");
  ExpectRefused(aclrtDeviceEnablePeerAccess(-1, 0), 107001, "peerDeviceId is -1");
  OnFreshThread([] {
    ExpectRefused(aclrtDeviceEnablePeerAccess(1, 4), 200006, "flags is 4");
    ExpectRefused(aclrtDeviceEnablePeerAccess(1, 0), 107002, "no current context");
  });
  for (int32_t peer = 1; peer < kDevices; ++peer) EXPECT_EQ(Status(0, peer), 0);
}

TEST_F(Peer, DisableChecksInItsOrder) {
  ExpectRefused(aclrtDeviceDisablePeerAccess(0), 100000, "peerDeviceId is 0");
  ExpectRefused(aclrtDeviceDisablePeerAccess(kDevices), 107001, "peerDeviceId is 3");
  OnFreshThread(
      [] { ExpectRefused(aclrtDeviceDisablePeerAccess(1), 107002, "no current context"); });
  EXPECT_EQ(aclrtDeviceDisablePeerAccess(1), ACL_SUCCESS) << "was not enabled, and is not now";
}

TEST_F(Peer, StatusChecksItsArguments) {
  Output<int32_t> status;
  ExpectRefused(aclrtDevicePeerAccessStatus(0, 1, nullptr), 100000, "status is null");
  ExpectRefused(aclrtDevicePeerAccessStatus(0, kDevices, &status), 107000,
                "aclrtDevicePeerAccessStatus: peerDeviceId is 3; allowed 0 to 2");
  ExpectRefused(aclrtDevicePeerAccessStatus(-1, 0, &status), 107000,
                "aclrtDevicePeerAccessStatus: deviceId is -1; allowed 0 to 2");
  EXPECT_TRUE(status.Untouched());
}

TEST_F(Peer, AccessGoesOneWay) {
  ASSERT_EQ(aclrtDeviceEnablePeerAccess(2, 0), ACL_SUCCESS);
  for (int32_t device = 0; device < kDevices; ++device) {
    for (int32_t peer = 0; peer < kDevices; ++peer) {
      const bool has = device == peer || (device == 0 && peer == 2);
      EXPECT_EQ(Status(device, peer), has ? 1 : 0) << device << " to " << peer;
    }
  }
  ASSERT_EQ(aclrtDeviceEnablePeerAccess(2, 0), ACL_SUCCESS) << "again is no error";
  ASSERT_EQ(aclrtDeviceDisablePeerAccess(2), ACL_SUCCESS);
  EXPECT_EQ(Status(0, 2), 0);
}

TEST_F(Peer, TheResetOfADeviceEndsItsOwnAccessOnly) {
  ASSERT_EQ(aclrtDeviceEnablePeerAccess(1, 0), ACL_SUCCESS);
  {
    const OnDevice one(1);
    ASSERT_EQ(aclrtDeviceEnablePeerAccess(0, 0), ACL_SUCCESS);
  }
  ASSERT_EQ(aclrtResetDeviceForce(1), ACL_SUCCESS);
  EXPECT_EQ(Status(1, 0), 0);
  EXPECT_EQ(Status(0, 1), 1);
}

// One way to touch a block of another device, with a block of the current one at the other end.
struct Touch {
  const char* name;
  const char* argument;  // that is refused
  aclError (*call)(void* own, void* others, void* host);
};

// As ctest names the case.
void PrintTo(const Touch& touch, std::ostream* out) { *out << touch.name; }

constexpr auto kH2D = ACL_MEMCPY_HOST_TO_DEVICE;
constexpr auto kD2H = ACL_MEMCPY_DEVICE_TO_HOST;
constexpr auto kD2D = ACL_MEMCPY_DEVICE_TO_DEVICE;

#define BELAY_TOUCH(...)                    \
  [](void* own, void* others, void* host) { \
    (void)own;                              \
    (void)host;                             \
    return __VA_ARGS__;                     \
  }

const Touch kTouches[] = {
    {"CopyTo", "dst", BELAY_TOUCH(aclrtMemcpy(others, kBytes, own, kBytes, kD2D))},
    {"CopyFrom", "src", BELAY_TOUCH(aclrtMemcpy(own, kBytes, others, kBytes, kD2D))},
    {"CopyWithin", "dst",
     BELAY_TOUCH(aclrtMemcpy(others, 8, static_cast<char*>(others) + 8, 8, kD2D))},
    {"CopyOfDefaultKind", "dst",
     BELAY_TOUCH(aclrtMemcpy(others, kBytes, own, kBytes, ACL_MEMCPY_DEFAULT))},
    {"CopyAsyncTo", "dst",
     BELAY_TOUCH(aclrtMemcpyAsync(others, kBytes, own, kBytes, kD2D, nullptr))},
    {"CopyAsyncFrom", "src",
     BELAY_TOUCH(aclrtMemcpyAsync(own, kBytes, others, kBytes, kD2D, nullptr))},
    {"CopyAsyncFromTheHost", "dst",
     BELAY_TOUCH(aclrtMemcpyAsync(others, kBytes, host, kBytes, kH2D, nullptr))},
    {"CopyRowsAsync", "src",
     BELAY_TOUCH(aclrtMemcpy2dAsync(own, 8, others, 8, 4, 8, kD2D, nullptr))},
    {"FillAsync", "devPtr", BELAY_TOUCH(aclrtMemsetAsync(others, kBytes, 1, kBytes, nullptr))},
};

class PeerTouch : public ManyDevices, public testing::WithParamInterface<Touch> {};

TEST_P(PeerTouch, IsLegalExactlyWithAccess) {
  const Touch& touch = GetParam();
  Bytes host(kBytes, 7);
  const Block own(Bytes(kBytes, 0x11));
  void* others = nullptr;
  {
    const OnDevice one(1);
    ASSERT_EQ(aclrtMalloc(&others, kBytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    ASSERT_EQ(aclrtMemset(others, kBytes, 0x22, kBytes), ACL_SUCCESS);
    ASSERT_EQ(aclrtDeviceEnablePeerAccess(0, 0), ACL_SUCCESS) << "the other way, no help";
  }
  ASSERT_EQ(aclrtDeviceEnablePeerAccess(2, 0), ACL_SUCCESS) << "another peer, no help";
  for (int round = 0; round < 2; ++round) {
    ExpectRefused(touch.call(own.get(), others, host.data()), 107000,
                  std::string(touch.argument) + " is ", "memory of device 1",
                  "allowed host memory, memory of device 0, or peer access to device 1");
    ASSERT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
    EXPECT_EQ(own.Read(kBytes), Bytes(kBytes, 0x11)) << "untouched";
    EXPECT_EQ(host, Bytes(kBytes, 7)) << "untouched";
    {
      const OnDevice one(1);
      Bytes seen(kBytes);
      ASSERT_EQ(aclrtMemcpy(seen.data(), kBytes, others, kBytes, kD2H), ACL_SUCCESS);
      EXPECT_EQ(seen, Bytes(kBytes, 0x22)) << "untouched";
    }
    if (round == 1) break;
    ASSERT_EQ(aclrtDeviceEnablePeerAccess(1, 0), ACL_SUCCESS);
    EXPECT_EQ(touch.call(own.get(), others, host.data()), ACL_SUCCESS) << TakeMessages();
    ASSERT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
    // As before, for the next round.
    own.Write(Bytes(kBytes, 0x11));
    host.assign(kBytes, 7);
    ASSERT_EQ(aclrtMemset(others, kBytes, 0x22, kBytes), ACL_SUCCESS);
    ASSERT_EQ(aclrtDeviceDisablePeerAccess(1), ACL_SUCCESS);
  }
  EXPECT_EQ(aclrtFree(others), ACL_SUCCESS);
}

INSTANTIATE_TEST_SUITE_P(All, PeerTouch, testing::ValuesIn(kTouches),
                         [](const auto& each) { return std::string(each.param.name); });

// The host reaches the memory of all devices, whichever is current.
TEST_F(Peer, TheHostNeedsNoAccess) {
  Bytes host = SomeBytes(kBytes);
  void* others = nullptr;
  {
    const OnDevice one(1);
    ASSERT_EQ(aclrtMalloc(&others, kBytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  }
  EXPECT_EQ(aclrtMemcpy(others, kBytes, host.data(), kBytes, kH2D), ACL_SUCCESS);
  Bytes seen(kBytes);
  EXPECT_EQ(aclrtMemcpy(seen.data(), kBytes, others, kBytes, kD2H), ACL_SUCCESS);
  EXPECT_EQ(seen, host);
  EXPECT_EQ(aclrtMemset(others, kBytes, 3, kBytes), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemcpy2d(others, 8, host.data(), 8, 4, 8, kH2D), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemcpy(seen.data(), kBytes, others, kBytes, kD2H), ACL_SUCCESS);
  Bytes expected(kBytes, 3);
  for (std::size_t row = 0; row < 8; ++row) {
    std::copy_n(host.begin() + static_cast<std::ptrdiff_t>(8 * row), 4,
                expected.begin() + static_cast<std::ptrdiff_t>(8 * row));
  }
  EXPECT_EQ(seen, expected);
  EXPECT_EQ(aclrtFree(others), ACL_SUCCESS);
}

TEST_F(Peer, CopiesBytes) {
  const Block own(SomeBytes(1000));
  void* others = nullptr;
  {
    const OnDevice one(1);
    ASSERT_EQ(aclrtMalloc(&others, 1000, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  }
  ASSERT_EQ(aclrtDeviceEnablePeerAccess(1, 0), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemcpy(others, 1000, own.get(), 1000, kD2D), ACL_SUCCESS);
  const OnDevice one(1);
  Bytes seen(1000);
  ASSERT_EQ(aclrtMemcpy(seen.data(), 1000, others, 1000, kD2H), ACL_SUCCESS);
  EXPECT_EQ(seen, SomeBytes(1000));
  EXPECT_EQ(aclrtFree(others), ACL_SUCCESS);
}

TEST_F(Peer, QueuedWorkOutlivesTheAccess) {
  const OwnStream stream;
  const Block own(Bytes(kBytes, 0x11));
  void* others = nullptr;
  {
    const OnDevice one(1);
    ASSERT_EQ(aclrtMalloc(&others, kBytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    ASSERT_EQ(aclrtMemset(others, kBytes, 0x22, kBytes), ACL_SUCCESS);
  }
  const Gate gate;
  Door door = gate.door();
  ASSERT_EQ(aclrtLaunchHostFunc(
                stream, [](void* at) { EXPECT_TRUE(static_cast<Door*>(at)->Wait()); }, &door),
            ACL_SUCCESS);
  ASSERT_EQ(aclrtDeviceEnablePeerAccess(1, 0), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemcpyAsync(own.get(), kBytes, others, kBytes, kD2D, stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtDeviceDisablePeerAccess(1), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(others), ACL_SUCCESS);
  gate.Open();
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(own.Read(kBytes), Bytes(kBytes, 0x22));
}

TEST_F(Peer, AnotherThreadOfTheDeviceHasTheAccessToo) {
  ASSERT_EQ(aclrtDeviceEnablePeerAccess(1, 0), ACL_SUCCESS);
  void* others = nullptr;
  {
    const OnDevice one(1);
    ASSERT_EQ(aclrtMalloc(&others, kBytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  }
  OnFreshThread([others] {
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    EXPECT_EQ(aclrtMemset(others, kBytes, 1, kBytes), ACL_SUCCESS);
  });
  EXPECT_EQ(aclrtFree(others), ACL_SUCCESS);
}

}  // namespace
}  // namespace belay::test
