// Bytes at a chosen distance from a line's beginning, in a block of their own with guards around:
// who writes there is seen in the guards, and AddressSanitizer sees who reads there.
#pragma once

#include <sanitizer/asan_interface.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace belay::testing {

using ByteVector = std::vector<std::byte>;

/// Bytes that differ from their neighbours, near and far.
inline ByteVector Numbered(std::size_t count) {
  ByteVector bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(i * 7 + i / 256 * 3);
  return bytes;
}

class ByteRoom {
 public:
  ByteRoom(const ByteVector& content, std::size_t shift)
      : room_(kLine + shift + content.size() + kGuard, kMark), size_(content.size()) {
    const std::size_t off_line = reinterpret_cast<std::uintptr_t>(room_.data()) % kLine;
    begin_ = kLine - off_line + shift;
    std::ranges::copy(content, data());
    LockGuards();
  }
  ByteRoom(const ByteRoom&) = delete;
  ByteRoom& operator=(const ByteRoom&) = delete;
  ~ByteRoom() { UnlockGuards(); }
  /// Filled with the guards' byte.
  ByteRoom(std::size_t size, std::size_t shift) : ByteRoom(ByteVector(size, kMark), shift) {}

  [[nodiscard]] std::byte* data() { return room_.data() + begin_; }
  [[nodiscard]] ByteVector Content() { return {data(), data() + size_}; }
  [[nodiscard]] bool GuardsHold() const {
    UnlockGuards();
    const bool hold = AllMarks(0, begin_) && AllMarks(begin_ + size_, room_.size());
    LockGuards();
    return hold;
  }

  static constexpr std::byte kMark{0xEE};

 private:
  static constexpr std::size_t kLine = 64;
  static constexpr std::size_t kGuard = 128;  // more than a vector that runs over its end

  // Each byte like the one before it; at once, as tests are compiled without optimisation.
  [[nodiscard]] bool AllMarks(std::size_t begin, std::size_t end) const {
    return room_[begin] == kMark &&
           std::memcmp(room_.data() + begin, room_.data() + begin + 1, end - begin - 1) == 0;
  }

  // Nothing happens in programs without AddressSanitizer.
  void LockGuards() const {
    ASAN_POISON_MEMORY_REGION(room_.data(), begin_);
    ASAN_POISON_MEMORY_REGION(room_.data() + begin_ + size_, room_.size() - begin_ - size_);
  }
  void UnlockGuards() const { ASAN_UNPOISON_MEMORY_REGION(room_.data(), room_.size()); }

  ByteVector room_;
  std::size_t size_;
  std::size_t begin_ = 0;
};

}  // namespace belay::testing
