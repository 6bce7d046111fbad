// What the program hears of faults of its tasks. When it hears of them is decided in
// runtime/fault_listeners.h.
#include "acl/acl_call.h"
#include "runtime/fault_listeners.h"

using belay::Fault;
using belay::Refuse;
using belay::Status;
using belay::acl::AclCall;
using belay::acl::Machine;
using belay::runtime::FaultListeners;
using belay::runtime::FaultReport;

/// What aclrtExceptionInfo points to, for the time of a call.
struct rtExceptionInfo {
  uint32_t task_id;
  uint32_t stream_id;
  uint32_t thread_id;
  uint32_t device_id;
  uint32_t error_code;
};

namespace {

constexpr const char* kSource = "acl API, fault reports";
constexpr uint32_t kNoInfo = 0xFFFFFFFF;

void Tell(const FaultReport& report, void* target) {
  rtExceptionInfo info{static_cast<uint32_t>(report.task),
                       static_cast<uint32_t>(report.origin.stream), report.origin.thread,
                       static_cast<uint32_t>(report.origin.device),
                       static_cast<uint32_t>(belay::acl::ToAclError(report.fault))};
  reinterpret_cast<aclrtExceptionInfoCallback>(target)(&info);
}

FaultListeners::Listener ListenerOf(aclrtExceptionInfoCallback callback) {
  return {Tell, reinterpret_cast<void*>(callback)};
}

Status NullCallback() {
  return Refuse(Fault::kParamInvalid, "callback is null; allowed a function");
}

uint32_t Read(const aclrtExceptionInfo* info, uint32_t rtExceptionInfo::*member) {
  return info == nullptr ? kNoInfo : info->*member;
}

}  // namespace

aclError aclrtSetExceptionInfoCallback(aclrtExceptionInfoCallback callback) {
  return AclCall({"aclrtSetExceptionInfoCallback", kSource}, [&](Machine& machine) -> Status {
    machine.fault_listeners().Set(ListenerOf(callback));
    return {};
  });
}

aclError aclrtExceptionInfoCallbackRegister(aclrtExceptionInfoCallback callback) {
  return AclCall({"aclrtExceptionInfoCallbackRegister", kSource}, [&](Machine& machine) -> Status {
    if (callback == nullptr) return NullCallback();
    machine.fault_listeners().Add(ListenerOf(callback));
    return {};
  });
}

aclError aclrtExceptionInfoCallbackUnregister(aclrtExceptionInfoCallback callback) {
  return AclCall({"aclrtExceptionInfoCallbackUnregister", kSource},
                 [&](Machine& machine) -> Status {
                   if (callback == nullptr) return NullCallback();
                   return machine.fault_listeners().Remove(reinterpret_cast<void*>(callback));
                 });
}

uint32_t aclrtGetTaskIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return Read(info, &rtExceptionInfo::task_id);
}

uint32_t aclrtGetStreamIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return Read(info, &rtExceptionInfo::stream_id);
}

uint32_t aclrtGetThreadIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return Read(info, &rtExceptionInfo::thread_id);
}

uint32_t aclrtGetDeviceIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return Read(info, &rtExceptionInfo::device_id);
}

uint32_t aclrtGetErrorCodeFromExceptionInfo(const aclrtExceptionInfo* info) {
  return Read(info, &rtExceptionInfo::error_code);
}
