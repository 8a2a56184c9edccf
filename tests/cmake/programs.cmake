# The test programs, with the compiler and flags of this build.

find_path(SINTER_DOCTEST_INCLUDE_DIR doctest/doctest.h REQUIRED)
mark_as_advanced(SINTER_DOCTEST_INCLUDE_DIR)
set(doctest_directory ${SINTER_DOCTEST_INCLUDE_DIR})
if(CMAKE_CROSSCOMPILING)
  # This machine's other headers stay out of sight.
  set(doctest_directory ${CMAKE_CURRENT_BINARY_DIR}/include)
  file(MAKE_DIRECTORY ${doctest_directory})
  file(CREATE_LINK ${SINTER_DOCTEST_INCLUDE_DIR}/doctest ${doctest_directory}/doctest SYMBOLIC)
endif()

add_library(sinter_test_options INTERFACE)
target_link_libraries(sinter_test_options INTERFACE sinter sinter_d3d12)
target_include_directories(sinter_test_options INTERFACE ${CMAKE_CURRENT_SOURCE_DIR})
target_include_directories(sinter_test_options SYSTEM INTERFACE ${doctest_directory})
target_compile_definitions(sinter_test_options INTERFACE SINTER_TEST_DATA="${CMAKE_CURRENT_SOURCE_DIR}/data")
target_compile_options(sinter_test_options INTERFACE ${SINTER_WARNINGS})

# doctest's main function; a library, so that a program with a main of its own does not get a second one.
set(doctest_main ${CMAKE_CURRENT_BINARY_DIR}/doctest_main.cpp)
file(
  CONFIGURE
  OUTPUT ${doctest_main}
  CONTENT "#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN\n#include <doctest/doctest.h>\n"
)
add_library(sinter_doctest_main STATIC ${doctest_main})
target_link_libraries(sinter_doctest_main PRIVATE sinter_test_options)
if(NOT MSVC)
  target_compile_options(sinter_doctest_main PRIVATE -O0) # it compares little, and takes half the time to compile
endif()

# The DirectML operators on every backend: many kernels, and several programs that use them.
add_library(sinter_directml_backends STATIC EXCLUDE_FROM_ALL support/directml_backends.cpp)
target_link_libraries(sinter_directml_backends PUBLIC sinter_test_options)

# Few kernels: those with the fewest lanes and those with the most, which is what chains of blocks depend on. The others
# have every operator and every layout in product/.
set(few_kernels)
if(SINTER_TEST_FEW_KERNELS)
  set(few_kernels HWY_BROKEN_TARGETS=HWY_AVX2 SINTER_TEST_FEW_KERNELS)
endif()
target_compile_definitions(sinter_directml_backends PUBLIC ${few_kernels})
set(has_few_kernels "^((conformance|directml|threads)[.]")
string(APPEND has_few_kernels "|unit[.](explain|expressions|float16|known_faults|limits|numbers)$)")

sinter_list_programs(programs "${SINTER_TEST_FOLDERS}")
string(REPLACE ";" "\n" lines "${programs}")
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/programs.txt "${lines}\n")

# Programs that run no kernels on the CPU, or look at what happens around them: checks, plans, memory. Kernels for one
# target halve what there is to read.
set(one_target "^((static|hlsl|d3d12|product_d3d12|misuse)[.]|directml[.](using_branch|validation)$")
string(APPEND one_target "|unit[.](allocations|overlap|plan)$)")

# Programs of much code that runs once, around kernels that run elsewhere. Unoptimised they take half the time, and what
# they test is no optimiser's business. Kernels on the CPU would take longer so.
set(d3d12_programs ahead_of_time|commands|compilers|disk_cache|evaluate|failures|known_faults|record|timestamps)
set(unoptimised "^(d3d12[.](${d3d12_programs})$|product_d3d12[.])")
if(MINGW)
  string(REPLACE "evaluate|" "" unoptimised "${unoptimised}") # has more names then than an object file takes
endif()

set(uses_directml_backends "^(directml\\.values|fuzz\\.(chains|descriptors))$")

find_package(PNG QUIET)
if(NOT PNG_FOUND)
  list(REMOVE_ITEM programs fuzz.png)
endif()

# The inputs of a program in fuzz/ are those that libFuzzer finds, or random ones.
function(sinter_add_fuzz_inputs program)
  if(SINTER_TEST_LIBFUZZER)
    # Checks of every pointer would double the time that these programs take to compile; other tests have them.
    target_compile_options(
      ${program} PRIVATE -fsanitize=fuzzer -fno-sanitize=null,alignment,object-size,pointer-overflow,vptr
    )
    target_link_options(${program} PRIVATE -fsanitize=fuzzer)
    target_compile_definitions(${program} PRIVATE SINTER_TEST_LIBFUZZER)
  else()
    target_sources(${program} PRIVATE fuzz/random_inputs/main.cpp)
  endif()
  target_include_directories(${program} PRIVATE ${PROJECT_SOURCE_DIR}/examples)
  if(program STREQUAL fuzz.png)
    target_link_libraries(${program} PRIVATE PNG::PNG)
  endif()
endfunction()

find_package(TBB QUIET)

# A test of every C++ block in the README and in docs/. Little is computed there, and much compiled: all pages are one
# unit, nothing is optimised, and kernels are made for one target.
function(sinter_add_pages program)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(script ${CMAKE_CURRENT_SOURCE_DIR}/docs/make_tests.py)
  set(directory ${CMAKE_CURRENT_BINARY_DIR}/pages)
  file(MAKE_DIRECTORY ${directory})
  file(GLOB pages CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/docs/*.md)
  set(tests)
  set(includes "")
  foreach(page IN LISTS pages ITEMS README.md)
    file(STRINGS ${PROJECT_SOURCE_DIR}/${page} uses_onetbb REGEX "^#include <sinter/cpu/onetbb.hpp>")
    if(NOT uses_onetbb OR TBB_FOUND)
      cmake_path(GET page STEM name)
      add_custom_command(
        OUTPUT ${directory}/${name}.inc
        COMMAND Python3::Interpreter ${script} ${PROJECT_SOURCE_DIR} ${page} ${directory}/${name}.inc
        DEPENDS ${script} ${PROJECT_SOURCE_DIR}/${page}
        VERBATIM
      )
      list(APPEND tests ${directory}/${name}.inc)
      string(APPEND includes "#include \"pages/${name}.inc\"\n")
    endif()
  endforeach()
  file(CONFIGURE OUTPUT ${directory}/all.cpp CONTENT "${includes}")
  target_sources(${program} PRIVATE ${directory}/all.cpp ${tests})
  target_include_directories(${program} PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
  target_compile_definitions(${program} PRIVATE HWY_COMPILE_ONLY_STATIC)
  target_compile_options(${program} PRIVATE -O0 -Wno-unused-variable -Wno-unused-but-set-variable)
  if(TBB_FOUND)
    target_link_libraries(${program} PRIVATE TBB::tbb)
  endif()
endfunction()

foreach(program IN LISTS programs)
  if(program MATCHES "^(odr|docs)$")
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${program}/*.cpp)
    foreach(source IN LISTS sources)
      if(source MATCHES "_avx2\\.cpp$")
        set(flags -mavx2 -mfma)
        if(MSVC)
          set(flags /arch:AVX2)
        endif()
        set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${flags}")
      endif()
    endforeach()
  else()
    string(REPLACE "." ";" parts ${program})
    list(POP_FRONT parts folder)
    list(JOIN parts "." name)
    string(REGEX REPLACE "^product_.*" product source_folder ${folder})
    set(sources ${source_folder}/${name}.cpp)
  endif()
  add_executable(${program} ${sources})
  target_link_libraries(${program} PRIVATE sinter_test_options)
  if(program MATCHES "^fuzz\\.")
    sinter_add_fuzz_inputs(${program})
  elseif(NOT program MATCHES "^soak\\.")
    target_link_libraries(${program} PRIVATE sinter_doctest_main)
  endif()
  if(program STREQUAL docs)
    sinter_add_pages(${program})
  endif()
  sinter_list_arguments(arguments ${program} "")
  sinter_add_program_test(${program} ${program} ${arguments})
  if(program MATCHES "${uses_directml_backends}")
    target_link_libraries(${program} PRIVATE sinter_directml_backends)
  endif()
  if(program MATCHES "${one_target}")
    target_compile_definitions(${program} PRIVATE HWY_COMPILE_ONLY_STATIC)
  endif()
  if(program MATCHES "${has_few_kernels}")
    target_compile_definitions(${program} PRIVATE ${few_kernels})
  endif()
  if(program MATCHES "^product_d3d12\\.")
    target_compile_definitions(${program} PRIVATE SINTER_TEST_D3D12)
  endif()
  if(program MATCHES "${unoptimised}" AND NOT MSVC)
    target_compile_options(${program} PRIVATE -O0)
  endif()
  if(program MATCHES "^(product(_d3d12)?|fuzz|soak)\\.")
    set_tests_properties(${program} PROPERTIES LABELS slow)
    set_target_properties(${program} PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
endforeach()

# Every public header in a translation unit of its own, twice (its guard), with kernels for one target, which halves
# what there is to compile; and all of them once more in one unit, for every target and with the macros that windows.h
# defines. Linked, so that a definition that is not inline shows too. What headers include depends on no compiler, so
# for a second one the unit with all of them, headers_together, is enough.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/include/*.hpp)
if(NOT SINTER_DIRECTX_INCLUDE_DIR AND NOT WIN32)
  list(FILTER headers EXCLUDE REGEX "^sinter/(d3d12/|d3d12\\.hpp)")
endif()
if(NOT SINTER_XSIMD_INCLUDE_DIR)
  list(FILTER headers EXCLUDE REGEX "^sinter/cpu/xsimd")
endif()
if(NOT TBB_FOUND)
  list(FILTER headers EXCLUDE REGEX "^sinter/cpu/onetbb\\.hpp")
endif()
set(header_units)
set(all_headers "")
foreach(header IN LISTS headers)
  string(MAKE_C_IDENTIFIER ${header} name)
  set(unit ${CMAKE_CURRENT_BINARY_DIR}/header_units/${name}.cpp)
  file(CONFIGURE OUTPUT ${unit} CONTENT "#include <${header}>\n#include <${header}>\n")
  list(APPEND header_units ${unit})
  string(APPEND all_headers "#include <${header}>\n")
endforeach()
set_source_files_properties(${header_units} PROPERTIES COMPILE_DEFINITIONS HWY_COMPILE_ONLY_STATIC)
configure_file(cmake/headers_with_macros.cpp.in ${CMAKE_CURRENT_BINARY_DIR}/header_units/with_macros.cpp @ONLY)
add_library(headers_together OBJECT EXCLUDE_FROM_ALL ${CMAKE_CURRENT_BINARY_DIR}/header_units/with_macros.cpp)
add_executable(headers EXCLUDE_FROM_ALL ${header_units} $<TARGET_OBJECTS:headers_together>)
foreach(target IN ITEMS headers headers_together)
  target_link_libraries(${target} PRIVATE sinter_test_options)
  target_compile_options(${target} PRIVATE -O0) # there is little to optimise, and much to compile
  if(TBB_FOUND)
    target_link_libraries(${target} PRIVATE TBB::tbb)
  endif()
endforeach()
add_test(NAME headers COMMAND ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target headers)
set_tests_properties(headers PROPERTIES LABELS slow TIMEOUT 1800)

if(SINTER_BUILD_EXAMPLES)
  add_test(NAME example.build COMMAND ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target examples -j 1)
  set_tests_properties(example.build PROPERTIES FIXTURES_SETUP examples_built LABELS slow TIMEOUT 1800)
  sinter_add_example_tests("" examples ${CMAKE_BINARY_DIR}/examples examples_built)
endif()

if(NOT MSVC) # they give the compiler's options as GCC and clang spell them
  sinter_add_compile_fail_tests("" ${CMAKE_CXX_COMPILER})
endif()
