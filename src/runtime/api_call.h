// The border of the library: what every call of every face passes through.
//
// No exception leaves, a process that cannot be served is told so, and each refusal reaches the
// message queue and the log with the function's name and the source of the rule.
#pragma once

#include <new>
#include <string_view>
#include <utility>

#include "base/export.h"
#include "base/status.h"
#include "runtime/handle_table.h"
#include "runtime/log.h"
#include "runtime/machine.h"

namespace belay::runtime {

/// A public function as messages name it, and where its rules come from.
struct ApiFunction {
  std::string_view name;
  std::string_view source;
};

/// Runs the body of a call on the machine.
template <class Body>
[[nodiscard]] Status Guarded(Body&& body) noexcept {
  try {
    Machine& machine = Machine::Get();
    BELAY_RETURN_IF_ERROR(machine.Usable());
    return std::forward<Body>(body)(machine);
  } catch (const HandlesUsedUp& limit) {
    return Refuse(Fault::kOutOfMemory, "{}", limit.what());
  } catch (const std::bad_alloc&) {
    return Refuse(Fault::kOutOfMemory, "no host memory for the library's own objects");
  } catch (...) {
    return Refuse(Fault::kInternal, "ended by an unexpected exception");
  }
}

/// Tells the program, by queue and log, why the call was refused. A repeated aclInit is harmless
/// and stays silent.
BELAY_EXPORT void Report(const ApiFunction& function, LogModule module,
                         const Status& status) noexcept;

}  // namespace belay::runtime
