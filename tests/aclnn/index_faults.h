// Calls that break one rule or two, and what phase one says.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "aclnn/index_case.h"

namespace belay::test {

struct CaseFault {
  std::string message;
  std::function<void(IndexCase&)> apply;
};

/// Another shape; the strides are those of a contiguous tensor.
inline void SetDims(View& view, const Shape& dims) {
  view.dims = dims;
  view.strides = Contiguous(view.type, dims).strides;
}

/// The good call passes; each fault is refused with its message; of any two the first is told.
/// Faults stand in the order of the checks.
void ExpectFaultsInOrder(const IndexCase& good, const std::vector<CaseFault>& faults);

/// Each of the arguments of phase one that are handles, and both results, in their order: when it
/// is null and all that come later are, too.
void ExpectNullsRefused(const IndexCase& good, const std::vector<std::string>& handles);

}  // namespace belay::test
