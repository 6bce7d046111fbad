// The ATB program that a byte string stands for. It keeps what it made, so that later bytes can use
// it, use it again after its end, or use it for something else.
#pragma once

#include <acl/acl.h>
#include <atb/atb_infer.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "fuzz/atb_model.h"
#include "fuzz/input.h"

namespace belay::fuzz {

class AtbProgram {
 public:
  explicit AtbProgram(Input& input) : input_(input) {}
  AtbProgram(const AtbProgram&) = delete;
  AtbProgram& operator=(const AtbProgram&) = delete;

  void Run();

 private:
  static constexpr std::size_t kMaxSteps = 200;
  static constexpr std::size_t kBlocks = 6;
  static constexpr std::size_t kBlockBytes = 2048;

  struct ContextState {
    bool alive = false;
    bool graph = false;
    std::vector<aclrtStream> streams{nullptr};
  };
  /// An operation, and what the good calls on it have left.
  struct OperationState {
    bool alive = false;
    std::uint32_t stream_id = 0;
    AtbParams params;
    std::vector<atb::TensorDesc> likely;  // inputs, then outputs, that fit the parameters
    bool ready = false;
    bool captured = false;
    bool prelaunched = false;
    atb::Context* context = nullptr;
    std::uint64_t workspace_bytes = 0;
    AtbLaunch launch;              // as the last Setup or PRELAUNCH took it over
    std::vector<void*> to_launch;  // the addresses that LAUNCH uses
  };
  struct StreamState {
    aclrtStream handle;
    bool alive;
    bool fault;  // the next wait has to return one
  };

  void Begin();
  void End();
  void Step();
  void StepContext();
  void StepContextSetting();
  void StepStream();
  void StepMemory();
  void StepOperation();
  void CreateOperation();
  void StepInferShape(atb::Operation* operation);
  void StepSetup(atb::Operation* operation);
  void StepExecute(atb::Operation* operation);

  void DrawSetValue(OperationState& state);
  void DrawRepeat(OperationState& state);
  void DrawIndexAdd(OperationState& state, bool valid);
  [[nodiscard]] atb::Status Create(OperationState& state, atb::Operation** operation);

  [[nodiscard]] std::int32_t TakeType();
  [[nodiscard]] std::int64_t TakeNumber();
  [[nodiscard]] std::vector<std::int64_t> TakeList();
  [[nodiscard]] std::vector<atb::TensorDesc> TakeDescs(const OperationState& state);
  [[nodiscard]] void* TakeAddress(std::size_t tensor);
  [[nodiscard]] atb::VariantPack TakePack(const OperationState& state,
                                          const std::vector<atb::TensorDesc>& descs);
  [[nodiscard]] atb::Context* TakeContext();
  [[nodiscard]] atb::Operation* TakeOperation();
  [[nodiscard]] aclrtStream TakeStream();

  [[nodiscard]] StreamState* FindStream(const OperationState& state);
  /// Lets all work finish and compares memory and faults with what they have to be.
  void Settle();

  Input& input_;
  AtbMemory memory_;
  std::array<std::byte*, kBlocks> blocks_{};
  void* freed_ = nullptr;
  void* pinned_ = nullptr;
  void* foreign_ = nullptr;  // of device 1
  void* workspace_ = nullptr;
  alignas(64) inline static std::array<std::byte, kBlockBytes> registered_{};
  alignas(64) inline static std::array<std::byte, kBlockBytes> host_{};

  std::deque<StreamState> streams_;
  std::vector<atb::Context*> contexts_;
  std::map<atb::Context*, ContextState> context_states_;
  std::vector<atb::Operation*> operations_;
  std::map<atb::Operation*, OperationState> operation_states_;
  atb::ExecuteType type_ = atb::EXECUTE_NORMAL;
  aclrtStream opener_ = nullptr;
  aclrtEvent gate_ = nullptr;             // held at until Settle, if there is one
  const StreamState* working_ = nullptr;  // the one stream that may have work
};

}  // namespace belay::fuzz
