// Data types, the application's log, and what the imitated chip is.
#include <unistd.h>

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <string>

#include "acl/acl_call.h"

using belay::Fault;
using belay::NotAllowed;
using belay::NullPointer;
using belay::Status;
using belay::acl::AclCall;
using belay::acl::AclValue;
using belay::acl::Machine;

namespace {

constexpr const char* kSource = "acl API, data types and platform information";
constexpr std::size_t kLogBytes = 1024;  // with the NUL
constexpr std::string_view kTruncated = "...[truncated]";

std::string FormatLog(const char* func, const char* file, std::uint32_t line, const char* fmt,
                      std::va_list arguments) {
  char message[kLogBytes];
  const int length = std::vsnprintf(message, sizeof message, fmt, arguments);
  if (length < 0) return {};
  if (static_cast<std::size_t>(length) >= sizeof message) {
    std::memcpy(message + sizeof message - 1 - kTruncated.size(), kTruncated.data(),
                kTruncated.size());
  }
  return fmt::format("{} {}: {}:{}: \"{}\"", ::gettid(), func, file, line, message);
}

}  // namespace

size_t aclDataTypeSize(aclDataType dataType) {
  switch (static_cast<int>(dataType)) {
    case ACL_DT_UNDEFINED:
    case ACL_STRING:
      return 0;
    case ACL_INT8:
    case ACL_UINT8:
    case ACL_BOOL:
    case ACL_INT4:
    case ACL_UINT1:
    case ACL_HIFLOAT8:
    case ACL_FLOAT8_E5M2:
    case ACL_FLOAT8_E4M3FN:
    case ACL_FLOAT8_E8M0:
      return 1;
    case ACL_FLOAT16:
    case ACL_INT16:
    case ACL_UINT16:
    case ACL_BF16:
      return 2;
    case ACL_FLOAT:
    case ACL_INT32:
    case ACL_UINT32:
    case ACL_COMPLEX32:
      return 4;
    case ACL_COMPLEX128:
      return 16;
    default:  // INT64, UINT64, DOUBLE, COMPLEX64; the 6-bit and 4-bit floats and unknown values too
      return 8;
  }
}

void aclAppLog(aclLogLevel logLevel, const char* func, const char* file, uint32_t line,
               const char* fmt, ...) {
  if (func == nullptr || file == nullptr || fmt == nullptr) return;
  if (logLevel < ACL_DEBUG || logLevel > ACL_ERROR) return;
  std::va_list arguments;
  va_start(arguments, fmt);
  (void)belay::runtime::Guarded([&](Machine& machine) -> Status {
    const auto level = static_cast<belay::LogLevel>(logLevel);
    constexpr auto kModule = belay::runtime::LogModule::kApplication;
    if (machine.log().Enabled(kModule, level)) {
      machine.log().Write(kModule, level, FormatLog(func, file, line, fmt, arguments));
    }
    return {};
  });
  va_end(arguments);
}

const char* aclrtGetSocName() {
  return AclValue<const char*>({"aclrtGetSocName", kSource}, nullptr,
                               [](Machine& machine, const char*& name) -> Status {
                                 name = machine.config().chip->soc_name.data();
                                 return {};
                               });
}

aclError aclGetDeviceCapability(uint32_t deviceId, aclDeviceInfo deviceInfo, int64_t* value) {
  return AclCall({"aclGetDeviceCapability", kSource}, [&](Machine& machine) -> Status {
    if (value == nullptr) return NullPointer("value");
    if (const auto device = machine.FindDevice(deviceId); !device) {
      return belay::Refuse(Fault::kInvalidParam, "{}", device.error().message());
    }
    const belay::Chip& chip = *machine.config().chip;
    switch (deviceInfo) {
      case ACL_DEVICE_INFO_AI_CORE_NUM:
        *value = chip.ai_cores;
        return {};
      case ACL_DEVICE_INFO_VECTOR_CORE_NUM:
        *value = chip.vector_cores;
        return {};
      case ACL_DEVICE_INFO_L2_SIZE:
        *value = static_cast<int64_t>(chip.l2_bytes);
        return {};
      default:
        return NotAllowed(Fault::kInvalidParam, "deviceInfo", static_cast<int>(deviceInfo),
                          "0 to 2 (ACL_DEVICE_INFO_AI_CORE_NUM, VECTOR_CORE_NUM, L2_SIZE)");
    }
  });
}
