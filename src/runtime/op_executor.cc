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

// A view lies in the memory that its storage begins or ends: an offset that reaches into another
// block is one that nobody meant, although there is memory.
Status CheckWithinStorage(const OpExecutor::Argument& argument, const void* first,
                          std::uint64_t extent) {
  if (argument.offset_bytes == 0 || extent == 0) return {};
  const auto storage = reinterpret_cast<std::uintptr_t>(argument.storage);
  const auto begin = reinterpret_cast<std::uintptr_t>(first);
  const std::uintptr_t low = std::min(storage, begin);
  const std::uintptr_t end = std::max(storage, begin + extent);
  const StatusOr<Place> place =
      Machine::Get().memory().Locate(argument.name, reinterpret_cast<const void*>(low), end - low);
  if (place) return {};
  return Refuse(Fault::kTensorAddr,
                "{} begins {} bytes from its storage, which does not reach there: {}",
                argument.name, argument.offset_bytes, place.error().message());
}

bool Counts(OpExecutor::Use asked, OpExecutor::Use use) noexcept {
  using Use = OpExecutor::Use;
  return asked == Use::kInputAndOutput || use == Use::kInputAndOutput || use == asked;
}

}  // namespace

void* AddressAt(void* storage, std::int64_t offset_bytes) noexcept {
  if (storage == nullptr) return nullptr;
  const auto base = reinterpret_cast<std::uintptr_t>(storage);
  const std::uintptr_t address = base + static_cast<std::uint64_t>(offset_bytes);
  const bool wraps = offset_bytes != 0 && (offset_bytes < 0) != (address < base);
  return reinterpret_cast<void*>(wraps ? UINTPTR_MAX : address);
}

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
    if (launch_.plan.workspace_bytes != workspace_bytes) {
      launch_.plan.workspace_bytes = workspace_bytes;
      memory_.Forget();
    }
    launch_.addresses[tensor_count_] = workspace;
    return memory_.Submit(stream, launch_, tensor_count_);
  };
  struct Release {
    std::atomic<bool>& busy;
    ~Release() { busy.store(false, std::memory_order_release); }
  } const release{busy_};
  return run();
}

Status OpExecutor::CheckArguments() {
  const std::uint64_t endings = Machine::Get().op_objects().arguments.endings();
  if (endings != endings_) {
    BELAY_RETURN_IF_ERROR(CheckAlive());
    endings_ = endings;
  }
  return CheckOffsets();
}

Status OpExecutor::CheckAlive() const {
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
  }
  for (const Argument& argument :
       std::span(arguments_).subspan(tensor_count_, argument_count_ - tensor_count_)) {
    BELAY_RETURN_IF_ERROR(
        WithTable(argument.kind, [&](auto& table) { return check_alive(argument, table); }));
  }
  return {};
}

Status OpExecutor::CheckOffsets() const {
  if (launch_.plan.run == nullptr) return {};
  for (const Access& access : launch_.plan.accesses()) {
    const Argument& argument = arguments_[access.address];
    if (argument.offset_bytes == 0) continue;
    BELAY_RETURN_IF_ERROR(
        CheckWithinStorage(argument, launch_.addresses[access.address], access.extent));
  }
  return {};
}

Status OpExecutor::CheckWorkspace(const void* workspace, std::uint64_t workspace_bytes) const {
  if (workspace == nullptr && (workspace_bytes > 0 || needed_ > 0)) {
    return Refuse(Fault::kNullPointer, "workspace is null; allowed device memory of {} bytes",
                  std::max(needed_, workspace_bytes));
  }
  if (workspace_bytes >= needed_) return {};
  return NotAllowed(Fault::kInvalidParam, "workspaceSize", workspace_bytes,
                    Text("{} and above, as phase one answered", needed_));
}

}  // namespace belay::runtime
