#include "ops/repeat/repeat.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/checked_math.h"
#include "ops/products.h"
#include "ops/repeat/tile_work.h"

namespace belay::ops {
namespace {

constexpr std::string_view kDocument = "document RepeatOperation";
constexpr std::string_view kConstraints = "RepeatOperation, constraints";
constexpr std::string_view kParameters = "RepeatOperation, parameters";

constexpr std::array kSupport = {
    Support{Face::kAtb, "RepeatOperation", kAllBefore950},
};

constexpr std::array kRules = {
    Rule{"BELAY-Repeat-product-0001", "The product is one that serves the operator.",
         "RepeatOperation, applicable products"},
    Rule{"BELAY-Repeat-multiples-0002", "multiples has at most 8 entries.", kParameters},
    Rule{"BELAY-Repeat-multiples-0003", "Each entry of multiples is 1 or above.", kParameters},
    Rule{"BELAY-Repeat-multiples-0004", "At most two entries of multiples are above 1.",
         kParameters},
    Rule{"BELAY-Repeat-multiples-0005", "multiples has at least as many entries as x dimensions.",
         kParameters},
    Rule{"BELAY-Repeat-multiples-0006",
         "The entries above 1 whose dimension of x is above 1, and all entries, are at most 8 "
         "together.",
         kConstraints},
    Rule{"BELAY-Repeat-multiples-0007", "Each dimension of y fits into an int64.", kConstraints},
    Rule{"BELAY-Repeat-y-0008", "y has as many dimensions as multiples has entries.", kConstraints},
    Rule{"BELAY-Repeat-y-0009",
         "Each dimension of y is the entry of multiples times the dimension of x.", kConstraints},
    Rule{"BELAY-Repeat-y-0010", "x and y share no bytes.", "RepeatOperation, output"},
};

constexpr std::array<std::string_view, 1> kInputs = {"x"};
constexpr std::array<std::string_view, 1> kOutputs = {"y"};
constexpr std::array kRows = {
    TypeRow{{DataType::kFloat16, DataType::kFloat16}},
    TypeRow{{DataType::kBf16, DataType::kBf16}},
};
constexpr Signature kSignature{"RepeatOperation", kInputs, kOutputs, kRows};

constexpr std::size_t kMaxEntries = Dims::kMaxRank;
constexpr std::size_t kMaxDocumentedRepeats = 2;
constexpr std::size_t kMaxRepeatsAndRank = 8;

using Multiples = std::span<const std::int64_t>;

Status CheckMultiples(Multiples multiples) {
  if (multiples.size() > kMaxEntries) {
    return Refuse(Fault::kInvalidParam, "multiples has {} entries; allowed 0 to {}",
                  multiples.size(), kMaxEntries);
  }
  for (std::size_t i = 0; i < multiples.size(); ++i) {
    if (multiples[i] >= 1) continue;
    return Refuse(Fault::kInvalidParam, "multiples[{}] is {}; allowed 1 and above", i,
                  multiples[i]);
  }
  return {};
}

Status CheckNumberOfRepeats(Multiples multiples) {
  const auto count = static_cast<std::size_t>(
      std::ranges::count_if(multiples, [](std::int64_t entry) { return entry > 1; }));
  if (count <= kMaxDocumentedRepeats) return {};
  return Refuse(Fault::kInvalidParam,
                "multiples is {}, with {} entries above 1; allowed up to {} "
                "(BELAY_BEHAVIOR=released allows more)",
                multiples, count, kMaxDocumentedRepeats);
}

// How many dimensions of x above 1 have an entry above 1.
std::size_t CountRepeats(Multiples multiples, const Dims& x, bool from_left) {
  const std::size_t first = from_left ? 0 : multiples.size() - x.rank;
  std::size_t count = 0;
  for (std::size_t i = 0; i < x.rank; ++i) count += multiples[first + i] > 1 && x[i] > 1 ? 1 : 0;
  return count;
}

Status CheckRules(Multiples multiples, const Dims& x, const Profile& who) {
  if (x.rank > multiples.size()) {
    return Refuse(Fault::kTensorDim,
                  "multiples has {} entries; allowed {} and above, the number of dimensions of x",
                  multiples.size(), x.rank);
  }
  const bool from_left = FollowsRelease(who.behaviour, BehaviourPoint::kRepeatCountsFromTheLeft);
  const std::size_t repeats = CountRepeats(multiples, x, from_left);
  if (repeats + multiples.size() <= kMaxRepeatsAndRank) return {};
  return Refuse(Fault::kTensorDim,
                "x is {} and multiples {}: {} repeated dimensions (counted from the {}) and {} "
                "entries; allowed up to {} together",
                Describe(x), multiples, repeats, from_left ? "left" : "right", multiples.size(),
                kMaxRepeatsAndRank);
}

StatusOr<Dims> InferDims(Multiples multiples, const Dims& x) {
  Dims y;
  y.rank = multiples.size();
  for (std::size_t i = multiples.size(); i-- > 0;) {
    const std::int64_t size = AlignedDim(x, multiples.size(), i);
    const std::optional<std::int64_t> product = CheckedMultiply(size, multiples[i]);
    if (!product) {
      return Unexpected(Refuse(
          Fault::kInvalidParam, "multiples[{}] is {}; allowed 1 to {} (the dimension of x is {})",
          i, multiples[i], std::numeric_limits<std::int64_t>::max() / size, size));
    }
    y.sizes[i] = *product;
  }
  return y;
}

Status CheckOutput(const Dims& y, const Dims& expected) {
  if (y.rank != expected.rank) {
    return Refuse(Fault::kTensorDim,
                  "y has {} dimensions; allowed {}, the number of entries of multiples", y.rank,
                  expected.rank);
  }
  for (std::size_t i = 0; i < y.rank; ++i) {
    if (y[i] == expected[i]) continue;
    return Refuse(Fault::kTensorDim, "dimension {} of y is {}; allowed {}, as y is to be {}", i,
                  y[i], expected[i], Describe(expected));
  }
  return {};
}

Status Run(const Plan& plan, std::span<void* const> addresses) {
  RunTileWork(plan.Parameters<TileWork>(), static_cast<const std::byte*>(addresses[Repeat::kX]),
              static_cast<std::byte*>(addresses[Repeat::kY]));
  return {};
}

}  // namespace

const OpInfo& Repeat::Info() {
  static constexpr OpInfo kInfo{"RepeatOperation", kDocument, kSupport, kRules};
  return kInfo;
}

Status Repeat::CheckParams(const Params& params, const Profile& who) {
  BELAY_RETURN_IF_ERROR(CheckProduct(Info(), kSignature.name, who));
  BELAY_RETURN_IF_ERROR(CheckMultiples(params.multiples));
  if (FollowsRelease(who.behaviour, BehaviourPoint::kRepeatAnyNumberOfRepeatedDims)) return {};
  return CheckNumberOfRepeats(params.multiples);
}

const Signature& Repeat::SignatureOf(const Params& /*params*/) { return kSignature; }

StatusOr<InferredOutput> Repeat::InferShape(const Params& params, Descs inputs,
                                            const Profile& who) {
  const TensorDesc& x = inputs[kX];
  if (Status status = CheckRules(params.multiples, x.dims, who); !status.ok()) {
    return Unexpected(std::move(status));
  }
  const StatusOr<Dims> dims = InferDims(params.multiples, x.dims);
  if (!dims) return Unexpected(dims.error());
  return InferredOutput{true, {x.dtype, x.format, *dims}};
}

StatusOr<Plan> Repeat::MakePlan(const Params& params, Descs inputs, Descs outputs,
                                const Profile& who) {
  const StatusOr<InferredOutput> inferred = InferShape(params, inputs, who);
  if (!inferred) return Unexpected(inferred.error());
  if (Status status = CheckOutput(outputs[0].dims, inferred->desc.dims); !status.ok()) {
    return Unexpected(std::move(status));
  }

  const std::uint64_t x_bytes = TensorBytes(inputs[kX]);
  const std::uint64_t y_bytes = TensorBytes(outputs[0]);
  Plan plan;
  plan.operation = "RepeatOperation";
  plan.kernel = "Tile";
  plan.check_addresses = CheckNoOverlap;
  plan.run = Run;
  plan.AddAccess({"x", kX, AccessMode::kRead, 0, x_bytes, x_bytes});
  plan.AddAccess({"y", kY, AccessMode::kWrite, 0, y_bytes, y_bytes});
  plan.EmplaceParameters<TileWork>(
      MakeTileWork(params.multiples, inputs[kX].dims, ItemBytes(inputs[kX].dtype)));
  return plan;
}

static_assert(TensorOperator<Repeat>);

}  // namespace belay::ops
