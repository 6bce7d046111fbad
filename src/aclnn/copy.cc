// aclnnInplaceCopy. Everything it decides is decided in ops/copy.
#include "aclnnop/aclnn_copy.h"

#include "aclnn/phases.h"
#include "ops/copy/inplace_copy.h"

namespace {

using belay::TensorView;
using belay::aclnn::InOut;
using belay::aclnn::Input;
using belay::aclnn::PhaseOne;
using belay::aclnn::PhaseTwo;
using belay::aclnn::PublishedOperator;
using belay::ops::InplaceCopy;
using belay::ops::Profile;

constexpr PublishedOperator kOperator{InplaceCopy::kName, "aclnnInplaceCopyGetWorkspaceSize",
                                      "document aclnnInplaceCopy"};

}  // namespace

aclnnStatus aclnnInplaceCopyGetWorkspaceSize(aclTensor* selfRef, const aclTensor* src,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(
      kOperator, {workspaceSize, executor},
      [](const Profile& who, const TensorView& self_view, const TensorView& src_view) {
        return InplaceCopy::MakePlan(self_view, src_view, who);
      },
      InOut("selfRef", selfRef), Input("src", src));
}

aclnnStatus aclnnInplaceCopy(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             const aclrtStream stream) {
  return PhaseTwo(kOperator, workspace, workspaceSize, executor, stream);
}
