// SPDX-License-Identifier: Apache-2.0
#include "evidence/contender.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/error.h"

namespace espalier {
namespace {

Contender fitted(const std::string& strategy) {
  return {.name = strategy, .kind = Contender::Kind::Strategy, .strategy = strategy};
}

Contender in_hindsight(const std::string& name, Contender::Kind kind) {
  return {.name = name, .kind = kind};
}

Contender told_truth() {
  Contender pact = fitted("pact");
  pact.name = "pact, told the truth";
  pact.belief = Contender::Belief::Truth;
  return pact;
}

// The grids of policy are for deadlines of any length; a quarter of that suffices where a run has
// about a hundred epochs, and takes a small part of the time.
Contender quick_policy() {
  Contender policy = fitted("policy");
  policy.planning.loss_levels = 75;
  policy.planning.time_levels = 100;
  policy.planning.judged_runs = 1'000;
  return policy;
}

}  // namespace

const std::vector<Contender>& usual_contenders() {
  static const std::vector<Contender> all{
      in_hindsight("optimum", Contender::Kind::Optimum),
      fitted("pact"),
      in_hindsight("static-learn", Contender::Kind::EvenShares),
      in_hindsight("one-switch", Contender::Kind::OneSwitch),
      in_hindsight("no-switch", Contender::Kind::NoSwitch),
      fitted("depl"),
      quick_policy(),
      told_truth(),
  };
  return all;
}

const Contender& contender_named(const std::string& name) {
  const auto found = std::ranges::find(usual_contenders(), name, &Contender::name);
  ESPALIER_CHECK(found != usual_contenders().end());
  return *found;
}

Contender pact_with_loss_step(double loss_step) {
  Contender pact = fitted("pact");
  pact.name = fmt::format("pact, γ_ℓ = {:g}", loss_step);
  pact.planning.loss_step = Loss{loss_step};
  return pact;
}

Contender pact_with_bias(double bias) {
  Contender pact = fitted("pact");
  pact.name = fmt::format("pact, bias {:+.0f} %", 100 * bias);
  pact.bias = bias;
  return pact;
}

}  // namespace espalier
