// NumPy in an interpreter within this process. Arrays are views of the case's memory, and each case
// is a Python function made beforehand.
#include <pybind11/embed.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "peers/peer.h"

namespace belay::bench {
namespace {

namespace py = pybind11;

/// NumPy has no bf16; its bits can be moved as those of an integer.
py::dtype DtypeOf(Type type) {
  switch (type) {
    case Type::kFp16:
      return py::dtype("float16");
    case Type::kBf16:
      return py::dtype("uint16");
    case Type::kFp32:
      return py::dtype("float32");
    case Type::kInt32:
      return py::dtype("int32");
    case Type::kInt64:
      return py::dtype("int64");
  }
  return py::dtype("uint8");
}

py::array ArrayOf(const py::dtype& dtype, const Shape& shape, const void* memory) {
  // A base keeps NumPy from copying the memory.
  return py::array(dtype, shape, memory, py::capsule(memory, [](void*) {}));
}

constexpr const char* kFunctions = R"(
import numpy as np

def set_value(dst, src, starts):
    region = dst[tuple(slice(b, b + n) for b, n in zip(starts, src.shape))]
    def call():
        region[...] = src
    return call

def repeat(y, x, multiples):
    unrolled_x = [n for size in x.shape for n in (1, size)]
    unrolled_y = [n for m, size in zip(multiples, x.shape) for n in (m, size)]
    source = np.broadcast_to(x.reshape(unrolled_x), unrolled_y)
    target = y.reshape(unrolled_y)
    def call():
        target[...] = source
    return call

def index_add_rows(var, indices, updates):
    rows = list(zip([var[i] for i in indices], updates))
    def call():
        for row, update in rows:
            row += update
    return call

def index_add_unique(var, indices, updates, axis):
    where = (slice(None),) * axis + (indices,)
    def call():
        var[where] += updates
    return call

def index_add_any(var, indices, updates, axis):
    where = (slice(None),) * axis + (indices,)
    add_at = np.add.at
    def call():
        add_at(var, where, updates)
    return call
)";

class Numpy : public Peer {
 public:
  Numpy() { py::exec(kFunctions, functions_); }

  [[nodiscard]] std::string_view name() const override { return "NumPy"; }

  Call SetValue(const SetValueProblem& problem) override {
    const py::dtype dtype = DtypeOf(problem.type);
    return Make("set_value", ArrayOf(dtype, problem.dst_shape, problem.dst),
                ArrayOf(dtype, problem.src_shape, problem.src), py::cast(problem.starts));
  }

  Call Repeat(const RepeatProblem& problem) override {
    const py::dtype dtype = DtypeOf(problem.type);
    return Make("repeat", ArrayOf(dtype, RepeatedShape(problem), problem.y),
                ArrayOf(dtype, problem.x_shape, problem.x), py::cast(problem.multiples));
  }

  /// Wide rows one by one, which is faster than add.at by far.
  Call IndexAdd(const IndexAddProblem& problem) override {
    if (problem.type != Type::kFp16) return {};
    const py::dtype dtype = DtypeOf(problem.type);
    const py::array var = ArrayOf(dtype, problem.var_shape, problem.var);
    const py::array indices = ArrayOf(py::dtype("int32"), {problem.index_count}, problem.indices);
    const py::array updates = ArrayOf(dtype, UpdatesShape(problem), problem.updates);
    if (problem.unique) return Make("index_add_unique", var, indices, updates, problem.axis);
    constexpr std::int64_t kWide = 64;
    if (problem.axis == 0 && ViewAlong(problem.var_shape, 0).inner >= kWide) {
      return Make("index_add_rows", var, indices, updates);
    }
    return Make("index_add_any", var, indices, updates, problem.axis);
  }

 private:
  template <class... Arguments>
  Call Make(const char* name, Arguments&&... arguments) {
    const py::object function = functions_[name](std::forward<Arguments>(arguments)...);
    return [function] {
      PyObject* result = PyObject_CallNoArgs(function.ptr());
      if (result == nullptr) throw py::error_already_set();
      Py_DECREF(result);
    };
  }

  py::scoped_interpreter interpreter_;
  py::dict functions_;
};

}  // namespace

std::unique_ptr<Peer> MakeNumpy() { return std::make_unique<Numpy>(); }

}  // namespace belay::bench
