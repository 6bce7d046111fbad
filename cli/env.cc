// `belay env`: what set_env.sh does, as commands for eval, so that no shell has to find out where a
// file lies.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "commands.h"

namespace belay::cli {
namespace {

std::string Value(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// A word that every shell reads as exactly this text.
std::string Quoted(std::string_view text) {
  std::string word = "'";
  for (const char c : text) {
    if (c == '\'') {
      word += "'\\''";
    } else {
      word += c;
    }
  }
  return word += '\'';
}

/// The list with `directory` at its front, once.
std::string Prepend(const std::string& directory, std::string_view list) {
  std::string result = directory;
  while (!list.empty()) {
    const std::string_view entry = list.substr(0, list.find(':'));
    if (entry != directory) result.append(":").append(entry);
    list.remove_prefix(std::min(list.size(), entry.size() + 1));
  }
  return result;
}

void Export(std::string_view name, std::string_view value) {
  fmt::print("export {}={}\n", name, Quoted(value));
}

}  // namespace

int PrintEnv() {
  const std::filesystem::path root =
      std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path();
  if (!std::filesystem::exists(root / "lib/libascendcl.so")) {
    fmt::print(stderr, "belay: {} is no installed tree: it has no lib/libascendcl.so\n",
               root.string());
    return kFailure;
  }
  std::string path = Value("PATH");
  if (path.empty()) path = "/usr/local/bin:/usr/bin:/bin";
  Export("ASCEND_HOME_PATH", root.string());
  Export("ASCEND_TOOLKIT_HOME", root.string());
  Export("ATB_HOME_PATH", (root / "atb/cxx_abi_1").string());
  Export("LD_LIBRARY_PATH", Prepend(root / "lib", Value("LD_LIBRARY_PATH")));
  Export("PATH", Prepend(root / "bin", path));
  Export("PKG_CONFIG_PATH", Prepend(root / "lib/pkgconfig", Value("PKG_CONFIG_PATH")));
  return kSuccess;
}

}  // namespace belay::cli
