/**
 * @file
 * Functions of the program that take their turn in a stream. A stream is used in one of two ways:
 * with callbacks that a thread of the program runs, or with host functions that a thread of the
 * library runs. In all functions a null stream means the default stream.
 * While such a function holds a stream it may call the runtime, but not wait for that stream; such
 * calls fail with ACL_ERROR_RT_PARAM_INVALID.
 */
#ifndef INC_EXTERNAL_ACL_ACL_RT_HOST_FUNC_H_
#define INC_EXTERNAL_ACL_ACL_RT_HOST_FUNC_H_

#include "acl_base.h"
#include "acl_rt_callbacks.h"
#include "acl_rt_enums_stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Has a thread run the callbacks of a stream. threadId is what pthread_self returns on that thread,
 * which calls aclrtProcessReport. A thread may serve several streams of one device; at most 1024
 * threads serve streams.
 * Fails with ACL_ERROR_RT_STREAM_SUBSCRIBE when the stream is served already or host functions run
 * in it, and with ACL_ERROR_RT_THREAD_SUBSCRIBE when the thread serves another device.
 * Source: acl API, host callbacks.
 */
ACL_FUNC_VISIBILITY aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream);

/**
 * Queues a callback, which runs in the thread that serves the stream when the work before it is
 * done. With ACL_CALLBACK_BLOCK later work waits until it has returned. userData stays with the
 * caller.
 * Fails with ACL_ERROR_INVALID_PARAM for another blockType, with ACL_ERROR_RT_PARAM_INVALID when fn
 * is null, and with ACL_ERROR_RT_STREAM_NO_CB_REG when no thread serves the stream.
 * Source: acl API, host callbacks.
 */
ACL_FUNC_VISIBILITY aclError aclrtLaunchCallback(aclrtCallback fn, void* userData,
                                                 aclrtCallbackBlockType blockType,
                                                 aclrtStream stream);

/**
 * Waits for callbacks of the streams that the calling thread serves, and runs those that are there
 * then. timeout is in milliseconds; -1 waits forever.
 * Fails with ACL_ERROR_INVALID_PARAM when timeout is 0 or below -1, with
 * ACL_ERROR_RT_THREAD_SUBSCRIBE when the thread serves no stream (any more), and with
 * ACL_ERROR_RT_REPORT_TIMEOUT when the time is over.
 * Source: acl API, host callbacks.
 */
ACL_FUNC_VISIBILITY aclError aclrtProcessReport(int32_t timeout);

/**
 * Ends what aclrtSubscribeReport began. Callbacks that have not begun are dropped and the stream
 * goes on. Destroying the stream does the same.
 * Fails with ACL_ERROR_RT_STREAM_SUBSCRIBE when no thread serves the stream, and with
 * ACL_ERROR_RT_THREAD_SUBSCRIBE when another thread does.
 * Source: acl API, host callbacks.
 */
ACL_FUNC_VISIBILITY aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream);

/**
 * Queues a function that a thread of the library runs when the work before it is done; later work
 * waits until it has returned. The context of the stream is current for it. args stays with the
 * caller.
 * Fails with ACL_ERROR_RT_PARAM_INVALID when fn is null, and with ACL_ERROR_RT_STREAM_SUBSCRIBE
 * when the stream has a subscriber. Source: acl API, host callbacks.
 */
ACL_FUNC_VISIBILITY aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void* args);

#ifdef __cplusplus
}
#endif

#endif  // INC_EXTERNAL_ACL_ACL_RT_HOST_FUNC_H_
