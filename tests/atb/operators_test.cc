// The operators through the public API: the documents' examples, published refusals, faults at the
// synchronise, products, behaviours and thread counts.
#include <cstdint>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "support/atb_test.h"

namespace belay::test {
namespace {

using Floats = std::vector<float>;

TEST_F(AtbTest, TheExampleOfSetValue) {
  const OwnOperation operation(SetValueParam({1, 2}, {4, 4}, {1, 1}));
  const DeviceTensor dst =
      HalfTensor({5, 5}, {14, -2, 2,  -10, -12, -11, 3, 2,  -18, 6,  1,  -18, -12,
                          9,  -6, 16, -11, 6,   -6,  3, 12, 18,  14, 10, 9});
  const DeviceTensor src = HalfTensor({3, 2}, {1, 0, -4, 7, 9, -18});
  EXPECT_EQ(Run(operation, Pack({dst, src})), ACL_SUCCESS);
  EXPECT_EQ(ToFloats(dst.Read<aclFloat16>()),
            (Floats{14, -2, 2,  -10, -12, -11, 3, 1,  0,  6,  1,  -18, -4,
                    7,  -6, 16, -11, 9,   -18, 3, 12, 18, 14, 10, 9}));
}

TEST_F(AtbTest, TheExamplesOfRepeat) {
  const Floats expected = {1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6, 1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6};
  for (const Shape& shape : {Shape{1, 2, 3}, Shape{2, 3}}) {
    const OwnOperation operation(RepeatParam({1, 2, 2}));
    const DeviceTensor x = HalfTensor(shape, {1, 2, 3, 4, 5, 6});
    const DeviceTensor y = HalfTensor({1, 4, 6}, Floats(24, -1));
    atb::SVector<atb::TensorDesc> inferred;
    ASSERT_EQ(operation->InferShape(Descs({x.get().desc}), inferred), atb::NO_ERROR);
    EXPECT_EQ(std::memcmp(&inferred.at(0), &y.get().desc, sizeof(atb::TensorDesc)), 0);
    EXPECT_EQ(Run(operation, Pack({x}, {y})), ACL_SUCCESS);
    EXPECT_EQ(ToFloats(y.Read<aclFloat16>()), expected);
  }
}

TEST_F(AtbTest, TheExamplesOfIndexAdd) {
  {
    const OwnOperation operation(IndexAddParam(kAdd));
    const DeviceTensor var = HalfTensor({5, 3}, Floats(15, 1));
    const DeviceTensor indices = IntTensor({0, 4, 2});
    const DeviceTensor updates = HalfTensor({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
    const DeviceTensor alpha = HalfTensor({1}, {1});
    EXPECT_EQ(Run(operation, Pack({var, indices, updates, alpha}, {var})), ACL_SUCCESS);
    EXPECT_EQ(ToFloats(var.Read<aclFloat16>()),
              (Floats{2, 3, 4, 1, 1, 1, 8, 9, 10, 1, 1, 1, 5, 6, 7}));
  }
  const OwnOperation operation(IndexAddParam(kAddValid));
  const DeviceTensor var = HalfTensor({5, 3}, Floats(15, 0));
  const DeviceTensor indices = IntTensor({0, 2, 2, -1, -1});
  const DeviceTensor updates = HalfTensor({5, 3}, {0, 1, 2, 1, 2, 3, 2, 3, 4, 5, 6, 7, 6, 7, 8});
  const DeviceTensor valid = IntTensor({3});
  EXPECT_EQ(Run(operation, Pack({var, indices, updates, valid}, {var})), ACL_SUCCESS);
  EXPECT_EQ(ToFloats(var.Read<aclFloat16>()),
            (Floats{0, 1, 2, 0, 0, 0, 3, 5, 7, 0, 0, 0, 0, 0, 0}));
}

// A row of the published test tables: the phase that refuses, and how. Setup refuses what
// InferShape does.
enum class Phase : std::uint8_t { kInfer, kSetup, kNone };

struct Row {
  const char* what;
  std::function<OwnOperation()> create;
  std::vector<atb::TensorDesc> inputs, outputs;
  Phase phase;
  atb::Status code = atb::NO_ERROR;
};

atb::TensorDesc F16(const Shape& shape) { return Desc(ACL_FLOAT16, shape); }
atb::TensorDesc I32(const Shape& shape) { return Desc(ACL_INT32, shape); }

Row SetValueRow(const char* what, const Shape& dst, const Shape& src, const Shape& starts,
                const Shape& ends, const Shape& strides, atb::Status code,
                aclDataType type = ACL_FLOAT16) {
  return {what,
          [=] { return OwnOperation(SetValueParam(starts, ends, strides)); },
          {Desc(type, dst), Desc(type, src)},
          {},
          code == atb::NO_ERROR ? Phase::kNone : Phase::kInfer,
          code};
}
Row RepeatRow(const char* what, const Shape& multiples, const atb::TensorDesc& x,
              const atb::TensorDesc& y, Phase phase, atb::Status code = atb::NO_ERROR) {
  return {what, [=] { return OwnOperation(RepeatParam(multiples)); }, {x}, {y}, phase, code};
}
// `var` is also the output; the last input is alpha or the number of valid indices.
Row AddRow(const char* what, int64_t axis, const Shape& var, const Shape& indices,
           const Shape& updates, const Shape& alpha, Phase phase,
           atb::Status code = atb::NO_ERROR) {
  return {what,
          [=] { return OwnOperation(IndexAddParam(kAdd, axis)); },
          {F16(var), I32(indices), F16(updates), F16(alpha)},
          {F16(var)},
          phase,
          code};
}
Row ValidRow(const char* what, const Shape& var, const Shape& indices, const Shape& updates,
             const Shape& valid, Phase phase, atb::Status code = atb::NO_ERROR) {
  return {what,
          [] { return OwnOperation(IndexAddParam(kAddValid)); },
          {F16(var), I32(indices), F16(updates), I32(valid)},
          {F16(var)},
          phase,
          code};
}
Row WithOutput(Row row, const atb::TensorDesc& output) {
  row.outputs = {output};
  return row;
}
Row AsBf16(Row row) {
  for (auto* descs : {&row.inputs, &row.outputs}) {
    for (atb::TensorDesc& desc : *descs) {
      if (desc.dtype == ACL_FLOAT16) desc.dtype = ACL_BF16;
    }
  }
  return row;
}

std::vector<Row> PublishedRows() {
  const Shape dst = {28, 10, 4096};
  const Shape src = {13, 2, 4096};
  const Shape zeros = {0, 0, 0};
  const Shape ones = {1, 1, 1};
  const Shape add = {1024, 4096};
  constexpr auto kParam = atb::ERROR_INVALID_PARAM;
  constexpr auto kDim = atb::ERROR_INVALID_TENSOR_DIM;
  constexpr auto kSize = atb::ERROR_INVALID_TENSOR_SIZE;
  constexpr auto kIni = atb::ERROR_INVALID_TENSOR_INI_MATCH;
  std::vector<Row> rows;
  for (const aclDataType type : {ACL_INT64, ACL_FLOAT16, ACL_INT32, ACL_FLOAT, ACL_BF16}) {
    rows.push_back(SetValueRow("SetValue", dst, src, zeros, src, ones, atb::NO_ERROR, type));
  }
  for (const Row& row : {
           SetValueRow("stride 2", dst, src, zeros, src, {2, 1, 1}, kParam),
           SetValueRow("wrong end", dst, src, zeros, {13, 5, 4096}, ones, kParam),
           SetValueRow("4 starts", dst, src, {0, 0, 0, 0}, src, ones, kParam),
           SetValueRow("4 ends", dst, src, zeros, {13, 2, 4096, 1}, ones, kParam),
           SetValueRow("no entries", dst, src, {}, {}, {}, kParam),
           SetValueRow("start 5", dst, src, {0, 5, 0}, src, ones, kParam),
           SetValueRow("start -1", dst, src, {-1, 0, 0}, src, ones, kParam),
           SetValueRow("ranks", {28, 10, 4096, 1}, src, zeros, src, ones,
                       atb::ERROR_INVALID_TENSOR_DIM_NUM),
           SetValueRow("none differs", dst, {13, 10, 4096}, zeros, {13, 10, 4096}, ones, kDim),
           SetValueRow("two differ", dst, {28, 4, 512}, zeros, {28, 4, 512}, ones, kDim),
           SetValueRow("larger", dst, {29, 2, 4096}, zeros, {29, 2, 4096}, ones, kDim),
           SetValueRow("int8", dst, src, zeros, src, ones, kIni, ACL_INT8),

           AddRow("axis -3", -3, add, {2}, {2, 4096}, {1}, Phase::kInfer, kParam),
           AddRow("axis 2", 2, add, {2}, {2, 4096}, {1}, Phase::kInfer, kParam),
           AddRow("indices 1,2", 0, add, {1, 2}, {2, 4096}, {1}, Phase::kInfer, kSize),
           AddRow("updates 1,2,4096", 0, add, {2}, {1, 2, 4096}, {1}, Phase::kInfer, kSize),
           AddRow("alpha 1,1", 0, add, {2}, {2, 4096}, {1, 1}, Phase::kInfer, kSize),
           AddRow("updates 3,4096", 0, add, {2}, {3, 4096}, {1}, Phase::kInfer, kDim),
           AddRow("updates 2,3", 0, add, {2}, {2, 3}, {1}, Phase::kInfer, kDim),
           AddRow("alpha 2", 0, add, {2}, {2, 4096}, {2}, Phase::kInfer, kDim),
           AddRow("axis -2", -2, add, {2}, {2, 4096}, {1}, Phase::kNone),
           AddRow("rank 8", 0, Shape(8, 2), {5}, {5, 2, 2, 2, 2, 2, 2, 2}, {1}, Phase::kNone),
           AddRow("axis 7", 7, Shape(8, 2), {5}, {2, 2, 2, 2, 2, 2, 2, 5}, {1}, Phase::kNone),

           ValidRow("rank 3", {1, 2, 3}, {2}, {2, 2}, {1}, Phase::kInfer, kSize),
           ValidRow("indices rank 2", {4, 2}, {1, 2}, {2, 2}, {1}, Phase::kInfer, kSize),
           ValidRow("updates rank 3", {4, 2}, {2}, {1, 2, 2}, {1}, Phase::kInfer, kSize),
           ValidRow("valid rank 2", {4, 2}, {2}, {2, 2}, {1, 1}, Phase::kInfer, kSize),
           ValidRow("8193", {4, 8193}, {2}, {2, 8193}, {1}, Phase::kInfer, kDim),
           ValidRow("updates 2", {4, 2048}, {8192}, {2, 2048}, {1}, Phase::kInfer, kDim),
           ValidRow("updates 8192,2", {4, 2048}, {8192}, {8192, 2}, {1}, Phase::kInfer, kDim),
           ValidRow("valid 2", {4, 2}, {2}, {2, 2}, {2}, Phase::kInfer, kDim),
           ValidRow("262144,1", {262144, 1}, {8}, {8, 1}, {1}, Phase::kNone),
           ValidRow("1,8192", {1, 8192}, {2}, {2, 8192}, {1}, Phase::kNone),
           ValidRow("1,1", {1, 1}, {262144}, {262144, 1}, {1}, Phase::kNone),

           RepeatRow("2 multiples", {1, 2}, F16({1, 2, 3}), F16({1, 2}), Phase::kInfer, kDim),
           RepeatRow("none", {}, F16({1}), F16({1}), Phase::kInfer, kDim),
           RepeatRow("float", {2}, Desc(ACL_FLOAT, {3}), F16({6}), Phase::kInfer, kIni),
           RepeatRow("float output", {2}, F16({3}), Desc(ACL_FLOAT, {6}), Phase::kSetup, kIni),
           RepeatRow("rank", {2}, F16({3}), F16({1, 6}), Phase::kSetup, kDim),
           RepeatRow("size", {2}, F16({3}), F16({5}), Phase::kSetup, kDim),
           RepeatRow("10 axes", {1, 1, 1, 16, 1, 1, 1, 3}, F16({256, 2, 1, 1, 128, 1, 2, 128}),
                     F16({1}), Phase::kInfer, kDim),
           RepeatRow("huge", {1, INT64_MAX, 1}, F16({2, 2, 5}), F16({1}), Phase::kInfer, kParam),
           RepeatRow("8 ones", Shape(8, 1), F16({2, 3, 5}), F16({1, 1, 1, 1, 1, 2, 3, 5}),
                     Phase::kNone),
       }) {
    rows.push_back(row);
  }
  const Row good = AddRow("output", 0, add, {2}, {2, 4096}, {1}, Phase::kSetup, kIni);
  rows.push_back(WithOutput(good, Desc(ACL_BOOL, add)));
  rows.push_back(WithOutput(good, Desc(ACL_FLOAT16, add, ACL_FORMAT_NHWC)));
  for (const Shape& shape : {Shape{2, 4096}, Shape{1024, 2}}) {
    rows.push_back(WithOutput(good, F16(shape)));
    rows.back().code = kDim;
  }
  rows.push_back(WithOutput(good, F16({1, 1024, 4096})));
  rows.back().code = atb::ERROR_INVALID_TENSOR_DIM_NUM;
  rows.push_back(AsBf16(ValidRow("bf16", {1, 2, 3}, {2}, {2, 2}, {1}, Phase::kInfer, kDim)));
  return rows;
}

TEST_F(AtbTest, PublishedRows) {
  for (const Row& row : PublishedRows()) {
    SCOPED_TRACE(row.what);
    const OwnOperation operation = row.create();
    atb::SVector<atb::TensorDesc> inferred;
    EXPECT_EQ(operation->InferShape(Descs(row.inputs), inferred),
              row.phase == Phase::kInfer ? row.code : atb::NO_ERROR);
    atb::VariantPack pack;
    for (const atb::TensorDesc& desc : row.inputs) pack.inTensors.push_back(Bare(desc));
    for (const atb::TensorDesc& desc : row.outputs) pack.outTensors.push_back(Bare(desc));
    uint64_t size = 4711;
    EXPECT_EQ(operation->Setup(pack, size, context_), row.code);
    EXPECT_EQ(TakeMessages().empty(), row.code == atb::NO_ERROR);
    EXPECT_EQ(size == 4711, row.code != atb::NO_ERROR);
  }
}

TEST_F(AtbTest, ParametersThatCreateOperationRefuses) {
  Output<atb::Operation*> out;
  for (const Shape& multiples : {Shape(9, 1), Shape{1, 0}, Shape{-1}, Shape{2, 2, 2}}) {
    ExpectRefused(atb::CreateOperation(RepeatParam(multiples), &out), atb::ERROR_INVALID_PARAM,
                  "CreateOperation(RepeatParam): multiples", "; allowed");
  }
  for (const int type : {0, 3, -1}) {
    atb::infer::IndexAddParam param;
    std::memcpy(&param.indexType, &type, sizeof type);
    ExpectRefused(atb::CreateOperation(param, &out), atb::ERROR_INVALID_PARAM,
                  "indexType is " + std::to_string(type));
  }
  ExpectRefused(atb::CreateOperation(IndexAddParam(kAddValid, 1), &out), atb::ERROR_INVALID_PARAM,
                "axis is 1; allowed 0 with INDEX_ADD_VALID");
  EXPECT_TRUE(out.Untouched());
}

TEST_F(AtbTest, AWrongIndexIsAFaultOfTheSynchronise) {
  struct {
    Kind kind;
    std::vector<int32_t> indices, valid;
    const char* text;
  } const cases[] = {
      {Kind::kIndexAdd, {0, 3}, {}, "indices[1] is 3; allowed 0..2"},
      {Kind::kIndexAdd, {-1, 0}, {}, "indices[0] is -1"},
      {Kind::kIndexAddValid, {0, 3}, {2}, "indices[1] is 3"},
      {Kind::kIndexAddValid, {0, 1}, {3}, "validIndicesNum[0] is 3; allowed 0..2"},
      {Kind::kIndexAddValid, {0, 1}, {-1}, "validIndicesNum[0] is -1"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.text);
    const Sample bad(c.kind);
    bad.tensors[1]->Write(c.indices);
    if (!c.valid.empty()) bad.tensors[3]->Write(c.valid);
    const Sample later(c.kind);
    const std::unique_ptr<Block> workspace = Setup(bad.operation, bad.pack);
    EXPECT_EQ(Execute(bad.operation, bad.pack, workspace), atb::NO_ERROR);
    EXPECT_EQ(Execute(bad.operation, later.pack, workspace), atb::NO_ERROR);
    (void)TakeMessages();
    ExpectRefused(aclrtSynchronizeStream(stream_), 507035, bad.message_name, c.text);
    EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS) << "it is told once";
    EXPECT_EQ(bad.Result(), (Floats{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(later.Result(), later.expected);
  }
}

}  // namespace
}  // namespace belay::test
