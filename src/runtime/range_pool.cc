#include "runtime/range_pool.h"

#include <iterator>

#include "base/checked_math.h"

namespace belay::runtime {

void RangePool::Give(ByteRange range) {
  const auto after = free_.lower_bound(range.begin);
  const bool joins_after = after != free_.end() && after->first == range.end();
  if (after != free_.begin()) {
    const auto before = std::prev(after);
    if (before->first + before->second == range.begin) {
      before->second += range.size;
      if (joins_after) {
        before->second += after->second;
        free_.erase(after);
      }
      return;
    }
  }
  free_.emplace(range.begin, range.size + (joins_after ? after->second : 0));
  if (joins_after) free_.erase(after);
}

std::optional<ByteRange> RangePool::Take(std::size_t size, std::size_t alignment) {
  for (auto hole = free_.begin(); hole != free_.end(); ++hole) {
    const std::optional<std::uintptr_t> begin = CheckedRoundUp(hole->first, alignment);
    if (!begin) break;
    const ByteRange taken{*begin, size};
    if (!ByteRange{hole->first, hole->second}.Contains(taken)) continue;
    Carve(hole, taken);
    return taken;
  }
  return std::nullopt;
}

bool RangePool::TakeExactly(ByteRange range) {
  auto hole = free_.upper_bound(range.begin);
  if (hole == free_.begin()) return false;
  --hole;
  if (!ByteRange{hole->first, hole->second}.Contains(range)) return false;
  Carve(hole, range);
  return true;
}

void RangePool::Carve(Free::iterator hole, ByteRange taken) {
  const ByteRange whole{hole->first, hole->second};
  if (taken.end() != whole.end()) free_.emplace(taken.end(), whole.end() - taken.end());
  if (taken.begin == whole.begin) {
    free_.erase(hole);
  } else {
    hole->second = taken.begin - whole.begin;
  }
}

}  // namespace belay::runtime
