// A byte string as an ATB program: contexts, operations with any parameters, InferShape, Setup and
// Execute with right and wrong tensors and addresses, and everything destroyed in any order.
// Nothing may crash or hang; what is accepted does what the references say, and what is refused
// does nothing.
#include <cstdlib>

#include "fuzz/atb_program.h"

namespace {

// Before the first call: a second device, whose memory is as good as foreign.
const bool two_devices = ::setenv("BELAY_NUM_DEVICES", "2", 1) == 0;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FUZZ_CHECK(two_devices);
  belay::fuzz::Input input(data, size);
  belay::fuzz::AtbProgram program(input);
  program.Run();
  return 0;
}
