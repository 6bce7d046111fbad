// Work as values. A Plan says what will run and which bytes of each argument it touches; it has no
// addresses. A Launch is a Plan with addresses: what a stream runs, what the memory map checks and
// what an observer sees.
//
// Both are of fixed size and trivially copyable: making and launching one allocates nothing. What a
// run needs beyond its arguments it takes before it writes.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "base/float_overflow.h"
#include "base/status.h"

namespace belay {

enum class AccessMode : std::uint8_t { kRead, kWrite, kReadWrite };

/// Bytes [offset, offset + size) of one argument that a plan reads or writes.
struct Access {
  const char* argument = "";  // the API's own word: "var", "dst", "scaleArray"
  std::uint8_t address = 0;   // index into Launch::addresses
  AccessMode mode = AccessMode::kRead;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t extent = 0;  // bytes of the whole tensor; 0 where the argument is not a tensor
};

class Plan {
 public:
  static constexpr std::size_t kMaxAccesses = 8;
  static constexpr std::size_t kMaxParameterBytes = 1024;

  /// Runs, or looks at values before anything is written. Knows the addresses only by index.
  using Step = Status (*)(const Plan& plan, std::span<void* const> addresses);

  const char* operation = "";      // named in messages
  const char* kernel = "";         // which kernel was chosen
  Step check_addresses = nullptr;  // optional: overlaps and aliases, before the launch is accepted
  Step inspect = nullptr;          // optional: refuses bad values while all outputs are untouched
  Step run = nullptr;
  std::uint64_t workspace_bytes = 0;
  FloatOverflow overflow = FloatOverflow::kInfNan;  // the device's, put in with the addresses
  std::uint64_t traffic_bytes = 0;  // where it is less than all of the accesses; 0: it is not

  void AddAccess(const Access& access) noexcept {
    assert(access_count_ < kMaxAccesses);
    accesses_[access_count_++] = access;
  }
  [[nodiscard]] std::span<const Access> accesses() const noexcept {
    return {accesses_.data(), access_count_};
  }

  /// Bytes read plus bytes written: what decides whether running in place is cheaper than waking a
  /// thread.
  [[nodiscard]] std::uint64_t TrafficBytes() const noexcept {
    if (traffic_bytes != 0) return traffic_bytes;
    std::uint64_t bytes = 0;
    for (const Access& access : accesses()) {
      bytes += access.mode == AccessMode::kReadWrite ? 2 * access.size : access.size;
    }
    return bytes;
  }

  /// The operator's own numbers, opaque to everybody else.
  template <class T>
  void StoreParameters(const T& parameters) noexcept {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= kMaxParameterBytes);
    std::memcpy(parameters_.data(), &parameters, sizeof(T));
  }
  template <class T>
  [[nodiscard]] T LoadParameters() const noexcept {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= kMaxParameterBytes);
    T parameters;
    std::memcpy(&parameters, parameters_.data(), sizeof(T));
    return parameters;
  }

 private:
  std::size_t access_count_ = 0;
  std::array<Access, kMaxAccesses> accesses_{};
  // Not set to zero: only those that StoreParameters stored are ever read.
  alignas(16) std::array<std::byte, kMaxParameterBytes> parameters_;
};

struct Launch {
  static constexpr std::size_t kMaxAddresses = Plan::kMaxAccesses;

  Plan plan;
  std::array<void*, kMaxAddresses> addresses{};

  /// Inspects, then runs. On a fault of the inspection no output byte has changed.
  [[nodiscard]] Status Run() const {
    if (plan.inspect != nullptr) {
      if (Status status = plan.inspect(plan, addresses); !status.ok()) return status;
    }
    return plan.run(plan, addresses);
  }
};

static_assert(std::is_trivially_copyable_v<Launch>);

}  // namespace belay
