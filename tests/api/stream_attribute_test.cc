// Properties of streams: id, priority, flags, attributes, failure mode.
#include <gtest/gtest.h>

#include "acl/acl.h"
#include "support/device_test.h"
#include "support/threads.h"

namespace belay::test {
namespace {

class StreamGetters : public DeviceTest {
 protected:
  // All three refuse the same; their outputs stay as they are.
  static void ExpectAllRefuse(aclrtStream stream, aclError code, const char* seen) {
    int32_t id = 77;
    uint32_t priority = 77;
    uint32_t flags = 77;
    ExpectRefused(aclrtStreamGetId(stream, &id), code, "aclrtStreamGetId: ", seen);
    ExpectRefused(aclrtStreamGetPriority(stream, &priority), code,
                  "aclrtStreamGetPriority: ", seen);
    ExpectRefused(aclrtStreamGetFlags(stream, &flags), code, "aclrtStreamGetFlags: ", seen);
    EXPECT_EQ(id, 77);
    EXPECT_EQ(priority, 77U);
    EXPECT_EQ(flags, 77U);
  }
};

TEST_F(StreamGetters, NullMeansTheDefaultStream) {
  int32_t id = -1;
  int32_t id_by_handle = -2;
  uint32_t priority = 77;
  uint32_t flags = 77;
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCtxGetCurrentDefaultStream(&stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtStreamGetId(nullptr, &id), ACL_SUCCESS);
  EXPECT_EQ(aclrtStreamGetId(stream, &id_by_handle), ACL_SUCCESS);
  EXPECT_EQ(aclrtStreamGetPriority(nullptr, &priority), ACL_SUCCESS);
  EXPECT_EQ(aclrtStreamGetFlags(nullptr, &flags), ACL_SUCCESS);
  EXPECT_EQ(id, id_by_handle);
  EXPECT_EQ(priority, 0U);
  EXPECT_EQ(flags, 0U);
}

TEST_F(StreamGetters, RefuseANullOutputFirst) {
  int local = 0;
  for (const aclrtStream stream : {aclrtStream{nullptr}, aclrtStream{&local}}) {
    ExpectRefused(aclrtStreamGetId(stream, nullptr), ACL_ERROR_INVALID_PARAM,
                  "aclrtStreamGetId: streamId is null");
    ExpectRefused(aclrtStreamGetPriority(stream, nullptr), ACL_ERROR_INVALID_PARAM,
                  "aclrtStreamGetPriority: priority is null");
    ExpectRefused(aclrtStreamGetFlags(stream, nullptr), ACL_ERROR_INVALID_PARAM,
                  "aclrtStreamGetFlags: flags is null");
  }
}

TEST_F(StreamGetters, RefuseBadStreams) {
  OwnStream own;
  const aclrtStream destroyed = own.Release();
  ASSERT_EQ(aclrtDestroyStream(destroyed), ACL_SUCCESS);
  const OwnEvent event;
  int local = 0;
  ExpectAllRefuse(destroyed, ACL_ERROR_RT_INVALID_HANDLE, "already destroyed");
  ExpectAllRefuse(event, ACL_ERROR_RT_INVALID_HANDLE, "the handle of an event");
  ExpectAllRefuse(&local, ACL_ERROR_RT_INVALID_HANDLE, "no handle");
  OnFreshThread([] { ExpectAllRefuse(nullptr, ACL_ERROR_RT_CONTEXT_NULL, "no current context"); });
}

TEST_F(StreamGetters, RefuseAStreamOfAnotherContext) {
  const OwnStream stream;
  aclrtContext first = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&first), ACL_SUCCESS);
  aclrtContext second = nullptr;
  ASSERT_EQ(aclrtCreateContext(&second, 0), ACL_SUCCESS);
  ExpectAllRefuse(stream, ACL_ERROR_RT_STREAM_CONTEXT, "belongs to another context");
  aclrtStreamAttrValue value{};
  EXPECT_EQ(aclrtSetStreamFailureMode(stream, 1), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_PRIORITY, &value),
            ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtGetStreamAttribute(stream, ACL_STREAM_ATTR_PRIORITY, &value),
            ACL_ERROR_RT_STREAM_CONTEXT);
  ASSERT_EQ(aclrtDestroyContext(second), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetCurrentContext(first), ACL_SUCCESS);
}

class StreamAttribute : public DeviceTest {
 protected:
  static aclrtStreamAttrValue Get(aclrtStream stream, aclrtStreamAttr attribute) {
    aclrtStreamAttrValue value{};
    EXPECT_EQ(aclrtGetStreamAttribute(stream, attribute, &value), ACL_SUCCESS);
    return value;
  }
};

TEST_F(StreamAttribute, FailureModeIsBitZero) {
  const OwnStream stream;
  EXPECT_EQ(Get(stream, ACL_STREAM_ATTR_FAILURE_MODE).failureMode, 0U);
  EXPECT_EQ(aclrtSetStreamFailureMode(stream, 0xFFFFFFFFFFFFFFFE), ACL_SUCCESS);
  EXPECT_EQ(Get(stream, ACL_STREAM_ATTR_FAILURE_MODE).failureMode, ACL_CONTINUE_ON_FAILURE);
  EXPECT_EQ(aclrtSetStreamFailureMode(stream, 3), ACL_SUCCESS);
  EXPECT_EQ(Get(stream, ACL_STREAM_ATTR_FAILURE_MODE).failureMode, ACL_STOP_ON_FAILURE);
  aclrtStreamAttrValue value{};
  value.failureMode = ACL_CONTINUE_ON_FAILURE;
  EXPECT_EQ(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_FAILURE_MODE, &value), ACL_SUCCESS);
  EXPECT_EQ(Get(stream, ACL_STREAM_ATTR_FAILURE_MODE).failureMode, ACL_CONTINUE_ON_FAILURE);
}

TEST_F(StreamAttribute, FailureModeRefusesBadStreams) {
  int local = 0;
  EXPECT_EQ(aclrtSetStreamFailureMode(nullptr, 0), ACL_SUCCESS);  // the default stream
  ExpectRefused(aclrtSetStreamFailureMode(&local, 0), ACL_ERROR_RT_INVALID_HANDLE,
                "aclrtSetStreamFailureMode: stream is ");
  OnFreshThread([] {
    ExpectRefused(aclrtSetStreamFailureMode(nullptr, 0), ACL_ERROR_RT_CONTEXT_NULL,
                  "aclrtSetStreamFailureMode: ");
  });
}

TEST_F(StreamAttribute, PriorityIsClampedAndSeenByTheGetter) {
  const OwnStream stream;
  for (const auto& [asked, given] : {std::pair{5U, 5U}, {7U, 7U}, {8U, 7U}, {UINT32_MAX, 7U}}) {
    aclrtStreamAttrValue value{};
    value.streamPriority = asked;
    EXPECT_EQ(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_PRIORITY, &value), ACL_SUCCESS);
    EXPECT_EQ(Get(stream, ACL_STREAM_ATTR_PRIORITY).streamPriority, given);
    uint32_t priority = 77;
    EXPECT_EQ(aclrtStreamGetPriority(stream, &priority), ACL_SUCCESS);
    EXPECT_EQ(priority, given);
  }
}

TEST_F(StreamAttribute, PriorityRefusesTheNullStream) {
  aclrtStreamAttrValue value{};
  value.streamPriority = 3;
  ExpectRefused(aclrtSetStreamAttribute(nullptr, ACL_STREAM_ATTR_PRIORITY, &value),
                ACL_ERROR_RT_PARAM_INVALID, "aclrtSetStreamAttribute: stream is null");
  ExpectRefused(aclrtGetStreamAttribute(nullptr, ACL_STREAM_ATTR_PRIORITY, &value),
                ACL_ERROR_RT_PARAM_INVALID, "aclrtGetStreamAttribute: stream is null");
  EXPECT_EQ(value.streamPriority, 3U);
}

TEST_F(StreamAttribute, OverflowCheckAndTagAreKept) {
  const OwnStream stream;
  aclrtStreamAttrValue value{};
  value.overflowSwitch = 1;
  EXPECT_EQ(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, &value),
            ACL_SUCCESS);
  value = {};
  value.userCustomTag = 1234;
  EXPECT_EQ(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &value), ACL_SUCCESS);
  EXPECT_EQ(Get(stream, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK).overflowSwitch, 1U);
  EXPECT_EQ(Get(stream, ACL_STREAM_ATTR_USER_CUSTOM_TAG).userCustomTag, 1234U);
}

TEST_F(StreamAttribute, CacheOpInfoIsZeroOrOne) {
  const OwnStream stream;
  aclrtStreamAttrValue value{};
  value.cacheOpInfoSwitch = 1;
  EXPECT_EQ(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_CACHE_OP_INFO, &value), ACL_SUCCESS);
  value.cacheOpInfoSwitch = 2;
  ExpectRefused(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_CACHE_OP_INFO, &value),
                ACL_ERROR_RT_PARAM_INVALID, "cacheOpInfoSwitch is 2; allowed 0 and 1");
  EXPECT_EQ(Get(stream, ACL_STREAM_ATTR_CACHE_OP_INFO).cacheOpInfoSwitch, 1U);
}

TEST_F(StreamAttribute, UnknownAttributesAreRefused) {
  const OwnStream stream;
  for (const int number : {0, 6, 1000, -1}) {
    const auto attribute = static_cast<aclrtStreamAttr>(number);
    const std::string seen = "stmAttrType is " + std::to_string(number) + "; allowed 1 to 5";
    aclrtStreamAttrValue value{};
    value.streamPriority = 77;
    ExpectRefused(aclrtSetStreamAttribute(stream, attribute, &value), ACL_ERROR_RT_PARAM_INVALID,
                  "aclrtSetStreamAttribute: " + seen);
    ExpectRefused(aclrtGetStreamAttribute(stream, attribute, &value), ACL_ERROR_RT_PARAM_INVALID,
                  "aclrtGetStreamAttribute: " + seen);
    EXPECT_EQ(value.streamPriority, 77U);
  }
}

TEST_F(StreamAttribute, ANullValueIsFoundFirst) {
  int local = 0;
  ExpectRefused(aclrtSetStreamAttribute(&local, ACL_STREAM_ATTR_PRIORITY, nullptr),
                ACL_ERROR_INVALID_PARAM, "aclrtSetStreamAttribute: value is null");
  ExpectRefused(aclrtGetStreamAttribute(&local, ACL_STREAM_ATTR_PRIORITY, nullptr),
                ACL_ERROR_INVALID_PARAM, "aclrtGetStreamAttribute: value is null");
}

TEST_F(StreamAttribute, ABadStreamIsFoundBeforeABadAttribute) {
  int local = 0;
  aclrtStreamAttrValue value{};
  EXPECT_EQ(aclrtSetStreamAttribute(&local, static_cast<aclrtStreamAttr>(0), &value),
            ACL_ERROR_RT_INVALID_HANDLE);
  OnFreshThread([&value] {
    EXPECT_EQ(aclrtGetStreamAttribute(nullptr, static_cast<aclrtStreamAttr>(0), &value),
              ACL_ERROR_RT_CONTEXT_NULL);
  });
}

}  // namespace
}  // namespace belay::test
