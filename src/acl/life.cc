// Initialisation, versions, messages and the last error.
#include "acl/acl_call.h"
#include "base/config.h"
#include "runtime/thread_state.h"

using belay::Fault;
using belay::NotAllowed;
using belay::NullPointer;
using belay::Status;
using belay::acl::AclCall;
using belay::acl::AclValue;
using belay::acl::Machine;
using belay::runtime::ThreadState;

namespace {

constexpr const char* kSource = "acl API, initialisation and messages";

aclError LastError(const char* function, aclrtLastErrLevel level, bool reset) {
  aclError last = ACL_SUCCESS;
  const aclError refused = AclCall({function, kSource}, [&](Machine&) -> Status {
    if (level != ACL_RT_THREAD_LEVEL) {
      return NotAllowed(Fault::kInvalidParam, "level", static_cast<int>(level),
                        "ACL_RT_THREAD_LEVEL (0)");
    }
    ThreadState& thread = ThreadState::Current();
    last = thread.last_error;
    if (reset) thread.last_error = ACL_SUCCESS;
    return {};
  });
  return refused != ACL_SUCCESS ? refused : last;
}

}  // namespace

aclError aclInit(const char* configPath) {
  return AclCall({"aclInit", kSource},
                 [&](Machine& machine) { return machine.life().Init(configPath); });
}

aclError aclFinalize() {
  return AclCall({"aclFinalize", kSource},
                 [](Machine& machine) { return machine.life().Finalize(); });
}

aclError aclFinalizeReference(uint64_t* refCount) {
  return AclCall({"aclFinalizeReference", kSource},
                 [&](Machine& machine) { return machine.life().FinalizeReference(refCount); });
}

aclError aclrtGetVersion(int32_t* majorVersion, int32_t* minorVersion, int32_t* patchVersion) {
  return AclCall({"aclrtGetVersion", kSource}, [&](Machine&) -> Status {
    if (majorVersion == nullptr) return NullPointer("majorVersion");
    if (minorVersion == nullptr) return NullPointer("minorVersion");
    if (patchVersion == nullptr) return NullPointer("patchVersion");
    *majorVersion = belay::kAclMajorVersion;
    *minorVersion = belay::kAclMinorVersion;
    *patchVersion = belay::kAclPatchVersion;
    return {};
  });
}

const char* aclGetRecentErrMsg() {
  // Asked even when nothing else can be served: this is how a program learns why.
  try {
    return Machine::Get().Messages();
  } catch (...) {
    return nullptr;
  }
}

aclError aclrtPeekAtLastError(aclrtLastErrLevel level) {
  return LastError("aclrtPeekAtLastError", level, /*reset=*/false);
}

aclError aclrtGetLastError(aclrtLastErrLevel level) {
  return LastError("aclrtGetLastError", level, /*reset=*/true);
}
