// Repeat: a tensor several times along its dimensions.
#include "cases/operator_cases.h"
#include "cases/operator_contest.h"

namespace belay::bench {
namespace {

class RepeatContest : public OperatorContest<RepeatProblem> {
 public:
  RepeatContest(const RepeatSpec& spec, CallMode mode) : OperatorContest(mode, &Peer::Repeat) {
    RepeatProblem problem{spec.type, spec.x, spec.multiples, nullptr, nullptr};
    const std::size_t element = SizeOf(spec.type);
    const std::size_t x_bytes = static_cast<std::size_t>(CountOf(spec.x)) * element;
    std::byte* x = Input(x_bytes);
    FillRandom(x, x_bytes);
    problem.x = x;
    problem.y = Output(static_cast<std::size_t>(CountOf(RepeatedShape(problem))) * element);
    Add(problem);
  }
};

}  // namespace

/// Each element of x has to be read and written once, and written again for each further time.
Case RepeatCase(const RepeatSpec& spec, const std::string& note, Target target, CallMode mode) {
  const double element = static_cast<double>(SizeOf(spec.type));
  const double x_bytes = static_cast<double>(CountOf(spec.x)) * element;
  const double y_bytes = x_bytes * static_cast<double>(CountOf(spec.multiples));
  Case result;
  result.group = "Repeat";
  result.name = "Repeat " + TextOf(spec.x) + "x" + TextOf(spec.multiples) + " " +
                std::string(NameOf(spec.type)) + note;
  result.traffic = {{Kind::kCopy, 2 * x_bytes}, {Kind::kFill, y_bytes - x_bytes}};
  result.working_set = static_cast<std::size_t>(x_bytes + y_bytes);
  result.target = target;
  result.prepare = [spec, mode] { return std::make_unique<RepeatContest>(spec, mode); };
  return result;
}

void AddRepeatCases(Cases& cases) {
  const auto add = [&](const Shape& x, const Shape& multiples, Target target) {
    cases.push_back(RepeatCase({Type::kFp16, x, multiples}, "", target));
  };
  add({256, 2, 1, 1, 128}, {1, 1, 1, 16, 1}, {.ratio = 1.2});
  add({1024, 1, 32, 1}, {1, 1, 1, 2}, {.ratio = 3});
  add({1, 8, 6, 64}, {1, 3, 1, 1}, {.call_ns = 300});
  add({1, 1, 1, 8192}, {1, 1, 4096, 1}, {.ratio = 1.05});
  add({4096, 1}, {1, 4096}, {.ratio = 1.05});
  add({64, 1, 1024}, {1, 32, 1}, {.ratio = 1.05});
  add({2, 3, 5}, {1, 4, 4}, {.call_ns = 150});
}

}  // namespace belay::bench
