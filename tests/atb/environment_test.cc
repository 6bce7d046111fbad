// What variables of the library change: products, released behaviour, launches that block, and
// thread counts, which change nothing.
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "support/atb_test.h"

namespace belay::test {
namespace {

using Floats = std::vector<float>;

// A session in a process of its own.
class Session {
 public:
  Session() {
    EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    EXPECT_EQ(aclrtCreateStream(&stream_), ACL_SUCCESS);
    EXPECT_EQ(atb::CreateContext(&context_), atb::NO_ERROR);
    EXPECT_EQ(context_->SetExecuteStream(stream_), atb::NO_ERROR);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() {
    EXPECT_EQ(atb::DestroyContext(context_), atb::NO_ERROR);
    EXPECT_EQ(aclrtDestroyStream(stream_), ACL_SUCCESS);
  }

  [[nodiscard]] atb::Status Launch(atb::Operation* operation, const atb::VariantPack& pack) {
    uint64_t size = 0;
    EXPECT_EQ(operation->Setup(pack, size, context_), atb::NO_ERROR);
    const Block workspace(size + 32);
    return operation->Execute(pack, static_cast<uint8_t*>(workspace.get()), size, context_);
  }
  [[nodiscard]] aclError Synchronize() { return aclrtSynchronizeStream(stream_); }

 private:
  aclrtStream stream_ = nullptr;
  atb::Context* context_ = nullptr;
};

void ExpectCreated(atb::Status status, bool served) {
  const std::string text = TakeMessages();
  EXPECT_EQ(status, served ? atb::NO_ERROR : atb::ERROR_INVALID_PARAM) << text;
  if (served) return;
  EXPECT_THAT(text, testing::HasSubstr("is not served on " + Variable("BELAY_SOC")));
  EXPECT_THAT(text, testing::HasSubstr("; allowed on "));
}

// Which operations a product serves, and whether with bf16.
void ExpectServed(bool copies, bool add, bool valid, bool bf16) {
  atb::Operation* operation = nullptr;
  ExpectCreated(atb::CreateOperation(SetValueParam({}, {}, {}), &operation), copies);
  EXPECT_EQ(atb::DestroyOperation(std::exchange(operation, nullptr)), atb::NO_ERROR);
  ExpectCreated(atb::CreateOperation(IndexAddParam(kAdd), &operation), add);
  EXPECT_EQ(atb::DestroyOperation(std::exchange(operation, nullptr)), atb::NO_ERROR);
  ExpectCreated(atb::CreateOperation(IndexAddParam(kAddValid), &operation), valid);
  EXPECT_EQ(atb::DestroyOperation(std::exchange(operation, nullptr)), atb::NO_ERROR);
  ExpectCreated(atb::CreateOperation(RepeatParam({2}), &operation), copies);
  if (!copies) return;
  atb::SVector<atb::TensorDesc> outputs;
  EXPECT_EQ(operation->InferShape(Descs({Desc(ACL_FLOAT16, {3})}), outputs), atb::NO_ERROR);
  EXPECT_EQ(operation->InferShape(Descs({Desc(ACL_BF16, {3})}), outputs),
            bf16 ? atb::NO_ERROR : atb::ERROR_INVALID_TENSOR_DTYPE);
  if (!bf16) {
    EXPECT_THAT(TakeMessages(), testing::HasSubstr("x is bf16 on " + Variable("BELAY_SOC")));
  }
  EXPECT_EQ(atb::DestroyOperation(operation), atb::NO_ERROR);
}

TEST(AtbEnvironment, Products) {
  ExpectChildPasses({{"BELAY_SOC", "Ascend910B4"}}, [] { ExpectServed(true, true, true, true); });
  ExpectChildPasses({{"BELAY_SOC", "Ascend910_9382"}},
                    [] { ExpectServed(true, true, true, true); });
  ExpectChildPasses({{"BELAY_SOC", "Ascend310P3"}}, [] { ExpectServed(true, true, false, false); });
  ExpectChildPasses({{"BELAY_SOC", "Ascend910A"}}, [] { ExpectServed(true, true, false, false); });
  ExpectChildPasses({{"BELAY_SOC", "Ascend310B1"}},
                    [] { ExpectServed(true, false, false, false); });
  ExpectChildPasses({{"BELAY_SOC", "Ascend950PR_9599"}},
                    [] { ExpectServed(false, false, false, false); });
}

TEST(AtbEnvironment, ABadProductIsRefusedByEveryCall) {
  ExpectChildPasses({{"BELAY_SOC", "Ascend9000"}}, [] {
    Output<atb::Operation*> out;
    ExpectRefused(atb::CreateOperation(RepeatParam({2}), &out), atb::ERROR_INVALID_PARAM,
                  "BELAY_SOC", "Ascend9000", "allowed");
    EXPECT_TRUE(out.Untouched());
    Output<atb::Context*> context;
    ExpectRefused(atb::CreateContext(&context), atb::ERROR_INVALID_PARAM, "BELAY_SOC");
    EXPECT_TRUE(context.Untouched());
    ExpectRefused(atb::Utils::SetLogLevel(atb::LogLevel::INFO), atb::ERROR_INVALID_PARAM,
                  "BELAY_SOC");
  });
}

TEST(AtbEnvironment, ReleasedRepeatTakesMoreThanTwoRepeatedDimensions) {
  ExpectChildPasses({{"BELAY_BEHAVIOR", "released"}}, [] {
    Session session;
    const OwnOperation operation(RepeatParam({2, 2, 2}));
    const DeviceTensor x = HalfTensor({1, 2, 2}, {1, 2, 3, 4});
    const DeviceTensor y = HalfTensor({2, 4, 4}, Floats(32));
    EXPECT_EQ(session.Launch(operation, Pack({x}, {y})), atb::NO_ERROR);
    EXPECT_EQ(session.Synchronize(), ACL_SUCCESS);
    Floats expected;
    for (int i = 0; i < 4; ++i) {
      expected.insert(expected.end(), {1, 2, 1, 2, 3, 4, 3, 4});
    }
    EXPECT_EQ(ToFloats(y.Read<aclFloat16>()), expected);
    // Counted from the left: two repeated dimensions and seven entries.
    const OwnOperation left(RepeatParam({2, 2, 1, 1, 1, 1, 1}));
    atb::SVector<atb::TensorDesc> outputs;
    ExpectRefused(left->InferShape(Descs({Desc(ACL_FLOAT16, {2, 2})}), outputs),
                  atb::ERROR_INVALID_TENSOR_DIM, "counted from the left");
  });
}

TEST(AtbEnvironment, ReleasedIndexAddTakesAnotherOutput) {
  ExpectChildPasses({{"BELAY_BEHAVIOR", "released"}}, [] {
    Session session;
    for (const Kind kind : {Kind::kIndexAdd, Kind::kIndexAddValid}) {
      const Sample sample(kind);
      const DeviceTensor other = HalfTensor({3, 2}, {0, 0, 0, 0, 0, 0});
      atb::VariantPack pack = sample.pack;
      pack.outTensors[0] = other;
      atb::VariantPack shares = pack;  // updates with var
      shares.inTensors[2].deviceData = shares.inTensors[0].deviceData;
      ExpectRefused(session.Launch(sample.operation, shares), atb::ERROR_INVALID_TENSOR_ADDR,
                    "updates");
      EXPECT_EQ(session.Launch(sample.operation, pack), atb::NO_ERROR);
      EXPECT_EQ(session.Synchronize(), ACL_SUCCESS);
      const Floats output = ToFloats(other.Read<aclFloat16>());
      if (kind == Kind::kIndexAdd) {  // adds into output without reading var
        EXPECT_EQ(sample.Result(), (Floats{1, 2, 3, 4, 5, 6}));
        EXPECT_EQ(output, (Floats{60, 80, 0, 0, 20, 40}));
      } else {  // updates var and leaves output alone
        EXPECT_EQ(sample.Result(), sample.expected);
        EXPECT_EQ(output, Floats(6, 0));
      }
    }
  });
}

TEST(AtbEnvironment, BlockingLaunchesGiveTheSame) {
  for (const char* name : {"BELAY_LAUNCH_BLOCKING", "ATB_STREAM_SYNC_EVERY_OPERATION_ENABLE"}) {
    ExpectChildPasses({{name, "1"}}, [] {
      Session session;
      for (const Kind kind : kKinds) {
        const Sample sample(kind);
        EXPECT_EQ(session.Launch(sample.operation, sample.pack), atb::NO_ERROR);
        EXPECT_EQ(sample.Result(), sample.expected) << "without a synchronise of the program's";
        EXPECT_EQ(session.Synchronize(), ACL_SUCCESS);
      }
      // The fault still waits for the program.
      const Sample bad(Kind::kIndexAdd);
      bad.tensors[1]->Write(std::vector<int32_t>{0, 3});
      EXPECT_EQ(session.Launch(bad.operation, bad.pack), atb::NO_ERROR);
      EXPECT_EQ(session.Synchronize(), 507035);
      EXPECT_EQ(session.Synchronize(), ACL_SUCCESS);
    });
  }
}

uint64_t Hash(const std::vector<uint16_t>& words) {
  uint64_t hash = 14695981039346656037U;
  for (const uint16_t word : words) hash = (hash ^ word) * 1099511628211U;
  return hash;
}

// A large IndexAdd in which the order of additions matters: few rows, many duplicates, numbers of
// very different sizes. The result goes to stdout.
void PrintLargeIndexAdd() {
  constexpr int64_t kRows = 37;
  constexpr int64_t kWidth = 1021;
  constexpr int64_t kCount = 2000;
  Session session;
  std::mt19937 random(20240229);
  const auto halves = [&](int64_t count) {
    std::vector<uint16_t> words;
    for (int64_t i = 0; i < count; ++i) {
      words.push_back(static_cast<uint16_t>(random() & 0xF7FFU));  // finite, of both signs
      if ((words.back() & 0x7C00U) == 0x7C00U) words.back() ^= 0x4000U;
    }
    return words;
  };
  std::vector<int32_t> rows;
  for (int64_t i = 0; i < kCount; ++i) rows.push_back(static_cast<int32_t>(random() % kRows));
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    for (const auto mode : {kAdd, kAddValid}) {
      const DeviceTensor var(type, {kRows, kWidth}, halves(kRows * kWidth));
      const DeviceTensor updates(type, {kCount, kWidth}, halves(kCount * kWidth));
      const DeviceTensor indices = IntTensor(rows);
      const DeviceTensor last = mode == kAdd ? DeviceTensor(type, {1}, halves(1))
                                             : IntTensor({static_cast<int32_t>(kCount - 3)});
      const OwnOperation operation(IndexAddParam(mode));
      EXPECT_EQ(session.Launch(operation, Pack({var, indices, updates, last}, {var})),
                atb::NO_ERROR);
      EXPECT_EQ(session.Synchronize(), ACL_SUCCESS);
      std::printf("hash %016llx\n", static_cast<unsigned long long>(Hash(var.Read<uint16_t>())));
    }
  }
}

TEST(AtbEnvironment, TheBitsDoNotDependOnTheThreads) {
  const auto hashes = [](const char* threads) {
    std::string text = ExpectChildPasses({{"BELAY_NUM_THREADS", threads}}, PrintLargeIndexAdd).out;
    return text.substr(text.find("hash"), 4 * 22);
  };
  const std::string one = hashes("1");
  EXPECT_EQ(one.size(), 4U * 22);
  EXPECT_EQ(hashes("2"), one);
  EXPECT_EQ(hashes("5"), one);
}

}  // namespace
}  // namespace belay::test
