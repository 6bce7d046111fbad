/**
 * @file
 * Base header of the acl API: types, formats, helper functions and all error codes.
 */
#ifndef INC_EXTERNAL_ACL_ACL_BASE_H_
#define INC_EXTERNAL_ACL_ACL_BASE_H_

#include "acl_base_mdl.h"
#include "acl_base_rt.h"
#include "error_codes/ge_error_codes.h"
#include "error_codes/rt_error_codes.h"

#endif  // INC_EXTERNAL_ACL_ACL_BASE_H_
