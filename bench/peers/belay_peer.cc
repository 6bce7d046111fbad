#include "peers/belay_peer.h"

#include <memory>

#include "check.h"
#include "memory.h"
#include "peers/aclnn_calls.h"

namespace belay::bench {
namespace {

bool IsAclnn(CallMode mode) {
  return mode == CallMode::kAclnn || mode == CallMode::kAclnnRepeatable;
}

AclnnMode AclnnModeOf(CallMode mode) {
  return mode == CallMode::kAclnn ? AclnnMode::kBothPhases : AclnnMode::kRepeatable;
}

atb::Tensor TensorOf(aclDataType type, const Shape& shape, const void* memory) {
  atb::Tensor tensor;
  tensor.desc.dtype = type;
  tensor.desc.format = ACL_FORMAT_ND;
  tensor.desc.shape.dimNum = shape.size();
  for (std::size_t i = 0; i < shape.size(); ++i) tensor.desc.shape.dims[i] = shape[i];
  tensor.dataSize = atb::Utils::GetTensorSize(tensor);
  tensor.deviceData = const_cast<void*>(memory);
  return tensor;
}

/// An operation that is set up, and what it works on.
struct Prepared {
  atb::Operation* operation = nullptr;
  atb::VariantPack pack;
  Block workspace{nullptr, {nullptr, 0}};
  std::uint64_t workspace_size = 0;

  Prepared() = default;
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;
  ~Prepared() { atb::DestroyOperation(operation); }

  void Setup(atb::Context* context) {
    Check(operation->Setup(pack, workspace_size, context), "Setup");
  }
  void Execute(atb::Context* context) const {
    Check(operation->Execute(pack, reinterpret_cast<std::uint8_t*>(workspace.get()), workspace_size,
                             context),
          "Execute");
  }
};

}  // namespace

aclDataType AclTypeOf(Type type) {
  switch (type) {
    case Type::kFp16:
      return ACL_FLOAT16;
    case Type::kBf16:
      return ACL_BF16;
    case Type::kFp32:
      return ACL_FLOAT;
    case Type::kInt32:
      return ACL_INT32;
    case Type::kInt64:
      return ACL_INT64;
  }
  return ACL_DT_UNDEFINED;
}

Belay::Belay(CallMode mode) : mode_(mode) {
  Check(aclrtCreateStream(&stream_), "aclrtCreateStream");
  Check(atb::CreateContext(&context_), "CreateContext");
  Check(context_->SetExecuteStream(stream_), "SetExecuteStream");
}

Belay::~Belay() {
  atb::DestroyContext(context_);
  aclrtDestroyStream(stream_);
}

template <class Param>
Call Belay::Prepare(const Param& param, atb::VariantPack pack) {
  auto prepared = std::make_shared<Prepared>();
  Check(atb::CreateOperation(param, &prepared->operation), "CreateOperation");
  prepared->pack = std::move(pack);
  prepared->Setup(context_);
  if (prepared->workspace_size != 0) prepared->workspace = DeviceBlock(prepared->workspace_size);

  const auto execute = [prepared, context = context_] { prepared->Execute(context); };
  const auto launch = [execute] {
    for (std::uint64_t i = 0; i < kTrainLength; ++i) execute();
  };
  switch (mode_) {
    case CallMode::kSetupCall:
      return [this, prepared, execute] {
        prepared->Setup(context_);
        execute();
        Synchronize();
      };
    case CallMode::kTrain:
      return [this, launch] {
        launch();
        Synchronize();
      };
    case CallMode::kLaunch:
      return launch;
    default:
      return ThenSynchronize(execute);
  }
}

Call Belay::ThenSynchronize(Call call) {
  return [this, call = std::move(call)] {
    call();
    Synchronize();
  };
}

void Belay::Synchronize() { Check(aclrtSynchronizeStream(stream_), "aclrtSynchronizeStream"); }

Call Belay::SetValue(const SetValueProblem& problem) {
  atb::infer::SetValueParam param;
  for (std::size_t i = 0; i < problem.starts.size(); ++i) {
    param.starts.push_back(problem.starts[i]);
    param.ends.push_back(problem.starts[i] + problem.src_shape[i]);
    param.strides.push_back(1);
  }
  const aclDataType type = AclTypeOf(problem.type);
  atb::VariantPack pack;
  pack.inTensors = {TensorOf(type, problem.dst_shape, problem.dst),
                    TensorOf(type, problem.src_shape, problem.src)};
  return Prepare(param, pack);
}

Call Belay::Repeat(const RepeatProblem& problem) {
  if (IsAclnn(mode_)) {
    return ThenSynchronize(AclnnRepeat(problem, AclnnModeOf(mode_), stream_));
  }
  atb::infer::RepeatParam param;
  for (const std::int64_t multiple : problem.multiples) param.multiples.push_back(multiple);
  const aclDataType type = AclTypeOf(problem.type);
  atb::VariantPack pack;
  pack.inTensors = {TensorOf(type, problem.x_shape, problem.x)};
  pack.outTensors = {TensorOf(type, RepeatedShape(problem), problem.y)};
  return Prepare(param, pack);
}

Call Belay::IndexAdd(const IndexAddProblem& problem) {
  if (IsAclnn(mode_)) {
    return ThenSynchronize(AclnnIndexAdd(problem, AclnnModeOf(mode_), stream_));
  }
  atb::infer::IndexAddParam param;
  param.indexType = atb::infer::IndexAddParam::INDEX_ADD;
  param.axis = static_cast<std::int64_t>(problem.axis);
  const aclDataType type = AclTypeOf(problem.type);

  kept_.push_back(DeviceBlock(2));
  std::byte* alpha = kept_.back().get();
  *reinterpret_cast<std::uint16_t*>(alpha) = problem.type == Type::kFp16 ? 0x3C00 : 0x3F80;
  const atb::Tensor var = TensorOf(type, problem.var_shape, problem.var);
  atb::VariantPack pack;
  pack.inTensors = {var, TensorOf(ACL_INT32, {problem.index_count}, problem.indices),
                    TensorOf(type, UpdatesShape(problem), problem.updates),
                    TensorOf(type, {1}, alpha)};
  pack.outTensors = {var};
  return Prepare(param, pack);
}

}  // namespace belay::bench
