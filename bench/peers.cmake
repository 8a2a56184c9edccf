# The libraries that sinter is compared with. None is needed; one that is missing is named by the benchmark.
# SINTER_BENCH_PEERS: where ./dev puts those that do not come with the system.

set(SINTER_BENCH_PEERS "" CACHE PATH "Directory with xtensor/ and onnxruntime/, for the benchmark")

options_of(contender_eigen.cpp -O3 -march=native)

find_path(
  SINTER_BENCH_XTENSOR_INCLUDE_DIR xtensor/xtensor.hpp
  HINTS ${SINTER_BENCH_PEERS}/xtensor/include
  DOC "xtensor's headers, beside the xsimd that they need"
)
if(SINTER_BENCH_XTENSOR_INCLUDE_DIR)
  add_library(sinter_bench_xtensor SHARED xtensor_chain.cpp)
  set_target_properties(sinter_bench_xtensor PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_compile_features(sinter_bench_xtensor PRIVATE cxx_std_20)
  target_compile_definitions(sinter_bench_xtensor PRIVATE XTENSOR_USE_XSIMD)
  target_compile_options(sinter_bench_xtensor PRIVATE -O3 -march=native)
  target_include_directories(sinter_bench_xtensor SYSTEM PRIVATE ${SINTER_BENCH_XTENSOR_INCLUDE_DIR})
  target_include_directories(sinter_bench_xtensor PRIVATE ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(sinter_bench PRIVATE sinter_bench_xtensor)
  set_property(SOURCE contender_xtensor.cpp APPEND PROPERTY COMPILE_DEFINITIONS BENCH_HAS_XTENSOR)
endif()

find_path(
  SINTER_BENCH_ONNXRUNTIME_INCLUDE_DIR onnxruntime/onnxruntime_c_api.h
  HINTS ${SINTER_BENCH_PEERS}/onnxruntime/include
  DOC "The headers of ONNX Runtime"
)
find_file(
  SINTER_BENCH_ONNXRUNTIME_LIBRARY
  NAMES libonnxruntime.so.1
  HINTS ${SINTER_BENCH_PEERS}/onnxruntime/lib
  DOC "The library of ONNX Runtime"
)
if(SINTER_BENCH_ONNXRUNTIME_INCLUDE_DIR AND SINTER_BENCH_ONNXRUNTIME_LIBRARY)
  set_property(
    SOURCE contender_onnxruntime.cpp
    APPEND
    PROPERTY COMPILE_DEFINITIONS SINTER_BENCH_ONNXRUNTIME="${SINTER_BENCH_ONNXRUNTIME_LIBRARY}"
  )
  set_property(
    SOURCE contender_onnxruntime.cpp
    APPEND
    PROPERTY INCLUDE_DIRECTORIES ${SINTER_BENCH_ONNXRUNTIME_INCLUDE_DIR}
  )
endif()
mark_as_advanced(
  SINTER_BENCH_XTENSOR_INCLUDE_DIR SINTER_BENCH_ONNXRUNTIME_INCLUDE_DIR SINTER_BENCH_ONNXRUNTIME_LIBRARY
)
