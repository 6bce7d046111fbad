// aclInit with any bytes as its configuration file.
#include <acl/acl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <string>

#include "fuzz/input.h"

namespace belay::fuzz {
namespace {

/// A file in memory, with a path to open it by.
class MemoryFile {
 public:
  MemoryFile() : file_(::memfd_create("config", 0)) { FUZZ_CHECK(file_ >= 0); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { ::close(file_); }

  void Write(const std::uint8_t* data, std::size_t size) const {
    FUZZ_CHECK(::ftruncate(file_, 0) == 0);
    FUZZ_CHECK(::pwrite(file_, data, size, 0) == static_cast<::ssize_t>(size));
  }
  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const MemoryFile file;
  file.Write(data, size);
  const std::string path = file.path();
  const aclError code = aclInit(path.c_str());
  if (code != ACL_SUCCESS) {
    FUZZ_CHECK(code == ACL_ERROR_INVALID_PARAM || code == ACL_ERROR_FAILURE);
    FUZZ_CHECK(aclGetRecentErrMsg() != nullptr);
    // Refused, so nothing was initialised.
    FUZZ_CHECK(aclInit(nullptr) == ACL_SUCCESS);
  } else {
    FUZZ_CHECK(aclInit(path.c_str()) == ACL_ERROR_REPEAT_INITIALIZE);
    FUZZ_CHECK(aclInit(nullptr) == ACL_ERROR_REPEAT_INITIALIZE);
  }
  FUZZ_CHECK(aclFinalize() == ACL_SUCCESS);
  return 0;
}

}  // namespace belay::fuzz
