// Rules that several operators over views have, each with one wording.
#pragma once

#include <span>
#include <string_view>

#include "base/data_type.h"
#include "base/status.h"
#include "base/tensor_view.h"

namespace belay::ops {

/// A tensor and its name in messages.
struct NamedView {
  std::string_view name;
  const TensorView& view;
};

/// kInvalidParam unless the tensor is of one of the types.
Status CheckTypeAmong(const NamedView& tensor, std::span<const DataType> allowed);

/// kInvalidParam unless the tensor is of the other one's type.
Status CheckSameType(const NamedView& tensor, const NamedView& other);

/// kInvalidParam unless the tensor has these dimensions; `meaning` says whose they are.
Status CheckDims(const NamedView& tensor, const Dims& expected, std::string_view meaning);

}  // namespace belay::ops
