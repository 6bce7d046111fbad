#include "support/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

namespace belay::test {
namespace {

std::vector<char*> Pointers(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (std::string& text : strings) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> WithOwnEnvironment(std::vector<std::string> environment) {
  for (char** entry = environ; *entry != nullptr; ++entry) environment.emplace_back(*entry);
  return environment;  // of two entries of one name, the first counts
}

// In a process group of its own, so that all its children can be killed with it.
pid_t Spawn(std::vector<std::string> command, std::vector<std::string> environment, int output) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, output, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  pid_t child = -1;
  if (posix_spawn(&child, command.front().c_str(), &files, &attributes, Pointers(command).data(),
                  Pointers(environment).data()) != 0) {
    child = -1;
  }
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return child;
}

// True at the end of the output, false when the time is up.
bool ReadAll(int from, std::chrono::steady_clock::time_point end, std::string& output) {
  std::array<char, 4096> buffer{};
  while (true) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd ready{from, POLLIN, 0};
    if (poll(&ready, 1, static_cast<int>(left.count())) <= 0) continue;
    const ssize_t got = read(from, buffer.data(), buffer.size());
    if (got <= 0) return true;
    output.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace

ChildResult RunChild(const std::vector<std::string>& command,
                     const std::vector<std::string>& environment, std::chrono::seconds patience) {
  ChildResult result;
  std::array<int, 2> pipe_ends{};
  if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) return result;
  const pid_t child = Spawn(command, WithOwnEnvironment(environment), pipe_ends[1]);
  close(pipe_ends[1]);
  if (child > 0) {
    result.timed_out =
        !ReadAll(pipe_ends[0], std::chrono::steady_clock::now() + patience, result.output);
    if (result.timed_out) kill(-child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  close(pipe_ends[0]);
  return result;
}

}  // namespace belay::test
