#include "ops/set_value/set_value_reference.h"

namespace belay::ops {

Fault ReferenceSetValueFault(const SetValueCase& data) {
  const std::size_t rank = data.dst.size();
  if (data.src.size() != rank) return Fault::kTensorDimNum;
  if (data.strides.size() != rank || data.starts.size() != rank || data.ends.size() != rank) {
    return Fault::kInvalidParam;
  }
  for (std::size_t i = 0; i < rank; ++i) {
    if (data.src[i] > data.dst[i]) return Fault::kTensorDim;
  }
  for (std::size_t i = 0; i < rank; ++i) {
    if (data.strides[i] != 1) return Fault::kInvalidParam;
  }
  for (std::size_t i = 0; i < rank; ++i) {
    if (data.starts[i] < 0) return Fault::kInvalidParam;
    if (data.ends[i] > data.dst[i]) return Fault::kInvalidParam;
    if (data.starts[i] >= data.ends[i]) return Fault::kInvalidParam;
    if (data.ends[i] - data.starts[i] != data.src[i]) return Fault::kInvalidParam;
  }
  int different = 0;
  for (std::size_t i = 1; i < rank; ++i) {
    if (data.dst[i] != data.src[i]) ++different;
  }
  return different == 1 ? Fault::kNone : Fault::kTensorDim;
}

void ReferenceSetValue(const SetValueCase& data, std::size_t item_bytes,
                       std::vector<std::byte>& dst, const std::vector<std::byte>& src) {
  const std::size_t rank = data.dst.size();
  std::vector<std::int64_t> at(rank, 0);  // position in src
  for (std::size_t item = 0; item < src.size() / item_bytes; ++item) {
    std::int64_t target = 0;
    for (std::size_t i = 0; i < rank; ++i) target = target * data.dst[i] + data.starts[i] + at[i];
    for (std::size_t b = 0; b < item_bytes; ++b) {
      dst[static_cast<std::size_t>(target) * item_bytes + b] = src[item * item_bytes + b];
    }
    for (std::size_t i = rank; i-- > 0;) {
      if (++at[i] < data.src[i]) break;
      at[i] = 0;
    }
  }
}

}  // namespace belay::ops
