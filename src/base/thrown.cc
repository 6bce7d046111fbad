#include "base/thrown.h"

#include <algorithm>
#include <exception>
#include <string_view>

#include "base/status.h"

namespace belay {
namespace {

constexpr std::size_t kMaxBytes = 512;

// A message of one line is a line of the log.
std::string OneLine(std::string_view text) {
  std::string line(text.substr(0, kMaxBytes));
  std::ranges::replace_if(
      line, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7F'; }, ' ');
  if (text.size() > kMaxBytes) line += "...";
  return line;
}

}  // namespace

std::string ThrownText() noexcept {
  try {
    throw;
  } catch (const std::exception& error) {
    const char* const text = error.what();
    if (text == nullptr) return Text("an exception that says nothing");
    return Described([&] { return fmt::format("an exception that says \"{}\"", OneLine(text)); });
  } catch (...) {
    return Text("an exception that is no std::exception");
  }
}

}  // namespace belay
