#include "ops/set_value/set_value.h"

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

#include "kernels/copy_nd.h"
#include "ops/byte_ranges.h"
#include "ops/products.h"

namespace belay::ops {
namespace {

constexpr std::string_view kDocument = "document SetValueOperation";
constexpr std::string_view kConstraints = "SetValueOperation, constraints";
constexpr std::string_view kMembers = "SetValueOperation, members";

constexpr std::array kSupport = {
    Support{Face::kAtb, "SetValueOperation", kAllBefore950},
};

constexpr std::array kRules = {
    Rule{"BELAY-SetValue-product-0001", "The product is one that serves the operator.",
         "SetValueOperation, applicable products"},
    Rule{"BELAY-SetValue-src-0002", "src has as many dimensions as dst.", kConstraints},
    Rule{"BELAY-SetValue-starts-0003",
         "starts, ends and strides have one entry for each dimension of dst.", kMembers},
    Rule{"BELAY-SetValue-src-0004", "No dimension of src is larger than that of dst.",
         kConstraints},
    Rule{"BELAY-SetValue-strides-0005", "Each entry of strides is 1.", kMembers},
    Rule{"BELAY-SetValue-starts-0006",
         "starts to ends lies within dst and is as long as the dimension of src.", kMembers},
    Rule{"BELAY-SetValue-src-0007",
         "Of the dimensions of src but dimension 0, exactly one differs from that of dst.",
         kConstraints},
    Rule{"BELAY-SetValue-src-0008", "src and dst share no bytes.",
         "SetValueOperation, description"},
};

constexpr std::array<std::string_view, 2> kInputs = {"dst", "src"};
constexpr std::array kRows = {
    TypeRow{{DataType::kFloat16, DataType::kFloat16}},
    TypeRow{{DataType::kFloat, DataType::kFloat}},
    TypeRow{{DataType::kInt32, DataType::kInt32}},
    TypeRow{{DataType::kInt64, DataType::kInt64}},
    TypeRow{{DataType::kBf16, DataType::kBf16}},
};
constexpr Signature kSignature{"SetValueOperation", kInputs, {}, kRows};

struct Work {
  kernels::Box box;
  std::uint64_t dst_offset = 0;
};

Status CheckEntryCount(std::string_view name, std::span<const std::int64_t> entries,
                       std::uint64_t rank) {
  if (entries.size() == rank) return {};
  return Refuse(Fault::kInvalidParam, "{} has {} entries; allowed {}, as dst has dimensions", name,
                entries.size(), rank);
}

Status CheckNoLarger(const Dims& dst, const Dims& src) {
  for (std::size_t i = 0; i < dst.rank; ++i) {
    if (src[i] <= dst[i]) continue;
    return Refuse(Fault::kTensorDim, "dimension {} of src is {}; allowed 1 to {}, that of dst", i,
                  src[i], dst[i]);
  }
  return {};
}

Status CheckStrides(std::span<const std::int64_t> strides) {
  for (std::size_t i = 0; i < strides.size(); ++i) {
    if (strides[i] == 1) continue;
    return Refuse(Fault::kInvalidParam, "strides[{}] is {}; allowed 1", i, strides[i]);
  }
  return {};
}

Status CheckBox(const SetValue::Params& params, const Dims& dst, const Dims& src) {
  for (std::size_t i = 0; i < dst.rank; ++i) {
    const std::int64_t start = params.starts[i];
    const std::int64_t largest = dst[i] - src[i];
    if (start < 0 || start > largest) {
      return Refuse(Fault::kInvalidParam,
                    "starts[{}] is {}; allowed 0 to {} (dimension {} of dst is {}, of src {})", i,
                    start, largest, i, dst[i], src[i]);
    }
    if (params.ends[i] != start + src[i]) {
      return Refuse(Fault::kInvalidParam,
                    "ends[{}] is {}; allowed {} (starts[{}] is {}, dimension {} of src is {})", i,
                    params.ends[i], start + src[i], i, start, i, src[i]);
    }
  }
  return {};
}

Status CheckOneDiffers(const Dims& dst, const Dims& src) {
  std::size_t count = 0;
  for (std::size_t i = 1; i < dst.rank; ++i) count += dst[i] != src[i] ? 1 : 0;
  if (count == 1) return {};
  return Refuse(Fault::kTensorDim,
                "src is {} and dst {}: {} dimensions besides dimension 0 differ; allowed exactly 1",
                Describe(src), Describe(dst), count);
}

Status CheckRules(const SetValue::Params& params, const Dims& dst, const Dims& src) {
  if (dst.rank != src.rank) {
    return Refuse(Fault::kTensorDimNum, "src has {} dimensions; allowed {}, as dst has", src.rank,
                  dst.rank);
  }
  BELAY_RETURN_IF_ERROR(CheckEntryCount("strides", params.strides, dst.rank));
  BELAY_RETURN_IF_ERROR(CheckEntryCount("starts", params.starts, dst.rank));
  BELAY_RETURN_IF_ERROR(CheckEntryCount("ends", params.ends, dst.rank));
  BELAY_RETURN_IF_ERROR(CheckNoLarger(dst, src));
  BELAY_RETURN_IF_ERROR(CheckStrides(params.strides));
  BELAY_RETURN_IF_ERROR(CheckBox(params, dst, src));
  return CheckOneDiffers(dst, src);
}

// The copy, and through `written` how many bytes lie between its first and last written one.
Work MakeWork(const SetValue::Params& params, const TensorDesc& dst, const TensorDesc& src,
              std::uint64_t& written) {
  const std::uint64_t item_bytes = TensorBytes(dst) / ElementCount(dst.dims);
  Work work;
  kernels::Box box;
  box.rank = dst.dims.rank;
  box.row_bytes = item_bytes;
  written = item_bytes;
  std::uint64_t dst_stride = item_bytes;
  std::uint64_t src_stride = item_bytes;
  for (std::size_t i = box.rank; i-- > 0;) {
    box.sizes[i] = static_cast<std::uint64_t>(src.dims[i]);
    box.dst_stride_bytes[i] = dst_stride;
    box.src_stride_bytes[i] = src_stride;
    work.dst_offset += static_cast<std::uint64_t>(params.starts[i]) * dst_stride;
    written += (box.sizes[i] - 1) * dst_stride;
    dst_stride *= static_cast<std::uint64_t>(dst.dims[i]);
    src_stride *= box.sizes[i];
  }
  work.box = kernels::Merged(box);
  return work;
}

Status Run(const Plan& plan, std::span<void* const> addresses) {
  const auto& work = plan.Parameters<Work>();
  auto* const dst = static_cast<std::byte*>(addresses[SetValue::kDst]) + work.dst_offset;
  const auto* const src = static_cast<const std::byte*>(addresses[SetValue::kSrc]);
  const kernels::Writing writing = kernels::WritingOf(work.box, dst);
  ForByteRanges(work.box.TotalBytes(), [&](std::uint64_t begin, std::uint64_t end) {
    kernels::CopyNd(work.box, src, dst, begin, end, writing);
  });
  return {};
}

}  // namespace

const OpInfo& SetValue::Info() {
  static constexpr OpInfo kInfo{"SetValueOperation", kDocument, kSupport, kRules};
  return kInfo;
}

Status SetValue::CheckParams(const Params& /*params*/, const Profile& who) {
  return CheckProduct(Info(), kSignature.name, who);
}

const Signature& SetValue::SignatureOf(const Params& /*params*/) { return kSignature; }

StatusOr<InferredOutput> SetValue::InferShape(const Params& params, Descs inputs,
                                              const Profile& /*who*/) {
  Status status = CheckRules(params, inputs[kDst].dims, inputs[kSrc].dims);
  if (!status.ok()) return Unexpected(std::move(status));
  return InferredOutput{};
}

StatusOr<Plan> SetValue::MakePlan(const Params& params, Descs inputs, Descs /*outputs*/,
                                  const Profile& /*who*/) {
  const TensorDesc& dst = inputs[kDst];
  const TensorDesc& src = inputs[kSrc];
  Status status = CheckRules(params, dst.dims, src.dims);
  if (!status.ok()) return Unexpected(std::move(status));

  std::uint64_t written = 0;
  const std::uint64_t src_bytes = TensorBytes(src);
  Plan plan;
  const auto& work = plan.EmplaceParameters<Work>(MakeWork(params, dst, src, written));
  plan.operation = "SetValueOperation";
  plan.kernel = "CopyNd";
  plan.check_addresses = CheckNoOverlap;
  plan.run = Run;
  plan.AddAccess({"dst", kDst, AccessMode::kWrite, work.dst_offset, written, TensorBytes(dst)});
  plan.AddAccess({"src", kSrc, AccessMode::kRead, 0, src_bytes, src_bytes});
  plan.traffic_bytes = 2 * src_bytes;  // the written range has gaps
  return plan;
}

static_assert(TensorOperator<SetValue>);

}  // namespace belay::ops
