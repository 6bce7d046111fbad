/**
 * @file
 * Event management. Events made by aclrtCreateEventExWithFlag can be recorded again at any time;
 * the other two kinds follow older rules.
 */
#ifndef INC_EXTERNAL_ACL_ACL_RT_EVENT_H_
#define INC_EXTERNAL_ACL_ACL_RT_EVENT_H_

#include "acl_base.h"
#include "acl_rt_constants.h"
#include "acl_rt_enums_stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Creates an event for synchronisation, progress and time measurement. The caller destroys it with
 * aclrtDestroyEvent.
 * Fails with ACL_ERROR_INVALID_PARAM when event is null.
 * Source: acl API, event management.
 */
ACL_FUNC_VISIBILITY aclError aclrtCreateEvent(aclrtEvent* event);

/**
 * Creates an event with the given ACL_EVENT flags.
 * Fails with ACL_ERROR_INVALID_PARAM when event is null, and with ACL_ERROR_RT_PARAM_INVALID when
 * flag is 0, has an unknown bit, or combines DEVICE_USE_ONLY or EXTERNAL with another flag.
 * Source: acl API, event management.
 */
ACL_FUNC_VISIBILITY aclError aclrtCreateEventWithFlag(aclrtEvent* event, uint32_t flag);

/**
 * Creates an event that can be recorded again and again; a wait keeps the position it was issued
 * for. flag is an OR of SYNC, CAPTURE_STREAM_PROGRESS and TIME_LINE, or IPC alone.
 * Fails with ACL_ERROR_RT_PARAM_INVALID for any other flag.
 * Source: acl API, event management.
 */
ACL_FUNC_VISIBILITY aclError aclrtCreateEventExWithFlag(aclrtEvent* event, uint32_t flag);

/**
 * Destroys an event. Queued work that still needs it goes on safely.
 * Fails with ACL_ERROR_INVALID_PARAM when event is null.
 * Source: acl API, event management.
 */
ACL_FUNC_VISIBILITY aclError aclrtDestroyEvent(aclrtEvent event);

/**
 * Queues the event behind the present work of a stream. A null stream means the default stream.
 * Fails with ACL_ERROR_INVALID_PARAM when event is null, with ACL_ERROR_RT_CONTEXT_NULL when there
 * is no context, and with ACL_ERROR_RT_PARAM_INVALID for a DEVICE_USE_ONLY event.
 * Source: acl API, event management.
 */
ACL_FUNC_VISIBILITY aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream);

/**
 * Sets the event back to not recorded for all calls that follow. A null stream means the default
 * stream.
 * Fails with ACL_ERROR_INVALID_PARAM when event is null, and with ACL_ERROR_RT_FEATURE_NOT_SUPPORT
 * for an event without the SYNC flag or one made by aclrtCreateEventExWithFlag.
 * Source: acl API, event management.
 */
ACL_FUNC_VISIBILITY aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream);

/**
 * Stores NOT_READY while a record is pending, else COMPLETE, also when the event was never
 * recorded.
 * Fails with ACL_ERROR_INVALID_PARAM on a null argument, and with ACL_ERROR_RT_FEATURE_NOT_SUPPORT
 * for an event made by aclrtCreateEventExWithFlag.
 * Source: acl API, event management.
 */
ACL_DEPRECATED_MESSAGE("use aclrtQueryEventStatus")
ACL_FUNC_VISIBILITY aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus* status);

/**
 * Stores whether the last record has been reached. Without any record the answer is COMPLETE for
 * events made by aclrtCreateEventExWithFlag and NOT_READY for the others.
 * Fails with ACL_ERROR_INVALID_PARAM on a null argument.
 * Source: acl API, event management.
 */
ACL_FUNC_VISIBILITY aclError aclrtQueryEventStatus(aclrtEvent event,
                                                   aclrtEventRecordedStatus* status);

/**
 * Stores whether every wait for the event is over.
 * Fails with ACL_ERROR_INVALID_PARAM on a null argument, and with ACL_ERROR_RT_FEATURE_NOT_SUPPORT
 * for an event made by aclrtCreateEventExWithFlag.
 * Source: acl API, event management.
 */
ACL_FUNC_VISIBILITY aclError aclrtQueryEventWaitStatus(aclrtEvent event,
                                                       aclrtEventWaitStatus* status);

/**
 * Waits until the last record has been reached; returns at once when there is none.
 * Fails with ACL_ERROR_INVALID_PARAM when event is null.
 * Source: acl API, event management.
 */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeEvent(aclrtEvent event);

/**
 * Like aclrtSynchronizeEvent with a limit in milliseconds; -1 waits forever.
 * Fails with ACL_ERROR_RT_PARAM_INVALID when timeout is 0 or below -1, and with
 * ACL_ERROR_RT_EVENT_SYNC_TIMEOUT when the time is over.
 * Source: acl API, event management.
 */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout);

/**
 * Stores the time from one event to another in milliseconds; it is negative when the end came
 * first.
 * Fails with ACL_ERROR_INVALID_PARAM on a null argument, with ACL_ERROR_RT_INTERNAL_ERROR when an
 * event was never recorded, and with ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID when a time stamp is not
 * there yet or the TIME_LINE flag is missing.
 * Source: acl API, event management.
 */
ACL_FUNC_VISIBILITY aclError aclrtEventElapsedTime(float* ms, aclrtEvent startEvent,
                                                   aclrtEvent endEvent);

/**
 * Stores the time stamp of an event in microseconds. Fails like aclrtEventElapsedTime.
 * Source: acl API, event management.
 */
ACL_FUNC_VISIBILITY aclError aclrtEventGetTimestamp(aclrtEvent event, uint64_t* timestamp);

/**
 * Stores the number of an event.
 * Fails with ACL_ERROR_INVALID_PARAM on a null argument.
 * Source: acl API, event management.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetEventId(aclrtEvent event, uint32_t* eventId);

/**
 * Stores how many more events can be created on the current device.
 * Fails with ACL_ERROR_INVALID_PARAM when eventCount is null.
 * Source: acl API, event management.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetEventAvailNum(uint32_t* eventCount);

/**
 * Sets the limit in seconds for later waits of streams on events, for the whole process. 0 means
 * no limit.
 * Source: acl API, event management.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetOpWaitTimeout(uint32_t timeout);

#ifdef __cplusplus
}
#endif

#endif  // INC_EXTERNAL_ACL_ACL_RT_EVENT_H_
