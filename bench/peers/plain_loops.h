// The loops that one writes without thinking about speed. They live in a file of their own,
// compiled with -O3 for the oldest machine of the architecture, as a distribution compiles
// programs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "problem.h"

namespace belay::bench::plain {

/// A walk over rows of adjacent bytes: `rank` dimensions, outermost first.
struct Rows {
  static constexpr std::size_t kMaxRank = 8;
  std::size_t rank = 0;
  std::int64_t sizes[kMaxRank] = {};
  std::int64_t dst_steps[kMaxRank] = {};  // bytes from one to the next
  std::int64_t src_steps[kMaxRank] = {};
  std::int64_t row_bytes = 0;
};

void CopyRows(const Rows& rows, std::byte* dst, const std::byte* src);

/// dst[outer, r, size, inner] = src[outer, size, inner] for each r of `times`; in bytes of `inner`.
void RepeatAxis(std::byte* dst, const std::byte* src, std::int64_t outer, std::int64_t times,
                std::int64_t slice_bytes);

/// The same for slices of one element, whose value fills the run.
void FillRuns(Type type, std::byte* dst, const std::byte* src, std::int64_t count,
              std::int64_t times);

void AddRows(const IndexAddProblem& problem, const AxisView& view);

void PackQuant(const float* scale, const float* offset, std::int64_t n, std::uint64_t* out);

}  // namespace belay::bench::plain
