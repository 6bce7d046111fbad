// Belay through its public API.
#pragma once

#include "acl/acl.h"
#include "atb/atb_infer.h"
#include "memory.h"
#include "peers/peer.h"

namespace belay::bench {

/// What one measured run is made of.
enum class CallMode : std::uint8_t {
  kCall,             // Execute and synchronise, after one Setup
  kSetupCall,        // Setup, Execute and synchronise
  kTrain,            // kTrainLength times Execute, one synchronise
  kLaunch,           // kTrainLength times Execute; Synchronize() comes after the measured time
  kAclnn,            // aclnn: phase one, phase two and synchronise
  kAclnnRepeatable,  // aclnn: phase two of a repeatable executor and synchronise
};
inline constexpr std::uint64_t kTrainLength = 1000;

aclDataType AclTypeOf(Type type);

class Belay : public Peer {
 public:
  explicit Belay(CallMode mode = CallMode::kCall);
  ~Belay() override;

  [[nodiscard]] std::string_view name() const override { return "Belay"; }
  Call SetValue(const SetValueProblem& problem) override;
  Call Repeat(const RepeatProblem& problem) override;
  Call IndexAdd(const IndexAddProblem& problem) override;
  void Synchronize();

 private:
  template <class Param>
  Call Prepare(const Param& param, atb::VariantPack pack);
  [[nodiscard]] Call ThenSynchronize(Call call);

  CallMode mode_;
  aclrtStream stream_ = nullptr;
  atb::Context* context_ = nullptr;
  std::vector<Block> kept_;  // small inputs that only Belay has
};

}  // namespace belay::bench
