// `belay`: tells about this copy of Belay, sets up shells to use it, and decodes packed words.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "belay/quant_param.h"
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

  CLI::App* decode = app.add_subcommand(
      "decode",
      "What 64-bit quantisation parameters (quantParam) hold and which layouts they can\n"
      "have. Exit code 0 when one fits all words, 1 when none does, 2 for input it cannot read.");
  belay::cli::DecodeOptions decode_options;
  decode_options.limit = 64;
  decode
      ->add_option("input", decode_options.inputs,
                   "FILE.npy (int64 or uint64), FILE.bin (little-endian words), or words as\n"
                   "numbers: 0x..., or decimal")
      ->required();
  decode->add_option("--layout", decode_options.layout, "Take the words for this layout")
      ->check(CLI::IsMember({belay::QuantLayoutName(belay::QuantLayout::kPacked19),
                             belay::QuantLayoutName(belay::QuantLayout::kPacked32),
                             belay::QuantLayoutName(belay::QuantLayout::kFloatBits)}));
  decode->add_option("--limit", decode_options.limit, "Print at most so many words")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : belay::cli::kBadInput;
  }
  try {
    if (decode->parsed()) return belay::cli::Decode(decode_options);
    if (env->parsed()) return belay::cli::PrintEnv();
    return chips ? belay::cli::PrintChips(as_json) : belay::cli::PrintInfo(as_json);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "belay: %s\n", error.what());
    return belay::cli::kFailure;
  }
}
