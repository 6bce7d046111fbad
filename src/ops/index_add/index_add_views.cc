#include "ops/index_add/index_add_views.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "kernels/saturate.h"
#include "ops/index_add/index_add.h"
#include "ops/index_add/row_addition.h"
#include "ops/indexed_views.h"
#include "ops/tensor_operator.h"
#include "ops/view_rules.h"

namespace belay::ops {
namespace {

constexpr const char* kName = "aclnnIndexAdd";
constexpr const char* kNameV2 = "aclnnIndexAddV2";

constexpr std::array kTypes = {
    DataType::kFloat, DataType::kInt32, DataType::kFloat16, DataType::kDouble, DataType::kInt16,
    DataType::kInt8,  DataType::kUint8, DataType::kInt64,   DataType::kBool,   DataType::kBf16};
constexpr std::array kFastTypes = {DataType::kFloat, DataType::kFloat16, DataType::kInt32,
                                   DataType::kInt16, DataType::kBf16};

// Begins with the views, where InspectIndices and CheckViewAddresses look for them.
struct Work {
  IndexedViews views;
  RowAddition addition;
};

Status CheckTypes(const IndexAddViews::Tensors& tensors) {
  const NamedView self{"self", tensors.self};
  BELAY_RETURN_IF_ERROR(CheckTypeAmong(self, kTypes));
  BELAY_RETURN_IF_ERROR(CheckTypeAmong({"index", tensors.index}, kIndexTypes));
  BELAY_RETURN_IF_ERROR(CheckSameType({"source", tensors.source}, self));
  return CheckSameType({"out", tensors.out}, self);
}

Status CheckViews(const IndexAddViews::Tensors& tensors) {
  BELAY_RETURN_IF_ERROR(CheckView("self", tensors.self));
  BELAY_RETURN_IF_ERROR(CheckView("source", tensors.source));
  BELAY_RETURN_IF_ERROR(CheckView("index", tensors.index));
  return CheckView("out", tensors.out);
}

Status CheckShapes(std::int64_t dim, const IndexAddViews::Tensors& tensors) {
  const Dims& self = tensors.self.dims;
  const Dims& source = tensors.source.dims;
  const Dims& index = tensors.index.dims;
  BELAY_RETURN_IF_ERROR(CheckAxis("self", dim, self));
  const std::size_t axis = NormalAxis(dim, self);
  if (self.rank == 0 ? source.rank > 1 : source.rank != self.rank) {
    return Refuse(Fault::kInvalidParam, "source has {} dimensions; allowed {}{}", source.rank,
                  self.rank == 0 ? "0 and 1, as self has " : "", self.rank);
  }
  for (std::size_t i = 0; i < self.rank; ++i) {
    if (i == axis || source[i] == self[i]) continue;
    return Refuse(Fault::kInvalidParam, "dimension {} of source is {}; allowed {}, as self has", i,
                  source[i], self[i]);
  }
  if (index.rank > 1) {
    return Refuse(Fault::kInvalidParam, "index has {} dimensions; allowed 0 and 1", index.rank);
  }
  if (SizeAt(index, 0) != SizeAt(source, axis)) {
    return Refuse(Fault::kInvalidParam, "index has {} elements; allowed {}, as {}",
                  SizeAt(index, 0), SizeAt(source, axis),
                  OriginOfSize("source", source.rank, axis));
  }
  return CheckDims({"out", tensors.out}, self, "the shape of self");
}

Status CheckTensors(const char* name, std::int64_t dim, const IndexAddViews::Tensors& tensors,
                    const Profile& who) {
  BELAY_RETURN_IF_ERROR(CheckProduct(IndexAdd::Info(), name, who));
  BELAY_RETURN_IF_ERROR(CheckTypes(tensors));
  BELAY_RETURN_IF_ERROR(CheckViews(tensors));
  return CheckShapes(dim, tensors);
}

Status CheckFastMode(std::int64_t dim, const IndexAddViews::Tensors& tensors, const Profile& who) {
  const TensorView& self = tensors.self;
  const bool is_fast_type = std::ranges::find(kFastTypes, self.dtype) != kFastTypes.end();
  if (self.dims.rank == 2 && (dim == 0 || dim == -2) && is_fast_type) return {};
  const Fault fault = FollowsRelease(who.behaviour, BehaviourPoint::kIndexAddV2FastModeFault)
                          ? Fault::kInnerNullPointer
                          : Fault::kInvalidParam;
  return Refuse(
      fault,
      "mode is 0, dim {} and self {} of type {}; allowed with mode 0: dim 0 and -2 of two "
      "dimensions of float, float16, bf16, int32 and int16",
      dim, Describe(self.dims), Name(self.dtype));
}

std::optional<kernels::HalfFormat> HalfResultOf(const RowAddition& addition) {
  if (addition.way == RowAddition::Way::kHalf) return addition.half;
  if (addition.way == RowAddition::Way::kDirect) return std::nullopt;
  switch (addition.wide) {
    case kernels::WideType::kFp16:
      return kernels::HalfFormat::kFp16;
    case kernels::WideType::kBf16:
      return kernels::HalfFormat::kBf16;
    default:
      return std::nullopt;
  }
}

Status Run(const Plan& plan, std::span<void* const> addresses) {
  const auto& work = plan.Parameters<Work>();
  WriteRows(work.views, addresses, [&](const kernels::IndexedRows& rows, FunctionRef<void()> fill) {
    AddRows(work.addition, rows, work.views.slices, fill);
    const std::optional<kernels::HalfFormat> half = HalfResultOf(work.addition);
    if (half && plan.overflow == FloatOverflow::kSaturate) {
      kernels::SaturateRows(*half, rows, work.views.slices);
    }
  });
  return {};
}

// Of tensors that passed the checks. In its place: what has just been written is copied slowly.
Status SetPlan(Plan& plan, const char* name, std::int64_t dim,
               const IndexAddViews::Tensors& tensors, const RowAddition& addition) {
  BELAY_RETURN_IF_ERROR(CheckWritableView("out", tensors.out));
  plan.operation = name;
  plan.kernel = "RowAdd, DenseAdd, SliceGroupAdd, DirectAdd, WideAdd";
  // Published so: then out is not written, either.
  if (IsEmpty(tensors.self) || IsEmpty(tensors.source)) return {};
  auto& work = plan.EmplaceParameters<Work>();
  EnterIndexedViews(plan, work.views,
                    {"self", tensors.self, tensors.index, tensors.source, "out", &tensors.out},
                    dim);
  work.addition = addition;
  const bool ordered = addition.way == RowAddition::Way::kWide ||
                       (addition.way == RowAddition::Way::kHalf && work.views.works_on_wide);
  if (ordered && work.views.count > RowAddition::kMaxOrdered) {
    return Refuse(Fault::kInnerNullPointer, "index has {} elements; allowed up to {}",
                  work.views.count, RowAddition::kMaxOrdered);
  }
  plan.run = Run;
  return {};
}

ScalarValue One() noexcept {
  ScalarValue one{DataType::kBool, {}};
  one.bytes[0] = std::byte{1};
  return one;
}

}  // namespace

StatusOr<Plan> IndexAddViews::MakePlan(const Params& params, const Tensors& tensors,
                                       const Profile& who) {
  StatusOr<Plan> plan;
  Status status = CheckTensors(kName, params.dim, tensors, who);
  if (status.ok()) status = CheckNumber("alpha", params.alpha);
  if (status.ok()) {
    status =
        SetPlan(*plan, kName, params.dim, tensors, AdditionOf(tensors.self.dtype, params.alpha));
  }
  if (!status.ok()) plan = Unexpected(std::move(status));
  return plan;
}

StatusOr<Plan> IndexAddViews::MakePlanV2(const ParamsV2& params, const Tensors& tensors,
                                         const Profile& who) {
  const DataType type = tensors.self.dtype;
  StatusOr<Plan> plan;
  Status status = CheckTensors(kNameV2, params.dim, tensors, who);
  if (status.ok()) status = CheckNumber("alpha", params.alpha);
  if (status.ok()) status = CheckCastable("alpha", params.alpha, type);
  const bool fast = params.mode == 0 && !params.deterministic;
  if (status.ok() && fast) status = CheckFastMode(params.dim, tensors, who);
  if (status.ok()) {
    const bool wide = params.mode != 0 && !params.deterministic;
    status = SetPlan(
        *plan, kNameV2, params.dim, tensors,
        wide ? WideAdditionOf(type, params.alpha) : AdditionOf(type, fast ? One() : params.alpha));
  }
  if (!status.ok()) plan = Unexpected(std::move(status));
  return plan;
}

}  // namespace belay::ops
