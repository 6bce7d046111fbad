#include "runtime/log.h"

#include <spdlog/logger.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <unistd.h>

#include <string>
#include <vector>

namespace belay::runtime {
namespace {

constexpr std::string_view ModuleName(LogModule module) noexcept {
  switch (module) {
    case LogModule::kAcl:
      return "ASCENDCL";
    case LogModule::kOperator:
      return "OP";
    case LogModule::kApplication:
      return "APP";
  }
  return "";
}

constexpr spdlog::level::level_enum ToSpdlog(LogLevel level) noexcept {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarning:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
    case LogLevel::kNone:
      return spdlog::level::off;
  }
  return spdlog::level::off;
}

constexpr std::string_view LevelName(LogLevel level) noexcept {
  switch (level) {
    case LogLevel::kDebug:
      return "DEBUG";
    case LogLevel::kInfo:
      return "INFO";
    case LogLevel::kWarning:
      return "WARNING";
    case LogLevel::kError:
    case LogLevel::kNone:
      return "ERROR";
  }
  return "";
}

std::vector<spdlog::sink_ptr> MakeSinks(const LogConfig& config) {
  std::vector<spdlog::sink_ptr> sinks;
  if (config.to_stdout) {
    sinks.push_back(std::make_shared<spdlog::sinks::stdout_sink_mt>());
  } else {
    sinks.push_back(std::make_shared<spdlog::sinks::stderr_sink_mt>());
  }
  if (!config.directory.empty()) {
    try {
      sinks.push_back(std::make_shared<spdlog::sinks::basic_file_sink_mt>(
          fmt::format("{}/belay/belay_{}.log", config.directory, ::getpid())));
    } catch (const spdlog::spdlog_ex&) {
      // A folder that cannot be written must not keep a program from running.
    }
  }
  return sinks;
}

}  // namespace

Log::Log(const LogConfig& config)
    : levels_{config.acl_level.value_or(config.level), config.operator_level.value_or(config.level),
              config.level} {
  const std::vector<spdlog::sink_ptr> sinks = MakeSinks(config);
  logger_ = std::make_shared<spdlog::logger>("belay", sinks.begin(), sinks.end());
  logger_->set_level(spdlog::level::trace);  // Enabled() decides
  logger_->set_pattern("%v");
  logger_->flush_on(spdlog::level::err);
  // A full disk or a closed stream is not worth a word on the program's stderr.
  logger_->set_error_handler([](const std::string&) {});
}

Log::~Log() = default;

void Log::SetLevel(LogModule module, LogLevel level) noexcept {
  levels_[static_cast<std::size_t>(module)].store(level, std::memory_order_relaxed);
}

bool Log::Enabled(LogModule module, LogLevel level) const noexcept {
  const LogLevel threshold =
      levels_[static_cast<std::size_t>(module)].load(std::memory_order_relaxed);
  return threshold != LogLevel::kNone && level >= threshold;
}

void Log::Write(LogModule module, LogLevel level, std::string_view text) noexcept {
  if (!Enabled(module, level)) return;
  try {
    std::string line =
        fmt::format("[{}] {}({}): ", LevelName(level), ModuleName(module), ::getpid());
    for (const char c : text) {
      if (c == '\n') {
        line += "; ";
      } else {
        line += c;
      }
    }
    logger_->log(ToSpdlog(level), line);
  } catch (...) {
    // No memory for a log line: the message queue still has the text.
  }
}

}  // namespace belay::runtime
