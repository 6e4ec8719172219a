// SPDX-License-Identifier: Apache-2.0
// For functions whose loops must be fast: compiled for several instruction sets, of which the best
// is chosen when the program starts. The bits are the same with all of them: vectors do what
// numbers one by one do, and multiplications and additions are never fused.
//
// The loops must vectorise; to see that they do, add -fopt-info-vec to loop_options in
// CMakeLists.txt: each innermost loop is reported with 16, 32 and 64 bytes. What keeps them so: no
// branches, only choices between two values that are computed either way, and pointers instead of
// spans and arrays, whose checks are branches.
#pragma once

#ifdef ESPALIER_TARGET_CLONES
#define ESPALIER_VECTORISED __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define ESPALIER_VECTORISED
#endif
