// Takes values off a byte string; zeros once it is empty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>

namespace belay::fuzz {

class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}

  [[nodiscard]] bool empty() const noexcept { return left_ == 0; }

  template <class T>
  T Take() noexcept {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    const std::size_t size = sizeof(T) < left_ ? sizeof(T) : left_;
    if (size == 0) return value;
    std::memcpy(&value, data_, size);
    data_ += size;
    left_ -= size;
    return value;
  }
  /// A number below `limit`, from one byte.
  std::size_t Below(std::size_t limit) noexcept { return Take<std::uint8_t>() % limit; }

  [[nodiscard]] std::string Rest() const { return {reinterpret_cast<const char*>(data_), left_}; }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
};

/// Ends the process as a crash would when something does not hold.
#define FUZZ_CHECK(condition)                                                      \
  do {                                                                             \
    if (!(condition)) {                                                            \
      std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                \
    }                                                                              \
  } while (false)

}  // namespace belay::fuzz
