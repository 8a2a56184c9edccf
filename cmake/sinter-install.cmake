# What `cmake --install` and `cpack` put where: headers, the package for CMake, and the files for pkg-config. There is
# nothing to build, so nothing is built for it.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)

install(DIRECTORY include/sinter TYPE INCLUDE)
install(FILES LICENSE RENAME copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libsinter-dev)

set(package_directory ${CMAKE_INSTALL_DATADIR}/cmake/sinter)
install(TARGETS sinter_headers EXPORT sinter-targets)
install(EXPORT sinter-targets NAMESPACE sinter:: DESTINATION ${package_directory})
configure_package_config_file(
  cmake/sinter-config.cmake.in sinter-config.cmake
  INSTALL_DESTINATION ${package_directory}
  NO_SET_AND_CHECK_MACRO
  NO_CHECK_REQUIRED_COMPONENTS_MACRO
)
write_basic_package_version_file(sinter-config-version.cmake COMPATIBILITY SameMajorVersion ARCH_INDEPENDENT)
install(
  FILES
    ${PROJECT_BINARY_DIR}/sinter-config.cmake
    ${PROJECT_BINARY_DIR}/sinter-config-version.cmake
    cmake/sinter-dependencies.cmake
    cmake/sinter-shaders.cmake
    cmake/sinter-shaders.cpp
  DESTINATION ${package_directory}
)

# The files for pkg-config name no place of this machine, so the installed tree can be moved.
set(pkgconfig_directory ${CMAKE_INSTALL_DATADIR}/pkgconfig)
file(RELATIVE_PATH from_pkgconfig_to_prefix /${pkgconfig_directory} /)
string(REGEX REPLACE "/$" "" from_pkgconfig_to_prefix ${from_pkgconfig_to_prefix})
foreach(name IN ITEMS sinter sinter-d3d12)
  configure_file(cmake/${name}.pc.in ${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${pkgconfig_directory})
endforeach()

# `cpack` in the build directory makes libsinter-dev_VERSION_all.deb. The dependencies are recommendations: a release
# of Debian may have an older Highway, and a program may bring its own.
if(PROJECT_IS_TOP_LEVEL)
  set(CPACK_GENERATOR DEB)
  set(CPACK_PACKAGE_NAME libsinter-dev)
  set(CPACK_PACKAGE_CONTACT "The sinter contributors")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE all)
  set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libhwy-dev (>= 1.2)")
  set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libxsimd-dev, directx-headers-dev")
  include(CPack)
endif()
