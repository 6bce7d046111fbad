// What the environment says, read once into one value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/behaviour.h"
#include "base/export.h"
#include "base/function_ref.h"
#include "base/product.h"
#include "base/status.h"

namespace belay {

/// Levels of ASCEND_GLOBAL_LOG_LEVEL, in its numbering.
enum class LogLevel : std::uint8_t { kDebug = 0, kInfo = 1, kWarning = 2, kError = 3, kNone = 4 };

struct LogConfig {
  LogLevel level = LogLevel::kError;       // ASCEND_GLOBAL_LOG_LEVEL
  std::optional<LogLevel> acl_level;       // ASCENDCL=n in ASCEND_MODULE_LOG_LEVEL
  std::optional<LogLevel> operator_level;  // OP=n in ASCEND_MODULE_LOG_LEVEL
  bool to_stdout = false;                  // ASCEND_SLOG_PRINT_TO_STDOUT=1
  std::string directory;                   // ASCEND_PROCESS_LOG_PATH; empty: no file
};

struct Config {
  Behaviour behaviour = Behaviour::kDocumented;  // BELAY_BEHAVIOR
  const Chip* chip = nullptr;                    // BELAY_SOC, never null after a successful read
  std::vector<std::int32_t> visible_devices;     // physical ids by user id; BELAY_NUM_DEVICES
                                                 // filtered by ASCEND_RT_VISIBLE_DEVICES
  unsigned compute_threads = 1;                  // BELAY_NUM_THREADS, else the usable cores
  bool launch_blocking = false;                  // BELAY_LAUNCH_BLOCKING
  bool sync_every_operation = false;             // any ATB_STREAM_SYNC_EVERY_*_ENABLE=1
  LogConfig log;
};

/// Looks a variable up; null when it is not set.
using EnvironmentLookup = FunctionRef<const char*(const char* name)>;

/// A BELAY_ variable and what it may be, for messages, documents and `belay info`.
struct VariableInfo {
  std::string_view name;
  std::string_view allowed;
  std::string_view meaning;
};
BELAY_EXPORT const std::vector<VariableInfo>& BelayVariables();

/// Reads the configuration. kBadEnvironment when a BELAY_ variable has a bad value; the message
/// names the variable, the value and the legal ones.
BELAY_EXPORT StatusOr<Config> ReadConfig(EnvironmentLookup lookup);

/// The level of operators as the environment says it now. kInvalidParam when it is none of 0 to 4.
BELAY_EXPORT StatusOr<LogLevel> ReadOperatorLogLevel(EnvironmentLookup lookup);

/// Cores this process may use: affinity mask and cgroup quota, at least 1.
BELAY_EXPORT unsigned UsableCores();

/// Versions that Belay answers for the libraries it stands for.
inline constexpr int kAclMajorVersion = 1;
inline constexpr int kAclMinorVersion = 17;
inline constexpr int kAclPatchVersion = 0;
inline constexpr std::string_view kAtbVersion = "8.5.0";
inline constexpr std::string_view kCannVersion = "9.0";

}  // namespace belay
