// How operators spread work on named rows over threads, so that no two write the same element.
#pragma once

#include <cstdint>

#include "base/function_ref.h"
#include "kernels/indexed_rows.h"

namespace belay::ops {

/// Calls body(part) for parts that together cover all slices, rows and columns of the target, on
/// the compute threads.
void ForRowParts(const kernels::IndexedRows& indexed, std::uint64_t slices,
                 std::uint64_t item_bytes,
                 FunctionRef<void(const kernels::IndexedPart& part)> body);

}  // namespace belay::ops
