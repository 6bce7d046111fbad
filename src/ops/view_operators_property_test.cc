// The operators that move elements between views, against plain loops: views of any shape, order,
// spacing and offset, every type; also bytes between the elements.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "kernels/cast_reference.h"
#include "ops/copy/expand.h"
#include "ops/copy/inplace_copy.h"
#include "ops/repeat/repeat_views.h"
#include "ops/set_value/strided_slice_assign.h"
#include "support/view_tensor.h"

namespace belay::ops {
namespace {

using testing::AclnnWho;
using testing::Bytes;
using testing::Count;
using testing::IndexOf;
using testing::RunOn;
using testing::Shape;
using testing::ViewTensor;

const Profile kWho = AclnnWho(Behaviour::kDocumented);

int Draw(int low, int high) { return *rc::gen::inRange(low, high + 1); }

DataType DrawType() {
  return kernels::kCastTypes[Draw(0, static_cast<int>(std::size(kernels::kCastTypes)) - 1)];
}

Shape DrawShape(int max_rank, int max_size = 5) {
  Shape shape(static_cast<std::size_t>(Draw(0, max_rank)));
  std::size_t count = 1;
  for (std::int64_t& size : shape) {
    size = *rc::gen::weightedOneOf<int>(
        {{8, rc::gen::inRange(1, max_size + 1)}, {1, rc::gen::inRange(1, 60)}});
    if (count * static_cast<std::size_t>(size) > 3000) size = 1;
    count *= static_cast<std::size_t>(size);
  }
  return shape;
}

// Elements apart, the dimensions nested in any order, with or without gaps; or no gaps at all.
ViewTensor DrawWritten(DataType type, const Shape& shape) {
  const auto seed = static_cast<unsigned>(Draw(1, 1000));
  if (Draw(0, 3) == 0) return ViewTensor::Contiguous(type, shape, seed);
  std::vector<std::size_t> order(shape.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = order.size(); i-- > 1;) {
    std::swap(order[i], order[static_cast<std::size_t>(Draw(0, static_cast<int>(i)))]);
  }
  Shape strides(shape.size());
  std::int64_t stride = 1;
  for (const std::size_t dim : order) {
    stride += *rc::gen::weightedElement<int>({{3, 0}, {1, 1}, {1, 3}});
    strides[dim] = stride;
    stride *= shape[dim];
  }
  return ViewTensor::WithStrides(type, shape, strides, static_cast<std::size_t>(Draw(0, 5)), seed);
}

// The same, or expanded or overlapping in some dimensions.
ViewTensor DrawRead(DataType type, const Shape& shape) {
  const ViewTensor tensor = DrawWritten(type, shape);
  Shape strides = tensor.strides;
  for (std::int64_t& stride : strides) {
    if (Draw(0, 4) == 0) stride = Draw(0, 2);
  }
  return ViewTensor::WithStrides(type, shape, strides, tensor.offset,
                                 static_cast<unsigned>(Draw(1, 1000)));
}

// A shape that broadcasts to the given one.
Shape DrawBroadcast(const Shape& shape) {
  const int skipped = Draw(0, 2) == 0 ? Draw(0, static_cast<int>(shape.size())) : 0;
  Shape result(shape.begin() + skipped, shape.end());
  for (std::int64_t& size : result) {
    if (Draw(0, 2) == 0) size = 1;
  }
  return result;
}

// Where the element at `index` of a larger tensor comes from: dimension by dimension from the last
// one on, by place modulo size.
Shape SourceIndex(const Shape& index, const Shape& source) {
  Shape result(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    result[i] = index[index.size() - source.size() + i] % source[i];
  }
  return result;
}

// dst as it should be when each of its elements is a cast of the source's.
Bytes Expected(const ViewTensor& dst, const ViewTensor& src) {
  ViewTensor expected = dst;
  for (std::size_t i = 0; i < Count(dst.shape); ++i) {
    const Shape index = IndexOf(dst.shape, i);
    kernels::ReferenceCast(src.type, dst.type, src.At(SourceIndex(index, src.shape)),
                           expected.At(index));
  }
  return expected.memory;
}

Plan Planned(const StatusOr<Plan>& plan) {
  RC_ASSERT(plan.has_value());
  return *plan;
}

RC_GTEST_PROP(ViewOperators, InplaceCopyCastsAndBroadcasts, ()) {
  const DataType from = DrawType();
  const DataType to = Draw(0, 2) == 0 ? from : DrawType();
  const Shape shape = DrawShape(8);
  const ViewTensor dst = DrawWritten(to, shape);
  const ViewTensor src = DrawRead(from, DrawBroadcast(shape));
  const Plan plan = Planned(InplaceCopy::MakePlan(dst.view(), src.view(), kWho));
  const std::vector<Bytes> after = RunOn(plan, {&dst, &src});
  RC_ASSERT(after[0] == Expected(dst, src));
  RC_ASSERT(after[1] == src.memory);
}

RC_GTEST_PROP(ViewOperators, ExpandBroadcasts, ()) {
  const DataType type =
      *rc::gen::element(DataType::kFloat16, DataType::kFloat, DataType::kUint8, DataType::kInt8,
                        DataType::kInt32, DataType::kInt64, DataType::kBool, DataType::kBf16);
  const Shape shape = DrawShape(8);
  const ViewTensor out = DrawWritten(type, shape);
  const ViewTensor self = DrawRead(type, DrawBroadcast(shape));
  const Plan plan = Planned(Expand::MakePlan({shape}, self.view(), out.view(), kWho));
  const std::vector<Bytes> after = RunOn(plan, {&self, &out});
  RC_ASSERT(after[1] == Expected(out, self));
  RC_ASSERT(after[0] == self.memory);
}

RC_GTEST_PROP(ViewOperators, RepeatTiles, ()) {
  const DataType type = DrawType();
  const Shape dims = DrawShape(8, 3);
  Shape repeats(dims.size() + static_cast<std::size_t>(Draw(0, 8 - static_cast<int>(dims.size()))));
  Shape shape(repeats.size());
  int left = 3;
  for (std::size_t i = 0; i < repeats.size(); ++i) {
    repeats[i] = left > 0 && Draw(0, 2) == 0 ? Draw(2, 4) : 1;
    left -= repeats[i] > 1 ? 1 : 0;
    const std::size_t added = repeats.size() - dims.size();
    shape[i] = repeats[i] * (i < added ? 1 : dims[i - added]);
  }
  const bool dense = Draw(0, 3) == 0;
  const ViewTensor self = dense ? ViewTensor::Contiguous(type, dims) : DrawRead(type, dims);
  const ViewTensor out = dense ? ViewTensor::Contiguous(type, shape, 2) : DrawWritten(type, shape);
  const Plan plan = Planned(RepeatViews::MakePlan({repeats}, self.view(), out.view(), kWho));
  const std::vector<Bytes> after = RunOn(plan, {&self, &out});
  RC_ASSERT(after[1] == Expected(out, self));
  RC_ASSERT(after[0] == self.memory);
}

// begin, end and stride of a dimension, in any of the ways to say them.
struct Range {
  std::int64_t begin;
  std::int64_t end;
  std::int64_t stride;
  std::int64_t first;  // what they mean
  std::int64_t count;
};

Range DrawRange(std::int64_t size, bool is_last) {
  const auto most = static_cast<int>(size);
  Range range{};
  range.first = Draw(0, most);
  const std::int64_t stop = Draw(0, most);
  range.stride = is_last ? 1 : Draw(1, 3);
  for (std::int64_t i = range.first; i < stop; i += range.stride) ++range.count;
  const auto say = [&](std::int64_t place) -> std::int64_t {
    if (place == size && Draw(0, 1) == 0) return *rc::gen::element(size + 3, INT64_MAX);
    if (place == 0 && Draw(0, 2) == 0) return *rc::gen::element(-size - 3, INT64_MIN);
    return place < size && Draw(0, 1) == 0 ? place - size : place;
  };
  range.begin = say(range.first);
  range.end = say(stop);
  return range;
}

RC_GTEST_PROP(ViewOperators, StridedSliceAssignWritesTheSlice, ()) {
  const DataType type =
      *rc::gen::element(DataType::kFloat16, DataType::kFloat, DataType::kBf16, DataType::kInt32,
                        DataType::kInt64, DataType::kDouble, DataType::kInt8);
  Shape shape = DrawShape(8);
  if (shape.empty()) shape = {4};
  const ViewTensor var = DrawWritten(type, shape);
  Shape begin;
  Shape end;
  Shape strides;
  Shape axes;
  Shape slice = shape;
  Shape first(shape.size(), 0);
  Shape step(shape.size(), 1);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (Draw(0, 3) == 0) continue;
    const Range range = DrawRange(shape[i], i + 1 == shape.size());
    begin.push_back(range.begin);
    end.push_back(range.end);
    strides.push_back(range.stride);
    const auto axis = static_cast<std::int64_t>(i);
    axes.push_back(Draw(0, 1) == 0 ? axis : axis - static_cast<std::int64_t>(shape.size()));
    slice[i] = range.count;
    first[i] = range.first;
    step[i] = range.stride;
  }
  const ViewTensor value =
      Count(slice) == 0 ? ViewTensor::Contiguous(type, slice) : DrawRead(type, slice);
  const Plan plan = Planned(
      StridedSliceAssign::MakePlan({begin, end, strides, axes}, var.view(), value.view(), kWho));
  ViewTensor expected = var;
  for (std::size_t i = 0; i < Count(slice); ++i) {
    const Shape index = IndexOf(slice, i);
    Shape place = first;
    for (std::size_t dim = 0; dim < place.size(); ++dim) place[dim] += index[dim] * step[dim];
    std::memcpy(expected.At(place), value.At(index), ItemBytes(type));
  }
  const std::vector<Bytes> after = RunOn(plan, {&var, &value});
  RC_ASSERT(after[0] == expected.memory);
  RC_ASSERT(after[1] == value.memory);
}

// Enough for several threads.
TEST(ViewOperators, LargeTensors) {
  const Shape shape = {700, 3, 900};
  const ViewTensor src = ViewTensor::WithStrides(DataType::kFloat, shape, {1, 700 * 900, 700});
  const ViewTensor floats = ViewTensor::Contiguous(DataType::kFloat, shape, 2);
  const ViewTensor halves = ViewTensor::WithStrides(DataType::kFloat16, shape, {2701, 900, 1}, 1);
  for (const ViewTensor* dst : {&floats, &halves}) {
    const StatusOr<Plan> plan = InplaceCopy::MakePlan(dst->view(), src.view(), kWho);
    ASSERT_TRUE(plan);
    EXPECT_TRUE(RunOn(*plan, {dst, &src})[0] == Expected(*dst, src));
  }
  const Shape repeats = {1, 2, 1, 2};
  const ViewTensor row = ViewTensor::Contiguous(DataType::kInt32, {300, 500});
  const ViewTensor out =
      ViewTensor::WithStrides(DataType::kInt32, {1, 2, 300, 1000}, {0, 400'000, 1300, 1}, 3);
  const StatusOr<Plan> plan = RepeatViews::MakePlan({repeats}, row.view(), out.view(), kWho);
  ASSERT_TRUE(plan);
  EXPECT_TRUE(RunOn(*plan, {&row, &out})[1] == Expected(out, row));
}

}  // namespace
}  // namespace belay::ops
