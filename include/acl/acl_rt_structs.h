/**
 * @file
 * All structures and unions of the acl runtime.
 */
#ifndef INC_EXTERNAL_ACL_ACL_RT_STRUCTS_H_
#define INC_EXTERNAL_ACL_ACL_RT_STRUCTS_H_

#include "acl_rt_structs_device.h"
#include "acl_rt_structs_memory.h"
#include "acl_rt_structs_model.h"
#include "acl_rt_structs_stream.h"
#include "acl_rt_structs_task.h"

#endif  // INC_EXTERNAL_ACL_ACL_RT_STRUCTS_H_
