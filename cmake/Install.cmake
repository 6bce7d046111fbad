# What an installed tree holds. It may be moved as a whole: everything finds its neighbours by
# relative paths.
#
#   bin/belay                    include/                public headers
#   set_env.sh                   lib/                    the libraries; lib64 is a link to it
#   share/doc/belay              lib/cmake/Belay, lib/pkgconfig
#   atb/cxx_abi_1/{include,lib}  where ATB programs look; links to the above
include(CMakePackageConfigHelpers)

set(belay_faces acl_rt ascendcl nnopbase opapi opapi_nn opapi_math atb)

# The linker and the loader find the private core beside the library that needs it. As RUNPATH, so
# that LD_LIBRARY_PATH still has the last word.
foreach(target IN LISTS belay_faces ITEMS belay_core)
  target_link_options(${target} PRIVATE LINKER:--enable-new-dtags)
endforeach()

install(TARGETS belay_core ${belay_faces} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS belay RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(PROGRAMS cmake/set_env.sh DESTINATION .)
install(FILES LICENSE README.md DESTINATION share/doc/belay)
install(DIRECTORY docs/ DESTINATION share/doc/belay/docs)

install(CODE [[
  set(root "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
  file(MAKE_DIRECTORY "${root}/atb/cxx_abi_1")
  foreach(link IN ITEMS "lib64>lib" "atb/set_env.sh>../set_env.sh"
          "atb/cxx_abi_1/include>../../include" "atb/cxx_abi_1/lib>../../lib")
    string(REPLACE ">" ";" link "${link}")
    list(GET link 0 name)
    list(GET link 1 target)
    if(NOT EXISTS "${root}/${name}")
      file(CREATE_LINK "${target}" "${root}/${name}" SYMBOLIC)
    endif()
  endforeach()
]])

foreach(module IN ITEMS belay belay-atb)
  configure_file(cmake/${module}.pc.in ${module}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${module}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

write_basic_package_version_file(${PROJECT_BINARY_DIR}/BelayConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES cmake/BelayConfig.cmake ${PROJECT_BINARY_DIR}/BelayConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Belay)
