/**
 * @file
 * Main header of the acl API; most client programs include only this one.
 */
#ifndef INC_EXTERNAL_ACL_ACL_H_
#define INC_EXTERNAL_ACL_ACL_H_

#include "acl_mdl.h"
#include "acl_op.h"
#include "acl_rt.h"

#endif  // INC_EXTERNAL_ACL_ACL_H_
