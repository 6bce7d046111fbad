#include "base/tensor_desc.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace belay {

std::string Describe(const Dims& dims) {
  if (dims.rank > Dims::kMaxRank) return fmt::format("{} dimensions", dims.rank);
  return fmt::format("{}", dims.span());
}

}  // namespace belay
