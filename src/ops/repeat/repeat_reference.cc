#include "ops/repeat/repeat_reference.h"

namespace belay::ops {
namespace {

std::vector<std::int64_t> WithLeadingOnes(const RepeatCase& data) {
  std::vector<std::int64_t> dims(data.multiples.size() - data.x.size(), 1);
  dims.insert(dims.end(), data.x.begin(), data.x.end());
  return dims;
}

}  // namespace

Fault ReferenceRepeatCreateFault(const RepeatCase& data, Behaviour behaviour) {
  if (data.multiples.size() > 8) return Fault::kInvalidParam;
  int repeated = 0;
  for (const std::int64_t multiple : data.multiples) {
    if (multiple <= 0) return Fault::kInvalidParam;
    if (multiple > 1) ++repeated;
  }
  if (behaviour == Behaviour::kDocumented && repeated > 2) return Fault::kInvalidParam;
  return Fault::kNone;
}

Fault ReferenceRepeatShapeFault(const RepeatCase& data, Behaviour behaviour) {
  const std::size_t n = data.x.size();
  const std::size_t m = data.multiples.size();
  if (n > m) return Fault::kTensorDim;
  std::size_t rep = 0;
  if (behaviour == Behaviour::kReleased) {
    for (std::size_t i = 0; i < n; ++i) {
      if (data.multiples[i] > 1 && data.x[i] > 1) ++rep;
    }
    return rep + n > 8 || rep + m > 8 ? Fault::kTensorDim : Fault::kNone;
  }
  const std::vector<std::int64_t> dims = WithLeadingOnes(data);
  for (std::size_t i = 0; i < m; ++i) {
    if (data.multiples[i] > 1 && dims[i] > 1) ++rep;
  }
  return rep + m > 8 ? Fault::kTensorDim : Fault::kNone;
}

std::vector<std::int64_t> ReferenceRepeatDims(const RepeatCase& data) {
  std::vector<std::int64_t> dims = WithLeadingOnes(data);
  for (std::size_t i = 0; i < dims.size(); ++i) dims[i] *= data.multiples[i];
  return dims;
}

std::vector<std::byte> ReferenceRepeat(const RepeatCase& data, std::size_t item_bytes,
                                       const std::vector<std::byte>& x) {
  const std::vector<std::int64_t> x_dims = WithLeadingOnes(data);
  const std::vector<std::int64_t> y_dims = ReferenceRepeatDims(data);
  std::size_t count = 1;
  for (const std::int64_t size : y_dims) count *= static_cast<std::size_t>(size);

  std::vector<std::byte> y;
  std::vector<std::int64_t> at(y_dims.size(), 0);
  for (std::size_t item = 0; item < count; ++item) {
    std::int64_t source = 0;
    for (std::size_t i = 0; i < at.size(); ++i) source = source * x_dims[i] + at[i] % x_dims[i];
    for (std::size_t b = 0; b < item_bytes; ++b) {
      y.push_back(x[static_cast<std::size_t>(source) * item_bytes + b]);
    }
    for (std::size_t i = at.size(); i-- > 0;) {
      if (++at[i] < y_dims[i]) break;
      at[i] = 0;
    }
  }
  return y;
}

}  // namespace belay::ops
