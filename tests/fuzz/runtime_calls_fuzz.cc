// A byte string as a program: calls on memory, streams, events and contexts, with right, stale,
// mixed up and invented handles. Nothing may crash, hang or be left behind.
#include "fuzz/program.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  belay::fuzz::Input input(data, size);
  belay::fuzz::Program program(input);
  program.Run();
  return 0;
}
