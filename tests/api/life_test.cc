// aclInit and its counterparts, configuration files, versions, and calls outside of that life.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "acl/acl.h"
#include "aclnnop/aclnn_trans_quant_param.h"
#include "support/api_test_support.h"
#include "support/threads.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"  // aclrtGetVersion

namespace belay::test {
namespace {

// Runs the steps of TEST_STEPS: "init", "final", "null" (aclFinalizeReference without a counter)
// with the code each must return, and "ref" with the count it must leave as well.
void RunSteps() {
  std::istringstream steps(Variable("TEST_STEPS"));
  std::string step;
  int code = 0;
  for (int number = 1; steps >> step >> code; ++number) {
    SCOPED_TRACE("step " + std::to_string(number) + ": " + step);
    if (step == "init") {
      EXPECT_EQ(aclInit(nullptr), code);
    } else if (step == "empty") {
      EXPECT_EQ(aclInit(""), code);
    } else if (step == "final") {
      EXPECT_EQ(aclFinalize(), code);
    } else if (step == "null") {
      EXPECT_EQ(aclFinalizeReference(nullptr), code);
    } else if (step == "ref") {
      std::uint64_t expected = 0;
      std::uint64_t left = 99;
      steps >> expected;
      EXPECT_EQ(aclFinalizeReference(&left), code);
      EXPECT_EQ(left, expected);
    } else {
      ADD_FAILURE() << "no such step";
    }
  }
  EXPECT_TRUE(steps.eof());
}

TEST(Life, EveryOrderOfInitAndFinalize) {
  for (const char* steps : {
           "final 0",
           "final 0 final 100037 final 100037",
           "final 0 init 0 final 0 final 100037",
           "init 0 init 100002 init 100002 final 0 final 100037",
           "init 0 empty 100002 ref 0 1 ref 0 0 ref 100037 0",
           "empty 0 init 100002 ref 0 1 init 100002 ref 0 1 final 0",
           "init 0 init 100002 final 0 ref 100037 0",
           "init 0 ref 0 0 final 100037",
           "init 0 null 0 null 100037 init 0 final 0",
           "ref 100037 0 final 0",
           "ref 100037 0 init 0 ref 0 0 init 0 init 100002 final 0",
           "final 0 ref 100037 0 init 0 init 100002 ref 0 1 ref 0 0",
           "init 0 final 0 init 0 final 0 init 0 final 0 init 0 init 100002 ref 0 1 ref 0 0",
       }) {
    ExpectChildPasses({{"TEST_STEPS", steps}}, RunSteps);
  }
}

TEST(Life, RefusedFinalizeSaysWhy) {
  ExpectChildPasses({}, [] {
    std::uint64_t left = 9;
    ExpectRefused(aclFinalizeReference(&left), ACL_ERROR_REPEAT_FINALIZE, "aclFinalizeReference",
                  "no initialisation is left");
    EXPECT_EQ(left, 0U);
    EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
    ExpectRefused(aclFinalize(), ACL_ERROR_REPEAT_FINALIZE, "aclFinalize", "finalised before");
    EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  });
}

TEST(Life, RepeatedInitIsSilent) {
  const BodyResult child = ExpectChildPasses({{"ASCEND_GLOBAL_LOG_LEVEL", "0"}}, [] {
    EXPECT_EQ(aclInit(nullptr), ACL_SUCCESS);
    EXPECT_EQ(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
    EXPECT_EQ(aclGetRecentErrMsg(), nullptr);
    EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  });
  EXPECT_EQ(child.err, "");
}

TEST(Life, ThreadsInitialiseTogether) {
  ExpectChildPasses({}, [] {
    std::atomic<int> first = 0;
    std::atomic<int> later = 0;
    RunTogether(8, [&](std::size_t) {
      const aclError code = aclInit(nullptr);
      if (code == ACL_SUCCESS) ++first;
      if (code == ACL_ERROR_REPEAT_INITIALIZE) ++later;
    });
    EXPECT_EQ(first, 1);
    EXPECT_EQ(later, 7);
    std::uint64_t left = 0;
    EXPECT_EQ(aclFinalizeReference(&left), ACL_SUCCESS);
    EXPECT_EQ(left, 7U);
  });
}

// A file of TEST_CONFIG, and what aclInit must say to it.
void InitWithConfig() {
  const int code = std::atoi(Variable("TEST_CODE").c_str());
  const std::string path = Variable("TEST_CONFIG");
  if (code == ACL_SUCCESS) {
    EXPECT_EQ(aclInit(path.c_str()), ACL_SUCCESS);
    EXPECT_EQ(TakeMessages(), "");
    return;
  }
  ExpectRefused(aclInit(path.c_str()), code, "aclInit", Variable("TEST_TEXT"));
  EXPECT_EQ(aclInit(nullptr), ACL_SUCCESS) << "a refused aclInit does not count";
}

void ExpectInit(const std::string& path, int code, const std::string& text = "") {
  SCOPED_TRACE(path);
  ExpectChildPasses(
      {{"TEST_CONFIG", path}, {"TEST_CODE", std::to_string(code)}, {"TEST_TEXT", text}},
      InitWithConfig);
}

std::string Nested(int depth, const std::string& innermost) {
  std::string text = innermost;
  for (int i = 1; i < depth; ++i) text = "{\"a\": " + text + "}";
  return text;
}

TEST(Config, FilesThatCannotBeRead) {
  const Folder folder;
  ExpectInit((folder.path() / "missing.json").string(), ACL_ERROR_INVALID_FILE, "missing.json");
  ExpectInit(folder.path().string(), ACL_ERROR_INVALID_FILE, "configPath is");
}

TEST(Config, Contents) {
  const struct {
    std::string content;
    int code;
    std::string text;
  } rows[] = {
      {"{}", 0, ""},
      {"", 0, ""},
      {" \n\t\r\n", 0, ""},
      {R"({"dump": {"dump_list": []}, "profiler": {}, "max_opqueue_num": "20000", "new": 1})", 0,
       ""},
      {R"({"err_msg_mode": "0"})", 0, ""},
      {R"({"err_msg_mode": "1"})", 0, ""},
      {R"({"err_msg_mode": 1})", 0, ""},
      {R"({"err_msg_mode": "2"})", ACL_ERROR_INVALID_PARAM, "err_msg_mode is \"2\"; allowed"},
      {R"({"err_msg_mode": ""})", ACL_ERROR_INVALID_PARAM, "err_msg_mode"},
      {R"({"err_msg_mode": -1})", ACL_ERROR_INVALID_PARAM, "err_msg_mode is -1"},
      {R"({"err_msg_mode": true})", ACL_ERROR_INVALID_PARAM, "err_msg_mode is true"},
      {R"({"err_msg_mode": null})", ACL_ERROR_INVALID_PARAM, "err_msg_mode is null"},
      {R"({"defaultDevice": {"default_device": "0"}})", 0, ""},
      {R"({"defaultDevice": {"default_device": 0}})", 0, ""},
      {R"({"defaultDevice": {"default_device": "1"}})", ACL_ERROR_FAILURE, "defaultDevice"},
      {R"({"defaultDevice": {"default_device": -1}})", ACL_ERROR_FAILURE, "defaultDevice"},
      {R"({"defaultDevice": {"default_device": "0x"}})", ACL_ERROR_FAILURE, "defaultDevice"},
      {R"({"defaultDevice": {"default_device": 4294967296}})", ACL_ERROR_FAILURE, "defaultDevice"},
      {R"({"defaultDevice": {"default_device": 1e400}})", ACL_ERROR_FAILURE, ""},
      {R"({"defaultDevice": {}})", ACL_ERROR_FAILURE, "defaultDevice"},
      {R"({"defaultDevice": "0"})", ACL_ERROR_FAILURE, "defaultDevice"},
      {"{", ACL_ERROR_FAILURE, "JSON"},
      {"[]", ACL_ERROR_FAILURE, "JSON"},
      {"\xFF\xFE{}", ACL_ERROR_FAILURE, "JSON"},
      {"{} {}", ACL_ERROR_FAILURE, "JSON"},
      {std::string(100000, '['), ACL_ERROR_FAILURE, "JSON"},
      {Nested(10, "{}"), 0, ""},
      {Nested(10, R"({"a": 1})"), 0, ""},
      {Nested(11, "{}"), ACL_ERROR_FAILURE, "at most 10 deep"},
      {Nested(11, R"({"a": 1})"), ACL_ERROR_FAILURE, "at most 10 deep"},
      {Nested(11, "[]"), ACL_ERROR_FAILURE, "at most 10 deep"},
  };
  const Folder folder;
  for (const auto& row : rows) {
    SCOPED_TRACE(row.content.substr(0, 80));
    ExpectInit(folder.Write("config.json", row.content), row.code, row.text);
  }
}

TEST(Config, RepeatMustHaveTheSameContent) {
  const Folder folder;
  ExpectChildPasses({{"TEST_FIRST", folder.Write("first.json", R"({"err_msg_mode": "0"})")},
                     {"TEST_SAME", folder.Write("same.json", R"({"err_msg_mode": "0"})")},
                     {"TEST_OTHER", folder.Write("other.json", R"({"err_msg_mode": "1"})")}},
                    [] {
                      const std::string first = Variable("TEST_FIRST");
                      const std::string other = Variable("TEST_OTHER");
                      EXPECT_EQ(aclInit(first.c_str()), ACL_SUCCESS);
                      EXPECT_EQ(aclInit(Variable("TEST_SAME").c_str()), 100002);
                      EXPECT_EQ(aclInit(nullptr), 100002);
                      ExpectRefused(aclInit(other.c_str()), 100000, "aclInit", "differs");
                      std::uint64_t left = 0;
                      EXPECT_EQ(aclFinalizeReference(&left), ACL_SUCCESS);
                      EXPECT_EQ(left, 2U) << "the refused call did not count";
                      EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
                      EXPECT_EQ(aclInit(other.c_str()), ACL_SUCCESS) << "a new life";
                    });
}

TEST(Config, DefaultDeviceServesThreadsThatChoseNone) {
  const Folder folder;
  ExpectChildPasses(
      {{"BELAY_NUM_DEVICES", "3"},
       {"TEST_CONFIG", folder.Write("a.json", R"({"defaultDevice": {"default_device": "2"}})")}},
      [] {
        Output<int32_t> device;
        ExpectRefused(aclrtGetDevice(&device), ACL_ERROR_RT_CONTEXT_NULL, "aclrtGetDevice");
        EXPECT_TRUE(device.Untouched());
        EXPECT_EQ(aclInit(Variable("TEST_CONFIG").c_str()), ACL_SUCCESS);
        OnFreshThread([] {
          void* memory = nullptr;
          EXPECT_EQ(aclrtMalloc(&memory, 8, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
          int32_t chosen = -1;
          EXPECT_EQ(aclrtGetDevice(&chosen), ACL_SUCCESS);
          EXPECT_EQ(chosen, 2);
          EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
          EXPECT_EQ(aclrtSetDevice(1), ACL_SUCCESS);
          EXPECT_EQ(aclrtGetDevice(&chosen), ACL_SUCCESS);
          EXPECT_EQ(chosen, 1);
        });
      });
}

TEST(Life, NothingBreaksAfterFinalize) {
  ExpectChildPasses({}, [] {
    EXPECT_EQ(aclInit(nullptr), ACL_SUCCESS);
    EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    void* early = nullptr;
    aclrtStream stream = nullptr;
    aclrtEvent event = nullptr;
    EXPECT_EQ(aclrtMalloc(&early, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    EXPECT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
    EXPECT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
    EXPECT_EQ(aclFinalize(), ACL_SUCCESS);

    EXPECT_EQ(aclrtRecordEvent(event, stream), ACL_SUCCESS);
    EXPECT_EQ(aclrtMemsetAsync(early, 64, 1, 64, stream), ACL_SUCCESS);
    EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
    EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
    EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
    EXPECT_EQ(aclrtFree(early), ACL_SUCCESS);
    EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
    const float scale = 1.0F;
    std::uint64_t* packed = nullptr;
    std::uint64_t size = 0;
    EXPECT_EQ(aclnnTransQuantParam(&scale, 1, nullptr, 0, &packed, &size), 0);
    std::free(packed);
    for (int cycle = 0; cycle < 3; ++cycle) {
      EXPECT_EQ(aclInit(nullptr), ACL_SUCCESS);
      EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
      void* memory = nullptr;
      EXPECT_EQ(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
      EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
      EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
      EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
    }
    EXPECT_EQ(TakeMessages(), "");
  });
}

// Objects that live until the end of the process.
struct CallsAtTheEnd {
  ~CallsAtTheEnd() {
    (void)aclrtResetDevice(0);
    (void)aclFinalize();
    (void)aclGetRecentErrMsg();
    void* memory = nullptr;
    (void)aclrtMalloc(&memory, 8, ACL_MEM_MALLOC_HUGE_FIRST);
  }
};

TEST(Life, StaticDestructorsMayCall) {
  ExpectChildPasses({}, [] {
    static const CallsAtTheEnd made_before_the_library_is_used;
    EXPECT_EQ(aclInit(nullptr), ACL_SUCCESS);
    EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  });
  ExpectChildPasses({}, [] {
    EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    static const CallsAtTheEnd made_after;
  });
}

TEST(Life, Version) {
  int32_t major = 0;
  int32_t minor = 0;
  int32_t patch = -1;
  EXPECT_EQ(aclrtGetVersion(&major, &minor, &patch), ACL_SUCCESS);
  EXPECT_EQ(major, ACL_MAJOR_VERSION);
  EXPECT_EQ(major, 1);
  EXPECT_EQ(minor, 17);
  EXPECT_EQ(patch, 0);
  (void)TakeMessages();
  Output<int32_t> out;
  ExpectRefused(aclrtGetVersion(nullptr, &out, &out), 100000, "aclrtGetVersion", "majorVersion");
  ExpectRefused(aclrtGetVersion(&out, nullptr, &out), 100000, "aclrtGetVersion", "minorVersion");
  ExpectRefused(aclrtGetVersion(&out, &out, nullptr), 100000, "aclrtGetVersion", "patchVersion");
  EXPECT_TRUE(out.Untouched());
}

}  // namespace
}  // namespace belay::test
