// Floating-point arithmetic as IEEE 754 has it by default, whatever the calling thread has set:
// rounding to nearest even, subnormals kept, no traps.
#pragma once

#include <cfloat>
#include <cstdint>

#if !defined(__SSE2__) && !defined(__aarch64__)
#include <cfenv>
#endif

namespace belay::kernels {

static_assert(FLT_EVAL_METHOD == 0, "float arithmetic has to be done in float");

/// Holds the default environment while it lives, then puts the thread's own back. Operands have to
/// be loaded, and results stored, within its life: memory accesses do not cross its ends.
class DefaultFloatEnvironment {
 public:
  DefaultFloatEnvironment() noexcept : kept_(Read()) { Write(kDefault); }
  ~DefaultFloatEnvironment() { Write(kept_); }
  DefaultFloatEnvironment(const DefaultFloatEnvironment&) = delete;
  DefaultFloatEnvironment& operator=(const DefaultFloatEnvironment&) = delete;

 private:
#if defined(__SSE2__)
  using Control = std::uint32_t;  // MXCSR: control and flags
  static constexpr Control kDefault = 0x1F80;
  static Control Read() noexcept {
    Control control;
    asm volatile("stmxcsr %0" : "=m"(control) : : "memory");
    return control;
  }
  static void Write(Control control) noexcept {
    asm volatile("ldmxcsr %0" : : "m"(control) : "memory");
  }
#elif defined(__aarch64__)
  using Control = std::uint64_t;  // FPCR
  static constexpr Control kDefault = 0;
  static Control Read() noexcept {
    Control control;
    asm volatile("mrs %0, fpcr" : "=r"(control) : : "memory");
    return control;
  }
  static void Write(Control control) noexcept {
    asm volatile("msr fpcr, %0" : : "r"(control) : "memory");
  }
#else
  struct Control {
    std::fenv_t environment;
    bool is_default = false;
  };
  static constexpr Control kDefault{{}, true};
  static Control Read() noexcept {
    Control control;
    std::fegetenv(&control.environment);
    asm volatile("" : : : "memory");
    return control;
  }
  static void Write(const Control& control) noexcept {
    asm volatile("" : : : "memory");
    std::fesetenv(control.is_default ? FE_DFL_ENV : &control.environment);
    asm volatile("" : : : "memory");
  }
#endif

  Control kept_;
};

}  // namespace belay::kernels
