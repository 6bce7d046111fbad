#include "limits/limits.h"

#include <algorithm>

namespace belay::bench {

std::string_view NameOf(Kind kind) {
  switch (kind) {
    case Kind::kRead:
      return "read";
    case Kind::kFill:
      return "fill";
    case Kind::kCopy:
      return "copy";
    case Kind::kAddFp16:
      return "add fp16";
    case Kind::kAddBf16:
      return "add bf16";
    case Kind::kExpand:
      return "expand 4 to 8";
  }
  return "";
}

Split SplitOf(Kind kind, std::size_t working_set) {
  constexpr std::size_t kUnit = 512;
  const auto units = [&](std::size_t parts) {
    return std::max<std::size_t>(working_set / parts / kUnit, 1) * kUnit;
  };
  switch (kind) {
    case Kind::kRead:
      return {0, units(1), units(1)};
    case Kind::kFill:
      return {units(1), 0, units(1)};
    case Kind::kCopy:
      return {units(2), units(2), 2 * units(2)};
    case Kind::kAddFp16:
    case Kind::kAddBf16:
      return {units(2), units(2), 3 * units(2)};
    case Kind::kExpand:
      return {2 * units(3), units(3), 3 * units(3)};
  }
  return {};
}

std::vector<LimitLoop> LoopsOf(Kind kind) {
  std::vector<LimitLoop> loops;
  AddPortableLoops(loops);
  AddX86Loops(loops);
  std::erase_if(loops, [&](const LimitLoop& loop) { return loop.kind != kind; });
  return loops;
}

}  // namespace belay::bench
