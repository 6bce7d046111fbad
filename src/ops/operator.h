// The form of an operator: what each one states about itself, in its own folder and nowhere else.
//
// An operator's rules, product table, plan and kernel choice live in ops/<operator>/ and serve
// every face. A face fills in Params and asks; it decides nothing. Adding an operator touches its
// folder and the list in all_ops.h.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/behaviour.h"
#include "base/plan.h"
#include "base/product.h"
#include "base/status.h"

namespace belay::ops {

/// The interface a program came through.
enum class Face : std::uint8_t { kAclnn, kAtb };

/// Who asks: limits differ by face, by imitated product and by behaviour.
struct Profile {
  Face face;
  const Chip* chip;
  Behaviour behaviour;
};

/// A rule that an operator enforces; the id never changes and is never reused.
struct Rule {
  std::string_view id;      // "BELAY-TransQuantParam-scaleArray-0001"
  std::string_view text;    // one sentence
  std::string_view source;  // document and section
};

/// Which products a face serves the operator on.
struct Support {
  Face face;
  std::string_view name;  // what the face calls the operator
  FamilySet products;
};

struct OpInfo {
  std::string_view name;
  std::string_view document;
  std::span<const Support> support;
  std::span<const Rule> rules;
};

template <class Op>
concept Operator = requires(const typename Op::Params& params, const Profile& who) {
  { Op::Info() } -> std::same_as<const OpInfo&>;
  { Op::CheckParams(params, who) } -> std::same_as<Status>;
  { Op::MakePlan(params, who) } -> std::same_as<StatusOr<Plan>>;
};

/// The row of a face; null when the face does not publish the operator.
[[nodiscard]] constexpr const Support* SupportOf(const OpInfo& info, Face face) noexcept {
  for (const Support& row : info.support) {
    if (row.face == face) return &row;
  }
  return nullptr;
}

}  // namespace belay::ops
