#include "runtime/api_call.h"

namespace belay::runtime {

void Report(const ApiFunction& function, LogModule module, const Status& status) noexcept {
  if (status.ok() || status.fault() == Fault::kRepeatInitialize) return;
  try {
    std::string text = fmt::format(
        "{}: {} [source: {}]", function.name,
        status.message().empty() ? "refused, and no host memory for the reason" : status.message(),
        function.source);
    Machine::Get().Tell(module, std::move(text));
  } catch (...) {
    // The status code still tells.
  }
}

}  // namespace belay::runtime
