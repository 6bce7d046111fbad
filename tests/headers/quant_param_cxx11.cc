// A program in C++11: belay/quant_param.h compiles, and its functions on bits are constants.
#include <belay/quant_param.h>

#include <cstdio>

using belay::QuantLayout;
using belay::QuantRounding;

static_assert(belay::PackQuantBits(0x3F8CCCCDU, 0x40200000U, QuantLayout::kPacked19,
                                   QuantRounding::kV1) == 0x000040603F8CC000U,
              "1.1 is cut off, 2.5 goes to 3");
static_assert(belay::PackQuantBits(0x3F8CCCCDU, 0x40200000U, QuantLayout::kPacked32,
                                   QuantRounding::kV2) == 0x000040403F8CCCCDU,
              "1.1 is kept, 2.5 goes to 2");
static_assert(belay::PackQuantBits(0x3FFFFF58U, 0xC0400000U, QuantLayout::kPacked19,
                                   QuantRounding::kV3RoundMode1) == 0x00007FA040000000U,
              "1.99999 goes to 2; the offset is -3");
static_assert(belay::QuantOffsetOf(0x00007FA040000000U) == -3, "two's complement in 9 bits");
static_assert(belay::QuantProblemsOf(0x3F800000U, QuantLayout::kPacked19)
                  .Has(belay::QuantProblem::kUnmarkedScale),
              "a scale without bit 46");
static_assert(belay::QuantProblemsOf(0x3F800000U, QuantLayout::kFloatBits).empty(), "");

int main() {
  const std::uint64_t words[] = {
      belay::PackQuantParam(0.5F, -1.0F, QuantLayout::kPacked19, QuantRounding::kV1), 0};
  const belay::QuantReport report = belay::ClassifyQuantParams(words, 2);
  const belay::QuantValue value = belay::UnpackQuantParam(words[0], QuantLayout::kPacked19);
  const bool right = report.Could(QuantLayout::kPacked19) &&
                     !report.Could(QuantLayout::kFloatBits) && value.scale == 0.5F &&
                     value.offset == -1;
  if (!right) (void)std::fprintf(stderr, "quant_param_cxx11: wrong results\n");
  return right ? 0 : 1;
}
