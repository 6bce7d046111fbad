// How work is spread over the compute threads. The one implementation is runtime/parallel_tbb.cc;
// kernels and operators know only this.
#pragma once

#include <cstddef>

#include "base/export.h"
#include "base/function_ref.h"

namespace belay {

/// Calls body(begin, end) for disjoint pieces that together cover [0, count), each of at least
/// `grain` items where possible, on the compute threads. Returns when all are done. One piece, on
/// the calling thread, when count <= grain. The split never changes a result.
BELAY_EXPORT void ParallelFor(std::size_t count, std::size_t grain,
                              FunctionRef<void(std::size_t begin, std::size_t end)> body);

/// Upper bound of threads that ParallelFor uses (BELAY_NUM_THREADS, else the usable cores).
BELAY_EXPORT unsigned ComputeThreadCount();

}  // namespace belay
