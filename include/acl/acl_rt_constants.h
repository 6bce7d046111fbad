/**
 * @file
 * Macro constants of the acl runtime: version, flags, sizes and attribute values.
 * Some groups belong to features for which no function is declared. They are here because client
 * programs name them and expect their values.
 */
#ifndef INC_EXTERNAL_ACL_ACL_RT_CONSTANTS_H_
#define INC_EXTERNAL_ACL_ACL_RT_CONSTANTS_H_

/**
 * Version of the acl interface these headers describe. aclrtGetVersion returns the same numbers.
 * Source: acl API, version information.
 */
#define ACL_MAJOR_VERSION 1
#define ACL_MINOR_VERSION 17
#define ACL_PATCH_VERSION 0

/**
 * Flags for aclrtCreateEventWithFlag and aclrtCreateEventExWithFlag. They may be OR-ed unless the
 * function says otherwise. TIME_LINE is needed for time measurement.
 * Source: acl API, event management.
 */
#define ACL_EVENT_SYNC 0x00000001U
#define ACL_EVENT_CAPTURE_STREAM_PROGRESS 0x00000002U
#define ACL_EVENT_TIME_LINE 0x00000008U
#define ACL_EVENT_DEVICE_USE_ONLY 0x00000010U
#define ACL_EVENT_EXTERNAL 0x00000020U
#define ACL_EVENT_IPC 0x00000040U

/**
 * Flags for recording an event inside or outside a captured graph.
 * Source: acl API, event management.
 */
#define ACL_EVENT_RECORD_DEFAULT 0x0U
#define ACL_EVENT_RECORD_EXTERNAL 0x01U

/**
 * Flags for waiting on an event inside or outside a captured graph.
 * Source: acl API, event management.
 */
#define ACL_EVENT_WAIT_DEFAULT 0x0U
#define ACL_EVENT_WAIT_EXTERNAL 0x01U

/**
 * Size in bytes of aclrtIpcEventHandle.
 * Source: acl API, event management.
 */
#define ACL_IPC_EVENT_HANDLE_SIZE 64U

/**
 * Flags for aclrtCreateStreamWithConfig. DEVICE_USE_ONLY excludes every other flag.
 * Source: acl API, stream management.
 */
#define ACL_STREAM_FAST_LAUNCH 0x00000001U
#define ACL_STREAM_FAST_SYNC 0x00000002U
#define ACL_STREAM_PERSISTENT 0x00000004U
#define ACL_STREAM_HUGE 0x00000008U
#define ACL_STREAM_CPU_SCHEDULE 0x00000010U
#define ACL_STREAM_DEVICE_USE_ONLY 0x00000020U

/**
 * Comparison used when a stream waits for a value in memory.
 * Source: acl API, stream management.
 */
#define ACL_STREAM_WAIT_VALUE_GEQ 0x00000000U
#define ACL_STREAM_WAIT_VALUE_EQ 0x00000001U
#define ACL_STREAM_WAIT_VALUE_AND 0x00000002U
#define ACL_STREAM_WAIT_VALUE_NOR 0x00000003U

/**
 * Modes for aclrtSetStreamFailureMode: go on with the next task after a failure, or stop.
 * Source: acl API, stream management.
 */
#define ACL_CONTINUE_ON_FAILURE 0x00000000U
#define ACL_STOP_ON_FAILURE 0x00000001U

/**
 * Creation flags of a notify.
 * Source: acl API, notify management.
 */
#define ACL_NOTIFY_DEFAULT 0x00000000U
#define ACL_NOTIFY_DEVICE_USE_ONLY 0x00000001U

/**
 * Flags for sharing a notify between processes.
 * Source: acl API, notify management.
 */
#define ACL_RT_NOTIFY_EXPORT_FLAG_DEFAULT 0x0UL
#define ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION 0x02UL
#define ACL_RT_NOTIFY_IMPORT_FLAG_DEFAULT 0x0UL
#define ACL_RT_NOTIFY_IMPORT_FLAG_ENABLE_PEER_ACCESS 0x02UL

/**
 * Answers of a feature query.
 * Source: acl API, device management.
 */
#define ACL_DEV_FEATURE_SUPPORT 0x00000001
#define ACL_DEV_FEATURE_NOT_SUPPORT 0x00000000

/**
 * Values of ACL_DEV_ATTR_HD_CONNECT_TYPE: how host and device are connected.
 * Source: acl API, device management.
 */
#define ACL_HOST_DEVICE_CONNECT_TYPE_PCIE 0
#define ACL_HOST_DEVICE_CONNECT_TYPE_HCCS 1
#define ACL_HOST_DEVICE_CONNECT_TYPE_UB 2

/**
 * Values of ACL_DEV_ATTR_DEVICE_FORM_FACTOR: how the device is built.
 * Source: acl API, device management.
 */
#define ACL_DEVICE_FORM_FACTOR_POD 0
#define ACL_DEVICE_FORM_FACTOR_A_K 1
#define ACL_DEVICE_FORM_FACTOR_A_X 2
#define ACL_DEVICE_FORM_FACTOR_PCIE_CARD 3

/**
 * Bits that describe the links between two devices.
 * Source: acl API, device management.
 */
#define ACL_RT_DEVS_TOPOLOGY_HCCS 0x01ULL
#define ACL_RT_DEVS_TOPOLOGY_PIX 0x02ULL
#define ACL_RT_DEVS_TOPOLOGY_PIB 0x04ULL
#define ACL_RT_DEVS_TOPOLOGY_PHB 0x08ULL
#define ACL_RT_DEVS_TOPOLOGY_SYS 0x10ULL
#define ACL_RT_DEVS_TOPOLOGY_SIO 0x20ULL
#define ACL_RT_DEVS_TOPOLOGY_HCCS_SW 0x40ULL

/**
 * Flags for sharing device memory between processes.
 * Source: acl API, memory sharing.
 */
#define ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT 0x0UL
#define ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION 0x1UL
#define ACL_RT_IPC_MEM_IMPORT_FLAG_DEFAULT 0x0UL
#define ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS 0x1UL

/**
 * Values of the access link attribute of shared memory.
 * Source: acl API, memory sharing.
 */
#define ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_SIO 0
#define ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_HCCS 1
#define ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_UB_ONE_PORT_PATH 2
#define ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_UB_MULTI_PORT_PATH 3

/**
 * Flags for exporting a physical memory handle.
 * Source: acl API, virtual memory.
 */
#define ACL_RT_VMM_EXPORT_FLAG_DEFAULT 0x0UL
#define ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION 0x1UL

/**
 * Flags for registering host memory.
 * Source: acl API, memory management.
 */
#define ACL_HOST_REG_MAPPED 0x2UL
#define ACL_HOST_REG_IOMEMORY 0x4UL
#define ACL_HOST_REG_READONLY 0x8UL
#define ACL_HOST_REG_PINNED 0x10000000UL

/**
 * Bits that name kinds of memory in an address check.
 * Source: acl API, memory management.
 */
#define ACL_RT_MEM_TYPE_DEV (0X2U)
#define ACL_RT_MEM_TYPE_DVPP (0X8U)
#define ACL_RT_MEM_TYPE_RSVD (0X10U)

/**
 * Default attach flag of managed memory: visible to all streams.
 * Source: acl API, managed memory.
 */
#define ACL_RT_MEM_ATTACH_GLOBAL 0x01U

/**
 * Index of a memory link.
 * Source: acl API, memory sharing.
 */
#define ACL_RT_MEM_LINK_IDX_0 0U
#define ACL_RT_MEM_LINK_IDX_1 1U

/**
 * Array sizes of the memory fault records.
 * Source: acl API, fault reports.
 */
#define MAX_MEM_UCE_INFO_ARRAY_SIZE 128
#define UCE_INFO_RESERVED_SIZE 14
#define ACL_RT_MEM_UCE_INFO_MAX_NUM 20
#define ACL_RT_MAX_RECORD_PA_NUM_PER_DEV 20U

/**
 * Largest number of barriers in aclrtBarrierTaskInfo.
 * Source: acl API, cache operations.
 */
#define ACL_RT_CMO_MAX_BARRIER_NUM 6U

/**
 * Magic words that mark the core type of a kernel binary.
 * Source: acl API, kernel loading.
 */
#define ACL_RT_BINARY_MAGIC_ELF_AICORE 0x43554245U
#define ACL_RT_BINARY_MAGIC_ELF_VECTOR_CORE 0x41415246U
#define ACL_RT_BINARY_MAGIC_ELF_CUBE_CORE 0x41494343U

/**
 * Detail level of a captured graph dump.
 * Source: acl API, graph capture.
 */
#define ACL_MDLRI_DEBUG_JSON_PRINT_SUMMARY 0x0UL
#define ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE 0x1UL

/**
 * Array sizes in aclCANNPackageVersion, in bytes.
 * Source: acl API, version information.
 */
#define ACL_PKG_VERSION_MAX_SIZE 128
#define ACL_PKG_VERSION_PARTS_MAX_SIZE 64

#endif  // INC_EXTERNAL_ACL_ACL_RT_CONSTANTS_H_
