# Build rules shared by all targets: flags, aliases, install.
add_library(deformbench_options INTERFACE)
add_library(deformbench::options ALIAS deformbench_options)
target_compile_features(deformbench_options INTERFACE cxx_std_20)
# One alignment everywhere, so that objects built with and without -march=native agree.
target_compile_definitions(deformbench_options INTERFACE EIGEN_MAX_ALIGN_BYTES=64)
target_include_directories(deformbench_options INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                                         $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}>)

add_library(deformbench_warnings INTERFACE)
# GCC's own AVX-512 headers trip -Wmaybe-uninitialized thousands of times, and those of GCC 12 -Wuninitialized, too.
target_compile_options(deformbench_warnings INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor
                       $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
                       $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-uninitialized>
                       $<$<BOOL:${DEFORMBENCH_WERROR}>:-Werror>)
# Collecting its garbage takes the compiler a twentieth of its time; up to 1 GiB it need not.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(deformbench_warnings INTERFACE "SHELL:--param ggc-min-heapsize=1048576")
endif()
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

# _deformbench_compile_alone(<target> <files> <alone> <source>…): takes the sources of DEFORMBENCH_COMPILE_ALONE out of their
# translation units. What is left in a unit is what was in it before: names of other files could collide.
function(_deformbench_compile_alone target files alone)
  set(place 0)
  foreach(source IN LISTS ARGN)
    if(source IN_LIST alone OR NOT source MATCHES "\\.cpp$")
      continue()
    endif()
    get_filename_component(path ${source} ABSOLUTE)
    file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${path})
    math(EXPR unit "${place} / ${files}")
    math(EXPR place "${place} + 1")
    if(path IN_LIST DEFORMBENCH_COMPILE_ALONE)
      set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    else()
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${unit})
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
endfunction()

# _deformbench_shared_headers(<target> OPTIONS … LINK … HEADERS …): headers that many libraries include, read once. Options as
# those of the libraries, or the compiler refuses what it has read.
function(_deformbench_shared_headers target)
  cmake_parse_arguments(ARG "" "" "OPTIONS;LINK;HEADERS" ${ARGN})
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${target}.cpp CONTENT "")
  add_library(${target} OBJECT ${PROJECT_BINARY_DIR}/${target}.cpp)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(${target} PRIVATE deformbench_options deformbench_warnings Eigen3::Eigen fmt::fmt ${ARG_LINK})
  target_compile_options(${target} PRIVATE ${ARG_OPTIONS})
  target_precompile_headers(${target} PRIVATE ${ARG_HEADERS})
endfunction()

# Libraries in which nothing is hot are compiled at -O1. In the others the roots of a register are one instruction with
# -fno-math-errno; no number changes.
set(DEFORMBENCH_COLD_OPTIONS -O1)
set(DEFORMBENCH_HOT_OPTIONS ${OpenMP_CXX_FLAGS} -fno-math-errno)
set(common_headers <Eigen/Core> <Eigen/SparseCore> <algorithm> <cmath> <fmt/format.h> <functional> <map> <memory>
                   <optional> <string> <vector>)
if(TARGET nlohmann_json::nlohmann_json)
  _deformbench_shared_headers(deformbench_cold_headers OPTIONS ${DEFORMBENCH_COLD_OPTIONS}
                              LINK nlohmann_json::nlohmann_json
                              HEADERS ${common_headers} <filesystem> <nlohmann/json.hpp>)
endif()
_deformbench_shared_headers(deformbench_hot_headers OPTIONS ${DEFORMBENCH_HOT_OPTIONS}
                            HEADERS ${common_headers} <Eigen/Geometry> <array>)

# deformbench_library(<name> SOURCES … [LINK …] [PRIVATE_LINK …] [ALONE <source> …] [COLD]): target deformbench_<name>, alias
# deformbench::<name>. ALONE names the sources that are compiled by themselves: kernels, whose inlining must not
# depend on their neighbours, and generated files, which change without them.
function(deformbench_library name)
  cmake_parse_arguments(ARG "COLD" "" "SOURCES;LINK;PRIVATE_LINK;ALONE" ${ARGN})
  add_library(deformbench_${name} STATIC ${ARG_SOURCES})
  add_library(deformbench::${name} ALIAS deformbench_${name})
  set_target_properties(deformbench_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(deformbench_${name} PUBLIC deformbench_options ${ARG_LINK}
                        PRIVATE ${ARG_PRIVATE_LINK} $<BUILD_INTERFACE:deformbench_warnings>
                        $<BUILD_INTERFACE:fmt::fmt>)
  if(ARG_COLD)
    target_compile_options(deformbench_${name} PRIVATE ${DEFORMBENCH_COLD_OPTIONS})
    target_precompile_headers(deformbench_${name} REUSE_FROM deformbench_cold_headers)
  else()
    target_compile_options(deformbench_${name} PRIVATE ${DEFORMBENCH_HOT_OPTIONS})
    target_precompile_headers(deformbench_${name} REUSE_FROM deformbench_hot_headers)
  endif()
  deformbench_compile_together(deformbench_${name} 32)
  if(DEFORMBENCH_COMPILE_ALONE)
    _deformbench_compile_alone(deformbench_${name} 32 "${ARG_ALONE}" ${ARG_SOURCES})
  endif()
  if(ARG_ALONE)
    set_source_files_properties(${ARG_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
  set_property(GLOBAL APPEND PROPERTY DEFORMBENCH_LIBRARIES deformbench_${name})
endfunction()
