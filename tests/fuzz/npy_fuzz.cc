// The head of a .npy file: any bytes.
#include "npy.h"

#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/input.h"

namespace belay::fuzz {
namespace {

void CheckHead(const cli::NpyHead& head, std::string_view file) {
  FUZZ_CHECK(cli::IsNpy(file));
  FUZZ_CHECK(head.data_offset <= file.size() && head.data_offset <= cli::kMaxNpyHeadBytes);
  FUZZ_CHECK(head.count <= UINT64_MAX / sizeof(std::uint64_t));
  bool empty = false;
  for (const std::uint64_t dimension : head.shape) empty = empty || dimension == 0;
  FUZZ_CHECK((head.count == 0) == empty);
  for (const std::uint64_t dimension : head.shape) {
    FUZZ_CHECK(empty || head.count % dimension == 0);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // A copy of exactly its size, so that a sanitizer sees a read past the end.
  const std::string file(reinterpret_cast<const char*>(data), size);
  const StatusOr<cli::NpyHead> head = cli::ParseNpyHead(file);
  if (head) {
    CheckHead(*head, file);
    // What follows the head is none of the parser's business.
    const StatusOr<cli::NpyHead> again = cli::ParseNpyHead(file.substr(0, head->data_offset));
    FUZZ_CHECK(again && again->shape == head->shape && again->count == head->count);
    FUZZ_CHECK(!cli::ParseNpyHead(file.substr(0, head->data_offset - 1)));
  } else {
    FUZZ_CHECK(head.error().fault() == Fault::kInvalidFile);
    for (const char c : head.error().message()) FUZZ_CHECK(c >= ' ' && c <= '~');
  }
  return 0;
}

}  // namespace belay::fuzz
