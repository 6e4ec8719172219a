// SPDX-License-Identifier: Apache-2.0
#include "page/plain_report.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/provenance.h"
#include "render/chart.h"
#include "render/figures.h"
#include "render/html_page.h"
#include "render/run_json.h"

namespace espalier {
namespace {

constexpr const char* kNone = "–";

std::string text_of(const PlaceName& place) {
  std::string text = place.model + " on " + place.nodes;
  if (!place.data.empty()) text += ", " + place.data;
  if (!place.level.empty()) text += ", " + place.level;
  return text;
}

EpochNews last_epoch(const WatchedStory& story) {
  return story.epochs.empty() ? EpochNews{.loss = story.head.start_loss} : story.epochs.back();
}

// By its end a run may have spent more than by its last epoch.
EpochNews last_figures(const WatchedStory& story) {
  EpochNews last = last_epoch(story);
  if (!story.end) return last;
  last.time = std::max(last.time, story.end->time);
  last.energy = std::max(last.energy, story.end->energy);
  return last;
}

std::size_t switches_in(const WatchedStory& story) {
  return static_cast<std::size_t>(std::ranges::count_if(
      story.epochs, [](const EpochNews& epoch) { return !epoch.reason.empty(); }));
}

std::string about(const WatchedStory& story) {
  return fmt::format("{}, planned by {}; to a loss of {} within {}", story.head.scenario,
                     story.head.strategy, loss_figure(story.head.goal.loss),
                     duration(story.head.goal.deadline));
}

void add_figures(HtmlPage& page, const WatchedStory& story) {
  const EpochNews last = last_figures(story);
  const Goal& goal = story.head.goal;
  std::string energy = story.epochs.empty() ? "energy" : text_of(energy_source(story));
  std::string time = "of " + duration(goal.deadline);
  if (!story.first_course.empty()) {
    energy += ", planned at first " + energy_figure(story.first_course.back().energy);
    time += ", planned at first " + duration(story.first_course.back().time);
  }
  page.cards(
      {{loss_figure(last.loss), "loss; the goal is " + loss_figure(goal.loss),
        last.loss <= goal.loss},
       {energy_figure(last.energy), energy},
       {duration(last.time), time, last.time <= goal.deadline},
       {std::to_string(last.epoch), fmt::format("epochs, {} with a switch", switches_in(story))},
       {std::to_string(story.nodes.size()), "nodes"}});
}

// One value of every epoch; the first point is where the run began.
template <class Steps, class Value>
ChartSeries series(const std::string& name, const Steps& steps, double first, Value value) {
  ChartSeries series{.name = name, .points = {{0, first}}};
  for (const auto& step : steps)
    series.points.push_back({static_cast<double>(step.epoch), value(step)});
  return series;
}

ChartSeries as_planned(ChartSeries series) {
  series.colour = 1;
  series.mark = ChartSeries::Mark::Dashed;
  return series;
}

std::string loss_picture(const WatchedStory& story) {
  Chart chart{.title = "Loss", .x_name = "epoch", .y_name = "loss"};
  const double start = story.head.start_loss.value;
  chart.series.push_back(
      series("observed", story.epochs, start, [](const EpochNews& e) { return e.loss.value; }));
  if (!story.first_course.empty())
    chart.series.push_back(
        as_planned(series("planned at first", story.first_course, start,
                          [](const ForeseenStep& step) { return step.expected.value; })));
  chart.level = story.head.goal.loss.value;
  return chart_svg(chart);
}

std::string energy_picture(const WatchedStory& story) {
  Chart chart{.title = "Energy", .x_name = "epoch", .y_name = "J since the run began"};
  chart.series.push_back(
      series("spent", story.epochs, 0, [](const EpochNews& e) { return e.energy.value; }));
  if (!story.first_course.empty())
    chart.series.push_back(
        as_planned(series("planned at first", story.first_course, 0,
                          [](const ForeseenStep& step) { return step.energy.value; })));
  return chart_svg(chart);
}

void add_epochs(HtmlPage& page, const WatchedStory& story) {
  if (story.epochs.empty()) return;
  page.head("Epochs");
  page.pictures({loss_picture(story), energy_picture(story)});
  const EnergyScale energy(last_epoch(story).energy);
  std::vector<HtmlPage::Row> rows;
  for (const EpochNews& epoch : story.epochs)
    rows.push_back(
        {{std::to_string(epoch.epoch), text_of(epoch.place), std::string(name_of(epoch.provenance)),
          loss_figure(epoch.loss), epoch.planned_loss ? loss_figure(*epoch.planned_loss) : kNone,
          duration(epoch.time), energy(epoch.energy),
          epoch.planned_energy ? energy(*epoch.planned_energy) : kNone,
          std::to_string(epoch.members)},
         epoch.reason.empty() ? "" : "used"});
  page.table({"epoch", "where", "energy is", "loss", "planned", "time so far", "energy so far",
              "planned", "updates"},
             rows, 3);
}

void add_switches(HtmlPage& page, const WatchedStory& story) {
  std::vector<HtmlPage::Row> rows;
  for (const EpochNews& epoch : story.epochs)
    if (!epoch.reason.empty())
      rows.push_back({{std::to_string(epoch.epoch), text_of(epoch.place), epoch.reason}});
  if (rows.empty()) return;
  page.head("Switches");
  page.table({"epoch", "to", "why"}, rows, 3);
}

void add_plans(HtmlPage& page, const WatchedStory& story) {
  std::vector<HtmlPage::Row> rows;
  for (const ToldPlan& told : story.plans)
    rows.push_back({{std::to_string(told.plan.epoch), duration(told.at), told.plan.sentence}});
  if (rows.empty()) return;
  page.head("Plans");
  page.table({"after epoch", "at", "what the strategy said"}, rows, 3);
}

void add_nodes(HtmlPage& page, const WatchedStory& story) {
  constexpr const char* kStates[] = {"never came", "there", "silent", "lost"};
  std::vector<HtmlPage::Row> rows;
  for (const auto& [name, node] : story.nodes)
    rows.push_back(
        {{name, node.nodes, kStates[static_cast<std::size_t>(node.state)],
          node.energy_source.empty() ? kNone : node.energy_source, energy_figure(node.energy),
          std::to_string(node.samples), node.epoch_time ? duration(*node.epoch_time) : kNone,
          fmt::format("{:.1f} MB", static_cast<double>(node.bytes) / 1e6)},
         node.state == WatchedState::Online ? "" : "soft"});
  if (rows.empty()) return;
  page.head("Nodes");
  page.table({"node", "node set", "at the end", "its energy is", "energy", "samples", "last epoch",
              "sent"},
             rows, 4);
}

void add_remarks(HtmlPage& page, const WatchedStory& story) {
  if (story.remarks.empty()) return;
  page.head("On the way");
  std::vector<std::string> sentences;
  for (const ToldRemark& remark : story.remarks)
    sentences.push_back(duration(remark.at) + ": " + remark.text);
  page.list(sentences);
}

}  // namespace

std::string plain_report(const ReportContent& content, const WatchedStory& story) {
  HtmlPage page(content.title, about(story));
  if (story.end) page.say(story.end->sentence);
  add_figures(page, story);
  page.say("Times and energies " + story.head.source + ".");
  add_epochs(page, story);
  add_switches(page, story);
  add_plans(page, story);
  add_nodes(page, story);
  add_remarks(page, story);
  if (!content.scenario_text.empty()) page.fold("Scenario", content.scenario_text);
  if (!content.made.empty()) page.say(content.made);
  return page.finish();
}

}  // namespace espalier
