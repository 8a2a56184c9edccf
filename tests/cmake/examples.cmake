# The examples as tests: each runs, and prints what it should.

# Under CI there is Direct3D 12, and an example that finds none fails; elsewhere it may say so.
set(or_no_d3d12 "|no Direct3D 12|none on this machine|no shader compiler")
if("$ENV{CI}" STREQUAL "true")
  set(or_no_d3d12 "")
endif()

# sinter_add_example_test(NAME PROGRAM [ARGUMENTS ...] [PATTERNS ...] [STATUS N] [SAME FILE FILE])
# in sinter_add_example_tests, whose variables it reads.
function(sinter_add_example_test name program)
  cmake_parse_arguments(PARSE_ARGV 2 example "" "STATUS" "ARGUMENTS;PATTERNS;SAME")
  if(NOT example_STATUS)
    set(example_STATUS 0)
  endif()
  set(command ${SINTER_TEST_LAUNCHER} ${directory}/${program} ${example_ARGUMENTS})
  add_test(
    NAME ${prefix}example.${name}
    COMMAND
      ${CMAKE_COMMAND} "-DCOMMAND=${command}" "-DPATTERNS=${example_PATTERNS}" -DSTATUS=${example_STATUS}
      "-DSAME=${example_SAME}" -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/check_output.cmake
  )
  set_tests_properties(${prefix}example.${name} PROPERTIES FIXTURES_REQUIRED ${fixture} LABELS slow TIMEOUT 300)
endfunction()

# The programs are in `directory`, where `fixture` builds them.
function(sinter_add_example_tests prefix directory fixture)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${prefix}examples_out)
  file(MAKE_DIRECTORY ${out})
  set(names denoise print_shader sinter_npy user_operator)
  if(SINTER_DIRECTX_INCLUDE_DIR OR WIN32)
    list(APPEND names ahead_of_time own_command_list)
  endif()
  foreach(name IN LISTS names)
    sinter_add_example_test(${name}.help ${name} ARGUMENTS --help PATTERNS "^usage: ${name}")
    sinter_add_example_test(
      ${name}.mistake ${name} ARGUMENTS --no-such STATUS 2 PATTERNS "${name} --help|usage: ${name}"
    )
  endforeach()

  sinter_add_example_test(first_chain first_chain PATTERNS "^-4 0 0 1.9 5.5 ")
  sinter_add_example_test(print_shader print_shader PATTERNS "^// uint8 from uint8, " "numthreads.*void main")
  sinter_add_example_test(
    user_operator user_operator
    PATTERNS "0 of 1000 samples differ in their bits" "0 of 1000 .* on Direct3D 12${or_no_d3d12}"
  )
  sinter_add_example_test(
    denoise denoise
    ARGUMENTS --sigma 25 --output ${out}
    PATTERNS "PSNR +20.24 dB .* 32.05 dB denoised" "the bits are the CPU's${or_no_d3d12}"
  )
  sinter_add_example_test(
    sinter_npy sinter_npy
    ARGUMENTS
      --quiet ${CMAKE_CURRENT_SOURCE_DIR}/data/npy/five.npy ${out}/five.npy
      identity:scale=2,bias=1 shrink:bias=0.5,threshold=1 threshold:min=-4
    SAME ${out}/five.npy ${CMAKE_CURRENT_SOURCE_DIR}/data/npy/five_chained.npy
  )
  if(NOT SINTER_DIRECTX_INCLUDE_DIR AND NOT WIN32)
    return()
  endif()
  sinter_add_example_test(
    own_command_list own_command_list
    ARGUMENTS --cache ${out}
    PATTERNS "0 of 120000 elements differ from the CPU's${or_no_d3d12}"
  )
  sinter_add_example_test(
    ahead_of_time ahead_of_time
    PATTERNS
      "^5 kernels were compiled ahead of time, and this device has no compiler${or_no_d3d12}"
      "dense +0 of 172161 .*transposed +0 of 172161 .*in place +0 of 172161 ${or_no_d3d12}"
      "not added .* none of the 5 .* by sinter::aot::add${or_no_d3d12}"
  )
  # Its writer on a machine without Direct3D 12: the texts, and a header without kernels; or a failure, if a compiler
  # was asked for.
  set(writer ahead_of_time_shaders_writer)
  list(PREPEND SINTER_TEST_LAUNCHER ${CMAKE_COMMAND} -E env SINTER_D3D12_LIBRARY=no-such-library)
  sinter_add_example_test(
    ahead_of_time.no_compiler ${writer} ARGUMENTS ${out} shaders PATTERNS "shaders.hpp has no kernels"
  )
  sinter_add_example_test(
    ahead_of_time.compiler_required ${writer} ARGUMENTS ${out} shaders fxc STATUS 1 PATTERNS "no-such-library"
  )
endfunction()
