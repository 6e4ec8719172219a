// SPDX-License-Identifier: Apache-2.0
// What a trainer does: the steps of one order, one after the other.
#pragma once

#include <functional>
#include <string>

#include "core/scenario.h"
#include "experiments/laboratory.h"
#include "experiments/messages.h"
#include "experiments/trace_folder.h"

namespace espalier {

// What a network that is pruned so far is called: the scenario's model of that ratio, if it has
// one; otherwise the full one's name and the ratio, as in "L-0.625".
std::string version_name(const Scenario& scenario, double prune);

// All it takes to train. Owned by one thread.
struct Bench {
  Laboratory& laboratory;
  const Scenario& scenario;  // with `training`
  TraceFolder folder;
};

// Calls `tell` with each row as soon as it is there, and before it with the source of its energy.
// When it returns, the network is stored if it is to be kept. Throws Error.
void carry_out(const Order& order, const Bench& bench,
               const std::function<void(const Answer&)>& tell);

}  // namespace espalier
