#include "atb/library_operation.h"

#include <algorithm>
#include <utility>

#include "atb/atb_call.h"
#include "atb/tensors.h"
#include "runtime/thread_state.h"

namespace belay::atb_face {
namespace {

constexpr std::string_view kFlow = "ATB API, Operation";

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
  const ops::Signature& signature = *signature_;
  return signature.inputs.size() + signature.outputs.size();
}

std::string_view LibraryOperation::ArgumentName(std::size_t i) const {
  const ops::Signature& signature = *signature_;
  return i < signature.inputs.size() ? signature.inputs[i]
                                     : signature.outputs[i - signature.inputs.size()];
}

::atb::Status LibraryOperation::Refused(std::string_view phase, std::string_view source,
                                        const Status& status) const noexcept {
  const std::string_view name =
      operator_ == nullptr ? std::string_view("Operation") : signature_->name;
  return atb_face::Refused({Text("{}: {}", name, phase), source}, status);
}

std::string LibraryOperation::GetName() const {
  if (operator_ == nullptr) return {};
  return Described([&] { return std::string(operator_->Info().name); });
}

uint32_t LibraryOperation::GetInputNum() const {
  if (operator_ == nullptr) return 0;
  return static_cast<uint32_t>(signature_->inputs.size());
}

uint32_t LibraryOperation::GetOutputNum() const {
  if (operator_ == nullptr) return 0;
  return static_cast<uint32_t>(signature_->outputs.size());
}

::atb::Status LibraryOperation::InferShape(
    const ::atb::SVector<::atb::TensorDesc>& inTensorDescs,
    ::atb::SVector<::atb::TensorDesc>& outTensorDescs) const {
  std::string_view source = kFlow;
  const Status status = runtime::Guarded([&](Machine& machine) -> Status {
    BELAY_RETURN_IF_ERROR(RequireAlive());
    source = operator_->Info().document;
    const ops::Profile who = AtbProfile(machine);
    const ops::Signature& signature = *signature_;
    const DescsOf<::atb::TensorDesc> inputs(inTensorDescs, signature.inputs.size());
    BELAY_RETURN_IF_ERROR(ops::CheckInputs(signature, inputs.get(), who));
    const StatusOr<ops::InferredOutput> output = operator_->InferShape(inputs.get(), who);
    if (!output) return output.error();
    StoreOutput(*output, outTensorDescs);
    return {};
  });
  return status.ok() ? ::atb::NO_ERROR : Refused("InferShape", source, status);
}

::atb::Status LibraryOperation::Setup(const ::atb::VariantPack& variantPack,
                                      uint64_t& workspaceSize, ::atb::Context* context) {
  std::string_view source = kFlow;
  const Status status = runtime::Guarded([&](Machine& machine) -> Status {
    BELAY_RETURN_IF_ERROR(RequireAlive());
    return SetupOn(variantPack, workspaceSize, context, AtbProfile(machine), source);
  });
  return status.ok() ? ::atb::NO_ERROR : Refused("Setup", source, status);
}

Status LibraryOperation::SetupOn(const ::atb::VariantPack& pack, std::uint64_t& workspace_bytes,
                                 ::atb::Context* context, const ops::Profile& who,
                                 std::string_view& source) {
  if (context == nullptr) {
    return Refuse(Fault::kInvalidParam, "context is null; allowed a context of CreateContext");
  }
  LibraryContext* const library_context = FindContext(context);
  ready_ = false;
  prelaunched_ = false;
  const bool captured = captured_ != nullptr && library_context != nullptr &&
                        library_context->GetLaunchMode() == ::atb::GRAPH_LAUNCH_MODE;
  const bool planned = HasPlanFor(pack);
  Plan plan;
  if (captured) {
    BELAY_RETURN_IF_ERROR(CompareWithCaptured(pack));
    if (!planned) plan = captured_->plan;
  } else {
    if (!planned) {
      source = operator_->Info().document;
      BELAY_RETURN_IF_ERROR(PlanFor(pack, who, plan));
      source = kFlow;
    }
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
  }
  if (!planned) {
    launch_.plan = plan;
    memory_.Forget();
  }
  KeepArguments(pack, /*described=*/planned);
  workspace_bytes = launch_.plan.workspace_bytes;
  context_ = context;
  ready_ = true;
  return {};
}

Status LibraryOperation::PlanFor(const ::atb::VariantPack& pack, const ops::Profile& who,
                                 Plan& plan) const {
  const ops::Signature& signature = *signature_;
  const DescsOf<::atb::Tensor> inputs(pack.inTensors, signature.inputs.size());
  const DescsOf<::atb::Tensor> outputs(pack.outTensors, signature.outputs.size());
  BELAY_RETURN_IF_ERROR(ops::CheckTensors(signature, inputs.get(), outputs.get(), who));
  const StatusOr<Plan> made = operator_->MakePlan(inputs.get(), outputs.get(), who);
  if (!made) return made.error();
  plan = *made;
  return {};
}

// A program that sets the same shapes up again, as most do, gets the plan that is there.
bool LibraryOperation::HasPlanFor(const ::atb::VariantPack& pack) const {
  const ops::Signature& signature = *signature_;
  if (launch_.plan.run == nullptr || pack.inTensors.size() != signature.inputs.size() ||
      pack.outTensors.size() != signature.outputs.size()) {
    return false;
  }
  const Argument* argument = arguments_.data();
  for (const auto* tensors : {&pack.inTensors, &pack.outTensors}) {
    for (const ::atb::Tensor& tensor : *tensors) {
      if (!IsOf(tensor, (argument++)->desc)) return false;
    }
  }
  return true;
}

// For an Execute that names no tensors the addresses count as well. `described`: all else is known.
void LibraryOperation::KeepArguments(const ::atb::VariantPack& pack, bool described) {
  Argument* argument = arguments_.data();
  for (const auto* tensors : {&pack.inTensors, &pack.outTensors}) {
    for (const ::atb::Tensor& tensor : *tensors) {
      if (!described) {
        argument->desc = ToDesc(tensor.desc);
        argument->bytes = ops::TensorBytes(argument->desc);
      }
      (argument++)->device_data = tensor.deviceData;
    }
  }
}

Status LibraryOperation::CompareWithCaptured(const ::atb::VariantPack& pack) const {
  const ops::Signature& signature = *signature_;
  if (pack.inTensors.size() != signature.inputs.size() ||
      pack.outTensors.size() != signature.outputs.size()) {
    return Refuse(Fault::kTensorDim,
                  "there are {} input and {} output tensors; allowed {} and {}, as the graph was "
                  "captured with",
                  pack.inTensors.size(), pack.outTensors.size(), signature.inputs.size(),
                  signature.outputs.size());
  }
  std::size_t i = 0;
  for (const auto* tensors : {&pack.inTensors, &pack.outTensors}) {
    for (const ::atb::Tensor& tensor : *tensors) {
      const TensorDesc& captured = captured_->descs[i];
      if (!IsOf(tensor, captured)) {
        const TensorDesc given = ToDesc(tensor.desc);
        return Refuse(Fault::kTensorDim,
                      "{} is {} {} {}; allowed {} {} {}, as the graph was captured with",
                      ArgumentName(i), Name(given.dtype), Name(given.format), Describe(given.dims),
                      Name(captured.dtype), Name(captured.format), Describe(captured.dims));
      }
      ++i;
    }
  }
  return {};
}

::atb::Status LibraryOperation::Execute(const ::atb::VariantPack& variantPack, uint8_t* workspace,
                                        uint64_t workspaceSize, ::atb::Context* context) {
  const Status status = runtime::Guarded([&](Machine&) -> Status {
    BELAY_RETURN_IF_ERROR(RequireAlive());
    if (context == nullptr) {
      return Refuse(Fault::kInvalidParam, "context is null; allowed a context of CreateContext");
    }
    const auto type = static_cast<::atb::ExecuteType>(runtime::ThreadState::Current().execute_type);
    return ExecuteAs(type, variantPack, workspace, workspaceSize, context);
  });
  return status.ok() ? ::atb::NO_ERROR : Refused("Execute", kFlow, status);
}

Status LibraryOperation::ExecuteAs(::atb::ExecuteType type, const ::atb::VariantPack& pack,
                                   void* workspace, std::uint64_t workspace_bytes,
                                   const ::atb::Context* context) {
  if (type == ::atb::EXECUTE_LAUNCH) {
    if (!prelaunched_) {
      return Refuse(
          Fault::kInvalidParam,
          "nothing was prelaunched; allowed after an Execute of type EXECUTE_PRELAUNCH that "
          "returned NO_ERROR");
    }
    BELAY_RETURN_IF_ERROR(FindStream());
    return SubmitLaunch();
  }
  prelaunched_ = false;
  BELAY_RETURN_IF_ERROR(Prelaunch(pack, workspace, workspace_bytes, context));
  if (type == ::atb::EXECUTE_PRELAUNCH) {
    BELAY_RETURN_IF_ERROR(
        memory_.Check(Machine::Get().memory().Read(), launch_, ArgumentCount(), stream_->device));
  } else {
    BELAY_RETURN_IF_ERROR(SubmitLaunch());
  }
  prelaunched_ = true;
  return {};
}

// Asked only while the context is alive.
bool LibraryOperation::InGraphMode() const {
  return static_cast<LibraryContext*>(context_)->GetLaunchMode() == ::atb::GRAPH_LAUNCH_MODE;
}

Status LibraryOperation::Prelaunch(const ::atb::VariantPack& pack, void* workspace,
                                   std::uint64_t workspace_bytes, const ::atb::Context* context) {
  if (!ready_) {
    return Refuse(Fault::kInvalidParam,
                  "there was no good Setup before; allowed after a Setup that returned NO_ERROR");
  }
  BELAY_RETURN_IF_ERROR(FindStream());
  if (context != context_) {
    return Refuse(Fault::kInvalidParam, "context is not that of Setup; allowed the same context");
  }
  const std::uint64_t needed = launch_.plan.workspace_bytes;
  if (workspace_bytes < needed) {
    return NotAllowed(Fault::kInvalidParam, "workspaceSize", workspace_bytes,
                      Text("{} and above, as Setup answered", needed));
  }
  if (needed != 0 && workspace == nullptr) {
    return Refuse(Fault::kInvalidParam, "workspace is null; allowed device memory of {} bytes",
                  needed);
  }
  BELAY_RETURN_IF_ERROR(TakeAddresses(pack));
  launch_.addresses[ArgumentCount()] = workspace;
  return {};
}

Status LibraryOperation::TakeAddresses(const ::atb::VariantPack& pack) {
  const bool names_none = pack.inTensors.empty() && pack.outTensors.empty();
  // Published so: those of Setup count for an Execute that names none, and for a captured graph.
  if (names_none || (captured_ != nullptr && InGraphMode())) {
    const std::size_t count = ArgumentCount();
    for (std::size_t i = 0; i < count; ++i) launch_.addresses[i] = arguments_[i].device_data;
    return {};
  }
  const ops::Signature& signature = *signature_;
  const std::size_t inputs = signature.inputs.size();
  BELAY_RETURN_IF_ERROR(TakeAddressesOf(pack.inTensors, 0, inputs, "input"));
  return TakeAddressesOf(pack.outTensors, inputs, signature.outputs.size(), "output");
}

Status LibraryOperation::TakeAddressesOf(const ::atb::SVector<::atb::Tensor>& tensors,
                                         std::size_t first, std::size_t expected,
                                         const char* kind) {
  if (tensors.size() != expected) {
    return Refuse(Fault::kInvalidParam, "the number of {} tensors is {}; allowed {}, as in Setup",
                  kind, tensors.size(), expected);
  }
  std::size_t i = first;
  for (const ::atb::Tensor& tensor : tensors) {
    if (tensor.dataSize != arguments_[i].bytes ||
        (tensor.deviceData == nullptr && tensor.hostData == nullptr)) [[unlikely]] {
      return RefuseTensor(tensor, i);
    }
    launch_.addresses[i++] = tensor.deviceData;
  }
  return {};
}

Status LibraryOperation::RefuseTensor(const ::atb::Tensor& tensor, std::size_t i) const {
  const Argument& argument = arguments_[i];
  if (tensor.dataSize == argument.bytes) {
    return Refuse(Fault::kInvalidParam,
                  "{}.deviceData and hostData are null; allowed device memory", ArgumentName(i));
  }
  return Refuse(Fault::kInvalidParam, "{}.dataSize is {}; allowed {} ({} {} of Setup)",
                ArgumentName(i), tensor.dataSize, argument.bytes, Name(argument.desc.dtype),
                Describe(argument.desc.dims));
}

Status LibraryOperation::FindStream() {
  const LibraryContext* const context = FindContext(context_);
  if (context == nullptr) {
    return Refuse(Fault::kInvalidParam,
                  "the context of Setup is destroyed; allowed a live context");
  }
  const aclrtStream handle =
      stream_id_ < context->StreamCount() ? context->StreamAt(stream_id_) : nullptr;
  if (handle == nullptr) {
    return Refuse(Fault::kInvalidParam,
                  "the context has no stream {}; allowed after Context::SetExecuteStream "
                  "or SetExecuteStreams",
                  stream_id_);
  }
  runtime::HandleTable<runtime::Stream>& streams = Machine::Get().streams();
  if (stream_.handle() == handle && streams.IsAlive(handle)) [[likely]]
    return {};
  stream_ = streams.Acquire(handle);
  if (stream_) return {};
  return NotAllowed(Fault::kInvalidParam, "the context's stream",
                    runtime::DescribeBadHandle(handle, runtime::HandleKind::kStream),
                    "a live stream");
}

Status LibraryOperation::SubmitLaunch() {
  std::unique_ptr<Captured> captured;
  if (captured_ == nullptr && InGraphMode()) {
    captured = std::make_unique<Captured>();
    for (std::size_t i = 0; i < ArgumentCount(); ++i) captured->descs[i] = arguments_[i].desc;
    captured->plan = launch_.plan;
  }
  // At LAUNCH the memory is checked again, since the program may have freed some after PRELAUNCH.
  BELAY_RETURN_IF_ERROR(memory_.Submit(stream_, launch_, ArgumentCount()));
  if (captured != nullptr) captured_ = std::move(captured);
  if (Machine::Get().config().sync_every_operation) {
    // A wait of the library's own: it returns no faults, those are for the program's waits.
    (void)stream_->WaitFor(stream_->Submitted(), std::nullopt);
  }
  return {};
}

}  // namespace belay::atb_face
