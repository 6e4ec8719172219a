// SPDX-License-Identifier: Apache-2.0
// Estimates that learn from the run at hand.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "core/plan.h"
#include "core/problem.h"

namespace espalier {

// One for each run. Owned by one thread.
class Outlook {
 public:
  virtual ~Outlook() = default;
  // What is believed after `course`: the same placements in the same order, with other rules and
  // jumps, beginning where the course ends. Each course that is asked about goes on from the one
  // before.
  virtual Problem after(const Plan& course) = 0;
};

// The outlook of run number `run`. Called by several threads at once.
using MakeOutlook = std::function<std::unique_ptr<Outlook>(std::size_t run)>;

}  // namespace espalier
