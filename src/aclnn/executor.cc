// Executors between the phases: kept for several runs, given other addresses, ended.
#include <cstdint>
#include <string_view>

#include "aclnn/objects.h"
#include "runtime/op_executor.h"

using belay::Fault;
using belay::NotAllowed;
using belay::Refuse;
using belay::Status;
using belay::StatusOr;
using belay::aclnn::AclnnCall;
using belay::aclnn::FindObject;
using belay::aclnn::Machine;
using belay::runtime::OpExecutor;
using belay::runtime::OpList;
using belay::runtime::OpTensor;
using belay::runtime::Ref;
using Use = OpExecutor::Use;

namespace {

constexpr const char* kSource = "aclnn API, executors";

Status InnerNull(std::string_view argument) {
  return Refuse(Fault::kInnerNullPointer, "{} is null; allowed a valid pointer", argument);
}

std::string_view Positions(Use use) {
  switch (use) {
    case Use::kInput:
      return "input tensor";
    case Use::kOutput:
      return "output tensor";
    default:
      return "tensor";
  }
}

aclnnStatus SetAddress(const char* function, aclOpExecutor* executor, Use use, std::size_t index,
                       aclTensor* tensor, void* addr) {
  return AclnnCall({function, kSource}, [&](Machine& machine) -> Status {
    belay::runtime::OpObjects& objects = machine.op_objects();
    if (tensor == nullptr) return InnerNull("tensor");
    const StatusOr<Ref<OpTensor>> target = FindObject(objects.tensors, "tensor", tensor);
    if (!target) return target.error();
    if (executor == nullptr) {
      (*target)->SetStorage(addr);  // published so
      return InnerNull("executor");
    }
    const StatusOr<Ref<OpExecutor>> found = FindObject(objects.executors, "executor", executor);
    if (!found) return found.error();
    OpExecutor& launch = **found;
    const std::size_t at = launch.FindTensor(use, index);
    if (at == OpExecutor::kMaxArguments) {
      return Refuse(Fault::kInvalidParam, "index is {}; {} has no {} at that position", index,
                    launch.operation(), Positions(use));
    }
    if (launch.argument(at).handle != tensor) {
      return Refuse(Fault::kInvalidParam,
                    "tensor is not the one that phase one of {} got as {}; allowed that one",
                    launch.operation(), launch.argument(at).name);
    }
    (*target)->SetStorage(addr);
    launch.SetStorage(at, addr);
    return {};
  });
}

aclnnStatus SetListAddress(const char* function, aclOpExecutor* executor, std::size_t ir_index,
                           std::size_t relative_index, aclTensorList* tensors) {
  return AclnnCall({function, kSource}, [&](Machine& machine) -> Status {
    belay::runtime::OpObjects& objects = machine.op_objects();
    if (tensors == nullptr) return InnerNull("tensors");
    const StatusOr<Ref<OpList>> list = FindObject(objects.tensor_lists, "tensors", tensors);
    if (!list) return list.error();
    const std::size_t size = (*list)->elements.size();
    if (relative_index >= size) {
      return Refuse(Fault::kInvalidParam, "relativeIndex is {}; allowed below {}, the list's size",
                    relative_index, size);
    }
    if (executor == nullptr) return InnerNull("executor");
    const StatusOr<Ref<OpExecutor>> found = FindObject(objects.executors, "executor", executor);
    if (!found) return found.error();
    return Refuse(Fault::kInvalidParam, "irIndex is {}; {} has no tensor list at that position",
                  ir_index, (*found)->operation());
  });
}

}  // namespace

aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor* executor) {
  return AclnnCall({"aclSetAclOpExecutorRepeatable", kSource}, [&](Machine& machine) -> Status {
    if (executor == nullptr) return InnerNull("executor");
    const StatusOr<Ref<OpExecutor>> found =
        FindObject(machine.op_objects().executors, "executor", executor);
    if (!found) return found.error();
    (*found)->repeatable.store(true, std::memory_order_release);
    return {};
  });
}

aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor* executor) {
  return AclnnCall({"aclDestroyAclOpExecutor", kSource}, [&](Machine& machine) -> Status {
    if (executor == nullptr) return InnerNull("executor");
    return belay::aclnn::DestroyObject(machine.op_objects().executors, "executor", executor);
  });
}

aclnnStatus aclSetInputTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor,
                                  void* addr) {
  return SetAddress("aclSetInputTensorAddr", executor, Use::kInput, index, tensor, addr);
}

aclnnStatus aclSetOutputTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor,
                                   void* addr) {
  return SetAddress("aclSetOutputTensorAddr", executor, Use::kOutput, index, tensor, addr);
}

aclnnStatus aclSetTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor,
                             void* addr) {
  return SetAddress("aclSetTensorAddr", executor, Use::kInputAndOutput, index, tensor, addr);
}

aclnnStatus aclSetDynamicInputTensorAddr(aclOpExecutor* executor, size_t irIndex,
                                         const size_t relativeIndex, aclTensorList* tensors,
                                         void* /*addr*/) {
  return SetListAddress("aclSetDynamicInputTensorAddr", executor, irIndex, relativeIndex, tensors);
}

aclnnStatus aclSetDynamicOutputTensorAddr(aclOpExecutor* executor, size_t irIndex,
                                          const size_t relativeIndex, aclTensorList* tensors,
                                          void* /*addr*/) {
  return SetListAddress("aclSetDynamicOutputTensorAddr", executor, irIndex, relativeIndex, tensors);
}

aclnnStatus aclSetDynamicTensorAddr(aclOpExecutor* executor, size_t irIndex,
                                    const size_t relativeIndex, aclTensorList* tensors,
                                    void* /*addr*/) {
  return SetListAddress("aclSetDynamicTensorAddr", executor, irIndex, relativeIndex, tensors);
}

aclnnStatus AclSetInputTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor,
                                  void* addr) {
  return aclSetInputTensorAddr(executor, index, tensor, addr);
}

aclnnStatus AclSetOutputTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor,
                                   void* addr) {
  return aclSetOutputTensorAddr(executor, index, tensor, addr);
}

aclnnStatus AclSetTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor,
                             void* addr) {
  return aclSetTensorAddr(executor, index, tensor, addr);
}

aclnnStatus AclSetDynamicInputTensorAddr(aclOpExecutor* executor, size_t irIndex,
                                         const size_t relativeIndex, aclTensorList* tensors,
                                         void* addr) {
  return aclSetDynamicInputTensorAddr(executor, irIndex, relativeIndex, tensors, addr);
}

aclnnStatus AclSetDynamicOutputTensorAddr(aclOpExecutor* executor, size_t irIndex,
                                          const size_t relativeIndex, aclTensorList* tensors,
                                          void* addr) {
  return aclSetDynamicOutputTensorAddr(executor, irIndex, relativeIndex, tensors, addr);
}

aclnnStatus AclSetDynamicTensorAddr(aclOpExecutor* executor, size_t irIndex,
                                    const size_t relativeIndex, aclTensorList* tensors,
                                    void* addr) {
  return aclSetDynamicTensorAddr(executor, irIndex, relativeIndex, tensors, addr);
}
