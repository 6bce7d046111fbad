// The program that a byte string stands for. It keeps what it made, so that later bytes can use it,
// use it again after its end, or use it for something else.
#pragma once

#include <acl/acl.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fuzz/input.h"

namespace belay::fuzz {

class Program {
 public:
  explicit Program(Input& input) : input_(input) {}
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// Runs to the end of the input, ends all that was made and looks whether anything is left.
  void Run();

 private:
  static constexpr std::size_t kArenaBytes = 65536;
  static constexpr std::size_t kMaxSteps = 400;

  struct Address {
    void* pointer;
    std::size_t room;  // bytes that may be touched there, or all where the library has to refuse
    bool pageable;
  };

  void Step();
  void StepMemory();
  void StepCopy();
  void StepStream();
  void StepEvent();
  void StepContext();

  [[nodiscard]] void* Handle(const std::vector<void*>& likely);
  [[nodiscard]] Address TakeAddress();
  [[nodiscard]] std::size_t TakeSize();

  /// Lets every stream go on that waits for an event nobody has recorded, so that a call without
  /// time-out comes back.
  void Release();
  void EnsureContext();
  void End();

  Input& input_;
  std::vector<void*> streams_;
  std::vector<void*> events_;
  std::vector<void*> contexts_;
  std::vector<void*> blocks_;
  std::vector<void*> pinned_;
  std::vector<void*> registered_;
  bool held_ = false;  // some stream may wait for an event
  alignas(64) inline static std::array<char, kArenaBytes> arena_{};
};

}  // namespace belay::fuzz
