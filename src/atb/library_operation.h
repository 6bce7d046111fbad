// The library's own atb::Operation: the published flow from InferShape to Execute over any
// operator.
//
// The operator decides what is allowed; this class keeps the order of the flow, what Setup left for
// Execute, and hands launches to the context's stream.
// Source: ATB, common flow of operations.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "atb/library_context.h"
#include "atb/object_pool.h"
#include "atb/operation.h"
#include "atb/operator_instance.h"
#include "base/plan.h"
#include "base/status.h"
#include "runtime/handle_table.h"
#include "runtime/stream.h"

namespace belay::atb_face {

class LibraryOperation final : public ::atb::Operation {
 public:
  /// A retired operation, as it stays behind after DestroyOperation: every call is refused.
  LibraryOperation() noexcept = default;
  explicit LibraryOperation(std::unique_ptr<OperatorInstance> instance)
      : operator_(std::move(instance)) {}
  LibraryOperation(const LibraryOperation&) = delete;
  LibraryOperation& operator=(const LibraryOperation&) = delete;
  ~LibraryOperation() override = default;

  /// Programs may delete an operation instead of calling DestroyOperation.
  static void operator delete(void* pointer) noexcept;
  static void* operator new(std::size_t, void* place) noexcept { return place; }

  std::string GetName() const override;
  ::atb::Status InferShape(const ::atb::SVector<::atb::TensorDesc>& inTensorDescs,
                           ::atb::SVector<::atb::TensorDesc>& outTensorDescs) const override;
  uint32_t GetInputNum() const override;
  uint32_t GetOutputNum() const override;
  ::atb::Status Setup(const ::atb::VariantPack& variantPack, uint64_t& workspaceSize,
                      ::atb::Context* context) override;
  ::atb::Status Execute(const ::atb::VariantPack& variantPack, uint8_t* workspace,
                        uint64_t workspaceSize, ::atb::Context* context) override;

  void SetStreamId(uint32_t id) noexcept { stream_id_ = id; }
  [[nodiscard]] uint32_t stream_id() const noexcept { return stream_id_; }

  static ObjectPool<LibraryOperation>& Pool() noexcept;

 private:
  /// A tensor as Setup or Execute was given it.
  struct Argument {
    TensorDesc desc;
    void* device_data = nullptr;
    void* host_data = nullptr;
    std::uint64_t data_bytes = 0;

    [[nodiscard]] void* Address() const noexcept {
      return device_data != nullptr ? device_data : host_data;
    }
  };
  /// Inputs first, then outputs.
  using Arguments = std::array<Argument, ops::kMaxTensors>;

  [[nodiscard]] Status RequireAlive() const;
  [[nodiscard]] std::size_t ArgumentCount() const;
  [[nodiscard]] std::string_view ArgumentName(std::size_t i) const;
  [[nodiscard]] std::string CallName(std::string_view phase) const noexcept;
  [[nodiscard]] const char* Source() const;

  [[nodiscard]] Status SetupOn(const ::atb::VariantPack& pack, std::uint64_t& workspace_bytes,
                               ::atb::Context* context, const ops::Profile& who);
  [[nodiscard]] Status CompareWithCaptured(const ::atb::VariantPack& pack) const;
  [[nodiscard]] Status Prelaunch(const ::atb::VariantPack& pack, void* workspace,
                                 std::uint64_t workspace_bytes, const ::atb::Context* context);
  [[nodiscard]] Status TakeArguments(const ::atb::VariantPack& pack, Arguments& taken) const;
  [[nodiscard]] StatusOr<runtime::Ref<runtime::Stream>> FindStream() const;
  [[nodiscard]] StatusOr<runtime::LaunchTask> HoldMemory(std::int32_t device) const;
  [[nodiscard]] Status SubmitLaunch();

  std::unique_ptr<OperatorInstance> operator_;  // null: retired
  uint32_t stream_id_ = 0;

  // What the last good Setup left.
  bool ready_ = false;
  ::atb::Context* context_ = nullptr;
  Plan plan_;
  Arguments arguments_;
  bool captured_ = false;  // ran in graph launch mode: the descs are fixed from then on

  // What the last good PRELAUNCH left.
  bool prelaunched_ = false;
  Launch launch_;
};

}  // namespace belay::atb_face
