// SPDX-License-Identifier: Apache-2.0
// Who is compared: strategies that decide epoch by epoch, and courses that were best in hindsight.
#pragma once

#include <string>
#include <vector>

#include "core/strategy.h"

namespace espalier {

struct Contender {
  enum class Kind {
    Strategy,    // decides anew after every epoch, from what it believes then
    Optimum,     // the rest: the cheapest of their kind for somebody who knows the traces, as the
    EvenShares,  // paper's benchmarks are
    OneSwitch,
    NoSwitch,
  };
  enum class Belief { Fitted, Truth };

  std::string name{};
  Kind kind = Kind::Strategy;
  // Of strategies:
  std::string strategy{};
  Belief belief = Belief::Fitted;
  PlannerOptions planning{};
  // The decreases of the model that runs begin with are believed to be larger by this share.
  double bias = 0;

  bool needs_estimators() const { return kind == Kind::Strategy && belief == Belief::Fitted; }
};

// Those of the paper's figure 6, ours, and pact that is told the truth.
const std::vector<Contender>& usual_contenders();
// REQUIRES: there is one of that name.
const Contender& contender_named(const std::string& name);
// pact with a coarser or finer grid, or with a bias.
Contender pact_with_loss_step(double loss_step);
Contender pact_with_bias(double bias);

}  // namespace espalier
