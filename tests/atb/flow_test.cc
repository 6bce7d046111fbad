// CreateOperation, InferShape and Setup, the checks that all operations share: which code, in which
// order, what the message says, and what a refused call leaves alone.
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "support/atb_test.h"

namespace belay::test {
namespace {

constexpr int64_t kMaxInt64 = std::numeric_limits<int64_t>::max();

// A context of the program's own.
class ForeignContext final : public atb::Context {
 public:
  atb::Status SetExecuteStream(aclrtStream) override { return atb::NO_ERROR; }
  aclrtStream GetExecuteStream() const override { return nullptr; }
  atb::Status SetAsyncTilingCopyStatus(bool) override { return atb::NO_ERROR; }
  bool GetAsyncTilingCopyStatus() const override { return false; }
  atb::Status SetExecuteStreams(const std::vector<aclrtStream>&) override { return atb::NO_ERROR; }
  std::vector<aclrtStream> GetExecuteStreams() override { return {}; }
  atb::Status SetExecuteType(atb::ExecuteType) override { return atb::NO_ERROR; }
  atb::ExecuteType GetExecuteType() override { return atb::EXECUTE_NORMAL; }
  atb::Status SetLaunchMode(atb::LaunchMode) override { return atb::NO_ERROR; }
  atb::LaunchMode GetLaunchMode() override { return atb::KERNEL_LAUNCH_MODE; }
};

// CreateOperation with bytes of rsv set, the pointer null, or neither.
template <class Param>
void TestCreate(const Param& good, const std::string& name) {
  SCOPED_TRACE(name);
  Output<atb::Operation*> out;
  Param bad = good;
  for (std::size_t i = 0; i < sizeof bad.rsv; ++i) {
    bad = good;
    bad.rsv[i] = 7;
    ExpectRefused(atb::CreateOperation(bad, &out), atb::ERROR_INVALID_PARAM,
                  "CreateOperation(" + name + ")", "rsv[" + std::to_string(i) + "] is 7",
                  "allowed 0");
    EXPECT_TRUE(out.Untouched());
  }
  // Two faults: the pointer is looked at first.
  ExpectRefused(atb::CreateOperation(bad, static_cast<atb::Operation**>(nullptr)),
                atb::ERROR_INVALID_PARAM, "operation is null");
  ExpectRefused(atb::CreateOperation(good, static_cast<atb::Operation**>(nullptr)),
                atb::ERROR_INVALID_PARAM, "operation is null");
}

TEST_F(AtbTest, CreateOperationRefusesNullAndReservedBytes) {
  TestCreate(SetValueParam({}, {}, {}), "SetValueParam");
  TestCreate(RepeatParam({1}), "RepeatParam");
  TestCreate(IndexAddParam(kAdd), "IndexAddParam");
  TestCreate(IndexAddParam(kAddValid), "IndexAddParam");
}

TEST_F(AtbTest, CreateOperationLooksAtReservedBytesBeforeParameters) {
  Output<atb::Operation*> out;
  atb::infer::RepeatParam repeat = RepeatParam({0});
  repeat.rsv[3] = 1;
  ExpectRefused(atb::CreateOperation(repeat, &out), atb::ERROR_INVALID_PARAM, "rsv[3]");
  atb::infer::IndexAddParam add;
  add.rsv[15] = 1;
  ExpectRefused(atb::CreateOperation(add, &out), atb::ERROR_INVALID_PARAM, "rsv[15]");
  EXPECT_TRUE(out.Untouched());
}

TEST_F(AtbTest, TheParametersMayDieAfterCreation) {
  Sample sample(Kind::kRepeat);
  OwnOperation operation;
  {
    auto param = std::make_unique<atb::infer::RepeatParam>(RepeatParam({1, 2}));
    operation = OwnOperation(*param);
    param->multiples[1] = 9;
  }
  EXPECT_EQ(Run(operation, sample.pack), ACL_SUCCESS);
  EXPECT_EQ(sample.Result(), sample.expected);
}

// A program may store any number.
aclDataType AsType(int value) { return static_cast<aclDataType>(value); }

// A desc that is refused on its own, whichever operation gets it.
struct BadDesc {
  const char* what;
  std::function<void(atb::TensorDesc&)> spoil;
  atb::Status code;
  const char* text;
};

const BadDesc kBadDescs[] = {
    {"rank 0", [](auto& d) { d.shape.dimNum = 0; }, atb::ERROR_INVALID_TENSOR_DIM,
     "has 0 dimensions; allowed 1 to 8"},
    {"rank 9", [](auto& d) { d.shape.dimNum = 9; }, atb::ERROR_INVALID_TENSOR_DIM,
     "has 9 dimensions"},
    {"huge rank", [](auto& d) { d.shape.dimNum = ~uint64_t{0}; }, atb::ERROR_INVALID_TENSOR_DIM,
     "dimensions; allowed 1 to 8"},
    {"dim 0", [](auto& d) { d.shape.dims[0] = 0; }, atb::ERROR_INVALID_TENSOR_SIZE,
     "is 0; allowed 1 and above"},
    {"dim -1", [](auto& d) { d.shape.dims[0] = -1; }, atb::ERROR_INVALID_TENSOR_SIZE,
     "is -1; allowed 1 and above"},
    {"half a byte", [](auto& d) { d.dtype = ACL_INT4; }, atb::ERROR_INVALID_TENSOR_SIZE,
     "whole bytes"},
    {"no such type", [](auto& d) { d.dtype = AsType(999); }, atb::ERROR_INVALID_TENSOR_SIZE,
     "whole bytes"},
    {"overflow",
     [](auto& d) {
       d = Desc(ACL_FLOAT16, {kMaxInt64, kMaxInt64});
     },
     atb::ERROR_INVALID_TENSOR_SIZE, "size in bytes overflows"},
    {"above 256 GiB",
     [](auto& d) {
       d = Desc(ACL_FLOAT16, {1, (int64_t{1} << 37) + 1});
     },
     atb::ERROR_INVALID_TENSOR_SIZE, "allowed up to 274877906944"},
    {"bool", [](auto& d) { d.dtype = ACL_BOOL; }, atb::ERROR_INVALID_TENSOR_INI_MATCH,
     "allowed, all in format ND"},
    {"undefined", [](auto& d) { d.dtype = ACL_DT_UNDEFINED; }, atb::ERROR_INVALID_TENSOR_INI_MATCH,
     "allowed, all in format ND"},
    {"NHWC", [](auto& d) { d.format = ACL_FORMAT_NHWC; }, atb::ERROR_INVALID_TENSOR_INI_MATCH,
     "NHWC"},
    {"fractal NZ", [](auto& d) { d.format = ACL_FORMAT_FRACTAL_NZ; },
     atb::ERROR_INVALID_TENSOR_INI_MATCH, "FRACTAL_NZ"},
};

class FlowTest : public AtbTest, public testing::WithParamInterface<Kind> {
 protected:
  void ExpectInferRefused(const Sample& sample, const atb::SVector<atb::TensorDesc>& inputs,
                          atb::Status code, const std::string& text, const std::string& name = "") {
    const atb::TensorDesc mark = Desc(ACL_INT8, {11, 12, 13});
    atb::SVector<atb::TensorDesc> outputs = Descs({mark, mark, mark});
    ExpectRefused(sample.operation->InferShape(inputs, outputs), code,
                  sample.message_name + ": InferShape", text, name, "; allowed");
    ASSERT_EQ(outputs.size(), 3U);
    for (const atb::TensorDesc& desc : outputs) {
      EXPECT_EQ(std::memcmp(&desc, &mark, sizeof mark), 0) << "outTensorDescs was written";
    }
  }
  void ExpectSetupRefused(const Sample& sample, const atb::VariantPack& pack, atb::Context* context,
                          atb::Status code, const std::string& text, const std::string& name = "",
                          uint64_t workspace_size = 4711) {
    uint64_t size = 4711;
    ExpectRefused(sample.operation->Setup(pack, size, context), code,
                  sample.message_name + ": Setup", text, name, "; allowed");
    EXPECT_EQ(size, workspace_size);
    if (context == nullptr) return;
    ExpectRefused(sample.operation->Execute(sample.pack, nullptr, 0, context_),
                  atb::ERROR_INVALID_PARAM, sample.message_name + ": Execute",
                  "no good Setup before");
  }
};
INSTANTIATE_TEST_SUITE_P(, FlowTest, testing::ValuesIn(kKinds), testing::PrintToStringParamName());

TEST_P(FlowTest, InferShapeRefusesEachBadInput) {
  const Sample sample(GetParam());
  const atb::SVector<atb::TensorDesc> good = DescsOf(sample.pack.inTensors);
  for (const BadDesc& bad : kBadDescs) {
    for (std::size_t i = 0; i < good.size(); ++i) {
      SCOPED_TRACE(std::string(bad.what) + " " + sample.names[i]);
      atb::SVector<atb::TensorDesc> inputs = good;
      bad.spoil(inputs[i]);
      ExpectInferRefused(sample, inputs, bad.code, bad.text, sample.names[i] + " ");
    }
  }
}

TEST_P(FlowTest, InferShapeChecksInThePublishedOrder) {
  const Sample sample(GetParam());
  const atb::SVector<atb::TensorDesc> good = DescsOf(sample.pack.inTensors);
  // The count comes before everything else.
  for (const std::size_t count : {std::size_t{0}, good.size() - 1, good.size() + 1}) {
    atb::SVector<atb::TensorDesc> inputs;
    for (std::size_t i = 0; i < count; ++i) inputs.push_back(Desc(ACL_BOOL, Shape(9, 0)));
    ExpectInferRefused(sample, inputs, atb::ERROR_INVALID_IN_TENSOR_NUM,
                       "the number of input tensors is " + std::to_string(count));
  }
  const std::size_t last = good.size() - 1;
  if (last > 0) {
    // Tensor by tensor, not check by check.
    atb::SVector<atb::TensorDesc> inputs = good;
    inputs[0].shape.dims[0] = 0;
    inputs[last].shape.dimNum = 0;
    ExpectInferRefused(sample, inputs, atb::ERROR_INVALID_TENSOR_SIZE, sample.names[0] + " is");
    // Sizes of all before types.
    inputs = good;
    inputs[0].dtype = ACL_BOOL;
    inputs[last].shape.dims[0] = 0;
    ExpectInferRefused(sample, inputs, atb::ERROR_INVALID_TENSOR_SIZE, sample.names[last] + " is");
  }
  // The rank comes before the size of the same tensor, the type before the operation's own rules.
  atb::SVector<atb::TensorDesc> inputs = good;
  inputs[0] = Desc(ACL_INT4, Shape(9, 0));
  ExpectInferRefused(sample, inputs, atb::ERROR_INVALID_TENSOR_DIM, "9 dimensions");
  inputs[0] = Desc(ACL_BOOL, Shape(8, 1));
  ExpectInferRefused(sample, inputs, atb::ERROR_INVALID_TENSOR_INI_MATCH, "bool");
}

TEST_P(FlowTest, InferShapeReplacesWhatTheOutputHeld) {
  const Sample sample(GetParam());
  for (const std::size_t before : {0, 1, 5}) {
    atb::SVector<atb::TensorDesc> outputs;
    for (std::size_t i = 0; i < before; ++i) outputs.push_back(Desc(ACL_INT8, {11, 12, 13}));
    ASSERT_EQ(sample.operation->InferShape(DescsOf(sample.pack.inTensors), outputs), atb::NO_ERROR);
    ASSERT_EQ(outputs.size(), sample.operation->GetOutputNum());
    ASSERT_EQ(outputs.size(), sample.pack.outTensors.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const atb::TensorDesc& expected = sample.pack.outTensors[i].desc;
      EXPECT_EQ(outputs[i].dtype, expected.dtype);
      EXPECT_EQ(outputs[i].format, expected.format);
      ASSERT_EQ(outputs[i].shape.dimNum, expected.shape.dimNum);
      for (std::size_t k = 0; k < expected.shape.dimNum; ++k) {
        EXPECT_EQ(outputs[i].shape.dims[k], expected.shape.dims[k]);
      }
    }
  }
}

TEST_F(AtbTest, A256GiBTensorIsAllowed) {
  const OwnOperation operation(SetValueParam({0, 0}, {2, 1}, {1, 1}));
  atb::SVector<atb::TensorDesc> outputs;
  EXPECT_EQ(operation->InferShape(Descs({Desc(ACL_FLOAT16, {2, int64_t{1} << 36}),  // 2^38 bytes
                                         Desc(ACL_FLOAT16, {2, 1})}),
                                  outputs),
            atb::NO_ERROR);
}

TEST_P(FlowTest, SetupRefusesEachBadTensor) {
  const Sample sample(GetParam());
  for (const BadDesc& bad : kBadDescs) {
    for (std::size_t i = 0; i < sample.names.size(); ++i) {
      SCOPED_TRACE(std::string(bad.what) + " " + sample.names[i]);
      atb::VariantPack pack = sample.pack;
      bad.spoil(Sample::At(pack, i).desc);
      ExpectSetupRefused(sample, pack, context_, bad.code, bad.text, sample.names[i] + " ");
    }
  }
  // After so many bad ones a good one.
  EXPECT_EQ(Run(sample.operation, sample.pack), ACL_SUCCESS);
  EXPECT_EQ(sample.Result(), sample.expected);
}

TEST_P(FlowTest, SetupChecksInThePublishedOrder) {
  const Sample sample(GetParam());
  ForeignContext foreign;
  // Each pack has the faults of those after it, too.
  atb::VariantPack bad_rule = sample.pack;
  bad_rule.inTensors[0].desc = Desc(ACL_FLOAT16, Shape(8, 1));
  atb::VariantPack bad_type = bad_rule;
  bad_type.inTensors[0].desc.dtype = ACL_BOOL;
  atb::VariantPack bad_dims = bad_type;
  Sample::At(bad_dims, sample.names.size() - 1).desc.shape.dimNum = 0;
  atb::VariantPack bad_outputs = bad_dims;
  bad_outputs.outTensors.push_back(sample.pack.inTensors[0]);
  atb::VariantPack bad_inputs = bad_outputs;
  bad_inputs.inTensors.push_back(sample.pack.inTensors[0]);

  ExpectSetupRefused(sample, bad_inputs, nullptr, atb::ERROR_INVALID_PARAM, "context is null");
  ExpectSetupRefused(sample, bad_inputs, &foreign, atb::ERROR_INVALID_IN_TENSOR_NUM,
                     "the number of input tensors is ");
  ExpectSetupRefused(sample, bad_outputs, &foreign, atb::ERROR_INVALID_IN_TENSOR_NUM,
                     "the number of output tensors is ");
  ExpectSetupRefused(sample, bad_dims, &foreign, atb::ERROR_INVALID_TENSOR_DIM,
                     sample.names.back() + " has 0 dimensions");
  ExpectSetupRefused(sample, bad_type, &foreign, atb::ERROR_INVALID_TENSOR_INI_MATCH, "bool");
  uint64_t size = 4711;
  const atb::Status rule = sample.operation->Setup(bad_rule, size, &foreign);
  EXPECT_THAT(rule, testing::AnyOf(atb::ERROR_INVALID_TENSOR_DIM, atb::ERROR_INVALID_TENSOR_SIZE,
                                   atb::ERROR_INVALID_TENSOR_DIM_NUM));
  EXPECT_THAT(TakeMessages(), testing::Not(testing::HasSubstr("context")));
  EXPECT_EQ(size, 4711U);
  ExpectSetupRefused(sample, sample.pack, &foreign, atb::ERROR_INVALID_PARAM,
                     "context is not a context of this library");
  ASSERT_EQ(atb::SetExecuteStreamId(sample.operation, 3), atb::NO_ERROR);
  ExpectSetupRefused(sample, sample.pack, &foreign, atb::ERROR_INVALID_PARAM, "context is not");
  ExpectSetupRefused(sample, sample.pack, context_, atb::ERROR_INVALID_PARAM,
                     "stream id is 3; allowed 0 to 0", "", /*workspace_size=*/0);
}

TEST_P(FlowTest, SetupChecksInputsBeforeOutputs) {
  const Sample sample(GetParam());
  if (sample.pack.outTensors.empty()) return;
  atb::VariantPack pack = sample.pack;
  pack.outTensors[0].desc.shape.dimNum = 0;
  pack.inTensors[pack.inTensors.size() - 1].desc.shape.dims[0] = 0;
  ExpectSetupRefused(sample, pack, context_, atb::ERROR_INVALID_TENSOR_SIZE,
                     sample.names[pack.inTensors.size() - 1] + " is");
  pack = sample.pack;
  pack.outTensors.clear();
  ExpectSetupRefused(sample, pack, context_, atb::ERROR_INVALID_IN_TENSOR_NUM,
                     "the number of output tensors is 0; allowed 1");
}

TEST_P(FlowTest, SetupRefusesADestroyedContext) {
  const Sample sample(GetParam());
  atb::Context* other = nullptr;
  ASSERT_EQ(atb::CreateContext(&other), atb::NO_ERROR);
  ASSERT_EQ(atb::DestroyContext(other), atb::NO_ERROR);
  ExpectSetupRefused(sample, sample.pack, other, atb::ERROR_INVALID_PARAM,
                     "context is a context that is destroyed");
}

TEST_P(FlowTest, SetupNeedsNeitherAddressesNorAStream) {
  const Sample sample(GetParam());
  atb::VariantPack pack;
  for (const atb::Tensor& tensor : sample.pack.inTensors) {
    pack.inTensors.push_back(Bare(tensor.desc));
  }
  for (const atb::Tensor& tensor : sample.pack.outTensors) {
    pack.outTensors.push_back(Bare(tensor.desc));
  }
  atb::Context* streamless = nullptr;
  ASSERT_EQ(atb::CreateContext(&streamless), atb::NO_ERROR);
  uint64_t size = 4711;
  EXPECT_EQ(sample.operation->Setup(pack, size, streamless), atb::NO_ERROR);
  EXPECT_EQ(size, GetParam() == Kind::kIndexAddValid ? 512U : 0U);
  EXPECT_EQ(atb::DestroyContext(streamless), atb::NO_ERROR);
  // The addresses come with Execute.
  const std::unique_ptr<Block> workspace = Setup(sample.operation, pack);
  EXPECT_EQ(Execute(sample.operation, sample.pack, workspace), atb::NO_ERROR);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(sample.Result(), sample.expected);
}

TEST_F(AtbTest, SetupMayBeRepeatedWithOtherShapes) {
  const OwnOperation operation(RepeatParam({1, 2}));
  for (const int64_t rows : {1, 3, 2}) {
    const auto count = static_cast<std::size_t>(rows);
    const DeviceTensor x = HalfTensor({rows, 1}, std::vector<float>(count, 7));
    const DeviceTensor y = HalfTensor({rows, 2}, std::vector<float>(2 * count, 0));
    EXPECT_EQ(Run(operation, Pack({x}, {y})), ACL_SUCCESS);
    EXPECT_EQ(ToFloats(y.Read<aclFloat16>()), std::vector<float>(2 * count, 7));
  }
}

TEST_F(AtbTest, TheWorkspaceSizeIsAsPublished) {
  const OwnOperation operation(IndexAddParam(kAddValid));
  struct {
    int64_t rows, width;
    uint64_t bytes;
  } const cases[] = {{1, 1, 512},          {1, 128, 512},    {1, 129, 1024},
                     {262144, 1, 1048576}, {1, 8192, 32768}, {5, 3, 512}};
  for (const auto& c : cases) {
    const atb::Tensor var = Bare(Desc(ACL_FLOAT16, {c.rows, c.width}));
    uint64_t size = 0;
    EXPECT_EQ(
        operation->Setup(Pack({var, Bare(Desc(ACL_INT32, {2})),
                               Bare(Desc(ACL_FLOAT16, {2, c.width})), Bare(Desc(ACL_INT32, {1}))},
                              {var}),
                         size, context_),
        atb::NO_ERROR);
    EXPECT_EQ(size, c.bytes) << c.rows << " " << c.width;
  }
}

}  // namespace
}  // namespace belay::test
