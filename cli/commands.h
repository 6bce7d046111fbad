// The subcommands of `belay`, one file each. Each prints to standard output and returns the exit
// code; complaints go to standard error.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace belay::cli {

inline constexpr int kSuccess = 0;
inline constexpr int kFailure = 1;
inline constexpr int kBadEnvironment = 2;  // a BELAY_ variable has a value that means nothing
inline constexpr int kBadInput = 2;        // a file or a word that cannot be read
inline constexpr int kBadOutput = 3;       // standard output does not take all that was printed

/// What this copy of Belay is and what a program would meet here.
int PrintInfo(bool as_json);

/// The chips that BELAY_SOC may name. Does not look at the environment.
int PrintChips(bool as_json);

/// Shell commands that set up a shell to use this copy of Belay.
int PrintEnv();

struct DecodeOptions {
  std::vector<std::string> inputs;  // one file, or words
  std::string layout;               // the name of a layout; empty for all of them
  std::uint64_t limit = 0;          // so many words are printed
};

/// What packed quantisation parameters hold. kFailure when words are malformed: under the named
/// layout, or under each.
int Decode(const DecodeOptions& options);

}  // namespace belay::cli
