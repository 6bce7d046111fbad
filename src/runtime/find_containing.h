// Looking up which of several stretches of memory an address lies in.
#pragma once

#include <cstdint>
#include <iterator>

#include "base/byte_range.h"

namespace belay::runtime {

/// The entry of an address-ordered map of sized things that contains the address.
template <class Map, class SizeOf>
auto FindContaining(const Map& map, std::uintptr_t address, SizeOf size_of) {
  auto it = map.upper_bound(address);
  if (it == map.begin()) return map.end();
  --it;
  return ByteRange{it->first, size_of(it->second)}.Contains(address) ? it : map.end();
}

}  // namespace belay::runtime
