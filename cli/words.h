// Where the words of `belay decode` come from: a .npy file, a .bin file or the command line.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/function_ref.h"
#include "base/status.h"

namespace belay::cli {

/// An array of 64-bit words that need not fit into memory.
class Words {
 public:
  /// One file, named .npy or .bin, or words as numbers: hexadecimal with 0x, or decimal, where a
  /// negative one is an int64. The message of a refusal names the input.
  static StatusOr<Words> Open(const std::vector<std::string>& inputs);

  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

  /// Calls visit(piece) for the first `count` words, in the order of the file.
  Status Read(std::uint64_t count, FunctionRef<void(std::span<const std::uint64_t>)> visit) const;

  /// "[5]", or "[1, 2]" in an array of several dimensions: where a word stands.
  [[nodiscard]] std::string Place(std::uint64_t index) const;

 private:
  Status OpenFile();
  Status OpenNpy(std::uint64_t size);

  std::string path_;                  // empty for words of the command line
  std::vector<std::uint64_t> given_;  // those
  std::vector<std::uint64_t> shape_;  // of a .npy file
  bool fortran_order_ = false;
  std::uint64_t count_ = 0;
  std::uint64_t data_offset_ = 0;
};

}  // namespace belay::cli
