// The walk over pairs of rows that RowAdd and WideAdd share.
//
// Included by files that are compiled once for each instruction set.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/row_add.h"

// Per-target include guard.
#if defined(BELAY_KERNELS_ROW_WALK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BELAY_KERNELS_ROW_WALK_INL_H_
#undef BELAY_KERNELS_ROW_WALK_INL_H_
#else
#define BELAY_KERNELS_ROW_WALK_INL_H_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace belay::kernels {
namespace HWY_NAMESPACE {
namespace {

HWY_INLINE std::int32_t RowOf(const RowPairs& pairs, std::size_t pair) {
  std::int32_t row = 0;
  std::memcpy(&row, pairs.rows + pair * sizeof(row), sizeof(row));
  return row;
}

/// Calls add(begin, end, row) with all pairs of each row whose first pair is in the part.
template <class Add>
HWY_INLINE void ForEachRow(const RowPairs& pairs, const RowAddPart& part, const Add& add) {
  std::size_t pair = part.pair_begin;
  // The first pair of a row adds all of them up; the others have nothing to do.
  while (pair != 0 && pair < part.pair_end && RowOf(pairs, pair) == RowOf(pairs, pair - 1)) ++pair;
  while (pair < part.pair_end) {
    const std::int32_t row = RowOf(pairs, pair);
    std::size_t end = pair + 1;
    while (end < pairs.count && RowOf(pairs, end) == row) ++end;
    add(pair, end, static_cast<std::size_t>(row));
    pair = end;
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace belay::kernels
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
