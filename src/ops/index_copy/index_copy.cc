#include "ops/index_copy/index_copy.h"

#include <array>
#include <span>
#include <string_view>
#include <utility>

#include "kernels/row_copy.h"
#include "ops/indexed_views.h"
#include "ops/row_parts.h"
#include "ops/tensor_operator.h"
#include "ops/view_rules.h"

namespace belay::ops {
namespace {

constexpr std::string_view kDocument = "document aclnnIndexCopy";
constexpr std::string_view kParameters = "aclnnIndexCopy, parameters";
constexpr const char* kName = "aclnnIndexCopy";
constexpr const char* kInplaceName = "aclnnInplaceIndexCopy";

constexpr FamilySet kProducts = {Family::kAscend910B, Family::kAscend910_93, Family::kAscend950,
                                 Family::kAscend350};
constexpr FamilySet kWithUnsigned = {Family::kAscend950, Family::kAscend350};
constexpr std::array kSupport = {Support{Face::kAclnn, kName, kProducts},
                                 Support{Face::kAclnn, kInplaceName, kProducts}};

constexpr std::array kRules = {
    Rule{"BELAY-IndexCopy-product-0001", "The product is one that serves the operator.",
         kParameters},
    Rule{"BELAY-IndexCopy-selfRef-0002", "selfRef is of a type that the product copies.",
         kParameters},
    Rule{"BELAY-IndexCopy-index-0003", "index is of type int32 or int64.", kParameters},
    Rule{"BELAY-IndexCopy-source-0004", "source is of the type of selfRef.", kParameters},
    Rule{"BELAY-IndexCopy-outRef-0005", "outRef is of the type of selfRef.", kParameters},
    Rule{"BELAY-IndexCopy-selfRef-0006", "No tensor has more than 8 dimensions, index at most one.",
         kParameters},
    Rule{"BELAY-IndexCopy-outRef-0007", "outRef has the shape of selfRef.", kParameters},
    Rule{"BELAY-IndexCopy-index-0008", "index has one element where source is a scalar.",
         kParameters},
    Rule{"BELAY-IndexCopy-source-0009",
         "source has the shape of selfRef, but the length of index along dim.", kParameters},
    Rule{"BELAY-IndexCopy-dim-0010", "dim is a dimension of selfRef, counted from either end.",
         kParameters},
    Rule{"BELAY-IndexCopy-outRef-0011", "outRef has the format of selfRef.", kParameters},
    Rule{"BELAY-IndexCopy-outRef-0012", "No two elements of what is written share memory.",
         kParameters},
    Rule{"BELAY-IndexCopy-outRef-0013",
         "What is written shares no element with an input that is not the same view.", kParameters},
    Rule{"BELAY-IndexCopy-index-0014", "Each index is a position along dim.", kParameters},
};

constexpr std::array kTypes = {DataType::kInt64,      DataType::kDouble, DataType::kInt16,
                               DataType::kInt8,       DataType::kUint8,  DataType::kComplex64,
                               DataType::kComplex128, DataType::kBool,   DataType::kFloat,
                               DataType::kFloat16,    DataType::kInt32,  DataType::kBf16,
                               DataType::kUint32,     DataType::kUint64};
constexpr std::size_t kUnsignedTypes = 2;  // the last ones

std::span<const DataType> TypesOn(const Profile& who) {
  return std::span(kTypes).first(kTypes.size() -
                                 (kWithUnsigned.Has(who.chip->family) ? 0 : kUnsignedTypes));
}

Status CheckTypes(const IndexCopy::Tensors& tensors, const Profile& who) {
  const NamedView self{"selfRef", tensors.self};
  BELAY_RETURN_IF_ERROR(CheckTypeAmong(self, TypesOn(who)));
  BELAY_RETURN_IF_ERROR(CheckTypeAmong({"index", tensors.index}, kIndexTypes));
  BELAY_RETURN_IF_ERROR(CheckSameType({"source", tensors.source}, self));
  if (tensors.out == nullptr) return {};
  return CheckSameType({"outRef", *tensors.out}, self);
}

Status CheckViews(const IndexCopy::Tensors& tensors) {
  BELAY_RETURN_IF_ERROR(CheckView("selfRef", tensors.self));
  BELAY_RETURN_IF_ERROR(CheckView("source", tensors.source));
  BELAY_RETURN_IF_ERROR(CheckView("index", tensors.index));
  if (tensors.index.dims.rank > 1) {
    return Refuse(Fault::kInvalidParam, "index has {} dimensions; allowed 0 and 1",
                  tensors.index.dims.rank);
  }
  if (tensors.out == nullptr) return {};
  return CheckView("outRef", *tensors.out);
}

// The dimensions of a slice; a scalar is a slice itself.
Dims SliceOf(const Dims& dims, std::size_t axis) {
  Dims slice;
  for (std::size_t i = 0; i < dims.rank; ++i) {
    if (i != axis) slice.sizes[slice.rank++] = dims[i];
  }
  return slice;
}

Status CheckSlices(std::int64_t dim, const IndexCopy::Tensors& tensors) {
  const Dims& self = tensors.self.dims;
  const Dims& source = tensors.source.dims;
  const std::int64_t count = SizeAt(tensors.index.dims, 0);
  if (source.rank == 0 && count != 1) {
    return Refuse(Fault::kInvalidParam, "index has {} elements; allowed 1, as source is a scalar",
                  count);
  }
  if (source.rank != self.rank && source.rank != 0 && self.rank != 0) {
    return Refuse(Fault::kInvalidParam,
                  "source has {} dimensions; allowed 0 and {}, as selfRef has", source.rank,
                  self.rank);
  }
  BELAY_RETURN_IF_ERROR(CheckAxis("selfRef", dim, self));
  const std::size_t axis = NormalAxis(dim, self);
  const Dims self_slice = SliceOf(self, axis);
  const Dims source_slice = SliceOf(source, axis);
  if (source.rank == 0 && self_slice.rank != 0) {
    return Refuse(Fault::kInvalidParam,
                  "source is a scalar; allowed slices {} across dimension {}, as those of selfRef",
                  Describe(self_slice), axis);
  }
  if (!(self_slice == source_slice)) {
    return Refuse(Fault::kInvalidParam,
                  "slices of source across dimension {} are {}; allowed {}, as those of selfRef",
                  axis, Describe(source_slice), Describe(self_slice));
  }
  if (count == SizeAt(source, axis)) return {};
  return Refuse(Fault::kInvalidParam, "index has {} elements; allowed {}, as {}", count,
                SizeAt(source, axis), OriginOfSize("source", source.rank, axis));
}

Status CheckTensors(const char* name, const IndexCopy::Params& params,
                    const IndexCopy::Tensors& tensors, const Profile& who) {
  BELAY_RETURN_IF_ERROR(CheckProduct(IndexCopy::Info(), name, who));
  BELAY_RETURN_IF_ERROR(CheckTypes(tensors, who));
  BELAY_RETURN_IF_ERROR(CheckViews(tensors));
  if (tensors.out != nullptr) {
    BELAY_RETURN_IF_ERROR(
        CheckDims({"outRef", *tensors.out}, tensors.self.dims, "the shape of selfRef"));
  }
  BELAY_RETURN_IF_ERROR(CheckSlices(params.dim, tensors));
  if (tensors.out == nullptr) return CheckWritableView("selfRef", tensors.self);
  if (tensors.out->format != tensors.self.format) {
    return Refuse(Fault::kInvalidParam, "outRef has format {}; allowed {}, as selfRef has",
                  Name(tensors.out->format), Name(tensors.self.format));
  }
  return CheckWritableView("outRef", *tensors.out);
}

// Begins with the views, where InspectIndices and CheckViewAddresses look for them.
struct Work {
  IndexedViews views;
  std::uint64_t item_bytes;
};

Status Run(const Plan& plan, std::span<void* const> addresses) {
  const auto& work = plan.Parameters<Work>();
  WriteRows(work.views, addresses, [&](const kernels::IndexedRows& rows, FunctionRef<void()> fill) {
    fill();
    ForRowParts(rows, work.views.slices, work.item_bytes, [&](const kernels::IndexedPart& part) {
      kernels::RowCopy(rows, work.item_bytes, part);
    });
  });
  return {};
}

}  // namespace

const OpInfo& IndexCopy::Info() {
  static constexpr OpInfo kInfo{"IndexCopy", kDocument, kSupport, kRules};
  return kInfo;
}

StatusOr<Plan> IndexCopy::MakePlan(const Params& params, const Tensors& tensors,
                                   const Profile& who) {
  const char* const name = tensors.out == nullptr ? kInplaceName : kName;
  if (Status status = CheckTensors(name, params, tensors, who); !status.ok()) {
    return Unexpected(std::move(status));
  }
  Plan plan;
  plan.operation = name;
  plan.kernel = "RowCopy";
  // Published so: then outRef is not written, either.
  if (IsEmpty(tensors.self) || IsEmpty(tensors.index)) return plan;
  auto& work = plan.EmplaceParameters<Work>();
  EnterIndexedViews(plan, work.views,
                    {"selfRef", tensors.self, tensors.index, tensors.source, "outRef", tensors.out},
                    params.dim);
  work.item_bytes = ItemBytes(tensors.self.dtype);
  plan.run = Run;
  return plan;
}

}  // namespace belay::ops
