// Checks that the C++ overloads of acl_rt_api.h resolve without ambiguity.
// The calls are not evaluated, so this test needs no runtime library.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "acl/acl_rt_api.h"

namespace {

#define RESOLVES(...) \
  static_assert(std::is_same<decltype(__VA_ARGS__), aclError>::value, "overload")

template <typename T>
T Some() noexcept;

constexpr aclrtMemcpyKind kKind = ACL_MEMCPY_DEFAULT;

// Synchronisation and creation, with and without the optional arguments.
RESOLVES(aclrtSynchronizeDevice());
RESOLVES(aclrtSynchronizeDevice(10));
RESOLVES(aclrtSynchronizeStream(Some<aclrtStream>()));
RESOLVES(aclrtSynchronizeStream(Some<aclrtStream>(), 10));
RESOLVES(aclrtSynchronizeStream(nullptr, 10));
RESOLVES(aclrtSynchronizeEvent(Some<aclrtEvent>()));
RESOLVES(aclrtSynchronizeEvent(Some<aclrtEvent>(), 10));
RESOLVES(aclrtStreamWaitEvent(Some<aclrtStream>(), Some<aclrtEvent>()));
RESOLVES(aclrtStreamWaitEvent(Some<aclrtStream>(), Some<aclrtEvent>(), 10));
RESOLVES(aclrtCreateStream(Some<aclrtStream*>()));
RESOLVES(aclrtCreateStream(Some<aclrtStream*>(), 0U, ACL_STREAM_FAST_SYNC));
RESOLVES(aclrtCreateStream(Some<aclrtStream*>(), 0, 0));
RESOLVES(aclrtCreateEvent(Some<aclrtEvent*>()));
RESOLVES(aclrtCreateEvent(Some<aclrtEvent*>(), ACL_EVENT_SYNC));

// Copies: untyped, typed, mixed and null pointers, and sizes of another integer type.
template <typename Dst, typename Src, typename Size>
constexpr bool CopiesResolve() {
  RESOLVES(aclrtMemcpy(Some<Dst>(), Some<Size>(), Some<Src>(), Some<Size>(), kKind));
  RESOLVES(aclrtMemcpyAsync(Some<Dst>(), Some<Size>(), Some<Src>(), Some<Size>(), kKind,
                            Some<aclrtStream>()));
  RESOLVES(aclrtMemcpyAsync(Some<Dst>(), Some<Size>(), Some<Src>(), Some<Size>(), kKind, nullptr));
  RESOLVES(aclrtMemcpy2d(Some<Dst>(), Some<Size>(), Some<Src>(), Some<Size>(), Some<Size>(),
                         Some<Size>(), kKind));
  RESOLVES(aclrtMemcpy2dAsync(Some<Dst>(), Some<Size>(), Some<Src>(), Some<Size>(), Some<Size>(),
                              Some<Size>(), kKind, Some<aclrtStream>()));
  return true;
}

template <typename Dst>
constexpr bool SourcesResolve() {
  return CopiesResolve<Dst, void*, size_t>() && CopiesResolve<Dst, const void*, size_t>() &&
         CopiesResolve<Dst, float*, size_t>() && CopiesResolve<Dst, const float*, size_t>() &&
         CopiesResolve<Dst, const int8_t*, int>() && CopiesResolve<Dst, std::nullptr_t, size_t>();
}

static_assert(SourcesResolve<void*>(), "void* destination");
static_assert(SourcesResolve<float*>(), "typed destination");
static_assert(SourcesResolve<uint16_t* const&>(), "typed destination held in a constant");
static_assert(SourcesResolve<std::nullptr_t>(), "null destination");

// Pointer queries and host registration.
RESOLVES(aclrtPointerGetAttributes(Some<void*>(), Some<aclrtPtrAttributes*>()));
RESOLVES(aclrtPointerGetAttributes(Some<const void*>(), Some<aclrtPtrAttributes*>()));
RESOLVES(aclrtPointerGetAttributes(Some<float*>(), Some<aclrtPtrAttributes*>()));
RESOLVES(aclrtPointerGetAttributes(Some<const float*>(), Some<aclrtPtrAttributes*>()));
RESOLVES(aclrtPointerGetAttributes(nullptr, Some<aclrtPtrAttributes*>()));
RESOLVES(aclrtHostRegister(Some<void*>(), 64, ACL_HOST_REGISTER_MAPPED, Some<void**>()));
RESOLVES(aclrtHostRegister(Some<float*>(), 64, ACL_HOST_REGISTER_MAPPED, Some<void**>()));
RESOLVES(aclrtHostRegister(Some<float*>(), 64, ACL_HOST_REGISTER_MAPPED, Some<float**>()));
RESOLVES(aclrtHostRegister(Some<float*>(), 64, ACL_HOST_REGISTER_MAPPED, nullptr));
RESOLVES(aclrtHostUnregister(Some<void*>()));
RESOLVES(aclrtHostUnregister(Some<float*>()));
RESOLVES(aclrtHostUnregister(nullptr));

// The checks above run at compile time; this test makes them visible in the report.
TEST(AbiOverloads, Resolve) { SUCCEED(); }

}  // namespace
