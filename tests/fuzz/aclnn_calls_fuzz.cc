// Calls of the aclnn API. Nothing may crash, hang or be left behind, every refusal has a reason,
// and what is refused has written nothing.
#include "fuzz/aclnn_program.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  belay::fuzz::Input input(data, size);
  belay::fuzz::AclnnProgram program(input);
  program.Run();
  return 0;
}
