/**
 * @file
 * Operation: one computation of the ATB API. C++ only.
 */
#ifndef ATB_OPERATION_H
#define ATB_OPERATION_H

#include <cstdint>
#include <functional>
#include <string>

#include "atb/context.h"
#include "atb/svector.h"
#include "atb/types.h"

namespace atb {

/**
 * One computation. CreateOperation makes it from a parameter structure, Setup plans it for given
 * shapes, and Execute launches it, any number of times.
 * Source: ATB API, Operation.
 */
class Operation {
 public:
  Operation() = default;
  virtual ~Operation() = default;

  /** Returns the name of the operation. */
  virtual std::string GetName() const = 0;

  /**
   * Computes the descriptions of the outputs from those of the inputs. A check that fails leaves
   * `outTensorDescs` alone.
   */
  virtual Status InferShape(const SVector<TensorDesc>& inTensorDescs,
                            SVector<TensorDesc>& outTensorDescs) const = 0;

  /** Returns the number of inputs. */
  virtual uint32_t GetInputNum() const = 0;

  /** Returns the number of outputs. */
  virtual uint32_t GetOutputNum() const = 0;

  /**
   * Checks the descriptions of all tensors and plans the computation; `workspaceSize` receives the
   * bytes of device memory that Execute needs. Addresses may still be missing.
   */
  virtual Status Setup(const VariantPack& variantPack, uint64_t& workspaceSize,
                       Context* context) = 0;

  /**
   * Launches the computation that Setup planned on a stream of the context, which must be the one
   * of Setup. Takes addresses and sizes from `variantPack`, or those of Setup if it has no tensors;
   * shapes are those of Setup. Tensors and workspace stay the caller's and must hold until the
   * stream has done the work.
   */
  virtual Status Execute(const VariantPack& variantPack, uint8_t* workspace, uint64_t workspaceSize,
                         Context* context) = 0;
};

/**
 * Creates the operation that belongs to a parameter structure, which is copied. DestroyOperation
 * releases it. Exists for the structures of infer_op_params.h; others fail to link.
 * Fails with ERROR_INVALID_PARAM for a null pointer, reserved bytes that are not 0, parameters and
 * products that the operation does not serve, and with ERROR_OUT_OF_HOST_MEMORY; `*operation` then
 * keeps its value.
 * Source: ATB API, Operation.
 */
template <typename OpParam>
ACL_FUNC_VISIBILITY Status CreateOperation(const OpParam& opParam, Operation** operation);

/**
 * Destroys an operation; null is allowed. Always NO_ERROR. Work it has launched goes on.
 * Source: ATB API, Operation.
 */
ACL_FUNC_VISIBILITY Status DestroyOperation(Operation* operation);

/**
 * Sets which of the context's streams an operation uses, 0 at first. Fails with
 * ERROR_INVALID_PARAM for null and for operations of other libraries. Setup and Execute check the
 * id. Source: ATB API, Operation.
 */
ACL_FUNC_VISIBILITY Status SetExecuteStreamId(Operation* operation, uint32_t streamId);

/**
 * Returns which of the context's streams an operation uses; 0 for null and for operations of other
 * libraries.
 * Source: ATB API, Operation.
 */
ACL_FUNC_VISIBILITY uint32_t GetExecuteStreamId(Operation* operation);

}  // namespace atb

#endif  // ATB_OPERATION_H
