// What a program may call around its operators, none of which needs it: initialisation, the choice
// of static kernels and a dump of tensors.
#include <unistd.h>

#include <fmt/ranges.h>

#include <cstdint>
#include <string>

#include "aclnn/objects.h"
#include "runtime/streams.h"

using belay::Fault;
using belay::NotAllowed;
using belay::NullPointer;
using belay::Status;
using belay::StatusOr;
using belay::aclnn::AclnnCall;
using belay::aclnn::FindObject;
using belay::aclnn::Machine;
using belay::runtime::OpTensor;
using belay::runtime::Ref;

namespace {

constexpr const char* kSource = "aclnn API, initialisation";
constexpr const char* kDumpSource = "aclnn API, dump of tensors";
constexpr auto kModule = belay::runtime::LogModule::kOperator;

std::string DescribeTensor(Machine& machine, const OpTensor::Description& tensor) {
  return fmt::format("{} {} [{}], strides [{}], storage [{}] at {}, which is {}",
                     belay::Name(tensor.dtype), belay::Name(tensor.format),
                     fmt::join(tensor.view_dims, ", "), fmt::join(tensor.strides, ", "),
                     fmt::join(tensor.storage_dims, ", "), fmt::ptr(tensor.storage),
                     machine.memory().Describe(tensor.storage));
}

Status DumpTensor(Machine& machine, const std::string& name, const aclTensor* handle) {
  if (handle == nullptr) return NullPointer(name);
  const StatusOr<Ref<OpTensor>> tensor = FindObject(machine.op_objects().tensors, name, handle);
  if (!tensor) return tensor.error();
  machine.log().Write(
      kModule, belay::LogLevel::kInfo,
      fmt::format("{}: {}", name, DescribeTensor(machine, (*tensor)->description())));
  return {};
}

}  // namespace

aclnnStatus aclnnInit(const char* /*configPath*/) {
  return AclnnCall({"aclnnInit", kSource}, [](Machine&) -> Status { return {}; });
}

aclnnStatus aclnnFinalize() {
  return AclnnCall({"aclnnFinalize", kSource}, [](Machine&) -> Status { return {}; });
}

aclnnStatus aclDumpOpTensors(const char* opType, const char* opName, aclTensor** tensors,
                             size_t inputTensorNum, size_t outputTensorNum, aclrtStream stream) {
  return AclnnCall({"aclDumpOpTensors", kDumpSource}, [&](Machine& machine) -> Status {
    if (opType == nullptr) return NullPointer("opType");
    if (opName == nullptr) return NullPointer("opName");
    if (tensors == nullptr) return NullPointer("tensors");
    if (stream == nullptr) return NullPointer("stream");
    const auto found = belay::runtime::FindStreamOfAnyContext(stream);
    if (!found) return found.error();
    const auto dump = [&](const char* kind, std::size_t first, std::size_t count) -> Status {
      for (std::size_t i = 0; i < count; ++i) {
        const std::string name = fmt::format("{} {}: {} {}", opType, opName, kind, i);
        BELAY_RETURN_IF_ERROR(DumpTensor(machine, name, tensors[first + i]));
      }
      return {};
    };
    BELAY_RETURN_IF_ERROR(dump("input", 0, inputTensorNum));
    return dump("output", inputTensorNum, outputTensorNum);
  });
}

// Exported without a public header. No operator here has static kernels to choose from; a path that
// could not be used is refused as published.
extern "C" {

ACL_FUNC_VISIBILITY aclnnStatus aclnnReselectStaticKernel() {
  return AclnnCall({"aclnnReselectStaticKernel", kSource}, [](Machine&) -> Status { return {}; });
}

ACL_FUNC_VISIBILITY aclnnStatus aclnnReselectStaticKernelWithPath(const char* path) {
  return AclnnCall({"aclnnReselectStaticKernelWithPath", kSource}, [&](Machine&) -> Status {
    if (path == nullptr) return NullPointer("path");
    if (::access(path, R_OK) == 0) return {};
    return NotAllowed(Fault::kInvalidParam, "path", path, "a readable folder");
  });
}

}  // extern "C"
