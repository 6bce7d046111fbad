#include "atb/atb_call.h"

namespace belay::atb_face {

::atb::Status Refused(const ApiFunction& function, const Status& status) noexcept {
  runtime::Report(function, runtime::LogModule::kOperator, status);
  return ToAtbStatus(status.fault());
}

}  // namespace belay::atb_face
