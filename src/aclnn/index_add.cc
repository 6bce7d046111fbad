// aclnnIndexAdd and aclnnIndexAddV2. Everything they decide is decided in ops/index_add.
#include "aclnnop/aclnn_index_add.h"

#include <optional>

#include "aclnn/phases.h"
#include "aclnnop/aclnn_index_add_v2.h"
#include "ops/index_add/index_add_views.h"
#include "runtime/context.h"

using belay::Plan;
using belay::StatusOr;
using belay::TensorView;
using belay::aclnn::Input;
using belay::aclnn::Machine;
using belay::aclnn::Output;
using belay::aclnn::PhaseOne;
using belay::aclnn::PhaseTwo;
using belay::aclnn::PublishedOperator;
using belay::aclnn::Scalar;
using belay::ops::IndexAddViews;
using belay::ops::Profile;
using belay::ops::ScalarValue;
using belay::runtime::OpScalar;

namespace {

constexpr PublishedOperator kIndexAdd{"aclnnIndexAdd", "aclnnIndexAddGetWorkspaceSize",
                                      "document aclnnIndexAdd"};
constexpr PublishedOperator kIndexAddV2{"aclnnIndexAddV2", "aclnnIndexAddV2GetWorkspaceSize",
                                        "document aclnnIndexAddV2"};

ScalarValue ValueOf(const OpScalar& scalar) { return {scalar.dtype, scalar.value}; }

// What the current context has set goes before what is set for the process.
bool IsDeterministic() {
  constexpr auto kOption = static_cast<std::size_t>(ACL_OPT_DETERMINISTIC);
  std::optional<std::int64_t> value;
  if (const auto context = belay::runtime::CurrentContext())
    value = (*context)->options.Get(kOption);
  if (!value) value = Machine::Get().options().Get(kOption);
  return value.value_or(0) != 0;
}

}  // namespace

aclnnStatus aclnnIndexAddGetWorkspaceSize(const aclTensor* self, const int64_t dim,
                                          const aclTensor* index, const aclTensor* source,
                                          const aclScalar* alpha, aclTensor* out,
                                          uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(
      kIndexAdd, {workspaceSize, executor},
      [dim](const Profile& who, const TensorView& self_view, const TensorView& index_view,
            const TensorView& source_view, const OpScalar& factor, const TensorView& out_view) {
        return IndexAddViews::MakePlan({dim, ValueOf(factor)},
                                       {self_view, index_view, source_view, out_view}, who);
      },
      Input("self", self), Input("index", index), Input("source", source), Scalar("alpha", alpha),
      Output("out", out));
}

aclnnStatus aclnnIndexAdd(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return PhaseTwo(kIndexAdd, workspace, workspaceSize, executor, stream);
}

aclnnStatus aclnnIndexAddV2GetWorkspaceSize(const aclTensor* self, const int64_t dim,
                                            const aclTensor* index, const aclTensor* source,
                                            const aclScalar* alpha, int64_t mode, aclTensor* out,
                                            uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(
      kIndexAddV2, {workspaceSize, executor},
      [dim, mode](const Profile& who, const TensorView& self_view, const TensorView& index_view,
                  const TensorView& source_view, const OpScalar& factor,
                  const TensorView& out_view) {
        return IndexAddViews::MakePlanV2({dim, ValueOf(factor), mode, IsDeterministic()},
                                         {self_view, index_view, source_view, out_view}, who);
      },
      Input("self", self), Input("index", index), Input("source", source), Scalar("alpha", alpha),
      Output("out", out));
}

aclnnStatus aclnnIndexAddV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return PhaseTwo(kIndexAddV2, workspace, workspaceSize, executor, stream);
}
