// SPDX-License-Identifier: Apache-2.0
#include "training/passive_threads.h"

#include <cstdlib>
#include <unistd.h>

namespace espalier {

void wait_passively(char** argv) {
  constexpr const char* kVariable = "OMP_WAIT_POLICY";
  if (std::getenv(kVariable) != nullptr) return;
  if (setenv(kVariable, "passive", 1) == 0) execv("/proc/self/exe", argv);
}

}  // namespace espalier
