// The host's page size: 4 KiB on most machines, 64 KiB on many with arm64.
#pragma once

#include <unistd.h>

#include <cstddef>

namespace belay::runtime {

inline std::size_t HostPageBytes() noexcept {
  static const auto bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

}  // namespace belay::runtime
