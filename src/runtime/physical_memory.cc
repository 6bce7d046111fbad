#include "runtime/physical_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <limits>
#include <new>

#include "base/checked_math.h"

namespace belay::runtime {
namespace {

// Growing beyond the process's limit would end it with a signal.
std::size_t LargestFile() noexcept {
  constexpr auto kLargest = static_cast<std::size_t>(std::numeric_limits<off_t>::max());
  rlimit limit{};
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur > kLargest) return kLargest;
  return limit.rlim_cur;
}

}  // namespace

PhysicalStore::~PhysicalStore() {
  if (file_ >= 0) ::close(file_);
}

std::optional<ByteRange> PhysicalStore::Take(std::size_t size) {
  const std::lock_guard lock(mutex_);
  if (const std::optional<ByteRange> free = free_.Take(size, /*alignment=*/1)) return free;
  const ByteRange place{file_size_, size};
  if (!Grow(size)) return std::nullopt;
  return place;
}

bool PhysicalStore::Grow(std::size_t size) {
  const std::optional<std::size_t> grown = CheckedAdd(file_size_, size);
  if (!grown || *grown > LargestFile()) return false;
  if (file_ < 0) file_ = ::memfd_create("belay physical memory", MFD_CLOEXEC);
  if (file_ < 0 || ::ftruncate(file_, static_cast<off_t>(*grown)) != 0) return false;
  file_size_ = *grown;
  return true;
}

void PhysicalStore::Give(ByteRange place) noexcept {
  const std::lock_guard lock(mutex_);
  (void)::fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                    static_cast<off_t>(place.begin), static_cast<off_t>(place.size));
  try {
    free_.Give(place);
  } catch (const std::bad_alloc&) {
    // No memory to remember it: the place stays empty for good.
  }
}

bool PhysicalStore::Show(ByteRange place, std::uintptr_t address) noexcept {
  const std::lock_guard lock(mutex_);
  void* const shown =
      ::mmap(reinterpret_cast<void*>(address), place.size, PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_FIXED | MAP_NORESERVE, file_, static_cast<off_t>(place.begin));
  if (shown == MAP_FAILED) return false;
  // Only a wish, as for heaps.
  ::madvise(shown, place.size, MADV_HUGEPAGE);
  return true;
}

void PhysicalStore::Hide(ByteRange addresses) noexcept {
  // It can fail only where the system has no more mappings to split. Then the bytes stay to be
  // seen until something else is mapped there; the memory map refuses the addresses all the same.
  (void)::mmap(reinterpret_cast<void*>(addresses.begin), addresses.size, PROT_NONE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, /*fd=*/-1, /*offset=*/0);
}

}  // namespace belay::runtime
