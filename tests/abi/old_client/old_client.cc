// A program as it comes out of a build with released headers. It hands the library vectors that
// their inline code has copied and assigned, and goes on with vectors that the library has filled.
// Returns 1 if a check fails.

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <new>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "old_atb.h"

namespace {

using atb::SVector;
using atb::TensorDesc;
using atb::infer::IndexAddParam;
using atb::infer::RepeatParam;
using atb::infer::SetValueParam;

int failures = 0;

#define CHECK(condition)                                                                 \
  do {                                                                                   \
    if (!(condition)) {                                                                  \
      ++failures;                                                                        \
      (void)std::fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
    }                                                                                    \
  } while (false)

#define CHECK_STATUS(call, expected)                                                     \
  do {                                                                                   \
    const int checkedStatus = (call);                                                    \
    if (checkedStatus != (expected)) {                                                   \
      ++failures;                                                                        \
      (void)std::fprintf(stderr, "%s:%d: %s is %d, not %d\n", __FILE__, __LINE__, #call, \
                         checkedStatus, static_cast<int>(expected));                     \
    }                                                                                    \
  } while (false)

// What an earlier vector may have looked like before it was copied.

// On the heap, with room for 256.
template <typename T>
SVector<T> OnHeap(std::initializer_list<T> elements) {
  SVector<T> vector;
  vector.resize(65);
  vector.clear();
  for (const T& element : elements) {
    vector.push_back(element);
  }
  return vector;
}

// The ways in which old code fills a vector, as (name, vector) for a check of each.
template <typename T>
struct Filled {
  const char* how;
  SVector<T> vector;
};

template <typename T>
void Fill(std::vector<Filled<T>>& all, std::initializer_list<T> elements) {
  const SVector<T> list = elements;
  const SVector<T> heap = OnHeap(elements);
  all.reserve(16);  // Otherwise each addition would copy the vectors that are there.
  all.push_back({"inline, copied", list});
  all.push_back({"on the heap, capacity 0", heap});
  all.push_back({"on the heap, capacity too large", {}});
  all.back().vector = heap;
  all.push_back({"inline, assigned", OnHeap(elements)});
  all.back().vector = list;
}

TensorDesc Desc(aclDataType dtype, std::initializer_list<int64_t> dims) {
  TensorDesc desc;
  desc.dtype = dtype;
  desc.format = ACL_FORMAT_ND;
  for (const int64_t dim : dims) {
    desc.shape.dims[desc.shape.dimNum++] = dim;
  }
  return desc;
}

// Device memory that holds elements of a type.
template <typename T>
class Buffer {
 public:
  Buffer(aclDataType dtype, std::initializer_list<int64_t> dims, const std::vector<T>& values)
      : count_(values.size()) {
    tensor_.desc = Desc(dtype, dims);
    tensor_.dataSize = count_ * sizeof(T);
    CHECK(atb::Utils::GetTensorSize(tensor_) == tensor_.dataSize);
    CHECK(atb::Utils::GetTensorNumel(tensor_.desc) == count_);
    CHECK_STATUS(aclrtMalloc(&tensor_.deviceData, tensor_.dataSize, ACL_MEM_MALLOC_HUGE_FIRST), 0);
    CHECK_STATUS(aclrtMemcpy(tensor_.deviceData, tensor_.dataSize, values.data(), tensor_.dataSize,
                             ACL_MEMCPY_HOST_TO_DEVICE),
                 0);
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { CHECK_STATUS(aclrtFree(tensor_.deviceData), 0); }

  const atb::Tensor& Get() const { return tensor_; }

  std::vector<T> Read() const {
    std::vector<T> values(count_);
    CHECK_STATUS(aclrtMemcpy(values.data(), tensor_.dataSize, tensor_.deviceData, tensor_.dataSize,
                             ACL_MEMCPY_DEVICE_TO_HOST),
                 0);
    return values;
  }

 private:
  std::size_t count_;
  atb::Tensor tensor_;
};

template <typename Param>
atb::Operation* Create(const Param& param, const char* name) {
  atb::Operation* operation = nullptr;
  CHECK_STATUS(atb::CreateOperation(param, &operation), atb::NO_ERROR);
  if (operation != nullptr) {
    CHECK(operation->GetName() == name);
  }
  return operation;
}

template <typename Param>
void CheckRefused(const Param& param) {
  atb::Operation* operation = nullptr;
  CHECK_STATUS(atb::CreateOperation(param, &operation), atb::ERROR_INVALID_PARAM);
  CHECK(operation == nullptr);
}

// Plans and runs an operation with packs that were filled in every way.
void Run(atb::Operation* operation, atb::Context* context,
         std::initializer_list<atb::Tensor> inputs, std::initializer_list<atb::Tensor> outputs,
         const std::function<void()>& checkResult) {
  std::vector<Filled<atb::Tensor>> ins;
  std::vector<Filled<atb::Tensor>> outs;
  Fill(ins, inputs);
  Fill(outs, outputs);
  for (std::size_t i = 0; i < ins.size(); ++i) {
    (void)std::printf("  tensors %s\n", ins[i].how);
    atb::VariantPack pack;
    pack.inTensors = ins[i].vector;
    pack.outTensors = outs[i].vector;
    const atb::VariantPack copied(pack);
    for (const atb::VariantPack* one : {static_cast<const atb::VariantPack*>(&pack), &copied}) {
      uint64_t workspaceSize = 0;
      CHECK_STATUS(operation->Setup(*one, workspaceSize, context), atb::NO_ERROR);
      void* workspace = nullptr;
      if (workspaceSize != 0) {
        CHECK_STATUS(aclrtMalloc(&workspace, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST), 0);
      }
      CHECK_STATUS(
          operation->Execute(*one, static_cast<uint8_t*>(workspace), workspaceSize, context),
          atb::NO_ERROR);
      CHECK_STATUS(aclrtSynchronizeStream(context->GetExecuteStream()), 0);
      if (workspace != nullptr) {
        CHECK_STATUS(aclrtFree(workspace), 0);
      }
      checkResult();
    }
  }
  // Too many tensors.
  atb::VariantPack pack;
  pack.inTensors = SVector<atb::Tensor>(70, atb::Tensor());
  uint64_t workspaceSize = 7;
  CHECK_STATUS(operation->Setup(pack, workspaceSize, context), atb::ERROR_INVALID_IN_TENSOR_NUM);
  CHECK(workspaceSize == 7);
}

// Has the library fill vectors of every kind with one description, and goes on with them.
void Infer(const atb::Operation* operation, std::initializer_list<TensorDesc> inputs,
           std::initializer_list<int64_t> expected) {
  std::vector<Filled<TensorDesc>> ins;
  Fill(ins, inputs);
  for (const Filled<TensorDesc>& in : ins) {
    for (const std::size_t size : std::initializer_list<std::size_t>{0, 1, 3, 70}) {
      std::vector<Filled<TensorDesc>> outs;
      Fill(outs, {TensorDesc(), TensorDesc(), TensorDesc()});
      SVector<TensorDesc> heap = OnHeap<TensorDesc>({});
      heap.resize(size);
      for (TensorDesc& desc : heap) {
        desc = TensorDesc();
      }
      outs.push_back({"a block of this size, capacity 0", heap});
      outs.push_back({"a block of this size, capacity too large", {}});
      outs.back().vector = heap;
      outs.push_back({"empty", {}});
      for (Filled<TensorDesc>& out : outs) {
        CHECK_STATUS(operation->InferShape(in.vector, out.vector), atb::NO_ERROR);
        CHECK(out.vector.size() == operation->GetOutputNum());
        if (expected.size() != 0) {
          const atb::Dims& shape = out.vector.at(0).shape;
          CHECK(shape.dimNum == expected.size());
          CHECK(std::memcmp(shape.dims, expected.begin(), sizeof(int64_t) * expected.size()) == 0);
          CHECK(out.vector[0].dtype == in.vector[0].dtype);
        }
        const SVector<TensorDesc> copy(out.vector);
        CHECK(copy.size() == out.vector.size());
      }
    }
  }

  // What fails leaves the vector alone.
  SVector<TensorDesc> out(2, TensorDesc());
  const SVector<TensorDesc> tooMany(70, TensorDesc());
  CHECK_STATUS(operation->InferShape(tooMany, out), atb::ERROR_INVALID_IN_TENSOR_NUM);
  CHECK(out.size() == 2);
}

void TestRepeat(atb::Context* context) {
  const Buffer<uint16_t> x(ACL_FLOAT16, {2, 2}, {1, 2, 3, 4});
  const Buffer<uint16_t> output(ACL_FLOAT16, {2, 4}, std::vector<uint16_t>(8));
  std::vector<Filled<int64_t>> all;
  Fill<int64_t>(all, {1, 2});
  for (const Filled<int64_t>& multiples : all) {
    (void)std::printf("Repeat: multiples %s\n", multiples.how);
    RepeatParam param;
    param.multiples = multiples.vector;
    const RepeatParam copied(param);
    for (const RepeatParam* one : {static_cast<const RepeatParam*>(&param), &copied}) {
      const SVector<int64_t> kept(one->multiples);
      atb::Operation* const operation = Create(*one, "RepeatOperation");
      if (operation == nullptr) {
        continue;
      }
      CHECK(one->multiples == kept);
      CHECK(operation->GetInputNum() == 1 && operation->GetOutputNum() == 1);
      Infer(operation, {Desc(ACL_FLOAT16, {2, 2})}, {2, 4});
      Run(operation, context, {x.Get()}, {output.Get()}, [&] {
        CHECK(output.Read() == (std::vector<uint16_t>{1, 2, 1, 2, 3, 4, 3, 4}));
      });
      CHECK_STATUS(atb::DestroyOperation(operation), atb::NO_ERROR);
    }
  }
}

// Vectors of more than 64 elements: copied, assigned, list-assigned, and with lost elements.
std::vector<SVector<int64_t>> LongVectors() {
  std::vector<SVector<int64_t>> vectors;
  vectors.reserve(8);
  const SVector<int64_t> ones(70, 1);
  vectors.push_back(ones);
  CHECK(vectors.back().IsOnHeap() && vectors.back().Capacity() == 0);
  vectors.emplace_back();
  vectors.back() = ones;
  CHECK(vectors.back().IsOnHeap() && vectors.back().Capacity() == 256);
  vectors.emplace_back();
  vectors.back() = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  CHECK(vectors.back().size() == 70 && vectors.back().Capacity() == 256);
  vectors.emplace_back();
  vectors.back().reserve(150);
  vectors.back().resize(150);
  vectors.back().reserve(100);
  CHECK(vectors.back().size() == 150 && vectors.back().Capacity() == 100);
  return vectors;
}

void TestLongMultiples() {
  for (const SVector<int64_t>& multiples : LongVectors()) {
    // Nothing more is copied here: the vector goes to the library as it is.
    RepeatParam param;
    param.multiples.~SVector<int64_t>();
    std::memcpy(static_cast<void*>(&param.multiples), static_cast<const void*>(&multiples),
                sizeof(multiples));
    CheckRefused(param);
    new (&param.multiples) SVector<int64_t>();
  }

  // A list too long for the object gives an empty vector, which fits no input.
  RepeatParam param;
  SVector<int64_t> lost = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                           1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                           1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  CHECK(lost.empty());
  param.multiples = lost;
  atb::Operation* const operation = Create(param, "RepeatOperation");
  if (operation != nullptr) {
    SVector<TensorDesc> out;
    CHECK_STATUS(operation->InferShape({Desc(ACL_FLOAT16, {2})}, out),
                 atb::ERROR_INVALID_TENSOR_DIM);
    CHECK(out.empty());
    CHECK_STATUS(atb::DestroyOperation(operation), atb::NO_ERROR);
  }

  RepeatParam reserved;
  reserved.multiples.push_back(1);
  reserved.rsv[7] = 1;
  CheckRefused(reserved);
}

void TestSetValue(atb::Context* context) {
  const std::vector<float> before(12, 9.0F);
  std::vector<Filled<int64_t>> starts;
  std::vector<Filled<int64_t>> ends;
  std::vector<Filled<int64_t>> strides;
  Fill<int64_t>(starts, {1, 1});
  Fill<int64_t>(ends, {3, 3});
  Fill<int64_t>(strides, {1, 1});
  for (std::size_t i = 0; i < starts.size(); ++i) {
    (void)std::printf("SetValue: vectors %s\n", starts[i].how);
    SetValueParam param;
    param.starts = starts[i].vector;
    param.ends = ends[i].vector;
    param.strides = strides[i].vector;
    const SetValueParam copied(param);
    atb::Operation* const operation = Create(copied, "SetValueOperation");
    if (operation == nullptr) {
      continue;
    }
    CHECK(operation->GetInputNum() == 2 && operation->GetOutputNum() == 0);
    Infer(operation, {Desc(ACL_FLOAT, {3, 4}), Desc(ACL_FLOAT, {2, 2})}, {});
    const Buffer<float> dst(ACL_FLOAT, {3, 4}, before);
    const Buffer<float> src(ACL_FLOAT, {2, 2}, {1, 2, 3, 4});
    Run(operation, context, {dst.Get(), src.Get()}, {}, [&] {
      CHECK(dst.Read() == (std::vector<float>{9, 9, 9, 9, 9, 1, 2, 9, 9, 3, 4, 9}));
    });
    CHECK_STATUS(atb::DestroyOperation(operation), atb::NO_ERROR);
  }
}

void TestLongStarts() {
  for (const SVector<int64_t>& starts : LongVectors()) {
    SetValueParam param;
    param.starts.~SVector<int64_t>();
    std::memcpy(static_cast<void*>(&param.starts), static_cast<const void*>(&starts),
                sizeof(starts));
    param.ends = {3, 3};
    param.strides = {1, 1};
    atb::Operation* const operation = Create(param, "SetValueOperation");
    new (&param.starts) SVector<int64_t>();
    if (operation == nullptr) {
      continue;
    }
    SVector<TensorDesc> out;
    CHECK_STATUS(operation->InferShape({Desc(ACL_FLOAT, {3, 4}), Desc(ACL_FLOAT, {2, 2})}, out),
                 atb::ERROR_INVALID_PARAM);
    CHECK_STATUS(atb::DestroyOperation(operation), atb::NO_ERROR);
  }
}

void TestIndexAdd(atb::Context* context) {
  constexpr uint16_t kOne = 0x3C00;
  constexpr uint16_t kTwo = 0x4000;
  constexpr uint16_t kThree = 0x4200;
  constexpr uint16_t kFive = 0x4500;
  const std::initializer_list<TensorDesc> descs = {Desc(ACL_FLOAT16, {3, 2}), Desc(ACL_INT32, {2}),
                                                   Desc(ACL_FLOAT16, {2, 2}),
                                                   Desc(ACL_FLOAT16, {1})};
  IndexAddParam param;
  param.indexType = IndexAddParam::INDEX_ADD;
  param.axis = -2;
  atb::Operation* const operation = Create(param, "IndexAddOperation");
  if (operation != nullptr) {
    CHECK(operation->GetInputNum() == 4 && operation->GetOutputNum() == 1);
    Infer(operation, descs, {3, 2});
    const Buffer<int32_t> indices(ACL_INT32, {2}, {0, 2});
    const Buffer<uint16_t> updates(ACL_FLOAT16, {2, 2}, {kOne, kTwo, kTwo, kOne});
    const Buffer<uint16_t> alpha(ACL_FLOAT16, {1}, {kTwo});
    const Buffer<uint16_t> var(ACL_FLOAT16, {3, 2}, std::vector<uint16_t>(6, kOne));
    Run(operation, context, {var.Get(), indices.Get(), updates.Get(), alpha.Get()}, {var.Get()},
        [&] {
          CHECK(var.Read() == (std::vector<uint16_t>{kThree, kFive, kOne, kOne, kFive, kThree}));
          const std::vector<uint16_t> ones(6, kOne);
          CHECK_STATUS(
              aclrtMemcpy(var.Get().deviceData, 12, ones.data(), 12, ACL_MEMCPY_HOST_TO_DEVICE), 0);
        });
    CHECK_STATUS(atb::DestroyOperation(operation), atb::NO_ERROR);
  }

  // INDEX_ADD_VALID asks for a workspace.
  param.indexType = IndexAddParam::INDEX_ADD_VALID;
  param.axis = 0;
  atb::Operation* const valid = Create(param, "IndexAddOperation");
  if (valid != nullptr) {
    const Buffer<int32_t> indices(ACL_INT32, {2}, {1, -1});
    const Buffer<uint16_t> updates(ACL_FLOAT16, {2, 2}, {kOne, kTwo, kTwo, kOne});
    const Buffer<int32_t> number(ACL_INT32, {1}, {1});
    const Buffer<uint16_t> var(ACL_FLOAT16, {3, 2}, std::vector<uint16_t>(6, kOne));
    uint16_t expected[2] = {kTwo, kThree};
    Run(valid, context, {var.Get(), indices.Get(), updates.Get(), number.Get()}, {var.Get()}, [&] {
      CHECK(var.Read() ==
            (std::vector<uint16_t>{kOne, kOne, expected[0], expected[1], kOne, kOne}));
      const std::vector<uint16_t> ones(6, kOne);
      CHECK_STATUS(
          aclrtMemcpy(var.Get().deviceData, 12, ones.data(), 12, ACL_MEMCPY_HOST_TO_DEVICE), 0);
    });
    CHECK_STATUS(atb::DestroyOperation(valid), atb::NO_ERROR);
  }

  param.indexType = IndexAddParam::INDEX_UNDEFINED;
  CheckRefused(param);
}

// Classes of the program's own: the library neither takes them for its own nor destroys them.
class OwnContext : public atb::Context {
 public:
  atb::Status SetExecuteStream(aclrtStream) override { return 0; }
  aclrtStream GetExecuteStream() const override { return nullptr; }
  atb::Status SetAsyncTilingCopyStatus(bool) override { return 0; }
  bool GetAsyncTilingCopyStatus() const override { return false; }
  atb::Status SetExecuteStreams(const std::vector<aclrtStream>&) override { return 0; }
  std::vector<aclrtStream> GetExecuteStreams() override { return {}; }
  atb::Status SetExecuteType(atb::ExecuteType) override { return 0; }
  atb::ExecuteType GetExecuteType() override { return atb::EXECUTE_NORMAL; }
  atb::Status SetLaunchMode(atb::LaunchMode) override { return 0; }
  atb::LaunchMode GetLaunchMode() override { return atb::KERNEL_LAUNCH_MODE; }
};

class OwnOperation : public atb::Operation {
 public:
  std::string GetName() const override { return "own"; }
  atb::Status InferShape(const SVector<TensorDesc>&, SVector<TensorDesc>&) const override {
    return 0;
  }
  uint32_t GetInputNum() const override { return 0; }
  uint32_t GetOutputNum() const override { return 0; }
  atb::Status Setup(const atb::VariantPack&, uint64_t&, atb::Context*) override { return 0; }
  atb::Status Execute(const atb::VariantPack&, uint8_t*, uint64_t, atb::Context*) override {
    return 0;
  }
};

void TestContexts(atb::Context* context, aclrtStream stream) {
  CHECK(context->GetExecuteStream() == stream);
  CHECK_STATUS(context->SetExecuteStreams({stream, nullptr}), atb::NO_ERROR);
  CHECK(context->GetExecuteStreams() == (std::vector<aclrtStream>{stream, nullptr}));
  CHECK_STATUS(context->SetExecuteStreams({}), atb::ERROR_INVALID_PARAM);
  CHECK_STATUS(context->SetExecuteType(atb::EXECUTE_PRELAUNCH), atb::NO_ERROR);
  CHECK(context->GetExecuteType() == atb::EXECUTE_PRELAUNCH);
  CHECK_STATUS(context->SetExecuteType(atb::EXECUTE_NORMAL), atb::NO_ERROR);
  CHECK(context->GetLaunchMode() == atb::KERNEL_LAUNCH_MODE);
  CHECK(!context->GetAsyncTilingCopyStatus());

  atb::Context* other = nullptr;
  CHECK_STATUS(atb::CreateContext(&other, nullptr, nullptr), atb::NO_ERROR);
  CHECK_STATUS(atb::DestroyContext(other), atb::NO_ERROR);
  CHECK_STATUS(atb::CreateContext(&other, 128, 32), atb::NO_ERROR);
  CHECK_STATUS(atb::DestroyContext(other), atb::NO_ERROR);
  CHECK_STATUS(atb::CreateContext(&other, 127, 32), atb::ERROR_INVALID_PARAM);
  CHECK_STATUS(atb::CreateContext(nullptr), atb::ERROR_INVALID_PARAM);
  CHECK_STATUS(atb::DestroyContext(nullptr), atb::NO_ERROR);

  OwnContext own;
  CHECK_STATUS(atb::DestroyContext(&own), atb::NO_ERROR);
  RepeatParam param;
  param.multiples = {2};
  atb::Operation* const operation = Create(param, "RepeatOperation");
  if (operation != nullptr) {
    atb::VariantPack pack;
    pack.inTensors.resize(1);
    pack.inTensors[0].desc = Desc(ACL_FLOAT16, {2});
    pack.outTensors.resize(1);
    pack.outTensors[0].desc = Desc(ACL_FLOAT16, {4});
    uint64_t workspaceSize = 0;
    CHECK_STATUS(operation->Setup(pack, workspaceSize, &own), atb::ERROR_INVALID_PARAM);
    CHECK_STATUS(operation->Setup(pack, workspaceSize, context), atb::NO_ERROR);
    CHECK_STATUS(atb::SetExecuteStreamId(operation, 1), atb::NO_ERROR);
    CHECK(atb::GetExecuteStreamId(operation) == 1);
    CHECK_STATUS(atb::DestroyOperation(operation), atb::NO_ERROR);
  }

  OwnOperation ownOperation;
  CHECK_STATUS(atb::SetExecuteStreamId(&ownOperation, 1), atb::ERROR_INVALID_PARAM);
  CHECK(atb::GetExecuteStreamId(&ownOperation) == 0);
  CHECK_STATUS(atb::DestroyOperation(new OwnOperation), atb::NO_ERROR);
  CHECK_STATUS(atb::DestroyOperation(nullptr), atb::NO_ERROR);
}

void TestUtils() {
  CHECK(!atb::Utils::GetAtbVersion().empty());
  const float scales[] = {1.0F, -2.0F};
  uint64_t words[] = {~uint64_t{0}, ~uint64_t{0}};
  atb::Utils::QuantParamConvert(scales, words, 2);
  CHECK(words[0] == 0x3F800000 && words[1] == 0xC0000000);
}

}  // namespace

int main() {
  CHECK_STATUS(aclInit(nullptr), 0);
  CHECK_STATUS(aclrtSetDevice(0), 0);
  aclrtStream stream = nullptr;
  CHECK_STATUS(aclrtCreateStream(&stream), 0);
  atb::Context* context = nullptr;
  CHECK_STATUS(atb::CreateContext(&context), atb::NO_ERROR);
  if (context == nullptr) {
    return 1;
  }
  CHECK_STATUS(context->SetExecuteStream(stream), atb::NO_ERROR);

  TestRepeat(context);
  TestLongMultiples();
  TestSetValue(context);
  TestLongStarts();
  TestIndexAdd(context);
  TestContexts(context, stream);
  TestUtils();

  CHECK_STATUS(atb::DestroyContext(context), atb::NO_ERROR);
  CHECK_STATUS(aclrtDestroyStream(stream), 0);
  CHECK_STATUS(aclrtResetDevice(0), 0);
  CHECK_STATUS(aclFinalize(), 0);
  if (failures != 0) {
    (void)std::fprintf(stderr, "%d checks failed\n", failures);
  }
  return failures == 0 ? 0 : 1;
}
