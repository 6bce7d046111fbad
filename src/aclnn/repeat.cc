// aclnnRepeat. Everything it decides is decided in ops/repeat.
#include "aclnnop/aclnn_repeat.h"

#include "aclnn/phases.h"
#include "ops/repeat/repeat_views.h"

namespace {

using belay::TensorView;
using belay::aclnn::Input;
using belay::aclnn::IntArray;
using belay::aclnn::Ints;
using belay::aclnn::Output;
using belay::aclnn::PhaseOne;
using belay::aclnn::PhaseTwo;
using belay::aclnn::PublishedOperator;
using belay::ops::Profile;
using belay::ops::RepeatViews;

constexpr PublishedOperator kOperator{RepeatViews::kName, "aclnnRepeatGetWorkspaceSize",
                                      "document aclnnRepeat"};

}  // namespace

aclnnStatus aclnnRepeatGetWorkspaceSize(const aclTensor* self, const aclIntArray* repeats,
                                        aclTensor* out, uint64_t* workspaceSize,
                                        aclOpExecutor** executor) {
  return PhaseOne(
      kOperator, {workspaceSize, executor},
      [](const Profile& who, const TensorView& self_view, const IntArray& counts,
         const TensorView& out_view) {
        return RepeatViews::MakePlan({counts.values}, self_view, out_view, who);
      },
      Input("self", self), Ints("repeats", repeats), Output("out", out));
}

aclnnStatus aclnnRepeat(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                        aclrtStream stream) {
  return PhaseTwo(kOperator, workspace, workspaceSize, executor, stream);
}
