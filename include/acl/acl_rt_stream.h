/**
 * @file
 * Stream management. Tasks of one stream run in the order in which they were queued; streams are
 * unordered among each other unless events tie them.
 */
#ifndef INC_EXTERNAL_ACL_ACL_RT_STREAM_H_
#define INC_EXTERNAL_ACL_ACL_RT_STREAM_H_

#include "acl_base.h"
#include "acl_rt_constants.h"
#include "acl_rt_enums_stream.h"
#include "acl_rt_structs_stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Creates a stream with priority 0, the highest, and no flags. The caller destroys it with
 * aclrtDestroyStream.
 * Fails with ACL_ERROR_INVALID_PARAM when stream is null, and with ACL_ERROR_RT_CONTEXT_NULL when
 * there is no context.
 * Source: acl API, stream management.
 */
ACL_FUNC_VISIBILITY aclError aclrtCreateStream(aclrtStream* stream);

/**
 * Creates a stream with a priority, clamped to 0..7, and ACL_STREAM flags; unknown flag bits are
 * ignored.
 * Fails with ACL_ERROR_INVALID_PARAM when stream is null, with ACL_ERROR_RT_PARAM_INVALID when
 * DEVICE_USE_ONLY is combined with another flag, and with ACL_ERROR_RT_FEATURE_NOT_SUPPORT for a
 * flag the chip lacks.
 * Source: acl API, stream management.
 */
ACL_FUNC_VISIBILITY aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t priority,
                                                         uint32_t flag);

/**
 * Waits for the queued work and destroys a stream.
 * Fails with ACL_ERROR_INVALID_PARAM when stream is null, with ACL_ERROR_RT_STREAM_CONTEXT when it
 * belongs to another context, and with ACL_ERROR_RT_INVALID_HANDLE when it is already destroyed.
 * Source: acl API, stream management.
 */
ACL_FUNC_VISIBILITY aclError aclrtDestroyStream(aclrtStream stream);

/**
 * Destroys a stream and drops its queued work without waiting. Fails like aclrtDestroyStream.
 * Source: acl API, stream management.
 */
ACL_FUNC_VISIBILITY aclError aclrtDestroyStreamForce(aclrtStream stream);

/**
 * Waits until the queued work of a stream has finished and delivers its errors. A null stream
 * means the default stream.
 * Fails with ACL_ERROR_RT_CONTEXT_NULL when there is no context, and with
 * ACL_ERROR_RT_STREAM_ABORT when the stream was aborted.
 * Source: acl API, stream management.
 */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeStream(aclrtStream stream);

/**
 * Like aclrtSynchronizeStream with a limit in milliseconds; -1 waits forever.
 * Fails with ACL_ERROR_RT_PARAM_INVALID when timeout is 0 or below -1, and with
 * ACL_ERROR_RT_STREAM_SYNC_TIMEOUT when the time is over.
 * Source: acl API, stream management.
 */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout);

/**
 * Stores whether the queued work has finished; does not wait. A null stream means the default
 * stream.
 * Fails with ACL_ERROR_INVALID_PARAM when status is null.
 * Source: acl API, stream management.
 */
ACL_FUNC_VISIBILITY aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus* status);

/**
 * Stores the number of a stream. A null stream means the default stream.
 * Fails with ACL_ERROR_INVALID_PARAM when streamId is null.
 * Source: acl API, stream management.
 */
ACL_FUNC_VISIBILITY aclError aclrtStreamGetId(aclrtStream stream, int32_t* streamId);

/**
 * Stores the priority of a stream, 0 (highest) to 7. A null stream means the default stream.
 * Fails with ACL_ERROR_INVALID_PARAM when priority is null.
 * Source: acl API, stream management.
 */
ACL_FUNC_VISIBILITY aclError aclrtStreamGetPriority(aclrtStream stream, uint32_t* priority);

/**
 * Stores the flags a stream was created with. A null stream means the default stream.
 * Fails with ACL_ERROR_INVALID_PARAM when flags is null.
 * Source: acl API, stream management.
 */
ACL_FUNC_VISIBILITY aclError aclrtStreamGetFlags(aclrtStream stream, uint32_t* flags);

/**
 * Makes a stream wait for the last record of an event; returns at once. There is no wait when the
 * event was last recorded on the same stream. A null stream means the default stream.
 * Fails with ACL_ERROR_INVALID_PARAM when event is null, with ACL_ERROR_RT_PARAM_INVALID for a
 * default event that was never recorded, and with ACL_ERROR_RT_FEATURE_NOT_SUPPORT for an event
 * made without the SYNC flag.
 * Source: acl API, stream management.
 */
ACL_FUNC_VISIBILITY aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event);

/**
 * Like aclrtStreamWaitEvent with a limit for the wait in seconds; 0 means no limit.
 * Fails with ACL_ERROR_RT_PARAM_INVALID when timeout is negative or event is null.
 * Source: acl API, stream management.
 */
ACL_FUNC_VISIBILITY aclError aclrtStreamWaitEventWithTimeout(aclrtStream stream, aclrtEvent event,
                                                             int32_t timeout);

/**
 * Chooses what a stream does after a failed task: ACL_CONTINUE_ON_FAILURE or ACL_STOP_ON_FAILURE.
 * Only bit 0 of mode counts. May be set once per stream.
 * Fails with ACL_ERROR_RT_FEATURE_NOT_SUPPORT when the stream cannot do it.
 * Source: acl API, stream management.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode);

/**
 * Sets one attribute of a stream. A priority is clamped to 0..7.
 * Fails with ACL_ERROR_INVALID_PARAM when value is null, and with ACL_ERROR_RT_PARAM_INVALID for
 * an unknown attribute or a wrong value.
 * Source: acl API, stream management.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetStreamAttribute(aclrtStream stream,
                                                     aclrtStreamAttr stmAttrType,
                                                     aclrtStreamAttrValue* value);

/**
 * Reads one attribute of a stream into the member that belongs to it.
 * Fails with ACL_ERROR_INVALID_PARAM when value is null, and with ACL_ERROR_RT_PARAM_INVALID for
 * an unknown attribute.
 * Source: acl API, stream management.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetStreamAttribute(aclrtStream stream,
                                                     aclrtStreamAttr stmAttrType,
                                                     aclrtStreamAttrValue* value);

/**
 * Stores how many more streams can be created on the current device.
 * Fails with ACL_ERROR_INVALID_PARAM when streamCount is null.
 * Source: acl API, stream management.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetStreamAvailableNum(uint32_t* streamCount);

/**
 * Sets and reads what ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK of a stream holds: 0 or 1. A null stream
 * means the default stream.
 * Fails with ACL_ERROR_INVALID_PARAM for another flag, or a null one.
 * Source: acl API, stream management.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetStreamOverflowSwitch(aclrtStream stream, uint32_t flag);
ACL_FUNC_VISIBILITY aclError aclrtGetStreamOverflowSwitch(aclrtStream stream, uint32_t* flag);

#ifdef __cplusplus
}
#endif

#endif  // INC_EXTERNAL_ACL_ACL_RT_STREAM_H_
