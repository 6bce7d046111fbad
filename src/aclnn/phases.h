// The two phases of every aclnn operator.
//
// Phase one checks that nothing required is null, finds the objects behind the handles, asks the
// operator for a plan and leaves an executor. Phase two hands the executor's launch to a stream. An
// operator's own file states its parameters once and decides nothing; README.md tells how.
// Source: aclnn API, two-phase convention.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <new>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "aclnn/aclnn_call.h"
#include "base/tensor_view.h"
#include "runtime/op_executor.h"
#include "runtime/op_objects.h"

namespace belay::aclnn {

using runtime::HandleKind;
using runtime::OpExecutor;
using runtime::Watch;

/// An operator as this face publishes it.
struct PublishedOperator {
  std::string_view name;       // of phase two: "aclnnRepeat"
  std::string_view phase_one;  // "aclnnRepeatGetWorkspaceSize"
  std::string_view document;
  /// Published so for some: whether the results may be written is looked at after all else.
  bool checks_results_last = false;
};

/// Where phase one writes its answers.
struct Results {
  std::uint64_t* workspace_size;
  aclOpExecutor** executor;
};

/// A tensor parameter; the operator gets a TensorView, or for one that may be null a pointer to it.
template <bool kRequired>
class TensorArgument {
 public:
  TensorArgument(const char* name, const aclTensor* handle, OpExecutor::Use use) noexcept
      : argument_{name, handle, HandleKind::kTensor, use} {}

  [[nodiscard]] Status CheckGiven() const {
    if (kRequired && argument_.handle == nullptr) return NullPointer(argument_.name);
    return {};
  }
  [[nodiscard]] Status Resolve(runtime::OpObjects& objects, const Watch::Looking& looking) {
    if (argument_.handle == nullptr) return {};
    tensor_ = objects.tensors.Look(looking, argument_.handle);
    if (tensor_ != nullptr) return {};
    return NotAllowed(Fault::kInvalidParam, argument_.name,
                      objects.tensors.Describe(argument_.handle), "a live tensor");
  }
  [[nodiscard]] decltype(auto) Value() const noexcept {
    if constexpr (kRequired) {
      return tensor_->view();
    } else {
      return tensor_ == nullptr ? nullptr : &tensor_->view();
    }
  }
  void EnterTensor(OpExecutor& executor) const noexcept {
    OpExecutor::Argument argument = argument_;
    if (tensor_ != nullptr) {
      argument.storage = tensor_->description().storage;
      argument.offset_bytes = tensor_->offset_bytes();
    }
    executor.AddTensor(argument);
  }
  void EnterValue(OpExecutor& /*executor*/) const noexcept {}

 private:
  OpExecutor::Argument argument_;
  const runtime::OpTensor* tensor_ = nullptr;
};

inline TensorArgument<true> Input(const char* name, const aclTensor* tensor) noexcept {
  return {name, tensor, OpExecutor::Use::kInput};
}
inline TensorArgument<false> OptionalInput(const char* name, const aclTensor* tensor) noexcept {
  return {name, tensor, OpExecutor::Use::kInput};
}
inline TensorArgument<true> Output(const char* name, const aclTensor* tensor) noexcept {
  return {name, tensor, OpExecutor::Use::kOutput};
}
/// A tensor that is changed in place: an input and an output at once.
inline TensorArgument<true> InOut(const char* name, const aclTensor* tensor) noexcept {
  return {name, tensor, OpExecutor::Use::kInputAndOutput};
}

/// Another object; the operator gets a reference to it, or for one that may be null a pointer.
template <bool kRequired, class Object>
class ValueArgument {
 public:
  using Table = runtime::HandleTable<Object> runtime::OpObjects::*;

  ValueArgument(const char* name, const void* handle, HandleKind kind, Table table) noexcept
      : argument_{name, handle, kind, OpExecutor::Use::kValue}, table_(table) {}

  [[nodiscard]] Status CheckGiven() const {
    if (kRequired && argument_.handle == nullptr) return NullPointer(argument_.name);
    return {};
  }
  [[nodiscard]] Status Resolve(runtime::OpObjects& objects, const Watch::Looking& looking) {
    if (argument_.handle == nullptr) return {};
    object_ = (objects.*table_).Look(looking, argument_.handle);
    if (object_ != nullptr) return {};
    return NotAllowed(Fault::kInvalidParam, argument_.name,
                      (objects.*table_).Describe(argument_.handle), "a live object of its kind");
  }
  [[nodiscard]] decltype(auto) Value() const noexcept {
    if constexpr (kRequired) {
      return static_cast<const Object&>(*object_);
    } else {
      return object_;
    }
  }
  void EnterTensor(OpExecutor& /*executor*/) const noexcept {}
  void EnterValue(OpExecutor& executor) const noexcept {
    if (argument_.handle != nullptr) executor.AddArgument(argument_);
  }

 private:
  OpExecutor::Argument argument_;
  Table table_;
  const Object* object_ = nullptr;
};

using IntArray = runtime::OpArray<std::int64_t>;

inline ValueArgument<true, IntArray> Ints(const char* name, const aclIntArray* array) noexcept {
  return {name, array, HandleKind::kIntArray, &runtime::OpObjects::int_arrays};
}
inline ValueArgument<false, IntArray> OptionalInts(const char* name,
                                                   const aclIntArray* array) noexcept {
  return {name, array, HandleKind::kIntArray, &runtime::OpObjects::int_arrays};
}
inline ValueArgument<true, runtime::OpScalar> Scalar(const char* name,
                                                     const aclScalar* scalar) noexcept {
  return {name, scalar, HandleKind::kScalar, &runtime::OpObjects::scalars};
}

/// kNullPointer when a result cannot be written.
Status CheckResults(const Results& results) noexcept;

/// A new executor of the operator, completed by `fill(executor)`, is stored in the results.
/// kExecutorCreation.
template <class Fill>
Status CreateExecutor(Machine& machine, const PublishedOperator& op, const Results& results,
                      Fill fill) {
  try {
    *results.executor =
        static_cast<aclOpExecutor*>(machine.op_objects().executors.CreateFilled(fill, op.name));
    return {};
  } catch (const runtime::HandlesUsedUp& limit) {
    return Refuse(Fault::kExecutorCreation, "executor: {}", limit.what());
  } catch (const std::bad_alloc&) {
    return Refuse(Fault::kExecutorCreation, "no host memory for an executor");
  }
}

/// Phase one. `make_plan(who, arguments...)` is the operator's answer to the arguments, in the
/// order of the parameters. Addresses of the plan are numbered as the tensors among the parameters,
/// those that were not given included.
template <class MakePlan, class... Arguments>
aclnnStatus PhaseOne(const PublishedOperator& op, const Results& results, MakePlan&& make_plan,
                     Arguments... arguments) noexcept {
  return AclnnCall({op.phase_one, op.document}, [&](Machine& machine) -> Status {
    if (!op.checks_results_last) BELAY_RETURN_IF_ERROR(CheckResults(results));
    Status status;
    const auto good = [&status](Status next) {
      status = std::move(next);
      return status.ok();
    };
    if (!(good(arguments.CheckGiven()) && ...)) return status;
    runtime::OpObjects& objects = machine.op_objects();
    const std::uint64_t endings = objects.arguments.endings();
    const Watch::Looking looking = objects.arguments.Look();
    if (!(good(arguments.Resolve(objects, looking)) && ...)) return status;
    StatusOr<Plan> plan = std::invoke(make_plan, AclnnProfile(machine), arguments.Value()...);
    if (!plan) return std::move(plan).error();
    if (op.checks_results_last) BELAY_RETURN_IF_ERROR(CheckResults(results));

    const auto fill = [&](OpExecutor& executor) noexcept {
      executor.SetPlan(*plan, endings);
      (arguments.EnterTensor(executor), ...);
      (arguments.EnterValue(executor), ...);
    };
    BELAY_RETURN_IF_ERROR(CreateExecutor(machine, op, results, fill));
    *results.workspace_size = plan->workspace_bytes;
    return {};
  });
}

/// Phase two: ends the executor, unless it is repeatable, whatever comes of the launch.
aclnnStatus PhaseTwo(const PublishedOperator& op, void* workspace, std::uint64_t workspace_size,
                     aclOpExecutor* executor, aclrtStream stream) noexcept;

}  // namespace belay::aclnn
