# Kernels compiled when a program is built, so that it ships without a shader compiler. See docs/d3d12.md.

# sinter_add_shaders(TARGET FILE.cpp [COMPILER NAME])
#
# FILE.cpp defines sinter::aot::add_shaders(). TARGET can then #include "FILE.hpp", and give FILE::all to
# sinter::d3d12::device::add. COMPILER is a part of a compiler's name, and required if it is named; else there may be
# none, and FILE::all is empty. The texts of the kernels lie beside the header, in TARGET_shaders of the build directory.
function(sinter_add_shaders target source)
  cmake_parse_arguments(PARSE_ARGV 2 shaders "" "COMPILER" "")
  if(shaders_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "sinter_add_shaders: what is ${shaders_UNPARSED_ARGUMENTS}?")
  endif()
  cmake_path(ABSOLUTE_PATH source)
  cmake_path(GET source STEM name)
  if(NOT name MATCHES "^[A-Za-z_][A-Za-z_0-9]*$")
    message(FATAL_ERROR "sinter_add_shaders: ${name} is the name of a namespace, too, and cannot be one")
  endif()
  set(directory ${CMAKE_CURRENT_BINARY_DIR}/${target}_shaders/${name})
  set(writer ${target}_${name}_writer)
  set(sources ${source} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/sinter-shaders.cpp)
  if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
    _sinter_add_host_program(${writer} "${sources}")
    set(command ${CMAKE_CURRENT_BINARY_DIR}/${writer})
  else()
    add_executable(${writer} EXCLUDE_FROM_ALL ${sources})
    target_link_libraries(${writer} PRIVATE sinter::d3d12)
    if(NOT MSVC)
      target_compile_options(${writer} PRIVATE -O0 -fexceptions) # it runs once, and reports what is wrong
    endif()
    set(command ${writer})
  endif()
  add_custom_command(
    OUTPUT ${directory}/${name}.hpp
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${directory}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${directory}
    COMMAND ${command} ${directory} ${name} ${shaders_COMPILER}
    DEPENDS ${command}
    COMMENT "Kernels of ${name}.cpp for ${target}"
    VERBATIM
  )
  target_sources(${target} PRIVATE ${directory}/${name}.hpp)
  target_include_directories(${target} PRIVATE ${directory})
endfunction()

# A program that runs where the build does, though what is built does not. The kernels are the same.
function(_sinter_add_host_program name sources)
  find_program(SINTER_HOST_COMPILER NAMES c++ g++ clang++ DOC "A C++20 compiler for programs that run during the build")
  if(NOT SINTER_HOST_COMPILER)
    message(FATAL_ERROR "sinter_add_shaders runs a program during the build: SINTER_HOST_COMPILER names its compiler")
  endif()
  set(directories $<TARGET_PROPERTY:sinter::d3d12,INTERFACE_INCLUDE_DIRECTORIES>)
  if(SINTER_DIRECTX_INCLUDE_DIR)
    list(APPEND directories ${SINTER_DIRECTX_INCLUDE_DIR}/wsl/stubs)
  endif()
  set(definitions $<TARGET_PROPERTY:sinter::d3d12,INTERFACE_COMPILE_DEFINITIONS>)
  add_custom_command(
    OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}
    COMMAND
      ${SINTER_HOST_COMPILER} -std=c++20 -O0 "-D$<JOIN:${definitions},;-D>" "-I$<JOIN:${directories},;-I>"
      ${sources} -o ${name} -ldl
    DEPENDS ${sources}
    WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}
    COMMAND_EXPAND_LISTS
    VERBATIM
  )
endfunction()
