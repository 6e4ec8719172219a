# SPDX-License-Identifier: Apache-2.0
# How every source of the project is compiled and linked.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

add_compile_options(
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  -Wnon-virtual-dtor -Woverloaded-virtual)
# GCC 12 warns falsely about "text" + std::string (its bug 105651).
add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)

# The same plan on every machine: no fused multiply-add, and no -march=native anywhere.
add_compile_options(-ffp-contract=off)

if(ESPALIER_SANITIZE)
  add_compile_options(
    -fsanitize=${ESPALIER_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${ESPALIER_SANITIZE})
endif()

# With CMAKE_UNITY_BUILD so many sources of a library are compiled as one, which takes a third of the
# time: most of it goes into headers.
set(CMAKE_UNITY_BUILD_BATCH_SIZE 20)

find_program(CCACHE ccache)
if(CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

# lld cannot read the link-time optimisation format of GCC.
include(CheckLinkerFlag)
check_linker_flag(CXX -fuse-ld=lld HAVE_LLD)
if(HAVE_LLD AND NOT CMAKE_INTERPROCEDURAL_OPTIMIZATION)
  add_link_options(-fuse-ld=lld)
endif()
