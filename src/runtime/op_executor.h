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
    bool has_offset = false;  // a tensor that does not begin where its storage does
  };

  /// `operation` is a literal: the operator's name.
  explicit OpExecutor(std::string_view operation) noexcept : operation_(operation) {}

  [[nodiscard]] std::string_view operation() const noexcept { return operation_; }

  void SetPlan(const Plan& plan) noexcept { launch_.plan = plan; }
  [[nodiscard]] const Plan& plan() const noexcept { return launch_.plan; }

  void AddArgument(const Argument& argument) noexcept { arguments_[argument_count_++] = argument; }
  /// `address` is that of the view's first element.
  void AddTensor(const Argument& argument, void* address, bool has_offset) noexcept {
    AddArgument(argument);
    SetAddress(tensor_count_++, address, has_offset);
  }

  /// Which tensor has this position among the inputs, the outputs, or (kInputAndOutput) all of
  /// them; kMaxArguments when there is none.
  [[nodiscard]] BELAY_EXPORT std::size_t FindTensor(Use use, std::size_t position) const noexcept;
  [[nodiscard]] const Argument& argument(std::size_t i) const noexcept { return arguments_[i]; }
  void SetAddress(std::size_t i, void* address, bool has_offset) noexcept {
    launch_.addresses[i] = address;
    arguments_[i].has_offset = has_offset;
  }

  /// Kept by phase two until it is destroyed.
  std::atomic<bool> repeatable{false};

  /// Phase two: kInvalidParam for an argument that is no more, for a workspace that is too small
  /// and while another thread runs the same executor; kNullPointer for a workspace that is null;
  /// kTensorAddr for memory that is not the stream's. Else the stream has the work.
  [[nodiscard]] BELAY_EXPORT Status Run(const Ref<Stream>& stream, void* workspace,
                                        std::uint64_t workspace_bytes);

 private:
  [[nodiscard]] Status CheckArguments() const;
  [[nodiscard]] Status CheckWorkspace(const void* workspace, std::uint64_t workspace_bytes) const;

  std::string_view operation_;
  std::size_t argument_count_ = 0;
  std::size_t tensor_count_ = 0;
  std::array<Argument, kMaxArguments> arguments_{};
  Launch launch_;
  LaunchMemory memory_;
  std::atomic<bool> busy_{false};
};

}  // namespace belay::runtime
