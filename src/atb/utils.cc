// atb::Utils: sizes of tensors, the version, the log level and quantisation words.
#include "atb/utils.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <string_view>

#include "atb/atb_call.h"
#include "atb/tensors.h"
#include "base/config.h"
#include "ops/tensor_operator.h"

namespace atb {

using belay::Fault;
using belay::NotAllowed;
using belay::atb_face::AtbCall;
using belay::atb_face::Machine;

namespace {

constexpr const char* kSource = "ATB API, Utils";

}  // namespace

std::string Utils::GetAtbVersion() { return std::string(belay::kAtbVersion); }

uint64_t Utils::GetTensorSize(const Tensor& tensor) { return GetTensorSize(tensor.desc); }

uint64_t Utils::GetTensorSize(const TensorDesc& tensorDesc) {
  return belay::ops::TensorBytes(belay::atb_face::ToDesc(tensorDesc));
}

uint64_t Utils::GetTensorNumel(const Tensor& tensor) { return GetTensorNumel(tensor.desc); }

uint64_t Utils::GetTensorNumel(const TensorDesc& tensorDesc) {
  return belay::ops::ElementCount(belay::atb_face::ToDims(tensorDesc.shape));
}

void Utils::QuantParamConvert(const float* src, uint64_t* dest, uint64_t itemCount) {
  if (src == nullptr || dest == nullptr) return;
  std::transform(src, src + itemCount, dest,
                 [](float scale) { return uint64_t{std::bit_cast<uint32_t>(scale)}; });
}

Status Utils::SetLogLevel(const LogLevel atbLogLevel) {
  return AtbCall({"Utils::SetLogLevel", kSource}, [&](Machine& machine) -> belay::Status {
    if (atbLogLevel < LogLevel::DEBUG || atbLogLevel > LogLevel::NONE) {
      return NotAllowed(Fault::kInvalidParam, "atbLogLevel", static_cast<int>(atbLogLevel),
                        "0 to 4 (DEBUG, INFO, WARN, ERROR, NONE)");
    }
    machine.log().SetLevel(belay::runtime::LogModule::kOperator,
                           static_cast<belay::LogLevel>(atbLogLevel));
    return {};
  });
}

Status Utils::ResetLogLevel() {
  return AtbCall({"Utils::ResetLogLevel", kSource}, [&](Machine& machine) -> belay::Status {
    const auto level =
        belay::ReadOperatorLogLevel([](const char* name) { return std::getenv(name); });
    if (!level) return level.error();
    machine.log().SetLevel(belay::runtime::LogModule::kOperator, *level);
    return {};
  });
}

}  // namespace atb
