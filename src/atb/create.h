// CreateOperation for one operator.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "atb/atb_call.h"
#include "atb/library_operation.h"
#include "atb/operator_instance.h"

namespace belay::atb_face {

/// `make_params()` copies the caller's parameters; it runs after the checks that come first.
template <ops::TensorOperator Op, std::size_t N, class MakeParams>
::atb::Status Create(const char* function, const std::uint8_t (&rsv)[N], MakeParams make_params,
                     ::atb::Operation** operation) {
  return AtbCall({function, Op::Info().document}, [&](Machine& machine) -> Status {
    if (operation == nullptr) {
      return Refuse(Fault::kInvalidParam, "operation is null; allowed a valid pointer");
    }
    const auto* const set =
        std::find_if(std::begin(rsv), std::end(rsv), [](std::uint8_t byte) { return byte != 0; });
    if (set != std::end(rsv)) {
      return Refuse(Fault::kInvalidParam, "rsv[{}] is {}; allowed 0 (reserved)",
                    set - std::begin(rsv), *set);
    }
    typename Op::Params params = make_params();
    BELAY_RETURN_IF_ERROR(Op::CheckParams(params, AtbProfile(machine)));
    auto instance = std::make_unique<BoundOperator<Op>>(std::move(params));
    *operation = LibraryOperation::Pool().Create(std::move(instance));
    return {};
  });
}

}  // namespace belay::atb_face
