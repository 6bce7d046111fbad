// The operators of the aclnn API as the fuzz target calls them, with arguments that fit together.
#include <algorithm>

#include "aclnnop/aclnn_copy.h"
#include "aclnnop/aclnn_expand.h"
#include "aclnnop/aclnn_index_add.h"
#include "aclnnop/aclnn_index_add_v2.h"
#include "aclnnop/aclnn_index_copy.h"
#include "aclnnop/aclnn_repeat.h"
#include "aclnnop/aclnn_strided_slice_assign_v2.h"
#include "aclnnop/aclnn_trans_quant_param_v2.h"
#include "aclnnop/aclnn_trans_quant_param_v3.h"
#include "fuzz/aclnn_program.h"

namespace belay::fuzz {
namespace {

using Shape = std::vector<std::int64_t>;

aclDataType TakeType(Input& input) {
  constexpr aclDataType kTypes[] = {ACL_FLOAT,  ACL_FLOAT16,   ACL_BF16,      ACL_INT32,
                                    ACL_INT64,  ACL_INT8,      ACL_UINT8,     ACL_INT16,
                                    ACL_DOUBLE, ACL_BOOL,      ACL_UINT16,    ACL_UINT32,
                                    ACL_UINT64, ACL_COMPLEX64, ACL_COMPLEX128};
  return kTypes[input.Below(std::size(kTypes))];
}

Shape TakeShape(Input& input, std::size_t min_rank = 0) {
  Shape shape(min_rank + input.Below(5 - min_rank));
  for (std::int64_t& size : shape) size = static_cast<std::int64_t>(input.Below(6));
  return shape;
}

CallPlan PlanQuant(Input& input) {
  const auto n = static_cast<std::int64_t>(1 + input.Below(20));
  const Shape shape = input.Below(2) == 0 ? Shape{n} : Shape{1, n};
  return {
      {{ACL_FLOAT, shape}, {ACL_FLOAT, {n}}, {input.Below(2) == 0 ? ACL_UINT64 : ACL_INT64, shape}},
      {},
      0,
      static_cast<std::int64_t>(input.Below(2))};
}

CallPlan PlanRepeat(Input& input) {
  const aclDataType type = TakeType(input);
  const Shape self = TakeShape(input);
  Shape repeats(self.size() + input.Below(2));
  Shape out(repeats.size());
  for (std::size_t i = 0; i < repeats.size(); ++i) {
    const std::size_t added = repeats.size() - self.size();
    repeats[i] = static_cast<std::int64_t>(input.Below(4));
    out[i] = repeats[i] * (i < added ? 1 : self[i - added]);
  }
  return {{{type, self}, {type, out}}, {repeats}};
}

// self, index, source, out for a random dimension.
CallPlan PlanIndexed(Input& input) {
  const aclDataType type = TakeType(input);
  const Shape self = TakeShape(input, 1);
  const std::size_t dim = input.Below(self.size());
  Shape source = self;
  source[dim] = static_cast<std::int64_t>(input.Below(8));
  const TensorPlan index{
      input.Below(2) == 0 ? ACL_INT32 : ACL_INT64, {source[dim]}, true, self[dim]};
  CallPlan plan{{{type, self}, index, {type, source}, {type, self}}, {}};
  plan.dim = static_cast<std::int64_t>(dim) -
             (input.Below(2) == 0 ? static_cast<std::int64_t>(self.size()) : 0);
  plan.mode = static_cast<std::int64_t>(input.Below(3));
  return plan;
}

CallPlan PlanSlice(Input& input) {
  const aclDataType type = TakeType(input);
  const Shape self = TakeShape(input, 1);
  Shape value(self.size());
  Shape begin(self.size());
  Shape end(self.size());
  Shape strides(self.size(), 1);
  for (std::size_t i = 0; i < self.size(); ++i) {
    begin[i] = static_cast<std::int64_t>(input.Below(6));
    end[i] = begin[i] + static_cast<std::int64_t>(input.Below(6));
    if (i + 1 < self.size()) strides[i] = static_cast<std::int64_t>(1 + input.Below(3));
    const std::int64_t from = std::min(begin[i], self[i]);
    const std::int64_t to = std::min(end[i], self[i]);
    value[i] = (to - from + strides[i] - 1) / strides[i];
  }
  Shape axes(self.size());
  for (std::size_t i = 0; i < axes.size(); ++i) axes[i] = static_cast<std::int64_t>(i);
  return {{{type, self}, {type, value}}, {begin, end, strides, axes}};
}

CallPlan PlanCopy(Input& input) {
  const Shape self = TakeShape(input);
  Shape source = self;
  if (!source.empty() && input.Below(2) == 0) source[input.Below(source.size())] = 1;
  return {{{TakeType(input), self}, {TakeType(input), source}}, {}};
}

CallPlan PlanExpand(Input& input) {
  const aclDataType type = TakeType(input);
  const Shape out = TakeShape(input);
  Shape self = out;
  if (!self.empty() && input.Below(2) == 0) self[input.Below(self.size())] = 1;
  return {{{type, self}, {type, out}}, {out}};
}

using Arguments = AclnnArguments;

constexpr AclnnOperator kOperators[kAclnnOperators] = {
    {PlanQuant,
     [](const Arguments& a, std::uint64_t* size, aclOpExecutor** executor) {
       return aclnnTransQuantParamV2GetWorkspaceSize(a.tensors[0], a.tensors[1], a.tensors[2], size,
                                                     executor);
     },
     aclnnTransQuantParamV2},
    {PlanQuant,
     [](const Arguments& a, std::uint64_t* size, aclOpExecutor** executor) {
       return aclnnTransQuantParamV3GetWorkspaceSize(a.tensors[0], a.tensors[1], a.mode,
                                                     a.tensors[2], size, executor);
     },
     aclnnTransQuantParamV3},
    {PlanRepeat,
     [](const Arguments& a, std::uint64_t* size, aclOpExecutor** executor) {
       return aclnnRepeatGetWorkspaceSize(a.tensors[0], a.arrays[0], a.tensors[1], size, executor);
     },
     aclnnRepeat},
    {PlanIndexed,
     [](const Arguments& a, std::uint64_t* size, aclOpExecutor** executor) {
       return aclnnIndexAddGetWorkspaceSize(a.tensors[0], a.dim, a.tensors[1], a.tensors[2],
                                            a.scalar, a.tensors[3], size, executor);
     },
     aclnnIndexAdd},
    {PlanIndexed,
     [](const Arguments& a, std::uint64_t* size, aclOpExecutor** executor) {
       return aclnnIndexAddV2GetWorkspaceSize(a.tensors[0], a.dim, a.tensors[1], a.tensors[2],
                                              a.scalar, a.mode, a.tensors[3], size, executor);
     },
     aclnnIndexAddV2},
    {PlanSlice,
     [](const Arguments& a, std::uint64_t* size, aclOpExecutor** executor) {
       return aclnnStridedSliceAssignV2GetWorkspaceSize(a.tensors[0], a.tensors[1], a.arrays[0],
                                                        a.arrays[1], a.arrays[2], a.arrays[3], size,
                                                        executor);
     },
     aclnnStridedSliceAssignV2},
    {PlanCopy,
     [](const Arguments& a, std::uint64_t* size, aclOpExecutor** executor) {
       return aclnnInplaceCopyGetWorkspaceSize(a.tensors[0], a.tensors[1], size, executor);
     },
     aclnnInplaceCopy},
    {PlanIndexed,
     [](const Arguments& a, std::uint64_t* size, aclOpExecutor** executor) {
       return aclnnIndexCopyGetWorkspaceSize(a.tensors[0], a.dim, a.tensors[1], a.tensors[2],
                                             a.tensors[3], size, executor);
     },
     aclnnIndexCopy},
    {PlanIndexed,
     [](const Arguments& a, std::uint64_t* size, aclOpExecutor** executor) {
       return aclnnInplaceIndexCopyGetWorkspaceSize(a.tensors[0], a.dim, a.tensors[1], a.tensors[2],
                                                    size, executor);
     },
     aclnnInplaceIndexCopy},
    {PlanExpand,
     [](const Arguments& a, std::uint64_t* size, aclOpExecutor** executor) {
       return aclnnExpandGetWorkspaceSize(a.tensors[0], a.arrays[0], a.tensors[1], size, executor);
     },
     aclnnExpand},
};

}  // namespace

const AclnnOperator& AclnnOperatorAt(std::size_t i) { return kOperators[i]; }

}  // namespace belay::fuzz
