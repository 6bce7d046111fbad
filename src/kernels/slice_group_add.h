// Adds single 16-bit floats up in float32 where many slices share the indices: a group of slices is
// taken at a time, each a lane of a vector.
//
// Pointers need no alignment. Results are those of kernels/dense_add.h, bit by bit, on every
// target.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/export.h"
#include "kernels/dense_add.h"

namespace belay::kernels {

inline constexpr std::size_t kGroupSlices = 8;

/// What is done with the indices of a task of width 1, the same for all groups: tile by tile of the
/// rows, which so stay in the first-level cache. The additions to a row are in the order of
/// indices.
class SliceGroupPlan {
 public:
  static constexpr std::size_t kTileRows = 128;
  static constexpr std::size_t kMaxCount = 65536;

  /// Rows and updates are known by where they lie once their columns are vectors.
  struct Addition {
    std::uint16_t to;      // a row of the tile, or one of its sums
    std::uint16_t update;  // among all updates
  };
  /// How many of the additions, in this order, are the only one of their row; the first one of
  /// their row, which begins a sum, the k-th the k-th; and go to such a sum.
  struct Tile {
    std::uint16_t only = 0;
    std::uint16_t first = 0;
    std::uint32_t more = 0;
  };

  /// Of the task it reads rows, count and indices; count is at most kMaxCount. May throw
  /// std::bad_alloc.
  BELAY_EXPORT explicit SliceGroupPlan(const DenseAddTask& task);

  /// Memory that a plan takes while it is made; afterwards it keeps less.
  [[nodiscard]] static constexpr std::size_t Bytes(std::size_t rows, std::size_t count) noexcept {
    return (rows / kTileRows + 1) * (sizeof(Tile) + sizeof(std::size_t)) +
           2 * count * sizeof(Addition);
  }

  /// The last tile may have fewer than kTileRows rows.
  [[nodiscard]] const std::vector<Tile>& tiles() const noexcept { return tiles_; }
  [[nodiscard]] const std::vector<Addition>& additions() const noexcept { return additions_; }

 private:
  std::vector<Tile> tiles_;
  std::vector<Addition> additions_;
};

/// 16-bit floats that GroupAddSlices wants room for.
[[nodiscard]] constexpr std::size_t GroupRoom(std::size_t count) noexcept {
  constexpr std::size_t kColumns = 32;  // that are transposed together
  return (count + kColumns - 1) / kColumns * kColumns * kGroupSlices;
}

/// Slices [begin, end) of a task of width 1; whole groups are cheapest.
///   plan  of this task
///   room  for GroupRoom(task.count) values
BELAY_EXPORT void GroupAddSlices(const DenseAddTask& task, const SliceGroupPlan& plan,
                                 std::size_t begin, std::size_t end, std::uint16_t* room);

}  // namespace belay::kernels
