// Execute of ATB operations and the run of their tasks with each of their allocations failing: one
// alone, and with all that follow it.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "alloc_failure/injector.h"
#include "runtime/machine.h"
#include "support/atb_test.h"

namespace belay::alloc_failure {
namespace {

using test::Kind;
using test::Sample;

constexpr std::int64_t kMostAllocations = 200;

/// A task that holds a stream until Release, which needs no memory.
class Held {
 public:
  explicit Held(aclrtStream stream) {
    released = false;
    runtime::LaunchTask task;
    task.launch.plan.operation = "holds the stream";
    task.launch.plan.run = [](const Plan&, std::span<void* const>) -> Status {
      released.wait(false);
      return {};
    };
    // Large, so that it does not run on the test's own thread.
    task.launch.plan.AddAccess({"none", 0, AccessMode::kRead, 0, 1U << 30});
    const auto found = runtime::Machine::Get().streams().Acquire(stream);
    EXPECT_TRUE(runtime::Stream::Submit(found, std::move(task)).ok());
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() { Release(); }

  static void Release() noexcept {
    released = true;
    released.notify_all();
  }

 private:
  inline static std::atomic<bool> released{true};
};

class AtbRuns : public test::AtbTest, public testing::WithParamInterface<Kind> {
 protected:
  void TearDown() override {
    workspace_.reset();
    AtbTest::TearDown();
  }

  static int OutOfMemory() { return atb::ERROR_OUT_OF_HOST_MEMORY; }
  int Execute(const Sample& sample) {
    return AtbTest::Execute(sample.operation, sample.pack, workspace_);
  }
  int ExecuteAs(atb::ExecuteType type, const Sample& sample) {
    EXPECT_EQ(context_->SetExecuteType(type), atb::NO_ERROR);
    const int status = Execute(sample);
    EXPECT_EQ(context_->SetExecuteType(atb::EXECUTE_NORMAL), atb::NO_ERROR);
    return status;
  }
  void SetUpSample(const Sample& sample) { workspace_ = Setup(sample.operation, sample.pack); }

  /// One round for the failure of allocation 1, 2, ... until `round` makes no more; it is given the
  /// failure to wrap around what it probes, and says whether the failure took place.
  static void ForEachFailure(const std::function<bool(std::int64_t nth, Extent extent)>& round) {
    for (const Extent extent : {Extent::kOne, Extent::kAllLater}) {
      for (std::int64_t nth = 1;; ++nth) {
        SCOPED_TRACE("allocation " + std::to_string(nth) +
                     (extent == Extent::kAllLater ? " and all later ones" : ""));
        ASSERT_LE(nth, kMostAllocations) << "allocates without end";
        const bool fired = round(nth, extent);
        (void)test::TakeMessages();
        if (!fired || HasFailure()) break;
      }
    }
  }

  /// What an accepted launch has come to: the result, or a fault that says so and has written
  /// nothing. Then the same launch works.
  void ExpectDoneOrFault(const Sample& sample, const std::vector<float>& before, int synchronised) {
    if (synchronised == ACL_SUCCESS) {
      EXPECT_EQ(sample.Result(), sample.expected);
      return;
    }
    EXPECT_EQ(synchronised, ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
    EXPECT_EQ(sample.Result(), before);
    ExpectWorks(sample);
  }
  void ExpectWorks(const Sample& sample) {
    EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS) << "a fault is returned once";
    EXPECT_EQ(Execute(sample), atb::NO_ERROR);
    EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS) << test::TakeMessages();
    EXPECT_EQ(sample.Result(), sample.expected);
  }

  std::unique_ptr<test::Block> workspace_;
};
INSTANTIATE_TEST_SUITE_P(, AtbRuns, testing::ValuesIn(test::kKinds),
                         testing::PrintToStringParamName());

TEST_P(AtbRuns, InPlace) {
  ForEachFailure([&](std::int64_t nth, Extent extent) {
    const Sample sample(GetParam());
    const std::vector<float> before = sample.Result();
    SetUpSample(sample);
    int status = 0;
    bool fired = false;
    {
      const Injection injection(nth, Source::kNew, extent);
      status = Execute(sample);
      fired = injection.fired();
    }
    if (status != atb::NO_ERROR) {
      EXPECT_EQ(status, OutOfMemory());
      EXPECT_EQ(sample.Result(), before);
      ExpectWorks(sample);
    } else {
      const int synchronised = aclrtSynchronizeStream(stream_);
      if (synchronised != ACL_SUCCESS) {
        EXPECT_THAT(test::TakeMessages(), testing::HasSubstr("no host memory"));
      }
      ExpectDoneOrFault(sample, before, synchronised);
    }
    return fired;
  });
}

TEST_P(AtbRuns, LaunchesThatAreQueued) {
  ForEachFailure([&](std::int64_t nth, Extent extent) {
    const Sample sample(GetParam());
    const std::vector<float> before = sample.Result();
    SetUpSample(sample);
    const Held held(stream_);
    int status = 0;
    bool fired = false;
    {
      const Injection injection(nth, Source::kNew, extent);
      status = Execute(sample);
      fired = injection.fired();
    }
    held.Release();
    EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
    if (status == atb::NO_ERROR) {
      EXPECT_EQ(sample.Result(), sample.expected);
    } else {
      EXPECT_EQ(status, OutOfMemory());
      EXPECT_EQ(sample.Result(), before);
      ExpectWorks(sample);
    }
    return fired;
  });
}

TEST_P(AtbRuns, AFullQueueTakesALaunchOrDoesNot) {
  // The queue's own storage grows with the number of launches.
  constexpr int kLaunches = 12;
  ForEachFailure([&](std::int64_t nth, Extent extent) {
    std::vector<std::unique_ptr<Sample>> samples;
    for (int i = 0; i < kLaunches; ++i) samples.push_back(std::make_unique<Sample>(GetParam()));
    const std::vector<float> before = samples[0]->Result();
    for (const auto& sample : samples) SetUpSample(*sample);
    std::vector<int> status(kLaunches);
    const Held held(stream_);
    bool fired = false;
    {
      const Injection injection(nth, Source::kNew, extent);
      for (int i = 0; i < kLaunches; ++i) status[i] = Execute(*samples[i]);
      fired = injection.fired();
    }
    held.Release();
    EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
    for (int i = 0; i < kLaunches; ++i) {
      EXPECT_TRUE(status[i] == atb::NO_ERROR || status[i] == OutOfMemory()) << status[i];
      EXPECT_EQ(samples[i]->Result(), status[i] == atb::NO_ERROR ? samples[i]->expected : before);
    }
    return fired;
  });
}

TEST_P(AtbRuns, AQueuedTaskThatFindsNoMemoryIsAFault) {
  ForEachFailure([&](std::int64_t nth, Extent extent) {
    const Sample sample(GetParam());
    const std::vector<float> before = sample.Result();
    SetUpSample(sample);
    const Held held(stream_);
    EXPECT_EQ(Execute(sample), atb::NO_ERROR);
    bool fired = false;
    std::optional<Injection> injection(std::in_place, nth, Source::kNew, extent);
    held.Release();
    while (true) {
      aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
      // Neither waits nor returns faults of a stream that is not done.
      const int code = aclrtStreamQuery(stream_, &status);
      fired = injection->fired();
      if (code == ACL_SUCCESS && status == ACL_STREAM_STATUS_NOT_READY) continue;
      injection.reset();
      if (code == ACL_SUCCESS || code == ACL_ERROR_RT_VECTOR_CORE_EXCEPTION) {
        ExpectDoneOrFault(sample, before, code);
      } else {  // no memory for the query: the fault is kept
        EXPECT_EQ(code, ACL_ERROR_RT_MEMORY_ALLOCATION);
        ExpectDoneOrFault(sample, before, aclrtSynchronizeStream(stream_));
      }
      return fired;
    }
  });
}

TEST_P(AtbRuns, PrelaunchNeedsNoMemoryAndLaunchMayBeTriedAgain) {
  ForEachFailure([&](std::int64_t nth, Extent extent) {
    const Sample sample(GetParam());
    const std::vector<float> before = sample.Result();
    SetUpSample(sample);
    {
      const Injection injection(nth, Source::kNew, extent);
      EXPECT_EQ(ExecuteAs(atb::EXECUTE_PRELAUNCH, sample), atb::NO_ERROR);
      EXPECT_FALSE(injection.fired()) << "an allocation whose failure has no test";
    }
    const Held held(stream_);
    int status = 0;
    bool fired = false;
    {
      const Injection injection(nth, Source::kNew, extent);
      status = ExecuteAs(atb::EXECUTE_LAUNCH, sample);
      fired = injection.fired();
    }
    if (status != atb::NO_ERROR) {
      EXPECT_EQ(status, OutOfMemory());
      EXPECT_EQ(ExecuteAs(atb::EXECUTE_LAUNCH, sample), atb::NO_ERROR) << "without a PRELAUNCH";
    }
    held.Release();
    EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
    EXPECT_EQ(sample.Result(), sample.expected);
    return fired;
  });
}

TEST_P(AtbRuns, ACaptureTakesPlaceOrDoesNot) {
  ASSERT_EQ(context_->SetLaunchMode(atb::GRAPH_LAUNCH_MODE), atb::NO_ERROR);
  ForEachFailure([&](std::int64_t nth, Extent extent) {
    const Sample sample(GetParam());
    const std::vector<float> before = sample.Result();
    SetUpSample(sample);
    const Held held(stream_);
    int status = 0;
    bool fired = false;
    {
      const Injection injection(nth, Source::kNew, extent);
      status = Execute(sample);
      fired = injection.fired();
    }
    held.Release();
    EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
    if (status != atb::NO_ERROR) {
      EXPECT_EQ(status, OutOfMemory());
      EXPECT_EQ(sample.Result(), before);
      ExpectWorks(sample);
    }
    EXPECT_EQ(sample.Result(), sample.expected);
    // Captured now, and by nothing that failed before: its refusal keeps its status too.
    atb::VariantPack other = sample.pack;
    other.inTensors[0].desc.shape.dims[0] += 1;
    uint64_t size = 4711;
    {
      const Injection injection(nth, Source::kNew, extent);
      EXPECT_EQ(sample.operation->Setup(other, size, context_), atb::ERROR_INVALID_TENSOR_DIM);
      EXPECT_EQ(sample.operation->Setup(sample.pack, size, context_), atb::NO_ERROR);
    }
    return fired;
  });
}

TEST_P(AtbRuns, RefusalsOfExecuteKeepTheirStatus) {
  const Sample sample(GetParam());
  const std::vector<float> before = sample.Result();
  const auto refused = [&](const char* name, atb::Status code, const auto& spoil) {
    atb::VariantPack pack = sample.pack;
    spoil(pack);
    SetUpSample(sample);
    ForEachFailure([&](std::int64_t nth, Extent extent) {
      const Injection injection(nth, Source::kNew, extent);
      EXPECT_EQ(AtbTest::Execute(sample.operation, pack, workspace_), code) << name;
      return injection.fired();
    });
  };
  int host = 0;
  refused("number", atb::ERROR_INVALID_PARAM,
          [](atb::VariantPack& pack) { pack.outTensors.resize(3); });
  refused("dataSize", atb::ERROR_INVALID_PARAM,
          [](atb::VariantPack& pack) { pack.inTensors[0].dataSize += 1; });
  refused("null", atb::ERROR_INVALID_PARAM,
          [](atb::VariantPack& pack) { pack.inTensors[0].deviceData = nullptr; });
  refused("host", atb::ERROR_INVALID_TENSOR_ADDR,
          [&](atb::VariantPack& pack) { pack.inTensors[0].deviceData = &host; });
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(sample.Result(), before);
  ExpectWorks(sample);
}

// Sums of several threads: the scheduler of the compute threads allocates too.
class AtbLargeRun : public AtbRuns {};
INSTANTIATE_TEST_SUITE_P(, AtbLargeRun, testing::Values(Kind::kIndexAdd),
                         testing::PrintToStringParamName());

TEST_P(AtbLargeRun, IsAllOrNothing) {
  constexpr int64_t kRows = 64;
  constexpr int64_t kWidth = 4096;
  const test::OwnOperation operation(test::IndexAddParam(test::kAdd));
  const std::vector<float> zeros(kRows * kWidth, 0);
  const std::vector<float> ones(kRows * kWidth, 1);
  const test::DeviceTensor var = test::HalfTensor({kRows, kWidth}, zeros);
  const test::DeviceTensor updates = test::HalfTensor({kRows, kWidth}, ones);
  std::vector<int32_t> order;
  for (int32_t i = 0; i < kRows; ++i) order.push_back(i);
  const test::DeviceTensor indices = test::IntTensor(order);
  const test::DeviceTensor alpha = test::HalfTensor({1}, {1});
  const atb::VariantPack pack = test::Pack({var, indices, updates, alpha}, {var});
  const std::unique_ptr<test::Block> workspace = Setup(operation, pack);
  ForEachFailure([&](std::int64_t nth, Extent extent) {
    var.Write(test::ToHalves(zeros));
    const Held held(stream_);
    EXPECT_EQ(AtbTest::Execute(operation, pack, workspace), atb::NO_ERROR);
    bool fired = false;
    {
      const Injection injection(nth, Source::kNew, extent);
      held.Release();
      aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
      while (aclrtStreamQuery(stream_, &status) == ACL_SUCCESS &&
             status == ACL_STREAM_STATUS_NOT_READY) {
      }
      fired = injection.fired();
    }
    // A query without memory leaves the fault to this wait.
    const int code = aclrtSynchronizeStream(stream_);
    EXPECT_TRUE(code == ACL_SUCCESS || code == ACL_ERROR_RT_VECTOR_CORE_EXCEPTION) << code;
    const std::vector<float> result = test::ToFloats(var.Read<aclFloat16>());
    EXPECT_TRUE(result == zeros || result == ones) << "half done";
    EXPECT_TRUE(fired || result == ones);
    return fired;
  });
}

}  // namespace
}  // namespace belay::alloc_failure
