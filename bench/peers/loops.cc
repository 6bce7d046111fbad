// Plain loops as a contestant.
#include <algorithm>

#include "peers/peer.h"
#include "peers/plain_loops.h"

namespace belay::bench {
namespace {

/// Bytes from one index to the next in each dimension of a tensor without gaps.
Shape StepsOf(const Shape& shape, std::size_t element_bytes) {
  Shape steps(shape.size());
  auto step = static_cast<std::int64_t>(element_bytes);
  for (std::size_t i = shape.size(); i-- > 0;) {
    steps[i] = step;
    step *= shape[i];
  }
  return steps;
}

/// Whole dimensions at the end join the row, as one does by hand.
plain::Rows RowsOf(const SetValueProblem& problem, const Shape& dst_steps) {
  const Shape src_steps = StepsOf(problem.src_shape, SizeOf(problem.type));
  plain::Rows rows;
  rows.rank = problem.src_shape.size();
  rows.row_bytes = static_cast<std::int64_t>(SizeOf(problem.type));
  while (rows.rank > 0) {
    const std::size_t last = --rows.rank;
    rows.row_bytes *= problem.src_shape[last];
    if (problem.src_shape[last] != problem.dst_shape[last]) break;
  }
  for (std::size_t i = 0; i < rows.rank; ++i) {
    rows.sizes[i] = problem.src_shape[i];
    rows.dst_steps[i] = dst_steps[i];
    rows.src_steps[i] = src_steps[i];
  }
  return rows;
}

class Loops : public Peer {
 public:
  [[nodiscard]] std::string_view name() const override { return "loops"; }

  Call SetValue(const SetValueProblem& problem) override {
    const Shape steps = StepsOf(problem.dst_shape, SizeOf(problem.type));
    const plain::Rows rows = RowsOf(problem, steps);
    std::byte* dst = problem.dst;
    for (std::size_t i = 0; i < steps.size(); ++i) dst += problem.starts[i] * steps[i];
    return [rows, dst, src = problem.src] { plain::CopyRows(rows, dst, src); };
  }

  /// One dimension with a multiple, or two: then the inner one first, and the outer one from what
  /// is already written.
  Call Repeat(const RepeatProblem& problem) override {
    std::vector<std::size_t> repeated;
    for (std::size_t i = 0; i < problem.multiples.size(); ++i) {
      if (problem.multiples[i] > 1) repeated.push_back(i);
    }
    if (repeated.size() == 1) return RepeatOne(problem, repeated[0]);
    if (repeated.size() == 2) return RepeatTwo(problem, repeated[0], repeated[1]);
    return {};
  }

  Call IndexAdd(const IndexAddProblem& problem) override {
    const AxisView view = ViewAlong(problem.var_shape, problem.axis);
    return [problem, view] { plain::AddRows(problem, view); };
  }

 private:
  static Call RepeatOne(const RepeatProblem& problem, std::size_t axis) {
    const AxisView view = ViewAlong(problem.x_shape, axis);
    const std::int64_t times = problem.multiples[axis];
    const std::int64_t slice = view.size * view.inner;
    if (slice == 1) {
      return [problem, count = view.outer, times] {
        plain::FillRuns(problem.type, problem.y, problem.x, count, times);
      };
    }
    const auto bytes = slice * static_cast<std::int64_t>(SizeOf(problem.type));
    return [problem, outer = view.outer, times, bytes] {
      plain::RepeatAxis(problem.y, problem.x, outer, times, bytes);
    };
  }

  static Call RepeatTwo(const RepeatProblem& problem, std::size_t outer_axis,
                        std::size_t inner_axis) {
    // [a, outer_axis, b, inner_axis, c] -> rows of inner_axis * c bytes.
    const AxisView inner = ViewAlong(problem.x_shape, inner_axis);
    const AxisView outer = ViewAlong(problem.x_shape, outer_axis);
    const std::int64_t row =
        inner.size * inner.inner * static_cast<std::int64_t>(SizeOf(problem.type));
    const std::int64_t rows = inner.outer / outer.outer;  // in one repetition of the outer axis
    const std::int64_t inner_times = problem.multiples[inner_axis];
    const std::int64_t outer_times = problem.multiples[outer_axis];
    return [=, x = problem.x, y = problem.y, blocks = outer.outer] {
      const std::int64_t block = rows * row * inner_times;
      for (std::int64_t b = 0; b < blocks; ++b) {
        for (std::int64_t r = 0; r < outer_times; ++r) {
          plain::RepeatAxis(y + (b * outer_times + r) * block, x + b * rows * row, rows,
                            inner_times, row);
        }
      }
    };
  }
};

}  // namespace

std::unique_ptr<Peer> MakeLoops() { return std::make_unique<Loops>(); }

}  // namespace belay::bench
