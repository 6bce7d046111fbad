#include "base/tensor_desc.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/status.h"

namespace belay {

std::string Describe(const Dims& dims) noexcept {
  if (dims.rank > Dims::kMaxRank) return Text("{} dimensions", dims.rank);
  return Text("{}", dims.span());
}

}  // namespace belay
