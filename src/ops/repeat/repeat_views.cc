#include "ops/repeat/repeat_views.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "base/checked_math.h"
#include "ops/repeat/tile_work.h"
#include "ops/tensor_operator.h"
#include "ops/view_copy.h"
#include "ops/view_rules.h"
#include "ops/views.h"

namespace belay::ops {
namespace {

constexpr std::string_view kDocument = "document aclnnRepeat";
constexpr std::string_view kReturnValues = "aclnnRepeat, return values";
constexpr std::string_view kConstraints = "aclnnRepeat, constraints";

constexpr FamilySet kProducts = {Family::kAscend910,    Family::kAscend310P, Family::kAscend910B,
                                 Family::kAscend910_93, Family::kAscend950,  Family::kAscend350};
constexpr FamilySet kWithUint16 = {Family::kAscend310P, Family::kAscend910B, Family::kAscend910_93,
                                   Family::kAscend950, Family::kAscend350};
constexpr FamilySet kWithBf16 = {Family::kAscend910B, Family::kAscend910_93, Family::kAscend950,
                                 Family::kAscend350};

constexpr std::array kSupport = {Support{Face::kAclnn, RepeatViews::kName, kProducts}};

constexpr std::array kRules = {
    Rule{"BELAY-RepeatViews-product-0001", "The product is one that serves the operator.",
         "aclnnRepeat, product support"},
    Rule{"BELAY-RepeatViews-self-0002", "self is of a type that the product repeats.",
         kReturnValues},
    Rule{"BELAY-RepeatViews-out-0003", "out is of self's type.", kReturnValues},
    Rule{"BELAY-RepeatViews-repeats-0004",
         "repeats has at least as many entries as self dimensions.", kReturnValues},
    Rule{"BELAY-RepeatViews-repeats-0005", "Each entry of repeats is 0 or above.", kReturnValues},
    Rule{"BELAY-RepeatViews-repeats-0006",
         "self has at most 8 dimensions and repeats at most 8 entries.", kReturnValues},
    Rule{"BELAY-RepeatViews-out-0007",
         "Each dimension of out is the entry of repeats times the dimension of self, unless one of "
         "the two tensors is empty.",
         kReturnValues},
    Rule{"BELAY-RepeatViews-repeats-0008",
         "At most 4 entries of repeats are above 1 if the first one is, else at most 3.",
         kConstraints},
    Rule{"BELAY-RepeatViews-out-0009", "No two indices of out mean the same element.",
         "aclnnRepeat, parameters"},
    Rule{"BELAY-RepeatViews-out-0010",
         "out shares no element with self, unless it is the same view.", "aclnnRepeat, parameters"},
};

// Besides bf16 and uint16, which not every product repeats.
constexpr std::array kTypes = {
    DataType::kFloat,      DataType::kFloat16, DataType::kDouble, DataType::kComplex64,
    DataType::kComplex128, DataType::kUint8,   DataType::kInt8,   DataType::kInt16,
    DataType::kInt32,      DataType::kInt64,   DataType::kBool,   DataType::kUint32,
    DataType::kUint64,
};

constexpr std::size_t kMaxEntries = Dims::kMaxRank;
constexpr std::size_t kMaxRepeatsWithFirst = 4;
constexpr std::size_t kMaxRepeats = 3;

using Repeats = std::span<const std::int64_t>;

struct Work {
  ViewSet views;
  std::array<std::uint64_t, kMaxEntries> repeats;
  bool is_tile = false;
  TileWork tile;
};

Status CheckType(const NamedView& self, const Profile& who) {
  std::array<DataType, kTypes.size() + 2> types;
  auto end = std::ranges::copy(kTypes, types.begin()).out;
  if (kWithBf16.Has(who.chip->family) ||
      FollowsRelease(who.behaviour, BehaviourPoint::kRepeatViewsBf16Everywhere)) {
    *end++ = DataType::kBf16;
  }
  if (kWithUint16.Has(who.chip->family)) *end++ = DataType::kUint16;
  return CheckTypeAmong(self, {types.begin(), end});
}

Status CheckRepeats(Repeats repeats, const NamedView& self) {
  if (self.view.dims.rank > repeats.size()) {
    return Refuse(Fault::kInvalidParam,
                  "repeats has {} entries; allowed {} and above, the number of dimensions of self",
                  repeats.size(), self.view.dims.rank);
  }
  for (std::size_t i = 0; i < repeats.size(); ++i) {
    if (repeats[i] >= 0) continue;
    return Refuse(Fault::kInvalidParam, "repeats[{}] is {}; allowed 0 and above", i, repeats[i]);
  }
  if (repeats.size() <= kMaxEntries) return {};
  return Refuse(Fault::kInvalidParam, "repeats has {} entries; allowed 0 to {}", repeats.size(),
                kMaxEntries);
}

Status CheckOut(Repeats repeats, const NamedView& self, const NamedView& out) {
  Dims expected;
  expected.rank = repeats.size();
  for (std::size_t i = 0; i < repeats.size(); ++i) {
    const auto product = CheckedMultiply(AlignedDim(self.view.dims, repeats.size(), i), repeats[i]);
    if (!product) {
      return Refuse(Fault::kInvalidParam,
                    "repeats[{}] is {} and the dimension of self {}; allowed entries whose product "
                    "with it fits into int64",
                    i, repeats[i], AlignedDim(self.view.dims, repeats.size(), i));
    }
    expected.sizes[i] = *product;
  }
  return CheckDims(out, expected, "repeats times the dimensions of self");
}

Status CheckNumberOfRepeats(Repeats repeats) {
  const auto is_repeat = [](std::int64_t entry) { return entry > 1; };
  const auto count = static_cast<std::size_t>(std::ranges::count_if(repeats, is_repeat));
  const bool with_first = !repeats.empty() && is_repeat(repeats[0]);
  const std::size_t most = with_first ? kMaxRepeatsWithFirst : kMaxRepeats;
  if (count <= most) return {};
  return Refuse(Fault::kInnerNullPointer,
                "repeats is [{}], with {} entries above 1, the first one {}; allowed up to {}",
                fmt::join(repeats, ", "), count, with_first ? "among them" : "not among them",
                most);
}

bool IsNothing(Repeats repeats, const TensorView& self, const TensorView& out) {
  return IsEmpty(self) || IsEmpty(out) || std::ranges::find(repeats, 0) != repeats.end();
}

Status CheckAll(Repeats repeats, const NamedView& self, const NamedView& out, const Profile& who) {
  BELAY_RETURN_IF_ERROR(CheckProduct(RepeatViews::Info(), RepeatViews::kName, who));
  BELAY_RETURN_IF_ERROR(CheckType(self, who));
  BELAY_RETURN_IF_ERROR(CheckSameType(out, self));
  BELAY_RETURN_IF_ERROR(CheckRepeats(repeats, self));
  BELAY_RETURN_IF_ERROR(CheckView(self.name, self.view));
  BELAY_RETURN_IF_ERROR(CheckView(out.name, out.view));
  if (IsNothing(repeats, self.view, out.view)) return {};
  BELAY_RETURN_IF_ERROR(CheckOut(repeats, self, out));
  BELAY_RETURN_IF_ERROR(CheckWritableView(out.name, out.view));
  return CheckNumberOfRepeats(repeats);
}

// Each dimension of out is two: which repeat, and where in it.
kernels::StridedBox BoxOf(const Work& work) {
  const Layout& self = work.views.layouts[RepeatViews::kSelf];
  const Layout& out = work.views.layouts[RepeatViews::kOut];
  const std::size_t added = std::size_t{out.rank} - self.rank;
  kernels::StridedBox box;
  box.item_bytes = out.item_bytes;
  const auto add = [&box](std::uint64_t size, std::uint64_t dst_stride, std::uint64_t src_stride) {
    box.sizes[box.rank] = size;
    box.dst_stride_bytes[box.rank] = dst_stride;
    box.src_stride_bytes[box.rank] = src_stride;
    ++box.rank;
  };
  for (std::size_t i = 0; i < out.rank; ++i) {
    const std::uint64_t size = i < added ? 1 : self.sizes[i - added];
    add(work.repeats[i], out.stride_bytes[i] * size, 0);
    if (i >= added) add(size, out.stride_bytes[i], self.stride_bytes[i - added]);
  }
  return box;
}

Status Run(const Plan& plan, std::span<void* const> addresses) {
  const auto& work = plan.Parameters<Work>();
  const auto* const self = static_cast<const std::byte*>(addresses[RepeatViews::kSelf]);
  auto* const out = static_cast<std::byte*>(addresses[RepeatViews::kOut]);
  if (!work.is_tile) {
    CopyBox(BoxOf(work), self, out);
  } else if (self != out) {  // the same view has all its repeats already: one of each
    RunTileWork(work.tile, self, out);
  }
  return {};
}

}  // namespace

const OpInfo& RepeatViews::Info() {
  static constexpr OpInfo kInfo{"RepeatViews", kDocument, kSupport, kRules};
  return kInfo;
}

StatusOr<Plan> RepeatViews::MakePlan(const Params& params, const TensorView& self,
                                     const TensorView& out, const Profile& who) {
  const Repeats repeats = params.repeats;
  Status status = CheckAll(repeats, {"self", self}, {"out", out}, who);
  if (!status.ok()) return Unexpected(std::move(status));

  Plan plan;
  plan.operation = kName;
  auto& work = plan.EmplaceParameters<Work>();
  const ViewUse views[] = {{"self", &self, AccessMode::kRead}, {"out", &out, AccessMode::kWrite}};
  AddViews(plan, work.views, views);
  if (IsNothing(repeats, self, out)) return plan;
  for (std::size_t i = 0; i < repeats.size(); ++i) {
    work.repeats[i] = static_cast<std::uint64_t>(repeats[i]);
  }
  const Layout& self_layout = work.views.layouts[kSelf];
  const Layout& out_layout = work.views.layouts[kOut];
  work.is_tile = !repeats.empty() && self_layout.IsContiguous() && out_layout.IsContiguous();
  if (work.is_tile) work.tile = MakeTileWork(repeats, self.dims, ItemBytes(self.dtype));
  plan.kernel = work.is_tile ? "Tile" : "StridedCopy";
  plan.run = Run;
  plan.traffic_bytes = self_layout.TotalBytes() + out_layout.TotalBytes();
  return plan;
}

}  // namespace belay::ops
