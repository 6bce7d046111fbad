/**
 * @file
 * C++ conveniences: overloads of the runtime functions with optional arguments and typed pointers.
 * Everything here is inline and forwards to a C function. acl.h does not include this header.
 */
#ifndef INC_EXTERNAL_ACL_ACL_RT_API_H_
#define INC_EXTERNAL_ACL_ACL_RT_API_H_

#include <stddef.h>
#include <stdint.h>

#include "acl_rt.h"

#ifdef __cplusplus

/**
 * Synchronisation with a time limit in milliseconds, and a wait with a limit in seconds. Results
 * are those of the functions whose names end in WithTimeout.
 * Source: acl API, C++ overloads.
 */
static inline aclError aclrtSynchronizeDevice(int32_t timeout) {
  return aclrtSynchronizeDeviceWithTimeout(timeout);
}

static inline aclError aclrtSynchronizeStream(aclrtStream stream, int32_t timeout) {
  return aclrtSynchronizeStreamWithTimeout(stream, timeout);
}

static inline aclError aclrtSynchronizeEvent(aclrtEvent event, int32_t timeout) {
  return aclrtSynchronizeEventWithTimeout(event, timeout);
}

static inline aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event, int32_t timeout) {
  return aclrtStreamWaitEventWithTimeout(stream, event, timeout);
}

/**
 * Creation with flags. The event overload makes events that can be recorded again, as
 * aclrtCreateEventExWithFlag does.
 * Source: acl API, C++ overloads.
 */
static inline aclError aclrtCreateStream(aclrtStream* stream, uint32_t priority, uint32_t flag) {
  return aclrtCreateStreamWithConfig(stream, priority, flag);
}

static inline aclError aclrtCreateEvent(aclrtEvent* event, uint32_t flag) {
  return aclrtCreateEventExWithFlag(event, flag);
}

/**
 * Copies between typed pointers. Sizes stay in bytes; results are those of the C functions.
 * Source: acl API, C++ overloads.
 */
template <typename T, typename U>
static inline aclError aclrtMemcpy(T* dst, size_t destMax, const U* src, size_t count,
                                   aclrtMemcpyKind kind) {
  return aclrtMemcpy(static_cast<void*>(dst), destMax, static_cast<const void*>(src), count, kind);
}

template <typename T, typename U>
static inline aclError aclrtMemcpyAsync(T* dst, size_t destMax, const U* src, size_t count,
                                        aclrtMemcpyKind kind, aclrtStream stream) {
  return aclrtMemcpyAsync(static_cast<void*>(dst), destMax, static_cast<const void*>(src), count,
                          kind, stream);
}

template <typename T, typename U>
static inline aclError aclrtMemcpy2d(T* dst, size_t dpitch, const U* src, size_t spitch,
                                     size_t width, size_t height, aclrtMemcpyKind kind) {
  return aclrtMemcpy2d(static_cast<void*>(dst), dpitch, static_cast<const void*>(src), spitch,
                       width, height, kind);
}

template <typename T, typename U>
static inline aclError aclrtMemcpy2dAsync(T* dst, size_t dpitch, const U* src, size_t spitch,
                                          size_t width, size_t height, aclrtMemcpyKind kind,
                                          aclrtStream stream) {
  return aclrtMemcpy2dAsync(static_cast<void*>(dst), dpitch, static_cast<const void*>(src), spitch,
                            width, height, kind, stream);
}

/**
 * Pointer queries and host registration with typed pointers. Results are those of the C functions.
 * Source: acl API, C++ overloads.
 */
template <typename T>
static inline aclError aclrtPointerGetAttributes(const T* ptr, aclrtPtrAttributes* attributes) {
  return aclrtPointerGetAttributes(static_cast<const void*>(ptr), attributes);
}

template <typename T>
static inline aclError aclrtHostRegister(T* ptr, uint64_t size, aclrtHostRegisterType type,
                                         T** devPtr) {
  void* address = nullptr;
  const aclError result = aclrtHostRegister(static_cast<void*>(ptr), size, type,
                                            (devPtr == nullptr) ? nullptr : &address);
  if (result == ACL_SUCCESS && devPtr != nullptr) {
    *devPtr = static_cast<T*>(address);
  }
  return result;
}

template <typename T>
static inline aclError aclrtHostUnregister(T* ptr) {
  return aclrtHostUnregister(static_cast<void*>(ptr));
}

#endif  // __cplusplus

#endif  // INC_EXTERNAL_ACL_ACL_RT_API_H_
