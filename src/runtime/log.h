// Where messages go besides the queue: stderr by default, stdout or a file when asked for.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <string_view>

#include "base/config.h"
#include "base/export.h"

namespace spdlog {
class logger;
}

namespace belay::runtime {

/// The part of the library that speaks, as ASCEND_MODULE_LOG_LEVEL names it.
enum class LogModule : std::uint8_t { kAcl, kOperator, kApplication };

class BELAY_EXPORT Log {
 public:
  explicit Log(const LogConfig& config);
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;
  ~Log();

  /// Overrides what the environment said for a module.
  void SetLevel(LogModule module, LogLevel level) noexcept;

  [[nodiscard]] bool Enabled(LogModule module, LogLevel level) const noexcept;

  /// One line; line ends inside the text become "; ". Never fails and never throws.
  void Write(LogModule module, LogLevel level, std::string_view text) noexcept;

 private:
  static constexpr std::size_t kModules = 3;

  std::array<std::atomic<LogLevel>, kModules> levels_;
  std::shared_ptr<spdlog::logger> logger_;
};

}  // namespace belay::runtime
