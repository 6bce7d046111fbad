// Checks the enumerations of acl_base.h.
// The expected values stand here in full; nothing is computed from the headers.

#include <gtest/gtest.h>

#include "abi_check.h"
#include "acl/acl_base.h"

namespace {

// enum aclDataType
constexpr Value kDataType[] = {
    ABI_ENUM(aclDataType, ACL_DT_UNDEFINED, -1),  ABI_ENUM(aclDataType, ACL_FLOAT, 0),
    ABI_ENUM(aclDataType, ACL_FLOAT16, 1),        ABI_ENUM(aclDataType, ACL_INT8, 2),
    ABI_ENUM(aclDataType, ACL_INT32, 3),          ABI_ENUM(aclDataType, ACL_UINT8, 4),
    ABI_ENUM(aclDataType, ACL_INT16, 6),          ABI_ENUM(aclDataType, ACL_UINT16, 7),
    ABI_ENUM(aclDataType, ACL_UINT32, 8),         ABI_ENUM(aclDataType, ACL_INT64, 9),
    ABI_ENUM(aclDataType, ACL_UINT64, 10),        ABI_ENUM(aclDataType, ACL_DOUBLE, 11),
    ABI_ENUM(aclDataType, ACL_BOOL, 12),          ABI_ENUM(aclDataType, ACL_STRING, 13),
    ABI_ENUM(aclDataType, ACL_COMPLEX64, 16),     ABI_ENUM(aclDataType, ACL_COMPLEX128, 17),
    ABI_ENUM(aclDataType, ACL_BF16, 27),          ABI_ENUM(aclDataType, ACL_INT4, 29),
    ABI_ENUM(aclDataType, ACL_UINT1, 30),         ABI_ENUM(aclDataType, ACL_COMPLEX32, 33),
    ABI_ENUM(aclDataType, ACL_HIFLOAT8, 34),      ABI_ENUM(aclDataType, ACL_FLOAT8_E5M2, 35),
    ABI_ENUM(aclDataType, ACL_FLOAT8_E4M3FN, 36), ABI_ENUM(aclDataType, ACL_FLOAT8_E8M0, 37),
    ABI_ENUM(aclDataType, ACL_FLOAT6_E3M2, 38),   ABI_ENUM(aclDataType, ACL_FLOAT6_E2M3, 39),
    ABI_ENUM(aclDataType, ACL_FLOAT4_E2M1, 40),   ABI_ENUM(aclDataType, ACL_FLOAT4_E1M2, 41),
};
static_assert(AllMatch(kDataType), "DataType");
TEST(AbiConstants, DataType) { ExpectAllMatch(kDataType); }

// enum aclFormat
constexpr Value kFormat[] = {
    ABI_ENUM(aclFormat, ACL_FORMAT_UNDEFINED, -1),
    ABI_ENUM(aclFormat, ACL_FORMAT_NCHW, 0),
    ABI_ENUM(aclFormat, ACL_FORMAT_NHWC, 1),
    ABI_ENUM(aclFormat, ACL_FORMAT_ND, 2),
    ABI_ENUM(aclFormat, ACL_FORMAT_NC1HWC0, 3),
    ABI_ENUM(aclFormat, ACL_FORMAT_FRACTAL_Z, 4),
    ABI_ENUM(aclFormat, ACL_FORMAT_NC1HWC0_C04, 12),
    ABI_ENUM(aclFormat, ACL_FORMAT_HWCN, 16),
    ABI_ENUM(aclFormat, ACL_FORMAT_NDHWC, 27),
    ABI_ENUM(aclFormat, ACL_FORMAT_FRACTAL_NZ, 29),
    ABI_ENUM(aclFormat, ACL_FORMAT_NCDHW, 30),
    ABI_ENUM(aclFormat, ACL_FORMAT_NDC1HWC0, 32),
    ABI_ENUM(aclFormat, ACL_FRACTAL_Z_3D, 33),
    ABI_ENUM(aclFormat, ACL_FORMAT_NC, 35),
    ABI_ENUM(aclFormat, ACL_FORMAT_NCL, 47),
    ABI_ENUM(aclFormat, ACL_FORMAT_FRACTAL_NZ_C0_16, 50),
    ABI_ENUM(aclFormat, ACL_FORMAT_FRACTAL_NZ_C0_32, 51),
    ABI_ENUM(aclFormat, ACL_FORMAT_FRACTAL_NZ_C0_2, 52),
    ABI_ENUM(aclFormat, ACL_FORMAT_FRACTAL_NZ_C0_4, 53),
    ABI_ENUM(aclFormat, ACL_FORMAT_FRACTAL_NZ_C0_8, 54),
};
static_assert(AllMatch(kFormat), "Format");
TEST(AbiConstants, Format) { ExpectAllMatch(kFormat); }

// enum aclLogLevel
constexpr Value kLogLevel[] = {
    ABI_ENUM(aclLogLevel, ACL_DEBUG, 0),
    ABI_ENUM(aclLogLevel, ACL_INFO, 1),
    ABI_ENUM(aclLogLevel, ACL_WARNING, 2),
    ABI_ENUM(aclLogLevel, ACL_ERROR, 3),
};
static_assert(AllMatch(kLogLevel), "LogLevel");
TEST(AbiConstants, LogLevel) { ExpectAllMatch(kLogLevel); }

// enum aclMemType
constexpr Value kMemType[] = {
    ABI_ENUM(aclMemType, ACL_MEMTYPE_DEVICE, 0),
    ABI_ENUM(aclMemType, ACL_MEMTYPE_HOST, 1),
    ABI_ENUM(aclMemType, ACL_MEMTYPE_HOST_COMPILE_INDEPENDENT, 2),
};
static_assert(AllMatch(kMemType), "MemType");
TEST(AbiConstants, MemType) { ExpectAllMatch(kMemType); }

// enum aclSysParamOpt
ABI_BEGIN_DEPRECATED
constexpr Value kSysParamOpt[] = {
    ABI_ENUM(aclSysParamOpt, ACL_OPT_DETERMINISTIC, 0),
    ABI_ENUM(aclSysParamOpt, ACL_OPT_ENABLE_DEBUG_KERNEL, 1),
    ABI_ENUM(aclSysParamOpt, ACL_OPT_STRONG_CONSISTENCY, 2),
    ABI_ENUM(aclSysParamOpt, ACL_OPT_ENABLE_KERNEL_EARLY_START, 3),
};
ABI_END_DEPRECATED
static_assert(AllMatch(kSysParamOpt), "SysParamOpt");
TEST(AbiConstants, SysParamOpt) { ExpectAllMatch(kSysParamOpt); }

// enum aclCannAttr
constexpr Value kCannAttr[] = {
    ABI_ENUM(aclCannAttr, ACL_CANN_ATTR_UNDEFINED, -1),
    ABI_ENUM(aclCannAttr, ACL_CANN_ATTR_INF_NAN, 0),
    ABI_ENUM(aclCannAttr, ACL_CANN_ATTR_BF16, 1),
    ABI_ENUM(aclCannAttr, ACL_CANN_ATTR_JIT_COMPILE, 2),
};
static_assert(AllMatch(kCannAttr), "CannAttr");
TEST(AbiConstants, CannAttr) { ExpectAllMatch(kCannAttr); }

// enum aclDeviceInfo
constexpr Value kDeviceInfo[] = {
    ABI_ENUM(aclDeviceInfo, ACL_DEVICE_INFO_UNDEFINED, -1),
    ABI_ENUM(aclDeviceInfo, ACL_DEVICE_INFO_AI_CORE_NUM, 0),
    ABI_ENUM(aclDeviceInfo, ACL_DEVICE_INFO_VECTOR_CORE_NUM, 1),
    ABI_ENUM(aclDeviceInfo, ACL_DEVICE_INFO_L2_SIZE, 2),
};
static_assert(AllMatch(kDeviceInfo), "DeviceInfo");
TEST(AbiConstants, DeviceInfo) { ExpectAllMatch(kDeviceInfo); }

}  // namespace
