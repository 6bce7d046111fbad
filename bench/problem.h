// What is to be computed, in words that Belay and every peer understand. All memory is the
// contest's, allocated once, and the same for all who take part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace belay::bench {

enum class Type : std::uint8_t { kFp16, kBf16, kFp32, kInt32, kInt64 };

using Shape = std::vector<std::int64_t>;

/// dst[starts : starts + src_shape] = src
struct SetValueProblem {
  Type type = Type::kFp16;
  Shape dst_shape;
  Shape src_shape;
  Shape starts;
  std::byte* dst = nullptr;
  const std::byte* src = nullptr;
};

/// y = x repeated multiples times; both shapes have as many dimensions.
struct RepeatProblem {
  Type type = Type::kFp16;
  Shape x_shape;
  Shape multiples;
  const std::byte* x = nullptr;
  std::byte* y = nullptr;
};

/// var[.., indices[k], ..] += updates[.., k, ..] along axis; kFp16 or kBf16.
struct IndexAddProblem {
  Type type = Type::kFp16;
  Shape var_shape;
  std::size_t axis = 0;
  std::int64_t index_count = 0;
  bool unique = false;
  std::byte* var = nullptr;
  const std::int32_t* indices = nullptr;
  const std::byte* updates = nullptr;
};

/// aclnnTransQuantParam: the words of n scales and, if there are any, n offsets.
struct QuantProblem {
  std::int64_t n = 0;
  const float* scale = nullptr;
  const float* offset = nullptr;  // may be null
};

std::size_t SizeOf(Type type);
std::string_view NameOf(Type type);
std::int64_t CountOf(const Shape& shape);

/// The shape of y of a RepeatProblem, and that of updates of an IndexAddProblem.
Shape RepeatedShape(const RepeatProblem& problem);
Shape UpdatesShape(const IndexAddProblem& problem);

/// A tensor of any rank seen as [outer, axis, inner].
struct AxisView {
  std::int64_t outer = 1;
  std::int64_t size = 1;
  std::int64_t inner = 1;
};
AxisView ViewAlong(const Shape& shape, std::size_t axis);

/// One call of what is measured.
using Call = std::function<void()>;

}  // namespace belay::bench
