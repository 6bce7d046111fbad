#include "fuzz/atb_program.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <utility>

namespace belay::fuzz {
namespace {

constexpr std::size_t kWorkspaceBytes = 16384;
constexpr auto kPolicy = ACL_MEM_MALLOC_HUGE_FIRST;

void* Allocate(std::size_t size) {
  void* memory = nullptr;
  FUZZ_CHECK(aclrtMalloc(&memory, size, kPolicy) == ACL_SUCCESS);
  return memory;
}

}  // namespace

void AtbProgram::Run() {
  Begin();
  for (std::size_t step = 0; step < kMaxSteps && !input_.empty(); ++step) {
    Step();
    (void)aclGetRecentErrMsg();
  }
  End();
}

void AtbProgram::Begin() {
  FUZZ_CHECK(aclrtSetDevice(1) == ACL_SUCCESS);
  foreign_ = Allocate(kBlockBytes);
  FUZZ_CHECK(aclrtSetDevice(0) == ACL_SUCCESS);
  for (std::byte*& block : blocks_) {
    block = static_cast<std::byte*>(Allocate(kBlockBytes));
    std::memset(block, 0, kBlockBytes);
    memory_.Add(block, kBlockBytes);
  }
  workspace_ = Allocate(kWorkspaceBytes);
  freed_ = Allocate(kBlockBytes);
  FUZZ_CHECK(aclrtFree(freed_) == ACL_SUCCESS);
  FUZZ_CHECK(aclrtMallocHost(&pinned_, kBlockBytes) == ACL_SUCCESS);
  void* unused = nullptr;
  registered_.fill(std::byte{0});
  FUZZ_CHECK(aclrtHostRegister(registered_.data(), kBlockBytes, ACL_HOST_REGISTER_MAPPED,
                               &unused) == ACL_SUCCESS);
  memory_.Add(registered_.data(), kBlockBytes);

  FUZZ_CHECK(aclrtCreateStream(&opener_) == ACL_SUCCESS);
  streams_.push_back({nullptr, true, false});
  FUZZ_CHECK(aclrtCreateStream(&streams_[0].handle) == ACL_SUCCESS);
  atb::Context* context = nullptr;
  FUZZ_CHECK(atb::CreateContext(&context) == atb::NO_ERROR);
  FUZZ_CHECK(context->SetExecuteStream(streams_[0].handle) == atb::NO_ERROR);
  contexts_.push_back(context);
  context_states_[context] = {.alive = true, .graph = false, .streams = {streams_[0].handle}};
}

void AtbProgram::Step() {
  switch (input_.Below(12)) {
    case 0:
      return StepContext();
    case 1:
      return StepContextSetting();
    case 2:
      return StepStream();
    case 3:
    case 4:
      return StepMemory();
    case 5:
    case 6:
      return StepOperation();
    case 7:
      return StepInferShape(TakeOperation());
    case 8:
      return StepSetup(TakeOperation());
    case 9:
      return StepExecute(TakeOperation());
    default: {
      atb::Operation* const operation = TakeOperation();
      StepSetup(operation);
      StepExecute(operation);
    }
  }
}

void AtbProgram::StepContext() {
  atb::Context* context = nullptr;
  switch (input_.Below(4)) {
    case 0: {
      if (contexts_.size() >= 40) return;
      const std::function<void*(std::size_t)> alloc = [](std::size_t) -> void* {
        return host_.data();
      };
      const std::function<void(void*)> dealloc = [](void* pool) {
        FUZZ_CHECK(pool == host_.data());
      };
      const std::size_t form = input_.Below(4);
      const atb::Status status = form == 0   ? atb::CreateContext(&context)
                                 : form == 1 ? atb::CreateContext(&context, alloc, dealloc)
                                 : form == 2
                                     ? atb::CreateContext(&context, alloc, nullptr)
                                     : atb::CreateContext(&context, input_.Take<std::uint16_t>(),
                                                          input_.Take<std::uint16_t>());
      FUZZ_CHECK((status == atb::NO_ERROR) == (context != nullptr));
      if (context == nullptr) return;
      contexts_.push_back(context);
      context_states_[context] = {.alive = true};
      if (input_.Below(4) == 0) return;
      FUZZ_CHECK(context->SetExecuteStream(streams_[0].handle) == atb::NO_ERROR);
      context_states_[context].streams = {streams_[0].handle};
      return;
    }
    case 1: {
      context = TakeContext();
      if (context == nullptr) {
        FUZZ_CHECK(atb::DestroyContext(nullptr) == atb::NO_ERROR);
        return;
      }
      ContextState& state = context_states_.at(context);
      const atb::Status expected = state.alive ? atb::NO_ERROR : atb::ERROR_INVALID_PARAM;
      FUZZ_CHECK(atb::DestroyContext(context) == expected);
      state.alive = false;
      return;
    }
    case 2:
      context = TakeContext();
      if (context == nullptr || !context_states_.at(context).alive) return;
      context_states_.at(context).alive = false;
      delete context;
      return;
    default:
      StepContextSetting();
  }
}

void AtbProgram::StepContextSetting() {
  atb::Context* const context = TakeContext();
  if (context == nullptr) return;
  ContextState& state = context_states_.at(context);
  const auto is_good = [&](atb::Status status, bool legal) {
    FUZZ_CHECK(status == (legal && state.alive ? atb::NO_ERROR : atb::ERROR_INVALID_PARAM));
    return status == atb::NO_ERROR;
  };
  switch (input_.Below(5)) {
    case 0: {
      const aclrtStream stream = TakeStream();
      if (is_good(context->SetExecuteStream(stream), true)) state.streams[0] = stream;
      return;
    }
    case 1: {
      std::vector<aclrtStream> streams(input_.Below(4));
      for (aclrtStream& stream : streams) stream = TakeStream();
      if (is_good(context->SetExecuteStreams(streams), !streams.empty())) state.streams = streams;
      return;
    }
    case 2: {
      // Mostly EXECUTE_NORMAL.
      const auto type =
          std::max(static_cast<int>(input_.Below(8)) - 4, 0) - (input_.Below(8) == 7 ? 1 : 0);
      const bool legal = type >= 0 && type <= 2;
      if (is_good(context->SetExecuteType(static_cast<atb::ExecuteType>(type)), legal)) {
        type_ = static_cast<atb::ExecuteType>(type);
      }
      FUZZ_CHECK(context->GetExecuteType() == type_);
      return;
    }
    case 3: {
      const auto mode = static_cast<int>(input_.Below(4)) - 1;
      const bool legal = mode == 0 || mode == 1;
      if (is_good(context->SetLaunchMode(static_cast<atb::LaunchMode>(mode)), legal)) {
        state.graph = mode == 1;
      }
      return;
    }
    default:
      (void)is_good(context->SetAsyncTilingCopyStatus(input_.Below(2) == 0), true);
      if (!state.alive) return;
      FUZZ_CHECK(context->GetExecuteStreams() == state.streams);
      FUZZ_CHECK(context->GetExecuteStream() == state.streams[0]);
      FUZZ_CHECK((context->GetLaunchMode() == atb::GRAPH_LAUNCH_MODE) == state.graph);
  }
}

void AtbProgram::StepStream() {
  Settle();
  StreamState& stream = streams_[input_.Below(streams_.size())];
  switch (input_.Below(6)) {
    case 0: {
      if (streams_.size() >= 6) return;
      aclrtStream made = nullptr;
      FUZZ_CHECK(aclrtCreateStream(&made) == ACL_SUCCESS);
      streams_.push_back({made, true, false});
      return;
    }
    case 1:
      if (stream.alive) FUZZ_CHECK(aclrtDestroyStream(stream.handle) == ACL_SUCCESS);
      stream.alive = false;
      return;
    default:
      // What follows is queued, until Settle.
      if (!stream.alive) return;
      FUZZ_CHECK(aclrtCreateEventWithFlag(&gate_, ACL_EVENT_SYNC) == ACL_SUCCESS);
      FUZZ_CHECK(aclrtStreamWaitEvent(stream.handle, gate_) == ACL_SUCCESS);
      working_ = &stream;
  }
}

void AtbProgram::StepMemory() {
  Settle();
  std::byte* const block = blocks_[input_.Below(kBlocks)];
  const std::span<std::byte> expected = memory_.Expected(block, kBlockBytes);
  const std::size_t count = input_.Below(48);
  for (std::size_t i = 0; i < count; ++i) {
    if (input_.Below(4) == 0) {
      const auto number = input_.Take<std::int16_t>();
      std::memcpy(expected.data() + i * 2, &number, sizeof number);
    } else {  // mostly good as an index
      const auto number = static_cast<std::int32_t>(input_.Below(5)) - (i == 47 ? 1 : 0);
      std::memcpy(expected.data() + i * 4, &number, sizeof number);
    }
  }
  FUZZ_CHECK(aclrtMemcpy(block, kBlockBytes, expected.data(), kBlockBytes,
                         ACL_MEMCPY_HOST_TO_DEVICE) == ACL_SUCCESS);
}

std::int32_t AtbProgram::TakeType() {
  constexpr std::int32_t kTypes[] = {ACL_FLOAT16, ACL_BF16,         ACL_FLOAT, ACL_INT32,
                                     ACL_INT64,   ACL_DT_UNDEFINED, ACL_BOOL,  ACL_STRING};
  const std::size_t choice = input_.Below(10);
  return choice < std::size(kTypes) ? kTypes[choice] : input_.Take<std::int32_t>();
}

std::int64_t AtbProgram::TakeNumber() {
  switch (input_.Below(8)) {
    case 0:
      return input_.Take<std::int64_t>();
    case 1:
      return std::numeric_limits<std::int64_t>::max() -
             static_cast<std::int64_t>(input_.Below(128));
    case 2:
      return std::int64_t{1} << input_.Below(63);
    default:
      return input_.Take<std::int8_t>();
  }
}

std::vector<std::int64_t> AtbProgram::TakeList() {
  std::vector<std::int64_t> numbers(
      input_.Below(3) == 0 ? input_.Take<std::uint8_t>() + std::size_t{1} : input_.Below(10));
  for (std::int64_t& number : numbers) number = TakeNumber();
  return numbers;
}

atb::Context* AtbProgram::TakeContext() {
  const std::size_t choice = input_.Below(16);
  if (choice == 15) return nullptr;
  return contexts_[choice < 8 ? contexts_.size() - 1 : input_.Below(contexts_.size())];
}

atb::Operation* AtbProgram::TakeOperation() {
  if (operations_.empty()) CreateOperation();
  if (operations_.empty()) return nullptr;
  const std::size_t choice = input_.Below(4);
  return choice < 2 ? operations_.back() : operations_[input_.Below(operations_.size())];
}

aclrtStream AtbProgram::TakeStream() {
  const std::size_t choice = input_.Below(16);
  if (choice == 14) return nullptr;
  if (choice == 15) return reinterpret_cast<void*>(input_.Take<std::uint64_t>() | 1U << 31);
  return streams_[choice % streams_.size()].handle;
}

AtbProgram::StreamState* AtbProgram::FindStream(const OperationState& state) {
  const auto context = context_states_.find(state.context);
  if (context == context_states_.end() || !context->second.alive) return nullptr;
  if (state.stream_id >= context->second.streams.size()) return nullptr;
  const aclrtStream handle = context->second.streams[state.stream_id];
  for (StreamState& stream : streams_) {
    if (stream.handle == handle && stream.alive) return &stream;
  }
  return nullptr;
}

void AtbProgram::Settle() {
  if (gate_ != nullptr) FUZZ_CHECK(aclrtRecordEvent(gate_, opener_) == ACL_SUCCESS);
  for (StreamState& stream : streams_) {
    if (!stream.alive) continue;
    const int code = aclrtSynchronizeStream(stream.handle);
    FUZZ_CHECK(code == (stream.fault ? ACL_ERROR_RT_VECTOR_CORE_EXCEPTION : ACL_SUCCESS));
    stream.fault = false;
  }
  if (gate_ != nullptr) FUZZ_CHECK(aclrtDestroyEvent(gate_) == ACL_SUCCESS);
  gate_ = nullptr;
  working_ = nullptr;
  FUZZ_CHECK(memory_.MatchesExpected());
}

void AtbProgram::End() {
  Settle();
  const auto destroy_operations = [&] {
    for (atb::Operation* operation : operations_) {
      OperationState& state = operation_states_.at(operation);
      if (!std::exchange(state.alive, false)) continue;
      FUZZ_CHECK(atb::DestroyOperation(operation) == atb::NO_ERROR);
    }
  };
  // Contexts before operations is legal too.
  if (input_.Below(2) == 0) destroy_operations();
  FUZZ_CHECK(aclrtHostUnregister(registered_.data()) == ACL_SUCCESS);
  FUZZ_CHECK(aclrtFreeHost(pinned_) == ACL_SUCCESS);
  for (atb::Context* context : contexts_) {
    ContextState& state = context_states_.at(context);
    if (!state.alive) continue;
    FUZZ_CHECK(context->SetExecuteType(atb::EXECUTE_NORMAL) == atb::NO_ERROR);
    type_ = atb::EXECUTE_NORMAL;
    state.alive = false;
    FUZZ_CHECK(atb::DestroyContext(context) == atb::NO_ERROR);
  }
  if (type_ != atb::EXECUTE_NORMAL) {  // the thread's; the next program starts as a new one does
    atb::Context* context = nullptr;
    FUZZ_CHECK(atb::CreateContext(&context) == atb::NO_ERROR);
    FUZZ_CHECK(context->SetExecuteType(atb::EXECUTE_NORMAL) == atb::NO_ERROR);
    FUZZ_CHECK(atb::DestroyContext(context) == atb::NO_ERROR);
  }
  destroy_operations();
  for (const std::int32_t device : {1, 0}) {
    FUZZ_CHECK(aclrtResetDeviceForce(device) == ACL_SUCCESS);
  }
  (void)aclGetRecentErrMsg();
}

}  // namespace belay::fuzz
