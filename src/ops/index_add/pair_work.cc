#include "ops/index_add/pair_work.h"

#include <algorithm>
#include <cstddef>

#include "base/parallel.h"

namespace belay::ops {
namespace {

// Columns of rows that are split between threads.
constexpr std::uint64_t kMinColumns = 512;

// Updates and target rows of so many bytes are more than a core's own caches hold.
constexpr std::uint64_t kPrefetchBytes = std::uint64_t{2} << 20;

std::size_t LongestRun(const kernels::RowPairs& pairs) {
  const auto is_same = [&](std::size_t a, std::size_t b) {
    return std::equal(pairs.rows + a * 4, pairs.rows + a * 4 + 4, pairs.rows + b * 4);
  };
  std::size_t longest = 0;
  std::size_t begin = 0;
  for (std::size_t j = 1; j <= pairs.count; ++j) {
    if (j < pairs.count && is_same(begin, j)) continue;
    longest = std::max(longest, j - begin);
    begin = j;
  }
  return longest;
}

// In how many column ranges rows are worked on, so that all threads have work where a few rows have
// most of the updates.
std::uint64_t ColumnParts(const PairWork& work) {
  const std::uint64_t threads = ComputeThreadCount();
  const std::uint64_t bytes = work.outer * work.pairs.count * work.width * work.item_bytes;
  if (threads == 1 || bytes < 2 * kAddGrainBytes || work.width < 2 * kMinColumns) return 1;
  const std::uint64_t pieces = 4 * threads;
  if (work.outer >= pieces || LongestRun(work.pairs) * pieces <= work.outer * work.pairs.count) {
    return 1;
  }
  return std::min(work.width / kMinColumns, pieces);
}

}  // namespace

void ForPairs(const PairWork& work,
              FunctionRef<void(std::uint64_t outer, const kernels::RowAddPart& part)> add) {
  const std::uint64_t count = work.pairs.count;
  const std::uint64_t parts = ColumnParts(work);
  const std::uint64_t part_columns = (work.width + parts - 1) / parts;
  const std::uint64_t item_bytes = std::max<std::uint64_t>(part_columns * work.item_bytes, 1);
  const std::uint64_t grain = std::max<std::uint64_t>(kAddGrainBytes / item_bytes, 1);
  const bool prefetch = 2 * work.outer * count * work.width * work.item_bytes > kPrefetchBytes;
  ParallelFor(work.outer * parts * count, grain, [&](std::size_t begin, std::size_t end) {
    for (std::uint64_t at = begin; at < end;) {
      const std::uint64_t sheet = at / count;
      const std::uint64_t pair = at % count;
      const std::uint64_t pair_end = std::min(count, pair + (end - at));
      const std::uint64_t column = std::min(sheet % parts * part_columns, work.width);
      const std::uint64_t column_end = std::min(column + part_columns, work.width);
      add(sheet / parts, {pair, pair_end, column, column_end, prefetch});
      at += pair_end - pair;
    }
  });
}

}  // namespace belay::ops
