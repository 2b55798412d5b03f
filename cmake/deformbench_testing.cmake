# Tests. One label an executable, from the list below: gtest_discover_tests keeps only the first of several
# labels (CMake 3.25), and `ctest -L` on an unknown one selects nothing and succeeds.
include(GoogleTest)
set(DEFORMBENCH_WATCHDOG_S 3600)  # for what hangs; a slow or loaded machine takes its time
set(DEFORMBENCH_TEST_LABELS unit invariant reference contract convergence cli schema claims python consumer figures)

# What nearly every test includes is read once.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/test_headers.cpp CONTENT "")
add_library(deformbench_test_headers OBJECT ${PROJECT_BINARY_DIR}/test_headers.cpp)
target_link_libraries(deformbench_test_headers PRIVATE deformbench_options deformbench_warnings Eigen3::Eigen fmt::fmt
                                                       GTest::gmock)
target_compile_options(deformbench_test_headers PRIVATE -O1)
target_precompile_headers(deformbench_test_headers PRIVATE <Eigen/Dense> <Eigen/SparseCore> <algorithm> <array> <cmath>
  <filesystem> <fmt/format.h> <functional> <gmock/gmock.h> <gtest/gtest.h> <map> <memory> <optional> <string> <vector>)

# deformbench_test(<name> LABEL <label> SOURCES … [LINK …] [DEFINES …])
function(deformbench_test name)
  cmake_parse_arguments(ARG "" "LABEL" "SOURCES;LINK;DEFINES" ${ARGN})
  if(NOT ARG_LABEL IN_LIST DEFORMBENCH_TEST_LABELS)
    message(FATAL_ERROR "deformbench_test(${name}): label '${ARG_LABEL}' is not one of ${DEFORMBENCH_TEST_LABELS}")
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} deformbench_options deformbench_warnings Eigen3::Eigen fmt::fmt GTest::gmock GTest::gtest_main)
  deformbench_compile_together(${name} 32)
  # Tests wait for the compiler, not for themselves. An else that dangles is in GoogleTest's macros, which close it.
  target_compile_options(${name} PRIVATE -O1 -Wno-dangling-else)
  target_precompile_headers(${name} REUSE_FROM deformbench_test_headers)
  target_compile_definitions(${name} PRIVATE DEFORMBENCH_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                             DEFORMBENCH_BINARY_DIR="${PROJECT_BINARY_DIR}" ${ARG_DEFINES})
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT ${DEFORMBENCH_WATCHDOG_S}
                       PROPERTIES LABELS ${ARG_LABEL} TIMEOUT ${DEFORMBENCH_WATCHDOG_S})
endfunction()

# Files of tests for pytest, under Debian's interpreter.
# deformbench_pytest(<name> <label> <files…>)
function(deformbench_pytest name label)
  set(path "${PROJECT_SOURCE_DIR}/analysis:${PROJECT_SOURCE_DIR}")
  set(command "")
  if(TARGET deformbench)
    set(command "DEFORMBENCH=$<TARGET_FILE:deformbench>")
  endif()
  add_test(NAME ${name}
           COMMAND ${CMAKE_COMMAND} -E env PYTHONPATH=${path} PYTHONDONTWRITEBYTECODE=1 OPENBLAS_NUM_THREADS=1
                   DEFORMBENCH_DATA=${PROJECT_SOURCE_DIR} MPLCONFIGDIR=${PROJECT_BINARY_DIR}/matplotlib
                   MYPY_CACHE_DIR=${PROJECT_BINARY_DIR}/mypy DEFORMBENCH_FORMATTED=${PROJECT_BINARY_DIR}/formatted
                   ${command}
                   ${Python3_EXECUTABLE} -m pytest -q -p no:cacheprovider ${ARGN}
           WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  # These take longest, so they begin first (COST).
  set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT ${DEFORMBENCH_WATCHDOG_S} COST 100)
endfunction()
