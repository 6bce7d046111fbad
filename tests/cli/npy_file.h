// Makes .npy files by hand.
#pragma once

#include <cstddef>
#include <string>

namespace belay::test {

/// The head of a file of format `version` with this dictionary, padded as NumPy pads it.
inline std::string NpyFile(std::string dictionary, int version) {
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  const std::size_t before = 8 + length_bytes;
  while ((before + dictionary.size() + 1) % 64 != 0) dictionary += ' ';
  dictionary += '\n';
  std::string file = "\x93NUMPY";
  file += static_cast<char>(version);
  file += '\0';
  for (std::size_t i = 0; i < length_bytes; ++i) {
    file += static_cast<char>(dictionary.size() >> 8 * i & 0xFF);
  }
  return file + dictionary;
}

}  // namespace belay::test
