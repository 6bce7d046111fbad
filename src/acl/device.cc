// Devices: choosing, resetting, waiting for and asking about them.
#include <chrono>
#include <optional>

#include "acl/acl_call.h"
#include "acl/timeout.h"
#include "runtime/context.h"
#include "runtime/streams.h"

using belay::Chip;
using belay::Fault;
using belay::NotAllowed;
using belay::NullPointer;
using belay::Refuse;
using belay::Status;
using belay::acl::AclCall;
using belay::acl::Machine;
using belay::runtime::Device;

namespace {

constexpr const char* kSource = "acl API, device management";

// A figure of the chip; nothing where the published configuration has none.
std::optional<int64_t> FigureOf(const Device& device, aclrtDevAttr attr) {
  const Chip& chip = device.chip;
  switch (attr) {
    case ACL_DEV_ATTR_AICORE_CORE_NUM:
      return chip.ai_cores;
    case ACL_DEV_ATTR_CUBE_CORE_NUM:
      // A chip without separate counts has a cube unit in each AI core.
      return chip.cube_cores.value_or(chip.ai_cores);
    case ACL_DEV_ATTR_VECTOR_CORE_NUM:
      return chip.vector_cores;
    case ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE:
      return static_cast<int64_t>(chip.unified_buffer_bytes);
    case ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE:
      return static_cast<int64_t>(device.capacity);
    case ACL_DEV_ATTR_L2_CACHE_SIZE:
      return static_cast<int64_t>(chip.l2_bytes);
    case ACL_DEV_ATTR_PHY_CHIP_ID:
      return device.physical_id;
    case ACL_DEV_ATTR_IS_VIRTUAL:
      return 0;
    case ACL_DEV_ATTR_NPU_ARCH:
      return chip.npu_arch;
    default:
      return std::nullopt;
  }
}

bool IsKnown(aclrtDevAttr attr) {
  const auto number = static_cast<int>(attr);
  const auto within = [number](int first, int last) { return number >= first && number <= last; };
  return number == ACL_DEV_ATTR_AICPU_CORE_NUM ||
         within(ACL_DEV_ATTR_AICORE_CORE_NUM, ACL_DEV_ATTR_CUBE_CORE_NUM) ||
         within(ACL_DEV_ATTR_VECTOR_CORE_NUM, ACL_DEV_ATTR_MAX_BLOCK_DIM_Z) ||
         within(ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE, ACL_DEV_ATTR_L2_CACHE_SIZE) ||
         within(ACL_DEV_ATTR_SMP_ID, ACL_DEV_ATTR_DEVICE_FORM_FACTOR) ||
         number == ACL_DEV_ATTR_IS_VIRTUAL || number == ACL_DEV_ATTR_NPU_ARCH;
}

}  // namespace

aclError aclrtSetDevice(int32_t deviceId) {
  return AclCall({"aclrtSetDevice", kSource},
                 [&](Machine&) { return belay::runtime::SetDevice(deviceId); });
}

aclError aclrtResetDevice(int32_t deviceId) {
  return AclCall({"aclrtResetDevice", kSource}, [&](Machine&) {
    return belay::runtime::ResetDevice(deviceId, /*force=*/false, "aclrtResetDevice");
  });
}

aclError aclrtResetDeviceForce(int32_t deviceId) {
  return AclCall({"aclrtResetDeviceForce", kSource}, [&](Machine&) {
    return belay::runtime::ResetDevice(deviceId, /*force=*/true, "aclrtResetDeviceForce");
  });
}

aclError aclrtGetDevice(int32_t* deviceId) {
  return AclCall({"aclrtGetDevice", kSource}, [&](Machine&) -> Status {
    if (deviceId == nullptr) return NullPointer("deviceId");
    const auto current = belay::runtime::CurrentContext();
    if (!current) return current.error();
    *deviceId = (*current)->device;
    return {};
  });
}

aclError aclrtGetRunMode(aclrtRunMode* runMode) {
  return AclCall({"aclrtGetRunMode", kSource}, [&](Machine&) -> Status {
    if (runMode == nullptr) return NullPointer("runMode");
    *runMode = ACL_HOST;
    return {};
  });
}

aclError aclrtGetDeviceCount(uint32_t* count) {
  return AclCall({"aclrtGetDeviceCount", kSource}, [&](Machine& machine) -> Status {
    if (count == nullptr) return NullPointer("count");
    *count = static_cast<uint32_t>(machine.device_count());
    return {};
  });
}

aclError aclrtSynchronizeDevice() {
  return AclCall({"aclrtSynchronizeDevice", kSource},
                 [](Machine&) { return belay::runtime::SynchronizeDevice(std::nullopt); });
}

aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout) {
  return AclCall({"aclrtSynchronizeDeviceWithTimeout", kSource}, [&](Machine&) -> Status {
    BELAY_RETURN_IF_ERROR(belay::acl::CheckTimeoutMs(timeout));
    return belay::runtime::SynchronizeDevice(belay::acl::PatienceMs(timeout));
  });
}

aclError aclrtQueryDeviceStatus(int32_t deviceId, aclrtDeviceStatus* deviceStatus) {
  return AclCall({"aclrtQueryDeviceStatus", kSource}, [&](Machine& machine) -> Status {
    if (deviceStatus == nullptr) return NullPointer("deviceStatus");
    const auto device = machine.FindDevice(deviceId);
    if (!device) return device.error();
    *deviceStatus = ACL_RT_DEVICE_STATUS_NORMAL;
    return {};
  });
}

aclError aclrtGetDeviceInfo(uint32_t deviceId, aclrtDevAttr attr, int64_t* value) {
  return AclCall({"aclrtGetDeviceInfo", kSource}, [&](Machine& machine) -> Status {
    if (value == nullptr) return NullPointer("value");
    const auto device = machine.FindDevice(deviceId);
    if (!device) return Refuse(Fault::kParamInvalid, "{}", device.error().message());
    if (!IsKnown(attr)) {
      return NotAllowed(Fault::kParamInvalid, "attr", static_cast<int>(attr),
                        "the values of aclrtDevAttr");
    }
    const std::optional<int64_t> figure = FigureOf(**device, attr);
    if (!figure) {
      return Refuse(Fault::kFeatureNotSupported,
                    "attr is {}, for which {} has no published figure; allowed core counts, memory "
                    "and cache sizes, NPU_ARCH, IS_VIRTUAL and PHY_CHIP_ID",
                    static_cast<int>(attr), (*device)->chip.soc_name);
    }
    *value = *figure;
    return {};
  });
}

aclError aclrtDeviceGetStreamPriorityRange(int32_t* leastPriority, int32_t* greatestPriority) {
  return AclCall({"aclrtDeviceGetStreamPriorityRange", kSource}, [&](Machine&) -> Status {
    if (leastPriority != nullptr) *leastPriority = belay::runtime::kLeastStreamPriority;
    if (greatestPriority != nullptr) *greatestPriority = belay::runtime::kGreatestStreamPriority;
    return {};
  });
}
