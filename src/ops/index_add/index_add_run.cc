#include "ops/index_add/index_add_run.h"

#include <algorithm>
#include <array>
#include <memory>

#include "base/parallel.h"
#include "kernels/dense_add.h"
#include "kernels/row_add.h"
#include "kernels/slice_group_add.h"
#include "ops/index_add/pair_work.h"
#include "ops/index_add/row_order.h"

namespace belay::ops {
namespace {

constexpr std::uint64_t kHalfBytes = 2;

// Rows narrower than this are added into sums of all elements, if the indices are many enough.
constexpr std::uint64_t kNarrowWidth = 16;
// Elements of the target for which an index pays: ordering it takes as long as converting these.
constexpr std::uint64_t kElementsPerIndex = 32;
// float32 sums that are kept at a time: 1 MiB.
constexpr std::uint64_t kMaxSums = std::uint64_t{1} << 18;
// So many are kept on the stack.
constexpr std::uint64_t kStackSums = 4096;
// Each part of the rows takes a pass over all indices.
constexpr std::uint64_t kMaxParts = 32;
// So do the threads, which have a part each.
constexpr std::uint64_t kMaxWorkers = 8;

// Slices of this size are worth taking in groups, if a worker has enough of them: the indices are
// ordered for all slices once, and each group is transposed.
constexpr std::uint64_t kMinGroupRows = 64;
constexpr std::uint64_t kMinGroupCount = 32;
constexpr std::uint64_t kMinGroupedSlices = 32;
// What the order and the updates of all workers take together: as much as the sums.
constexpr std::uint64_t kMaxGroupBytes = std::uint64_t{1} << 20;

std::uint64_t UpdateBytes(const IndexAddJob& job) {
  return job.outer * job.count * job.width * kHalfBytes;
}

std::uint64_t GrainOf(std::uint64_t item_bytes) {
  return std::max<std::uint64_t>(kAddGrainBytes / std::max<std::uint64_t>(item_bytes, 1), 1);
}

std::uint64_t PartsOf(const IndexAddJob& job, std::uint64_t workers) {
  const std::uint64_t sums = kMaxSums / workers;
  return (job.rows * job.width + sums - 1) / sums;
}

bool IsDense(const IndexAddJob& job) {
  if (job.count > RowOrder::kMaxCount) return true;
  return job.width < kNarrowWidth && job.rows * job.width <= kElementsPerIndex * job.count &&
         PartsOf(job, 1) <= kMaxParts;
}

kernels::DenseAddTask DenseTaskOf(const IndexAddJob& job) {
  return {job.format, job.factor,  job.rows,    job.width, job.stride,
          job.count,  job.indices, job.updates, job.target};
}

// How many threads take slices in groups; 0 where another way is faster.
std::uint64_t GroupWorkers(const IndexAddJob& job) {
  if (job.width != 1 || job.rows < kMinGroupRows || job.count < kMinGroupCount) return 0;
  if (job.count > kernels::SliceGroupPlan::kMaxCount) return 0;
  const std::uint64_t plan = kernels::SliceGroupPlan::Bytes(job.rows, job.count);
  if (plan >= kMaxGroupBytes) return 0;
  const std::uint64_t room = kernels::GroupRoom(job.count) * kHalfBytes;
  const std::uint64_t wanted =
      std::clamp<std::uint64_t>(UpdateBytes(job) / kAddGrainBytes, 1, ComputeThreadCount());
  const std::uint64_t workers =
      std::min({wanted, (kMaxGroupBytes - plan) / room, job.outer / kMinGroupedSlices});
  // A group takes half as long: fewer threads than half of them would be slower.
  return 2 * workers >= wanted ? workers : 0;
}

void RunGroups(const IndexAddJob& job, std::uint64_t workers, FunctionRef<void()> before_writing) {
  const kernels::DenseAddTask task = DenseTaskOf(job);
  const kernels::SliceGroupPlan plan(task);
  const std::uint64_t room_size = kernels::GroupRoom(job.count);
  const auto room = std::make_unique_for_overwrite<std::uint16_t[]>(workers * room_size);
  before_writing();
  const std::uint64_t groups = (job.outer + kernels::kGroupSlices - 1) / kernels::kGroupSlices;
  const auto slice_of = [&](std::uint64_t worker) {
    return std::min(groups * worker / workers * kernels::kGroupSlices, job.outer);
  };
  ParallelFor(workers, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t worker = begin; worker < end; ++worker) {
      kernels::GroupAddSlices(task, plan, slice_of(worker), slice_of(worker + 1),
                              room.get() + worker * room_size);
    }
  });
}

void RunSmallSlices(const IndexAddJob& job) {
  const kernels::DenseAddTask task = DenseTaskOf(job);
  const std::uint64_t slice_bytes = (job.count + job.rows) * job.width * kHalfBytes;
  ParallelFor(job.outer, GrainOf(slice_bytes), [&](std::size_t begin, std::size_t end) {
    std::array<float, kStackSums> sums;
    kernels::DenseAddSlices(task, begin, end, sums.data(), sums.size());
  });
}

void RunDense(const IndexAddJob& job, FunctionRef<void()> before_writing) {
  if (const std::uint64_t workers = GroupWorkers(job); workers != 0) {
    return RunGroups(job, workers, before_writing);
  }
  if (job.rows * job.width <= kStackSums) {
    before_writing();
    return RunSmallSlices(job);
  }
  const std::uint64_t worth = UpdateBytes(job) / kAddGrainBytes;
  const std::uint64_t workers =
      worth < 2 ? 1 : std::min<std::uint64_t>({ComputeThreadCount(), kMaxWorkers, worth});
  std::uint64_t parts = PartsOf(job, workers);
  if (job.outer < workers) parts = std::max(parts, workers);
  const std::uint64_t part_rows = (job.rows + parts - 1) / parts;
  const std::uint64_t sums_size = part_rows * job.width;
  const auto sums = std::make_unique_for_overwrite<float[]>(workers * sums_size);
  before_writing();

  const auto run_part = [&](std::uint64_t outer, std::uint64_t part, float* own_sums) {
    kernels::DenseAddTask task = DenseTaskOf(job);
    if (parts == 1) return kernels::DenseAddSlices(task, outer, outer + 1, own_sums, sums_size);
    task.updates += outer * job.stride * job.width * kHalfBytes;
    task.target += outer * job.rows * job.width * kHalfBytes;
    const std::uint64_t begin = std::min(part * part_rows, job.rows);
    const std::uint64_t end = std::min(begin + part_rows, job.rows);
    kernels::DenseAddRows(task, begin, end, own_sums);
  };
  const std::uint64_t items = job.outer * parts;
  ParallelFor(workers, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t worker = begin; worker < end; ++worker) {
      for (std::uint64_t i = items * worker / workers; i < items * (worker + 1) / workers; ++i) {
        run_part(i / parts, i % parts, sums.get() + worker * sums_size);
      }
    }
  });
}

void RunRows(const IndexAddJob& job, FunctionRef<void()> before_writing) {
  const RowOrder order(job.indices, job.count, job.rows);
  before_writing();
  const std::uint64_t updates_slice = job.stride * job.width * kHalfBytes;
  const std::uint64_t target_slice = job.rows * job.width * kHalfBytes;
  ForPairs({job.outer, job.width, kHalfBytes, order.pairs()}, [&](std::uint64_t outer,
                                                                  const kernels::RowAddPart& part) {
    kernels::RowAdd({job.format, job.factor, job.width, job.updates + outer * updates_slice,
                     job.target + outer * target_slice, order.pairs()},
                    part);
  });
}

}  // namespace

void RunIndexAdd(const IndexAddJob& job, FunctionRef<void()> before_writing) {
  if (job.count == 0) return before_writing();
  if (IsDense(job)) {
    RunDense(job, before_writing);
  } else {
    RunRows(job, before_writing);
  }
}

}  // namespace belay::ops
