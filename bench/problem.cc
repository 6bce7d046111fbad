#include "problem.h"

namespace belay::bench {

std::size_t SizeOf(Type type) {
  switch (type) {
    case Type::kFp16:
    case Type::kBf16:
      return 2;
    case Type::kFp32:
    case Type::kInt32:
      return 4;
    case Type::kInt64:
      return 8;
  }
  return 0;
}

std::string_view NameOf(Type type) {
  switch (type) {
    case Type::kFp16:
      return "fp16";
    case Type::kBf16:
      return "bf16";
    case Type::kFp32:
      return "fp32";
    case Type::kInt32:
      return "int32";
    case Type::kInt64:
      return "int64";
  }
  return "";
}

std::int64_t CountOf(const Shape& shape) {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count *= size;
  return count;
}

Shape RepeatedShape(const RepeatProblem& problem) {
  Shape shape = problem.x_shape;
  for (std::size_t i = 0; i < shape.size(); ++i) shape[i] *= problem.multiples[i];
  return shape;
}

Shape UpdatesShape(const IndexAddProblem& problem) {
  Shape shape = problem.var_shape;
  shape[problem.axis] = problem.index_count;
  return shape;
}

AxisView ViewAlong(const Shape& shape, std::size_t axis) {
  AxisView view;
  view.size = shape[axis];
  for (std::size_t i = 0; i < axis; ++i) view.outer *= shape[i];
  for (std::size_t i = axis + 1; i < shape.size(); ++i) view.inner *= shape[i];
  return view;
}

}  // namespace belay::bench
