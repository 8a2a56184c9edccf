# Finds what sinter's headers include. Used by the project itself and by its installed package.
#
# Highway 1.2 or newer: required by the CPU backend. Only its headers are used, so its library is never linked.
# xsimd: optional. DirectX-Headers: for <sinter/d3d12.hpp> where there is no Windows SDK.
#
# Nothing is downloaded unless SINTER_FETCH_DEPENDENCIES is set.

# What is missing is told by SINTER_HIGHWAY_PROBLEM and SINTER_D3D12_PROBLEM, which are empty where nothing is.
macro(sinter_find_dependencies)
  _sinter_find_highway()
  find_path(SINTER_XSIMD_INCLUDE_DIR xsimd/xsimd.hpp DOC "xsimd's headers")
  find_path(SINTER_DIRECTX_INCLUDE_DIR directx/d3d12.h DOC "DirectX-Headers (not needed on Windows)")
  mark_as_advanced(SINTER_XSIMD_INCLUDE_DIR SINTER_DIRECTX_INCLUDE_DIR)
  set(SINTER_D3D12_PROBLEM "")
  if(NOT SINTER_DIRECTX_INCLUDE_DIR AND NOT WIN32)
    string(
      CONCAT SINTER_D3D12_PROBLEM
      "sinter's Direct3D 12 backend needs DirectX-Headers. Name their place with CMAKE_PREFIX_PATH."
    )
  endif()
endmacro()

# What <sinter/sinter.hpp> needs.
function(sinter_add_cpu_dependencies target)
  _sinter_include(${target} ${SINTER_HIGHWAY_INCLUDE_DIR})
  if(SINTER_XSIMD_INCLUDE_DIR)
    _sinter_include(${target} ${SINTER_XSIMD_INCLUDE_DIR})
  endif()
endfunction()

# What <sinter/d3d12.hpp> needs. Direct3D 12 itself is looked for at run time, with dlopen.
function(sinter_add_d3d12_dependencies target)
  target_link_libraries(${target} INTERFACE ${CMAKE_DL_LIBS})
  if(SINTER_DIRECTX_INCLUDE_DIR)
    _sinter_include(${target} ${SINTER_DIRECTX_INCLUDE_DIR})
    if(NOT WIN32)
      _sinter_include(${target} ${SINTER_DIRECTX_INCLUDE_DIR}/wsl/stubs) # what windows.h would declare
    endif()
  endif()
endfunction()

# As a system directory: its warnings are not the user's. One that the compiler searches anyway must not be named,
# that would change the order of its standard headers.
function(_sinter_include target directory)
  if(NOT directory IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
    target_include_directories(${target} SYSTEM INTERFACE ${directory})
  endif()
endfunction()

macro(_sinter_find_highway)
  find_path(SINTER_HIGHWAY_INCLUDE_DIR hwy/highway.h DOC "Highway's headers, 1.2 or newer")
  mark_as_advanced(SINTER_HIGHWAY_INCLUDE_DIR)
  _sinter_highway_version(_sinter_highway)
  if(_sinter_highway VERSION_LESS 1.2 AND SINTER_FETCH_DEPENDENCIES)
    include(FetchContent)
    # SOURCE_SUBDIR names no directory: the sources are fetched, their build is not made part of this one.
    FetchContent_Declare(
      highway
      GIT_REPOSITORY https://github.com/google/highway
      GIT_TAG 1.2.0
      GIT_SHALLOW ON
      SOURCE_SUBDIR headers-only
    )
    FetchContent_MakeAvailable(highway)
    set(SINTER_HIGHWAY_INCLUDE_DIR ${highway_SOURCE_DIR} CACHE PATH "Highway's headers, 1.2 or newer" FORCE)
    _sinter_highway_version(_sinter_highway)
  endif()
  set(SINTER_HIGHWAY_PROBLEM "")
  if(_sinter_highway VERSION_LESS 1.2)
    string(
      CONCAT SINTER_HIGHWAY_PROBLEM
      "sinter needs the headers of Highway 1.2 or newer (SINTER_HIGHWAY_INCLUDE_DIR=${SINTER_HIGHWAY_INCLUDE_DIR} "
      "has ${_sinter_highway}). Name their place with CMAKE_PREFIX_PATH, or allow the download with "
      "SINTER_FETCH_DEPENDENCIES=ON."
    )
  endif()
endmacro()

# The version that the headers found state; "none" where there are none or the version is older than the statement.
function(_sinter_highway_version result)
  set(version none)
  set(header "${SINTER_HIGHWAY_INCLUDE_DIR}/hwy/base.h")
  if(EXISTS "${header}")
    file(STRINGS "${header}" lines REGEX "^#define HWY_(MAJOR|MINOR) [0-9]+")
    if(lines MATCHES "HWY_MAJOR ([0-9]+).*HWY_MINOR ([0-9]+)")
      set(version ${CMAKE_MATCH_1}.${CMAKE_MATCH_2})
    endif()
  endif()
  set(${result} ${version} PARENT_SCOPE)
endfunction()
