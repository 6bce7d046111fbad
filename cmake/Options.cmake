# What every target of this project is compiled and linked with.
add_library(belay_options INTERFACE)
target_compile_options(belay_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Wold-style-cast
  -fno-math-errno -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 sees overlaps in std::string's operator+ that are not there (its bug 105651).
  target_compile_options(belay_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
endif()
# The kernels keep pairs of vectors in structs, which SVE's vectors of unknown length do not allow.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  target_compile_definitions(belay_options INTERFACE
    "HWY_DISABLED_TARGETS=(HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128)")
endif()
# Of the targets with 16-byte vectors one is enough where every access is checked; the other builds
# have both.
if(BELAY_SANITIZE MATCHES address AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_definitions(belay_options INTERFACE HWY_DISABLED_TARGETS=HWY_SSSE3)
endif()
if(BELAY_WERROR)
  target_compile_options(belay_options INTERFACE -Werror)
endif()

# A C program may put any number into an enum of the API, and the API answers with a refusal.
if(BELAY_SANITIZE)
  target_compile_options(belay_options INTERFACE
    -fsanitize=${BELAY_SANITIZE} -fno-sanitize=enum -fno-omit-frame-pointer
    -fno-sanitize-recover=undefined)
  target_link_options(belay_options INTERFACE -fsanitize=${BELAY_SANITIZE})
endif()

# A shared library whose exports are exactly what its version script lists.
function(belay_limit_exports target script)
  target_link_options(${target} PRIVATE
    "LINKER:--version-script=${CMAKE_CURRENT_SOURCE_DIR}/${script}" LINKER:--no-undefined)
  set_target_properties(${target} PROPERTIES LINK_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${script}")
endfunction()
