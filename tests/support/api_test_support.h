// For tests of the public API: a part of a test in a process of its own, outputs that show whether
// they were written, and memory with known bytes.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "support/device_test.h"

namespace belay::test {

using Environment = std::map<std::string, std::string>;
using ChildBody = void (*)();

/// How a process ended: its exit status (or 1000 and the signal), and what it wrote.
struct BodyResult {
  int status = 0;
  pid_t pid = 0;
  std::string out;
  std::string err;
};

namespace internal {

inline constexpr const char* kChildVariable = "BELAY_TEST_CHILD";

// Where the program lies in memory differs from process to process; distances within it do not.
inline std::uintptr_t Origin() { return reinterpret_cast<std::uintptr_t>(&Origin); }

class ChildTest : public testing::Test {
 public:
  explicit ChildTest(ChildBody body) : body_(body) {}
  void TestBody() override { body_(); }

 private:
  ChildBody body_;
};

// In a child, and only there, the program has one test more: the body that the parent chose.
inline const bool child_registered = [] {
  const char* distance = std::getenv(kChildVariable);
  if (distance == nullptr) return false;
  const auto body = reinterpret_cast<ChildBody>(Origin() + std::strtoull(distance, nullptr, 10));
  testing::RegisterTest("Child", "Body", nullptr, nullptr, __FILE__, __LINE__,
                        [body]() -> testing::Test* { return new ChildTest(body); });
  return true;
}();

inline std::string ReadAll(std::FILE* file) {
  std::string text;
  std::rewind(file);
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) text += static_cast<char>(c);
  std::fclose(file);
  return text;
}

// The variables of this process without those that the library reads, and with the given ones.
inline std::vector<std::string> MakeEnvironment(Environment variables) {
  std::vector<std::string> lines;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string line = *entry;
    if (line.starts_with("BELAY_") || line.starts_with("ASCEND_")) continue;
    if (variables.contains(line.substr(0, line.find('=')))) continue;
    lines.push_back(line);
  }
  for (const auto& [name, value] : variables) lines.push_back(name + "=" + value);
  return lines;
}

inline std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace internal

/// Runs the body as a test in a new process that sees these variables of the library and no others.
/// The body must not capture anything; it can read the variables. The expectations it makes decide
/// the exit status.
inline BodyResult RunBody(const Environment& variables, ChildBody body) {
  Environment all = variables;
  all[internal::kChildVariable] =
      std::to_string(reinterpret_cast<std::uintptr_t>(body) - internal::Origin());
  std::vector<std::string> environment = internal::MakeEnvironment(std::move(all));
  std::vector<std::string> arguments = {"api_child", "--gtest_filter=Child.Body",
                                        "--gtest_brief=1"};
  std::FILE* const out = std::tmpfile();
  std::FILE* const err = std::tmpfile();
  BodyResult result;
  if (out == nullptr || err == nullptr) {
    ADD_FAILURE() << "no temporary files";
    return result;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(out), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(err), STDERR_FILENO);
  const int spawned =
      ::posix_spawn(&result.pid, "/proc/self/exe", &actions, nullptr,
                    internal::Pointers(arguments).data(), internal::Pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  EXPECT_EQ(spawned, 0) << std::strerror(spawned);
  int state = 0;
  if (spawned == 0) {
    EXPECT_EQ(::waitpid(result.pid, &state, 0), result.pid);
    result.status = WIFEXITED(state) ? WEXITSTATUS(state) : 1000 + WTERMSIG(state);
  }
  result.out = internal::ReadAll(out);
  result.err = internal::ReadAll(err);
  return result;
}

/// The same, and expects that the body's expectations were met.
inline BodyResult ExpectChildPasses(const Environment& variables, ChildBody body) {
  BodyResult result = RunBody(variables, body);
  std::string shown;
  for (const auto& [name, value] : variables) shown += name + "=" + value + " ";
  EXPECT_EQ(result.status, 0) << shown << "\n" << result.out << result.err;
  return result;
}

/// A variable of this process, empty when it is not set.
inline std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

/// An output argument filled with a pattern, which a refused call must leave alone.
template <class T>
class Output {
 public:
  Output() { std::memset(&value_, kPattern, sizeof value_); }

  T* operator&() { return &value_; }  // NOLINT: it stands where the variable itself would
  const T& operator*() const { return value_; }
  [[nodiscard]] bool Untouched() const {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &value_, sizeof value_);
    for (const unsigned char byte : bytes) {
      if (byte != kPattern) return false;
    }
    return true;
  }

 private:
  static constexpr unsigned char kPattern = 0xA7;
  T value_;
};

using Bytes = std::vector<std::uint8_t>;

/// Bytes that differ from their neighbours and, with another seed, from each other.
inline Bytes SomeBytes(std::size_t size, unsigned seed = 1) {
  Bytes bytes(size);
  std::uint32_t state = seed * 2654435761U + 12345U;
  for (std::uint8_t& byte : bytes) {
    state = state * 1664525U + 1013904223U;
    byte = static_cast<std::uint8_t>(state >> 24);
  }
  return bytes;
}

/// Device memory that is freed with the test.
class Block {
 public:
  explicit Block(std::size_t size) {
    EXPECT_EQ(aclrtMalloc(&address_, size, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  }
  explicit Block(const Bytes& bytes) : Block(bytes.size()) { Write(bytes); }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  ~Block() {
    if (address_ != nullptr) {
      EXPECT_EQ(aclrtFree(address_), ACL_SUCCESS);
    }
  }

  [[nodiscard]] void* get() const { return address_; }
  [[nodiscard]] void* At(std::size_t offset) const {
    return static_cast<std::uint8_t*>(address_) + offset;
  }
  /// The test frees it itself.
  void* Release() { return std::exchange(address_, nullptr); }

  void Write(const Bytes& bytes) const {
    EXPECT_EQ(
        aclrtMemcpy(address_, bytes.size(), bytes.data(), bytes.size(), ACL_MEMCPY_HOST_TO_DEVICE),
        ACL_SUCCESS);
  }
  [[nodiscard]] Bytes Read(std::size_t size) const {
    Bytes bytes(size);
    EXPECT_EQ(aclrtMemcpy(bytes.data(), size, address_, size, ACL_MEMCPY_DEVICE_TO_HOST),
              ACL_SUCCESS);
    return bytes;
  }

 private:
  void* address_ = nullptr;
};

/// A folder of its own that is gone after the test.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "belay_test_XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Writes a file and returns its path.
  [[nodiscard]] std::string Write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

}  // namespace belay::test
