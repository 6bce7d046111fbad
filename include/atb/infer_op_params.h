/**
 * @file
 * Parameters of the operations of the ATB API. C++ only.
 */
#ifndef ATB_INFEROPPARAM_H
#define ATB_INFEROPPARAM_H

#include <cstdint>
#include <limits>
#include <string>

#include "acl/acl.h"
#include "atb/svector.h"
#include "hccl/hccl_types.h"

namespace atb {
namespace infer {

/**
 * Repeats a tensor along its dimensions, bit by bit. One input x, one output. `multiples` holds at
 * most 8 values of at least 1, at least one for each dimension of x; dimensions and values are
 * aligned at the end. At most two values exceed 1.
 * Source: document RepeatOperation. What BELAY_BEHAVIOR=released changes is in
 * docs/compatibility.md.
 */
struct ACL_FUNC_VISIBILITY RepeatParam {
  SVector<int64_t> multiples;
  uint8_t rsv[8] = {0};
};

/**
 * Copies the second input, the source, into a region of the first, the destination, in place; there
 * is no output. `starts` and `ends` give the region in each dimension, ends excluded, and `strides`
 * are all 1. Of the dimensions after the first, exactly one differs between the tensors.
 * Source: document SetValueOperation.
 */
struct ACL_FUNC_VISIBILITY SetValueParam {
  SVector<int64_t> starts;
  SVector<int64_t> ends;
  SVector<int64_t> strides;
  uint8_t rsv[8] = {0};
};

/**
 * Adds slices of updates to those slices of var, along `axis`, that indices names, in place: the
 * output is the tensor var. Inputs are var, indices, updates and a fourth one.
 *   INDEX_ADD        the fourth is alpha, a factor for updates
 *   INDEX_ADD_VALID  the fourth is the number of indices that take part; axis is 0
 * Indices that occur repeatedly add up.
 * Source: document IndexAddOperation. What BELAY_BEHAVIOR=released changes is in
 * docs/compatibility.md.
 */
struct ACL_FUNC_VISIBILITY IndexAddParam {
  enum IndexType {
    INDEX_UNDEFINED = 0,
    INDEX_ADD = 1,
    INDEX_ADD_VALID = 2,
  };

  IndexType indexType = INDEX_UNDEFINED;
  int64_t axis = 0;
  uint8_t rsv[16] = {0};
};

}  // namespace infer
}  // namespace atb

#endif  // ATB_INFEROPPARAM_H
