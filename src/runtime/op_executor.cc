#include "runtime/op_executor.h"

#include <algorithm>
#include <span>

#include "runtime/machine.h"

namespace belay::runtime {
namespace {

// Calls visit(table) with the table of that kind of argument.
template <class Visit>
auto WithTable(HandleKind kind, Visit visit) {
  OpObjects& objects = Machine::Get().op_objects();
  switch (kind) {
    case HandleKind::kScalar:
      return visit(objects.scalars);
    default:
      return visit(objects.int_arrays);
  }
}

// A view lies in the memory that its storage begins in: an offset that reaches into another block
// is one that nobody meant, although there is memory.
Status CheckWithinStorage(const char* name, const OpTensor& tensor, const void* first,
                          std::uint64_t extent) {
  const OpTensor::Description& description = tensor.description();
  if (extent == 0 || tensor.FirstElement(description.storage) != first) return {};
  const auto storage = reinterpret_cast<std::uintptr_t>(description.storage);
  const auto begin = reinterpret_cast<std::uintptr_t>(first);
  const std::uintptr_t low = std::min(storage, begin);
  const std::uintptr_t high = std::max(storage, begin + extent - 1);
  const StatusOr<Place> place =
      Machine::Get().memory().Locate(name, reinterpret_cast<const void*>(low), high - low + 1);
  if (place) return {};
  return Refuse(Fault::kTensorAddr,
                "{} begins {} elements from its storage, which does not reach there: {}", name,
                description.offset, place.error().message());
}

bool Counts(OpExecutor::Use asked, OpExecutor::Use use) noexcept {
  using Use = OpExecutor::Use;
  return asked == Use::kInputAndOutput || use == Use::kInputAndOutput || use == asked;
}

}  // namespace

std::size_t OpExecutor::FindTensor(Use use, std::size_t position) const noexcept {
  std::size_t seen = 0;
  for (std::size_t i = 0; i < tensor_count_; ++i) {
    if (!Counts(use, arguments_[i].use)) continue;
    if (seen++ == position) return i;
  }
  return kMaxArguments;
}

Status OpExecutor::Run(const Ref<Stream>& stream, void* workspace, std::uint64_t workspace_bytes) {
  if (busy_.exchange(true, std::memory_order_acquire)) {
    return Refuse(Fault::kInvalidParam,
                  "executor is in use by another thread; allowed one phase two at a time");
  }
  const auto run = [&]() -> Status {
    BELAY_RETURN_IF_ERROR(CheckArguments());
    BELAY_RETURN_IF_ERROR(CheckWorkspace(workspace, workspace_bytes));
    if (launch_.plan.run == nullptr) return {};  // no element to work on
    launch_.addresses[tensor_count_] = workspace;
    return memory_.Submit(stream, launch_, tensor_count_);
  };
  struct Release {
    std::atomic<bool>& busy;
    ~Release() { busy.store(false, std::memory_order_release); }
  } const release{busy_};
  return run();
}

Status OpExecutor::CheckArguments() const {
  const auto check_alive = [](const Argument& argument, auto& table) -> Status {
    if (table.IsAlive(argument.handle)) return {};
    return NotAllowed(Fault::kInvalidParam, argument.name, table.Describe(argument.handle),
                      "objects that live until phase two has returned");
  };
  HandleTable<OpTensor>& tensors = Machine::Get().op_objects().tensors;
  for (std::size_t i = 0; i < tensor_count_; ++i) {
    const Argument& argument = arguments_[i];
    if (argument.handle == nullptr) continue;
    BELAY_RETURN_IF_ERROR(check_alive(argument, tensors));
    if (!argument.has_offset || launch_.plan.run == nullptr) continue;
    const Ref<OpTensor> tensor = tensors.Acquire(argument.handle);
    if (!tensor) return check_alive(argument, tensors);
    for (const Access& access : launch_.plan.accesses()) {
      if (access.address != i) continue;
      BELAY_RETURN_IF_ERROR(
          CheckWithinStorage(argument.name, *tensor, launch_.addresses[i], access.extent));
    }
  }
  for (const Argument& argument :
       std::span(arguments_).subspan(tensor_count_, argument_count_ - tensor_count_)) {
    BELAY_RETURN_IF_ERROR(
        WithTable(argument.kind, [&](auto& table) { return check_alive(argument, table); }));
  }
  return {};
}

Status OpExecutor::CheckWorkspace(const void* workspace, std::uint64_t workspace_bytes) const {
  const std::uint64_t needed = launch_.plan.workspace_bytes;
  if (workspace == nullptr && (workspace_bytes > 0 || needed > 0)) {
    return Refuse(Fault::kNullPointer, "workspace is null; allowed device memory of {} bytes",
                  needed > workspace_bytes ? needed : workspace_bytes);
  }
  if (workspace_bytes >= needed) return {};
  return NotAllowed(Fault::kInvalidParam, "workspaceSize", workspace_bytes,
                    Text("{} and above, as phase one answered", needed));
}

}  // namespace belay::runtime
