// SPDX-License-Identifier: Apache-2.0
// A policy as plain numbers, for export.
#pragma once

#include <cstdint>
#include <vector>

#include "policies/grid_policy.h"

namespace espalier {

// What to do from every placement, loss and time, for every value of the hidden luck A. Between the
// knots a policy interpolates what actions are worth, not the actions; and it weighs all values of
// A by what it believes: the table shows it, but does not replace it.
struct PolicyTable {
  std::vector<double> losses;        // knots; the first is the goal's: just above it
  std::vector<double> times;         // knots, s
  std::vector<double> luck;          // values of A; one if runs do not differ
  double miss = 0;                   // J: what a miss counts as
  std::size_t placements = 0;        // as many as the problem has
  std::vector<std::int16_t> choice;  // luck × placement × loss × time: a placement; −1: give up

  std::int16_t at(std::size_t luck_index, std::size_t placement, std::size_t loss,
                  std::size_t time) const {
    return choice[((luck_index * placements + placement) * losses.size() + loss) * times.size() +
                  time];
  }
};

PolicyTable table_of(const GridPolicy& policy);

}  // namespace espalier
