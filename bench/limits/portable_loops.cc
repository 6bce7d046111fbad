// Loops that every machine has: what the compiler makes of plain C++ with -O3, and the C library.
#include <bit>
#include <cstring>

#include "limits/limits.h"

namespace belay::bench {
namespace {

/// Makes the compiler believe that somebody looks at the value, or at all memory.
void Keep(std::uint64_t value) { asm volatile("" : : "r"(value) : "memory"); }

void Read(std::byte*, std::size_t, const std::byte* src, std::size_t bytes) {
  const auto* words = reinterpret_cast<const std::uint64_t*>(src);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < bytes / 8; ++i) sum += words[i];
  Keep(sum);
}

void Fill(std::byte* dst, std::size_t bytes, const std::byte*, std::size_t) {
  std::memset(dst, 1, bytes);
  Keep(0);
}

void Copy(std::byte* dst, std::size_t bytes, const std::byte* src, std::size_t) {
  std::memcpy(dst, src, bytes);
  Keep(0);
}

void AddBf16(std::byte* dst, std::size_t bytes, const std::byte* src, std::size_t) {
  auto* sums = reinterpret_cast<std::uint16_t*>(dst);
  const auto* addends = reinterpret_cast<const std::uint16_t*>(src);
  for (std::size_t i = 0; i < bytes / 2; ++i) {
    const float sum = std::bit_cast<float>(std::uint32_t{sums[i]} << 16) +
                      std::bit_cast<float>(std::uint32_t{addends[i]} << 16);
    const auto bits = std::bit_cast<std::uint32_t>(sum);
    sums[i] = static_cast<std::uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
  }
}

#if defined(__aarch64__)
void AddFp16(std::byte* dst, std::size_t bytes, const std::byte* src, std::size_t) {
  auto* sums = reinterpret_cast<__fp16*>(dst);
  const auto* addends = reinterpret_cast<const __fp16*>(src);
  for (std::size_t i = 0; i < bytes / 2; ++i) {
    sums[i] = static_cast<__fp16>(static_cast<float>(sums[i]) + static_cast<float>(addends[i]));
  }
}
#endif

void Expand(std::byte* dst, std::size_t, const std::byte* src, std::size_t bytes) {
  auto* words = reinterpret_cast<std::uint64_t*>(dst);
  const auto* halves = reinterpret_cast<const std::uint32_t*>(src);
  for (std::size_t i = 0; i < bytes / 4; ++i) words[i] = halves[i] | std::uint64_t{1} << 46;
}

}  // namespace

void AddPortableLoops(std::vector<LimitLoop>& loops) {
  loops.push_back({"plain", Kind::kRead, Read});
  loops.push_back({"memset", Kind::kFill, Fill});
  loops.push_back({"memcpy", Kind::kCopy, Copy});
  loops.push_back({"plain", Kind::kAddBf16, AddBf16});
#if defined(__aarch64__)
  loops.push_back({"plain", Kind::kAddFp16, AddFp16});
#endif
  loops.push_back({"plain", Kind::kExpand, Expand});
}

}  // namespace belay::bench
