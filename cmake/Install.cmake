# What an installed tree holds. It may be moved as a whole: everything finds its neighbours by
# relative paths.
#
#   bin/belay                    include/                public headers
#   set_env.sh                   lib/                    the libraries; lib64 is a link to it
#   share/doc/belay              lib/cmake/Belay, lib/pkgconfig
include(CMakePackageConfigHelpers)

set(belay_faces acl_rt ascendcl nnopbase opapi opapi_nn opapi_math)

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
  set(lib64 "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/lib64")
  if(NOT EXISTS "${lib64}")
    file(CREATE_LINK lib "${lib64}" SYMBOLIC)
  endif()
]])

configure_file(cmake/belay.pc.in belay.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/belay.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

write_basic_package_version_file(${PROJECT_BINARY_DIR}/BelayConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES cmake/BelayConfig.cmake ${PROJECT_BINARY_DIR}/BelayConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Belay)
