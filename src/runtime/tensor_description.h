// What aclCreateTensorDesc makes: type, format and shape of a tensor for the model interface, with
// all that a program says about it. Nothing in this runtime acts on it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/data_type.h"
#include "base/export.h"
#include "base/status.h"

namespace belay::runtime {

inline constexpr std::int64_t kUnknownDim = -1;
/// As many dimensions as any interface of models takes.
inline constexpr int kMaxDims = 128;
/// The only dimension of a shape of which not even the rank is known.
inline constexpr std::int64_t kUnknownRank = -2;

/// Least and greatest; -1 as the greatest: no limit.
using DimRange = std::array<std::int64_t, 2>;

/// The values. Copies of it share what they hold constant.
struct TensorDescription {
  DataType dtype = DataType::kUndefined;
  Format format = Format::kUndefined;  // of the tensor as the model defines it
  std::vector<std::int64_t> dims;
  std::vector<DimRange> shape_ranges;  // empty: none were set
  std::vector<DimRange> value_ranges;
  std::string name;
  std::optional<Format> storage_format;  // of the tensor as it lies in memory
  std::optional<std::vector<std::int64_t>> storage_dims;
  std::string dynamic_input;
  std::shared_ptr<const std::vector<std::byte>> constant;
  std::int32_t placement = 0;  // as aclMemType numbers it

  [[nodiscard]] bool HasUnknownRank() const noexcept {
    return dims.size() == 1 && dims[0] == kUnknownRank;
  }
};

/// A description that threads share.
struct SharedTensorDescription {
  explicit SharedTensorDescription(TensorDescription values) : description(std::move(values)) {}
  std::mutex mutex;  // guards description
  TensorDescription description;
};

/// A known type and format, and a shape whose entries are sizes, -1, or -2 alone; else
/// kInvalidParam.
BELAY_EXPORT Status CheckType(DataType dtype);
BELAY_EXPORT Status CheckFormat(std::string_view argument, Format format);
BELAY_EXPORT Status CheckDims(std::span<const std::int64_t> dims);
/// Each from no less than 0, to no less than that or without a limit.
BELAY_EXPORT Status CheckShapeRanges(std::span<const DimRange> ranges);
BELAY_EXPORT Status CheckValueRanges(std::span<const DimRange> ranges);

/// Constant data of `length` bytes, which is no more than the tensor has; an element of less than a
/// byte may take a whole one.
BELAY_EXPORT Status CheckConstantLength(const TensorDescription& description, std::size_t length);

// kInvalidParam when the shape is not known in full, or the result does not fit.
BELAY_EXPORT StatusOr<std::size_t> ElementCount(const TensorDescription& description);
/// Elements of less than a byte lie close together; the last byte may be filled in part.
BELAY_EXPORT StatusOr<std::size_t> SizeInBytes(const TensorDescription& description);

/// What was set; of a known dimension without a range, its size twice.
BELAY_EXPORT StatusOr<DimRange> RangeOf(const TensorDescription& description, std::size_t index);

/// The same tensor in another format: dimensions and their ranges change places. ND stands for any
/// order. Storage and constant data do not come along. kInvalidParam for formats that are laid out
/// in blocks and for shapes of another rank than the formats have.
BELAY_EXPORT StatusOr<TensorDescription> Transposed(const TensorDescription& description,
                                                    Format format);

}  // namespace belay::runtime
