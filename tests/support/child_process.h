// Runs another program, or this one again, with an environment of its own.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace belay::test {

struct ChildResult {
  int status = -1;         // what it returned; 128 + n when signal n ended it
  bool timed_out = false;  // and was killed, with all its children
  std::string output;      // stdout and stderr of the child and of its own children
};

/// Runs `command` until it and all that hold its output open have ended, at most for `patience`.
/// `environment` ("NAME=value") is added to that of this process.
ChildResult RunChild(const std::vector<std::string>& command,
                     const std::vector<std::string>& environment, std::chrono::seconds patience);

}  // namespace belay::test
