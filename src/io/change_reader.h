// SPDX-License-Identifier: Apache-2.0
// Reads `change` and `truth`.
#pragma once

#include "core/scenario.h"
#include "io/names.h"

namespace espalier {

struct ChangeSpec {
  std::vector<ModelChangeSpec> models;
  std::optional<std::vector<NodeChangeSpec>> nodes;
  std::vector<PairChangeSpec> pairs;
};

ChangeSpec read_change(const Field& field, const Names& names, Report& report);

TruthSpec read_truth(const Field& field, const Names& names, Report& report);

}  // namespace espalier
