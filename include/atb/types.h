/**
 * @file
 * Basic types of the ATB API: results, tensors and their descriptions. C++ only.
 */
#ifndef ATB_TYPES_H
#define ATB_TYPES_H

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "atb/svector.h"

#if defined(_GLIBCXX_USE_CXX11_ABI) && _GLIBCXX_USE_CXX11_ABI == 0
#error "libatb.so returns strings of the new libstdc++ ABI: build with _GLIBCXX_USE_CXX11_ABI=1"
#endif

namespace atb {

class Operation;

/**
 * Result of the ATB functions: NO_ERROR or another value of ErrorType.
 * Source: ATB API, types.
 */
using Status = int32_t;

/**
 * The largest number of dimensions of a tensor.
 * Source: ATB API, types.
 */
constexpr uint32_t MAX_DIM = 8;

/**
 * Values of Status.
 *   ERROR_INVALID_IN_TENSOR_NUM  wrong number of inputs or, at Setup, of outputs
 *   ERROR_INVALID_TENSOR_DIM     shape that the operation does not allow
 *   ERROR_INVALID_TENSOR_DIM_NUM  numbers of dimensions that do not fit each other
 *   ERROR_INVALID_TENSOR_SIZE    dimension below 1, or more than 256 GiB
 *   ERROR_INVALID_TENSOR_INI_MATCH  data types and formats that the operation does not serve
 *   ERROR_INVALID_TENSOR_DTYPE   data type that the product does not serve
 *   ERROR_INVALID_TENSOR_ADDR    address that is no device memory of sufficient size
 *   ERROR_INVALID_PARAM          any other argument or order of calls
 * The codes of graphs and communication belong to parts that are not served. No function returns
 * ERROR_INVALID_STREAM or the ERROR_INVALID_WORKSPACE codes: bad streams and workspaces are
 * ERROR_INVALID_PARAM.
 * Source: ATB API, types.
 */
enum ErrorType : int {
  NO_ERROR = 0,
  ERROR_INVALID_PARAM = 1,
  ERROR_INVALID_GRAPH = 2,
  ERROR_INTERNAL_ERROR = 3,
  ERROR_RT_FAIL = 4,
  ERROR_INVALID_IN_TENSOR_NUM = 5,
  ERROR_INVALID_TENSOR_DTYPE = 6,
  ERROR_INVALID_TENSOR_FORMAT = 7,
  ERROR_INVALID_TENSOR_DIM = 8,
  ERROR_INVALID_TENSOR_SIZE = 9,
  ERROR_OPERATION_NULL_RUNNER = 10,
  ERROR_GRAPH_INFERSHAPE_FUNC_FAIL = 11,
  ERROR_CANN_ERROR = 12,
  ERROR_INVALID_TENSOR_INI_MATCH = 13,
  ERROR_INVALID_TENSOR_ADDR = 14,
  ERROR_INVALID_TENSOR_NUM = 15,
  ERROR_INVALID_TENSOR_DIM_NUM = 16,
  ERROR_INVALID_SINGLE_OPERATION_PARAM = 17,
  ERROR_GRAPH_NODE_RESHAPE_FUNC_FAIL = 18,
  ERROR_INVALID_GRAPH_NODE_CHUNK = 19,
  ERROR_INVALID_CONTEXT_ADDR = 20,
  ERROR_INVALID_STREAM = 21,
  ERROR_INVALID_WORKSPACE_SIZE = 22,
  ERROR_INVALID_WORKSPACE_ADDR = 23,
  ERROR_INVALID_OPERATION_ADDR = 24,
  ERROR_HCCL_FAIL = 25,
  ERROR_OUT_OF_DEVICE_MEMORY = 26,
  ERROR_OUT_OF_HOST_MEMORY = 27,
  ERROR_COMM_EMPTY = 28,
  ERROR_COPY_HOST_MEMORY_FAIL = 29,
};

/**
 * Levels of Utils::SetLogLevel: messages of the level and of those after it are shown, with NONE no
 * message at all.
 * Source: ATB API, logging.
 */
enum class LogLevel : int {
  DEBUG = 0,
  INFO = 1,
  WARN = 2,
  ERROR = 3,
  NONE = 4,
};

/**
 * Shape of a tensor: its first dimNum dimensions, of at most MAX_DIM.
 * Source: ATB API, types.
 */
struct Dims {
  int64_t dims[MAX_DIM];
  uint64_t dimNum = 0;
};

/**
 * Data type, format and shape of a tensor.
 * Source: ATB API, types.
 */
struct TensorDesc {
  aclDataType dtype = ACL_DT_UNDEFINED;
  aclFormat format = ACL_FORMAT_UNDEFINED;
  Dims shape;
};

/**
 * A tensor: its description, the address of its elements and their size in bytes. The caller owns
 * the memory. deviceData is device memory; operations take no hostData in its place.
 * Source: ATB API, types.
 */
struct Tensor {
  TensorDesc desc;
  void* deviceData = nullptr;
  void* hostData = nullptr;
  uint64_t dataSize = 0;
};

/**
 * The tensors of an operation, in its order.
 * Source: ATB API, types.
 */
struct VariantPack {
  SVector<Tensor> inTensors;
  SVector<Tensor> outTensors;
};

}  // namespace atb

#endif  // ATB_TYPES_H
