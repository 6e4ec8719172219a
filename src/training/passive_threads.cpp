// SPDX-License-Identifier: Apache-2.0
#include "training/passive_threads.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <unistd.h>

namespace espalier {

void wait_passively(char** argv) {
  constexpr const char* kVariable = "OMP_WAIT_POLICY";
  if (std::getenv(kVariable) != nullptr || setenv(kVariable, "passive", 1) != 0) return;
  // By its own path rather than the link: the new process keeps the program's name.
  std::error_code failure;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", failure);
  if (!failure) execv(program.c_str(), argv);
}

}  // namespace espalier
