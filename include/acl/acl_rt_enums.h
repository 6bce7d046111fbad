/**
 * @file
 * All enumerations of the acl runtime.
 */
#ifndef INC_EXTERNAL_ACL_ACL_RT_ENUMS_H_
#define INC_EXTERNAL_ACL_ACL_RT_ENUMS_H_

#include "acl_rt_enums_device.h"
#include "acl_rt_enums_memory.h"
#include "acl_rt_enums_stream.h"
#include "acl_rt_enums_task.h"

#endif  // INC_EXTERNAL_ACL_ACL_RT_ENUMS_H_
