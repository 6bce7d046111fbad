#include "alloc_failure/injector.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <new>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define BELAY_SANITIZER_OWNS_HEAP 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define BELAY_SANITIZER_OWNS_HEAP 1
#endif
#endif

namespace belay::alloc_failure {
namespace {

constexpr std::int64_t kNever = INT64_MIN;

// Requests left until the one that fails; below 1 when it has.
std::array<std::atomic<std::int64_t>, 5> countdown = {kNever, kNever, kNever, kNever, kNever};
std::atomic<bool> later_ones_fail{false};
std::atomic<std::int64_t>* armed = nullptr;

bool Fails(Source source) {
  auto& left = countdown[static_cast<std::size_t>(source)];
  if (left.load(std::memory_order_relaxed) == kNever) return false;
  const std::int64_t before = left.fetch_sub(1, std::memory_order_acq_rel);
  return before == 1 || (before < 1 && later_ones_fail.load(std::memory_order_relaxed));
}

void* Allocate(std::size_t size) {
  if (Fails(Source::kNew)) return nullptr;
  return std::malloc(size != 0 ? size : 1);
}

void* Allocate(std::size_t size, std::align_val_t alignment) {
  if (Fails(Source::kNew)) return nullptr;
  const auto step = static_cast<std::size_t>(alignment);
  return std::aligned_alloc(step, (size + step - 1) / step * step);
}

void* OrThrow(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

bool CanFailCHeap() {
#if defined(BELAY_SANITIZER_OWNS_HEAP)
  return false;
#else
  return true;
#endif
}

Injection::Injection(std::int64_t nth, Source source, Extent extent) {
  later_ones_fail.store(extent == Extent::kAllLater);
  armed = &countdown[static_cast<std::size_t>(source)];
  armed->store(nth);
}

Injection::~Injection() { armed->store(kNever); }

bool Injection::fired() const {
  const std::int64_t left = armed->load();
  return left < 1 && left != kNever;
}

}  // namespace belay::alloc_failure

using belay::alloc_failure::Allocate;
using belay::alloc_failure::Fails;
using belay::alloc_failure::OrThrow;
using belay::alloc_failure::Source;

void* operator new(std::size_t size) { return OrThrow(Allocate(size)); }
void* operator new[](std::size_t size) { return OrThrow(Allocate(size)); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return Allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return Allocate(size); }
void* operator new(std::size_t size, std::align_val_t a) { return OrThrow(Allocate(size, a)); }
void* operator new[](std::size_t size, std::align_val_t a) { return OrThrow(Allocate(size, a)); }
void* operator new(std::size_t size, std::align_val_t a, const std::nothrow_t&) noexcept {
  return Allocate(size, a);
}
void* operator new[](std::size_t size, std::align_val_t a, const std::nothrow_t&) noexcept {
  return Allocate(size, a);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

extern "C" {

void* mmap(void* address, std::size_t size, int protection, int flags, int file,
           off_t offset) noexcept {
  if (Fails(Source::kMmap)) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  // The system's answer is an address, or -1 as MAP_FAILED.
  return reinterpret_cast<void*>(
      ::syscall(SYS_mmap, address, size, protection, flags, file, offset));
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                   void* argument) noexcept {
  if (Fails(Source::kThread)) return EAGAIN;
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto next = reinterpret_cast<Create>(::dlsym(RTLD_NEXT, "pthread_create"));
  return next(thread, attributes, run, argument);
}

#if !defined(BELAY_SANITIZER_OWNS_HEAP)
// The C library's own names.
void* __libc_calloc(std::size_t count, std::size_t size);  // NOLINT
void* __libc_realloc(void* memory, std::size_t size);      // NOLINT

void* calloc(std::size_t count, std::size_t size) noexcept {
  if (Fails(Source::kCalloc)) {
    errno = ENOMEM;
    return nullptr;
  }
  return __libc_calloc(count, size);
}

void* realloc(void* memory, std::size_t size) noexcept {
  if (Fails(Source::kRealloc)) {
    errno = ENOMEM;
    return nullptr;
  }
  return __libc_realloc(memory, size);
}
#endif

}  // extern "C"
