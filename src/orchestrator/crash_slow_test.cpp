// SPDX-License-Identifier: Apache-2.0
#include "orchestrator/crash_cases.h"

namespace espalier {
namespace {

TEST(KilledRun, EndsTheSameWhereverItIsKilled) { EXPECT_GE(kill_and_resume(1), 100U); }

}  // namespace
}  // namespace espalier
