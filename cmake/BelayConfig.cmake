# Belay's libraries as imported targets: Belay::ascendcl, Belay::acl_rt, Belay::nnopbase,
# Belay::opapi, Belay::opapi_nn, Belay::opapi_math, Belay::atb. They need no other package.
get_filename_component(_belay_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

foreach(_belay_name IN ITEMS ascendcl acl_rt nnopbase opapi opapi_nn opapi_math atb)
  if(NOT TARGET Belay::${_belay_name})
    set(_belay_library "${_belay_prefix}/lib/lib${_belay_name}.so")
    if(NOT EXISTS "${_belay_library}")
      set(Belay_FOUND FALSE)
      set(Belay_NOT_FOUND_MESSAGE "${_belay_library} is missing")
      return()
    endif()
    add_library(Belay::${_belay_name} SHARED IMPORTED)
    set_target_properties(Belay::${_belay_name} PROPERTIES
      IMPORTED_LOCATION "${_belay_library}"
      IMPORTED_SONAME "lib${_belay_name}.so"
      INTERFACE_INCLUDE_DIRECTORIES "${_belay_prefix}/include;${_belay_prefix}/include/aclnn")
  endif()
endforeach()

unset(_belay_library)
unset(_belay_name)
unset(_belay_prefix)
