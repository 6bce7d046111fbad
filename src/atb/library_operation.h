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
#include "runtime/launch_memory.h"
#include "runtime/stream.h"

namespace belay::atb_face {

class LibraryOperation final : public ::atb::Operation {
 public:
  /// A retired operation, as it stays behind after DestroyOperation: every call is refused.
  LibraryOperation() noexcept = default;
  explicit LibraryOperation(std::unique_ptr<OperatorInstance> instance)
      : operator_(std::move(instance)), signature_(&operator_->SignatureOf()) {}
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
  /// A tensor as Setup was given it.
  struct Argument {
    TensorDesc desc;
    std::uint64_t bytes = 0;  // of a tensor of that desc
    void* device_data = nullptr;
  };
  /// Inputs first, then outputs.
  using Arguments = std::array<Argument, ops::kMaxTensors>;

  [[nodiscard]] Status RequireAlive() const;
  [[nodiscard]] std::size_t ArgumentCount() const;
  [[nodiscard]] std::string_view ArgumentName(std::size_t i) const;
  /// Tells the program, by message, why a call was refused.
  [[nodiscard]] ::atb::Status Refused(std::string_view phase, std::string_view source,
                                      const Status& status) const noexcept;

  [[nodiscard]] Status SetupOn(const ::atb::VariantPack& pack, std::uint64_t& workspace_bytes,
                               ::atb::Context* context, const ops::Profile& who,
                               std::string_view& source);
  [[nodiscard]] Status PlanFor(const ::atb::VariantPack& pack, const ops::Profile& who,
                               Plan& plan) const;
  [[nodiscard]] bool HasPlanFor(const ::atb::VariantPack& pack) const;
  void KeepArguments(const ::atb::VariantPack& pack, bool described);
  [[nodiscard]] Status CompareWithCaptured(const ::atb::VariantPack& pack) const;
  [[nodiscard]] Status ExecuteAs(::atb::ExecuteType type, const ::atb::VariantPack& pack,
                                 void* workspace, std::uint64_t workspace_bytes,
                                 const ::atb::Context* context);
  [[nodiscard]] Status Prelaunch(const ::atb::VariantPack& pack, void* workspace,
                                 std::uint64_t workspace_bytes, const ::atb::Context* context);
  /// Takes the addresses for the launch from Execute's tensors, or from Setup's.
  [[nodiscard]] Status TakeAddresses(const ::atb::VariantPack& pack);
  [[nodiscard]] Status TakeAddressesOf(const ::atb::SVector<::atb::Tensor>& tensors,
                                       std::size_t first, std::size_t expected, const char* kind);
  /// Why Execute does not take tensor `i`, whose size differs from Setup's or that has no memory.
  [[nodiscard]] Status RefuseTensor(const ::atb::Tensor& tensor, std::size_t i) const;
  /// Makes stream_ the context's stream for this operation.
  [[nodiscard]] Status FindStream();
  [[nodiscard]] Status SubmitLaunch();
  [[nodiscard]] bool InGraphMode() const;

  std::unique_ptr<OperatorInstance> operator_;  // null: retired
  const ops::Signature* signature_ = nullptr;   // the operator's
  uint32_t stream_id_ = 0;

  // What the last good Setup left. The plan stays when a later one fails, for a Setup with the same
  // descs.
  bool ready_ = false;
  ::atb::Context* context_ = nullptr;
  Arguments arguments_;
  Launch launch_;  // its addresses are those of the last PRELAUNCH
  runtime::LaunchMemory memory_;
  // Of the last Execute. Held, because finding it anew costs more than asking whether it lives.
  runtime::Ref<runtime::Stream> stream_;

  bool prelaunched_ = false;  // since that Setup

  /// What ran first in graph launch mode: from then on the descs are fixed.
  struct Captured {
    std::array<TensorDesc, ops::kMaxTensors> descs;
    Plan plan;
  };
  std::unique_ptr<const Captured> captured_;
};

}  // namespace belay::atb_face
