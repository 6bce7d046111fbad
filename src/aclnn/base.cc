// aclnnInit and aclnnFinalize: optional for programs, and without effect.
#include "aclnn/aclnn_call.h"

using belay::Status;
using belay::aclnn::AclnnCall;
using belay::aclnn::Machine;

namespace {

constexpr const char* kSource = "aclnn API, initialisation";

}  // namespace

aclnnStatus aclnnInit(const char* /*configPath*/) {
  return AclnnCall({"aclnnInit", kSource}, [](Machine&) -> Status { return {}; });
}

aclnnStatus aclnnFinalize() {
  return AclnnCall({"aclnnFinalize", kSource}, [](Machine&) -> Status { return {}; });
}
