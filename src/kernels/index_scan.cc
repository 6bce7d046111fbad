#include "kernels/index_scan.h"

#include <cstring>

// This file is compiled once for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/index_scan.cc"
// clang-format off
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace belay::kernels {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Indices = hn::ScalableTag<std::int32_t>;

template <class D>
HWY_INLINE hn::Vec<D> LoadIndices(D d, const std::byte* indices, std::size_t i) {
  return hn::LoadU(d, reinterpret_cast<const std::int32_t*>(indices + i * sizeof(std::int32_t)));
}

HWY_INLINE std::int32_t LoadIndex(const std::byte* indices, std::size_t i) {
  std::int32_t index = 0;
  std::memcpy(&index, indices + i * sizeof(index), sizeof(index));
  return index;
}

bool AllWithin(const std::byte* indices, std::size_t count, std::int32_t limit) {
  const Indices d;
  const std::size_t lanes = hn::Lanes(d);
  const auto largest = hn::Set(d, limit);
  std::size_t i = 0;
  // The sign bit of the union of all (index | limit - index) says whether one is outside; limit -
  // index cannot overflow while index is not negative.
  const auto outside = [&](std::size_t at) HWY_ATTR {
    const auto index = LoadIndices(d, indices, at);
    return hn::Or(index, hn::Sub(largest, index));
  };
  auto first = hn::Zero(d);
  auto second = hn::Zero(d);
  for (; count - i >= 2 * lanes; i += 2 * lanes) {
    first = hn::Or(first, outside(i));
    second = hn::Or(second, outside(i + lanes));
  }
  bool within = hn::AllFalse(d, hn::Lt(hn::Or(first, second), hn::Zero(d)));
  for (; i < count; ++i) {
    const std::int32_t index = LoadIndex(indices, i);
    within = within && index >= 0 && index <= limit;
  }
  return within;
}

bool IsAscending(const std::byte* indices, std::size_t count) {
  const Indices d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes < count; i += lanes) {
    const auto falls = hn::Lt(LoadIndices(d, indices, i + 1), LoadIndices(d, indices, i));
    if (!hn::AllFalse(d, falls)) return false;
  }
  for (; i + 1 < count; ++i) {
    if (LoadIndex(indices, i + 1) < LoadIndex(indices, i)) return false;
  }
  return true;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace belay::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace belay::kernels {
namespace {

HWY_EXPORT(AllWithin);
HWY_EXPORT(IsAscending);

}  // namespace

bool AllWithin(const std::byte* indices, std::size_t count, std::int32_t limit) {
  return HWY_DYNAMIC_DISPATCH(AllWithin)(indices, count, limit);
}

bool IsAscending(const std::byte* indices, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(IsAscending)(indices, count);
}

}  // namespace belay::kernels
#endif  // HWY_ONCE
