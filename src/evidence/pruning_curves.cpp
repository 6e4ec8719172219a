// SPDX-License-Identifier: Apache-2.0
// The paper's figure 2, straight from the traces: what pruning early or late, much or little, does
// to the loss over time.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "evidence/figures.h"
#include "experiments/run_id.h"
#include "render/figures.h"
#include "simulation/summary.h"

namespace espalier {
namespace {

// Who trains what.
struct PrunedPlace {
  std::string nodes{};
  double prune = 0;
  friend auto operator<=>(const PrunedPlace&, const PrunedPlace&) = default;
};

// A course with one pruning.
struct PrunedCourse {
  std::string nodes{};
  int after = 0;  // epochs
  double ratio = 0;
  friend auto operator<=>(const PrunedCourse&, const PrunedCourse&) = default;
};

using LossByEpoch = std::map<int, std::vector<double>>;  // of all seeds

// Machines are sometimes busy with other things; the median epoch is not.
std::map<PrunedPlace, double> usual_epoch_times(const std::vector<TraceRow>& rows) {
  std::map<PrunedPlace, std::vector<double>> times;
  for (const TraceRow& row : rows) {
    if (row.event == TraceEvent::Epoch && std::isfinite(row.time.value))
      times[{row.nodes, row.prune}].push_back(row.time.value);
  }
  std::map<PrunedPlace, double> usual;
  for (auto& [place, all] : times) usual[place] = spread_of(std::move(all)).p50;
  return usual;
}

struct PruningData {
  std::map<std::string, LossByEpoch> before{};      // by who begins
  std::map<PrunedCourse, LossByEpoch> after{};      // by epochs since the pruning
  std::map<PrunedCourse, std::string> beginners{};  // who had the network before
  std::map<PrunedPlace, double> epoch_time{};
};

PruningData gather_curves(const std::vector<TraceRow>& rows) {
  PruningData data;
  data.epoch_time = usual_epoch_times(rows);
  for (const TraceRow& row : rows) {
    const auto place = place_of(row.run);
    if (!place || !std::isfinite(row.loss.value)) continue;
    if (!place->origin) {
      data.before[row.nodes][row.epoch].push_back(row.loss.value);
      continue;
    }
    const auto pruned = place_of(place->origin->run);
    if (place->ratio || !pruned || !pruned->ratio || !pruned->origin) continue;
    const auto first = place_of(pruned->origin->run);
    if (!first || first->origin) continue;  // it was pruned before
    const PrunedCourse course{row.nodes, pruned->origin->steps, *pruned->ratio};
    data.after[course][row.epoch - course.after].push_back(row.loss.value);
    data.beginners[course] = first->nodes;
  }
  return data;
}

ChartPoint mean_point(double time, const std::vector<double>& losses) {
  const auto [low, high] = std::ranges::minmax(losses);
  return {time, spread_of(losses).mean, low, high};
}

double time_of(const PruningData& data, const std::string& nodes, double prune) {
  const auto found = data.epoch_time.find({nodes, prune});
  return found == data.epoch_time.end() ? 1 : found->second;
}

ChartSeries curve_of(const PruningData& data, const PrunedCourse& course, std::size_t colour,
                     bool is_dashed) {
  ChartSeries series{.name = fmt::format("{:g} % pruned after {}", 100 * course.ratio,
                                         counted(course.after, "epoch")),
                     .colour = colour,
                     .mark = is_dashed ? ChartSeries::Mark::Dashed : ChartSeries::Mark::Line};
  const std::string& beginner = data.beginners.at(course);
  const double first = time_of(data, beginner, 0);
  for (const auto& [epoch, losses] : data.before.at(beginner)) {
    if (epoch <= course.after) series.points.push_back(mean_point(first * epoch, losses));
  }
  const double then = time_of(data, course.nodes, course.ratio);
  for (const auto& [epoch, losses] : data.after.at(course))
    series.points.push_back(mean_point(first * course.after + then * epoch, losses));
  return series;
}

std::size_t place_in(const std::set<double>& all, double value) {
  return static_cast<std::size_t>(std::distance(all.begin(), all.find(value)));
}

Chart chart_for(const PruningData& data, const std::string& nodes) {
  std::set<double> epochs;
  std::set<double> ratios;
  for (const auto& [course, losses] : data.after) {
    epochs.insert(course.after);
    ratios.insert(course.ratio);
  }
  Chart chart{.title = "Pruned, then on " + nodes,
              .about = "mean of all seeds; bands from the lowest to the highest",
              .x_name = "time (s)",
              .y_name = "loss"};
  for (const auto& [course, losses] : data.after) {
    if (course.nodes == nodes)
      chart.series.push_back(curve_of(data, course, place_in(epochs, course.after),
                                      place_in(ratios, course.ratio) % 2 == 1));
  }
  return chart;
}

Sheet curve_sheet(const PruningData& data) {
  Sheet sheet{.name = "fig2",
              .columns = {"nodes", "pruned after", "share pruned", "epochs since", "mean loss",
                          "lowest", "highest", "seeds"},
              .rows = {},
              .is_shown = false};
  for (const auto& [course, curve] : data.after) {
    for (const auto& [epoch, losses] : curve) {
      const ChartPoint p = mean_point(0, losses);
      sheet.rows.push_back({course.nodes, static_cast<double>(course.after), course.ratio,
                            static_cast<double>(epoch), p.y, *p.low, *p.high,
                            static_cast<double>(losses.size())});
    }
  }
  return sheet;
}

Exhibit show_curves(const EvidenceInput& input, const Findings&) {
  const PruningData data = gather_curves(input.rows);
  Exhibit exhibit{
      .id = "fig2",
      .title = "Loss over time, by when and how much is pruned (PACT, fig. 2)",
      .words = {"Straight from the traces: a network is trained by those who begin, pruned, and "
                "handed over. Losses are those on the samples of whoever trains. Time is the "
                "median time of an epoch at each place, on the machine that made the traces."}};
  std::set<std::string> nodes;
  for (const auto& [course, curve] : data.after) nodes.insert(course.nodes);
  for (const std::string& name : nodes) exhibit.charts.push_back(chart_for(data, name));
  exhibit.sheets.push_back(curve_sheet(data));
  return exhibit;
}

}  // namespace

FigureEntry pruning_curves() {
  return {
      .id = "fig2", .about = "loss over time, by when and how much is pruned", .show = show_curves};
}

}  // namespace espalier
