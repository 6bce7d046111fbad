// What went wrong since somebody last asked: the text behind aclGetRecentErrMsg.
#pragma once

#include <cstddef>
#include <deque>
#include <string>

#include "base/export.h"

namespace belay::runtime {

class BELAY_EXPORT MessageQueue {
 public:
  /// Oldest messages make way when all together would be longer than this.
  static constexpr std::size_t kMaxBytes = std::size_t{16} << 10;

  /// Never fails; without memory the message is lost. One that is too long is cut and says so.
  void Push(std::string message) noexcept;

  /// All messages, oldest first, a line each, and empties the queue. Null when there is none. The
  /// text stays valid until the next call.
  const char* Take();

 private:
  std::deque<std::string> messages_;
  std::size_t bytes_ = 0;  // with a line end each
  std::string taken_;
};

}  // namespace belay::runtime
