// aclnnTransQuantParamV2 and V3. Everything they decide is decided in ops/quant_param.
#include "aclnnop/aclnn_trans_quant_param_v2.h"

#include "aclnn/phases.h"
#include "aclnnop/aclnn_trans_quant_param_v3.h"
#include "ops/quant_param/quant_param_tensor.h"

namespace {

using belay::TensorView;
using belay::aclnn::Input;
using belay::aclnn::OptionalInput;
using belay::aclnn::Output;
using belay::aclnn::PhaseOne;
using belay::aclnn::PhaseTwo;
using belay::aclnn::PublishedOperator;
using belay::ops::Profile;
using belay::ops::QuantParamTensor;

constexpr PublishedOperator kV2{QuantParamTensor::kV2, "aclnnTransQuantParamV2GetWorkspaceSize",
                                "document aclnnTransQuantParamV2", /*checks_results_last=*/true};
constexpr PublishedOperator kV3{QuantParamTensor::kV3, "aclnnTransQuantParamV3GetWorkspaceSize",
                                "document aclnnTransQuantParamV3", /*checks_results_last=*/true};

aclnnStatus PhaseOneOf(const PublishedOperator& op, const aclTensor* scale, const aclTensor* offset,
                       int64_t round_mode, const aclTensor* out, uint64_t* workspace_size,
                       aclOpExecutor** executor) {
  return PhaseOne(
      op, {workspace_size, executor},
      [&](const Profile& who, const TensorView& scale_view, const TensorView* offset_view,
          const TensorView& out_view) {
        return QuantParamTensor::MakePlan({op.name.data(), round_mode}, scale_view, offset_view,
                                          out_view, who);
      },
      Input("scale", scale), OptionalInput("offset", offset), Output("out", out));
}

}  // namespace

aclnnStatus aclnnTransQuantParamV2GetWorkspaceSize(const aclTensor* scale, const aclTensor* offset,
                                                   const aclTensor* out, uint64_t* workspaceSize,
                                                   aclOpExecutor** executor) {
  return PhaseOneOf(kV2, scale, offset, 0, out, workspaceSize, executor);
}

aclnnStatus aclnnTransQuantParamV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   const aclrtStream stream) {
  return PhaseTwo(kV2, workspace, workspaceSize, executor, stream);
}

aclnnStatus aclnnTransQuantParamV3GetWorkspaceSize(const aclTensor* scale, const aclTensor* offset,
                                                   int64_t roundMode, const aclTensor* out,
                                                   uint64_t* workspaceSize,
                                                   aclOpExecutor** executor) {
  return PhaseOneOf(kV3, scale, offset, roundMode, out, workspaceSize, executor);
}

aclnnStatus aclnnTransQuantParamV3(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   const aclrtStream stream) {
  return PhaseTwo(kV3, workspace, workspaceSize, executor, stream);
}
