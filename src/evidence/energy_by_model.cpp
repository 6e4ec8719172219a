// SPDX-License-Identifier: Apache-2.0
// The paper's figure 7: on which models the energy is spent.
#include <algorithm>

#include <fmt/format.h>

#include "evidence/figures.h"
#include "evidence/tally.h"
#include "evidence/trials.h"

namespace espalier {
namespace {

const std::vector<std::string>& spenders() {
  static const std::vector<std::string> names{"optimum", "pact", "static-learn"};
  return names;
}

std::vector<TargetTrial> model_trials(const EvidenceInput& input) {
  std::vector<Contender> contenders;
  for (const std::string& name : spenders()) contenders.push_back(contender_named(name));
  std::vector<TargetTrial> trials;
  for (const Regime& regime : input.regimes) {
    const auto some = trials_of(input, regime.id, contenders, some_targets(input));
    trials.insert(trials.end(), some.begin(), some.end());
  }
  return trials;
}

// In the order of the scenario, those that anybody trained.
std::vector<std::string> trained_models(const EvidenceInput& input) {
  std::vector<std::string> names;
  for (const RunSpec& run : input.scenario.runs) {
    const std::string& name = input.scenario.models[run.model.pos()].name;
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

// Mean over the seeds that reached the goal.
double mean_energy_on(const std::string& model, std::span<const TryOutcome* const> outcomes) {
  double sum = 0;
  double count = 0;
  for (const TryOutcome* outcome : outcomes) {
    if (!outcome->reached) continue;
    sum += outcome->energy_on(model);
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

BarChart model_bars(const EvidenceInput& input, const Findings& findings, const Regime& regime) {
  BarChart chart{.title = fmt::format("Energy by model, deadline {}", regime.id),
                 .about = "mean of the seeds that reached the target; switches count with the next",
                 .y_name = "energy (units of an epoch of L)",
                 .parts = trained_models(input)};
  for (const double target : some_targets(input)) {
    BarChart::Group group{.name = fmt::format("ℓmax {:g}", target)};
    for (const std::string& who : spenders()) {
      const auto outcomes = outcomes_of(findings, regime.id, who, target);
      BarChart::Bar bar{.name = who};
      for (const std::string& model : chart.parts)
        bar.parts.push_back(mean_energy_on(model, outcomes));
      group.bars.push_back(std::move(bar));
    }
    chart.groups.push_back(std::move(group));
  }
  return chart;
}

Sheet model_sheet(const EvidenceInput& input, const Findings& findings) {
  Sheet sheet{.name = "fig7", .columns = {"deadline", "who", "target loss", "reached"}};
  const auto models = trained_models(input);
  for (const std::string& model : models) sheet.columns.push_back("energy on " + model);
  for (const Regime& regime : input.regimes) {
    for (const double target : some_targets(input)) {
      for (const std::string& who : spenders()) {
        const auto outcomes = outcomes_of(findings, regime.id, who, target);
        if (outcomes.empty()) continue;
        std::vector<SheetCell> row{regime.id, who, target,
                                   static_cast<double>(tally_of(outcomes).reached)};
        for (const std::string& model : models) row.emplace_back(mean_energy_on(model, outcomes));
        sheet.rows.push_back(std::move(row));
      }
    }
  }
  return sheet;
}

Exhibit show_models(const EvidenceInput& input, const Findings& findings) {
  Exhibit exhibit{
      .id = "fig7",
      .title = "On which models the energy is spent (PACT, fig. 7)",
      .words = {"At the tightest, a middle and the loosest target. A strategy without a "
                "bar reached the target with no seed."}};
  for (const Regime& regime : input.regimes)
    exhibit.bars.push_back(model_bars(input, findings, regime));
  exhibit.sheets = {model_sheet(input, findings)};
  return exhibit;
}

Claim model_claim(const EvidenceInput& input, const Findings& findings, const Regime& regime,
                  const std::string& model, bool more) {
  const double target = tightest(input);
  const auto pact = outcomes_of(findings, regime.id, "pact", target);
  const auto even = outcomes_of(findings, regime.id, "static-learn", target);
  const bool known = tally_of(pact).reached > 0 && tally_of(even).reached > 0;
  const double ours = mean_energy_on(model, pact);
  const double theirs = mean_energy_on(model, even);
  const double excess = more ? ours - theirs : theirs - ours;
  return {.figure = "fig7",
          .source = "PACT, fig. 7",
          .says = fmt::format("at the tightest target pact spends {} on {} than static-learn does "
                              "(deadline {})",
                              more ? "more" : "less", model, regime.id),
          .found = known ? fmt::format("{:.2f} against {:.2f}", ours, theirs)
                         : "one of them never reached it",
          .verdict = verdict_if(known, excess > 0),
          .margin = known ? excess : kNoMargin,
          .unit = "units of energy"};
}

std::vector<Claim> model_claims(const EvidenceInput& input, const Findings& findings) {
  std::vector<Claim> claims;
  const auto models = trained_models(input);
  for (const Regime& regime : input.regimes) {
    claims.push_back(model_claim(input, findings, regime, models.front(), true));
    claims.push_back(model_claim(input, findings, regime, models.back(), false));
  }
  return claims;
}

}  // namespace

FigureEntry energy_by_model() {
  return {.id = "fig7",
          .about = "on which models the energy is spent",
          .estimators = FigureEntry::Estimators::Needed,
          .trials = model_trials,
          .show = show_models,
          .claims = model_claims};
}

}  // namespace espalier
