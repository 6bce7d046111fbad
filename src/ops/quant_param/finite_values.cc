#include "ops/quant_param/finite_values.h"

#include <atomic>
#include <cstddef>
#include <cstring>

#include "base/parallel.h"
#include "kernels/pack_quant.h"

namespace belay::ops {
namespace {

// A piece of so many values takes several times what it takes to wake a thread.
constexpr std::size_t kParallelGrain = std::size_t{1} << 17;

bool FiniteThroughout(const float* values, std::size_t count) {
  std::atomic<bool> finite = true;
  ParallelFor(count, kParallelGrain, [&](std::size_t begin, std::size_t end) {
    if (!kernels::AllFinite(values + begin, end - begin)) {
      finite.store(false, std::memory_order_relaxed);
    }
  });
  return finite.load(std::memory_order_relaxed);
}

// Looks at bits: the caller may have been compiled for finite arithmetic, and NaN has no sign worth
// a message.
std::string_view NameOfNonFinite(std::uint32_t bits) {
  constexpr std::uint32_t kInfinity = 0x7F800000;
  const std::uint32_t magnitude = bits & 0x7FFFFFFF;
  if (magnitude < kInfinity) return {};
  if (magnitude > kInfinity) return "nan";
  return bits == kInfinity ? "inf" : "-inf";
}

}  // namespace

std::optional<NonFinite> FindNonFinite(const float* values, std::uint64_t count) {
  if (FiniteThroughout(values, count)) return std::nullopt;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, values + i, sizeof(bits));
    if (const std::string_view name = NameOfNonFinite(bits); !name.empty()) {
      return NonFinite{i, name};
    }
  }
  return std::nullopt;
}

}  // namespace belay::ops
