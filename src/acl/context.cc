// Contexts and system options.
#include "runtime/context.h"

#include <cstdint>
#include <mutex>
#include <optional>

#include "acl/acl_call.h"

using belay::Fault;
using belay::NotAllowed;
using belay::NullPointer;
using belay::Refuse;
using belay::Status;
using belay::acl::AclCall;
using belay::acl::Machine;
using belay::runtime::CurrentContext;

namespace {

constexpr const char* kSource = "acl API, context management";

// The context functions know one option fewer than those of the process.
Status CheckOption(aclSysParamOpt opt, int last) {
  if (opt >= 0 && static_cast<int>(opt) <= last) return {};
  return NotAllowed(Fault::kInvalidParam, "opt", static_cast<int>(opt),
                    belay::Text("0 to {}", last));
}

Status CheckValue(aclSysParamOpt opt, int64_t value) {
  int64_t last = INT64_MAX;
  if (opt == ACL_OPT_DETERMINISTIC) last = 3;
  if (opt == ACL_OPT_ENABLE_DEBUG_KERNEL) last = 1;
  if (last == INT64_MAX || (value >= 0 && value <= last)) return {};
  return NotAllowed(Fault::kInvalidParam, "value", value,
                    belay::Text("0 to {} for option {}", last, static_cast<int>(opt)));
}

constexpr int kLastContextOption = 2;  // up to ACL_OPT_STRONG_CONSISTENCY
constexpr int kLastProcessOption = ACL_OPT_ENABLE_KERNEL_EARLY_START;

}  // namespace

aclError aclrtCreateContext(aclrtContext* context, int32_t deviceId) {
  return AclCall({"aclrtCreateContext", kSource}, [&](Machine&) -> Status {
    if (context == nullptr) return NullPointer("context");
    const auto created = belay::runtime::CreateContext(deviceId);
    if (!created) return created.error();
    *context = created->handle();
    return {};
  });
}

aclError aclrtDestroyContext(aclrtContext context) {
  return AclCall({"aclrtDestroyContext", kSource}, [&](Machine&) -> Status {
    if (context == nullptr) return NullPointer("context");
    return belay::runtime::DestroyContext(context);
  });
}

aclError aclrtSetCurrentContext(aclrtContext context) {
  return AclCall({"aclrtSetCurrentContext", kSource}, [&](Machine&) -> Status {
    if (context == nullptr) return NullPointer("context");
    return belay::runtime::SetCurrentContext(context);
  });
}

aclError aclrtGetCurrentContext(aclrtContext* context) {
  return AclCall({"aclrtGetCurrentContext", kSource}, [&](Machine&) -> Status {
    if (context == nullptr) return NullPointer("context");
    const auto current = CurrentContext();
    if (!current) return current.error();
    *context = current->handle();
    return {};
  });
}

aclError aclrtCtxGetCurrentDefaultStream(aclrtStream* stream) {
  return AclCall({"aclrtCtxGetCurrentDefaultStream", kSource}, [&](Machine&) -> Status {
    if (stream == nullptr) return NullPointer("stream");
    const auto current = CurrentContext();
    if (!current) return current.error();
    *stream = (*current)->DefaultStream().handle();
    return {};
  });
}

aclError aclrtGetPrimaryCtxState(int32_t deviceId, uint32_t* flags, int32_t* active) {
  return AclCall({"aclrtGetPrimaryCtxState", kSource}, [&](Machine& machine) -> Status {
    if (active == nullptr) return NullPointer("active");
    if (flags != nullptr) {
      return Refuse(Fault::kInvalidParam, "flags is not null; allowed null (reserved)");
    }
    const auto device = machine.FindDevice(deviceId);
    if (!device) return device.error();
    const std::lock_guard lock((*device)->mutex);
    *active = (*device)->primary_context != nullptr ? 1 : 0;
    return {};
  });
}

aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value) {
  return AclCall({"aclrtCtxSetSysParamOpt", kSource}, [&](Machine&) -> Status {
    BELAY_RETURN_IF_ERROR(CheckOption(opt, kLastContextOption));
    BELAY_RETURN_IF_ERROR(CheckValue(opt, value));
    const auto current = CurrentContext();
    if (!current) return current.error();
    (*current)->options.Set(static_cast<std::size_t>(opt), value);
    return {};
  });
}

aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t* value) {
  return AclCall({"aclrtCtxGetSysParamOpt", kSource}, [&](Machine&) -> Status {
    if (value == nullptr) return NullPointer("value");
    BELAY_RETURN_IF_ERROR(CheckOption(opt, kLastContextOption));
    const auto current = CurrentContext();
    if (!current) return current.error();
    const std::optional<int64_t> set = (*current)->options.Get(static_cast<std::size_t>(opt));
    if (!set) {
      return Refuse(Fault::kSysParamNotSet,
                    "option {} was never set in this context; allowed after aclrtCtxSetSysParamOpt",
                    static_cast<int>(opt));
    }
    *value = *set;
    return {};
  });
}

aclError aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value) {
  return AclCall({"aclrtSetSysParamOpt", kSource}, [&](Machine& machine) -> Status {
    BELAY_RETURN_IF_ERROR(CheckOption(opt, kLastProcessOption));
    BELAY_RETURN_IF_ERROR(CheckValue(opt, value));
    machine.options().Set(static_cast<std::size_t>(opt), value);
    return {};
  });
}

aclError aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t* value) {
  return AclCall({"aclrtGetSysParamOpt", kSource}, [&](Machine& machine) -> Status {
    if (value == nullptr) return NullPointer("value");
    BELAY_RETURN_IF_ERROR(CheckOption(opt, kLastProcessOption));
    *value = machine.options().Get(static_cast<std::size_t>(opt)).value_or(0);
    return {};
  });
}
