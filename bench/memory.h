// Memory of the benchmark: device blocks as programs get them, and host blocks of huge pages for
// measuring the machine itself.
#pragma once

#include <cstddef>
#include <memory>

namespace belay::bench {

struct Release {
  void (*release)(std::byte*, std::size_t) = nullptr;
  std::size_t bytes = 0;
  void operator()(std::byte* block) const { release(block, bytes); }
};
using Block = std::unique_ptr<std::byte, Release>;

/// From aclrtMalloc; every page is touched.
Block DeviceBlock(std::size_t bytes);

/// Aligned to 2 MiB, of huge pages where the kernel gives them; every page is touched.
Block HugeBlock(std::size_t bytes);

}  // namespace belay::bench
