// SPDX-License-Identifier: Apache-2.0
// Which placements a scenario lets one go to from which.
#pragma once

#include <set>
#include <vector>

#include "core/scenario.h"

namespace espalier {

// Immutable. The scenario must outlive it.
class ChangeGraph {
 public:
  explicit ChangeGraph(const Scenario& scenario);

  // Whether some change leads from one model to the other, on whatever nodes.
  bool has_switch(ModelId from, ModelId to) const;
  // For each row of run, whether some chain of changes leads there from the start.
  std::vector<bool> reachable_runs() const;

 private:
  struct Place {
    ModelId model;
    NodeSetId nodes;
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  struct Pair {
    Place from;
    Place to;
    friend auto operator<=>(const Pair&, const Pair&) = default;
  };

  bool allows(const Place& from, const Place& to) const;

  const Scenario& scenario_;
  std::vector<bool> models_;  // from × to
  std::vector<bool> nodes_;   // from × to
  std::set<Pair> pairs_;
};

}  // namespace espalier
