# The package as its users get it: every way to one small program outside of the tree. No download is possible.

set(package_root ${CMAKE_BINARY_DIR}/package)
set(
  finds_highway
  -DFETCHCONTENT_FULLY_DISCONNECTED=ON -DCMAKE_CXX_FLAGS=-O0 -DSINTER_HIGHWAY_INCLUDE_DIR=${SINTER_HIGHWAY_INCLUDE_DIR}
)
set(finds_directx -DSINTER_DIRECTX_INCLUDE_DIR=${SINTER_DIRECTX_INCLUDE_DIR})

# The consumer, configured with the given options, built and run.
function(sinter_add_consumer_test name)
  add_test(
    NAME package.${name}
    COMMAND
      ${CMAKE_CTEST_COMMAND} --build-and-test ${CMAKE_CURRENT_SOURCE_DIR}/package ${package_root}/${name}
      --build-generator ${CMAKE_GENERATOR} --build-options ${finds_highway} ${ARGN}
      --test-command consumer
  )
endfunction()

# The consumer must be refused by CMake, in a configuration of its own, with the given words.
function(sinter_add_refused_consumer_test name words)
  add_test(
    NAME package.${name}
    COMMAND
      ${CMAKE_COMMAND} --fresh -S ${CMAKE_CURRENT_SOURCE_DIR}/package -B ${package_root}/${name} -G ${CMAKE_GENERATOR}
      -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF ${ARGN}
  )
  set_tests_properties(package.${name} PROPERTIES PASS_REGULAR_EXPRESSION "${words}")
endfunction()

# Installed, then moved: what is found must not remember where it was.
set(prefix ${package_root}/moved)
add_test(
  NAME package.install
  COMMAND
    sh -ec "rm -rf ${prefix}; ${CMAKE_COMMAND} --install ${CMAKE_BINARY_DIR} --prefix ${prefix}.first
      mv ${prefix}.first ${prefix}"
)
set_tests_properties(package.install PROPERTIES FIXTURES_SETUP installed)
set(installed -DSINTER_BY=find_package -DSINTER_VERSION=${PROJECT_VERSION} -DCMAKE_PREFIX_PATH=${prefix})
sinter_add_consumer_test(find_package ${installed})
sinter_add_consumer_test(find_components ${installed} ${finds_directx} "-DSINTER_COMPONENTS=cpu$<SEMICOLON>d3d12")
sinter_add_refused_consumer_test(no_highway "needs the headers of Highway.*SINTER_FETCH_DEPENDENCIES" ${installed})
sinter_add_refused_consumer_test(
  no_directx "needs DirectX-Headers" ${installed} ${finds_highway} -DSINTER_COMPONENTS=d3d12
)
sinter_add_refused_consumer_test(
  no_component "no component gpu" ${installed} ${finds_highway} -DSINTER_COMPONENTS=gpu
)
math(EXPR next_major "${PROJECT_VERSION_MAJOR} + 1")
sinter_add_refused_consumer_test(
  next_major "requested version" ${installed} ${finds_highway} -DSINTER_VERSION=${next_major}
)

# As sources.
set(sources ${PROJECT_SOURCE_DIR})
sinter_add_consumer_test(add_subdirectory -DSINTER_BY=add_subdirectory -DSINTER_SOURCE_DIR=${sources})
sinter_add_consumer_test(fetch_content -DSINTER_BY=FetchContent -DFETCHCONTENT_SOURCE_DIR_SINTER=${sources})
# Highway, where the machine has none and the user allows the download; here it has happened already.
sinter_add_consumer_test(
  fetch_dependencies
  -DSINTER_BY=add_subdirectory -DSINTER_SOURCE_DIR=${sources} -DSINTER_FETCH_DEPENDENCIES=ON
  -DSINTER_HIGHWAY_INCLUDE_DIR=NOTFOUND -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF
  -DFETCHCONTENT_SOURCE_DIR_HIGHWAY=${SINTER_HIGHWAY_INCLUDE_DIR}
)

# A build for another system compiles kernels by a program of this one.
if(SINTER_TEST_WINDOWS)
  set(cross ${package_root}/cross)
  add_test(
    NAME package.cross
    COMMAND
      sh -ec "${CMAKE_COMMAND} -S ${CMAKE_CURRENT_SOURCE_DIR}/package -B ${cross} -G Ninja \
        -D SINTER_BY=add_subdirectory -D SINTER_COMPONENTS=d3d12 \
        -D CMAKE_TOOLCHAIN_FILE=${sources}/cmake/mingw-w64.cmake -D SINTER_SOURCE_DIR=${sources} \
        -D SINTER_HIGHWAY_INCLUDE_DIR=${SINTER_HIGHWAY_INCLUDE_DIR} ${finds_directx}
        ${CMAKE_COMMAND} --build ${cross} --target consumer_shaders/shaders/shaders.hpp
        cd ${cross}/consumer_shaders/shaders; test -s chain_packed.hlsl; grep 'namespace shaders' shaders.hpp"
  )
endif()

# By pkg-config, with files for the dependencies as their own packages have them.
find_program(SINTER_TEST_PKG_CONFIG NAMES pkg-config pkgconf REQUIRED)
function(sinter_write_pkgconfig_file name version directories)
  list(TRANSFORM directories PREPEND -I)
  list(JOIN directories " " flags)
  file(
    CONFIGURE
    OUTPUT ${package_root}/pkgconfig/${name}.pc
    CONTENT "Name: ${name}\nDescription: headers\nVersion: ${version}\nCflags: ${flags}\n"
  )
endfunction()
sinter_write_pkgconfig_file(libhwy 1.2.0 ${SINTER_HIGHWAY_INCLUDE_DIR})
sinter_write_pkgconfig_file(
  DirectX-Headers 1.614.0 "${SINTER_DIRECTX_INCLUDE_DIR};${SINTER_DIRECTX_INCLUDE_DIR}/wsl/stubs"
)
function(sinter_add_pkgconfig_test name from)
  set(consumers ${CMAKE_CURRENT_SOURCE_DIR}/package/consumer.cpp ${CMAKE_CURRENT_SOURCE_DIR}/package/consumer_d3d12.cpp)
  list(JOIN consumers " " consumers)
  add_test(
    NAME package.${name}
    COMMAND
      sh -ec "export PKG_CONFIG_PATH=${from}/share/pkgconfig:${package_root}/pkgconfig
        ${SINTER_TEST_GCC} -std=c++20 -O0 ${consumers} -o ${package_root}/${name} \
          $(${SINTER_TEST_PKG_CONFIG} --cflags --libs sinter-d3d12)
        ${package_root}/${name}"
  )
endfunction()
sinter_add_pkgconfig_test(pkg_config ${prefix})

# As a package for Debian: what is in it is what the consumers above had.
find_program(SINTER_TEST_DPKG_DEB dpkg-deb)
if(SINTER_TEST_DPKG_DEB)
  set(deb ${package_root}/libsinter-dev_${PROJECT_VERSION}_all.deb)
  add_test(
    NAME package.deb
    COMMAND
      sh -ec "${CMAKE_CPACK_COMMAND} --config ${CMAKE_BINARY_DIR}/CPackConfig.cmake -B ${package_root}
        rm -rf ${package_root}/unpacked
        dpkg-deb --info ${deb}
        dpkg-deb --extract ${deb} ${package_root}/unpacked
        diff -r ${prefix} ${package_root}/unpacked/usr"
  )
  set_tests_properties(package.deb PROPERTIES FIXTURES_REQUIRED installed)
endif()

foreach(
  test IN ITEMS find_package find_components no_highway no_directx no_component next_major pkg_config
)
  set_tests_properties(package.${test} PROPERTIES FIXTURES_REQUIRED installed)
endforeach()
