// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"

namespace espalier {

void report_bug(const char* condition, const char* file, int line) {
  throw Error(
      ErrorCode::Bug,
      std::string(file) + ":" + std::to_string(line) + ": '" + condition + "' does not hold",
      "this is a bug in espalier; please report it with the command and the scenario");
}

}  // namespace espalier
