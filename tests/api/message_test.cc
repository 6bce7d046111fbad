// What a program learns about a refusal: the message queue and the last error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <thread>

#include "acl/acl.h"
#include "support/api_test_support.h"
#include "support/threads.h"

namespace belay::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class MessageTest : public testing::Test {
 protected:
  void SetUp() override {
    (void)TakeMessages();
    (void)aclrtGetLastError(ACL_RT_THREAD_LEVEL);
  }
};

// Each refused with another code and text.
void FreeNull() { EXPECT_EQ(aclrtFree(nullptr), ACL_ERROR_INVALID_PARAM); }
void SetDevice(int32_t id) { EXPECT_EQ(aclrtSetDevice(id), ACL_ERROR_RT_INVALID_DEVICEID); }

TEST_F(MessageTest, NullWhenThereIsNothing) {
  EXPECT_EQ(aclGetRecentErrMsg(), nullptr);
  uint32_t count = 0;
  EXPECT_EQ(aclrtGetDeviceCount(&count), ACL_SUCCESS);
  EXPECT_EQ(aclGetRecentErrMsg(), nullptr);
}

TEST_F(MessageTest, AllSinceTheLastCallOldestFirst) {
  SetDevice(101);
  FreeNull();
  SetDevice(102);
  const std::string all = TakeMessages();
  const std::size_t first = all.find("aclrtSetDevice: deviceId is 101");
  const std::size_t second = all.find("aclrtFree: devPtr is null");
  const std::size_t third = all.find("aclrtSetDevice: deviceId is 102");
  ASSERT_NE(third, std::string::npos) << all;
  EXPECT_EQ(first, 0U);
  EXPECT_LT(first, second);
  EXPECT_LT(second, third);
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 2) << "a line each";
  EXPECT_EQ(aclGetRecentErrMsg(), nullptr) << "asking empties the queue";
  SetDevice(103);
  EXPECT_THAT(TakeMessages(), StartsWith("aclrtSetDevice: deviceId is 103"));
}

TEST_F(MessageTest, NamesTheSourceOfTheRule) {
  FreeNull();
  EXPECT_THAT(TakeMessages(), HasSubstr("[source: acl API"));
}

TEST_F(MessageTest, EachThreadHasItsOwn) {
  SetDevice(201);
  std::thread([] {
    EXPECT_EQ(aclGetRecentErrMsg(), nullptr);
    SetDevice(202);
    EXPECT_THAT(TakeMessages(), HasSubstr("deviceId is 202"));
  }).join();
  EXPECT_THAT(TakeMessages(), testing::AllOf(HasSubstr("201"), Not(HasSubstr("202"))));
}

TEST_F(MessageTest, TextStaysValidUntilTheThreadAsksAgain) {
  SetDevice(301);
  const char* text = aclGetRecentErrMsg();
  ASSERT_NE(text, nullptr);
  const std::string copy = text;
  SetDevice(302);
  std::thread([] {
    SetDevice(303);
    (void)aclGetRecentErrMsg();
  }).join();
  EXPECT_EQ(copy, text);
}

TEST_F(MessageTest, AtMostSixteenKibibytesAndTheNewestStay) {
  constexpr int kCalls = 2000;
  for (int i = 0; i < kCalls; ++i) SetDevice(1000000 + i);
  const std::string all = TakeMessages();
  EXPECT_LT(all.size(), 16U * 1024);
  EXPECT_GT(all.size(), 15U * 1024);
  EXPECT_THAT(all, StartsWith("aclrtSetDevice: deviceId is ")) << "whole messages only";
  EXPECT_THAT(all, HasSubstr(std::to_string(1000000 + kCalls - 1)));
  EXPECT_THAT(all, Not(HasSubstr("deviceId is 1000000;")));
  EXPECT_EQ(aclGetRecentErrMsg(), nullptr);
}

TEST_F(MessageTest, ProcessModeSharesOneQueue) {
  const Folder folder;
  ExpectChildPasses({{"TEST_CONFIG", folder.Write("a.json", R"({"err_msg_mode": "1"})")}}, [] {
    SetDevice(400);
    EXPECT_EQ(aclInit(Variable("TEST_CONFIG").c_str()), ACL_SUCCESS);
    std::thread([] { SetDevice(401); }).join();
    std::thread([] { SetDevice(402); }).join();
    const std::string all = TakeMessages();
    EXPECT_LT(all.find("deviceId is 400"), all.find("deviceId is 401"));
    EXPECT_LT(all.find("deviceId is 401"), all.find("deviceId is 402"));
    EXPECT_NE(all.find("deviceId is 402"), std::string::npos);
    std::thread([] { EXPECT_EQ(aclGetRecentErrMsg(), nullptr); }).join();

    for (int i = 0; i < 2000; ++i) SetDevice(1000000 + i);
    std::thread([] {
      const std::string many = TakeMessages();
      EXPECT_LT(many.size(), 16U * 1024);
      EXPECT_THAT(many, HasSubstr("1001999"));
    }).join();

    // A new life without the mode: per thread again.
    EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
    EXPECT_EQ(aclInit(nullptr), ACL_SUCCESS);
    std::thread([] { SetDevice(403); }).join();
    EXPECT_EQ(aclGetRecentErrMsg(), nullptr);
  });
}

TEST_F(MessageTest, ThreadsInProcessModeLoseNothing) {
  const Folder folder;
  ExpectChildPasses({{"TEST_CONFIG", folder.Write("a.json", R"({"err_msg_mode": 1})")}}, [] {
    EXPECT_EQ(aclInit(Variable("TEST_CONFIG").c_str()), ACL_SUCCESS);
    RunTogether(8, [](std::size_t thread) {
      for (std::size_t i = 0; i < 10; ++i) SetDevice(static_cast<int32_t>(1000 + thread * 10 + i));
    });
    const std::string all = TakeMessages();
    for (int id = 1000; id < 1080; ++id) {
      EXPECT_THAT(all, HasSubstr("deviceId is " + std::to_string(id)));
    }
  });
}

using LastError = MessageTest;

TEST_F(LastError, OnlyTheRuntimeLayerLeavesOne) {
  FreeNull();
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  SetDevice(1);
  FreeNull();
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtResetDevice(0), ACL_ERROR_RT_CONTEXT_RELEASE_ERROR);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_CONTEXT_RELEASE_ERROR);
}

TEST_F(LastError, AclLayerFailuresOfHigherNumberLeaveNoneEither) {
  const Folder folder;
  ExpectChildPasses({{"TEST_CONFIG", folder.Write("bad.json", "{")}}, [] {
    EXPECT_EQ(aclInit(Variable("TEST_CONFIG").c_str()), ACL_ERROR_FAILURE);
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  });
}

TEST_F(LastError, PeekKeepsAndGetTakes) {
  SetDevice(1);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_INVALID_DEVICEID);
  uint32_t count = 0;
  EXPECT_EQ(aclrtGetDeviceCount(&count), ACL_SUCCESS);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_INVALID_DEVICEID)
      << "a success does not clear it";
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

TEST_F(LastError, IsPerThread) {
  SetDevice(1);
  std::thread([] {
    EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
    Output<void*> memory;
    EXPECT_EQ(aclrtMalloc(&memory, 8, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_CONTEXT_NULL);
  }).join();
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_INVALID_DEVICEID);
}

TEST_F(LastError, OtherLevelsAreRefused) {
  SetDevice(1);
  (void)TakeMessages();
  for (const int level : {-1, 1, 100}) {
    const auto unknown = static_cast<aclrtLastErrLevel>(level);
    const std::string seen = "level is " + std::to_string(level);
    ExpectRefused(aclrtPeekAtLastError(unknown), 100000, "aclrtPeekAtLastError", seen);
    ExpectRefused(aclrtGetLastError(unknown), 100000, "aclrtGetLastError", seen);
  }
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_INVALID_DEVICEID);
}

}  // namespace
}  // namespace belay::test
