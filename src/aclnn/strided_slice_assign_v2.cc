// aclnnStridedSliceAssignV2. Everything it decides is decided in ops/set_value.
#include "aclnnop/aclnn_strided_slice_assign_v2.h"

#include "aclnn/phases.h"
#include "ops/set_value/strided_slice_assign.h"

namespace {

using belay::TensorView;
using belay::aclnn::InOut;
using belay::aclnn::Input;
using belay::aclnn::IntArray;
using belay::aclnn::Ints;
using belay::aclnn::OptionalInts;
using belay::aclnn::PhaseOne;
using belay::aclnn::PhaseTwo;
using belay::aclnn::PublishedOperator;
using belay::ops::Profile;
using belay::ops::StridedSliceAssign;

constexpr PublishedOperator kOperator{StridedSliceAssign::kName,
                                      "aclnnStridedSliceAssignV2GetWorkspaceSize",
                                      "document aclnnStridedSliceAssignV2"};

}  // namespace

aclnnStatus aclnnStridedSliceAssignV2GetWorkspaceSize(
    aclTensor* varRef, const aclTensor* inputValue, const aclIntArray* begin,
    const aclIntArray* end, const aclIntArray* strides, const aclIntArray* axesOptional,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(
      kOperator, {workspaceSize, executor},
      [](const Profile& who, const TensorView& var_view, const TensorView& value_view,
         const IntArray& begins, const IntArray& ends, const IntArray& steps,
         const IntArray* axes) {
        StridedSliceAssign::Params params{begins.values, ends.values, steps.values, {}};
        if (axes != nullptr) params.axes = axes->values;
        return StridedSliceAssign::MakePlan(params, var_view, value_view, who);
      },
      InOut("varRef", varRef), Input("inputValue", inputValue), Ints("begin", begin),
      Ints("end", end), Ints("strides", strides), OptionalInts("axesOptional", axesOptional));
}

aclnnStatus aclnnStridedSliceAssignV2(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream) {
  return PhaseTwo(kOperator, workspace, workspaceSize, executor, stream);
}
