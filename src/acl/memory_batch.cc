// Many copies in one call. Their rules live in runtime/copy_batch.cc.
#include <new>
#include <vector>

#include "acl/acl_call.h"
#include "runtime/copy_batch.h"

using belay::Fault;
using belay::NotAllowed;
using belay::NullPointer;
using belay::Status;
using belay::acl::AclCall;
using belay::acl::Machine;
using belay::runtime::BatchAttribute;
using belay::runtime::CopyBatch;
using belay::runtime::kNoEntry;
using belay::runtime::MemoryPlace;

namespace {

constexpr const char* kSource = "acl API, memory management";

struct Arguments {
  void** dsts;
  size_t* destMaxs;
  void** srcs;
  size_t* sizes;
  size_t numBatches;
  aclrtMemcpyBatchAttr* attrs;
  size_t* attrsIndexes;
  size_t numAttrs;
};

Status Check(const Arguments& arguments) {
  if (arguments.dsts == nullptr) return NullPointer("dsts");
  if (arguments.destMaxs == nullptr) return NullPointer("destMaxs");
  if (arguments.srcs == nullptr) return NullPointer("srcs");
  if (arguments.sizes == nullptr) return NullPointer("sizes");
  if (arguments.numBatches == 0) {
    return NotAllowed(Fault::kInvalidParam, "numBatches", 0, "1 and above");
  }
  if (arguments.attrs == nullptr) return NullPointer("attrs");
  if (arguments.attrsIndexes == nullptr) return NullPointer("attrsIndexes");
  if (arguments.numAttrs == 0) {
    return NotAllowed(Fault::kInvalidParam, "numAttrs", 0, "1 and above");
  }
  // More attributes than entries are refused before any is read.
  if (arguments.numAttrs > arguments.numBatches) {
    return belay::Refuse(Fault::kParamInvalid,
                         "numAttrs is {}; allowed up to numBatches, which is {}",
                         arguments.numAttrs, arguments.numBatches);
  }
  return {};
}

MemoryPlace ToPlace(const aclrtMemLocation& location) {
  return {static_cast<int32_t>(location.type), location.id};
}

// Runs `copy(batch, failed)` with the arguments in the runtime's words. `failIndex` is written only
// when the call is refused, which is what it is for.
template <class Copy>
Status RunBatch(const Arguments& arguments, size_t* failIndex, Copy copy) {
  std::size_t failed = kNoEntry;
  const auto run = [&]() -> Status {
    BELAY_RETURN_IF_ERROR(Check(arguments));
    std::vector<BatchAttribute> attributes;
    for (size_t k = 0; k < arguments.numAttrs; ++k) {
      attributes.push_back({arguments.attrsIndexes[k], ToPlace(arguments.attrs[k].dstLoc),
                            ToPlace(arguments.attrs[k].srcLoc)});
    }
    return copy(CopyBatch{arguments.dsts, arguments.destMaxs, arguments.srcs, arguments.sizes,
                          arguments.numBatches, attributes},
                failed);
  };
  Status status;
  try {
    status = run();
  } catch (const std::bad_alloc&) {
    status = belay::Refuse(Fault::kOutOfMemory, "no host memory to look at {} copies",
                           arguments.numBatches);
  }
  if (!status.ok() && failIndex != nullptr) *failIndex = failed;
  return status;
}

Status CopyNow(const char* function, Machine& machine, const Arguments& arguments,
               size_t* failIndex) {
  return RunBatch(arguments, failIndex, [&](const CopyBatch& batch, std::size_t& failed) {
    return belay::runtime::CopyNow(batch, machine.NewCallSite(function), failed);
  });
}

Status CopyInStream(aclrtStream stream, const Arguments& arguments, size_t* failIndex) {
  return RunBatch(arguments, failIndex, [&](const CopyBatch& batch, std::size_t& failed) {
    return belay::runtime::CopyInStream(batch, stream, failed);
  });
}

}  // namespace

aclError aclrtMemcpyBatch(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                          size_t numBatches, aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes,
                          size_t numAttrs, size_t* failIndex) {
  return AclCall({"aclrtMemcpyBatch", kSource}, [&](Machine& machine) -> Status {
    if (failIndex == nullptr) return NullPointer("failIndex");
    return CopyNow("aclrtMemcpyBatch", machine,
                   {dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs},
                   failIndex);
  });
}

aclError aclrtMemcpyBatchV2(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                            size_t numBatches, aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes,
                            size_t numAttrs) {
  return AclCall({"aclrtMemcpyBatchV2", kSource}, [&](Machine& machine) {
    return CopyNow("aclrtMemcpyBatchV2", machine,
                   {dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs},
                   nullptr);
  });
}

aclError aclrtMemcpyBatchAsync(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                               size_t numBatches, aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes,
                               size_t numAttrs, size_t* failIndex, aclrtStream stream) {
  return AclCall({"aclrtMemcpyBatchAsync", kSource}, [&](Machine&) -> Status {
    if (failIndex == nullptr) return NullPointer("failIndex");
    return CopyInStream(stream,
                        {dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs},
                        failIndex);
  });
}

aclError aclrtMemcpyBatchAsyncV2(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                                 size_t numBatches, aclrtMemcpyBatchAttr* attrs,
                                 size_t* attrsIndexes, size_t numAttrs, aclrtStream stream) {
  return AclCall({"aclrtMemcpyBatchAsyncV2", kSource}, [&](Machine&) {
    return CopyInStream(
        stream, {dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs}, nullptr);
  });
}
