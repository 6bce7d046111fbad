// The public tensors and descs, and the operators' own.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <vector>

#include "atb/types.h"
#include "base/tensor_desc.h"
#include "ops/tensor_operator.h"

namespace belay::atb_face {

inline TensorDesc ToDesc(const ::atb::TensorDesc& desc) noexcept {
  TensorDesc result;
  result.dtype = static_cast<DataType>(desc.dtype);
  result.format = static_cast<Format>(desc.format);
  std::copy(std::begin(desc.shape.dims), std::end(desc.shape.dims), result.dims.sizes.begin());
  result.dims.rank = desc.shape.dimNum;
  return result;
}

inline ::atb::TensorDesc FromDesc(const TensorDesc& desc) noexcept {
  ::atb::TensorDesc result;
  result.dtype = static_cast<aclDataType>(desc.dtype);
  result.format = static_cast<aclFormat>(desc.format);
  std::copy(desc.dims.sizes.begin(), desc.dims.sizes.end(), std::begin(result.shape.dims));
  result.shape.dimNum = desc.dims.rank;
  return result;
}

inline const ::atb::TensorDesc& DescOf(const ::atb::TensorDesc& desc) noexcept { return desc; }
inline const ::atb::TensorDesc& DescOf(const ::atb::Tensor& tensor) noexcept { return tensor.desc; }

// The descs of a vector of the right length; of any other length only the length counts, since it
// is refused first.
template <class T>
class DescsOf {
 public:
  DescsOf(const ::atb::SVector<T>& given, std::size_t expected) {
    if (given.size() != expected) {
      wrong_count_.resize(given.size());
      return;
    }
    count_ = expected;
    for (std::size_t i = 0; i < expected; ++i) descs_[i] = ToDesc(DescOf(given.data()[i]));
  }
  [[nodiscard]] ops::Descs get() const {
    return wrong_count_.empty() ? ops::Descs(descs_.data(), count_) : ops::Descs(wrong_count_);
  }

 private:
  std::array<TensorDesc, ops::kMaxTensors> descs_;
  std::size_t count_ = 0;
  std::vector<TensorDesc> wrong_count_;
};

inline bool IsOf(const ::atb::Tensor& tensor, const TensorDesc& desc) noexcept {
  const ::atb::TensorDesc& given = tensor.desc;
  return static_cast<DataType>(given.dtype) == desc.dtype &&
         static_cast<Format>(given.format) == desc.format && given.shape.dimNum == desc.dims.rank &&
         std::equal(desc.dims.sizes.begin(), desc.dims.sizes.begin() + desc.dims.rank,
                    std::begin(given.shape.dims));
}

inline void* AddressOf(const ::atb::Tensor& tensor) noexcept {
  return tensor.deviceData != nullptr ? tensor.deviceData : tensor.hostData;
}

}  // namespace belay::atb_face
