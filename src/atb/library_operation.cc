#include "atb/library_operation.h"

#include <algorithm>
#include <utility>

#include "atb/atb_call.h"
#include "atb/to_desc.h"
#include "runtime/launch_memory.h"
#include "runtime/thread_state.h"

namespace belay::atb_face {
namespace {

using DescArray = std::array<TensorDesc, ops::kMaxTensors>;

::atb::TensorDesc FromDesc(const TensorDesc& desc) noexcept {
  ::atb::TensorDesc result;
  result.dtype = static_cast<aclDataType>(desc.dtype);
  result.format = static_cast<aclFormat>(desc.format);
  std::copy(desc.dims.sizes.begin(), desc.dims.sizes.end(), std::begin(result.shape.dims));
  result.shape.dimNum = desc.dims.rank;
  return result;
}

const ::atb::TensorDesc& DescOf(const ::atb::TensorDesc& desc) noexcept { return desc; }
const ::atb::TensorDesc& DescOf(const ::atb::Tensor& tensor) noexcept { return tensor.desc; }

// The descs of a vector of the right length; of any other length only the length counts, since it
// is refused first.
template <class T>
class DescsOf {
 public:
  DescsOf(const ::atb::SVector<T>& given, std::size_t expected) {
    if (given.size() != expected) {
      wrong_count_ = ops::Descs(kBlanks).first(std::min(given.size(), kBlanks.size()));
      return;
    }
    count_ = expected;
    for (std::size_t i = 0; i < expected; ++i) descs_[i] = ToDesc(DescOf(given.data()[i]));
  }
  [[nodiscard]] ops::Descs get() const {
    return wrong_count_.empty() ? ops::Descs(descs_.data(), count_) : wrong_count_;
  }

 private:
  // Nothing has to be allocated for a refusal.
  static constexpr std::array<TensorDesc, ::atb::MAX_SVECTOR_SIZE> kBlanks{};

  DescArray descs_;
  std::size_t count_ = 0;
  ops::Descs wrong_count_;
};

// Either all or, when there is no memory for the first element, nothing.
void StoreOutput(const ops::InferredOutput& output, ::atb::SVector<::atb::TensorDesc>& descs) {
  if (!output.exists) {
    descs.clear();
    return;
  }
  if (descs.empty()) descs.resize(1);
  descs[0] = FromDesc(output.desc);
  descs.resize(1);
}

bool SameDesc(const TensorDesc& a, const TensorDesc& b) noexcept {
  return a.dtype == b.dtype && a.format == b.format && a.dims == b.dims;
}

}  // namespace

ObjectPool<LibraryOperation>& LibraryOperation::Pool() noexcept {
  static constinit LastingPool<LibraryOperation> lasting;
  return lasting.pool;
}

void LibraryOperation::operator delete(void* pointer) noexcept { Pool().TakeBack(pointer); }

Status LibraryOperation::RequireAlive() const {
  if (operator_ != nullptr) return {};
  return Refuse(Fault::kInvalidParam, "the operation is destroyed; allowed a live operation");
}

std::size_t LibraryOperation::ArgumentCount() const {
  const ops::Signature& signature = operator_->SignatureOf();
  return signature.inputs.size() + signature.outputs.size();
}

std::string_view LibraryOperation::ArgumentName(std::size_t i) const {
  const ops::Signature& signature = operator_->SignatureOf();
  return i < signature.inputs.size() ? signature.inputs[i]
                                     : signature.outputs[i - signature.inputs.size()];
}

std::string LibraryOperation::CallName(std::string_view phase) const noexcept {
  return Text("{}: {}", operator_ == nullptr ? "Operation" : operator_->SignatureOf().name, phase);
}

const char* LibraryOperation::Source() const {
  return operator_ == nullptr ? "ATB API, Operation" : operator_->Info().document.data();
}

std::string LibraryOperation::GetName() const {
  if (operator_ == nullptr) return {};
  return Described([&] { return std::string(operator_->Info().name); });
}

uint32_t LibraryOperation::GetInputNum() const {
  if (operator_ == nullptr) return 0;
  return static_cast<uint32_t>(operator_->SignatureOf().inputs.size());
}

uint32_t LibraryOperation::GetOutputNum() const {
  if (operator_ == nullptr) return 0;
  return static_cast<uint32_t>(operator_->SignatureOf().outputs.size());
}

::atb::Status LibraryOperation::InferShape(
    const ::atb::SVector<::atb::TensorDesc>& inTensorDescs,
    ::atb::SVector<::atb::TensorDesc>& outTensorDescs) const {
  const Status status = runtime::Guarded([&](Machine& machine) -> Status {
    BELAY_RETURN_IF_ERROR(RequireAlive());
    const ops::Profile who = AtbProfile(machine);
    const ops::Signature& signature = operator_->SignatureOf();
    const DescsOf<::atb::TensorDesc> inputs(inTensorDescs, signature.inputs.size());
    BELAY_RETURN_IF_ERROR(ops::CheckInputs(signature, inputs.get(), who));
    const StatusOr<ops::InferredOutput> output = operator_->InferShape(inputs.get(), who);
    if (!output) return output.error();
    StoreOutput(*output, outTensorDescs);
    return {};
  });
  return status.ok() ? ::atb::NO_ERROR : Refused({CallName("InferShape"), Source()}, status);
}

::atb::Status LibraryOperation::Setup(const ::atb::VariantPack& variantPack,
                                      uint64_t& workspaceSize, ::atb::Context* context) {
  const Status status = runtime::Guarded([&](Machine& machine) -> Status {
    BELAY_RETURN_IF_ERROR(RequireAlive());
    return SetupOn(variantPack, workspaceSize, context, AtbProfile(machine));
  });
  return status.ok() ? ::atb::NO_ERROR : Refused({CallName("Setup"), Source()}, status);
}

Status LibraryOperation::SetupOn(const ::atb::VariantPack& pack, std::uint64_t& workspace_bytes,
                                 ::atb::Context* context, const ops::Profile& who) {
  if (context == nullptr) {
    return Refuse(Fault::kInvalidParam, "context is null; allowed a context of CreateContext");
  }
  LibraryContext* const library_context = FindContext(context);
  const bool graph = library_context != nullptr && captured_ &&
                     library_context->GetLaunchMode() == ::atb::GRAPH_LAUNCH_MODE;
  ready_ = false;
  prelaunched_ = false;
  if (graph) {
    BELAY_RETURN_IF_ERROR(CompareWithCaptured(pack));
  } else {
    const ops::Signature& signature = operator_->SignatureOf();
    const DescsOf<::atb::Tensor> inputs(pack.inTensors, signature.inputs.size());
    const DescsOf<::atb::Tensor> outputs(pack.outTensors, signature.outputs.size());
    BELAY_RETURN_IF_ERROR(ops::CheckTensors(signature, inputs.get(), outputs.get(), who));
    StatusOr<Plan> plan = operator_->MakePlan(inputs.get(), outputs.get(), who);
    if (!plan) return plan.error();
    if (library_context == nullptr) {
      return NotAllowed(Fault::kInvalidParam, "context", DescribeBadContext(context),
                        "a context of CreateContext");
    }
    workspace_bytes = 0;
    if (stream_id_ >= library_context->StreamCount()) {
      return Refuse(Fault::kInvalidParam,
                    "the operation's stream id is {}; allowed 0 to {} (the context's streams)",
                    stream_id_, library_context->StreamCount() - 1);
    }
    plan_ = *plan;
  }
  // The arguments are kept for an Execute that names none.
  std::size_t i = 0;
  for (const auto* tensors : {&pack.inTensors, &pack.outTensors}) {
    for (const ::atb::Tensor& tensor : *tensors) {
      arguments_[i++] = {ToDesc(tensor.desc), tensor.deviceData, tensor.hostData, tensor.dataSize};
    }
  }
  workspace_bytes = plan_.workspace_bytes;
  context_ = context;
  ready_ = true;
  return {};
}

Status LibraryOperation::CompareWithCaptured(const ::atb::VariantPack& pack) const {
  const ops::Signature& signature = operator_->SignatureOf();
  bool same = pack.inTensors.size() == signature.inputs.size() &&
              pack.outTensors.size() == signature.outputs.size();
  for (std::size_t i = 0; same && i < ArgumentCount(); ++i) {
    const bool input = i < signature.inputs.size();
    const ::atb::Tensor& tensor =
        input ? pack.inTensors.data()[i] : pack.outTensors.data()[i - signature.inputs.size()];
    same = SameDesc(ToDesc(tensor.desc), arguments_[i].desc);
  }
  if (same) return {};
  return Refuse(
      Fault::kTensorDim,
      "the tensors differ from those the graph was captured with; allowed the same types, "
      "formats and shapes in GRAPH_LAUNCH_MODE");
}

::atb::Status LibraryOperation::Execute(const ::atb::VariantPack& variantPack, uint8_t* workspace,
                                        uint64_t workspaceSize, ::atb::Context* context) {
  const Status status = runtime::Guarded([&](Machine&) -> Status {
    BELAY_RETURN_IF_ERROR(RequireAlive());
    if (context == nullptr) {
      return Refuse(Fault::kInvalidParam, "context is null; allowed a context of CreateContext");
    }
    const auto type = static_cast<::atb::ExecuteType>(runtime::ThreadState::Current().execute_type);
    if (type != ::atb::EXECUTE_LAUNCH) {
      BELAY_RETURN_IF_ERROR(Prelaunch(variantPack, workspace, workspaceSize, context));
    }
    return type == ::atb::EXECUTE_PRELAUNCH ? Status() : SubmitLaunch();
  });
  return status.ok() ? ::atb::NO_ERROR : Refused({CallName("Execute"), Source()}, status);
}

Status LibraryOperation::Prelaunch(const ::atb::VariantPack& pack, void* workspace,
                                   std::uint64_t workspace_bytes, const ::atb::Context* context) {
  prelaunched_ = false;
  if (!ready_) {
    return Refuse(Fault::kInvalidParam,
                  "there was no good Setup before; allowed after a Setup that returned NO_ERROR");
  }
  const StatusOr<runtime::Ref<runtime::Stream>> stream = FindStream();
  if (!stream) return stream.error();
  if (context != context_) {
    return Refuse(Fault::kInvalidParam, "context is not that of Setup; allowed the same context");
  }
  if (workspace_bytes < plan_.workspace_bytes) {
    return NotAllowed(Fault::kInvalidParam, "workspaceSize", workspace_bytes,
                      Text("{} and above, as Setup answered", plan_.workspace_bytes));
  }
  if (plan_.workspace_bytes != 0 && workspace == nullptr) {
    return Refuse(Fault::kInvalidParam, "workspace is null; allowed device memory of {} bytes",
                  plan_.workspace_bytes);
  }
  const bool graph =
      captured_ && FindContext(context_)->GetLaunchMode() == ::atb::GRAPH_LAUNCH_MODE;
  Arguments arguments = arguments_;
  // A captured graph takes its addresses from Setup, published so.
  if (!graph) BELAY_RETURN_IF_ERROR(TakeArguments(pack, arguments));

  launch_.plan = plan_;
  launch_.addresses = {};
  for (std::size_t i = 0; i < ArgumentCount(); ++i) launch_.addresses[i] = arguments[i].Address();
  launch_.addresses[ArgumentCount()] = workspace;
  const StatusOr<runtime::LaunchTask> held = HoldMemory((*stream)->device);
  if (!held) return held.error();
  if (plan_.check_addresses != nullptr) {
    BELAY_RETURN_IF_ERROR(plan_.check_addresses(plan_, launch_.addresses));
  }
  arguments_ = arguments;
  prelaunched_ = true;
  return {};
}

Status LibraryOperation::TakeArguments(const ::atb::VariantPack& pack, Arguments& taken) const {
  if (pack.inTensors.empty() && pack.outTensors.empty()) return {};  // those of Setup, published so
  const ops::Signature& signature = operator_->SignatureOf();
  const auto take = [&](const ::atb::SVector<::atb::Tensor>& tensors, std::size_t first,
                        std::size_t expected, const char* kind) -> Status {
    if (tensors.size() != expected) {
      return Refuse(Fault::kInvalidParam, "the number of {} tensors is {}; allowed {}, as in Setup",
                    kind, tensors.size(), expected);
    }
    for (std::size_t i = 0; i < expected; ++i) {
      const ::atb::Tensor& tensor = tensors.data()[i];
      Argument& argument = taken[first + i];
      const std::uint64_t bytes = ops::TensorBytes(argument.desc);
      if (tensor.dataSize != bytes) {
        return Refuse(Fault::kInvalidParam, "{}.dataSize is {}; allowed {} ({} {} of Setup)",
                      ArgumentName(first + i), tensor.dataSize, bytes, Name(argument.desc.dtype),
                      Describe(argument.desc.dims));
      }
      if (tensor.deviceData == nullptr && tensor.hostData == nullptr) {
        return Refuse(Fault::kInvalidParam,
                      "{}.deviceData and hostData are null; allowed device memory",
                      ArgumentName(first + i));
      }
      argument.device_data = tensor.deviceData;
      argument.host_data = tensor.hostData;
      argument.data_bytes = tensor.dataSize;
    }
    return {};
  };
  BELAY_RETURN_IF_ERROR(take(pack.inTensors, 0, signature.inputs.size(), "input"));
  return take(pack.outTensors, signature.inputs.size(), signature.outputs.size(), "output");
}

StatusOr<runtime::Ref<runtime::Stream>> LibraryOperation::FindStream() const {
  const LibraryContext* const context = FindContext(context_);
  if (context == nullptr) {
    return Unexpected(
        Refuse(Fault::kInvalidParam, "the context of Setup is destroyed; allowed a live context"));
  }
  const aclrtStream handle =
      stream_id_ < context->StreamCount() ? context->StreamAt(stream_id_) : nullptr;
  if (handle == nullptr) {
    return Unexpected(
        Refuse(Fault::kInvalidParam,
               "the context has no stream {}; allowed after Context::SetExecuteStream "
               "or SetExecuteStreams",
               stream_id_));
  }
  runtime::Ref<runtime::Stream> stream = Machine::Get().streams().Acquire(handle);
  if (!stream) {
    return Unexpected(NotAllowed(Fault::kInvalidParam, "the context's stream",
                                 runtime::DescribeBadHandle(handle, runtime::HandleKind::kStream),
                                 "a live stream"));
  }
  return stream;
}

// The launch with its blocks: every tensor and the workspace lie in live memory of the device.
StatusOr<runtime::LaunchTask> LibraryOperation::HoldMemory(std::int32_t device) const {
  runtime::LaunchTask task;
  const std::size_t count = ArgumentCount();
  for (std::size_t i = 0; i < count; ++i) {
    StatusOr<runtime::BlockRef> block = runtime::RequireLaunchMemory(
        ArgumentName(i), launch_.addresses[i], ops::TensorBytes(arguments_[i].desc), device,
        Fault::kTensorAddr);
    if (!block) return Unexpected(std::move(block).error());
    task.blocks[i] = std::move(*block);
  }
  if (plan_.workspace_bytes != 0) {
    StatusOr<runtime::BlockRef> block = runtime::RequireLaunchMemory(
        "workspace", launch_.addresses[count], plan_.workspace_bytes, device, Fault::kInvalidParam);
    if (!block) return Unexpected(std::move(block).error());
    task.blocks[count] = std::move(*block);
  }
  task.launch = launch_;
  return task;
}

Status LibraryOperation::SubmitLaunch() {
  if (!prelaunched_) {
    return Refuse(
        Fault::kInvalidParam,
        "nothing was prelaunched; allowed after an Execute of type EXECUTE_PRELAUNCH that "
        "returned NO_ERROR");
  }
  const StatusOr<runtime::Ref<runtime::Stream>> stream = FindStream();
  if (!stream) return stream.error();
  // Again, since the program may have freed memory between PRELAUNCH and LAUNCH.
  StatusOr<runtime::LaunchTask> task = HoldMemory((*stream)->device);
  if (!task) return task.error();
  BELAY_RETURN_IF_ERROR(runtime::Stream::Submit(*stream, std::move(*task)));
  if (Machine::Get().config().sync_every_operation) {
    // A wait of the library's own: it returns no faults, those are for the program's waits.
    (void)(*stream)->WaitFor((*stream)->Submitted(), std::nullopt);
  }
  captured_ = captured_ || FindContext(context_)->GetLaunchMode() == ::atb::GRAPH_LAUNCH_MODE;
  return {};
}

}  // namespace belay::atb_face
