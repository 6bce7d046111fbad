// What the program does with operations: creation with any parameters, and the calls from
// InferShape to Execute.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "fuzz/atb_program.h"

namespace belay::fuzz {
namespace {

using Numbers = std::vector<std::int64_t>;

Behaviour Current() {
  const char* const value = std::getenv("BELAY_BEHAVIOR");
  return value != nullptr && std::string_view(value) == "released" ? Behaviour::kReleased
                                                                   : Behaviour::kDocumented;
}

atb::SVector<std::int64_t> ToSVector(const Numbers& numbers) {
  atb::SVector<std::int64_t> result;
  for (const std::int64_t number : numbers) result.push_back(number);
  return result;
}

template <class E>
void Store(E& value, std::int32_t number) {
  std::memcpy(&value, &number, sizeof(number));
}

atb::TensorDesc Desc(std::int32_t type, const Numbers& dims) {
  atb::TensorDesc desc{ACL_FLOAT16, ACL_FORMAT_ND, {}};
  Store(desc.dtype, type);
  std::fill(std::begin(desc.shape.dims), std::end(desc.shape.dims), 0);
  desc.shape.dimNum = dims.size();
  std::copy_n(dims.begin(), std::min<std::size_t>(dims.size(), atb::MAX_DIM), desc.shape.dims);
  return desc;
}

}  // namespace

// One dimension besides the first is longer in dst.
void AtbProgram::DrawSetValue(OperationState& state) {
  const std::size_t rank = 2 + input_.Below(3);
  const std::size_t longer = 1 + input_.Below(rank - 1);
  Numbers src;
  Numbers dst;
  for (std::size_t i = 0; i < rank; ++i) {
    const auto start = static_cast<std::int64_t>(i == 0 || i == longer ? input_.Below(3) : 0);
    const auto size = static_cast<std::int64_t>(1 + input_.Below(4));
    const auto rest = static_cast<std::int64_t>(i == longer ? 1 + input_.Below(2) : 0);
    state.params.starts.push_back(start);
    state.params.ends.push_back(start + size);
    state.params.strides.push_back(1);
    src.push_back(size);
    dst.push_back(start + size + rest);
  }
  const std::int32_t type = input_.Below(4) == 0 ? TakeType() : ACL_INT32;
  state.likely = {Desc(type, dst), Desc(type, src)};
}

void AtbProgram::DrawRepeat(OperationState& state) {
  const std::size_t rank = 1 + input_.Below(4);
  const std::size_t added = input_.Below(3);
  Numbers x;
  Numbers y;
  for (std::size_t i = 0; i < added + rank; ++i) {
    const std::int64_t multiple =
        input_.Below(2) == 0 ? 1 : static_cast<std::int64_t>(1 + input_.Below(4));
    const auto size = static_cast<std::int64_t>(i < added ? 1 : 1 + input_.Below(4));
    state.params.multiples.push_back(multiple);
    if (i >= added) x.push_back(size);
    y.push_back(size * multiple);
  }
  const std::int32_t type = input_.Below(4) == 0 ? ACL_BF16 : ACL_FLOAT16;
  state.likely = {Desc(type, x), Desc(type, y)};
}

void AtbProgram::DrawIndexAdd(OperationState& state, bool valid) {
  const std::size_t rank = valid ? 2 : 1 + input_.Below(4);
  const std::size_t axis = valid ? 0 : input_.Below(rank);
  Numbers var;
  for (std::size_t i = 0; i < rank; ++i) {
    var.push_back(static_cast<std::int64_t>(1 + input_.Below(5)));
  }
  Numbers updates = var;
  updates[axis] = static_cast<std::int64_t>(1 + input_.Below(8));
  state.params.axis = static_cast<std::int64_t>(axis);
  if (!valid && input_.Below(2) == 0) state.params.axis -= static_cast<std::int64_t>(rank);
  const std::int32_t type = input_.Below(3) == 0 ? ACL_BF16 : ACL_FLOAT16;
  state.likely = {Desc(type, var), Desc(ACL_INT32, {updates[axis]}), Desc(type, updates),
                  Desc(valid ? ACL_INT32 : type, {1}), Desc(type, var)};
}

atb::Status AtbProgram::Create(OperationState& state, atb::Operation** operation) {
  AtbParams& params = state.params;
  // Any lists and numbers instead of those that were drawn.
  const bool wild = input_.Below(6) == 0;
  const std::uint8_t reserved = input_.Below(32) == 31 ? 1 : 0;
  switch (params.kind) {
    case AtbKind::kSetValue: {
      if (wild) (input_.Below(2) == 0 ? params.starts : params.ends) = TakeList();
      if (wild) params.strides = TakeList();
      atb::infer::SetValueParam param;
      param.starts = ToSVector(params.starts);
      param.ends = ToSVector(params.ends);
      param.strides = ToSVector(params.strides);
      param.rsv[7] = reserved;
      return atb::CreateOperation(param, operation);
    }
    case AtbKind::kRepeat: {
      if (wild) params.multiples = TakeList();
      atb::infer::RepeatParam param;
      param.multiples = ToSVector(params.multiples);
      param.rsv[7] = reserved;
      return atb::CreateOperation(param, operation);
    }
    case AtbKind::kIndexAdd:
    case AtbKind::kIndexAddValid: {
      if (wild) params.axis = TakeNumber();
      atb::infer::IndexAddParam param;
      param.indexType = params.kind == AtbKind::kIndexAdd
                            ? atb::infer::IndexAddParam::INDEX_ADD
                            : atb::infer::IndexAddParam::INDEX_ADD_VALID;
      param.axis = params.axis;
      param.rsv[15] = reserved;
      return atb::CreateOperation(param, operation);
    }
  }
  return atb::ERROR_INVALID_PARAM;
}

void AtbProgram::CreateOperation() {
  if (operations_.size() >= 40) return;
  OperationState state;
  state.alive = true;
  state.params.kind = static_cast<AtbKind>(input_.Below(4));
  switch (state.params.kind) {
    case AtbKind::kSetValue:
      DrawSetValue(state);
      break;
    case AtbKind::kRepeat:
      DrawRepeat(state);
      break;
    default:
      DrawIndexAdd(state, state.params.kind == AtbKind::kIndexAddValid);
  }
  atb::Operation* operation = nullptr;
  const atb::Status status = Create(state, &operation);
  FUZZ_CHECK((status == atb::NO_ERROR) == (operation != nullptr));
  if (operation == nullptr) return;
  FUZZ_CHECK(operation->GetInputNum() == InputCount(state.params.kind));
  FUZZ_CHECK(operation->GetOutputNum() == OutputCount(state.params.kind));
  operations_.push_back(operation);
  operation_states_[operation] = std::move(state);
}

void AtbProgram::StepOperation() {
  switch (input_.Below(4)) {
    case 0: {
      atb::Operation* const operation = TakeOperation();
      if (operation == nullptr) return;
      const bool alive = std::exchange(operation_states_.at(operation).alive, false);
      if (alive && input_.Below(2) == 0) {
        delete operation;
        return;
      }
      const atb::Status expected = alive ? atb::NO_ERROR : atb::ERROR_INVALID_PARAM;
      FUZZ_CHECK(atb::DestroyOperation(operation) == expected);
      return;
    }
    case 1: {
      atb::Operation* const operation = TakeOperation();
      if (operation == nullptr) return;
      OperationState& state = operation_states_.at(operation);
      const auto id = static_cast<std::uint32_t>(input_.Below(4) == 0 ? input_.Take<std::uint32_t>()
                                                                      : input_.Below(3));
      const bool good = atb::SetExecuteStreamId(operation, id) == atb::NO_ERROR;
      FUZZ_CHECK(good == state.alive);
      if (good) state.stream_id = id;
      return;
    }
    default:
      CreateOperation();
  }
}

// Mostly those that fit, with something wrong now and then.
std::vector<atb::TensorDesc> AtbProgram::TakeDescs(const OperationState& state) {
  std::vector<atb::TensorDesc> descs = state.likely;
  if (input_.Below(4) != 0) return descs;
  atb::TensorDesc& desc = descs[input_.Below(descs.size())];
  switch (input_.Below(6)) {
    case 0:
      Store(desc.dtype, TakeType());
      break;
    case 1:
      Store(desc.format, input_.Take<std::int8_t>());
      break;
    case 2:
      desc.shape.dimNum = input_.Below(2) == 0 ? input_.Below(12) : input_.Take<std::uint64_t>();
      break;
    case 3:
      desc = Desc(NumberOf(desc.dtype), TakeList());
      break;
    case 4: {
      // The same type for all: another row of the table.
      const std::int32_t type = TakeType();
      for (atb::TensorDesc& each : descs) Store(each.dtype, type);
      break;
    }
    default:
      desc.shape.dims[input_.Below(atb::MAX_DIM)] = TakeNumber();
  }
  return descs;
}

void* AtbProgram::TakeAddress(std::size_t tensor) {
  std::byte* const own = blocks_[tensor % kBlocks];
  switch (input_.Below(20)) {
    case 0:
      return nullptr;
    case 1:
      return freed_;
    case 2:
      return host_.data();
    case 3:
      return pinned_;
    case 4:
      return foreign_;
    case 5:
      return registered_.data() + input_.Take<std::uint16_t>() % kBlockBytes;
    case 6:
      return own + input_.Take<std::uint16_t>() % (2 * kBlockBytes);
    case 7:
      return blocks_[input_.Below(kBlocks)] + input_.Below(64);
    case 8:
      return reinterpret_cast<void*>(input_.Take<std::uint64_t>());
    case 9:
    case 10:
      return own + input_.Below(256);
    default:
      return own;
  }
}

atb::VariantPack AtbProgram::TakePack(const OperationState& state,
                                      const std::vector<atb::TensorDesc>& descs) {
  atb::VariantPack pack;
  const std::size_t inputs = InputCount(state.params.kind);
  void* var = nullptr;
  for (std::size_t i = 0; i < descs.size(); ++i) {
    atb::Tensor tensor{descs[i], nullptr, nullptr, SmallTensorBytes(descs[i])};
    tensor.deviceData = TakeAddress(i);
    if (i == 0) var = tensor.deviceData;
    if (i == 4 && input_.Below(8) != 0) tensor.deviceData = var;  // output is var
    if (input_.Below(24) == 23) tensor.dataSize = input_.Take<std::uint64_t>();
    if (input_.Below(24) == 23) tensor.hostData = host_.data();
    (i < inputs ? pack.inTensors : pack.outTensors).push_back(tensor);
  }
  auto& tensors = input_.Below(2) == 0 ? pack.inTensors : pack.outTensors;
  const std::size_t count = input_.Below(64);
  if (count < 2) tensors.resize(input_.Take<std::uint8_t>() % (atb::MAX_SVECTOR_SIZE + 1));
  return pack;
}

void AtbProgram::StepInferShape(atb::Operation* operation) {
  if (operation == nullptr) return;
  const OperationState& state = operation_states_.at(operation);
  std::vector<atb::TensorDesc> descs = TakeDescs(state);
  descs.resize(InputCount(state.params.kind));
  if (input_.Below(32) == 31) descs.resize(input_.Take<std::uint8_t>());
  atb::SVector<atb::TensorDesc> inputs;
  for (const atb::TensorDesc& desc : descs) inputs.push_back(desc);
  constexpr std::uint64_t kUntouched = 77;
  atb::SVector<atb::TensorDesc> outputs(input_.Below(3) == 0 ? input_.Take<std::uint8_t>() : 1);
  const std::size_t before = outputs.size();
  for (atb::TensorDesc& desc : outputs) desc.shape.dimNum = kUntouched;
  if (operation->InferShape(inputs, outputs) != atb::NO_ERROR) {
    FUZZ_CHECK(outputs.size() == before);
    for (const atb::TensorDesc& desc : outputs) FUZZ_CHECK(desc.shape.dimNum == kUntouched);
    return;
  }
  FUZZ_CHECK(state.alive && MayAccept(state.params, descs, {}, Current()));
  FUZZ_CHECK(outputs.size() == OutputCount(state.params.kind));
  if (outputs.empty()) return;
  const Numbers shape(outputs[0].shape.dims, outputs[0].shape.dims + outputs[0].shape.dimNum);
  FUZZ_CHECK(shape == ExpectedShape(state.params, descs));
  FUZZ_CHECK(NumberOf(outputs[0].dtype) == NumberOf(descs[0].dtype));
}

void AtbProgram::StepSetup(atb::Operation* operation) {
  if (operation == nullptr) return;
  OperationState& state = operation_states_.at(operation);
  const std::vector<atb::TensorDesc> descs = TakeDescs(state);
  const atb::VariantPack pack = TakePack(state, descs);
  atb::Context* const context = TakeContext();
  std::uint64_t bytes = 0;
  const atb::Status status = operation->Setup(pack, bytes, context);
  if (!state.alive || context == nullptr) {
    FUZZ_CHECK(status == atb::ERROR_INVALID_PARAM);
    return;
  }
  state.prelaunched = false;
  state.ready = status == atb::NO_ERROR;
  if (!state.ready) return;
  const std::size_t inputs = InputCount(state.params.kind);
  FUZZ_CHECK(pack.inTensors.size() == inputs && context_states_.at(context).alive);
  FUZZ_CHECK(pack.outTensors.size() == OutputCount(state.params.kind));
  FUZZ_CHECK(MayAccept(state.params, std::span(descs).first(inputs),
                       std::span(descs).subspan(inputs), Current()));
  state.context = context;
  state.workspace_bytes = bytes;
  state.launch = {state.params, descs, {}};
  for (const auto* tensors : {&pack.inTensors, &pack.outTensors}) {
    for (const atb::Tensor& tensor : *tensors) {
      state.launch.addresses.push_back(tensor.deviceData);
    }
  }
}

void AtbProgram::StepExecute(atb::Operation* operation) {
  if (operation == nullptr) return;
  OperationState& state = operation_states_.at(operation);
  StreamState* const stream = FindStream(state);
  // Work in two streams at once has no order that could be foretold.
  if (working_ != nullptr && working_ != stream) Settle();

  const bool names_none = input_.Below(6) == 0;
  const std::vector<atb::TensorDesc> descs =
      state.ready && input_.Below(4) != 0 ? state.launch.descs : TakeDescs(state);
  const atb::VariantPack pack = names_none ? atb::VariantPack() : TakePack(state, descs);
  atb::Context* const context = input_.Below(8) == 0 ? TakeContext() : state.context;
  std::uint64_t workspace_bytes = state.workspace_bytes;
  void* workspace = workspace_;
  if (input_.Below(12) == 11) workspace = TakeAddress(0);
  if (input_.Below(12) == 11) workspace_bytes = input_.Take<std::uint16_t>();
  const atb::Status status =
      operation->Execute(pack, static_cast<std::uint8_t*>(workspace), workspace_bytes, context);
  const bool prelaunches = type_ != atb::EXECUTE_LAUNCH;
  if (status != atb::NO_ERROR) {
    if (state.alive && context != nullptr && prelaunches) state.prelaunched = false;
    if (gate_ == nullptr) FUZZ_CHECK(memory_.MatchesExpected());
    return;
  }
  FUZZ_CHECK(state.alive && context != nullptr && stream != nullptr);
  const bool graph = context_states_.at(state.context).graph;
  if (prelaunches) {
    FUZZ_CHECK(state.ready && context == state.context);
    const bool takes =
        !(graph && state.captured) && !(pack.inTensors.empty() && pack.outTensors.empty());
    state.to_launch = state.launch.addresses;
    for (std::size_t i = 0; takes && i < state.to_launch.size(); ++i) {
      const std::size_t inputs = pack.inTensors.size();
      const atb::Tensor& tensor = i < inputs ? pack.inTensors[i] : pack.outTensors[i - inputs];
      FUZZ_CHECK(tensor.dataSize == SmallTensorBytes(state.launch.descs[i]));
      state.to_launch[i] = tensor.deviceData;
    }
    state.prelaunched = true;
  }
  if (type_ == atb::EXECUTE_PRELAUNCH) return;
  FUZZ_CHECK(state.prelaunched);
  state.captured = state.captured || graph;
  working_ = stream;
  const AtbLaunch launch{state.params, state.launch.descs, state.to_launch};
  if (!Apply(launch, memory_)) stream->fault = true;
}

}  // namespace belay::fuzz
