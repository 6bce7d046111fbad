// Streams. Their rules live in runtime/streams.cc, those of waits for events in runtime/events.cc.
#include <algorithm>
#include <chrono>
#include <optional>

#include "acl/acl_call.h"
#include "acl/timeout.h"
#include "runtime/events.h"
#include "runtime/streams.h"

using belay::Fault;
using belay::NotAllowed;
using belay::NullPointer;
using belay::Refuse;
using belay::Status;
using belay::acl::AclCall;
using belay::acl::Machine;
using belay::runtime::FindStream;
using belay::runtime::Stream;

namespace {

constexpr const char* kSource = "acl API, stream management";

aclError Create(const char* function, aclrtStream* stream, uint32_t priority, uint32_t flag) {
  return AclCall({function, kSource}, [&](Machine&) -> Status {
    if (stream == nullptr) return NullPointer("stream");
    const auto context = belay::runtime::CurrentContext();
    if (!context) return context.error();
    const auto created = belay::runtime::CreateStream(*context, priority, flag);
    if (!created) return created.error();
    *stream = created->handle();
    return {};
  });
}

aclError Destroy(const char* function, aclrtStream stream, bool force) {
  return AclCall({function, kSource}, [&](Machine&) -> Status {
    if (stream == nullptr) return NullPointer("stream");
    return belay::runtime::DestroyStream(stream, force);
  });
}

Status Synchronize(aclrtStream stream, belay::runtime::Patience patience) {
  const auto found = belay::runtime::FindStreamOfAnyContext(stream);
  if (!found) return found.error();
  return belay::runtime::SynchronizeStream(*found, patience);
}

// A property of a stream, written to `*output`.
template <class Output, class Read>
aclError Get(const char* function, aclrtStream stream, const char* name, Output* output,
             Read read) {
  return AclCall({function, kSource}, [&](Machine&) -> Status {
    if (output == nullptr) return NullPointer(name);
    const auto found = FindStream(stream);
    if (!found) return found.error();
    *output = read(**found);
    return {};
  });
}

Status UnknownAttribute(aclrtStreamAttr attribute) {
  return NotAllowed(Fault::kParamInvalid, "stmAttrType", static_cast<int>(attribute),
                    "1 to 5 (the values of aclrtStreamAttr)");
}

Status SetAttribute(aclrtStream handle, Stream& stream, aclrtStreamAttr attribute,
                    const aclrtStreamAttrValue& value) {
  switch (attribute) {
    case ACL_STREAM_ATTR_FAILURE_MODE:
      stream.stops_on_failure.store((value.failureMode & ACL_STOP_ON_FAILURE) != 0);
      return {};
    case ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK:
      stream.overflow_switch.store(value.overflowSwitch);
      return {};
    case ACL_STREAM_ATTR_USER_CUSTOM_TAG:
      stream.custom_tag.store(value.userCustomTag);
      return {};
    case ACL_STREAM_ATTR_CACHE_OP_INFO:
      if (value.cacheOpInfoSwitch > 1) {
        return NotAllowed(Fault::kParamInvalid, "value->cacheOpInfoSwitch", value.cacheOpInfoSwitch,
                          "0 and 1");
      }
      stream.cache_op_info.store(value.cacheOpInfoSwitch);
      return {};
    case ACL_STREAM_ATTR_PRIORITY:
      if (handle == nullptr) {
        return Refuse(Fault::kParamInvalid,
                      "stream is null; allowed a created stream, since the default stream's "
                      "priority is fixed");
      }
      stream.priority.store(std::min(value.streamPriority, belay::runtime::kLeastStreamPriority));
      return {};
    default:
      return UnknownAttribute(attribute);
  }
}

Status GetAttribute(aclrtStream handle, const Stream& stream, aclrtStreamAttr attribute,
                    aclrtStreamAttrValue& value) {
  aclrtStreamAttrValue result{};
  switch (attribute) {
    case ACL_STREAM_ATTR_FAILURE_MODE:
      result.failureMode = stream.stops_on_failure.load() ? ACL_STOP_ON_FAILURE : 0;
      break;
    case ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK:
      result.overflowSwitch = stream.overflow_switch.load();
      break;
    case ACL_STREAM_ATTR_USER_CUSTOM_TAG:
      result.userCustomTag = stream.custom_tag.load();
      break;
    case ACL_STREAM_ATTR_CACHE_OP_INFO:
      result.cacheOpInfoSwitch = stream.cache_op_info.load();
      break;
    case ACL_STREAM_ATTR_PRIORITY:
      if (handle == nullptr) {
        return Refuse(Fault::kParamInvalid, "stream is null; allowed a created stream");
      }
      result.streamPriority = stream.priority.load();
      break;
    default:
      return UnknownAttribute(attribute);
  }
  value = result;
  return {};
}

}  // namespace

aclError aclrtCreateStream(aclrtStream* stream) {
  return Create("aclrtCreateStream", stream, 0, 0);
}

aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t priority, uint32_t flag) {
  return Create("aclrtCreateStreamWithConfig", stream, priority, flag);
}

aclError aclrtDestroyStream(aclrtStream stream) {
  return Destroy("aclrtDestroyStream", stream, /*force=*/false);
}

aclError aclrtDestroyStreamForce(aclrtStream stream) {
  return Destroy("aclrtDestroyStreamForce", stream, /*force=*/true);
}

aclError aclrtSynchronizeStream(aclrtStream stream) {
  return AclCall({"aclrtSynchronizeStream", kSource},
                 [&](Machine&) { return Synchronize(stream, std::nullopt); });
}

aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout) {
  return AclCall({"aclrtSynchronizeStreamWithTimeout", kSource}, [&](Machine&) -> Status {
    BELAY_RETURN_IF_ERROR(belay::acl::CheckTimeoutMs(timeout));
    return Synchronize(stream, belay::acl::PatienceMs(timeout));
  });
}

aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus* status) {
  return AclCall({"aclrtStreamQuery", kSource}, [&](Machine&) -> Status {
    if (status == nullptr) return NullPointer("status");
    const auto found = FindStream(stream);
    if (!found) return found.error();
    const auto done = belay::runtime::QueryStream(*found);
    if (!done) return done.error();
    *status = *done ? ACL_STREAM_STATUS_COMPLETE : ACL_STREAM_STATUS_NOT_READY;
    return {};
  });
}

aclError aclrtStreamGetId(aclrtStream stream, int32_t* streamId) {
  return Get("aclrtStreamGetId", stream, "streamId", streamId,
             [](const Stream& found) { return found.id; });
}

aclError aclrtStreamGetPriority(aclrtStream stream, uint32_t* priority) {
  return Get("aclrtStreamGetPriority", stream, "priority", priority,
             [](const Stream& found) { return found.priority.load(); });
}

aclError aclrtStreamGetFlags(aclrtStream stream, uint32_t* flags) {
  return Get("aclrtStreamGetFlags", stream, "flags", flags,
             [](const Stream& found) { return found.flags; });
}

aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event) {
  return AclCall({"aclrtStreamWaitEvent", kSource}, [&](Machine&) -> Status {
    if (event == nullptr) return NullPointer("event");
    return belay::runtime::StreamWaitEvent(stream, event, belay::runtime::DefaultWaitPatience());
  });
}

aclError aclrtStreamWaitEventWithTimeout(aclrtStream stream, aclrtEvent event, int32_t timeout) {
  return AclCall({"aclrtStreamWaitEventWithTimeout", kSource}, [&](Machine&) -> Status {
    if (timeout < 0) {
      return NotAllowed(Fault::kParamInvalid, "timeout", timeout,
                        "0 (no limit), or 1 and above (seconds)");
    }
    if (event == nullptr) {
      return Refuse(Fault::kParamInvalid, "event is null; allowed a live event");
    }
    belay::runtime::Patience patience;
    if (timeout != 0) patience = std::chrono::seconds(timeout);
    return belay::runtime::StreamWaitEvent(stream, event, patience);
  });
}

aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode) {
  return AclCall({"aclrtSetStreamFailureMode", kSource}, [&](Machine&) -> Status {
    const auto found = FindStream(stream);
    if (!found) return found.error();
    (*found)->stops_on_failure.store((mode & ACL_STOP_ON_FAILURE) != 0);
    return {};
  });
}

aclError aclrtSetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType,
                                 aclrtStreamAttrValue* value) {
  return AclCall({"aclrtSetStreamAttribute", kSource}, [&](Machine&) -> Status {
    if (value == nullptr) return NullPointer("value");
    const auto found = FindStream(stream);
    if (!found) return found.error();
    return SetAttribute(stream, **found, stmAttrType, *value);
  });
}

aclError aclrtGetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType,
                                 aclrtStreamAttrValue* value) {
  return AclCall({"aclrtGetStreamAttribute", kSource}, [&](Machine&) -> Status {
    if (value == nullptr) return NullPointer("value");
    const auto found = FindStream(stream);
    if (!found) return found.error();
    return GetAttribute(stream, **found, stmAttrType, *value);
  });
}

aclError aclrtGetStreamAvailableNum(uint32_t* streamCount) {
  return AclCall({"aclrtGetStreamAvailableNum", kSource}, [&](Machine&) -> Status {
    if (streamCount == nullptr) return NullPointer("streamCount");
    const auto available = belay::runtime::AvailableStreams();
    if (!available) return available.error();
    *streamCount = *available;
    return {};
  });
}

aclError aclrtSetStreamOverflowSwitch(aclrtStream stream, uint32_t flag) {
  return AclCall({"aclrtSetStreamOverflowSwitch", kSource}, [&](Machine&) -> Status {
    if (flag > 1) return NotAllowed(Fault::kInvalidParam, "flag", flag, "0 (off) and 1 (on)");
    const auto found = FindStream(stream);
    if (!found) return found.error();
    (*found)->overflow_switch.store(flag);
    return {};
  });
}

aclError aclrtGetStreamOverflowSwitch(aclrtStream stream, uint32_t* flag) {
  return Get("aclrtGetStreamOverflowSwitch", stream, "flag", flag,
             [](const Stream& found) { return found.overflow_switch.load(); });
}
