#include "aclnn/phases.h"

#include <string_view>

#include "runtime/streams.h"

namespace belay::aclnn {
namespace {

// Ends with the executor, unless it is to be kept.
Status TakeExecutor(Machine& machine, const PublishedOperator& op, const aclOpExecutor* handle,
                    runtime::Ref<OpExecutor>& executor) {
  runtime::HandleTable<OpExecutor>& executors = machine.op_objects().executors;
  const auto refused = [&] {
    return NotAllowed(Fault::kInvalidParam, "executor", executors.Describe(handle),
                      Text("one that {} made and that has not run", op.phase_one));
  };
  executor = executors.Acquire(handle);
  if (!executor) return refused();
  if (executor->operation() != op.name) {
    return Refuse(Fault::kInvalidParam, "executor is one of {}; allowed one that {} made",
                  executor->operation(), op.phase_one);
  }
  if (executor->repeatable.load(std::memory_order_acquire)) return {};
  // Of two threads with one executor exactly one gets it.
  if (!executors.Retire(executor, "has run already and was not made repeatable")) return refused();
  return {};
}

}  // namespace

Status CheckResults(const Results& results) noexcept {
  if (results.workspace_size == nullptr) return NullPointer("workspaceSize");
  if (results.executor == nullptr) return NullPointer("executor");
  return {};
}

aclnnStatus PhaseTwo(const PublishedOperator& op, void* workspace, std::uint64_t workspace_size,
                     aclOpExecutor* executor, aclrtStream stream) noexcept {
  return AclnnCall({op.name, op.document}, [&](Machine& machine) -> Status {
    if (executor == nullptr) return NullPointer("executor");
    runtime::Ref<OpExecutor> taken;
    BELAY_RETURN_IF_ERROR(TakeExecutor(machine, op, executor, taken));
    const StatusOr<runtime::Ref<runtime::Stream>> found = runtime::FindStream(stream);
    if (!found) return found.error();
    return taken->Run(*found, workspace, workspace_size);
  });
}

}  // namespace belay::aclnn
