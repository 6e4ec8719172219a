// SPDX-License-Identifier: Apache-2.0
// How far the world that strategies are tried in can be trusted.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "evidence/figures.h"

namespace espalier {
namespace {

constexpr double kWantedError = 0.1;

void find_replay(const EvidenceInput& input, Findings& findings, const FindingWatch& watch) {
  findings.replay = measure_replay(input.rows, input.targets, input.workers);
  watch.done();
}

ChartSeries replayed_series(const ReplayAccuracy& accuracy, bool between, std::size_t colour) {
  ChartSeries series{.name = between ? "left out between two others" : "left out at an end",
                     .colour = colour,
                     .mark = ChartSeries::Mark::Dots};
  for (const ReplayedRun& run : accuracy.runs) {
    if (run.is_between == between)
      series.points.push_back(
          {static_cast<double>(run.real_epochs), static_cast<double>(run.replayed_epochs)});
  }
  return series;
}

Sheet replay_sheet(const ReplayAccuracy& accuracy) {
  Sheet sheet{
      .name = "environment",
      .columns = {"run", "left out", "target loss", "real epochs", "replayed epochs", "error"},
      .rows = {},
      .is_shown = false};
  for (const ReplayedRun& run : accuracy.runs)
    sheet.rows.push_back({run.run, std::string(run.is_between ? "between two" : "at an end"),
                          run.target, static_cast<double>(run.real_epochs),
                          static_cast<double>(run.replayed_epochs), run.error()});
  return sheet;
}

Sheet median_sheet(const EvidenceInput& input, const ReplayAccuracy& accuracy) {
  Sheet sheet{.name = "environment-medians",
              .columns = {"target loss", "left out", "runs", "median error"}};
  for (const double target : input.targets) {
    for (const bool between : {true, false}) {
      ReplayAccuracy some;
      std::ranges::copy_if(accuracy.runs, std::back_inserter(some.runs),
                           [&](const ReplayedRun& run) {
                             return run.target == target && run.is_between == between;
                           });
      const auto median = median_replay_error(some, between);
      if (median)
        sheet.rows.push_back({target, std::string(between ? "between two" : "at an end"),
                              static_cast<double>(some.runs.size()), *median});
    }
  }
  return sheet;
}

Exhibit show_replay(const EvidenceInput& input, const Findings& findings) {
  const ReplayAccuracy& accuracy = *findings.replay;
  Exhibit exhibit{
      .id = "environment",
      .title = "How far the traced world can be trusted",
      .words = {"Strategies may change after epochs at which nobody traced it; then losses are "
                "interpolated between traced changes. Here each traced change is left out in turn, "
                "with all that grew from it, and replayed from the rest of its seed: how many "
                "epochs does the whole course take to a target, in truth and replayed? A change "
                "between two others is what strategies mostly ask for; at an end there is only one "
                "neighbour, further away."}};
  exhibit.charts.push_back(
      {.title = "Epochs to the target",
       .about = "each dot: a real run that was left out, at one target",
       .x_name = "real epochs",
       .y_name = "replayed epochs",
       .series = {replayed_series(accuracy, true, 0), replayed_series(accuracy, false, 1)},
       .has_diagonal = true});
  exhibit.sheets = {median_sheet(input, accuracy), replay_sheet(accuracy)};
  return exhibit;
}

std::vector<Claim> replay_claims(const EvidenceInput&, const Findings& findings) {
  std::vector<Claim> claims;
  for (const bool between : {true, false}) {
    const auto median = median_replay_error(*findings.replay, between);
    if (!median) continue;
    claims.push_back(
        {.figure = "environment",
         .source = "ours",
         .says = fmt::format("the traced world predicts the epochs to a target of real runs that "
                             "were left out {} within 10 % (median)",
                             between ? "between two others" : "at an end"),
         .found = fmt::format("median error {:.1f} %", 100 * *median),
         .verdict = verdict_if(true, *median <= kWantedError),
         .margin = 100 * (kWantedError - *median),
         .unit = "points"});
  }
  return claims;
}

}  // namespace

FigureEntry replay_error() {
  return {.id = "environment",
          .about = "error of the traced world on real runs that were left out",
          .find = find_replay,
          .pieces = 1,
          .show = show_replay,
          .claims = replay_claims};
}

}  // namespace espalier
