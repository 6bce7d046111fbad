// Work as values. A Plan says what will run and which bytes of each argument it touches; it has no
// addresses. A Launch is a Plan with addresses: what a stream runs, what the memory map checks and
// what an observer sees.
//
// Both are of fixed size and copied as bytes: making and launching one allocates nothing. What a
// run needs beyond its arguments it takes before it writes.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "base/float_overflow.h"
#include "base/status.h"

namespace belay {

enum class AccessMode : std::uint8_t { kRead, kWrite, kReadWrite };

/// Bytes [offset, offset + size) of one argument that a plan reads or writes.
struct Access {
  const char* argument;  // the API's own word: "var", "dst", "scaleArray"
  std::uint8_t address;  // index into Launch::addresses
  AccessMode mode;
  std::uint64_t offset;
  std::uint64_t size;
  std::uint64_t extent = 0;  // bytes of the whole tensor; 0 where the argument is not a tensor
};

class Plan;

/// What all plans tell alike.
struct PlanFields {
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
};

class Plan : public PlanFields {
 public:
  static constexpr std::size_t kMaxAccesses = 8;
  static constexpr std::size_t kMaxParameterBytes = 1024;

  Plan() noexcept {}  // NOLINT(modernize-use-equals-default): what is not in use stays unset
  // A copy is of what is in use, which for most plans is a small part.
  Plan(const Plan& other) noexcept : PlanFields(other) { CopyUsed(other); }
  Plan& operator=(const Plan& other) noexcept {
    PlanFields::operator=(other);
    if (this != &other) CopyUsed(other);
    return *this;
  }
  ~Plan() = default;

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

  /// Makes the operator's own numbers, which are opaque to everybody else, in the plan. Without
  /// arguments only what T sets of itself is set.
  template <class T, class... Args>
  T& EmplaceParameters(Args&&... args) noexcept {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= kMaxParameterBytes);
    static_assert(alignof(T) <= kParameterAlignment);
    parameter_bytes_ = sizeof(T);
    if constexpr (sizeof...(Args) == 0) {
      return *::new (parameters_.data()) T;
    } else {
      return *::new (parameters_.data()) T{std::forward<Args>(args)...};
    }
  }
  /// The numbers; as well the part of them that is their first member.
  template <class T>
  [[nodiscard]] const T& Parameters() const noexcept {
    assert(sizeof(T) <= parameter_bytes_);
    return *std::launder(reinterpret_cast<const T*>(parameters_.data()));
  }

 private:
  static constexpr std::size_t kParameterAlignment = 16;

  void CopyUsed(const Plan& other) noexcept {
    access_count_ = other.access_count_;
    parameter_bytes_ = other.parameter_bytes_;
    std::copy_n(other.accesses_.begin(), access_count_, accesses_.begin());
    std::memcpy(parameters_.data(), other.parameters_.data(), parameter_bytes_);
  }

  std::size_t access_count_ = 0;
  std::size_t parameter_bytes_ = 0;
  std::array<Access, kMaxAccesses> accesses_;
  alignas(kParameterAlignment) std::array<std::byte, kMaxParameterBytes> parameters_;
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

}  // namespace belay
