// What an exception of the program's own code says, for messages.
#pragma once

#include <string>

#include "base/export.h"

namespace belay {

/// For a catch block: `an exception that says "..."` with the first 512 bytes of its what() on one
/// line, or what else is known of the exception that is being handled.
BELAY_EXPORT std::string ThrownText() noexcept;

}  // namespace belay
