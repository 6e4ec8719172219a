// SPDX-License-Identifier: Apache-2.0
// DepL: achieved against asked probabilities, and what they cost.
#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "evidence/figures.h"

namespace espalier {
namespace {

constexpr double kDeplToOptimum = 0.10;

void find_promises(const EvidenceInput& input, Findings& findings, const FindingWatch& watch) {
  Scenario scenario = *input.ruled;
  std::vector<double> targets = input.targets;
  std::ranges::sort(targets);
  scenario.goal.loss = Loss{targets[targets.size() / 2]};
  scenario.goal.deadline = input.regimes.front().deadline;
  findings.promises = study_promises(scenario, {.workers = input.workers}, watch.stop, watch.done);
}

using ByStrategy = std::map<std::string, std::vector<const PromiseRow*>>;

ByStrategy by_strategy(const PromiseStudy& study) {
  ByStrategy all;
  for (const PromiseRow& row : study.rows) all[row.strategy].push_back(&row);
  return all;
}

std::vector<Chart> promise_charts(const PromiseStudy& study) {
  Chart achieved{.title = "Achieved and asked probabilities",
                 .about = fmt::format("{} fresh runs each; bands: 95 % intervals", study.runs),
                 .x_name = "probability asked for",
                 .y_name = "share of runs that reach the goal",
                 .has_diagonal = true};
  Chart cost{.title = "Cost of a probability",
             .about = "each dot: what was asked; dashed line: the clairvoyant optimum",
             .x_name = "share of runs that reach the goal",
             .y_name = "mean energy (units of an epoch of L)",
             .level = study.clairvoyant_energy};
  std::size_t colour = 0;
  for (const auto& [strategy, rows] : by_strategy(study)) {
    ChartSeries shares{.name = strategy, .colour = colour};
    ChartSeries costs{.name = strategy, .colour = colour++};
    for (const PromiseRow* row : rows) {
      if (!row->promised) continue;
      shares.points.push_back({row->asked, row->achieved, row->interval.low, row->interval.high});
      costs.points.push_back({row->achieved, row->energy});
    }
    if (shares.points.empty()) continue;
    achieved.series.push_back(std::move(shares));
    cost.series.push_back(std::move(costs));
  }
  return {achieved, cost};
}

Sheet promise_sheet(const PromiseStudy& study) {
  Sheet sheet{.name = "depl",
              .columns = {"strategy", "asked", "promised", "achieved", "low", "high", "mean energy",
                          "above the optimum"}};
  for (const PromiseRow& row : study.rows) {
    if (row.promised) {
      sheet.rows.push_back({row.strategy, row.asked, std::string("yes"), row.achieved,
                            row.interval.low, row.interval.high, row.energy, row.excess});
    } else {
      sheet.rows.push_back({row.strategy, row.asked, std::string("no"), std::string(),
                            std::string(), std::string(), std::string(), std::string()});
    }
  }
  return sheet;
}

Exhibit show_promises(const EvidenceInput&, const Findings& findings) {
  const PromiseStudy& study = *findings.promises;
  return {
      .id = "depl",
      .title = "Promises: achieved probabilities, and what they cost (DepL)",
      .words = {fmt::format(
                    "A few seeds cannot tell 95 % from 98 %. So here the world is one of rules "
                    "and luck, both as the traces have them: mean curves, and the spread of the "
                    "seeds around them. The goal is a loss of {:g} by {:g} time units: three "
                    "quarters more than the plan takes that is blind to luck.",
                    study.goal.loss.value, study.goal.deadline.value),
                "expectation plans with expected values, and follows its plan. "
                "expectation-margin does the same for a lower target, the highest that keeps "
                "the promise: expectation at equal probability. depl knows the distribution; "
                "policy also observes the run. The clairvoyant knows the luck of every run in "
                "advance. Mean energies are over all runs, those that miss included."},
      .charts = promise_charts(study),
      .sheets = {promise_sheet(study)}};
}

// --- claims

Claim kept_claim(const PromiseStudy& study, const std::string& who) {
  double worst = 1;
  bool kept = true;
  std::size_t promised = 0;
  for (const PromiseRow& row : study.rows) {
    if (row.strategy != who || !row.promised) continue;
    ++promised;
    worst = std::min(worst, row.achieved - row.asked);
    kept = kept && row.interval.high >= row.asked;
  }
  return {.figure = "depl",
          .source = who == "depl" ? "DepL" : "ours",
          .says = fmt::format("{} achieves the probability that it promises", who),
          .found = promised == 0 ? "it promised nothing"
                                 : fmt::format("{} promises; the worst is off by {:+.2f} points",
                                               promised, 100 * worst),
          .verdict = verdict_if(promised > 0, kept),
          .margin = promised == 0 ? kNoMargin : 100 * worst,
          .unit = "points"};
}

Claim blind_claim(const PromiseStudy& study) {
  std::optional<double> most;
  for (const PromiseRow& row : study.rows) {
    if (row.strategy == "expectation" && row.promised)
      most = std::max(most.value_or(-1), row.asked - row.achieved);
  }
  return {.figure = "depl",
          .source = "DepL",
          .says = "planning with expected values alone misses the target more often than asked",
          .found = most ? fmt::format("by up to {:.1f} points", 100 * std::max(0.0, *most))
                        : "it has no plan",
          .verdict = verdict_if(most.has_value(), most.value_or(0) > 0),
          .margin = most ? 100 * *most : kNoMargin,
          .unit = "points"};
}

const PromiseRow* row_of(const PromiseStudy& study, const std::string& who, double asked) {
  for (const PromiseRow& row : study.rows) {
    if (row.strategy == who && row.asked == asked && row.promised) return &row;
  }
  return nullptr;
}

// Against expectation at equal probability; DepL says by over 27 %.
Claim cheaper_claim(const PromiseStudy& study, const std::string& who) {
  constexpr double kPapersShare = 0.27;
  double sum = 0;
  int count = 0;
  int alone = 0;
  for (const PromiseRow& row : study.rows) {
    if (row.strategy != who || !row.promised) continue;
    const PromiseRow* other = row_of(study, "expectation-margin", row.asked);
    if (other == nullptr) {
      ++alone;
      continue;
    }
    sum += 1 - row.energy / other->energy;
    ++count;
  }
  const double saved = count > 0 ? sum / count : 0;
  return {.figure = "depl",
          .source = who == "depl" ? "DepL" : "ours",
          .says = fmt::format("{} costs over 27 % less than the expectation-based plan at equal "
                              "probability",
                              who),
          .found = (count > 0 ? fmt::format("{:.1f} % less over {} promises", 100 * saved, count)
                              : std::string("no promise that both can make")) +
                   fmt::format("; {} that only {} can make", alone, who),
          .verdict = verdict_if(count > 0, saved > kPapersShare),
          .margin = count > 0 ? 100 * (saved - kPapersShare) : kNoMargin,
          .unit = "points"};
}

Claim optimum_claim(const PromiseStudy& study, const std::string& who) {
  double sum = 0;
  int count = 0;
  for (const PromiseRow& row : study.rows) {
    if (row.strategy != who || !row.promised) continue;
    sum += row.excess;
    ++count;
  }
  const double excess = count > 0 ? sum / count : 0;
  return {.figure = "depl",
          .source = who == "depl" ? "DepL" : "ours",
          .says = fmt::format("{} closely matches the optimum, within {:.0f} % of what the "
                              "clairvoyant spends on the same runs",
                              who, 100 * kDeplToOptimum),
          .found = count > 0 ? fmt::format("{:+.1f} % over {} promises", 100 * excess, count)
                             : "it promised nothing",
          .verdict = verdict_if(count > 0, excess <= kDeplToOptimum),
          .margin = count > 0 ? 100 * (kDeplToOptimum - excess) : kNoMargin,
          .unit = "points"};
}

std::vector<Claim> promise_claims(const EvidenceInput&, const Findings& findings) {
  const PromiseStudy& study = *findings.promises;
  std::vector<Claim> claims;
  for (const char* who : {"depl", "policy"}) claims.push_back(kept_claim(study, who));
  claims.push_back(blind_claim(study));
  for (const char* who : {"depl", "policy"}) claims.push_back(cheaper_claim(study, who));
  for (const char* who : {"depl", "policy"}) claims.push_back(optimum_claim(study, who));
  return claims;
}

}  // namespace

FigureEntry promises_kept() {
  return {.id = "depl",
          .about = "DepL: achieved against asked probabilities, and what they cost",
          .needs_rules = true,
          .find = find_promises,
          .pieces = promise_row_count(),
          .show = show_promises,
          .claims = promise_claims};
}

}  // namespace espalier
