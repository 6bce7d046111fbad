#include "ops/copy/inplace_copy.h"

#include <array>
#include <string_view>
#include <utility>

#include "ops/tensor_operator.h"
#include "ops/view_copy.h"
#include "ops/view_rules.h"
#include "ops/views.h"

namespace belay::ops {
namespace {

constexpr std::string_view kDocument = "document aclnnInplaceCopy";
constexpr std::string_view kReturnValues = "aclnnInplaceCopy, return values";

constexpr FamilySet kProducts = {Family::kAscend910,  Family::kAscend310P,   Family::kAscend310B,
                                 Family::kAscend910B, Family::kAscend910_93, Family::kAscend950,
                                 Family::kAscend350};

constexpr std::array kSupport = {Support{Face::kAclnn, InplaceCopy::kName, kProducts}};

constexpr std::array kRules = {
    Rule{"BELAY-InplaceCopy-product-0001", "The product is one that serves the operator.",
         "aclnnInplaceCopy, product support"},
    Rule{"BELAY-InplaceCopy-selfRef-0002", "selfRef and src are of types that can be cast.",
         kReturnValues},
    Rule{"BELAY-InplaceCopy-selfRef-0003", "selfRef and src have at most 8 dimensions.",
         kReturnValues},
    Rule{"BELAY-InplaceCopy-src-0004", "src broadcasts to exactly the shape of selfRef.",
         kReturnValues},
    Rule{"BELAY-InplaceCopy-selfRef-0005", "No two indices of selfRef mean the same element.",
         "aclnnInplaceCopy, parameters"},
    Rule{"BELAY-InplaceCopy-src-0006",
         "src shares no element with selfRef, unless it is the same view.",
         "aclnnInplaceCopy, parameters"},
};

constexpr std::array kTypes = {
    DataType::kFloat, DataType::kFloat16,   DataType::kInt8,       DataType::kInt32,
    DataType::kUint8, DataType::kInt16,     DataType::kUint16,     DataType::kUint32,
    DataType::kInt64, DataType::kUint64,    DataType::kDouble,     DataType::kBool,
    DataType::kBf16,  DataType::kComplex64, DataType::kComplex128,
};

Status CheckAll(const NamedView& self_ref, const NamedView& src, const Profile& who) {
  BELAY_RETURN_IF_ERROR(CheckProduct(InplaceCopy::Info(), InplaceCopy::kName, who));
  BELAY_RETURN_IF_ERROR(CheckTypeAmong(self_ref, kTypes));
  BELAY_RETURN_IF_ERROR(CheckTypeAmong(src, kTypes));
  BELAY_RETURN_IF_ERROR(CheckView(self_ref.name, self_ref.view));
  BELAY_RETURN_IF_ERROR(CheckView(src.name, src.view));
  BELAY_RETURN_IF_ERROR(CheckBroadcast(src, self_ref.name, self_ref.view.dims));
  return CheckWritableView(self_ref.name, self_ref.view);
}

}  // namespace

const OpInfo& InplaceCopy::Info() {
  static constexpr OpInfo kInfo{"InplaceCopy", kDocument, kSupport, kRules};
  return kInfo;
}

StatusOr<Plan> InplaceCopy::MakePlan(const TensorView& self_ref, const TensorView& src,
                                     const Profile& who) {
  Status status = CheckAll({"selfRef", self_ref}, {"src", src}, who);
  if (!status.ok()) return Unexpected(std::move(status));
  return PlanCopy(kName, {"selfRef", self_ref, kSelfRef}, {"src", src, kSrc});
}

}  // namespace belay::ops
