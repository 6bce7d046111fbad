#include "runtime/init_file.h"

#include <array>
#include <charconv>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <utility>

namespace belay::runtime {
namespace {

constexpr int kMaxNesting = 10;
constexpr std::size_t kMaxFileBytes = std::size_t{16} << 20;

/// A value as the file gives it: its text for messages, and the number it is or spells.
struct Value {
  std::string text;
  std::optional<std::int64_t> number;
};

// A number, or text that is one, as the configuration files of the field write it.
std::optional<std::int64_t> ToNumber(const std::string& text) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end || text.empty()) return std::nullopt;
  return number;
}

/// Picks the two settings out of the parser's events. No tree is built: freeing one allocates,
/// which must not be needed when memory is short.
class Settings : public nlohmann::json_sax<nlohmann::json> {
 public:
  std::optional<Value> err_msg_mode;
  std::optional<Value> default_device;
  bool has_default_device_section = false;
  bool is_object = false;

  bool key(string_t& name) override {
    if (depth_ == 1) section_ = name;
    if (depth_ == 2) entry_ = name;
    return true;
  }
  bool start_object(std::size_t /*elements*/) override {
    if (depth_ == 0) is_object = true;
    return Enter("an object");
  }
  bool end_object() override { return Leave(); }
  bool start_array(std::size_t /*elements*/) override { return Enter("an array"); }
  bool end_array() override { return Leave(); }

  bool null() override { return Take({"null", std::nullopt}); }
  bool boolean(bool value) override { return Take({value ? "true" : "false", std::nullopt}); }
  bool number_integer(number_integer_t value) override { return Take({Text("{}", value), value}); }
  bool number_unsigned(number_unsigned_t value) override {
    const bool fits = value <= std::uint64_t{std::numeric_limits<std::int64_t>::max()};
    return Take(
        {Text("{}", value), fits ? std::optional(static_cast<std::int64_t>(value)) : std::nullopt});
  }
  bool number_float(number_float_t /*value*/, const string_t& text) override {
    return Take({text, std::nullopt});
  }
  bool string(string_t& value) override { return Take({Text("\"{}\"", value), ToNumber(value)}); }
  bool binary(binary_t& /*value*/) override { return true; }
  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const nlohmann::detail::exception& /*error*/) override {
    return false;
  }

 private:
  [[nodiscard]] bool AtSection(std::string_view name) const {
    return depth_ == 1 && section_ == name;
  }

  bool Enter(const char* what) {
    Take({what, std::nullopt});
    entry_.clear();
    return ++depth_ <= kMaxNesting;
  }
  bool Leave() {
    --depth_;
    return true;
  }

  // Of a setting given twice the last counts.
  bool Take(Value value) {
    if (AtSection("defaultDevice")) {
      has_default_device_section = true;
      default_device.reset();
    }
    if (AtSection("err_msg_mode"))
      err_msg_mode = std::move(value);
    else if (depth_ == 2 && section_ == "defaultDevice" && entry_ == "default_device") {
      default_device = std::move(value);
    }
    return true;
  }

  int depth_ = 0;
  std::string section_;  // the key at depth 1 that is being read
  std::string entry_;    // and at depth 2
};

Status BadDefaultDevice(const std::optional<Value>& seen, std::int32_t device_count) {
  return Refuse(Fault::kConfigUnparsable,
                "defaultDevice has default_device {}; allowed the id of one of the {} devices, as "
                "{{\"defaultDevice\": {{\"default_device\": \"0\"}}}}",
                seen ? std::string_view(seen->text) : "missing", device_count);
}

}  // namespace

StatusOr<std::string> ReadInitFile(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::array<char, 4096> part;
  while (file.read(part.data(), part.size()) || file.gcount() > 0) {
    text.append(part.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > kMaxFileBytes) break;
  }
  // A directory opens and then cannot be read, which is no end of file.
  if (!file.is_open() || file.bad() || text.size() > kMaxFileBytes) {
    return Unexpected(Refuse(Fault::kInvalidFile,
                             "configPath is \"{}\", which cannot be read; allowed null, an empty "
                             "text or a JSON file of at most {} bytes",
                             path, kMaxFileBytes));
  }
  return text;
}

StatusOr<InitFile> ParseInitFile(const std::string& text, std::int32_t device_count) {
  InitFile file;
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return file;
  Settings settings;
  if (!nlohmann::json::sax_parse(text, &settings) || !settings.is_object) {
    return Unexpected(Refuse(Fault::kConfigUnparsable,
                             "the file of configPath is not a JSON object; allowed a JSON object "
                             "nested at most {} deep",
                             kMaxNesting));
  }
  if (const std::optional<Value>& mode = settings.err_msg_mode) {
    if (mode->number != 0 && mode->number != 1) {
      return Unexpected(NotAllowed(Fault::kInvalidParam, "err_msg_mode", mode->text,
                                   "\"0\" (per thread) and \"1\" (per process)"));
    }
    file.process_messages = mode->number == 1;
  }
  if (settings.has_default_device_section) {
    const std::optional<Value>& device = settings.default_device;
    const std::optional<std::int64_t> id = device ? device->number : std::nullopt;
    if (!id || *id < 0 || *id >= device_count) {
      return Unexpected(BadDefaultDevice(device, device_count));
    }
    file.default_device = static_cast<std::int32_t>(*id);
  }
  return file;
}

}  // namespace belay::runtime
