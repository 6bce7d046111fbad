// The first call of a process with each of its allocations failing, in a child per allocation. The
// parent never calls the API: a child of fork could not use it then.
#include <acl/acl.h>
#include <aclnnop/aclnn_trans_quant_param.h>
#include <atb/atb_infer.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>

#include "alloc_failure/injector.h"

namespace belay::alloc_failure {
namespace {

constexpr std::int64_t kMostAllocations = 3000;
constexpr auto kIndexAdd = atb::infer::IndexAddParam::INDEX_ADD;

enum Exit { kSettled = 10, kSurvived = 11, kRefused = 12, kWrongCode = 20, kNotUsableLater = 21 };

// In a child: the call with a failing allocation, then all of it again.
int InChild(std::int64_t nth, Source source, int expected, int out_of_memory, bool once,
            const std::function<int()>& call) {
  int code = 0;
  bool fired = false;
  {
    const Injection injection(nth, source);
    code = call();
    fired = injection.fired();
  }
  if (code != expected && (!fired || code != out_of_memory)) return kWrongCode;
  (void)aclGetRecentErrMsg();
  // Not aclInit twice, which would be refused.
  const int again = code == expected && once ? expected : call();
  void* block = nullptr;
  const bool usable = again == expected && aclrtSetDevice(0) == ACL_SUCCESS &&
                      aclrtMalloc(&block, 64, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS &&
                      aclrtMemset(block, 64, 1, 64) == ACL_SUCCESS &&
                      aclrtResetDevice(0) == ACL_SUCCESS;
  if (!usable) return kNotUsableLater;
  if (!fired) return kSettled;
  return code == expected ? kSurvived : kRefused;
}

void ExpectFirstCallSurvives(int expected, int out_of_memory, const std::function<int()>& call,
                             Source source = Source::kNew, bool once = false) {
  for (std::int64_t nth = 1; nth <= kMostAllocations; ++nth) {
    SCOPED_TRACE("allocation " + std::to_string(nth));
    const ::pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      ::alarm(60);
      // exit, not _exit: the end of a process that was short of memory is part of the test.
      std::exit(InChild(nth, source, expected, out_of_memory, once, call));
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
    const int result = WEXITSTATUS(status);
    if (result == kSettled) return;
    ASSERT_TRUE(result == kSurvived || result == kRefused) << "exit " << result;
  }
  FAIL() << "allocates without end";
}

TEST(FirstCall, Init) {
  ExpectFirstCallSurvives(
      ACL_SUCCESS, ACL_ERROR_RT_MEMORY_ALLOCATION, [] { return aclInit(nullptr); }, Source::kNew,
      /*once=*/true);
}

TEST(FirstCall, InitWithFile) {
  const std::string path =
      testing::TempDir() + "/belay_alloc_failure_" + std::to_string(::getpid()) + ".json";
  std::ofstream(path) << R"({"err_msg_mode": "1", "defaultDevice": {"default_device": "0"},
                             "dump": {"list": [1, 2.5, null, true, "text of some length"]}})";
  ExpectFirstCallSurvives(
      ACL_SUCCESS, ACL_ERROR_RT_MEMORY_ALLOCATION, [&] { return aclInit(path.c_str()); },
      Source::kNew, /*once=*/true);
  ::unlink(path.c_str());
}

TEST(FirstCall, InitWithBadFile) {
  const std::string path =
      testing::TempDir() + "/belay_alloc_failure_" + std::to_string(::getpid()) + ".json";
  std::ofstream(path) << R"({"err_msg_mode": "a value that is none of the two allowed ones"})";
  ExpectFirstCallSurvives(ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_MEMORY_ALLOCATION,
                          [&] { return aclInit(path.c_str()); });
  ::unlink(path.c_str());
}

TEST(FirstCall, SetDevice) {
  ExpectFirstCallSurvives(ACL_SUCCESS, ACL_ERROR_RT_MEMORY_ALLOCATION,
                          [] { return aclrtSetDevice(0); });
}

TEST(FirstCall, Refusal) {
  ExpectFirstCallSurvives(ACL_ERROR_RT_INVALID_DEVICEID, ACL_ERROR_RT_MEMORY_ALLOCATION,
                          [] { return aclrtSetDevice(-1); });
}

TEST(FirstCall, Mmap) {
  ExpectFirstCallSurvives(
      ACL_SUCCESS, ACL_ERROR_RT_MEMORY_ALLOCATION, [] { return aclrtSetDevice(0); }, Source::kMmap);
}

TEST(FirstCall, LargeFill) {
  ExpectFirstCallSurvives(ACL_SUCCESS, ACL_ERROR_RT_MEMORY_ALLOCATION, [] {
    constexpr std::size_t kLarge = std::size_t{4} << 20;
    if (const int code = aclrtSetDevice(0); code != 0) return code;
    void* block = nullptr;
    int code = aclrtMalloc(&block, kLarge, ACL_MEM_MALLOC_HUGE_FIRST);
    if (code == 0) code = aclrtMemset(block, kLarge, 1, kLarge);
    const int reset = aclrtResetDeviceForce(0);
    return code != 0 ? code : reset;
  });
}

TEST(FirstCall, TransQuantParam) {
  ExpectFirstCallSurvives(0, 561103, [] {
    const float scale = 1.5F;
    std::uint64_t* words = nullptr;
    std::uint64_t count = 0;
    const int code = aclnnTransQuantParam(&scale, 1, nullptr, 0, &words, &count);
    std::free(words);
    return code;
  });
}

// Nothing of ATB has been made yet; where the status is no part of the answer, nothing may fail.
TEST(FirstCall, OfAtb) {
  using atb::ERROR_INVALID_PARAM;
  using atb::ERROR_OUT_OF_HOST_MEMORY;
  ExpectFirstCallSurvives(atb::NO_ERROR, ERROR_OUT_OF_HOST_MEMORY, [] {
    atb::Operation* operation = nullptr;
    const int code =
        atb::CreateOperation(atb::infer::IndexAddParam{.indexType = kIndexAdd}, &operation);
    return code != atb::NO_ERROR ? code : atb::DestroyOperation(operation);
  });
  ExpectFirstCallSurvives(atb::NO_ERROR, ERROR_OUT_OF_HOST_MEMORY, [] {
    if (const int code = aclrtSetDevice(0); code != 0) return int{ERROR_OUT_OF_HOST_MEMORY};
    atb::Context* context = nullptr;
    int code = atb::CreateContext(&context);
    if (code == atb::NO_ERROR) code = atb::DestroyContext(context);
    return aclrtResetDevice(0) == 0 ? code : -1;
  });
  ExpectFirstCallSurvives(atb::NO_ERROR, ERROR_OUT_OF_HOST_MEMORY,
                          [] { return atb::DestroyContext(nullptr); });
  ExpectFirstCallSurvives(atb::NO_ERROR, ERROR_OUT_OF_HOST_MEMORY,
                          [] { return atb::DestroyOperation(nullptr); });
  ExpectFirstCallSurvives(ERROR_INVALID_PARAM, ERROR_OUT_OF_HOST_MEMORY,
                          [] { return atb::SetExecuteStreamId(nullptr, 1); });
  ExpectFirstCallSurvives(0, 0, [] { return static_cast<int>(atb::GetExecuteStreamId(nullptr)); });
}

}  // namespace
}  // namespace belay::alloc_failure
