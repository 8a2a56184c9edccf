# The configurations that one `ctest` run covers. The long ones stand first, which keeps all cores busy to the end.

set(computing unit,conformance,product)
string(REPLACE "static," "" running_folders ${all_folders}) # what static/ has to say, it says when it is compiled
set(
  sanitizers
  # What the second list leaves out the address sanitizer sees, too, and it takes a third of the time to compile.
  -fsanitize=address,undefined,float-cast-overflow -fno-sanitize=null,object-size,vptr
  -fno-sanitize-recover=all -gline-tables-only -D_GLIBCXX_ASSERTIONS
)

find_program(SINTER_TEST_GCC NAMES g++ REQUIRED)
find_program(SINTER_TEST_CLANG NAMES clang++-19 REQUIRED)
set(SINTER_TEST_NEXT_HIGHWAY "" CACHE PATH "A prefix with the headers of a newer Highway")
set(SINTER_TEST_NEXT_XSIMD "" CACHE PATH "A prefix with the headers of a newer xsimd")
set(SINTER_TEST_OLDEST_XSIMD "" CACHE PATH "A prefix with the headers of the oldest xsimd that will do")

# sinter_add_configuration(NAME COMPILER FLAGS FOLDERS
#                          [WINDOWS] [ONLY REGULAR_EXPRESSION] [ALSO_BUILD TARGET...] [OPTIONS CMAKE_ARGUMENT...]
#                          [LAUNCHER COMMAND...] [ENVIRONMENT NAME=VALUE...])
# ONLY takes the programs whose names match. WINDOWS: programs for Windows, started through Wine. LAUNCHER is what
# starts programs in place of the usual one.
# The tests NAME.build.* share one build directory, which only one of them may use at a time.
function(sinter_add_configuration name compiler flags folders)
  cmake_parse_arguments(PARSE_ARGV 4 configuration "WINDOWS" "ONLY" "ALSO_BUILD;OPTIONS;LAUNCHER;ENVIRONMENT")
  if(configuration_LAUNCHER)
    set(SINTER_TEST_LAUNCHER ${configuration_LAUNCHER})
  endif()
  list(APPEND test_environment ${configuration_ENVIRONMENT})
  set(directory ${CMAKE_BINARY_DIR}/${name})
  list(JOIN flags " " flags)
  set(suffix "")
  if(configuration_WINDOWS)
    set(WIN32 ON)
    set(SINTER_TEST_LAUNCHER ${SINTER_TEST_WINE})
    set(suffix .exe)
    list(
      APPEND configuration_OPTIONS
      -D CMAKE_TOOLCHAIN_FILE=${PROJECT_SOURCE_DIR}/cmake/mingw-w64.cmake
      -D SINTER_DOCTEST_INCLUDE_DIR=${SINTER_DOCTEST_INCLUDE_DIR}
    )
  endif()
  add_test(
    NAME ${name}.configure
    COMMAND
      ${CMAKE_COMMAND} -S ${PROJECT_SOURCE_DIR} -B ${directory} -G ${CMAKE_GENERATOR}
      -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_BUILD_TYPE= "-DCMAKE_CXX_FLAGS=${flags}"
      "-DCMAKE_PREFIX_PATH=${CMAKE_PREFIX_PATH}" -D SINTER_TEST_FOLDERS=${folders}
      -D SINTER_BUILD_TESTS=ON -D SINTER_BUILD_EXAMPLES=OFF -D SINTER_BUILD_BENCH=OFF ${configuration_OPTIONS}
  )
  set_tests_properties(${name}.configure PROPERTIES FIXTURES_SETUP ${name}.configured RESOURCE_LOCK ${name})

  sinter_list_programs(programs "${folders}")
  if(configuration_ONLY)
    list(FILTER programs INCLUDE REGEX "${configuration_ONLY}")
  endif()
  foreach(target IN LISTS programs configuration_ALSO_BUILD)
    set(test ${name}.build.${target})
    add_test(NAME ${test} COMMAND ${CMAKE_COMMAND} --build ${directory} --target ${target} -j 1)
    set_tests_properties(
      ${test}
      PROPERTIES
        FIXTURES_REQUIRED ${name}.configured
        FIXTURES_SETUP ${name}.${target}
        RESOURCE_LOCK ${name}
        TIMEOUT 1800
    )
  endforeach()
  foreach(program IN LISTS programs)
    sinter_list_arguments(arguments ${program} "${configuration_OPTIONS}")
    sinter_add_program_test(${name}.${program} ${directory}/tests/${program}${suffix} ${arguments})
    set_tests_properties(${name}.${program} PROPERTIES FIXTURES_REQUIRED ${name}.${program})
  endforeach()
endfunction()

# How much of the product of operators and types a configuration compiles, see product/product.hpp. One half is gcc's,
# the other clang's, and of what multiplies gcc-fma's; without that one gcc has it all.
file(READ /proc/cpuinfo processor)
set(half -DSINTER_TEST_SHARE=2)
set(other_half ${half} -DSINTER_TEST_PART=1)
set(third -DSINTER_TEST_SHARE=3 -DSINTER_TEST_D3D12_SHARE=3)
set(gcc_product)
if(processor MATCHES " fma ")
  set(gcc_product ${half})
endif()

sinter_add_configuration(
  sanitize ${SINTER_TEST_CLANG} "-O1;${third};${sanitizers}" ${running_folders},product_d3d12,fuzz
  OPTIONS -D SINTER_TEST_LIBFUZZER=ON -D SINTER_TEST_FEW_KERNELS=ON
)
sinter_add_configuration(
  gcc ${SINTER_TEST_GCC} "-O2;${gcc_product}" ${all_folders},product_d3d12,threads,soak,docs
  ALSO_BUILD headers
)
# What examples print depends on no target, and of the benchmark it is the building that is tested: kernels for one
# target take half the time.
sinter_add_configuration(
  examples ${SINTER_TEST_GCC} "-O1;-DHWY_COMPILE_ONLY_STATIC" ""
  ALSO_BUILD examples sinter_bench
  OPTIONS -D SINTER_BUILD_EXAMPLES=ON -D SINTER_BUILD_BENCH=ON
)
sinter_add_example_tests(examples. examples ${CMAKE_BINARY_DIR}/examples/examples examples.examples)
# For editors and clang-tidy, without being asked for.
add_test(
  NAME examples.compile_commands COMMAND ${CMAKE_COMMAND} -E cat ${CMAKE_BINARY_DIR}/examples/compile_commands.json
)
set_tests_properties(
  examples.compile_commands PROPERTIES FIXTURES_REQUIRED examples.configured PASS_REGULAR_EXPRESSION "first_chain.cpp"
)
# -O1: the sanitizer watches memory accesses, and more optimisation leaves fewer of them.
sinter_add_configuration(
  thread ${SINTER_TEST_CLANG} "-O1;-gline-tables-only;-fsanitize=thread" threads OPTIONS -D SINTER_TEST_FEW_KERNELS=ON
)
# What does not depend on the optimiser runs with clang under the sanitizers alone. The product on what multiplies is
# left to clang-fma, which may do more of what it must not.
set(optimised "unit.(expressions|float16|known_faults|numbers|tensor|tiles)|product.(cast|comparisons|logic)")
sinter_add_configuration(
  clang ${SINTER_TEST_CLANG} "-O2;${other_half}" ${computing},static,odr
  ONLY "static|odr|conformance|${optimised}"
  ALSO_BUILD headers_together
)

# Programs for Windows, made by mingw-w64 and run by Wine: d3d12.dll with Microsoft's own compilers. What depends on
# neither is left to the configurations above.
option(SINTER_TEST_WINDOWS "Test programs for Windows, with mingw-w64 and Wine" OFF)
if(SINTER_TEST_WINDOWS)
  find_program(SINTER_TEST_MINGW NAMES x86_64-w64-mingw32-g++-posix REQUIRED)
  find_program(SINTER_TEST_WINE NAMES wine64 HINTS /usr/lib/wine REQUIRED)
  find_path(SINTER_DOCTEST_INCLUDE_DIR doctest/doctest.h REQUIRED)
  sinter_add_configuration(
    windows ${SINTER_TEST_MINGW} "-O2;-DSINTER_TEST_D3D12_SHARE=4" product_d3d12,d3d12,hlsl,conformance,unit,static
    WINDOWS
    ONLY "product|d3d12|hlsl.geometry|conformance|unit.(numbers|tensor|targets|views)|static.types"
  )
endif()

# Both compilers may fuse a multiplication and an addition here, and must not.
if(processor MATCHES " fma ")
  set(fusing -mfma -ffp-contract=fast)
  set(multiplying "conformance|product.(arithmetic|directml_operators|map)|unit.numbers")
  sinter_add_configuration(
    gcc-fma ${SINTER_TEST_GCC} "-O2;${fusing};${other_half}" ${computing} ONLY ${multiplying}
  )
  sinter_add_configuration(
    clang-fma ${SINTER_TEST_CLANG} "-O2;${fusing};${half}" ${computing} ONLY ${multiplying}
  )
else()
  message(STATUS "This processor has no FMA: the configurations with -mfma are left out")
endif()

# Smoke tests: the other standard library, for which kernels for one target are enough, no optimisation, the oldest and
# the newest of what sinter stands on.
set(smoke "static|odr|unit.(expressions|numbers|plan|views)")
set(oldest)
if(SINTER_TEST_OLDEST_XSIMD)
  set(oldest OPTIONS -D SINTER_XSIMD_INCLUDE_DIR=${SINTER_TEST_OLDEST_XSIMD}/include)
endif()
sinter_add_configuration(
  libcxx ${SINTER_TEST_CLANG} "-O1;-stdlib=libc++;-DHWY_COMPILE_ONLY_STATIC" static,unit ONLY ${smoke} ${oldest}
)
sinter_add_configuration(unoptimised ${SINTER_TEST_GCC} -O0 odr)
if(SINTER_TEST_NEXT_HIGHWAY AND SINTER_TEST_NEXT_XSIMD)
  sinter_add_configuration(
    next ${SINTER_TEST_GCC} -O1 static,unit,odr
    ONLY ${smoke}
    OPTIONS
      -D CMAKE_CXX_STANDARD=23 -D SINTER_HIGHWAY_INCLUDE_DIR=${SINTER_TEST_NEXT_HIGHWAY}/include
      -D SINTER_XSIMD_INCLUDE_DIR=${SINTER_TEST_NEXT_XSIMD}/include
  )
endif()

# Other processors, as far as an emulator is one. SINTER_EXPECTED_TARGET: the kernels that must have been chosen.
find_program(SINTER_TEST_AARCH64_GCC NAMES aarch64-linux-gnu-g++)
find_program(SINTER_TEST_QEMU_AARCH64 NAMES qemu-aarch64)
if(SINTER_TEST_AARCH64_GCC AND SINTER_TEST_QEMU_AARCH64)
  # Alone in a directory: the one around it has the headers of this machine's own library.
  find_path(SINTER_DOCTEST_INCLUDE_DIR doctest/doctest.h REQUIRED)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/doctest_alone)
  file(CREATE_LINK ${SINTER_DOCTEST_INCLUDE_DIR}/doctest ${CMAKE_BINARY_DIR}/doctest_alone/doctest SYMBOLIC)
  sinter_add_configuration(
    aarch64 ${SINTER_TEST_AARCH64_GCC} "-O1;-Wno-psabi;-DSINTER_TEST_SHARE=4" ${computing}
    ONLY "conformance|unit.(expressions|numbers)|product.(cast|directml_operators)$"
    OPTIONS
      -D CMAKE_SYSTEM_NAME=Linux -D CMAKE_SYSTEM_PROCESSOR=aarch64
      -D SINTER_DOCTEST_INCLUDE_DIR=${CMAKE_BINARY_DIR}/doctest_alone
    LAUNCHER ${SINTER_TEST_QEMU_AARCH64} -L /usr/aarch64-linux-gnu
    ENVIRONMENT SINTER_EXPECTED_TARGET=neon
  )
endif()
find_program(SINTER_TEST_QEMU_X86_64 NAMES qemu-x86_64)
if(SINTER_TEST_QEMU_X86_64 AND CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
  # The same program as everywhere, on a processor without AVX.
  block()
    set(SINTER_TEST_LAUNCHER ${SINTER_TEST_QEMU_X86_64} -cpu Nehalem)
    list(APPEND test_environment SINTER_EXPECTED_TARGET=sse2)
    set(program conformance.directml)
    sinter_add_program_test(without-avx.${program} ${CMAKE_BINARY_DIR}/gcc/tests/${program})
    set_tests_properties(without-avx.${program} PROPERTIES FIXTURES_REQUIRED gcc.${program})
  endblock()
endif()

sinter_add_compile_fail_tests(gcc. ${SINTER_TEST_GCC})
sinter_add_compile_fail_tests(clang. ${SINTER_TEST_CLANG})

# A program that only includes sinter does nothing before main and needs no library but the compiler's own.
function(sinter_add_include_only_test name compiler flag)
  sinter_list_compile_command(compile ${compiler})
  list(JOIN compile " " compile)
  set(source ${CMAKE_CURRENT_SOURCE_DIR}/cmake/include_only.cpp)
  set(program ${CMAKE_BINARY_DIR}/include_only.${name}${flag})
  add_test(
    NAME ${name}.include_only${flag}
    COMMAND
      sh -ec "${compile} ${flag} -c ${source} -o ${program}.o; ${compile} ${program}.o -o ${program}; ${program}
        if nm ${program}.o | grep -E '_GLOBAL__sub_I|__cxx_global_var_init'; then exit 1; fi"
  )
endfunction()
foreach(flag IN ITEMS -O0 -O2)
  sinter_add_include_only_test(gcc ${SINTER_TEST_GCC} ${flag})
  sinter_add_include_only_test(clang ${SINTER_TEST_CLANG} ${flag})
endforeach()

# What clang-tidy sees in the public headers, by the checks of .clang-tidy. One target's kernels are enough for it.
find_program(SINTER_TEST_CLANG_TIDY NAMES clang-tidy-19 REQUIRED)
sinter_list_compile_command(compile ${SINTER_TEST_CLANG})
list(POP_FRONT compile) # the compiler, which clang-tidy knows itself
add_test(
  NAME clang.tidy
  COMMAND
    ${SINTER_TEST_CLANG_TIDY} --quiet --warnings-as-errors=* ${CMAKE_CURRENT_SOURCE_DIR}/tidy/headers.cpp --
    ${compile} -DHWY_COMPILE_ONLY_STATIC
)
set_tests_properties(clang.tidy PROPERTIES TIMEOUT 600)

# What programs may be compiled with: the first example, and what it prints.
function(sinter_add_first_chain_test name compiler)
  sinter_list_compile_command(compile ${compiler})
  list(JOIN compile " " compile)
  list(JOIN ARGN " " flags)
  set(program ${CMAKE_BINARY_DIR}/first_chain.${name})
  add_test(
    NAME first_chain.${name}
    COMMAND
      sh -ec "${compile} ${flags} ${PROJECT_SOURCE_DIR}/examples/first_chain/first_chain.cpp -o ${program}; ${program}"
  )
  set_tests_properties(first_chain.${name} PROPERTIES PASS_REGULAR_EXPRESSION "^-4 0 0 1.9 5.5 \n$" TIMEOUT 300)
endfunction()
sinter_add_first_chain_test(gcc_no_exceptions ${SINTER_TEST_GCC} -O2 -std=c++23 -fno-exceptions -fno-rtti)
sinter_add_first_chain_test(clang_no_exceptions ${SINTER_TEST_CLANG} -O2 -std=c++23 -fno-exceptions -fno-rtti)
sinter_add_first_chain_test(gcc_debug ${SINTER_TEST_GCC} -O0 -g -D_GLIBCXX_DEBUG)
if(processor MATCHES " avx512vl ")
  sinter_add_first_chain_test(gcc_x86_64_v4 ${SINTER_TEST_GCC} -O3 -march=x86-64-v4)
endif()

# std::mdspan comes with C++23, and of the libraries here with libc++.
sinter_list_compile_command(compile ${SINTER_TEST_CLANG})
set(source ${PROJECT_SOURCE_DIR}/examples/std_views/std_views.cpp)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/mdspan)
add_test(
  NAME mdspan.build.std_views
  COMMAND
    ${compile} -std=c++23 -stdlib=libc++ -O1 -I ${PROJECT_SOURCE_DIR}/examples ${source}
    -o ${CMAKE_BINARY_DIR}/mdspan/std_views
)
set_tests_properties(mdspan.build.std_views PROPERTIES FIXTURES_SETUP mdspan.std_views TIMEOUT 600)
sinter_add_example_tests(mdspan. examples/mdspan ${CMAKE_BINARY_DIR}/mdspan mdspan.std_views)

include(${CMAKE_CURRENT_LIST_DIR}/package.cmake)

# The documentation as a site, in which no link leads nowhere.
find_program(SINTER_TEST_MKDOCS NAMES mkdocs REQUIRED)
add_test(
  NAME docs.site
  COMMAND
    ${SINTER_TEST_MKDOCS} build --strict --config-file ${PROJECT_SOURCE_DIR}/site/mkdocs.yml
    --site-dir ${CMAKE_BINARY_DIR}/site
)

# The picture of a program is the one that its page tells of.
add_test(
  NAME docs.picture
  COMMAND sh -ec "python3 site/program_picture.py | cmp - docs/images/one_definition.svg"
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
)

# The sources are as .clang-format has them.
find_program(SINTER_TEST_CLANG_FORMAT NAMES clang-format-19 REQUIRED)
add_test(
  NAME format.check
  COMMAND
    sh -ec "git ls-files -z '*.hpp' '*.cpp' '*-inl.h' | xargs -0 ${SINTER_TEST_CLANG_FORMAT} --dry-run --Werror"
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
)
