#include "ops/copy/expand.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "ops/tensor_operator.h"
#include "ops/view_copy.h"
#include "ops/view_rules.h"
#include "ops/views.h"

namespace belay::ops {
namespace {

constexpr std::string_view kDocument = "document aclnnExpand";
constexpr std::string_view kReturnValues = "aclnnExpand, return values";

constexpr FamilySet kProducts = {Family::kAscend910,    Family::kAscend310P, Family::kAscend910B,
                                 Family::kAscend910_93, Family::kAscend950,  Family::kAscend350};
constexpr FamilySet kWithBf16 = {Family::kAscend910B, Family::kAscend910_93, Family::kAscend950,
                                 Family::kAscend350};

constexpr std::array kSupport = {Support{Face::kAclnn, Expand::kName, kProducts}};

constexpr std::array kRules = {
    Rule{"BELAY-Expand-product-0001", "The product is one that serves the operator.",
         "aclnnExpand, product support"},
    Rule{"BELAY-Expand-out-0002", "out is of self's type.", kReturnValues},
    Rule{"BELAY-Expand-self-0003",
         "self is of type float16, float, uint8, int8, int32, int64 or bool, on Atlas A2, A3 and "
         "the 950 family also of bf16.",
         kReturnValues},
    Rule{"BELAY-Expand-size-0004", "size has at least as many entries as self dimensions.",
         kReturnValues},
    Rule{"BELAY-Expand-size-0005",
         "Each dimension of self, aligned to the right, is 1 or the entry of size.", kReturnValues},
    Rule{"BELAY-Expand-out-0006", "out has the shape that size says.", kReturnValues},
    Rule{"BELAY-Expand-self-0007", "self and out have at most 8 dimensions.", kReturnValues},
    Rule{"BELAY-Expand-out-0008", "No two indices of out mean the same element.",
         "aclnnExpand, parameters"},
    Rule{"BELAY-Expand-out-0009", "out shares no element with self, unless it is the same view.",
         "aclnnExpand, parameters"},
};

// The last one only where there is bf16.
constexpr std::array kTypes = {
    DataType::kFloat16, DataType::kFloat, DataType::kUint8, DataType::kInt8,
    DataType::kInt32,   DataType::kInt64, DataType::kBool,  DataType::kBf16,
};

std::span<const DataType> TypesOn(const Profile& who) {
  const std::span<const DataType> all = kTypes;
  return kWithBf16.Has(who.chip->family) ? all : all.first(all.size() - 1);
}

Status CheckSize(std::span<const std::int64_t> size, const NamedView& self) {
  const Dims& dims = self.view.dims;
  if (size.size() < dims.rank) {
    return Refuse(Fault::kInvalidParam,
                  "size has {} entries; allowed {} and above, the number of dimensions of self",
                  size.size(), dims.rank);
  }
  const std::size_t added = size.size() - dims.rank;
  for (std::size_t i = 0; i < dims.rank; ++i) {
    if (dims[i] == 1 || dims[i] == size[added + i]) continue;
    return Refuse(Fault::kInvalidParam, "size[{}] is {}; allowed {}, as dimension {} of self is",
                  added + i, size[added + i], dims[i], i);
  }
  return {};
}

Status CheckOut(std::span<const std::int64_t> size, const NamedView& out) {
  if (std::ranges::equal(size, out.view.dims.span())) return {};
  if (std::ranges::find(size, -1) != size.end()) {
    return Refuse(Fault::kInvalidParam,
                  "size is [{}]; allowed sizes of out, since -1 is not served",
                  fmt::join(size, ", "));
  }
  return Refuse(Fault::kInvalidParam, "out is {}; allowed {}, as size says",
                Describe(out.view.dims), Text("[{}]", fmt::join(size, ", ")));
}

Status CheckAll(std::span<const std::int64_t> size, const NamedView& self, const NamedView& out,
                const Profile& who) {
  BELAY_RETURN_IF_ERROR(CheckProduct(Expand::Info(), Expand::kName, who));
  BELAY_RETURN_IF_ERROR(CheckSameType(out, self));
  BELAY_RETURN_IF_ERROR(CheckTypeAmong(self, TypesOn(who)));
  // Shapes of more dimensions cannot be looked at.
  BELAY_RETURN_IF_ERROR(CheckView(self.name, self.view));
  BELAY_RETURN_IF_ERROR(CheckView(out.name, out.view));
  BELAY_RETURN_IF_ERROR(CheckSize(size, self));
  BELAY_RETURN_IF_ERROR(CheckOut(size, out));
  return CheckWritableView(out.name, out.view);
}

}  // namespace

const OpInfo& Expand::Info() {
  static constexpr OpInfo kInfo{"Expand", kDocument, kSupport, kRules};
  return kInfo;
}

StatusOr<Plan> Expand::MakePlan(const Params& params, const TensorView& self, const TensorView& out,
                                const Profile& who) {
  Status status = CheckAll(params.size, {"self", self}, {"out", out}, who);
  if (!status.ok()) return Unexpected(std::move(status));
  return PlanCopy(kName, {"out", out, kOut}, {"self", self, kSelf});
}

}  // namespace belay::ops
