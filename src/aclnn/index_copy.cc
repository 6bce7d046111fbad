// aclnnIndexCopy and aclnnInplaceIndexCopy. Everything they decide is decided in ops/index_copy.
#include "aclnnop/aclnn_index_copy.h"

#include "aclnn/phases.h"
#include "ops/index_copy/index_copy.h"

using belay::TensorView;
using belay::aclnn::InOut;
using belay::aclnn::Input;
using belay::aclnn::Output;
using belay::aclnn::PhaseOne;
using belay::aclnn::PhaseTwo;
using belay::aclnn::PublishedOperator;
using belay::ops::IndexCopy;
using belay::ops::Profile;

namespace {

constexpr PublishedOperator kIndexCopy{"aclnnIndexCopy", "aclnnIndexCopyGetWorkspaceSize",
                                       "document aclnnIndexCopy"};
constexpr PublishedOperator kInplaceIndexCopy{
    "aclnnInplaceIndexCopy", "aclnnInplaceIndexCopyGetWorkspaceSize", "document aclnnIndexCopy"};

}  // namespace

aclnnStatus aclnnIndexCopyGetWorkspaceSize(aclTensor* selfRef, int64_t dim, const aclTensor* index,
                                           const aclTensor* source, aclTensor* outRef,
                                           uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(
      kIndexCopy, {workspaceSize, executor},
      [dim](const Profile& who, const TensorView& self_view, const TensorView& index_view,
            const TensorView& source_view, const TensorView& out_view) {
        return IndexCopy::MakePlan({dim}, {self_view, index_view, source_view, &out_view}, who);
      },
      Input("selfRef", selfRef), Input("index", index), Input("source", source),
      Output("outRef", outRef));
}

aclnnStatus aclnnIndexCopy(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                           aclrtStream stream) {
  return PhaseTwo(kIndexCopy, workspace, workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceIndexCopyGetWorkspaceSize(aclTensor* selfRef, int64_t dim,
                                                  const aclTensor* index, const aclTensor* source,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(
      kInplaceIndexCopy, {workspaceSize, executor},
      [dim](const Profile& who, const TensorView& self_view, const TensorView& index_view,
            const TensorView& source_view) {
        return IndexCopy::MakePlan({dim}, {self_view, index_view, source_view, nullptr}, who);
      },
      InOut("selfRef", selfRef), Input("index", index), Input("source", source));
}

aclnnStatus aclnnInplaceIndexCopy(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return PhaseTwo(kInplaceIndexCopy, workspace, workspaceSize, executor, stream);
}
