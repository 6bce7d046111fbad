// How IndexAdd does its work once shapes and addresses are known; index_add.h has the rules.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/function_ref.h"
#include "kernels/half.h"

namespace belay::ops {

/// target[o, indices[k], :] += factor * updates[o, k, :] for k < count
///   target [outer, rows, width], updates [outer, stride, width], indices [stride]
struct IndexAddJob {
  kernels::HalfFormat format = kernels::HalfFormat::kFp16;
  float factor = 1.0F;
  std::uint64_t outer = 0;
  std::uint64_t rows = 0;
  std::uint64_t width = 0;
  std::uint64_t stride = 0;
  std::uint64_t count = 0;
  const std::byte* indices = nullptr;  // each in [0, rows)
  const std::byte* updates = nullptr;
  std::byte* target = nullptr;
};

/// Throws std::bad_alloc before anything is written when there is no memory for it.
/// `before_writing` is called once all memory is there, and may put the target's elements into
/// place.
void RunIndexAdd(
    const IndexAddJob& job, FunctionRef<void()> before_writing = [] {});

}  // namespace belay::ops
