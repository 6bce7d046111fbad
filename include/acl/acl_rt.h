/**
 * @file
 * Runtime interface: devices, contexts, streams, events and memory. The parts are kept in headers
 * of their own, each of which can also be included alone.
 * No function throws, and all of them may be called from several threads. Unless noted otherwise,
 * a call that needs a context fails with ACL_ERROR_RT_CONTEXT_NULL when the thread has none.
 */
#ifndef INC_EXTERNAL_ACL_ACL_RT_H_
#define INC_EXTERNAL_ACL_ACL_RT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acl_base.h"
#include "acl_rt_allocator.h"
#include "acl_rt_callbacks.h"
#include "acl_rt_constants.h"
#include "acl_rt_context.h"
#include "acl_rt_device.h"
#include "acl_rt_enums.h"
#include "acl_rt_event.h"
#include "acl_rt_exception.h"
#include "acl_rt_handles.h"
#include "acl_rt_host_func.h"
#include "acl_rt_init.h"
#include "acl_rt_memory.h"
#include "acl_rt_overflow.h"
#include "acl_rt_peer.h"
#include "acl_rt_stream.h"
#include "acl_rt_structs.h"
#include "acl_rt_timeout.h"
#include "acl_rt_virtual_memory.h"

#endif  // INC_EXTERNAL_ACL_ACL_RT_H_
