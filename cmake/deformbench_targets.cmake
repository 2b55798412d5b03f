# Build rules shared by all targets: flags, aliases, install.
add_library(deformbench_options INTERFACE)
add_library(deformbench::options ALIAS deformbench_options)
target_compile_features(deformbench_options INTERFACE cxx_std_20)
# One alignment everywhere, so that objects built with and without -march=native agree.
target_compile_definitions(deformbench_options INTERFACE EIGEN_MAX_ALIGN_BYTES=64)
target_include_directories(deformbench_options INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                                         $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}>)

add_library(deformbench_warnings INTERFACE)
# GCC's own AVX-512 headers trip -Wmaybe-uninitialized thousands of times, and -Wuninitialized now and then: the first is off,
# the second never an error.
target_compile_options(deformbench_warnings INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor
                       $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
                       $<$<BOOL:${DEFORMBENCH_WERROR}>:-Werror>
                       $<$<AND:$<BOOL:${DEFORMBENCH_WERROR}>,$<CXX_COMPILER_ID:GNU>>:-Wno-error=uninitialized>)
if(DEFORMBENCH_MARCH_NATIVE)
  target_compile_options(deformbench_warnings INTERFACE -march=native)
endif()
# Contracting a*b+c into one rounding would make results depend on the compiler's choices only; it is the same
# in every run of one build, so it stays on. -ffast-math is never used.

# deformbench_compile_together(<target> <files>): the sources of a target, <files> at a time in one translation unit, as the
# headers (Eigen, JSON, GoogleTest) take longer than the code.
function(deformbench_compile_together target files)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${DEFORMBENCH_UNITY_BUILD} UNITY_BUILD_BATCH_SIZE ${files}
                        UNITY_BUILD_UNIQUE_ID DEFORMBENCH_UNITY_ID)
endfunction()

# deformbench_cold(<target>…): libraries in which nothing is hot: compiled at -O1, from headers that are read once.
function(deformbench_cold)
  if(NOT TARGET deformbench_cold_headers)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/cold_headers.cpp CONTENT "")
    add_library(deformbench_cold_headers OBJECT ${PROJECT_BINARY_DIR}/cold_headers.cpp)
    set_target_properties(deformbench_cold_headers PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_link_libraries(deformbench_cold_headers PRIVATE deformbench_options deformbench_warnings Eigen3::Eigen
                                                           fmt::fmt nlohmann_json::nlohmann_json)
    target_compile_options(deformbench_cold_headers PRIVATE -O1)
    target_precompile_headers(deformbench_cold_headers PRIVATE <Eigen/Core> <Eigen/SparseCore> <algorithm> <cmath>
      <filesystem> <fmt/format.h> <functional> <map> <memory> <nlohmann/json.hpp> <optional> <string> <vector>)
  endif()
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE -O1)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:fmt::fmt>)
    target_precompile_headers(${target} REUSE_FROM deformbench_cold_headers)
  endforeach()
endfunction()

# deformbench_library(<name> SOURCES … [LINK …] [PRIVATE_LINK …] [ALONE <source> …]): target deformbench_<name>, alias
# deformbench::<name>. ALONE names the sources that are compiled by themselves: kernels, whose inlining must not
# depend on their neighbours, and generated files, which change without them.
function(deformbench_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK;PRIVATE_LINK;ALONE" ${ARGN})
  add_library(deformbench_${name} STATIC ${ARG_SOURCES})
  add_library(deformbench::${name} ALIAS deformbench_${name})
  set_target_properties(deformbench_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(deformbench_${name} PUBLIC deformbench_options ${ARG_LINK}
                        PRIVATE ${ARG_PRIVATE_LINK} $<BUILD_INTERFACE:deformbench_warnings>)
  deformbench_compile_together(deformbench_${name} 16)
  if(ARG_ALONE)
    set_source_files_properties(${ARG_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
  set_property(GLOBAL APPEND PROPERTY DEFORMBENCH_LIBRARIES deformbench_${name})
endfunction()
