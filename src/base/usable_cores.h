// How many cores the control groups leave to this process. Apart from config.h so that a test can
// put a directory in the place of the file system.
#pragma once

#include <optional>
#include <string>

#include "base/export.h"

namespace belay {

/// The tightest CPU quota of this process's control group and its parents, version 2 or 1, in
/// cores rounded up; nothing when there is none. `root` stands before each path, empty but in
/// tests.
BELAY_EXPORT std::optional<unsigned> QuotaCores(const std::string& root);

}  // namespace belay
