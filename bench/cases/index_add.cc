// IndexAdd: rows of updates are added to the rows of var that indices names.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "cases/operator_cases.h"
#include "cases/operator_contest.h"
#include "kernels/half.h"

namespace belay::bench {
namespace {

std::vector<std::int32_t> IndicesOf(const IndexAddSpec& spec) {
  const auto size = static_cast<std::int32_t>(spec.var[spec.axis]);
  const auto count = static_cast<std::size_t>(spec.count);
  std::mt19937 random(count);
  std::vector<std::int32_t> indices(count);
  if (spec.indices == Indices::kUnique) {
    std::vector<std::int32_t> all(static_cast<std::size_t>(size));
    std::iota(all.begin(), all.end(), 0);
    std::ranges::shuffle(all, random);
    std::copy_n(all.begin(), count, indices.begin());
  } else {
    std::uniform_int_distribution<std::int32_t> row(0, size - 1);
    for (std::int32_t& index : indices) index = row(random);
  }
  return indices;
}

/// Small values of both signs, so that no sum overflows however often a case is run.
void FillUpdates(std::byte* updates, std::int64_t count, Type type) {
  std::mt19937 random(static_cast<std::uint32_t>(count));
  auto* out = reinterpret_cast<std::uint16_t*>(updates);
  for (std::int64_t i = 0; i < count; ++i) {
    const float value = static_cast<float>(random() % 2048) / 65536.0F - 1.0F / 64;
    out[i] =
        type == Type::kFp16 ? kernels::Fp16::FromFloat(value) : kernels::Bf16::FromFloat(value);
  }
}

class IndexAddContest : public OperatorContest<IndexAddProblem> {
 public:
  IndexAddContest(const IndexAddSpec& spec, CallMode mode)
      : OperatorContest(mode, &Peer::IndexAdd), type_(spec.type) {
    const std::vector<std::int32_t> indices = IndicesOf(spec);
    IndexAddProblem problem{
        spec.type, spec.var, spec.axis, spec.count, spec.indices == Indices::kUnique,
        nullptr,   nullptr,  nullptr};
    problem.var = Output(static_cast<std::size_t>(CountOf(spec.var)) * 2);

    std::byte* index_memory = Input(indices.size() * sizeof(std::int32_t));
    std::memcpy(index_memory, indices.data(), indices.size() * sizeof(std::int32_t));
    problem.indices = reinterpret_cast<const std::int32_t*>(index_memory);

    const std::int64_t updates = CountOf(UpdatesShape(problem));
    std::byte* update_memory = Input(static_cast<std::size_t>(updates) * 2);
    FillUpdates(update_memory, updates, spec.type);
    problem.updates = update_memory;

    for (const std::int32_t index : indices) ++times_[index];
    for (const auto& [index, times] : times_) most_ = std::max(most_, times);
    Add(problem);
  }

  /// Belay rounds once at the end; others round after each of up to `most_` sums, which stay below
  /// most_ / 64 in size.
  [[nodiscard]] bool Agree(std::span<const std::byte> ours,
                           std::span<const std::byte> theirs) const override {
    const float step = type_ == Type::kFp16 ? 0x1p-11F : 0x1p-8F;
    const auto most = static_cast<float>(most_);
    const float bound = step * most * most / 64;
    const auto value = [&](std::span<const std::byte> bytes, std::size_t i) {
      std::uint16_t bits = 0;
      std::memcpy(&bits, &bytes[2 * i], 2);
      return type_ == Type::kFp16 ? kernels::Fp16::ToFloat(bits) : kernels::Bf16::ToFloat(bits);
    };
    for (std::size_t i = 0; i < ours.size() / 2; ++i) {
      if (!(std::abs(value(ours, i) - value(theirs, i)) <= bound)) return false;
    }
    return true;
  }

 private:
  Type type_;
  std::map<std::int32_t, int> times_;
  int most_ = 1;
};

}  // namespace

/// Each row that is named is read, added to and written once; further updates and the indices are
/// read.
Case IndexAddCase(const IndexAddSpec& spec, const std::string& note, Target target, CallMode mode) {
  const std::vector<std::int32_t> indices = IndicesOf(spec);
  const auto rows = static_cast<double>(std::set(indices.begin(), indices.end()).size());
  const auto count = static_cast<double>(indices.size());
  const auto slice = 2.0 * static_cast<double>(CountOf(spec.var)) /
                     static_cast<double>(spec.var[spec.axis]);  // bytes along one index
  Case result;
  result.group = "IndexAdd";
  result.name = "IndexAdd " + TextOf(spec.var) + " " + std::to_string(spec.count) +
                (spec.indices == Indices::kUnique ? " unique" : "") + " on axis " +
                std::to_string(spec.axis) + " " + std::string(NameOf(spec.type)) + note;
  result.traffic = {{spec.type == Type::kFp16 ? Kind::kAddFp16 : Kind::kAddBf16, 3 * rows * slice},
                    {Kind::kRead, (count - rows) * slice + 4 * count}};
  result.working_set = static_cast<std::size_t>((rows + count) * slice + 4 * count);
  result.target = target;
  result.prepare = [spec, mode] { return std::make_unique<IndexAddContest>(spec, mode); };
  return result;
}

void AddIndexAddCases(Cases& cases) {
  for (const Type type : {Type::kFp16, Type::kBf16}) {
    const auto add = [&](const Shape& var, std::size_t axis, std::int64_t count, Indices indices,
                         Target target) -> Case& {
      cases.push_back(IndexAddCase({type, var, axis, count, indices}, "", target));
      return cases.back();
    };
    add({1024, 4096}, 0, 90, Indices::kUnique, {.ratio = 1.3});
    add({3072, 7168}, 0, 25856, Indices::kRandom, {.ratio = 1.4});
    add({1024, 2048}, 0, 8192, Indices::kRandom, {.ratio = 1.4});
    Case& narrow = add({262144, 1}, 0, 262144, Indices::kRandom, {.call_ns = 0.8});
    narrow.units = 262144;
    narrow.name += ", per index";
    add({12, 6, 9}, 2, 7, Indices::kRandom, {.call_ns = 400});
    add({512, 512, 64}, 1, 256, Indices::kRandom, {.ratio = 1.5});
    add({4096, 4096}, 1, 2048, Indices::kRandom, {.ratio = 3});
  }
}

}  // namespace belay::bench
