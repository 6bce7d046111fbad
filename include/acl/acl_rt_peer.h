/**
 * @file
 * Access of one device to the memory of another. It goes one way: the current device gets to the
 * memory of the peer, for launches and copies, and the peer does not get to its memory.
 */
#ifndef INC_EXTERNAL_ACL_ACL_RT_PEER_H_
#define INC_EXTERNAL_ACL_ACL_RT_PEER_H_

#include "acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Stores 1 when a device can be given access to the memory of a peer, else 0. Virtual devices can
 * always reach each other.
 * Fails with ACL_ERROR_INVALID_PARAM when the ids are equal, with ACL_ERROR_RT_PARAM_INVALID when
 * canAccessPeer is null, and with ACL_ERROR_RT_INVALID_DEVICEID for a wrong id.
 * Source: acl API, peer access.
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceCanAccessPeer(int32_t* canAccessPeer, int32_t deviceId,
                                                      int32_t peerDeviceId);

/**
 * Gives the current device access to the memory of a peer until aclrtDeviceDisablePeerAccess or the
 * reset of the current device. Asking again changes nothing. flags must be 0.
 * Fails with ACL_ERROR_FEATURE_UNSUPPORTED for other flags, with ACL_ERROR_RT_CONTEXT_NULL when no
 * device is set, with ACL_ERROR_INVALID_PARAM when the peer is the current device, and with
 * ACL_ERROR_RT_INVALID_DEVICEID for a wrong id.
 * Source: acl API, peer access.
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t flags);

/**
 * Takes the access of the current device to the memory of a peer back. Work that is queued already
 * still runs.
 * Fails with ACL_ERROR_RT_CONTEXT_NULL when no device is set, with ACL_ERROR_INVALID_PARAM when the
 * peer is the current device, and with ACL_ERROR_RT_INVALID_DEVICEID for a wrong id.
 * Source: acl API, peer access.
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId);

/**
 * Stores 1 when a device has access to the memory of a peer now, else 0.
 * Fails with ACL_ERROR_INVALID_PARAM when status is null, and with ACL_ERROR_RT_PARAM_INVALID for a
 * wrong id.
 * Source: acl API, peer access.
 */
ACL_FUNC_VISIBILITY aclError aclrtDevicePeerAccessStatus(int32_t deviceId, int32_t peerDeviceId,
                                                         int32_t* status);

#ifdef __cplusplus
}
#endif

#endif  // INC_EXTERNAL_ACL_ACL_RT_PEER_H_
