// The subcommands of `belay`, one file each. Each prints to standard output and returns the exit
// code; complaints go to standard error.
#pragma once

namespace belay::cli {

inline constexpr int kSuccess = 0;
inline constexpr int kFailure = 1;
inline constexpr int kBadEnvironment = 2;  // a BELAY_ variable has a value that means nothing

/// What this copy of Belay is and what a program would meet here.
int PrintInfo(bool as_json);

/// The chips that BELAY_SOC may name. Does not look at the environment.
int PrintChips(bool as_json);

/// Shell commands that set up a shell to use this copy of Belay.
int PrintEnv();

}  // namespace belay::cli
