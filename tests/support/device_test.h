// What most tests of the acl API stand on: device 0, an empty message queue, and expectations about
// the code and the text of a refusal.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <utility>

#include "acl/acl.h"

namespace belay::test {

/// The messages of this thread since the last call; empty when there are none.
inline std::string TakeMessages() {
  const char* messages = aclGetRecentErrMsg();
  return messages == nullptr ? std::string() : std::string(messages);
}

/// Sets device 0, resets it after.
class DeviceTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    (void)TakeMessages();
    (void)aclrtGetLastError(ACL_RT_THREAD_LEVEL);
  }
  void TearDown() override { EXPECT_EQ(aclrtResetDeviceForce(0), ACL_SUCCESS); }
};

/// There are messages with all the texts.
template <class... Texts>
void ExpectTold(const Texts&... texts) {
  EXPECT_THAT(TakeMessages(), testing::AllOf(testing::HasSubstr(texts)..., testing::Not("")));
}

/// The call returns `code` and leaves a message with all the texts.
template <class... Texts>
void ExpectRefused(aclError result, aclError code, const Texts&... texts) {
  EXPECT_EQ(result, code);
  ExpectTold(texts...);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
/// aclrtQueryEvent, which is deprecated and yet has to work.
inline aclError QueryEvent(aclrtEvent event, aclrtEventStatus* status) {
  return aclrtQueryEvent(event, status);
}
#pragma GCC diagnostic pop

/// A stream that is destroyed with the test.
class OwnStream {
 public:
  OwnStream() { EXPECT_EQ(aclrtCreateStream(&stream_), ACL_SUCCESS); }
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;
  ~OwnStream() {
    if (stream_ != nullptr) {
      EXPECT_EQ(aclrtDestroyStream(stream_), ACL_SUCCESS);
    }
  }

  operator aclrtStream() const { return stream_; }  // NOLINT: as the API takes it
  aclrtStream get() const { return stream_; }
  /// The test destroys it itself.
  aclrtStream Release() { return std::exchange(stream_, nullptr); }

 private:
  aclrtStream stream_ = nullptr;
};

enum class EventKind : std::uint8_t { kDefault, kFlagged, kEx };

// As ctest names cases.
inline void PrintTo(EventKind kind, std::ostream* out) {
  constexpr const char* kNames[] = {"Default", "Flagged", "Ex"};
  *out << kNames[static_cast<int>(kind)];
}

/// An event that is destroyed with the test.
class OwnEvent {
 public:
  explicit OwnEvent(EventKind kind = EventKind::kEx, uint32_t flag = ACL_EVENT_SYNC) {
    switch (kind) {
      case EventKind::kDefault:
        EXPECT_EQ(aclrtCreateEvent(&event_), ACL_SUCCESS);
        break;
      case EventKind::kFlagged:
        EXPECT_EQ(aclrtCreateEventWithFlag(&event_, flag), ACL_SUCCESS);
        break;
      case EventKind::kEx:
        EXPECT_EQ(aclrtCreateEventExWithFlag(&event_, flag), ACL_SUCCESS);
        break;
    }
  }
  OwnEvent(const OwnEvent&) = delete;
  OwnEvent& operator=(const OwnEvent&) = delete;
  ~OwnEvent() {
    if (event_ != nullptr) {
      EXPECT_EQ(aclrtDestroyEvent(event_), ACL_SUCCESS);
    }
  }

  operator aclrtEvent() const { return event_; }  // NOLINT: as the API takes it
  aclrtEvent Release() { return std::exchange(event_, nullptr); }

 private:
  aclrtEvent event_ = nullptr;
};

/// Keeps a stream busy until Open: the stream waits for an event that only Open records.
class Blocker {
 public:
  explicit Blocker(aclrtStream stream) : event_(EventKind::kFlagged, ACL_EVENT_SYNC) {
    EXPECT_EQ(aclrtStreamWaitEvent(stream, event_), ACL_SUCCESS);
  }
  Blocker(const Blocker&) = delete;
  Blocker& operator=(const Blocker&) = delete;
  ~Blocker() { Open(); }

  void Open() {
    if (open_) return;
    open_ = true;
    EXPECT_EQ(aclrtRecordEvent(event_, opener_), ACL_SUCCESS);
  }

 private:
  OwnEvent event_;
  OwnStream opener_;
  bool open_ = false;
};

}  // namespace belay::test
