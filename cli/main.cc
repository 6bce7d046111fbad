// `belay`: tells about this copy of Belay and sets up shells to use it.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "commands.h"

int main(int argc, char** argv) {
  CLI::App app("Runs programs for the acl runtime and aclnn operators on the CPU.", "belay");
  app.set_version_flag("--version", "belay " BELAY_VERSION);
  app.require_subcommand(1);

  CLI::App* info = app.add_subcommand(
      "info",
      "What this copy is and what a program meets here: versions, chip, devices, memory,\n"
      "behaviour, operators and BELAY_ variables. Exit code 2 when one has a bad value.");
  bool as_json = false;
  bool chips = false;
  info->add_flag("--json", as_json, "Print the same as JSON");
  info->add_flag("--chips", chips, "Only list the chips that BELAY_SOC may name");

  CLI::App* env = app.add_subcommand(
      "env", "Shell commands that set up a shell to use this copy: eval \"$(belay env)\"");

  CLI11_PARSE(app, argc, argv);
  try {
    if (env->parsed()) return belay::cli::PrintEnv();
    return chips ? belay::cli::PrintChips(as_json) : belay::cli::PrintInfo(as_json);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "belay: %s\n", error.what());
    return belay::cli::kFailure;
  }
}
