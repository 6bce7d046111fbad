#include "runtime/tensor_description.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/checked_math.h"

namespace belay::runtime {
namespace {

/// Bits of an element; 0 for types whose elements have no size.
std::size_t ElementBits(DataType dtype) noexcept {
  switch (dtype) {
    case DataType::kUint1:
      return 1;
    case DataType::kInt4:
    case DataType::kFloat4E2m1:
    case DataType::kFloat4E1m2:
      return 4;
    case DataType::kFloat6E3m2:
    case DataType::kFloat6E2m3:
      return 6;
    case DataType::kInt8:
    case DataType::kUint8:
    case DataType::kBool:
    case DataType::kHifloat8:
    case DataType::kFloat8E5m2:
    case DataType::kFloat8E4m3fn:
    case DataType::kFloat8E8m0:
      return 8;
    case DataType::kFloat16:
    case DataType::kBf16:
    case DataType::kInt16:
    case DataType::kUint16:
      return 16;
    case DataType::kFloat:
    case DataType::kInt32:
    case DataType::kUint32:
    case DataType::kComplex32:
      return 32;
    case DataType::kInt64:
    case DataType::kUint64:
    case DataType::kDouble:
    case DataType::kComplex64:
      return 64;
    case DataType::kComplex128:
      return 128;
    case DataType::kUndefined:
    case DataType::kString:
      return 0;
  }
  return 0;
}

/// The axes of a format in their order; nothing for ND and for formats laid out in blocks.
std::string_view AxesOf(Format format) noexcept {
  switch (static_cast<std::int32_t>(format)) {
    case 0:
      return "NCHW";
    case 1:
      return "NHWC";
    case 16:
      return "HWCN";
    case 27:
      return "NDHWC";
    case 30:
      return "NCDHW";
    case 35:
      return "NC";
    case 47:
      return "NCL";
    default:
      return {};
  }
}

/// For each axis of `to` its place in `from`; nothing when they are not the same axes.
std::optional<std::vector<std::size_t>> Permutation(std::string_view from, std::string_view to) {
  if (from.size() != to.size()) return std::nullopt;
  std::vector<std::size_t> places;
  for (const char axis : to) {
    const std::size_t place = from.find(axis);
    if (place == std::string_view::npos) return std::nullopt;
    places.push_back(place);
  }
  return places;
}

template <class T>
std::vector<T> Permuted(const std::vector<T>& values, const std::vector<std::size_t>& places) {
  std::vector<T> permuted;
  for (const std::size_t place : places) permuted.push_back(values[place]);
  return permuted;
}

Status CheckRank(const TensorDescription& description, Format format) {
  const std::string_view axes = AxesOf(format);
  if (axes.empty() || axes.size() == description.dims.size()) return {};
  return Refuse(Fault::kInvalidParam, "the shape is [{}]; allowed {} dimensions, which {} has",
                fmt::join(description.dims, ", "), axes.size(), Name(format));
}

bool IsPlain(Format format) noexcept { return format == Format::kNd || !AxesOf(format).empty(); }

}  // namespace

Status CheckType(DataType dtype) {
  if (IsKnown(dtype)) return {};
  return NotAllowed(Fault::kInvalidParam, "dataType", static_cast<std::int32_t>(dtype),
                    "the values of aclDataType");
}

Status CheckFormat(std::string_view argument, Format format) {
  if (IsKnown(format)) return {};
  return NotAllowed(Fault::kInvalidParam, argument, static_cast<std::int32_t>(format),
                    "the values of aclFormat");
}

Status CheckDims(std::span<const std::int64_t> dims) {
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] >= kUnknownDim || (dims[i] == kUnknownRank && dims.size() == 1)) continue;
    return Refuse(Fault::kInvalidParam,
                  "dims[{}] is {}; allowed 0 and above, -1 (not known) and, as the only dimension, "
                  "-2 (rank not known)",
                  i, dims[i]);
  }
  return {};
}

Status CheckShapeRanges(std::span<const DimRange> ranges) {
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const auto [least, greatest] = ranges[i];
    if (least >= 0 && (greatest >= least || greatest == kUnknownDim)) continue;
    return Refuse(Fault::kInvalidParam,
                  "dimsRange[{}] is {} to {}; allowed from 0 and above to no less, or to -1 (no "
                  "limit)",
                  i, least, greatest);
  }
  return {};
}

Status CheckValueRanges(std::span<const DimRange> ranges) {
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const auto [least, greatest] = ranges[i];
    if (greatest >= least || greatest == kUnknownDim) continue;
    return Refuse(Fault::kInvalidParam,
                  "valueRange[{}] is {} to {}; allowed to no less, or to -1 (no limit)", i, least,
                  greatest);
  }
  return {};
}

Status CheckConstantLength(const TensorDescription& description, std::size_t length) {
  std::size_t allowed = PTRDIFF_MAX;
  const StatusOr<std::size_t> bytes = SizeInBytes(description);
  if (bytes) allowed = std::max(*bytes, *ElementCount(description));
  if (length != 0 && length <= allowed) return {};
  return Refuse(Fault::kInvalidParam, "length is {}; allowed 1 to {}{}", length, allowed,
                bytes ? ", the bytes of the tensor" : "");
}

StatusOr<std::size_t> ElementCount(const TensorDescription& description) {
  std::size_t count = 1;
  bool is_empty = false;
  for (const std::int64_t dim : description.dims) {
    if (dim < 0) {
      return Unexpected(Refuse(Fault::kInvalidParam,
                               "the shape is [{}]; allowed shapes that are known in full",
                               fmt::join(description.dims, ", ")));
    }
    is_empty = is_empty || dim == 0;
  }
  if (is_empty) return 0;
  for (const std::int64_t dim : description.dims) {
    const auto product = CheckedMultiply(count, static_cast<std::size_t>(dim));
    if (!product) {
      return Unexpected(Refuse(Fault::kInvalidParam,
                               "the shape is [{}]; allowed up to 2^64 - 1 elements",
                               fmt::join(description.dims, ", ")));
    }
    count = *product;
  }
  return count;
}

StatusOr<std::size_t> SizeInBytes(const TensorDescription& description) {
  constexpr std::size_t kByte = 8;
  const std::size_t bits = ElementBits(description.dtype);
  if (bits == 0) {
    return Unexpected(NotAllowed(Fault::kInvalidParam, "the data type", Name(description.dtype),
                                 "types whose elements have a size"));
  }
  StatusOr<std::size_t> count = ElementCount(description);
  if (!count) return count;
  // Eight elements fill whole bytes, so nothing overflows that the result does not.
  const auto whole = CheckedMultiply(*count / kByte, bits);
  const auto bytes =
      whole ? CheckedAdd(*whole, (*count % kByte * bits + kByte - 1) / kByte) : std::nullopt;
  if (!bytes) {
    return Unexpected(Refuse(Fault::kInvalidParam,
                             "the shape is [{}] of {}; allowed up to 2^64 - 1 bytes",
                             fmt::join(description.dims, ", "), Name(description.dtype)));
  }
  return *bytes;
}

StatusOr<DimRange> RangeOf(const TensorDescription& description, std::size_t index) {
  const std::size_t count =
      description.shape_ranges.empty() ? description.dims.size() : description.shape_ranges.size();
  if (index >= count) {
    return Unexpected(Refuse(Fault::kInvalidParam,
                             "index is {}; allowed below {}, the number of dimensions", index,
                             count));
  }
  if (!description.shape_ranges.empty()) return description.shape_ranges[index];
  const std::int64_t dim = description.dims[index];
  if (dim >= 0) return DimRange{dim, dim};
  return Unexpected(Refuse(Fault::kInvalidParam,
                           "dimension {} is not known and has no range; allowed after "
                           "aclSetTensorShapeRange",
                           index));
}

StatusOr<TensorDescription> Transposed(const TensorDescription& description, Format format) {
  const std::string_view from = AxesOf(description.format);
  const std::string_view to = AxesOf(format);
  TensorDescription result = description;
  result.format = format;
  result.storage_format.reset();
  result.storage_dims.reset();
  result.constant.reset();
  if (description.format == format) return result;
  const bool renames = description.format == Format::kNd || format == Format::kNd;
  const auto places = renames ? std::nullopt : Permutation(from, to);
  if (!IsPlain(description.format) || !IsPlain(format) || (!renames && !places)) {
    return Unexpected(Refuse(Fault::kInvalidParam,
                             "dstFormat is {} and the tensor's format {}; allowed the same format, "
                             "formats of the same axes in another order (NCHW, NHWC, HWCN; NCDHW, "
                             "NDHWC), and to or from ND",
                             Name(format), Name(description.format)));
  }
  if (!description.HasUnknownRank()) {
    for (const Format each : {description.format, format}) {
      if (Status status = CheckRank(description, each); !status.ok()) {
        return Unexpected(std::move(status));
      }
    }
  }
  if (renames || description.HasUnknownRank()) return result;
  result.dims = Permuted(description.dims, *places);
  if (!description.shape_ranges.empty()) {
    result.shape_ranges = Permuted(description.shape_ranges, *places);
  }
  return result;
}

}  // namespace belay::runtime
