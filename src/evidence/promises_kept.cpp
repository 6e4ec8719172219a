// SPDX-License-Identifier: Apache-2.0
// DepL: achieved against asked probabilities, and what they cost.
#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "evidence/figures.h"

namespace espalier {
namespace {

constexpr double kDeplToOptimum = 0.10;
constexpr double kNoFigure = std::numeric_limits<double>::quiet_NaN();

// At the middle target, and where expectation with a margin can promise everything that is asked:
// only there costs at equal probability can be compared.
void find_promises(const EvidenceInput& input, Findings& findings, const FindingWatch& watch) {
  Scenario scenario = *input.ruled;
  std::vector<double> targets = input.targets;
  std::ranges::sort(targets);
  scenario.goal.loss = Loss{targets[targets.size() / 2]};
  scenario.goal.deadline = input.regimes.front().deadline;
  const auto study = [&] {
    findings.promises.push_back(
        study_promises(scenario, {.workers = input.workers}, watch.stop, watch.done));
  };
  study();
  const auto roomy = target_with_room(scenario, watch.stop);
  if (!roomy || *roomy == scenario.goal.loss) return;
  scenario.goal.loss = *roomy;
  study();
}

using ByStrategy = std::map<std::string, std::vector<const PromiseRow*>>;

ByStrategy by_strategy(const PromiseStudy& study) {
  ByStrategy all;
  for (const PromiseRow& row : study.rows) all[row.strategy].push_back(&row);
  return all;
}

std::vector<Chart> promise_charts(const PromiseStudy& study) {
  Chart achieved{
      .title = fmt::format("Achieved and asked probabilities, target {:g}", study.goal.loss.value),
      .about = fmt::format("{} fresh runs each; bands: 95 % intervals", study.runs),
      .x_name = "probability asked for",
      .y_name = "share of runs that reach the goal",
      .has_diagonal = true};
  Chart cost{.title = fmt::format("Cost of a probability, target {:g}", study.goal.loss.value),
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

Sheet promise_sheet(const std::vector<PromiseStudy>& studies) {
  Sheet sheet{.name = "depl",
              .columns = {"strategy", "target loss", "deadline", "asked", "promised", "achieved",
                          "low", "high", "mean energy", "above the optimum"}};
  for (const PromiseStudy& study : studies) {
    for (const PromiseRow& row : study.rows) {
      const auto or_none = [&](double value) { return row.promised ? value : kNoFigure; };
      sheet.rows.push_back({row.strategy, study.goal.loss.value, study.goal.deadline.value,
                            row.asked, std::string(row.promised ? "yes" : "no"),
                            or_none(row.achieved), or_none(row.interval.low),
                            or_none(row.interval.high), or_none(row.energy), or_none(row.excess)});
    }
  }
  return sheet;
}

std::string goals_text(const std::vector<PromiseStudy>& studies) {
  std::string text;
  for (const PromiseStudy& study : studies)
    text += fmt::format("{}{:g} by {:g}", text.empty() ? "" : ", and ", study.goal.loss.value,
                        study.goal.deadline.value);
  return text;
}

Exhibit show_promises(const EvidenceInput&, const Findings& findings) {
  Exhibit exhibit{
      .id = "depl",
      .title = "Promises: achieved probabilities, and what they cost (DepL)",
      .words =
          {"A few seeds cannot tell 95 % from 98 %. So here the world is one of rules and luck, "
           "both as the traces have them: mean curves, and the spread of the seeds around them.",
           fmt::format("The goals, loss by time: {}. The times are three quarters more than the "
                       "plan takes that is blind to luck. The first loss is the middle target; a "
                       "second one is the lowest, in steps of 0.05 upwards, at which "
                       "expectation-margin can promise every probability that is asked. It aims "
                       "lower, and no loss is below nothing: at low targets there is no room for a "
                       "margin, whatever the deadline, and so nothing to compare with.",
                       goals_text(findings.promises)),
           "expectation plans with expected values, and follows its plan. "
           "expectation-margin does the same for a lower target, the highest that keeps "
           "the promise: expectation at equal probability. depl knows the distribution; "
           "policy also observes the run. The clairvoyant knows the luck of every run in "
           "advance. Mean energies are over all runs, those that miss included."},
      .sheets = {promise_sheet(findings.promises)}};
  for (const PromiseStudy& study : findings.promises) {
    for (Chart& chart : promise_charts(study)) exhibit.charts.push_back(std::move(chart));
  }
  return exhibit;
}

// --- claims

using Studies = std::vector<PromiseStudy>;

// Of all goals.
std::vector<const PromiseRow*> promises_of(const Studies& studies, const std::string& who) {
  std::vector<const PromiseRow*> rows;
  for (const PromiseStudy& study : studies) {
    for (const PromiseRow& row : study.rows) {
      if (row.strategy == who && row.promised) rows.push_back(&row);
    }
  }
  return rows;
}

Claim kept_claim(const Studies& studies, const std::string& who) {
  double worst = 1;
  bool kept = true;
  const auto rows = promises_of(studies, who);
  const std::size_t promised = rows.size();
  for (const PromiseRow* row : rows) {
    worst = std::min(worst, row->achieved - row->asked);
    kept = kept && row->interval.high >= row->asked;
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

Claim blind_claim(const Studies& studies) {
  std::optional<double> most;
  for (const PromiseRow* row : promises_of(studies, "expectation"))
    most = std::max(most.value_or(-1), row->asked - row->achieved);
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
Claim cheaper_claim(const Studies& studies, const std::string& who) {
  constexpr double kPapersShare = 0.27;
  double sum = 0;
  int count = 0;
  int alone = 0;
  for (const PromiseStudy& study : studies) {
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

Claim optimum_claim(const Studies& studies, const std::string& who) {
  const auto rows = promises_of(studies, who);
  const std::size_t count = rows.size();
  double sum = 0;
  for (const PromiseRow* row : rows) sum += row->excess;
  const double excess = count > 0 ? sum / static_cast<double>(count) : 0;
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
  const Studies& studies = findings.promises;
  std::vector<Claim> claims;
  for (const char* who : {"depl", "policy"}) claims.push_back(kept_claim(studies, who));
  claims.push_back(blind_claim(studies));
  for (const char* who : {"depl", "policy"}) claims.push_back(cheaper_claim(studies, who));
  for (const char* who : {"depl", "policy"}) claims.push_back(optimum_claim(studies, who));
  return claims;
}

}  // namespace

FigureEntry promises_kept() {
  return {.id = "depl",
          .about = "DepL: achieved against asked probabilities, and what they cost",
          .needs_rules = true,
          .find = find_promises,
          .pieces = 2 * promise_row_count(),
          .show = show_promises,
          .claims = promise_claims};
}

}  // namespace espalier
