#include "ops/view_rules.h"

#include <algorithm>

namespace belay::ops {

Status CheckTypeAmong(const NamedView& tensor, std::span<const DataType> allowed) {
  if (std::ranges::find(allowed, tensor.view.dtype) != allowed.end()) return {};
  return Refuse(Fault::kInvalidParam, "{} is of type {}; allowed {}", tensor.name,
                Name(tensor.view.dtype), Described([&] { return Names(allowed); }));
}

Status CheckSameType(const NamedView& tensor, const NamedView& other) {
  if (tensor.view.dtype == other.view.dtype) return {};
  return Refuse(Fault::kInvalidParam, "{} is of type {}; allowed {}, that of {}", tensor.name,
                Name(tensor.view.dtype), Name(other.view.dtype), other.name);
}

Status CheckDims(const NamedView& tensor, const Dims& expected, std::string_view meaning) {
  if (tensor.view.dims == expected) return {};
  return Refuse(Fault::kInvalidParam, "{} is {}; allowed {}, {}", tensor.name,
                Describe(tensor.view.dims), Describe(expected), meaning);
}

}  // namespace belay::ops
