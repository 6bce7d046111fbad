// Functions of the program in a stream. Their rules live in runtime/host_calls.cc.
#include "acl/acl_call.h"
#include "acl/timeout.h"
#include "runtime/host_calls.h"

using belay::Fault;
using belay::NotAllowed;
using belay::Status;
using belay::acl::AclCall;
using belay::acl::Machine;

namespace {

constexpr const char* kSource = "acl API, host callbacks";

}  // namespace

aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream) {
  return AclCall({"aclrtSubscribeReport", kSource},
                 [&](Machine&) { return belay::runtime::SubscribeReports(threadId, stream); });
}

aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream) {
  return AclCall({"aclrtUnSubscribeReport", kSource},
                 [&](Machine&) { return belay::runtime::UnsubscribeReports(threadId, stream); });
}

aclError aclrtLaunchCallback(aclrtCallback fn, void* userData, aclrtCallbackBlockType blockType,
                             aclrtStream stream) {
  return AclCall({"aclrtLaunchCallback", kSource}, [&](Machine&) -> Status {
    if (blockType != ACL_CALLBACK_NO_BLOCK && blockType != ACL_CALLBACK_BLOCK) {
      return NotAllowed(Fault::kInvalidParam, "blockType", static_cast<int>(blockType),
                        "ACL_CALLBACK_NO_BLOCK (0) and ACL_CALLBACK_BLOCK (1)");
    }
    return belay::runtime::LaunchCallback(fn, userData, blockType == ACL_CALLBACK_BLOCK, stream);
  });
}

aclError aclrtProcessReport(int32_t timeout) {
  return AclCall({"aclrtProcessReport", kSource}, [&](Machine&) -> Status {
    if (timeout == 0 || timeout < -1) {
      return NotAllowed(Fault::kInvalidParam, "timeout", timeout,
                        "-1 (for ever), or 1 and above (milliseconds)");
    }
    return belay::runtime::ProcessReports(belay::acl::PatienceMs(timeout));
  });
}

aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void* args) {
  return AclCall({"aclrtLaunchHostFunc", kSource},
                 [&](Machine&) { return belay::runtime::LaunchHostFunction(fn, args, stream); });
}
