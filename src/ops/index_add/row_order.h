// Brings indices into ascending order, so that all updates of one row are side by side.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/export.h"
#include "kernels/row_add.h"

namespace belay::ops {

/// The positions of indices in order of the rows they name, and for each row in their own order.
/// Needs 12 bytes an index and at most 1 MiB while it is made, nothing when the indices are
/// ascending already; for a few it has room of its own.
class RowOrder {
 public:
  /// Positions are 32-bit numbers.
  static constexpr std::uint64_t kMaxCount = UINT32_MAX;

  /// `indices` are int32 in [0, rows) without alignment, and have to outlive the order.
  BELAY_EXPORT RowOrder(const std::byte* indices, std::size_t count, std::uint64_t rows);
  RowOrder(const RowOrder&) = delete;
  RowOrder& operator=(const RowOrder&) = delete;

  [[nodiscard]] const kernels::RowPairs& pairs() const noexcept { return pairs_; }

 private:
  // Up to so many are sorted by comparison, in place.
  static constexpr std::size_t kFew = 128;

  void SortFew(const std::byte* indices, std::size_t count);
  void SortMany(const std::byte* indices, std::size_t count, std::uint64_t rows);
  void Show(const std::uint32_t* rows, const std::uint32_t* positions, std::size_t count);

  kernels::RowPairs pairs_;
  std::unique_ptr<std::uint32_t[]> many_;
  std::array<std::uint32_t, kFew> few_rows_;
  std::array<std::uint32_t, kFew> few_positions_;
};

}  // namespace belay::ops
