# SPDX-License-Identifier: Apache-2.0

# espalier_library(<name> [COLD] [WHOLE] [LINK <libraries>...] [TEST_LINK <libraries>...])
#
# Turns the current folder into one static library, and what sits beside its sources into programs:
#   *.cpp             the library <name>
#   *_test.cpp        <name>_test, its tests labelled "fast"
#   *_slow_test.cpp   <name>_slow_test, its tests labelled "slow"
#   *_bench.cpp       <name>_bench, when ESPALIER_BENCHMARKS is on
# A folder without sources becomes a header-only library. COLD: its code takes little of the time, so
# that a release spends little time on optimising it. WHOLE: its tests run in one process, because each
# start of one takes long.
function(espalier_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "COLD;WHOLE" "" "LINK;TEST_LINK")
  file(GLOB sources CONFIGURE_DEPENDS *.cpp)
  list(FILTER sources EXCLUDE REGEX "_(test|bench)\\.cpp$")

  if(sources)
    set(scope PUBLIC)
    add_library(${name} STATIC ${sources})
  else()
    set(scope INTERFACE)
    add_library(${name} INTERFACE)
  endif()
  target_include_directories(${name} ${scope} ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${name} ${scope} ${arg_LINK})
  if(arg_COLD)
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()

  if(arg_WHOLE)
    set(whole WHOLE)
  endif()
  espalier_tests(${name} ${whole} LINK ${name} ${arg_TEST_LINK})
  espalier_benchmark(${name} LINK ${name})
endfunction()

# espalier_tests(<name> [WHOLE] [LINK <libraries>...])
#
# Makes <name>_test and <name>_slow_test from the tests in the current folder. They run in the root
# of the repository, so that a test can open "examples/smart-factory.yaml".
function(espalier_tests name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "WHOLE" "" "LINK")
  if(arg_WHOLE)
    set(whole WHOLE)
  endif()
  file(GLOB slow CONFIGURE_DEPENDS *_slow_test.cpp)
  file(GLOB fast CONFIGURE_DEPENDS *_test.cpp)
  list(FILTER fast EXCLUDE REGEX "_slow_test\\.cpp$")

  espalier_test_program(${name}_test fast ${whole} SOURCES ${fast} LINK ${arg_LINK})
  espalier_test_program(${name}_slow_test slow ${whole} SOURCES ${slow} LINK ${arg_LINK})
endfunction()

function(espalier_test_program target label)
  cmake_parse_arguments(PARSE_ARGV 2 arg "WHOLE" "" "SOURCES;LINK")
  if(NOT ESPALIER_TESTS OR NOT arg_SOURCES)
    return()
  endif()
  add_executable(${target} ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE ${arg_LINK} GTest::gtest_main)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  if(arg_WHOLE)
    add_test(NAME ${target} COMMAND ${target} --gtest_brief=1
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(${target} PROPERTIES LABELS ${label})
    return()
  endif()
  gtest_discover_tests(${target}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    PROPERTIES LABELS ${label})
endfunction()

# espalier_benchmark(<name> [LINK <libraries>...])
#
# Makes <name>_bench from the *_bench.cpp in the current folder.
function(espalier_benchmark name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINK")
  file(GLOB sources CONFIGURE_DEPENDS *_bench.cpp)
  if(NOT ESPALIER_BENCHMARKS OR NOT sources)
    return()
  endif()
  add_executable(${name}_bench ${sources})
  target_include_directories(${name}_bench PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name}_bench PRIVATE ${arg_LINK} benchmark::benchmark_main)
endfunction()
