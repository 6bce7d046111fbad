/**
 * @file
 * Main header of the ATB API; most client programs include only this one. C++ only.
 */
#ifndef ATB_ATBINFER_H
#define ATB_ATBINFER_H

#include "atb/context.h"
#include "atb/infer_op_params.h"
#include "atb/operation.h"
#include "atb/svector.h"
#include "atb/types.h"
#include "atb/utils.h"

#endif  // ATB_ATBINFER_H
