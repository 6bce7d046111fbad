#include "runtime/message_queue.h"

#include <string_view>
#include <utility>

namespace belay::runtime {
namespace {

constexpr std::string_view kCut = " ... (cut)";

}  // namespace

void MessageQueue::Push(std::string message) noexcept {
  try {
    if (message.size() >= kMaxBytes) {
      message.resize(kMaxBytes - 1 - kCut.size());
      message += kCut;
    }
    const std::size_t size = message.size() + 1;
    messages_.push_back(std::move(message));
    bytes_ += size;
    while (bytes_ > kMaxBytes) {
      bytes_ -= messages_.front().size() + 1;
      messages_.pop_front();
    }
  } catch (...) {
    // Reporting one failure must not raise another.
  }
}

const char* MessageQueue::Take() {
  if (messages_.empty()) return nullptr;
  std::string text;
  text.reserve(bytes_);
  for (const std::string& message : messages_) {
    if (!text.empty()) text += '\n';
    text += message;
  }
  messages_.clear();
  bytes_ = 0;
  taken_ = std::move(text);
  return taken_.c_str();
}

}  // namespace belay::runtime
