// The one place that knows oneTBB: all compute threads are its workers in one arena.
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>

#include "base/parallel.h"
#include "runtime/machine.h"

namespace belay {
namespace {

// Never destroyed, like the machine: a thread may be in it when the process ends.
tbb::task_arena& Arena() {
  static auto* const arena = new tbb::task_arena(static_cast<int>(ComputeThreadCount()));
  return *arena;
}

}  // namespace

unsigned ComputeThreadCount() { return runtime::Machine::Get().config().compute_threads; }

void ParallelFor(std::size_t count, std::size_t grain,
                 FunctionRef<void(std::size_t, std::size_t)> body) {
  if (count == 0) return;
  if (count <= grain || ComputeThreadCount() == 1) {
    body(0, count);
    return;
  }
  Arena().execute([&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, std::max<std::size_t>(grain, 1)),
                      [&body](const tbb::blocked_range<std::size_t>& piece) {
                        body(piece.begin(), piece.end());
                      });
  });
}

}  // namespace belay
