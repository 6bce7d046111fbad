// The JSON file that aclInit may be given: what Belay heeds of it.
#pragma once

#include <cstdint>
#include <string>

#include "base/export.h"
#include "base/status.h"

namespace belay::runtime {

struct InitFile {
  std::int32_t default_device = -1;  // of threads that set none; -1: no such
  bool process_messages = false;     // messages are the process's, not the thread's
};

/// Reads the whole file. kInvalidFile when that cannot be done.
BELAY_EXPORT StatusOr<std::string> ReadInitFile(const char* path);

/// kConfigUnparsable for text that is no JSON object nested at most 10 deep, or names a default
/// device that is none of `device_count`; kInvalidParam for a bad err_msg_mode. Blank text sets
/// nothing. The text is looked through once; nothing is built from it.
BELAY_EXPORT StatusOr<InitFile> ParseInitFile(const std::string& text, std::int32_t device_count);

}  // namespace belay::runtime
