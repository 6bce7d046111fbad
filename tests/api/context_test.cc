// Contexts, what each thread's current one is, and system options.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

#include "acl/acl.h"
#include "support/api_test_support.h"
#include "support/threads.h"

namespace belay::test {
namespace {

class ContextTest : public testing::Test {
 protected:
  void SetUp() override { (void)TakeMessages(); }
  void TearDown() override { (void)aclrtResetDeviceForce(0); }
};

aclrtContext CurrentContext() {
  aclrtContext context = nullptr;
  EXPECT_EQ(aclrtGetCurrentContext(&context), ACL_SUCCESS);
  return context;
}

aclrtStream DefaultStream() {
  aclrtStream stream = nullptr;
  EXPECT_EQ(aclrtCtxGetCurrentDefaultStream(&stream), ACL_SUCCESS);
  return stream;
}

void ExpectNoContext() {
  Output<aclrtContext> context;
  ExpectRefused(aclrtGetCurrentContext(&context), ACL_ERROR_RT_CONTEXT_NULL,
                "aclrtGetCurrentContext", "no current context");
  EXPECT_TRUE(context.Untouched());
}

TEST_F(ContextTest, CreationRefusals) {
  ExpectRefused(aclrtCreateContext(nullptr, 0), 100000, "aclrtCreateContext", "context is null");
  ExpectRefused(aclrtCreateContext(nullptr, -1), 100000, "context is null");
  Output<aclrtContext> context;
  for (const int32_t device : {-1, 1, 1000}) {
    ExpectRefused(aclrtCreateContext(&context, device), ACL_ERROR_RT_INVALID_DEVICEID,
                  "aclrtCreateContext", "deviceId is " + std::to_string(device));
  }
  EXPECT_TRUE(context.Untouched());
  ExpectNoContext();
}

TEST_F(ContextTest, ANewContextIsCurrentWithAStreamOfItsOwn) {
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  const aclrtContext primary = CurrentContext();
  const aclrtStream primary_stream = DefaultStream();
  aclrtContext created = nullptr;
  ASSERT_EQ(aclrtCreateContext(&created, 0), ACL_SUCCESS);
  EXPECT_NE(created, primary);
  EXPECT_EQ(CurrentContext(), created);
  EXPECT_NE(DefaultStream(), primary_stream);
  int32_t device = -1;
  EXPECT_EQ(aclrtGetDevice(&device), ACL_SUCCESS);
  EXPECT_EQ(device, 0);
  // aclrtSetDevice goes back to the primary one.
  EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(CurrentContext(), primary);
  EXPECT_EQ(DefaultStream(), primary_stream);
  EXPECT_EQ(aclrtSetCurrentContext(created), ACL_SUCCESS);
  EXPECT_EQ(CurrentContext(), created);
  EXPECT_EQ(aclrtDestroyContext(created), ACL_SUCCESS);
  ExpectNoContext();
}

TEST_F(ContextTest, CurrentIsPerThread) {
  aclrtContext created = nullptr;
  ASSERT_EQ(aclrtCreateContext(&created, 0), ACL_SUCCESS);
  OnFreshThread([created] {
    ExpectNoContext();
    EXPECT_EQ(aclrtSetCurrentContext(created), ACL_SUCCESS);
    EXPECT_EQ(CurrentContext(), created);
    aclrtContext other = nullptr;
    EXPECT_EQ(aclrtCreateContext(&other, 0), ACL_SUCCESS);
    EXPECT_EQ(CurrentContext(), other);
    EXPECT_EQ(aclrtDestroyContext(other), ACL_SUCCESS);
  });
  EXPECT_EQ(CurrentContext(), created);
  OnFreshThread([created] { EXPECT_EQ(aclrtDestroyContext(created), ACL_SUCCESS); });
  Output<aclrtContext> context;
  ExpectRefused(aclrtGetCurrentContext(&context), ACL_ERROR_RT_CONTEXT_NULL, "any more");
}

TEST_F(ContextTest, DestroyRefusals) {
  ExpectRefused(aclrtDestroyContext(nullptr), 100000, "aclrtDestroyContext", "context is null");
  aclrtContext created = nullptr;
  ASSERT_EQ(aclrtCreateContext(&created, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyContext(created), ACL_SUCCESS);
  ExpectRefused(aclrtDestroyContext(created), ACL_ERROR_RT_CONTEXT_NULL, "aclrtDestroyContext",
                "already destroyed");
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  ExpectRefused(aclrtDestroyContext(CurrentContext()), ACL_ERROR_RT_CONTEXT_NULL,
                "aclrtDestroyContext", "primary context of device 0");
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS) << "and it is as alive as before";
}

TEST_F(ContextTest, WhatIsNoContext) {
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  const aclrtContext primary = CurrentContext();
  const OwnEvent event;
  int local = 0;
  aclrtContext destroyed = nullptr;
  ASSERT_EQ(aclrtCreateContext(&destroyed, 0), ACL_SUCCESS);
  ASSERT_EQ(aclrtDestroyContext(destroyed), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetCurrentContext(primary), ACL_SUCCESS);
  const std::pair<aclrtContext, const char*> rows[] = {
      {destroyed, "already destroyed"},
      {event, "the handle of an event"},
      {DefaultStream(), "the handle of a stream"},
      {&local, "no handle that this library gave out"},
  };
  for (const auto& [handle, text] : rows) {
    ExpectRefused(aclrtSetCurrentContext(handle), ACL_ERROR_RT_PARAM_INVALID,
                  "aclrtSetCurrentContext", "context is", text);
    ExpectRefused(aclrtDestroyContext(handle), ACL_ERROR_RT_CONTEXT_NULL, "aclrtDestroyContext",
                  "context is", text);
    EXPECT_EQ(CurrentContext(), primary);
  }
  ExpectRefused(aclrtSetCurrentContext(nullptr), 100000, "aclrtSetCurrentContext", "null");
}

TEST_F(ContextTest, ResetEndsThePrimaryContextOnly) {
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  const aclrtContext primary = CurrentContext();
  aclrtContext created = nullptr;
  ASSERT_EQ(aclrtCreateContext(&created, 0), ACL_SUCCESS);
  void* memory = nullptr;
  ASSERT_EQ(aclrtMalloc(&memory, 8, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(CurrentContext(), created);
  EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS) << "its device's memory lives while a context does";
  ExpectRefused(aclrtSetCurrentContext(primary), ACL_ERROR_RT_PARAM_INVALID, "already destroyed");
  EXPECT_EQ(aclrtDestroyContext(created), ACL_SUCCESS);
}

TEST_F(ContextTest, DestroyEndsItsStreams) {
  aclrtContext created = nullptr;
  ASSERT_EQ(aclrtCreateContext(&created, 0), ACL_SUCCESS);
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtDestroyContext(created), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  ExpectRefused(aclrtSynchronizeStream(stream), ACL_ERROR_RT_INVALID_HANDLE,
                "aclrtSynchronizeStream", "already destroyed");
}

TEST_F(ContextTest, DefaultStreamIsWhatNullMeans) {
  ExpectRefused(aclrtCtxGetCurrentDefaultStream(nullptr), 100000, "aclrtCtxGetCurrentDefaultStream",
                "stream is null");
  Output<aclrtStream> none;
  ExpectRefused(aclrtCtxGetCurrentDefaultStream(&none), ACL_ERROR_RT_CONTEXT_NULL,
                "aclrtCtxGetCurrentDefaultStream");
  EXPECT_TRUE(none.Untouched());
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  int32_t by_handle = -1;
  int32_t by_null = -2;
  EXPECT_EQ(aclrtStreamGetId(DefaultStream(), &by_handle), ACL_SUCCESS);
  EXPECT_EQ(aclrtStreamGetId(nullptr, &by_null), ACL_SUCCESS);
  EXPECT_EQ(by_handle, by_null);
  EXPECT_EQ(aclrtSynchronizeStream(DefaultStream()), ACL_SUCCESS);
}

TEST_F(ContextTest, PrimaryContextState) {
  Output<int32_t> active;
  uint32_t flags = 0;
  ExpectRefused(aclrtGetPrimaryCtxState(0, nullptr, nullptr), 100000, "aclrtGetPrimaryCtxState",
                "active is null");
  ExpectRefused(aclrtGetPrimaryCtxState(0, &flags, &active), 100000, "flags is not null");
  ExpectRefused(aclrtGetPrimaryCtxState(9, &flags, &active), 100000, "flags is not null");
  ExpectRefused(aclrtGetPrimaryCtxState(1, nullptr, &active), ACL_ERROR_RT_INVALID_DEVICEID,
                "aclrtGetPrimaryCtxState", "deviceId is 1");
  EXPECT_TRUE(active.Untouched());
  EXPECT_EQ(aclrtGetPrimaryCtxState(0, nullptr, &active), ACL_SUCCESS);
  EXPECT_EQ(*active, 0);
  aclrtContext created = nullptr;
  ASSERT_EQ(aclrtCreateContext(&created, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetPrimaryCtxState(0, nullptr, &active), ACL_SUCCESS);
  EXPECT_EQ(*active, 0) << "a created context is not the primary one";
  EXPECT_EQ(aclrtDestroyContext(created), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetPrimaryCtxState(0, nullptr, &active), ACL_SUCCESS);
  EXPECT_EQ(*active, 1);
  ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetPrimaryCtxState(0, nullptr, &active), ACL_SUCCESS);
  EXPECT_EQ(*active, 0);
}

TEST_F(ContextTest, ThreadsCreateAndDestroy) {
  RunTogether(6, [](std::size_t) {
    for (int i = 0; i < 50; ++i) {
      aclrtContext context = nullptr;
      EXPECT_EQ(aclrtCreateContext(&context, 0), ACL_SUCCESS);
      EXPECT_EQ(CurrentContext(), context);
      EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
      EXPECT_EQ(aclrtDestroyContext(context), ACL_SUCCESS);
      ExpectNoContext();
    }
  });
}

// Options.

constexpr auto kDeterministic = ACL_OPT_DETERMINISTIC;
constexpr auto kDebugKernel = ACL_OPT_ENABLE_DEBUG_KERNEL;
constexpr auto kEarlyStart = ACL_OPT_ENABLE_KERNEL_EARLY_START;

aclSysParamOpt Option(int number) { return static_cast<aclSysParamOpt>(number); }

TEST_F(ContextTest, OptionRefusals) {
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  Output<int64_t> value;
  ExpectRefused(aclrtCtxGetSysParamOpt(kDeterministic, nullptr), 100000, "aclrtCtxGetSysParamOpt",
                "value is null");
  ExpectRefused(aclrtGetSysParamOpt(kDeterministic, nullptr), 100000, "aclrtGetSysParamOpt",
                "value is null");
  for (const int opt : {-1, 3, 4, 100}) {
    const std::string seen = "opt is " + std::to_string(opt) + "; allowed 0 to 2";
    ExpectRefused(aclrtCtxSetSysParamOpt(Option(opt), 0), 100000, "aclrtCtxSetSysParamOpt", seen);
    ExpectRefused(aclrtCtxGetSysParamOpt(Option(opt), &value), 100000, "aclrtCtxGetSysParamOpt",
                  seen);
  }
  for (const int opt : {-1, 4, 100}) {
    const std::string seen = "opt is " + std::to_string(opt) + "; allowed 0 to 3";
    ExpectRefused(aclrtSetSysParamOpt(Option(opt), 0), 100000, "aclrtSetSysParamOpt", seen);
    ExpectRefused(aclrtGetSysParamOpt(Option(opt), &value), 100000, "aclrtGetSysParamOpt", seen);
  }
  const std::pair<aclSysParamOpt, int64_t> bad[] = {{kDeterministic, -1},
                                                    {kDeterministic, 4},
                                                    {kDeterministic, INT64_MAX},
                                                    {kDebugKernel, -1},
                                                    {kDebugKernel, 2}};
  for (const auto& [opt, number] : bad) {
    const std::string seen = "value is " + std::to_string(number);
    ExpectRefused(aclrtCtxSetSysParamOpt(opt, number), 100000, "aclrtCtxSetSysParamOpt", seen);
    ExpectRefused(aclrtSetSysParamOpt(opt, number), 100000, "aclrtSetSysParamOpt", seen);
  }
  EXPECT_TRUE(value.Untouched());
}

TEST_F(ContextTest, ContextOptionsNeedAContextAndAValue) {
  Output<int64_t> value;
  ExpectRefused(aclrtCtxSetSysParamOpt(kDeterministic, 1), ACL_ERROR_RT_CONTEXT_NULL,
                "aclrtCtxSetSysParamOpt", "no current context");
  ExpectRefused(aclrtCtxGetSysParamOpt(kDeterministic, &value), ACL_ERROR_RT_CONTEXT_NULL,
                "aclrtCtxGetSysParamOpt", "no current context");
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  ExpectRefused(aclrtCtxGetSysParamOpt(kDebugKernel, &value), ACL_ERROR_RT_SYSPARAMOPT_NOT_SET,
                "aclrtCtxGetSysParamOpt", "option 1 was never set");
  EXPECT_TRUE(value.Untouched());
}

TEST_F(ContextTest, EachContextHasItsOwnOptions) {
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  for (const int64_t number : {0, 1, 2, 3}) {
    EXPECT_EQ(aclrtCtxSetSysParamOpt(kDeterministic, number), ACL_SUCCESS);
    int64_t value = -1;
    EXPECT_EQ(aclrtCtxGetSysParamOpt(kDeterministic, &value), ACL_SUCCESS);
    EXPECT_EQ(value, number);
  }
  aclrtContext created = nullptr;
  ASSERT_EQ(aclrtCreateContext(&created, 0), ACL_SUCCESS);
  int64_t value = -1;
  EXPECT_EQ(aclrtCtxGetSysParamOpt(kDeterministic, &value), ACL_ERROR_RT_SYSPARAMOPT_NOT_SET);
  EXPECT_EQ(aclrtCtxSetSysParamOpt(kDeterministic, 1), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtCtxGetSysParamOpt(kDeterministic, &value), ACL_SUCCESS);
  EXPECT_EQ(value, 3);
  EXPECT_EQ(aclrtDestroyContext(created), ACL_SUCCESS);
}

TEST_F(ContextTest, ProcessOptionsNeedNoContextAndStartAtZero) {
  ExpectChildPasses({}, [] {
    for (const auto opt : {kDeterministic, kDebugKernel, kEarlyStart}) {
      int64_t value = -1;
      EXPECT_EQ(aclrtGetSysParamOpt(opt, &value), ACL_SUCCESS);
      EXPECT_EQ(value, 0) << opt;
      EXPECT_EQ(aclrtSetSysParamOpt(opt, 1), ACL_SUCCESS);
      EXPECT_EQ(aclrtGetSysParamOpt(opt, &value), ACL_SUCCESS);
      EXPECT_EQ(value, 1) << opt;
    }
    std::int64_t seen = -1;
    OnFreshThread([&seen] { EXPECT_EQ(aclrtGetSysParamOpt(kEarlyStart, &seen), ACL_SUCCESS); });
    EXPECT_EQ(seen, 1) << "of the whole process";
  });
}

}  // namespace
}  // namespace belay::test
