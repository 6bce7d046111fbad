// Checks the types, constants, layouts and virtual tables of the ATB API.
// The expected values stand here in full; nothing is computed from the headers.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <vector>

#include "abi_check.h"
#include "atb/atb_infer.h"
#include "hccl/hccl_types.h"

namespace {

using atb::ErrorType;
using atb::ExecuteType;
using atb::LaunchMode;
using atb::LogLevel;
using atb::SVector;
using atb::infer::IndexAddParam;

// Types.
ABI_ALIAS(HcclComm, void*);
ABI_ALIAS(atb::Status, int32_t);
ABI_ALIAS(std::underlying_type<ErrorType>::type, int);
ABI_ALIAS(std::underlying_type<LogLevel>::type, int);
ABI_ALIAS(std::underlying_type<ExecuteType>::type, int);
ABI_ALIAS(std::underlying_type<LaunchMode>::type, int);
static_assert(std::is_convertible<ErrorType, int>::value, "ErrorType is unscoped");
static_assert(!std::is_convertible<LogLevel, int>::value, "LogLevel is scoped");
static_assert(std::is_base_of<std::exception, atb::MaxSizeExceeded>::value, "exception");

// Constants.
constexpr Value kConstants[] = {
    ABI_TYPED(uint32_t, atb::MAX_DIM, 8),
    ABI_TYPED(std::size_t, atb::MAX_SVECTOR_SIZE, 256),
    ABI_TYPED(std::size_t, atb::DEFAULT_SVECTOR_SIZE, 64),
    ABI_TYPED(bool, atb::CHECK_BOUND, true),
};
static_assert(AllMatch(kConstants), "constants of ATB");

constexpr Value kEnums[] = {
    ABI_ENUM(ErrorType, atb::NO_ERROR, 0),
    ABI_ENUM(ErrorType, atb::ERROR_INVALID_PARAM, 1),
    ABI_ENUM(ErrorType, atb::ERROR_INVALID_GRAPH, 2),
    ABI_ENUM(ErrorType, atb::ERROR_INTERNAL_ERROR, 3),
    ABI_ENUM(ErrorType, atb::ERROR_RT_FAIL, 4),
    ABI_ENUM(ErrorType, atb::ERROR_INVALID_IN_TENSOR_NUM, 5),
    ABI_ENUM(ErrorType, atb::ERROR_INVALID_TENSOR_DTYPE, 6),
    ABI_ENUM(ErrorType, atb::ERROR_INVALID_TENSOR_FORMAT, 7),
    ABI_ENUM(ErrorType, atb::ERROR_INVALID_TENSOR_DIM, 8),
    ABI_ENUM(ErrorType, atb::ERROR_INVALID_TENSOR_SIZE, 9),
    ABI_ENUM(ErrorType, atb::ERROR_OPERATION_NULL_RUNNER, 10),
    ABI_ENUM(ErrorType, atb::ERROR_GRAPH_INFERSHAPE_FUNC_FAIL, 11),
    ABI_ENUM(ErrorType, atb::ERROR_CANN_ERROR, 12),
    ABI_ENUM(ErrorType, atb::ERROR_INVALID_TENSOR_INI_MATCH, 13),
    ABI_ENUM(ErrorType, atb::ERROR_INVALID_TENSOR_ADDR, 14),
    ABI_ENUM(ErrorType, atb::ERROR_INVALID_TENSOR_NUM, 15),
    ABI_ENUM(ErrorType, atb::ERROR_INVALID_TENSOR_DIM_NUM, 16),
    ABI_ENUM(ErrorType, atb::ERROR_INVALID_SINGLE_OPERATION_PARAM, 17),
    ABI_ENUM(ErrorType, atb::ERROR_GRAPH_NODE_RESHAPE_FUNC_FAIL, 18),
    ABI_ENUM(ErrorType, atb::ERROR_INVALID_GRAPH_NODE_CHUNK, 19),
    ABI_ENUM(ErrorType, atb::ERROR_INVALID_CONTEXT_ADDR, 20),
    ABI_ENUM(ErrorType, atb::ERROR_INVALID_STREAM, 21),
    ABI_ENUM(ErrorType, atb::ERROR_INVALID_WORKSPACE_SIZE, 22),
    ABI_ENUM(ErrorType, atb::ERROR_INVALID_WORKSPACE_ADDR, 23),
    ABI_ENUM(ErrorType, atb::ERROR_INVALID_OPERATION_ADDR, 24),
    ABI_ENUM(ErrorType, atb::ERROR_HCCL_FAIL, 25),
    ABI_ENUM(ErrorType, atb::ERROR_OUT_OF_DEVICE_MEMORY, 26),
    ABI_ENUM(ErrorType, atb::ERROR_OUT_OF_HOST_MEMORY, 27),
    ABI_ENUM(ErrorType, atb::ERROR_COMM_EMPTY, 28),
    ABI_ENUM(ErrorType, atb::ERROR_COPY_HOST_MEMORY_FAIL, 29),
    ABI_ENUM(LogLevel, LogLevel::DEBUG, 0),
    ABI_ENUM(LogLevel, LogLevel::INFO, 1),
    ABI_ENUM(LogLevel, LogLevel::WARN, 2),
    ABI_ENUM(LogLevel, LogLevel::ERROR, 3),
    ABI_ENUM(LogLevel, LogLevel::NONE, 4),
    ABI_ENUM(ExecuteType, atb::EXECUTE_NORMAL, 0),
    ABI_ENUM(ExecuteType, atb::EXECUTE_PRELAUNCH, 1),
    ABI_ENUM(ExecuteType, atb::EXECUTE_LAUNCH, 2),
    ABI_ENUM(LaunchMode, atb::KERNEL_LAUNCH_MODE, 0),
    ABI_ENUM(LaunchMode, atb::GRAPH_LAUNCH_MODE, 1),
    ABI_ENUM(IndexAddParam::IndexType, IndexAddParam::INDEX_UNDEFINED, 0),
    ABI_ENUM(IndexAddParam::IndexType, IndexAddParam::INDEX_ADD, 1),
    ABI_ENUM(IndexAddParam::IndexType, IndexAddParam::INDEX_ADD_VALID, 2),
};
static_assert(AllMatch(kEnums), "enumerators of ATB");

ABI_SIZE(ErrorType, 4, 4);
ABI_SIZE(LogLevel, 4, 4);
ABI_SIZE(ExecuteType, 4, 4);
ABI_SIZE(LaunchMode, 4, 4);
ABI_SIZE(IndexAddParam::IndexType, 4, 4);

// SVector for the element types of the API.
constexpr bool kNewStrings = sizeof(std::string) == 32;
ABI_SIZE(SVector<bool>, 96, 8);
ABI_SIZE(SVector<int32_t>, 288, 8);
ABI_SIZE(SVector<uint32_t>, 288, 8);
ABI_SIZE(SVector<int64_t>, 544, 8);
ABI_SIZE(SVector<uint64_t>, 544, 8);
ABI_SIZE(SVector<void*>, 544, 8);
ABI_SIZE(SVector<aclTensorList*>, 544, 8);
ABI_SIZE(SVector<std::function<void(const atb::Dims&, atb::Dims&)>>, 2104, 8);
ABI_SIZE(SVector<std::shared_ptr<int>>, 1064, 8);
ABI_SIZE(SVector<std::string>, kNewStrings ? 2104 : 544, 8);
ABI_SIZE(SVector<atb::Tensor>, 6784, 8);
ABI_SIZE(SVector<atb::TensorDesc>, 5224, 8);

// Structures.
ABI_SIZE(atb::Dims, 72, 8);
ABI_MEMBER(atb::Dims, dims, 0, int64_t[8]);
ABI_MEMBER(atb::Dims, dimNum, 64, uint64_t);

ABI_SIZE(atb::TensorDesc, 80, 8);
ABI_MEMBER(atb::TensorDesc, dtype, 0, aclDataType);
ABI_MEMBER(atb::TensorDesc, format, 4, aclFormat);
ABI_MEMBER(atb::TensorDesc, shape, 8, atb::Dims);

ABI_SIZE(atb::Tensor, 104, 8);
ABI_MEMBER(atb::Tensor, desc, 0, atb::TensorDesc);
ABI_MEMBER(atb::Tensor, deviceData, 80, void*);
ABI_MEMBER(atb::Tensor, hostData, 88, void*);
ABI_MEMBER(atb::Tensor, dataSize, 96, uint64_t);

ABI_SIZE(atb::VariantPack, 13568, 8);
ABI_MEMBER(atb::VariantPack, inTensors, 0, SVector<atb::Tensor>);
ABI_MEMBER(atb::VariantPack, outTensors, 6784, SVector<atb::Tensor>);

ABI_SIZE(atb::infer::SetValueParam, 1640, 8);
ABI_MEMBER(atb::infer::SetValueParam, starts, 0, SVector<int64_t>);
ABI_MEMBER(atb::infer::SetValueParam, ends, 544, SVector<int64_t>);
ABI_MEMBER(atb::infer::SetValueParam, strides, 1088, SVector<int64_t>);
ABI_MEMBER(atb::infer::SetValueParam, rsv, 1632, uint8_t[8]);

ABI_SIZE(IndexAddParam, 32, 8);
ABI_MEMBER(IndexAddParam, indexType, 0, IndexAddParam::IndexType);
ABI_MEMBER(IndexAddParam, axis, 8, int64_t);
ABI_MEMBER(IndexAddParam, rsv, 16, uint8_t[16]);

ABI_SIZE(atb::infer::RepeatParam, 552, 8);
ABI_MEMBER(atb::infer::RepeatParam, multiples, 0, SVector<int64_t>);
ABI_MEMBER(atb::infer::RepeatParam, rsv, 544, uint8_t[8]);

ABI_SIZE(atb::Operation, 8, 8);
ABI_SIZE(atb::Context, 8, 8);
ABI_SIZE(atb::Utils, 1, 1);

// Functions.
ABI_FUNCTION(atb::CreateOperation<atb::infer::SetValueParam>,
             atb::Status (*)(const atb::infer::SetValueParam&, atb::Operation**));
ABI_FUNCTION(atb::DestroyOperation, atb::Status (*)(atb::Operation*));
ABI_FUNCTION(atb::SetExecuteStreamId, atb::Status (*)(atb::Operation*, uint32_t));
ABI_FUNCTION(atb::GetExecuteStreamId, uint32_t (*)(atb::Operation*));
ABI_FUNCTION(atb::DestroyContext, atb::Status (*)(atb::Context*));
ABI_FUNCTION(atb::Utils::GetAtbVersion, std::string (*)());
ABI_FUNCTION(atb::Utils::QuantParamConvert, void (*)(const float*, uint64_t*, uint64_t));
ABI_FUNCTION(atb::Utils::SetLogLevel, atb::Status (*)(LogLevel));
ABI_FUNCTION(atb::Utils::ResetLogLevel, atb::Status (*)());

// Calls of CreateContext that two overloads could take.
static_assert(std::is_same<decltype(atb::CreateContext(nullptr, nullptr, nullptr)), int32_t>::value,
              "null functions");
static_assert(std::is_same<decltype(atb::CreateContext(nullptr, 128, 32)), int32_t>::value,
              "numbers of blocks");

// A static vector needs no code to start.
constinit SVector<int64_t> constantVector;

TEST(AbiAtbTypes, Constants) {
  ExpectAllMatch(kConstants);
  ExpectAllMatch(kEnums);
}

TEST(AbiAtbTypes, StaticVectorIsEmpty) { EXPECT_TRUE(constantVector.empty()); }

template <typename T>
T Read(const void* object, std::size_t offset) {
  T value;
  std::memcpy(&value, static_cast<const char*>(object) + offset, sizeof(T));
  return value;
}

template <typename T>
void ExpectVectorLayout() {
  constexpr std::size_t kHeapOffset = sizeof(SVector<T>) - sizeof(void*);
  SVector<T> vector{static_cast<T>(1), static_cast<T>(0), static_cast<T>(1)};
  EXPECT_EQ(Read<std::size_t>(&vector, 8), 3U);
  EXPECT_EQ(Read<T>(&vector, 16), static_cast<T>(1));
  EXPECT_EQ(Read<T>(&vector, 16 + 2 * sizeof(T)), static_cast<T>(1));
  EXPECT_EQ(Read<T*>(&vector, kHeapOffset), nullptr);
  vector.resize(65);
  EXPECT_EQ(Read<std::size_t>(&vector, 0), 256U);
  EXPECT_EQ(Read<std::size_t>(&vector, 8), 65U);
  EXPECT_EQ(Read<T*>(&vector, kHeapOffset), vector.data());
}

TEST(AbiAtbTypes, LayoutOfSVector) {
  ExpectVectorLayout<bool>();
  ExpectVectorLayout<int32_t>();
  ExpectVectorLayout<int64_t>();
  const SVector<int64_t> empty;
  EXPECT_EQ(Read<std::size_t>(&empty, 0), 0U);
  EXPECT_EQ(Read<std::size_t>(&empty, 8), 0U);
}

TEST(AbiAtbTypes, Defaults) {
  const atb::Tensor tensor{};
  EXPECT_EQ(tensor.desc.dtype, ACL_DT_UNDEFINED);
  EXPECT_EQ(tensor.desc.format, ACL_FORMAT_UNDEFINED);
  EXPECT_EQ(tensor.desc.shape.dimNum, 0U);
  EXPECT_EQ(tensor.deviceData, nullptr);
  EXPECT_EQ(tensor.hostData, nullptr);
  EXPECT_EQ(tensor.dataSize, 0U);

  const IndexAddParam indexAdd;
  EXPECT_EQ(indexAdd.indexType, IndexAddParam::INDEX_UNDEFINED);
  EXPECT_EQ(indexAdd.axis, 0);
  for (const uint8_t byte : indexAdd.rsv) {
    EXPECT_EQ(byte, 0);
  }
  const atb::infer::RepeatParam repeat;
  EXPECT_TRUE(repeat.multiples.empty());
  for (const uint8_t byte : repeat.rsv) {
    EXPECT_EQ(byte, 0);
  }
  const atb::infer::SetValueParam setValue;
  EXPECT_TRUE(setValue.starts.empty());
  EXPECT_TRUE(setValue.ends.empty());
  EXPECT_TRUE(setValue.strides.empty());
  for (const uint8_t byte : setValue.rsv) {
    EXPECT_EQ(byte, 0);
  }
}

TEST(AbiAtbTypes, BraceInitialisation) {
  const atb::TensorDesc desc{ACL_FLOAT16, ACL_FORMAT_ND, {{2, 3}, 2}};
  EXPECT_EQ(desc.dtype, ACL_FLOAT16);
  EXPECT_EQ(desc.format, ACL_FORMAT_ND);
  EXPECT_EQ(desc.shape.dims[1], 3);
  EXPECT_EQ(desc.shape.dimNum, 2U);

  int data = 0;
  const atb::Tensor tensor{desc, &data, nullptr, 12};
  EXPECT_EQ(tensor.deviceData, &data);
  EXPECT_EQ(tensor.dataSize, 12U);

  const SVector<atb::TensorDesc> descs = {desc, {ACL_INT32, ACL_FORMAT_ND, {{7}, 1}}};
  EXPECT_EQ(descs.at(1).shape.dims[0], 7);
  const atb::VariantPack pack{{tensor, tensor}, {tensor}};
  EXPECT_EQ(pack.inTensors.size(), 2U);
  const atb::infer::RepeatParam repeat{{2, 1}};
  EXPECT_EQ(repeat.multiples.size(), 2U);
  const IndexAddParam indexAdd{IndexAddParam::INDEX_ADD, 1};
  EXPECT_EQ(indexAdd.axis, 1);
}

// Virtual tables. Calls through the slots of a probe object tell which member each slot is. A
// member function takes the object as its first argument, as the Itanium ABI has it.

int lastSlot = -1;
int destructions = 0;

template <typename T>
T Reached(int slot, T result) {
  lastSlot = slot;
  return result;
}

class ProbeOperation : public atb::Operation {
 public:
  ~ProbeOperation() override { ++destructions; }
  std::string GetName() const override { return Reached(2, std::string("probe")); }
  atb::Status InferShape(const SVector<atb::TensorDesc>& in,
                         SVector<atb::TensorDesc>& out) const override {
    out = in;
    return Reached(3, 103);
  }
  uint32_t GetInputNum() const override { return Reached(4, 104U); }
  uint32_t GetOutputNum() const override { return Reached(5, 105U); }
  atb::Status Setup(const atb::VariantPack& pack, uint64_t& workspaceSize,
                    atb::Context* context) override {
    workspaceSize = pack.inTensors.size();
    return Reached(6, context == nullptr ? 106 : -1);
  }
  atb::Status Execute(const atb::VariantPack& pack, uint8_t* workspace, uint64_t workspaceSize,
                      atb::Context* context) override {
    const bool same = pack.inTensors.size() == 1 && *workspace == 9 && workspaceSize == 77;
    return Reached(7, same && context == nullptr ? 107 : -1);
  }
};

class ProbeContext : public atb::Context {
 public:
  ~ProbeContext() override { ++destructions; }
  atb::Status SetExecuteStream(aclrtStream stream) override {
    return Reached(2, stream == this ? 102 : -1);
  }
  aclrtStream GetExecuteStream() const override { return Reached(3, aclrtStream{&lastSlot}); }
  atb::Status SetAsyncTilingCopyStatus(bool enable) override { return Reached(4, enable ? 1 : 0); }
  bool GetAsyncTilingCopyStatus() const override { return Reached(5, true); }
  atb::Status SetExecuteStreams(const std::vector<aclrtStream>& streams) override {
    return Reached(6, static_cast<atb::Status>(streams.size()));
  }
  std::vector<aclrtStream> GetExecuteStreams() override {
    return Reached(7, std::vector<aclrtStream>(5));
  }
  atb::Status SetExecuteType(ExecuteType type) override { return Reached(8, int{type}); }
  ExecuteType GetExecuteType() override { return Reached(9, atb::EXECUTE_LAUNCH); }
  atb::Status SetLaunchMode(LaunchMode mode) override { return Reached(10, int{mode}); }
  LaunchMode GetLaunchMode() override { return Reached(11, atb::GRAPH_LAUNCH_MODE); }
};

// Calls a slot of an object's virtual table.
#if defined(__GNUC__)
#define ABI_UNCHECKED __attribute__((no_sanitize("undefined")))
#else
#define ABI_UNCHECKED
#endif
template <typename Result, typename... Args>
ABI_UNCHECKED Result CallSlot(const void* object, std::size_t slot, Args... args) {
  void* const* const table = Read<void* const*>(object, 0);
  void* const function = table[slot];
  return reinterpret_cast<Result (*)(const void*, Args...)>(function)(object, args...);
}

TEST(AbiAtbTypes, VirtualTableOfOperation) {
  const ProbeOperation probe;
  const void* const object = static_cast<const atb::Operation*>(&probe);
  EXPECT_EQ(CallSlot<std::string>(object, 2), "probe");
  EXPECT_EQ(lastSlot, 2);

  const SVector<atb::TensorDesc> in(3);
  SVector<atb::TensorDesc> out;
  EXPECT_EQ((CallSlot<atb::Status, const SVector<atb::TensorDesc>&, SVector<atb::TensorDesc>&>(
                object, 3, in, out)),
            103);
  EXPECT_EQ(lastSlot, 3);
  EXPECT_EQ(out.size(), 3U);
  EXPECT_EQ(CallSlot<uint32_t>(object, 4), 104U);
  EXPECT_EQ(lastSlot, 4);
  EXPECT_EQ(CallSlot<uint32_t>(object, 5), 105U);
  EXPECT_EQ(lastSlot, 5);

  atb::VariantPack pack;
  pack.inTensors.resize(1);
  uint64_t workspaceSize = 0;
  EXPECT_EQ((CallSlot<atb::Status, const atb::VariantPack&, uint64_t&, atb::Context*>(
                object, 6, pack, workspaceSize, nullptr)),
            106);
  EXPECT_EQ(lastSlot, 6);
  EXPECT_EQ(workspaceSize, 1U);
  uint8_t workspace = 9;
  EXPECT_EQ((CallSlot<atb::Status, const atb::VariantPack&, uint8_t*, uint64_t, atb::Context*>(
                object, 7, pack, &workspace, 77, nullptr)),
            107);
  EXPECT_EQ(lastSlot, 7);
}

TEST(AbiAtbTypes, VirtualTableOfContext) {
  const ProbeContext probe;
  const void* const object = static_cast<const atb::Context*>(&probe);
  EXPECT_EQ(CallSlot<atb::Status>(object, 2, object), 102);
  EXPECT_EQ(lastSlot, 2);
  EXPECT_EQ(CallSlot<aclrtStream>(object, 3), &lastSlot);
  EXPECT_EQ(lastSlot, 3);
  EXPECT_EQ(CallSlot<atb::Status>(object, 4, true), 1);
  EXPECT_EQ(lastSlot, 4);
  EXPECT_TRUE(CallSlot<bool>(object, 5));
  EXPECT_EQ(lastSlot, 5);
  const std::vector<aclrtStream> streams(6);
  EXPECT_EQ((CallSlot<atb::Status, const std::vector<aclrtStream>&>(object, 6, streams)), 6);
  EXPECT_EQ(lastSlot, 6);
  EXPECT_EQ(CallSlot<std::vector<aclrtStream>>(object, 7).size(), 5U);
  EXPECT_EQ(lastSlot, 7);
  EXPECT_EQ(CallSlot<atb::Status>(object, 8, atb::EXECUTE_LAUNCH), 2);
  EXPECT_EQ(lastSlot, 8);
  EXPECT_EQ(CallSlot<ExecuteType>(object, 9), atb::EXECUTE_LAUNCH);
  EXPECT_EQ(lastSlot, 9);
  EXPECT_EQ(CallSlot<atb::Status>(object, 10, atb::GRAPH_LAUNCH_MODE), 1);
  EXPECT_EQ(lastSlot, 10);
  EXPECT_EQ(CallSlot<LaunchMode>(object, 11), atb::GRAPH_LAUNCH_MODE);
  EXPECT_EQ(lastSlot, 11);
}

// Slot 0 destroys an object in place, slot 1 also gives its memory back.
template <typename Probe>
void ExpectDestructorSlots() {
  destructions = 0;
  alignas(Probe) unsigned char memory[sizeof(Probe)];
  Probe* const inPlace = new (memory) Probe;
  CallSlot<void>(inPlace, 0);
  EXPECT_EQ(destructions, 1);
  CallSlot<void>(new Probe, 1);  // The leak check sees it if the memory stays.
  EXPECT_EQ(destructions, 2);
}

TEST(AbiAtbTypes, DestructorSlots) {
  ExpectDestructorSlots<ProbeOperation>();
  ExpectDestructorSlots<ProbeContext>();
}

}  // namespace
