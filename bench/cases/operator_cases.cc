#include "cases/operator_cases.h"

#include <cstring>
#include <random>

namespace belay::bench {

std::string TextOf(const Shape& shape) {
  std::string text = "(";
  for (const std::int64_t size : shape) {
    if (text.size() > 1) text += ',';
    text += std::to_string(size);
  }
  return text += ')';
}

void FillRandom(std::byte* memory, std::size_t bytes) {
  std::mt19937_64 random(bytes);
  for (std::size_t i = 0; i + 8 <= bytes; i += 8) {
    const std::uint64_t word = random();
    std::memcpy(memory + i, &word, 8);
  }
  const std::uint64_t last = random();
  std::memcpy(memory + bytes / 8 * 8, &last, bytes % 8);
}

}  // namespace belay::bench
