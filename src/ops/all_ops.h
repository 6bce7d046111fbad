// The list of operators. Catalogues, property tests and fuzz tests walk it; no code names operators
// twice.
#pragma once

#include <concepts>
#include <type_traits>

#include "ops/copy/expand.h"
#include "ops/copy/inplace_copy.h"
#include "ops/index_add/index_add.h"
#include "ops/index_copy/index_copy.h"
#include "ops/operator.h"
#include "ops/quant_param/quant_param.h"
#include "ops/quant_param/quant_param_tensor.h"
#include "ops/repeat/repeat.h"
#include "ops/repeat/repeat_views.h"
#include "ops/set_value/set_value.h"
#include "ops/set_value/strided_slice_assign.h"
#include "ops/tensor_operator.h"

namespace belay::ops {

// An operator over views: MakePlan takes the tensors that it has.
template <class Op>
concept ViewOperator = requires {
  typename Op::Params;
  { Op::Info() } -> std::same_as<const OpInfo&>;
  &Op::MakePlan;
};

template <class Op>
concept ListedOperator = Operator<Op> || TensorOperator<Op> || ViewOperator<Op>;

template <ListedOperator... Ops>
struct OperatorList {
  /// Calls visit(std::type_identity<Op>()) for each operator, in the order of the list.
  template <class Visit>
  static void ForEach(Visit&& visit) {
    (visit(std::type_identity<Ops>()), ...);
  }
};

using AllOps = OperatorList<Expand, IndexAdd, IndexCopy, InplaceCopy, QuantParam, QuantParamTensor,
                            Repeat, RepeatViews, SetValue, StridedSliceAssign>;

/// Calls visit(info) with the OpInfo of each operator.
template <class Visit>
void ForEachOpInfo(Visit&& visit) {
  AllOps::ForEach([&]<class Op>(std::type_identity<Op>) { visit(Op::Info()); });
}

}  // namespace belay::ops
