# A toolchain file: programs for 64-bit Windows, made on Linux by mingw-w64's g++.
#
#   cmake -S . -B build/windows -D CMAKE_TOOLCHAIN_FILE=cmake/mingw-w64.cmake
#
# They need no DLL but those of Windows.

set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
# std::thread needs the variant for POSIX threads, where there are two.
find_program(SINTER_MINGW_COMPILER NAMES x86_64-w64-mingw32-g++-posix x86_64-w64-mingw32-g++ REQUIRED)
set(CMAKE_CXX_COMPILER ${SINTER_MINGW_COMPILER})
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)

# Headers of libraries are looked for where they are named, never among this machine's own.
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE BOTH)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
