// Rows of a source, and an index that says which row of a target each goes to: what adding to named
// rows and replacing them have in common.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace belay::kernels {

/// Row k of each slice of the source goes to row indices[k] of the same slice of the target.
struct IndexedRows {
  std::size_t rows = 0;
  std::size_t width = 0;
  std::size_t count = 0;
  bool wide = false;                   // indices are int64
  const std::byte* indices = nullptr;  // [count] int32 or int64, each in [0, rows)
  const std::byte* source = nullptr;   // [slices, count, width], not overlapping the target
  std::byte* target = nullptr;         // [slices, rows, width]
};

/// Slices, target rows and columns [begin, end). Parts that split them may run at the same time;
/// each passes over all indices.
struct IndexedPart {
  std::size_t slice_begin = 0;
  std::size_t slice_end = 0;
  std::size_t row_begin = 0;
  std::size_t row_end = 0;
  std::size_t column_begin = 0;
  std::size_t column_end = 0;
};

template <class Index>
inline std::size_t RowAt(const IndexedRows& indexed, std::size_t k) {
  Index index = 0;
  std::memcpy(&index, indexed.indices + k * sizeof(Index), sizeof(Index));
  return static_cast<std::size_t>(index);
}

/// Calls visit(target, source) with the first column of the part in each pair of rows, in the order
/// of the index.
template <class Index, class Visit>
inline void ForEachIndexedRow(const IndexedRows& indexed, const IndexedPart& part,
                              std::size_t item_bytes, const Visit& visit) {
  const std::size_t row_bytes = indexed.width * item_bytes;
  const std::size_t column = part.column_begin * item_bytes;
  const std::size_t part_rows = part.row_end - part.row_begin;
  for (std::size_t slice = part.slice_begin; slice < part.slice_end; ++slice) {
    const std::byte* const source = indexed.source + slice * indexed.count * row_bytes + column;
    std::byte* const target = indexed.target + slice * indexed.rows * row_bytes + column;
    if (part_rows == indexed.rows) {
      for (std::size_t k = 0; k < indexed.count; ++k) {
        visit(target + RowAt<Index>(indexed, k) * row_bytes, source + k * row_bytes);
      }
      continue;
    }
    // Which indices belong to the part is collected without a branch: nobody could foretell it.
    constexpr std::size_t kBlock = 256;
    std::size_t ours[kBlock];
    for (std::size_t begin = 0; begin < indexed.count; begin += kBlock) {
      const std::size_t end = std::min(begin + kBlock, indexed.count);
      std::size_t found = 0;
      for (std::size_t k = begin; k < end; ++k) {
        ours[found] = k;
        found += RowAt<Index>(indexed, k) - part.row_begin < part_rows ? 1 : 0;
      }
      for (std::size_t i = 0; i < found; ++i) {
        visit(target + RowAt<Index>(indexed, ours[i]) * row_bytes, source + ours[i] * row_bytes);
      }
    }
  }
}

}  // namespace belay::kernels
