// What phase one of an aclnn operator leaves for phase two: a launch, and the objects it came from.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/export.h"
#include "base/plan.h"
#include "base/status.h"
#include "runtime/handle_table.h"
#include "runtime/launch_memory.h"
#include "runtime/stream.h"

namespace belay::runtime {

/// Null for null; an offset that wraps around gives the last address, which no memory has.
[[nodiscard]] BELAY_EXPORT void* AddressAt(void* storage, std::int64_t offset_bytes) noexcept;

class OpExecutor {
 public:
  static constexpr std::size_t kMaxArguments = 6;

  enum class Use : std::uint8_t { kInput, kOutput, kInputAndOutput, kValue };

  /// An object that phase one was given. Tensors come first, in the order of the plan's addresses.
  struct Argument {
    const char* name = "";
    const void* handle = nullptr;  // null: not given
    HandleKind kind = HandleKind::kTensor;
    Use use = Use::kInput;
    void* storage = nullptr;        // of a tensor, as it was last set
    std::int64_t offset_bytes = 0;  // from there to its first element, as phase one found it
  };

  /// `operation` is a literal: the operator's name.
  explicit OpExecutor(std::string_view operation) noexcept : operation_(operation) {}

  [[nodiscard]] std::string_view operation() const noexcept { return operation_; }

  /// `endings` of the arguments' Watch, from before they were found.
  void SetPlan(const Plan& plan, std::uint64_t endings) noexcept {
    launch_.plan = plan;
    needed_ = plan.workspace_bytes;
    endings_ = endings;
  }
  [[nodiscard]] const Plan& plan() const noexcept { return launch_.plan; }

  void AddArgument(const Argument& argument) noexcept { arguments_[argument_count_++] = argument; }
  void AddTensor(const Argument& argument) noexcept {
    AddArgument(argument);
    SetStorage(tensor_count_++, argument.storage);
  }

  /// Which tensor has this position among the inputs, the outputs, or (kInputAndOutput) all of
  /// them; kMaxArguments when there is none.
  [[nodiscard]] BELAY_EXPORT std::size_t FindTensor(Use use, std::size_t position) const noexcept;
  [[nodiscard]] const Argument& argument(std::size_t i) const noexcept { return arguments_[i]; }
  void SetStorage(std::size_t i, void* storage) noexcept {
    arguments_[i].storage = storage;
    launch_.addresses[i] = AddressAt(storage, arguments_[i].offset_bytes);
  }

  /// Kept by phase two until it is destroyed.
  std::atomic<bool> repeatable{false};

  /// Phase two: kInvalidParam for an argument that is no more, for a workspace that is too small
  /// and while another thread runs the same executor; kNullPointer for a workspace that is null;
  /// kTensorAddr for memory that is not the stream's. Else the stream has the work.
  [[nodiscard]] BELAY_EXPORT Status Run(const Ref<Stream>& stream, void* workspace,
                                        std::uint64_t workspace_bytes);

 private:
  [[nodiscard]] Status CheckArguments();
  [[nodiscard]] Status CheckAlive() const;
  [[nodiscard]] Status CheckOffsets() const;
  [[nodiscard]] Status CheckWorkspace(const void* workspace, std::uint64_t workspace_bytes) const;

  std::string_view operation_;
  std::size_t argument_count_ = 0;
  std::size_t tensor_count_ = 0;
  std::array<Argument, kMaxArguments> arguments_{};
  std::uint64_t endings_ = 0;  // of the arguments' Watch when all were alive
  std::uint64_t needed_ = 0;   // bytes of workspace; the launch has as many as were given last
  Launch launch_;
  LaunchMemory memory_;
  std::atomic<bool> busy_{false};
};

}  // namespace belay::runtime
