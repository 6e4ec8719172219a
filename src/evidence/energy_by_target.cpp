// SPDX-License-Identifier: Apache-2.0
// The paper's figure 6: what everybody spends for a target, and the course of one run.
#include <algorithm>

#include <fmt/format.h>

#include "evidence/figures.h"
#include "evidence/tally.h"
#include "evidence/trials.h"

namespace espalier {
namespace {

constexpr double kCloseToOptimum = 0.05;
constexpr double kPolicyToOptimum = 0.03;
constexpr double kClearlyBelow = 0.10;
constexpr double kAlike = 0.10;

std::vector<std::string> usual_names() {
  std::vector<std::string> names;
  for (const Contender& one : usual_contenders()) names.push_back(one.name);
  return names;
}

std::vector<TargetTrial> target_trials(const EvidenceInput& input) {
  std::vector<TargetTrial> trials;
  for (const Regime& regime : input.regimes) {
    const auto some = trials_of(input, regime.id, usual_contenders(), input.targets);
    trials.insert(trials.end(), some.begin(), some.end());
  }
  return trials;
}

Chart energy_chart(const EvidenceInput& input, const Findings& findings, const Regime& regime) {
  Chart chart{.title = fmt::format("Energy by target, deadline {}", regime.id),
              .about = "mean of the seeds that reached it; bands from the least to the most",
              .x_name = "target loss ℓmax",
              .y_name = "energy (units of an epoch of L)"};
  const auto names = usual_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    ChartSeries series = energy_series(findings, regime.id, names[i], input.targets, i);
    if (names[i] == "pact, told the truth") series.mark = ChartSeries::Mark::Dashed;
    if (has_energies(series)) chart.series.push_back(std::move(series));
  }
  return chart;
}

// The courses of one seed at the tightest target.
std::vector<Chart> course_charts(const EvidenceInput& input, const Findings& findings,
                                 const Regime& regime) {
  const double target = tightest(input);
  Chart loss{.title = fmt::format("Loss over time, deadline {}", regime.id),
             .about = {},
             .x_name = "time (units of an epoch of L)",
             .y_name = "loss",
             .level = target,
             .limit = drawn_deadline(regime)};
  Chart energy{.title = fmt::format("Energy over time, deadline {}", regime.id),
               .about = {},
               .x_name = "time (units of an epoch of L)",
               .y_name = "energy (units of an epoch of L)",
               .limit = drawn_deadline(regime)};
  const auto names = usual_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto outcomes = outcomes_of(findings, regime.id, names[i], target);
    if (outcomes.empty() || outcomes.front()->steps.empty()) continue;
    const TryOutcome& one = *outcomes.front();
    const std::string name = one.reached ? names[i] : names[i] + " (missed)";
    loss.about = energy.about =
        fmt::format("seed {}, target {:g}; a loss jumps where a model is pruned{}", one.seed,
                    target, regime.binds ? "; upright: the deadline" : "");
    ChartSeries losses{.name = name, .colour = i};
    ChartSeries energies{.name = name, .colour = i};
    for (const OutcomeStep& step : one.steps) {
      losses.points.push_back({step.time, step.loss});
      energies.points.push_back({step.time, step.energy});
    }
    loss.series.push_back(std::move(losses));
    energy.series.push_back(std::move(energies));
  }
  return {loss, energy};
}

Exhibit show_targets(const EvidenceInput& input, const Findings& findings) {
  Exhibit exhibit{
      .id = "fig6",
      .title = "Energy by target, and courses (PACT, fig. 6)",
      .words = {
          "optimum, static-learn, one-switch and no-switch are the cheapest of their kind in "
          "hindsight, as in the paper: they know how every course of a seed would go. pact, depl "
          "and policy know only what estimators learnt from other seeds, and what they observe. "
          "pact, told the truth, shows how much of the distance is the estimators'. Where somebody "
          "missed a target with some seeds, the mean is over the others, and may lie below an "
          "optimum that is over all."}};
  for (const Regime& regime : input.regimes)
    exhibit.words.push_back(fmt::format("Deadline {}: {}.", regime.id, regime.about));
  for (const Regime& regime : input.regimes)
    exhibit.charts.push_back(energy_chart(input, findings, regime));
  for (const Regime& regime : input.regimes) {
    for (Chart& chart : course_charts(input, findings, regime))
      exhibit.charts.push_back(std::move(chart));
  }
  const auto names = usual_names();
  for (std::string& words : untraced_words(input, findings, names))
    exhibit.words.push_back(std::move(words));
  exhibit.sheets = {overview_sheet("fig6-overview", input, findings, names),
                    energy_sheet("fig6", input, findings, names, input.targets),
                    try_sheet("fig6-tries", findings, names)};
  return exhibit;
}

// --- claims

Claim close_claim(const Findings& findings, const EvidenceInput& input, const Regime& regime,
                  const std::string& who, double bound) {
  const EnergyGap gap = gap_between(findings, regime.id, who, "optimum", input.targets);
  return with_misses(
      {.figure = "fig6",
       .source = who == "pact" ? "PACT, fig. 6" : "ours",
       .says = fmt::format("{} is within {:.0f} % of the optimum on average, and reaches what "
                           "can be reached (deadline {})",
                           who, 100 * bound, regime.id),
       .found = gap_text(gap),
       .verdict = verdict_if(gap.is_known(), gap.missed == 0 && gap.share <= bound),
       .margin = gap.both > 0 ? 100 * (bound - gap.share) : kNoMargin,
       .unit = "points"},
      gap);
}

// Those who have no course at all need not be beaten by a margin.
Claim better_claim(const Findings& findings, const EvidenceInput& input, const Regime& regime,
                   const std::string& who, const std::string& than) {
  const std::vector<double> target{tightest(input)};
  const EnergyGap gap = gap_between(findings, regime.id, who, than, target);
  const EnergyTally ours = tally_of(outcomes_of(findings, regime.id, who, target.front()));
  const EnergyTally theirs = tally_of(outcomes_of(findings, regime.id, than, target.front()));
  const bool is_below = gap.both > 0 && gap.missed == 0 && gap.share <= -kClearlyBelow;
  Claim claim{.figure = "fig6",
              .source = who == "pact" ? "PACT, fig. 6" : "ours",
              .says = fmt::format("{} spends at least {:.0f} % less than {} at the tightest target "
                                  "(deadline {})",
                                  who, 100 * kClearlyBelow, than, regime.id),
              .found = theirs.reached == 0 ? alone_text(than, ours) : gap_text(gap),
              .verdict = verdict_if(gap.is_known() || is_alone(ours, theirs),
                                    is_below || is_alone(ours, theirs)),
              .margin = gap.both > 0 ? 100 * (-kClearlyBelow - gap.share) : kNoMargin,
              .unit = "points"};
  const EnergyGap best = gap_between(findings, regime.id, "optimum", than, target);
  if (!claim.holds() && best.both > 0)
    claim.found +=
        fmt::format("; the optimum spends {:.1f} % less", std::max(0.0, -100 * best.share));
  return with_misses(std::move(claim), gap);
}

Claim alike_claim(const Findings& findings, const EvidenceInput& input, const Regime& regime) {
  const std::vector<double> target{loosest(input)};
  double most = 0;
  bool known = true;
  std::string who;
  for (const char* name : {"pact", "static-learn", "one-switch"}) {
    const EnergyGap gap = gap_between(findings, regime.id, name, "optimum", target);
    known = known && gap.both > 0;
    if (gap.both == 0 || gap.share < most) continue;
    most = gap.share;
    who = name;
  }
  return {.figure = "fig6",
          .source = "PACT, fig. 6",
          .says = fmt::format("all strategies spend much the same, within {:.0f} % of the optimum, "
                              "at the loosest target (deadline {})",
                              100 * kAlike, regime.id),
          .found = who.empty() ? "none spends more than the optimum"
                               : fmt::format("{} spends {:+.1f} %", who, 100 * most),
          .verdict = verdict_if(known || most > kAlike, most <= kAlike),
          .margin = 100 * (kAlike - most),
          .unit = "points"};
}

Claim diverging_claim(const Findings& findings, const EvidenceInput& input, const Regime& regime,
                      const std::string& who) {
  const std::vector<double> tight{tightest(input)};
  const std::vector<double> loose{loosest(input)};
  const EnergyGap at_tight = gap_between(findings, regime.id, who, "optimum", tight);
  const EnergyGap at_loose = gap_between(findings, regime.id, who, "optimum", loose);
  const bool known = at_tight.both > 0 && at_loose.both > 0;
  const bool drops_out = at_loose.both > 0 && at_tight.both == 0;
  Claim claim{
      .figure = "fig6",
      .source = "PACT, fig. 6",
      .says = fmt::format("{} falls behind the optimum as the target tightens (deadline {})", who,
                          regime.id),
      .found = "no course gets to the loosest target",
      .verdict = verdict_if(known || drops_out, drops_out || at_tight.share > at_loose.share),
      .margin = known ? 100 * (at_tight.share - at_loose.share) : kNoMargin,
      .unit = "points"};
  if (at_loose.both > 0)
    claim.found =
        fmt::format("{:+.1f} % at the loosest target, {} at the tightest", 100 * at_loose.share,
                    known ? fmt::format("{:+.1f} %", 100 * at_tight.share) : "no course");
  return claim;
}

std::vector<Claim> target_claims(const EvidenceInput& input, const Findings& findings) {
  std::vector<Claim> claims;
  for (const Regime& regime : input.regimes) {
    if (!input.forecasters.empty()) {
      claims.push_back(close_claim(findings, input, regime, "pact", kCloseToOptimum));
      claims.push_back(close_claim(findings, input, regime, "policy", kPolicyToOptimum));
      for (const char* who : {"pact", "policy"}) {
        for (const char* than : {"static-learn", "one-switch"})
          claims.push_back(better_claim(findings, input, regime, who, than));
      }
      claims.push_back(alike_claim(findings, input, regime));
    }
    for (const char* who : {"static-learn", "one-switch"})
      claims.push_back(diverging_claim(findings, input, regime, who));
  }
  return claims;
}

}  // namespace

FigureEntry energy_by_target() {
  return {.id = "fig6",
          .about = "energy by target for all strategies, and the courses of one seed",
          .estimators = FigureEntry::Estimators::Useful,
          .trials = target_trials,
          .show = show_targets,
          .claims = target_claims};
}

}  // namespace espalier
