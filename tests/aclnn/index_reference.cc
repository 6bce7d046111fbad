// What index_case.h expects of the operators.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "aclnn/index_case.h"
#include "ops/index_add/index_add_reference.h"

namespace belay::test {
namespace {

using Items = std::vector<Item>;

template <class T>
T As(const Item& item) {
  T value;
  std::memcpy(&value, item.data(), sizeof(T));
  return value;
}
template <class T>
Item ToItem(T value) {
  Item item{};
  std::memcpy(item.data(), &value, sizeof(T));
  return item;
}

// Volatile: each product and each sum is rounded to T.
template <class T>
T FloatSum(T start, const std::vector<T>& updates, T alpha) {
  volatile T sum = start;
  for (const T update : updates) {
    volatile T product = alpha * update;
    sum = sum + product;
  }
  return sum;
}

template <class T>
Item FloatItem(T value) {
  return ToItem(std::isnan(value) ? std::numeric_limits<T>::quiet_NaN() : value);
}

template <class T, class To>
std::vector<To> All(const Items& updates) {
  std::vector<To> values;
  for (const Item& update : updates) values.push_back(static_cast<To>(As<T>(update)));
  return values;
}

// Modulo 2^64, of which the lowest bits are kept.
Item IntegerSum(const Item& start, const Items& updates, long double alpha) {
  const auto factor = static_cast<std::uint64_t>(static_cast<std::int64_t>(alpha));  // truncated
  auto sum = As<std::uint64_t>(start);
  for (const Item& update : updates) sum += factor * As<std::uint64_t>(update);
  return ToItem(sum);
}

Item BoolSum(const Item& start, const Items& updates, long double alpha) {
  bool any = start[0] != 0;
  for (const Item& update : updates) any = any || (alpha != 0 && update[0] != 0);
  return ToItem<std::uint8_t>(any ? 1 : 0);
}

template <class Sum>
Item HalfSum(DataType type, const Item& start, const Items& updates, Sum alpha) {
  const auto value = [type](const Item& bytes) {
    return static_cast<Sum>(ops::ReferenceHalfValue(type, As<std::uint16_t>(bytes)));
  };
  std::vector<Sum> values;
  for (const Item& update : updates) values.push_back(value(update));
  const Sum sum = FloatSum(value(start), values, alpha);
  return ToItem(ops::ReferenceHalfBits(type, static_cast<double>(sum)));
}

Item SumOf(aclDataType type, bool wide, const Item& start, const Items& updates,
           long double alpha) {
  switch (type) {
    case ACL_FLOAT16:
    case ACL_BF16: {
      const DataType half = type == ACL_BF16 ? DataType::kBf16 : DataType::kFloat16;
      return wide ? HalfSum(half, start, updates, static_cast<double>(alpha))
                  : HalfSum(half, start, updates, static_cast<float>(alpha));
    }
    case ACL_FLOAT:
      if (wide) {
        return FloatItem(
            static_cast<float>(FloatSum(static_cast<double>(As<float>(start)),
                                        All<float, double>(updates), static_cast<double>(alpha))));
      }
      return FloatItem(
          FloatSum(As<float>(start), All<float, float>(updates), static_cast<float>(alpha)));
    case ACL_DOUBLE:
      return FloatItem(
          FloatSum(As<double>(start), All<double, double>(updates), static_cast<double>(alpha)));
    case ACL_BOOL:
      return BoolSum(start, updates, alpha);
    default:
      return IntegerSum(start, updates, alpha);
  }
}

}  // namespace

std::size_t ItemBytesOf(aclDataType type) {
  switch (type) {
    case ACL_INT8:
    case ACL_UINT8:
    case ACL_BOOL:
      return 1;
    case ACL_FLOAT16:
    case ACL_BF16:
    case ACL_INT16:
    case ACL_UINT16:
      return 2;
    case ACL_FLOAT:
    case ACL_INT32:
    case ACL_UINT32:
      return 4;
    case ACL_COMPLEX128:
      return 16;
    default:
      return 8;
  }
}

std::int64_t View::Count() const {
  std::int64_t count = 1;
  for (const std::int64_t size : dims) count *= size;
  return count;
}

std::size_t View::Position(const Shape& index) const {
  std::int64_t at = offset;
  for (std::size_t i = 0; i < dims.size(); ++i) at += index[i] * strides[i];
  return static_cast<std::size_t>(at) * ItemBytesOf(type);
}

Item View::Element(const Shape& index) const {
  Item item{};
  std::memcpy(item.data(), storage.data() + Position(index), ItemBytesOf(type));
  return item;
}

std::int64_t View::Extent() const {
  std::int64_t extent = offset + 1;
  for (std::size_t i = 0; i < dims.size(); ++i) extent += (dims[i] - 1) * strides[i];
  return extent;
}

View Contiguous(aclDataType type, const Shape& dims) {
  View view{type, dims, Shape(dims.size()), 0, {}, ACL_FORMAT_ND};
  std::int64_t stride = 1;
  for (std::size_t i = dims.size(); i-- > 0;) {
    view.strides[i] = stride;
    stride *= dims[i];
  }
  view.storage.resize(static_cast<std::size_t>(view.Count()) * ItemBytesOf(type));
  return view;
}

void ForEachIndex(const Shape& dims, const std::function<void(const Shape&)>& visit) {
  if (std::ranges::find(dims, 0) != dims.end()) return;
  Shape index(dims.size(), 0);
  while (true) {
    visit(index);
    std::size_t i = dims.size();
    while (i > 0 && index[i - 1] == dims[i - 1] - 1) index[--i] = 0;
    if (i == 0) return;
    ++index[i - 1];
  }
}

std::vector<std::int64_t> IndicesOf(const View& index) {
  std::vector<std::int64_t> values;
  ForEachIndex(index.dims, [&](const Shape& at) {
    const Item bytes = index.Element(at);
    values.push_back(index.type == ACL_INT64 ? As<std::int64_t>(bytes) : As<std::int32_t>(bytes));
  });
  return values;
}

Bytes Expected(const IndexCase& call, bool deterministic) {
  const bool in_place = call.op == IndexOp::kInplaceCopy || call.self_is_out;
  const bool copies = call.op == IndexOp::kCopy || call.op == IndexOp::kInplaceCopy;
  const View& out = in_place ? call.self : call.out;
  const View& source = call.source_is_out ? out : call.source;
  const bool v2 = call.op == IndexOp::kAddV2 && !deterministic;
  long double alpha = v2 && call.mode == 0 ? 1 : call.alpha.value;
  // The only saturation that the tests' alphas, which are small, come to.
  const bool from_float = call.alpha.type == ACL_FLOAT || call.alpha.type == ACL_DOUBLE;
  if (call.self.type == ACL_UINT8 && from_float && alpha < 0) alpha = 0;
  const auto rank = static_cast<std::int64_t>(call.self.dims.size());
  const auto axis = static_cast<std::size_t>(
      call.dim < 0 ? call.dim + std::max<std::int64_t>(rank, 1) : call.dim);
  const std::vector<std::int64_t> indices = IndicesOf(call.index_is_out ? out : call.index);

  std::map<std::int64_t, std::vector<std::size_t>> positions;
  for (std::size_t k = 0; k < indices.size(); ++k) positions[indices[k]].push_back(k);

  Bytes result = out.storage;
  Items updates;
  Shape from;
  ForEachIndex(call.self.dims, [&](const Shape& at) {
    updates.clear();
    from = at;
    from.resize(source.dims.size());
    for (const std::size_t k : positions[rank == 0 ? 0 : at[axis]]) {
      if (!from.empty()) from[axis] = static_cast<std::int64_t>(k);
      updates.push_back(source.Element(from));
    }
    Item value = call.self.Element(at);
    if (!updates.empty()) {
      value = copies ? updates.back()
                     : SumOf(call.self.type, v2 && call.mode != 0, value, updates, alpha);
    }
    std::memcpy(result.data() + out.Position(at), value.data(), ItemBytesOf(out.type));
  });
  return result;
}

}  // namespace belay::test
