// Time-outs of operators: kept for whoever asks.
#include <algorithm>
#include <cstdint>

#include "acl/acl_call.h"

using belay::NullPointer;
using belay::Status;
using belay::acl::AclCall;
using belay::acl::Machine;

namespace {

constexpr const char* kSource = "acl API, task time-outs";

aclError Set(const char* function, uint64_t microseconds) {
  return AclCall({function, kSource}, [&](Machine& machine) -> Status {
    machine.op_execute_timeout_us.store(microseconds);
    return {};
  });
}

}  // namespace

aclError aclrtSetOpExecuteTimeOut(uint32_t timeout) {
  return Set("aclrtSetOpExecuteTimeOut", uint64_t{timeout} * 1000000);
}

aclError aclrtSetOpExecuteTimeOutWithMs(uint32_t timeout) {
  return Set("aclrtSetOpExecuteTimeOutWithMs", uint64_t{timeout} * 1000);
}

aclError aclrtSetOpExecuteTimeOutV2(uint64_t timeout, uint64_t* actualTimeout) {
  return AclCall({"aclrtSetOpExecuteTimeOutV2", kSource}, [&](Machine& machine) -> Status {
    if (actualTimeout == nullptr) return NullPointer("actualTimeout");
    machine.op_execute_timeout_us.store(timeout);
    *actualTimeout = timeout;
    return {};
  });
}

aclError aclrtGetOpTimeOutInterval(uint64_t* interval) {
  return AclCall({"aclrtGetOpTimeOutInterval", kSource}, [&](Machine&) -> Status {
    if (interval == nullptr) return NullPointer("interval");
    *interval = 1;
    return {};
  });
}

aclError aclrtGetOpExecuteTimeout(uint32_t* const timeoutMs) {
  return AclCall({"aclrtGetOpExecuteTimeout", kSource}, [&](Machine& machine) -> Status {
    if (timeoutMs == nullptr) return NullPointer("timeoutMs");
    const uint64_t microseconds = machine.op_execute_timeout_us.load();
    const uint64_t milliseconds = microseconds / 1000 + (microseconds % 1000 != 0 ? 1 : 0);
    *timeoutMs = static_cast<uint32_t>(std::min<uint64_t>(milliseconds, UINT32_MAX));
    return {};
  });
}
