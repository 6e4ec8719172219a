// SPDX-License-Identifier: Apache-2.0
// What the paper leaves open, decided otherwise (docs/learned.md).
#include "evidence/effect_figures.h"

namespace espalier {
namespace {

constexpr double kDearRisk = 1.5;

Contender pact_decided(const std::string& how, const PlannerOptions& planning) {
  Contender pact = contender_named("pact");
  pact.name = "pact, " + how;
  pact.planning = planning;
  return pact;
}

Variants decision_variants() {
  PlannerOptions riskless;
  riskless.weighs_risk = false;
  PlannerOptions risky;
  risky.irreversible_risk = kDearRisk;
  PlannerOptions hopeful;
  hopeful.estimator = Estimator::Expected;
  return {
      .id = "decisions",
      .title = "What the paper leaves open, decided otherwise",
      .words = {"pact as we read it, beside pact without the risk factor, with a risk factor of "
                "1.5 where a switch cannot be undone (ours is 1: nothing can be undone, so "
                "nothing is at risk), and pact that believes expected values instead of robust "
                "ones. Pruning cannot be undone here, so the first two are the same unless "
                "something else is wrong."},
      .contenders = {contender_named("pact"), pact_decided("no risk factor", riskless),
                     pact_decided("irreversible risk 1.5", risky),
                     pact_decided("expected values", hopeful)},
      .has_few_targets = true};
}

std::vector<TargetTrial> decision_trials(const EvidenceInput& input) {
  return variant_trials(input, decision_variants());
}

Exhibit show_decisions(const EvidenceInput& input, const Findings& findings) {
  return show_variants(input, findings, decision_variants());
}

}  // namespace

FigureEntry effect_of_decisions() {
  return {.id = "decisions",
          .about = "what the paper leaves open, decided otherwise",
          .estimators = FigureEntry::Estimators::Needed,
          .trials = decision_trials,
          .show = show_decisions};
}

}  // namespace espalier
