#include "runtime/life.h"

#include <charconv>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "runtime/machine.h"
#include "runtime/thread_state.h"

namespace belay::runtime {
namespace {

constexpr int kMaxNesting = 10;

struct FileOptions {
  std::int32_t default_device = -1;
  bool process_messages = false;
};

// A number, or text that is one, as the configuration files of the field write it.
std::optional<std::int64_t> ToNumber(const nlohmann::json& value) {
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (!value.is_string()) return std::nullopt;
  const auto& text = value.get_ref<const std::string&>();
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return number;
}

StatusOr<FileOptions> ParseFile(const std::string& text) {
  FileOptions options;
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return options;
  bool too_deep = false;
  const nlohmann::json json = nlohmann::json::parse(
      text,
      [&too_deep](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
        too_deep = too_deep || depth > kMaxNesting;
        return true;
      },
      /*allow_exceptions=*/false);
  if (json.is_discarded() || !json.is_object() || too_deep) {
    return Unexpected(Refuse(Fault::kConfigUnparsable,
                             "the file of configPath is not a JSON object; allowed a JSON object "
                             "nested at most {} deep",
                             kMaxNesting));
  }
  if (const auto mode = json.find("err_msg_mode"); mode != json.end()) {
    const std::optional<std::int64_t> number = ToNumber(*mode);
    if (number != 0 && number != 1) {
      return Unexpected(NotAllowed(Fault::kInvalidParam, "err_msg_mode", mode->dump(),
                                   "\"0\" (per thread) and \"1\" (per process)"));
    }
    options.process_messages = number == 1;
  }
  if (const auto section = json.find("defaultDevice"); section != json.end()) {
    const auto device = section->is_object() ? section->find("default_device") : section->end();
    const std::optional<std::int64_t> number =
        section->is_object() && device != section->end() ? ToNumber(*device) : std::nullopt;
    if (!number || *number < 0 || *number >= Machine::Get().device_count()) {
      return Unexpected(NotAllowed(Fault::kConfigUnparsable, "defaultDevice", section->dump(),
                                   "{\"default_device\": \"<a device id>\"}"));
    }
    options.default_device = static_cast<std::int32_t>(*number);
  }
  return options;
}

StatusOr<std::string> ReadFile(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file.is_open() || file.bad()) {
    return Unexpected(Refuse(Fault::kInvalidFile,
                             "configPath is \"{}\", which cannot be read; allowed null, an empty "
                             "text or a JSON file",
                             path));
  }
  return text;
}

}  // namespace

Status Life::Init(const char* config_path) {
  std::string configuration;
  FileOptions options;
  if (config_path != nullptr && *config_path != '\0') {
    StatusOr<std::string> text = ReadFile(config_path);
    if (!text) return text.error();
    const StatusOr<FileOptions> parsed = ParseFile(*text);
    if (!parsed) return parsed.error();
    configuration = std::move(*text);
    options = *parsed;
  }
  const std::lock_guard lock(mutex_);
  if (count_ != 0) {
    if (config_path != nullptr && *config_path != '\0' && configuration != configuration_) {
      return Refuse(Fault::kInvalidParam,
                    "the file \"{}\" differs from what the first aclInit read; allowed the same "
                    "content, or null",
                    config_path);
    }
    ++count_;
    return Refuse(Fault::kRepeatInitialize, "initialised before; {} times now, which is harmless",
                  count_);
  }
  count_ = 1;
  finalized_ = false;
  configuration_ = std::move(configuration);
  default_device_.store(options.default_device, std::memory_order_relaxed);
  process_messages_.store(options.process_messages, std::memory_order_relaxed);
  return {};
}

Status Life::Finalize() {
  const std::lock_guard lock(mutex_);
  if (finalized_) {
    return Refuse(Fault::kRepeatFinalize, "finalised before; allowed again after aclInit");
  }
  count_ = 0;
  finalized_ = true;
  return {};
}

Status Life::FinalizeReference(std::uint64_t* left) {
  const std::lock_guard lock(mutex_);
  Status status;
  if (count_ < 1) {
    status =
        Refuse(Fault::kRepeatFinalize, "no initialisation is left; allowed once for each aclInit");
  } else {
    --count_;
    finalized_ = count_ == 0;
  }
  if (left != nullptr) *left = count_;
  return status;
}

void Life::PushMessage(std::string message) noexcept {
  if (process_messages_.load(std::memory_order_relaxed)) {
    const std::lock_guard lock(messages_mutex_);
    shared_messages_.Push(std::move(message));
    return;
  }
  try {
    ThreadState::Current().messages.Push(std::move(message));
  } catch (...) {
    // Not even memory for the thread's state.
  }
}

const char* Life::TakeMessages() {
  ThreadState& thread = ThreadState::Current();
  if (process_messages_.load(std::memory_order_relaxed)) {
    // Through the thread's own queue, whose text stays valid until this thread asks again.
    const std::lock_guard lock(messages_mutex_);
    if (const char* all = shared_messages_.Take(); all != nullptr) thread.messages.Push(all);
  }
  return thread.messages.Take();
}

}  // namespace belay::runtime
