// Shapes and tensors of the ATB interface as the core knows them, and back.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <type_traits>

#include "atb/types.h"
#include "base/tensor_desc.h"
#include "ops/tensor_operator.h"

namespace belay::atb_face {

/// The number that a program has stored in an enum of the interface. It may be any; reading it as
/// the enum would be undefined.
template <class E>
std::int32_t NumberOf(const E& value) noexcept {
  static_assert(std::is_enum_v<E> && sizeof(E) == sizeof(std::int32_t));
  std::int32_t number = 0;
  std::memcpy(&number, &value, sizeof(number));
  return number;
}

inline Dims ToDims(const ::atb::Dims& shape) noexcept {
  Dims dims;
  std::copy(std::begin(shape.dims), std::end(shape.dims), dims.sizes.begin());
  dims.rank = shape.dimNum;
  return dims;
}

inline TensorDesc ToDesc(const ::atb::TensorDesc& desc) noexcept {
  return {static_cast<DataType>(NumberOf(desc.dtype)), static_cast<Format>(NumberOf(desc.format)),
          ToDims(desc.shape)};
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

/// The descs of a vector of the right length; of any other length only the length counts, since it
/// is refused first.
template <class T>
class DescsOf {
 public:
  DescsOf(const ::atb::SVector<T>& given, std::size_t expected) {
    if (given.size() != expected) {
      wrong_count_ = ops::Descs(kBlanks).first(std::min(given.size(), kBlanks.size()));
      return;
    }
    count_ = expected;
    for (std::size_t i = 0; i < expected; ++i) descs_[i] = ToDesc(DescOf(given.data()[i]));
  }
  [[nodiscard]] ops::Descs get() const {
    return wrong_count_.empty() ? ops::Descs(descs_.data(), count_) : wrong_count_;
  }

 private:
  // Nothing has to be allocated for a refusal.
  static constexpr std::array<TensorDesc, ::atb::MAX_SVECTOR_SIZE> kBlanks{};

  std::array<TensorDesc, ops::kMaxTensors> descs_;
  std::size_t count_ = 0;
  ops::Descs wrong_count_;
};

/// Whether the tensor has that type, format and shape.
inline bool IsOf(const ::atb::Tensor& tensor, const TensorDesc& desc) noexcept {
  const ::atb::TensorDesc& given = tensor.desc;
  return static_cast<DataType>(NumberOf(given.dtype)) == desc.dtype &&
         static_cast<Format>(NumberOf(given.format)) == desc.format &&
         given.shape.dimNum == desc.dims.rank &&
         std::equal(desc.dims.span().begin(), desc.dims.span().end(), std::begin(given.shape.dims));
}

}  // namespace belay::atb_face
