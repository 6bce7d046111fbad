#include "ops/quant_param/quant_param_tensor.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/parallel.h"
#include "belay/quant_param.h"
#include "kernels/pack_quant.h"
#include "ops/quant_param/finite_values.h"
#include "ops/tensor_operator.h"
#include "ops/views.h"

namespace belay::ops {
namespace {

// A piece of so many words takes 50 us, several times what it takes to wake a thread.
constexpr std::size_t kParallelGrain = std::size_t{1} << 17;

constexpr std::string_view kDocuments = "aclnnTransQuantParamV2, aclnnTransQuantParamV3";
constexpr std::string_view kParameters = "aclnnTransQuantParamV2 and V3, parameters";
constexpr std::string_view kReturnValues = "aclnnTransQuantParamV2 and V3, return values";

constexpr FamilySet kProducts = {Family::kAscend910B, Family::kAscend910_93, Family::kAscend310P,
                                 Family::kAscend950, Family::kAscend350};
// Where scales may have several rows.
constexpr FamilySet kProductsWithRows = {Family::kAscend950, Family::kAscend350};

constexpr std::array kSupport = {
    Support{Face::kAclnn, QuantParamTensor::kV2, kProducts},
    Support{Face::kAclnn, QuantParamTensor::kV3, kProducts},
};

constexpr std::array kRules = {
    Rule{"BELAY-TransQuantParamV2-product-0001", "The product is one that serves the operator.",
         "aclnnTransQuantParamV2 and V3, product support"},
    Rule{"BELAY-TransQuantParamV2-scale-0002", "scale is of type float32.", kReturnValues},
    Rule{"BELAY-TransQuantParamV2-offset-0003", "offset is of type float32.", kReturnValues},
    Rule{"BELAY-TransQuantParamV2-out-0004", "out is of type uint64 or int64.", kReturnValues},
    Rule{"BELAY-TransQuantParamV2-format-0005", "scale, offset and out are in format ND.",
         kReturnValues},
    Rule{"BELAY-TransQuantParamV2-scale-0006",
         "scale is [t] or [1, n], on the 950 family also [g, n], and not empty.", kReturnValues},
    Rule{"BELAY-TransQuantParamV2-offset-0007", "offset is [t] or [1, n], and not empty.",
         kReturnValues},
    Rule{"BELAY-TransQuantParamV2-offset-0008",
         "scale and offset have equally many elements, or one of them has one.", kReturnValues},
    Rule{"BELAY-TransQuantParamV2-offset-0009",
         "Beside a scale of two dimensions, offset has one element or as many as scale.",
         kParameters},
    Rule{"BELAY-TransQuantParamV3-roundMode-0010", "roundMode is 0 or 1.", kReturnValues},
    Rule{"BELAY-TransQuantParamV2-out-0011",
         "out has scale's shape; without one of two dimensions, as many elements as the longer of "
         "scale and offset.",
         kParameters},
    Rule{"BELAY-TransQuantParamV2-scale-0012", "scale and offset are contiguous.", kParameters},
    Rule{"BELAY-TransQuantParamV2-scale-0013", "scale and offset hold neither NaN nor infinity.",
         kParameters},
    Rule{"BELAY-TransQuantParamV2-out-0014", "out shares no element with scale or offset.",
         kParameters},
};

/// An argument as it came; null for an offset that was not given.
struct Argument {
  const char* name;
  const TensorView* view;
};

Status CheckType(const Argument& argument) {
  if (argument.view == nullptr || argument.view->dtype == DataType::kFloat) return {};
  return Refuse(Fault::kInvalidParam, "{} is of type {}; allowed {}", argument.name,
                Name(argument.view->dtype), Name(DataType::kFloat));
}

Status CheckTypes(const Argument& scale, const Argument& offset, const Argument& out) {
  BELAY_RETURN_IF_ERROR(CheckType(scale));
  BELAY_RETURN_IF_ERROR(CheckType(offset));
  const DataType type = out.view->dtype;
  if (type == DataType::kUint64 || type == DataType::kInt64) return {};
  return Refuse(Fault::kInvalidParam, "out is of type {}; allowed {} and {}", Name(type),
                Name(DataType::kUint64), Name(DataType::kInt64));
}

Status CheckFormats(std::initializer_list<Argument> arguments) {
  for (const auto& [name, view] : arguments) {
    if (view == nullptr || view->format == Format::kNd) continue;
    return Refuse(Fault::kInvalidParam, "{} is in format {}; allowed {}", name, Name(view->format),
                  Name(Format::kNd));
  }
  return {};
}

Status CheckViews(std::initializer_list<Argument> arguments) {
  for (const auto& [name, view] : arguments) {
    if (view != nullptr) BELAY_RETURN_IF_ERROR(CheckView(name, *view));
  }
  return {};
}

bool IsEmpty(const Dims& dims) { return std::ranges::count(dims.span(), 0) != 0; }

std::uint64_t CountOf(const Dims& dims) {
  std::uint64_t count = 1;
  for (const std::int64_t size : dims.span()) count *= static_cast<std::uint64_t>(size);
  return count;
}

Status CheckScaleShape(const Dims& scale, const Profile& who) {
  const bool rows_allowed = kProductsWithRows.Has(who.chip->family);
  const bool right_rank = scale.rank == 1 || scale.rank == 2;
  if (right_rank && !IsEmpty(scale) && (scale.rank == 1 || scale[0] == 1 || rows_allowed)) {
    return {};
  }
  if (rows_allowed) {
    return Refuse(Fault::kInvalidParam,
                  "scale is {}; allowed one or two dimensions, each 1 and above", Describe(scale));
  }
  return Refuse(
      Fault::kInvalidParam,
      "scale is {} on {} ({}); allowed [t] and [1, n], each 1 and above, and [g, n] on {}",
      Describe(scale), who.chip->soc_name, ProductName(who.chip->family),
      kProductsWithRows.Describe());
}

Status CheckOffsetShape(const Dims& offset) {
  const bool right_rank = offset.rank == 1 || (offset.rank == 2 && offset[0] == 1);
  if (right_rank && !IsEmpty(offset)) return {};
  return Refuse(Fault::kInvalidParam, "offset is {}; allowed [t] and [1, n], each 1 and above",
                Describe(offset));
}

// A single value goes with any number of others.
bool GoTogether(std::uint64_t a, std::uint64_t b) { return a == b || a == 1 || b == 1; }

Status CheckLengths(const Dims& scale, const Dims& offset) {
  const std::uint64_t scales = CountOf(scale);
  const std::uint64_t offsets = CountOf(offset);
  // Published so: an offset of one dimension is held against scale's first dimension as well.
  const bool published =
      offset.rank != 1 || GoTogether(static_cast<std::uint64_t>(scale[0]), offsets);
  if (!published || !GoTogether(scales, offsets)) {
    return Refuse(Fault::kInvalidParam,
                  "scale is {} and offset {}; allowed equal numbers of elements, or a single one",
                  Describe(scale), Describe(offset));
  }
  if (scale.rank == 1 || offsets <= scales) return {};
  return Refuse(Fault::kInvalidParam,
                "scale is {} and offset {}; allowed offsets of 1 element, since out has the shape "
                "of a scale of two dimensions",
                Describe(scale), Describe(offset));
}

Status CheckRoundMode(std::int64_t round_mode) {
  if (round_mode == 0 || round_mode == 1) return {};
  return NotAllowed(Fault::kInvalidParam, "roundMode", round_mode, "0 and 1");
}

Status CheckOutShape(const Dims& scale, const Dims* offset, const Dims& out) {
  Dims wanted = scale;
  if (scale.rank == 1 && offset != nullptr) {
    wanted.sizes[0] = std::max(scale[0], static_cast<std::int64_t>(CountOf(*offset)));
  }
  if (out == wanted) return {};
  return Refuse(Fault::kInvalidParam, "out is {}; allowed {}", Describe(out), Describe(wanted));
}

Status CheckContiguous(std::initializer_list<Argument> arguments) {
  for (const auto& [name, view] : arguments) {
    if (view == nullptr || LayoutOf(*view).IsContiguous()) continue;
    Dims strides = view->dims;
    strides.sizes = view->strides;
    return Refuse(Fault::kInvalidParam,
                  "{} is {} with strides {}; allowed contiguous tensors (BELAY_BEHAVIOR=released "
                  "allows others)",
                  name, Describe(view->dims), Describe(strides));
  }
  return {};
}

Status CheckAll(const QuantParamTensor::Params& params, const Argument& scale,
                const Argument& offset, const Argument& out, const Profile& who) {
  BELAY_RETURN_IF_ERROR(CheckProduct(QuantParamTensor::Info(), params.name, who));
  BELAY_RETURN_IF_ERROR(CheckTypes(scale, offset, out));
  BELAY_RETURN_IF_ERROR(CheckFormats({scale, offset, out}));
  BELAY_RETURN_IF_ERROR(CheckViews({scale, offset, out}));
  const Dims& scale_dims = scale.view->dims;
  const Dims* const offset_dims = offset.view == nullptr ? nullptr : &offset.view->dims;
  BELAY_RETURN_IF_ERROR(CheckScaleShape(scale_dims, who));
  if (offset_dims != nullptr) {
    BELAY_RETURN_IF_ERROR(CheckOffsetShape(*offset_dims));
    BELAY_RETURN_IF_ERROR(CheckLengths(scale_dims, *offset_dims));
  }
  BELAY_RETURN_IF_ERROR(CheckRoundMode(params.round_mode));
  BELAY_RETURN_IF_ERROR(CheckOutShape(scale_dims, offset_dims, out.view->dims));
  if (!FollowsRelease(who.behaviour, BehaviourPoint::kQuantParamTensorAcceptsGaps)) {
    BELAY_RETURN_IF_ERROR(CheckContiguous({scale, offset}));
  }
  return CheckWritableView(out.name, *out.view);
}

struct Work {
  ViewSet views;
  bool has_offset = false;
  QuantRounding rounding = QuantRounding::kV2;

  [[nodiscard]] const Layout& scale() const { return views.layouts[QuantParamTensor::kScale]; }
  [[nodiscard]] const Layout& offset() const { return views.layouts[QuantParamTensor::kOffset]; }
  [[nodiscard]] const Layout& out() const { return views.layouts[QuantParamTensor::kOut]; }
};

// "[3]", or "[1, 3]" in two dimensions.
std::string PlaceOf(const Layout& layout, std::uint64_t index) {
  if (layout.rank == 1) return Text("[{}]", index);
  return Text("[{}, {}]", index / layout.sizes[1], index % layout.sizes[1]);
}

Status CheckFinite(const char* name, const Layout& layout, const void* values) {
  const auto seen = FindNonFinite(static_cast<const float*>(values), layout.Count());
  if (!seen) return {};
  return Refuse(Fault::kTaskException, "{}{} is {}; allowed finite values", name,
                PlaceOf(layout, seen->index), seen->name);
}

// As documented, where scale and offset are contiguous.
Status Inspect(const Plan& plan, std::span<void* const> addresses) {
  const auto& work = plan.Parameters<Work>();
  BELAY_RETURN_IF_ERROR(CheckFinite("scale", work.scale(), addresses[QuantParamTensor::kScale]));
  if (!work.has_offset) return {};
  return CheckFinite("offset", work.offset(), addresses[QuantParamTensor::kOffset]);
}

// Calls visit(k, element) for the elements [begin, end) of a view of one or two dimensions, where k
// counts from 0.
template <class Byte, class Visit>
void ForElements(const Layout& layout, Byte* first, std::uint64_t begin, std::uint64_t end,
                 Visit visit) {
  const std::size_t last = layout.rank - 1;
  const std::uint64_t columns = layout.sizes[last];
  for (std::uint64_t i = begin; i < end;) {
    const std::uint64_t column = i % columns;
    const std::uint64_t in_row = std::min(end - i, columns - column);
    Byte* element = first + (layout.rank == 1 ? 0 : i / columns * layout.stride_bytes[0]) +
                    column * layout.stride_bytes[last];
    for (std::uint64_t k = 0; k < in_row; ++k, element += layout.stride_bytes[last]) {
      visit(i - begin + k, element);
    }
    i += in_row;
  }
}

// Packs the words of a range, by way of small buffers where elements do not lie side by side.
class Packing {
 public:
  Packing(const Work& work, std::span<void* const> addresses)
      : work_(work),
        scale_(static_cast<const std::byte*>(addresses[QuantParamTensor::kScale])),
        offset_(static_cast<const std::byte*>(addresses[QuantParamTensor::kOffset])),
        out_(static_cast<std::byte*>(addresses[QuantParamTensor::kOut])),
        out_contiguous_(work.out().IsContiguous()) {
    // The memory is there already, unlike a block that has just been allocated.
    if (work.out().TotalBytes() >= kernels::kStreamCopyBytes) {
      writing_ = kernels::Writing::kStreaming;
    }
  }

  void Run(std::uint64_t begin, std::uint64_t end) const {
    const bool whole = out_contiguous_ && work_.scale().IsContiguous() &&
                       (!work_.has_offset || work_.offset().IsContiguous());
    const std::uint64_t step = whole ? end - begin : kPiece;
    for (std::uint64_t i = begin; i < end; i += step) RunPiece(i, std::min(end, i + step));
  }

 private:
  static constexpr std::uint64_t kPiece = 1024;
  using Values = std::array<float, kPiece>;

  void RunPiece(std::uint64_t begin, std::uint64_t end) const {
    Values scales;
    Values offsets;
    std::array<std::uint64_t, kPiece> words;
    const kernels::QuantOperand scale = Operand(work_.scale(), scale_, begin, end, scales);
    const kernels::QuantOperand offset = work_.has_offset
                                             ? Operand(work_.offset(), offset_, begin, end, offsets)
                                             : kernels::QuantOperand();
    auto* const side_by_side = reinterpret_cast<std::uint64_t*>(out_) + begin;
    (void)kernels::PackQuantTensor(scale, offset, end - begin, work_.rounding,
                                   out_contiguous_ ? side_by_side : words.data(),
                                   out_contiguous_ ? writing_ : kernels::Writing::kCached);
    if (out_contiguous_) return;
    ForElements(work_.out(), out_, begin, end, [&](std::uint64_t k, std::byte* element) {
      std::memcpy(element, &words[k], sizeof(words[k]));
    });
  }

  static kernels::QuantOperand Operand(const Layout& layout, const std::byte* first,
                                       std::uint64_t begin, std::uint64_t end, Values& buffer) {
    const auto* const values = reinterpret_cast<const float*>(first);
    if (layout.Count() == 1) return {values, true};
    if (layout.IsContiguous()) return {values + begin, false};
    ForElements(layout, first, begin, end, [&](std::uint64_t k, const std::byte* element) {
      std::memcpy(&buffer[k], element, sizeof(buffer[k]));
    });
    return {buffer.data(), false};
  }

  const Work& work_;
  const std::byte* scale_;
  const std::byte* offset_;
  std::byte* out_;
  bool out_contiguous_;
  kernels::Writing writing_ = kernels::Writing::kCached;
};

Status Run(const Plan& plan, std::span<void* const> addresses) {
  const auto& work = plan.Parameters<Work>();
  const Packing packing(work, addresses);
  ParallelFor(work.out().Count(), kParallelGrain,
              [&](std::size_t begin, std::size_t end) { packing.Run(begin, end); });
  return {};
}

}  // namespace

const OpInfo& QuantParamTensor::Info() {
  static constexpr OpInfo kInfo{"TransQuantParamV2", kDocuments, kSupport, kRules};
  return kInfo;
}

StatusOr<Plan> QuantParamTensor::MakePlan(const Params& params, const TensorView& scale,
                                          const TensorView* offset, const TensorView& out,
                                          const Profile& who) {
  Status status = CheckAll(params, {"scale", &scale}, {"offset", offset}, {"out", &out}, who);
  if (!status.ok()) return Unexpected(std::move(status));

  Plan plan;
  plan.operation = params.name;
  plan.kernel = "PackQuantTensor";
  plan.run = Run;
  if (!FollowsRelease(who.behaviour, BehaviourPoint::kQuantParamTensorAcceptsNonFinite)) {
    plan.inspect = Inspect;
  }
  const ViewUse views[] = {
      {"scale", &scale, AccessMode::kRead},
      {"offset", offset, AccessMode::kRead},
      {"out", &out, AccessMode::kWrite},
  };
  auto& work = plan.EmplaceParameters<Work>();
  AddViews(plan, work.views, views);
  work.has_offset = offset != nullptr;
  work.rounding = params.round_mode == 1 ? QuantRounding::kV3RoundMode1 : QuantRounding::kV2;
  return plan;
}

}  // namespace belay::ops
