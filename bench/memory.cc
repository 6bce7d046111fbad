#include "memory.h"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <new>

#include "acl/acl.h"
#include "check.h"

namespace belay::bench {

Block DeviceBlock(std::size_t bytes) {
  void* memory = nullptr;
  Check(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
  std::memset(memory, 0, bytes);
  const auto release = [](std::byte* block, std::size_t) { Check(aclrtFree(block), "aclrtFree"); };
  return {static_cast<std::byte*>(memory), {release, bytes}};
}

Block HugeBlock(std::size_t bytes) {
  constexpr std::size_t kHugePage = std::size_t{2} << 20;
  const std::size_t rounded = (bytes + kHugePage - 1) / kHugePage * kHugePage;
  void* memory = std::aligned_alloc(kHugePage, rounded);
  if (memory == nullptr) throw std::bad_alloc();
  madvise(memory, rounded, MADV_HUGEPAGE);  // only a wish
  std::memset(memory, 0, rounded);
  const auto release = [](std::byte* block, std::size_t) { std::free(block); };
  return {static_cast<std::byte*>(memory), {release, rounded}};
}

}  // namespace belay::bench
