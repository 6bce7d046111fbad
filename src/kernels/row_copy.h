// Puts rows in the place of the rows that an index names. Bits are moved as they are; pointers need
// no alignment.
#pragma once

#include <cstddef>

#include "base/export.h"
#include "kernels/indexed_rows.h"

namespace belay::kernels {

/// target[s, indices[k], c] = source[s, k, c], in the order of k: the last one stays.
BELAY_EXPORT void RowCopy(const IndexedRows& indexed, std::size_t item_bytes,
                          const IndexedPart& part);

}  // namespace belay::kernels
