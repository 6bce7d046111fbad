// aclDataBuffer: an address with a size. The object owns neither; nothing is checked at creation.
#include "acl/acl_call.h"

using belay::Fault;
using belay::NotAllowed;
using belay::NullPointer;
using belay::Status;
using belay::acl::AclCall;
using belay::acl::AclValue;
using belay::acl::Machine;
using belay::runtime::DataBuffer;
using belay::runtime::DescribeBadHandle;
using belay::runtime::HandleKind;
using belay::runtime::Ref;

namespace {

constexpr const char* kSource = "acl API, data buffers";

Status BadBuffer(const aclDataBuffer* buffer) {
  if (buffer == nullptr) return NullPointer("dataBuffer");
  return NotAllowed(Fault::kInvalidParam, "dataBuffer",
                    DescribeBadHandle(buffer, HandleKind::kDataBuffer), "a live data buffer");
}

template <class Value, class Read>
Value ReadBuffer(const char* function, const aclDataBuffer* buffer, Value refused, Read read) {
  return AclValue<Value>({function, kSource}, refused,
                         [&](Machine& machine, Value& value) -> Status {
                           const Ref<DataBuffer> object = machine.data_buffers().Acquire(buffer);
                           if (!object) return BadBuffer(buffer);
                           value = read(*object);
                           return {};
                         });
}

}  // namespace

aclDataBuffer* aclCreateDataBuffer(void* data, size_t size) {
  return AclValue<aclDataBuffer*>(
      {"aclCreateDataBuffer", kSource}, nullptr,
      [&](Machine& machine, aclDataBuffer*& buffer) -> Status {
        buffer = static_cast<aclDataBuffer*>(machine.data_buffers().Create(data, size).handle());
        return {};
      });
}

aclError aclDestroyDataBuffer(const aclDataBuffer* dataBuffer) {
  return AclCall({"aclDestroyDataBuffer", kSource}, [&](Machine& machine) -> Status {
    return machine.data_buffers().Retire(dataBuffer) ? Status() : BadBuffer(dataBuffer);
  });
}

aclError aclUpdateDataBuffer(aclDataBuffer* dataBuffer, void* data, size_t size) {
  return AclCall({"aclUpdateDataBuffer", kSource}, [&](Machine& machine) -> Status {
    const Ref<DataBuffer> object = machine.data_buffers().Acquire(dataBuffer);
    if (!object) return BadBuffer(dataBuffer);
    object->data.store(data);
    object->size.store(size);
    return {};
  });
}

void* aclGetDataBufferAddr(const aclDataBuffer* dataBuffer) {
  return ReadBuffer<void*>("aclGetDataBufferAddr", dataBuffer, nullptr,
                           [](const DataBuffer& object) { return object.data.load(); });
}

uint32_t aclGetDataBufferSize(const aclDataBuffer* dataBuffer) {
  return ReadBuffer<uint32_t>("aclGetDataBufferSize", dataBuffer, 0, [](const DataBuffer& object) {
    return static_cast<uint32_t>(object.size.load());
  });
}

size_t aclGetDataBufferSizeV2(const aclDataBuffer* dataBuffer) {
  return ReadBuffer<size_t>("aclGetDataBufferSizeV2", dataBuffer, 0,
                            [](const DataBuffer& object) { return object.size.load(); });
}
