#include "ops/row_parts.h"

#include <algorithm>

#include "base/parallel.h"

namespace belay::ops {
namespace {

// Bytes of the source for one piece of work: waking another thread takes as long as half of it.
constexpr std::uint64_t kGrainBytes = std::uint64_t{256} << 10;

// Rows are split into columns of so many bytes at least; narrower ones into ranges of rows, each of
// which takes a pass over all indices.
constexpr std::uint64_t kMinColumnBytes = 1024;
// Columns end at whole lines of a row that begins at one.
constexpr std::uint64_t kLineBytes = 64;

std::uint64_t CeilOf(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

}  // namespace

void ForRowParts(const kernels::IndexedRows& indexed, std::uint64_t slices,
                 std::uint64_t item_bytes,
                 FunctionRef<void(const kernels::IndexedPart& part)> body) {
  const kernels::IndexedPart all{0, slices, 0, indexed.rows, 0, indexed.width};
  const std::uint64_t threads = ComputeThreadCount();
  const std::uint64_t slice_bytes = indexed.count * indexed.width * item_bytes;
  if (threads == 1 || slices * slice_bytes < 2 * kGrainBytes) return body(all);

  if (slices >= 4 * threads) {
    const std::uint64_t grain = std::max<std::uint64_t>(kGrainBytes / slice_bytes, 1);
    return ParallelFor(slices, grain, [&](std::size_t begin, std::size_t end) {
      kernels::IndexedPart part = all;
      part.slice_begin = begin;
      part.slice_end = end;
      body(part);
    });
  }

  const std::uint64_t wanted = CeilOf(2 * threads, slices);
  const bool by_columns = indexed.width * item_bytes >= 2 * kMinColumnBytes;
  const std::uint64_t size = by_columns ? indexed.width : indexed.rows;
  const std::uint64_t limit =
      by_columns ? indexed.width * item_bytes / kMinColumnBytes : std::min(threads, indexed.rows);
  const std::uint64_t parts = std::min(wanted, limit);
  std::uint64_t step = CeilOf(size, parts);
  if (by_columns) step = CeilOf(step, kLineBytes / item_bytes) * (kLineBytes / item_bytes);
  ParallelFor(slices * parts, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      kernels::IndexedPart part = all;
      part.slice_begin = i / parts;
      part.slice_end = part.slice_begin + 1;
      const std::uint64_t from = std::min(i % parts * step, size);
      const std::uint64_t to = std::min(from + step, size);
      if (from == to) continue;
      (by_columns ? part.column_begin : part.row_begin) = from;
      (by_columns ? part.column_end : part.row_end) = to;
      body(part);
    }
  });
}

}  // namespace belay::ops
