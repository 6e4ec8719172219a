// SPDX-License-Identifier: Apache-2.0
#include "studies/input.h"

#include "core/error.h"
#include "io/wording.h"

namespace espalier {

void refuse_unmeasured(const Scenario& scenario, const std::string& file) {
  if (!scenario.runs.empty()) return;
  throw Error(ErrorCode::BadInput,
              "'" + shown(file) + "' has no run table: nobody knows yet what an epoch costs",
              "'espalier profile " + shown(file) + "' measures it");
}

}  // namespace espalier
