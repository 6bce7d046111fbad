// aclnnExpand. Everything it decides is decided in ops/copy.
#include "aclnnop/aclnn_expand.h"

#include "aclnn/phases.h"
#include "ops/copy/expand.h"

namespace {

using belay::TensorView;
using belay::aclnn::Input;
using belay::aclnn::IntArray;
using belay::aclnn::Ints;
using belay::aclnn::Output;
using belay::aclnn::PhaseOne;
using belay::aclnn::PhaseTwo;
using belay::aclnn::PublishedOperator;
using belay::ops::Expand;
using belay::ops::Profile;

constexpr PublishedOperator kOperator{Expand::kName, "aclnnExpandGetWorkspaceSize",
                                      "document aclnnExpand"};

}  // namespace

aclnnStatus aclnnExpandGetWorkspaceSize(const aclTensor* self, const aclIntArray* size,
                                        aclTensor* out, uint64_t* workspaceSize,
                                        aclOpExecutor** executor) {
  return PhaseOne(
      kOperator, {workspaceSize, executor},
      [](const Profile& who, const TensorView& self_view, const IntArray& sizes,
         const TensorView& out_view) {
        return Expand::MakePlan({sizes.values}, self_view, out_view, who);
      },
      Input("self", self), Ints("size", size), Output("out", out));
}

aclnnStatus aclnnExpand(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                        aclrtStream stream) {
  return PhaseTwo(kOperator, workspace, workspaceSize, executor, stream);
}
