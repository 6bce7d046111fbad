#include "peers/aclnn_calls.h"

#include <memory>
#include <utility>
#include <vector>

#include "aclnnop/aclnn_index_add.h"
#include "aclnnop/aclnn_repeat.h"
#include "check.h"
#include "memory.h"
#include "peers/belay_peer.h"

namespace belay::bench {
namespace {

/// Objects that end with the last call which uses them.
class Descriptors {
 public:
  Descriptors() = default;
  Descriptors(const Descriptors&) = delete;
  Descriptors& operator=(const Descriptors&) = delete;
  ~Descriptors() {
    if (executor != nullptr) aclDestroyAclOpExecutor(executor);
    for (const aclTensor* tensor : tensors_) aclDestroyTensor(tensor);
    aclDestroyIntArray(array);
    aclDestroyScalar(alpha);
  }

  aclTensor* Tensor(aclDataType type, const Shape& shape, const void* memory) {
    tensors_.push_back(aclCreateTensor(shape.data(), shape.size(), type, nullptr, 0, ACL_FORMAT_ND,
                                       shape.data(), shape.size(), const_cast<void*>(memory)));
    return tensors_.back();
  }

  aclIntArray* array = nullptr;
  aclScalar* alpha = nullptr;
  aclOpExecutor* executor = nullptr;
  Block workspace{nullptr, {nullptr, 0}};
  std::uint64_t workspace_size = 0;

 private:
  std::vector<aclTensor*> tensors_;
};

using PhaseTwo = aclnnStatus (*)(void*, std::uint64_t, aclOpExecutor*, aclrtStream);

template <class PhaseOne>
Call Prepare(std::shared_ptr<Descriptors> made, PhaseOne phase_one, PhaseTwo phase_two,
             AclnnMode mode, aclrtStream stream) {
  Check(phase_one(&made->workspace_size, &made->executor), "phase one");
  if (made->workspace_size != 0) made->workspace = DeviceBlock(made->workspace_size);
  Check(aclSetAclOpExecutorRepeatable(made->executor), "aclSetAclOpExecutorRepeatable");
  if (mode == AclnnMode::kRepeatable) {
    return [made, phase_two, stream] {
      Check(phase_two(made->workspace.get(), made->workspace_size, made->executor, stream),
            "phase two");
    };
  }
  return [made, phase_one, phase_two, stream] {
    std::uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    Check(phase_one(&size, &executor), "phase one");
    Check(phase_two(made->workspace.get(), size, executor, stream), "phase two");
  };
}

}  // namespace

Call AclnnRepeat(const RepeatProblem& problem, AclnnMode mode, aclrtStream stream) {
  auto made = std::make_shared<Descriptors>();
  const aclDataType type = AclTypeOf(problem.type);
  aclTensor* const self = made->Tensor(type, problem.x_shape, problem.x);
  aclTensor* const out = made->Tensor(type, RepeatedShape(problem), problem.y);
  made->array = aclCreateIntArray(problem.multiples.data(), problem.multiples.size());
  const auto phase_one = [self, out, repeats = made->array](std::uint64_t* size,
                                                            aclOpExecutor** executor) {
    return aclnnRepeatGetWorkspaceSize(self, repeats, out, size, executor);
  };
  return Prepare(std::move(made), phase_one, aclnnRepeat, mode, stream);
}

Call AclnnIndexAdd(const IndexAddProblem& problem, AclnnMode mode, aclrtStream stream) {
  auto made = std::make_shared<Descriptors>();
  const aclDataType type = AclTypeOf(problem.type);
  aclTensor* const self = made->Tensor(type, problem.var_shape, problem.var);
  aclTensor* const index = made->Tensor(ACL_INT32, {problem.index_count}, problem.indices);
  aclTensor* const source = made->Tensor(type, UpdatesShape(problem), problem.updates);
  float one = 1.0F;
  made->alpha = aclCreateScalar(&one, ACL_FLOAT);
  const auto phase_one = [=, axis = static_cast<std::int64_t>(problem.axis), alpha = made->alpha](
                             std::uint64_t* size, aclOpExecutor** executor) {
    return aclnnIndexAddGetWorkspaceSize(self, axis, index, source, alpha, self, size, executor);
  };
  return Prepare(std::move(made), phase_one, aclnnIndexAdd, mode, stream);
}

}  // namespace belay::bench
