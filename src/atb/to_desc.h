// Shapes and tensors of the ATB interface as the core knows them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <type_traits>

#include "atb/types.h"
#include "base/tensor_desc.h"

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

}  // namespace belay::atb_face
