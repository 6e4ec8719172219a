// SPDX-License-Identifier: Apache-2.0
#include "evidence/effect_figures.h"

#include <limits>

#include <fmt/format.h>

#include "evidence/tally.h"
#include "evidence/trials.h"

namespace espalier {
namespace {

constexpr double kLimitedEffect = 0.10;
constexpr double kNoSwitch = std::numeric_limits<double>::quiet_NaN();

std::vector<double> targets_for(const EvidenceInput& input, const Variants& variants) {
  return variants.has_few_targets ? some_targets(input) : input.targets;
}

std::vector<std::string> names_of(const Variants& variants) {
  std::vector<std::string> names;
  for (const Contender& one : variants.contenders) names.push_back(one.name);
  names.emplace_back("static-learn");
  return names;
}

// The page shows the tightest and the loosest target.
Sheet switch_sheet(const EvidenceInput& input, const Findings& findings, const Variants& variants) {
  Sheet sheet{.name = variants.id + "-switches",
              .columns = {"deadline", "who", "target loss", "first switch after",
                          "second switch "
                          "after"}};
  for (const Regime& regime : input.regimes) {
    for (const double target : targets_for(input, variants)) {
      for (const std::string& who : names_of(variants)) {
        if (outcomes_of(findings, regime.id, who, target).empty()) continue;
        const auto at = [&](std::size_t n) {
          return mean_switch(findings, regime.id, who, target, n).value_or(kNoSwitch);
        };
        if (target == tightest(input) || target == loosest(input))
          sheet.rows_on_page.push_back(sheet.rows.size());
        sheet.rows.push_back({regime.id, who, target, at(0), at(1)});
      }
    }
  }
  return sheet;
}

Chart loss_chart(const EvidenceInput& input, const Findings& findings, const Regime& regime,
                 const Variants& variants) {
  Chart chart{.title = fmt::format("Loss over time, deadline {}", regime.id),
              .about = fmt::format("first seed, target {:g}{}", tightest(input),
                                   regime.binds ? "; upright: the deadline" : ""),
              .x_name = "time (units of an epoch of L)",
              .y_name = "loss",
              .level = tightest(input),
              .limit = drawn_deadline(regime)};
  const auto names = names_of(variants);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto outcomes = outcomes_of(findings, regime.id, names[i], tightest(input));
    if (outcomes.empty() || outcomes.front()->steps.empty()) continue;
    ChartSeries series{.name = outcomes.front()->reached ? names[i] : names[i] + " (missed)",
                       .colour = i};
    for (const OutcomeStep& step : outcomes.front()->steps)
      series.points.push_back({step.time, step.loss});
    chart.series.push_back(std::move(series));
  }
  return chart;
}

}  // namespace

std::vector<TargetTrial> variant_trials(const EvidenceInput& input, const Variants& variants) {
  std::vector<Contender> contenders = variants.contenders;
  contenders.push_back(contender_named("static-learn"));
  std::vector<TargetTrial> trials;
  for (const Regime& regime : input.regimes) {
    const auto some = trials_of(input, regime.id, contenders, targets_for(input, variants));
    trials.insert(trials.end(), some.begin(), some.end());
  }
  return trials;
}

Exhibit show_variants(const EvidenceInput& input, const Findings& findings,
                      const Variants& variants) {
  Exhibit exhibit{.id = variants.id, .title = variants.title, .words = variants.words};
  const auto names = names_of(variants);
  for (std::string& words : untraced_words(input, findings, names))
    exhibit.words.push_back(std::move(words));
  for (const Regime& regime : input.regimes) {
    Chart chart{.title = fmt::format("Energy by target, deadline {}", regime.id),
                .about = "mean of the seeds that reached it; bands from the least to the most",
                .x_name = "target loss ℓmax",
                .y_name = "energy (units of an epoch of L)"};
    for (std::size_t i = 0; i < names.size(); ++i) {
      ChartSeries series =
          energy_series(findings, regime.id, names[i], targets_for(input, variants), i);
      if (has_energies(series)) chart.series.push_back(std::move(series));
    }
    exhibit.charts.push_back(std::move(chart));
    exhibit.charts.push_back(loss_chart(input, findings, regime, variants));
  }
  exhibit.sheets = {overview_sheet(variants.id + "-overview", input, findings, names),
                    switch_sheet(input, findings, variants),
                    energy_sheet(variants.id, input, findings, names, input.targets),
                    try_sheet(variants.id + "-tries", findings, names)};
  return exhibit;
}

Claim limited_effect_claim(const EvidenceInput& input, const Findings& findings,
                           const Regime& regime, const Variants& variants,
                           const std::string& variant, const std::string& usual) {
  const EnergyGap gap = gap_between(findings, regime.id, variant, usual, input.targets);
  return with_misses(
      {.figure = variants.id,
       .source = fmt::format("PACT, fig. {}", variants.id.substr(3)),
       .says = fmt::format("{} spends at most {:.0f} % more than {}, and misses no more (deadline "
                           "{})",
                           variant, 100 * kLimitedEffect, usual, regime.id),
       .found = gap_text(gap),
       .verdict = verdict_if(gap.is_known(), gap.missed == 0 && gap.share <= kLimitedEffect),
       .margin = gap.both > 0 ? 100 * (kLimitedEffect - gap.share) : kNoMargin,
       .unit = "points"},
      gap);
}

Claim still_better_claim(const EvidenceInput& input, const Findings& findings, const Regime& regime,
                         const Variants& variants, const std::string& variant) {
  const double target = tightest(input);
  const EnergyGap gap =
      gap_between(findings, regime.id, variant, "static-learn", std::vector<double>{target});
  const EnergyTally ours = tally_of(outcomes_of(findings, regime.id, variant, target));
  const EnergyTally theirs = tally_of(outcomes_of(findings, regime.id, "static-learn", target));
  return with_misses(
      {.figure = variants.id,
       .source = fmt::format("PACT, fig. {}", variants.id.substr(3)),
       .says = fmt::format("{} still spends less than static-learn at the tightest target "
                           "(deadline {})",
                           variant, regime.id),
       .found = theirs.reached == 0 ? alone_text("static-learn", ours) : gap_text(gap),
       .verdict = verdict_if(gap.is_known() || is_alone(ours, theirs),
                             is_alone(ours, theirs) || (gap.missed == 0 && gap.share < 0)),
       .margin = gap.both > 0 ? 0 - 100 * gap.share : kNoMargin,
       .unit = "points"},
      gap);
}

Claim switch_claim(const EvidenceInput& input, const Findings& findings, const Regime& regime,
                   const Variants& variants, const std::string& variant, const std::string& usual,
                   bool later) {
  const auto ours = mean_switch(findings, regime.id, variant, tightest(input), 0);
  const auto theirs = mean_switch(findings, regime.id, usual, tightest(input), 0);
  const double by = ours && theirs ? (later ? *ours - *theirs : *theirs - *ours) : 0;
  return {.figure = variants.id,
          .source = fmt::format("PACT, fig. {}", variants.id.substr(3)),
          .says = fmt::format("{} switches {} than {} at the tightest target (deadline {})",
                              variant, later ? "later" : "earlier", usual, regime.id),
          .found = ours && theirs ? fmt::format("first switch after {:.1f} against {:.1f} epochs",
                                                *ours, *theirs)
                                  : "one of them never switched",
          .verdict = verdict_if(ours && theirs, by > 0),
          .margin = ours && theirs ? by : kNoMargin,
          .unit = "epochs"};
}

}  // namespace espalier
