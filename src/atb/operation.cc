// What all operations share: the end of their life and their stream.
#include "atb/operation.h"

#include "atb/atb_call.h"
#include "atb/library_operation.h"

namespace atb {

using belay::Fault;
using belay::Refuse;
using belay::atb_face::AtbCall;
using belay::atb_face::LibraryOperation;
using belay::atb_face::Machine;

namespace {

constexpr const char* kSource = "ATB API, Operation";

LibraryOperation* Find(Operation* operation) {
  if (!LibraryOperation::Pool().IsAlive(operation)) return nullptr;
  return static_cast<LibraryOperation*>(operation);
}

}  // namespace

Status DestroyOperation(Operation* operation) {
  return AtbCall({"DestroyOperation", kSource}, [&](Machine&) -> belay::Status {
    if (LibraryOperation::Pool().Destroy(operation)) return {};
    if (LibraryOperation::Pool().Owns(operation)) {
      return Refuse(Fault::kInvalidParam, "operation is already destroyed; allowed one destroy");
    }
    delete operation;  // a class of the program's own, or null
    return {};
  });
}

Status SetExecuteStreamId(Operation* operation, uint32_t streamId) {
  return AtbCall({"SetExecuteStreamId", kSource}, [&](Machine&) -> belay::Status {
    LibraryOperation* const found = Find(operation);
    if (found == nullptr) {
      return Refuse(Fault::kInvalidParam,
                    "operation is {}; allowed a live operation of the library",
                    operation == nullptr                       ? "null"
                    : LibraryOperation::Pool().Owns(operation) ? "destroyed"
                                                               : "not of this library");
    }
    found->SetStreamId(streamId);
    return {};
  });
}

uint32_t GetExecuteStreamId(Operation* operation) {
  const LibraryOperation* const found = Find(operation);
  return found == nullptr ? 0 : found->stream_id();
}

}  // namespace atb
