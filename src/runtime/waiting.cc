#include "runtime/waiting.h"

#include "runtime/machine.h"

namespace belay::runtime {

std::atomic<bool> process_is_ending{false};

bool ExitGoesOnWaiting() noexcept {
  static std::chrono::milliseconds left = kEndPatience;  // of the main thread alone
  bool works = false;
  Machine::Get().streams().ForEachHeld(
      [&works](const Ref<Stream>& stream) { works = works || stream->Works(); });
  if (works) return true;
  left -= kExitLook;
  return left.count() > 0;
}

}  // namespace belay::runtime
