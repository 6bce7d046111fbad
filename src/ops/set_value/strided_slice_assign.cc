#include "ops/set_value/strided_slice_assign.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "ops/tensor_operator.h"
#include "ops/view_copy.h"
#include "ops/view_rules.h"
#include "ops/views.h"

namespace belay::ops {
namespace {

constexpr std::string_view kDocument = "document aclnnStridedSliceAssignV2";
constexpr std::string_view kParameters = "aclnnStridedSliceAssignV2, parameters";
constexpr std::string_view kReturnValues = "aclnnStridedSliceAssignV2, return values";

constexpr FamilySet kProducts = {Family::kAscend910B, Family::kAscend910_93};
// Where the released library serves it besides.
constexpr FamilySet kReleasedProducts = {Family::kAscend950, Family::kAscend350};

constexpr std::array kSupport = {Support{Face::kAclnn, StridedSliceAssign::kName, kProducts}};

constexpr std::array kRules = {
    Rule{"BELAY-StridedSliceAssignV2-product-0001", "The product is one that serves the operator.",
         "aclnnStridedSliceAssignV2, product support"},
    Rule{"BELAY-StridedSliceAssignV2-varRef-0002",
         "varRef is of type float16, float, bf16, int32, int64, double or int8.", kReturnValues},
    Rule{"BELAY-StridedSliceAssignV2-inputValue-0003", "inputValue is of varRef's type.",
         kReturnValues},
    Rule{"BELAY-StridedSliceAssignV2-varRef-0004", "varRef has 1 to 8 dimensions, each 1 or above.",
         kParameters},
    Rule{"BELAY-StridedSliceAssignV2-inputValue-0005",
         "inputValue has as many dimensions as varRef.", kParameters},
    Rule{"BELAY-StridedSliceAssignV2-begin-0006",
         "begin, end, strides and axes have equally many entries, no more than varRef dimensions.",
         kParameters},
    Rule{"BELAY-StridedSliceAssignV2-axesOptional-0007",
         "Each entry of axesOptional names another axis of varRef.", kParameters},
    Rule{"BELAY-StridedSliceAssignV2-strides-0008",
         "Each entry of strides is 1 or above, that of the last axis 1.", kParameters},
    Rule{"BELAY-StridedSliceAssignV2-inputValue-0009",
         "Each dimension of inputValue is as long as the slice.", kParameters},
    Rule{"BELAY-StridedSliceAssignV2-varRef-0010",
         "No two indices of varRef mean the same element.", kParameters},
    Rule{"BELAY-StridedSliceAssignV2-inputValue-0011",
         "inputValue shares no element with varRef, unless it is the same view.", kParameters},
};

constexpr std::array kTypes = {
    DataType::kFloat16, DataType::kFloat,  DataType::kBf16, DataType::kInt32,
    DataType::kInt64,   DataType::kDouble, DataType::kInt8,
};

using Entries = std::span<const std::int64_t>;

/// What of each dimension of varRef is written.
struct Slice {
  std::array<std::int64_t, Dims::kMaxRank> begin{};
  std::array<std::int64_t, Dims::kMaxRank> stride{};
  Dims count;
};

struct Work {
  ViewSet views;
  std::array<std::uint64_t, Dims::kMaxRank> stride_bytes{};  // of the slice
  std::uint64_t offset = 0;                                  // of its first element
};

Status CheckServed(const Profile& who) {
  if (FollowsRelease(who.behaviour, BehaviourPoint::kStridedSliceAssignOn950) &&
      kReleasedProducts.Has(who.chip->family)) {
    return {};
  }
  return CheckProduct(StridedSliceAssign::Info(), StridedSliceAssign::kName, who);
}

Status CheckShapes(const NamedView& var_ref, const NamedView& input_value) {
  const Dims& dims = var_ref.view.dims;
  if (dims.rank == 0 || dims.rank > Dims::kMaxRank) {
    return Refuse(Fault::kTiling, "varRef has {} dimensions; allowed 1 to {}", dims.rank,
                  Dims::kMaxRank);
  }
  if (input_value.view.dims.rank != dims.rank) {
    return Refuse(Fault::kTiling, "inputValue has {} dimensions; allowed {}, as varRef has",
                  input_value.view.dims.rank, dims.rank);
  }
  for (std::size_t i = 0; i < dims.rank; ++i) {
    if (dims[i] >= 1) continue;
    return Refuse(Fault::kTiling, "dimension {} of varRef is {}; allowed 1 and above", i, dims[i]);
  }
  return {};
}

Status CheckEntryCounts(const StridedSliceAssign::Params& params, std::size_t rank) {
  const std::size_t count = params.begin.size();
  if (count > rank) {
    return Refuse(Fault::kTiling,
                  "begin has {} entries; allowed 0 to {}, the number of dimensions of varRef",
                  count, rank);
  }
  const auto check = [count](std::string_view name, Entries entries) -> Status {
    if (entries.size() == count) return {};
    return Refuse(Fault::kTiling, "{} has {} entries; allowed {}, as begin has", name,
                  entries.size(), count);
  };
  BELAY_RETURN_IF_ERROR(check("end", params.end));
  BELAY_RETURN_IF_ERROR(check("strides", params.strides));
  return params.axes ? check("axesOptional", *params.axes) : Status();
}

// Which entry speaks of each axis; kNone where no entry does.
struct AxisEntries {
  static constexpr std::size_t kNone = Dims::kMaxRank;
  std::array<std::size_t, Dims::kMaxRank> of;
};

StatusOr<AxisEntries> FindEntries(const StridedSliceAssign::Params& params, std::size_t rank) {
  AxisEntries entries;
  entries.of.fill(AxisEntries::kNone);
  const auto dims = static_cast<std::int64_t>(rank);
  for (std::size_t k = 0; k < params.begin.size(); ++k) {
    const std::int64_t entry = params.axes ? (*params.axes)[k] : static_cast<std::int64_t>(k);
    if (entry < -dims || entry >= dims) {
      return Unexpected(Refuse(Fault::kTiling, "axesOptional[{}] is {}; allowed {} to {}", k, entry,
                               -dims, dims - 1));
    }
    std::size_t& of_axis = entries.of[static_cast<std::size_t>(entry < 0 ? entry + dims : entry)];
    if (of_axis != AxisEntries::kNone) {
      return Unexpected(Refuse(Fault::kTiling,
                               "axesOptional[{}] is {}, the axis of axesOptional[{}] as well; "
                               "allowed each axis once",
                               k, entry, of_axis));
    }
    of_axis = k;
  }
  return entries;
}

Status CheckStrides(const AxisEntries& entries, Entries strides, std::size_t rank) {
  for (std::size_t i = 0; i < strides.size(); ++i) {
    if (strides[i] >= 1) continue;
    return Refuse(Fault::kTiling, "strides[{}] is {}; allowed 1 and above", i, strides[i]);
  }
  const std::size_t of_last = entries.of[rank - 1];
  if (of_last == AxisEntries::kNone || strides[of_last] == 1) return {};
  return Refuse(Fault::kTiling, "strides[{}] is {}; allowed 1, since it is of the last axis",
                of_last, strides[of_last]);
}

std::int64_t Clamped(std::int64_t place, std::int64_t size) {
  return std::clamp(place < 0 ? place + size : place, std::int64_t{0}, size);
}

Slice SliceOf(const StridedSliceAssign::Params& params, const AxisEntries& entries,
              const Dims& dims) {
  Slice slice;
  slice.count.rank = dims.rank;
  for (std::size_t i = 0; i < dims.rank; ++i) {
    const std::size_t entry = entries.of[i];
    std::int64_t end = dims[i];
    slice.stride[i] = 1;
    if (entry != AxisEntries::kNone) {
      slice.begin[i] = Clamped(params.begin[entry], dims[i]);
      end = Clamped(params.end[entry], dims[i]);
      slice.stride[i] = params.strides[entry];
    }
    const std::int64_t length = end - slice.begin[i];
    slice.count.sizes[i] = length <= 0 ? 0 : (length - 1) / slice.stride[i] + 1;
  }
  return slice;
}

StatusOr<Slice> CheckSlice(const StridedSliceAssign::Params& params, const Dims& var_ref,
                           const Dims& input_value) {
  if (Status status = CheckEntryCounts(params, var_ref.rank); !status.ok()) {
    return Unexpected(std::move(status));
  }
  const StatusOr<AxisEntries> entries = FindEntries(params, var_ref.rank);
  if (!entries) return Unexpected(entries.error());
  if (Status status = CheckStrides(*entries, params.strides, var_ref.rank); !status.ok()) {
    return Unexpected(std::move(status));
  }
  const Slice slice = SliceOf(params, *entries, var_ref);
  if (input_value == slice.count) return slice;
  return Unexpected(Refuse(Fault::kTiling, "inputValue is {}; allowed {}, as long as the slice",
                           Describe(input_value), Describe(slice.count)));
}

StatusOr<Slice> CheckAll(const StridedSliceAssign::Params& params, const NamedView& var_ref,
                         const NamedView& input_value, const Profile& who) {
  const auto before = [&]() -> Status {
    BELAY_RETURN_IF_ERROR(CheckServed(who));
    BELAY_RETURN_IF_ERROR(CheckTypeAmong(var_ref, kTypes));
    BELAY_RETURN_IF_ERROR(CheckSameType(input_value, var_ref));
    return CheckShapes(var_ref, input_value);
  };
  const auto after = [&]() -> Status {
    BELAY_RETURN_IF_ERROR(CheckView(var_ref.name, var_ref.view));
    BELAY_RETURN_IF_ERROR(CheckView(input_value.name, input_value.view));
    return CheckWritableView(var_ref.name, var_ref.view);
  };
  if (Status status = before(); !status.ok()) return Unexpected(std::move(status));
  StatusOr<Slice> slice = CheckSlice(params, var_ref.view.dims, input_value.view.dims);
  if (!slice) return slice;
  if (Status status = after(); !status.ok()) return Unexpected(std::move(status));
  return slice;
}

Status Run(const Plan& plan, std::span<void* const> addresses) {
  const auto& work = plan.Parameters<Work>();
  const Layout& input_value = work.views.layouts[StridedSliceAssign::kInputValue];
  Layout slice = input_value;
  slice.stride_bytes = work.stride_bytes;
  const kernels::StridedBox box = BroadcastBox(slice, input_value);
  CopyBox(box, static_cast<const std::byte*>(addresses[StridedSliceAssign::kInputValue]),
          static_cast<std::byte*>(addresses[StridedSliceAssign::kVarRef]) + work.offset);
  return {};
}

}  // namespace

const OpInfo& StridedSliceAssign::Info() {
  static constexpr OpInfo kInfo{"StridedSliceAssignV2", kDocument, kSupport, kRules};
  return kInfo;
}

StatusOr<Plan> StridedSliceAssign::MakePlan(const Params& params, const TensorView& var_ref,
                                            const TensorView& input_value, const Profile& who) {
  const StatusOr<Slice> slice =
      CheckAll(params, {"varRef", var_ref}, {"inputValue", input_value}, who);
  if (!slice) return Unexpected(slice.error());

  Plan plan;
  plan.operation = kName;
  auto& work = plan.EmplaceParameters<Work>();
  const ViewUse views[] = {
      {"varRef", &var_ref, AccessMode::kWrite},
      {"inputValue", &input_value, AccessMode::kRead},
  };
  AddViews(plan, work.views, views);
  const Layout& var_layout = work.views.layouts[kVarRef];
  const Layout& value_layout = work.views.layouts[kInputValue];
  for (std::size_t i = 0; i < var_layout.rank; ++i) {
    const auto begin = static_cast<std::uint64_t>(slice->begin[i]);
    const auto stride = static_cast<std::uint64_t>(slice->stride[i]);
    work.offset += begin * var_layout.stride_bytes[i];
    // Where there is no second place, the stride may be anything.
    work.stride_bytes[i] = slice->count[i] > 1 ? stride * var_layout.stride_bytes[i] : 0;
  }
  if (value_layout.Count() == 0) return plan;
  plan.kernel = "StridedCopy";
  plan.run = Run;
  plan.traffic_bytes = 2 * value_layout.TotalBytes();
  return plan;
}

}  // namespace belay::ops
