// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "orchestrator/crash_cases.h"

namespace espalier {
namespace {

TEST(KilledRun, EndsTheSameWhereverItIsKilled) {
  const std::size_t moments = kill_and_resume(1);
  EXPECT_GE(moments, 100U);
  std::printf("killed at %zu moments\n", moments);
}

}  // namespace
}  // namespace espalier
