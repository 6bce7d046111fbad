// `belay`: tells about this copy of Belay, sets up shells to use it, and decodes packed words.
#include <CLI/CLI.hpp>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <system_error>

#include "belay/quant_param.h"
#include "commands.h"

namespace {

// CLI11 would take 010 for octal, and what 64 bits cannot hold for their largest number.
std::uint64_t Limit(const std::string& text) {
  std::uint64_t limit = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, limit);
  if (error == std::errc() && stop == end) return limit;
  throw CLI::ValidationError("--limit", "'" + text + "' is no number of words; allowed 0 to " +
                                            std::to_string(UINT64_MAX) + ", in decimal");
}

int Run(int argc, char** argv) {
  CLI::App app("Runs programs for the acl runtime and aclnn operators on the CPU.", "belay");
  app.set_version_flag("--version", "belay " BELAY_VERSION);
  app.require_subcommand(1);
  app.footer("Exit code 3 when standard output takes no more.");

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
  decode
      ->add_option_function<std::string>(
          "--limit", [&](const std::string& text) { decode_options.limit = Limit(text); },
          "Print at most so many words")
      ->type_name("COUNT")
      ->default_str(std::to_string(decode_options.limit));

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : belay::cli::kBadInput;
  }
  if (decode->parsed()) return belay::cli::Decode(decode_options);
  if (env->parsed()) return belay::cli::PrintEnv();
  return chips ? belay::cli::PrintChips(as_json) : belay::cli::PrintInfo(as_json);
}

}  // namespace

int main(int argc, char** argv) {
  int result = belay::cli::kFailure;
  try {
    result = Run(argc, argv);
  } catch (const std::exception& error) {
    if (std::ferror(stdout) == 0) std::fprintf(stderr, "belay: %s\n", error.what());
  }
  // Much of the output is written only here, and a full disk must not look like success.
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return result;
  std::fprintf(stderr, "belay: cannot write to standard output: %s\n", std::strerror(errno));
  return belay::cli::kBadOutput;
}
