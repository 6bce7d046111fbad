// SetValue: a block of a tensor takes the values of another.
#include "cases/operator_cases.h"
#include "cases/operator_contest.h"

namespace belay::bench {
namespace {

class SetValueContest : public OperatorContest<SetValueProblem> {
 public:
  SetValueContest(const SetValueSpec& spec, CallMode mode)
      : OperatorContest(mode, &Peer::SetValue) {
    const auto bytes_of = [&](const Shape& shape) {
      return static_cast<std::size_t>(CountOf(shape)) * SizeOf(spec.type);
    };
    std::byte* src = Input(bytes_of(spec.src));
    FillRandom(src, bytes_of(spec.src));
    std::byte* dst = Output(bytes_of(spec.dst));
    for (const Shape& starts : spec.starts) {
      Add({spec.type, spec.dst, spec.src, starts, dst, src});
    }
  }
};

/// The next token of a KV cache at each call.
std::vector<Shape> NextPositions(std::int64_t count) {
  std::vector<Shape> starts;
  for (std::int64_t i = 0; i < count; ++i) starts.push_back({0, 1000 + i, 0});
  return starts;
}

}  // namespace

Case SetValueCase(const SetValueSpec& spec, const std::string& note, Target target, CallMode mode) {
  const auto bytes = static_cast<std::size_t>(CountOf(spec.src)) * SizeOf(spec.type);
  Case result;
  result.group = "SetValue";
  result.name = "SetValue " + TextOf(spec.dst) + "<-" + TextOf(spec.src) + " " +
                std::string(NameOf(spec.type)) + note;
  result.traffic = {{Kind::kCopy, 2.0 * static_cast<double>(bytes)}};
  result.working_set = bytes + bytes * spec.starts.size();
  result.target = target;
  result.prepare = [spec, mode] { return std::make_unique<SetValueContest>(spec, mode); };
  return result;
}

void AddSetValueCases(Cases& cases) {
  for (const Type type : {Type::kFp16, Type::kBf16, Type::kFp32, Type::kInt32, Type::kInt64}) {
    cases.push_back(
        SetValueCase({type, {28, 10, 4096}, {13, 2, 4096}, {{5, 3, 0}}}, "", {.ratio = 1.05}));
  }
  const SetValueSpec cache{Type::kFp16, {32, 4096, 128}, {32, 1, 128}, NextPositions(64)};
  cases.push_back(SetValueCase(cache, ", next of 64 positions", {.call_ns = 350}));
  cases.push_back(SetValueCase({cache.type, cache.dst, cache.src, {{0, 1000, 0}}}, ", one position",
                               {.call_ns = 350}));
  for (const Type type : {Type::kFp16, Type::kFp32}) {
    cases.push_back(
        SetValueCase({type, {4096, 8192}, {2048, 1024}, {{1024, 2048}}}, "", {.ratio = 1.2}));
  }
  cases.push_back(SetValueCase({Type::kFp16, {8192, 2, 8192}, {8192, 1, 8192}, {{0, 1, 0}}},
                               ", 16 KiB rows", {.ratio = 1.1}));
  constexpr std::int64_t kBlock = 32 << 20;
  cases.push_back(SetValueCase({Type::kFp16, {2, 2, kBlock}, {2, 1, kBlock}, {{0, 1, 0}}},
                               ", 64 MiB blocks", {.ratio = 1.1}));
}

}  // namespace belay::bench
