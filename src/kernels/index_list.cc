#include "kernels/index_list.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "kernels/index_scan.h"

namespace belay::kernels {
namespace {

template <class T>
T Load(const std::byte* from) noexcept {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

template <class From, class To>
void GatherAs(const IndexList& indices, std::byte* to) noexcept {
  for (std::uint64_t k = 0; k < indices.count; ++k) {
    const auto index = static_cast<To>(Load<From>(indices.first + k * indices.stride_bytes));
    std::memcpy(to + k * sizeof(To), &index, sizeof(To));
  }
}

// Without a branch in each step: as fast as memory.
template <class T>
bool AreWithin(const IndexList& indices, std::int64_t limit) noexcept {
  std::uint64_t outside = 0;
  for (std::uint64_t k = 0; k < indices.count; ++k) {
    const auto index = std::int64_t{Load<T>(indices.first + k * indices.stride_bytes)};
    outside |= static_cast<std::uint64_t>(index) > static_cast<std::uint64_t>(limit) ? 1 : 0;
  }
  return outside == 0;
}

bool AreWithin(const IndexList& indices, std::int64_t limit) noexcept {
  if (indices.wide) return AreWithin<std::int64_t>(indices, limit);
  if (indices.stride_bytes != sizeof(std::int32_t)) {
    return AreWithin<std::int32_t>(indices, limit);
  }
  constexpr std::int64_t kLargest = std::numeric_limits<std::int32_t>::max();
  return AllWithin(indices.first, indices.count,
                   static_cast<std::int32_t>(std::min(limit, kLargest)));
}

}  // namespace

std::int64_t IndexList::operator[](std::uint64_t k) const noexcept {
  const std::byte* const at = first + k * stride_bytes;
  return wide ? Load<std::int64_t>(at) : std::int64_t{Load<std::int32_t>(at)};
}

std::optional<std::uint64_t> FindOutside(const IndexList& indices, std::int64_t limit) noexcept {
  if (AreWithin(indices, limit)) return {};
  for (std::uint64_t k = 0; k < indices.count; ++k) {
    if (indices[k] < 0 || indices[k] > limit) return k;
  }
  return {};
}

void Gather(const IndexList& indices, bool as_wide, std::byte* to) noexcept {
  if (indices.wide) {
    return as_wide ? GatherAs<std::int64_t, std::int64_t>(indices, to)
                   : GatherAs<std::int64_t, std::int32_t>(indices, to);
  }
  return as_wide ? GatherAs<std::int32_t, std::int64_t>(indices, to)
                 : GatherAs<std::int32_t, std::int32_t>(indices, to);
}

}  // namespace belay::kernels
