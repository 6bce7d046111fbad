#include "base/config.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <system_error>
#include <utility>

namespace belay {
namespace {

constexpr std::string_view kDefaultSoc = "Ascend910B4";
constexpr std::int32_t kMaxDevices = 16;
constexpr unsigned kMaxThreads = 1024;

/// A whole text that is a number in [low, high].
template <class T>
std::optional<T> ParseNumber(std::string_view text, T low, T high) {
  T number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (number < low || number > high) return std::nullopt;
  return number;
}

// A value as it may stand in a one-line message.
std::string Quoted(std::string_view value) {
  constexpr std::size_t kLongest = 48;
  std::string text = "\"";
  for (const char c : value.substr(0, kLongest)) {
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    text += control ? '?' : c;
  }
  text += value.size() > kLongest ? "\"..." : "\"";
  return text;
}

char LowerCase(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool SameIgnoringCase(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, LowerCase, LowerCase);
}

// At most one letter changed, missing or too many, case aside.
bool WithinOneLetter(std::string_view a, std::string_view b) {
  if (a.size() < b.size()) std::swap(a, b);
  if (a.size() - b.size() > 1) return false;
  const auto at = static_cast<std::size_t>(
      std::ranges::mismatch(a, b, {}, LowerCase, LowerCase).in1 - a.begin());
  if (at == a.size()) return true;
  return SameIgnoringCase(a.substr(at + 1), b.substr(a.size() == b.size() ? at + 1 : at));
}

// Looks among all chips and families; empty when none is near.
std::string_view NearestSoc(std::string_view value) {
  for (const auto near : {SameIgnoringCase, WithinOneLetter}) {
    for (const Chip& chip : AllChips()) {
      const std::string_view family = FamilyName(chip.family);
      if (near(value, family) && FindChip(family) != nullptr) return family;
    }
    for (const Chip& chip : AllChips()) {
      if (near(value, chip.soc_name)) return chip.soc_name;
    }
  }
  return {};
}

Status BadVariable(std::string_view name, std::string_view value) {
  const auto& variables = BelayVariables();
  const auto info = std::ranges::find(variables, name, &VariableInfo::name);
  return NotAllowed(Fault::kBadEnvironment, name, Quoted(value), info->allowed);
}

Status BadSoc(std::string_view value) {
  Status status = BadVariable("BELAY_SOC", value);
  if (const std::string_view nearest = NearestSoc(value); !nearest.empty()) {
    return Refuse(status.fault(), "{}; did you mean {}?", status.message(), nearest);
  }
  return status;
}

// Reading stops at the first entry that is no device or a repeated one, as the runtime does.
std::vector<std::int32_t> VisibleDevices(const char* list, std::int32_t device_count) {
  std::vector<std::int32_t> devices;
  if (list == nullptr) {
    for (std::int32_t id = 0; id < device_count; ++id) devices.push_back(id);
    return devices;
  }
  for (std::string_view rest = list;;) {
    const std::size_t comma = rest.find(',');
    const auto id = ParseNumber<std::int32_t>(rest.substr(0, comma), 0, device_count - 1);
    if (!id || std::ranges::find(devices, *id) != devices.end()) return devices;
    devices.push_back(*id);
    if (comma == std::string_view::npos) return devices;
    rest.remove_prefix(comma + 1);
  }
}

std::optional<LogLevel> ParseLevel(std::string_view text) {
  const auto level = ParseNumber<std::uint8_t>(text, 0, 4);
  return level ? std::optional(static_cast<LogLevel>(*level)) : std::nullopt;
}

constexpr std::string_view kOperatorModule = "OP";

// The level text of a module in "MODULE=level:MODULE=level"; the first entry counts.
std::optional<std::string_view> FindModuleLevel(std::string_view list, std::string_view module) {
  while (!list.empty()) {
    const std::string_view entry = list.substr(0, list.find(':'));
    list.remove_prefix(std::min(list.size(), entry.size() + 1));
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos || entry.substr(0, equals) != module) continue;
    if (entry.find('=', equals + 1) != std::string_view::npos) continue;  // more than two parts
    return entry.substr(equals + 1);
  }
  return std::nullopt;
}

std::optional<LogLevel> ReadModuleLevel(EnvironmentLookup lookup, std::string_view module) {
  const char* const list = lookup("ASCEND_MODULE_LOG_LEVEL");
  const auto text = list == nullptr ? std::nullopt : FindModuleLevel(list, module);
  return text ? ParseLevel(*text) : std::nullopt;
}

// These variables are the vendor's, so a bad value counts as unset instead of failing the call.
LogConfig ReadLog(EnvironmentLookup lookup) {
  LogConfig log;
  if (const char* level = lookup("ASCEND_GLOBAL_LOG_LEVEL")) {
    log.level = ParseLevel(level).value_or(log.level);
  }
  log.acl_level = ReadModuleLevel(lookup, "ASCENDCL");
  log.operator_level = ReadModuleLevel(lookup, kOperatorModule);
  if (const char* on = lookup("ASCEND_SLOG_PRINT_TO_STDOUT")) {
    log.to_stdout = std::string_view(on) == "1";
  }
  if (const char* path = lookup("ASCEND_PROCESS_LOG_PATH")) log.directory = path;
  return log;
}

bool IsSwitchedOn(EnvironmentLookup lookup, const char* name) {
  const char* const value = lookup(name);
  return value != nullptr && std::string_view(value) == "1";
}

Status ReadBelay(EnvironmentLookup lookup, Config& config, std::int32_t& device_count) {
  if (const char* value = lookup("BELAY_BEHAVIOR")) {
    if (value == Name(Behaviour::kDocumented)) {
      config.behaviour = Behaviour::kDocumented;
    } else if (value == Name(Behaviour::kReleased)) {
      config.behaviour = Behaviour::kReleased;
    } else {
      return BadVariable("BELAY_BEHAVIOR", value);
    }
  }
  const char* soc = lookup("BELAY_SOC");
  config.chip = FindChip(soc != nullptr ? soc : kDefaultSoc);
  if (config.chip == nullptr) return BadSoc(soc);

  if (const char* value = lookup("BELAY_NUM_DEVICES")) {
    const auto number = ParseNumber<std::int32_t>(value, 1, kMaxDevices);
    if (!number) return BadVariable("BELAY_NUM_DEVICES", value);
    device_count = *number;
  }
  if (const char* value = lookup("BELAY_NUM_THREADS")) {
    const auto number = ParseNumber<unsigned>(value, 1, kMaxThreads);
    if (!number) return BadVariable("BELAY_NUM_THREADS", value);
    config.compute_threads = *number;
  } else {
    config.compute_threads = std::min(UsableCores(), kMaxThreads);
  }
  if (const char* value = lookup("BELAY_LAUNCH_BLOCKING")) {
    const std::string_view text = value;
    if (text != "0" && text != "1") return BadVariable("BELAY_LAUNCH_BLOCKING", value);
    config.launch_blocking = text == "1";
  }
  return {};
}

}  // namespace

const std::vector<VariableInfo>& BelayVariables() {
  static const std::string socs =
      "a family (" + FamilyNames() + ") or an exact SoC name, as `belay info --chips` lists them";
  static const std::vector<VariableInfo> variables = {
      {"BELAY_BEHAVIOR", "documented or released",
       "which to follow where documents and released libraries disagree; documented when unset"},
      {"BELAY_SOC", socs, "the chip to imitate; Ascend910B4 when unset"},
      {"BELAY_NUM_DEVICES", "1 to 16", "how many virtual devices there are; 1 when unset"},
      {"BELAY_NUM_THREADS", "1 to 1024",
       "upper bound of compute threads; the cores this process may use when unset"},
      {"BELAY_LAUNCH_BLOCKING", "0 or 1", "1 runs every task at its launch; 0 when unset"},
  };
  return variables;
}

StatusOr<Config> ReadConfig(EnvironmentLookup lookup) {
  Config config;
  std::int32_t device_count = 1;
  if (Status status = ReadBelay(lookup, config, device_count); !status.ok()) {
    return Unexpected(std::move(status));
  }
  config.visible_devices = VisibleDevices(lookup("ASCEND_RT_VISIBLE_DEVICES"), device_count);
  config.log = ReadLog(lookup);
  config.sync_every_operation = IsSwitchedOn(lookup, "ATB_STREAM_SYNC_EVERY_KERNEL_ENABLE") ||
                                IsSwitchedOn(lookup, "ATB_STREAM_SYNC_EVERY_RUNNER_ENABLE") ||
                                IsSwitchedOn(lookup, "ATB_STREAM_SYNC_EVERY_OPERATION_ENABLE");
  return config;
}

StatusOr<LogLevel> ReadOperatorLogLevel(EnvironmentLookup lookup) {
  const char* const list = lookup("ASCEND_MODULE_LOG_LEVEL");
  const char* const global = lookup("ASCEND_GLOBAL_LOG_LEVEL");
  std::optional<std::string_view> text;
  if (list != nullptr) text = FindModuleLevel(list, kOperatorModule);
  if (!text && global != nullptr) text = global;
  if (!text) return LogLevel::kError;
  const std::optional<LogLevel> level = ParseLevel(*text);
  if (!level) {
    return Unexpected(Refuse(Fault::kInvalidParam,
                             "the log level of operators is \"{}\" (ASCEND_MODULE_LOG_LEVEL or "
                             "ASCEND_GLOBAL_LOG_LEVEL); allowed 0 to 4",
                             *text));
  }
  return *level;
}

}  // namespace belay
