// SPDX-License-Identifier: Apache-2.0
#include "trainer/profile_report.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/provenance.h"
#include "render/figures.h"
#include "render/json.h"
#include "render/sections.h"
#include "render/table.h"

namespace espalier {
namespace {

std::string millions(int64_t count) {
  return fmt::format("{:.3g} M", static_cast<double>(count) / 1e6);
}

class Page {
 public:
  Page(const ProfileReport& report, const Ink& ink)
      : report_(report), scenario_(report.scenario), ink_(ink) {}

  std::string text() const {
    std::string text = ink_(Style::Bold, printable(scenario_.name)) +
                       ink_(Style::Dim, " · what epochs, switches and hand-overs cost") + "\n\n";
    text += epochs().text(ink_);
    if (!report_.profile.switches.empty()) text += "\n" + switches().text(ink_);
    if (!report_.profile.hand_overs.empty()) text += "\n" + hand_overs().text(ink_);
    return text + notes_text(notes(), ink_) + next_text(report_.next, ink_);
  }

 private:
  const std::string& model(ModelId id) const { return scenario_.models[id.pos()].name; }
  const std::string& nodes(NodeSetId id) const { return scenario_.node_sets[id.pos()].name; }

  // Whose figures: a source goes on with how they were found, behind a colon.
  static Cell source(const StepCost& cost) {
    const std::string whose = cost.source.substr(0, cost.source.find(':'));
    return {std::string(name_of(cost.provenance)) + ", " + whose, Style::Dim};
  }

  Table epochs() const {
    Table table({{"model"},
                 {"nodes"},
                 {"one epoch", Align::Right},
                 {"spread", Align::Right},
                 {"energy", Align::Right},
                 {"parameters", Align::Right},
                 {"FLOPs/image", Align::Right},
                 {"energy is", Align::Left, Fit::Wrap}});
    for (const EpochProfile& e : report_.profile.epochs) {
      const bool is_model = e.cost.provenance == Provenance::Modelled && e.spread == 0;
      table.add({{model(e.model), Style::Bold},
                 {nodes(e.nodes)},
                 {duration(e.cost.time)},
                 {is_model ? "–" : percent(e.spread)},
                 {energy_figure(e.cost.energy)},
                 {millions(e.parameters)},
                 {millions(e.flops)},
                 source(e.cost)});
    }
    return table;
  }

  Table switches() const {
    Table table({{"switch"},
                 {"time", Align::Right},
                 {"energy", Align::Right},
                 {"energy is", Align::Left, Fit::Wrap}});
    for (const SwitchProfile& s : report_.profile.switches)
      table.add({{model(s.from) + " → " + model(s.to), Style::Bold},
                 {duration(s.cost.time)},
                 {energy_figure(s.cost.energy)},
                 source(s.cost)});
    return table;
  }

  Table hand_overs() const {
    Table table({{"hand-over"},
                 {"time", Align::Right},
                 {"energy", Align::Right},
                 {"energy is", Align::Left, Fit::Wrap}});
    for (const HandOverProfile& h : report_.profile.hand_overs)
      table.add({{nodes(h.from) + " → " + nodes(h.to), Style::Bold},
                 {duration(h.cost.time)},
                 {h.cost.source.empty() ? "none" : energy_figure(h.cost.energy)},
                 h.cost.source.empty() ? Cell{"within this machine", Style::Dim} : source(h.cost)});
    return table;
  }

  std::vector<std::string> notes() const {
    std::vector<std::string> notes{
        fmt::format(
            "epochs on this machine: {} images on one core, the median of {} after a first one; "
            "scaled to the images of the member that has most",
            report_.images, report_.repetitions),
        "epochs on other devices, and what is sent to them, are modelled from the catalogue",
        report_.meter,
        "a switch is told for the node set where it takes longest, a hand-over for the full "
        "network; within this machine its time is measured over loopback"};
    notes.push_back(report_.output.empty() ? "stopped early: nothing was written"
                                           : "written to " + report_.output);
    return notes;
  }

  const ProfileReport& report_;
  const Scenario& scenario_;
  const Ink& ink_;
};

Json cost_json(const StepCost& cost) {
  return {{"time", cost.time.value},
          {"energy", cost.energy.value},
          {"provenance", name_of(cost.provenance)},
          {"source", cost.source}};
}

Json joined(Json row, const StepCost& cost) {
  row.update(cost_json(cost));
  return row;
}

}  // namespace

std::string profile_text(const ProfileReport& report, const Ink& ink) {
  return Page(report, ink).text();
}

std::string profile_document(const ProfileReport& report) {
  const auto model = [&](ModelId id) { return report.scenario.models[id.pos()].name; };
  const auto nodes = [&](NodeSetId id) { return report.scenario.node_sets[id.pos()].name; };
  Json run = Json::array();
  for (const EpochProfile& e : report.profile.epochs)
    run.push_back(joined({{"model", model(e.model)},
                          {"nodes", nodes(e.nodes)},
                          {"spread", e.spread},
                          {"parameters", e.parameters},
                          {"flops_per_image", e.flops}},
                         e.cost));
  Json switches = Json::array();
  for (const SwitchProfile& s : report.profile.switches)
    switches.push_back(joined({{"from", model(s.from)}, {"to", model(s.to)}}, s.cost));
  Json hand_overs = Json::array();
  for (const HandOverProfile& h : report.profile.hand_overs)
    hand_overs.push_back(joined({{"from", nodes(h.from)}, {"to", nodes(h.to)}}, h.cost));
  return ok_document({{"scenario", report.scenario.name},
                      {"images", report.images},
                      {"repetitions", report.repetitions},
                      {"meter", report.meter},
                      {"run", std::move(run)},
                      {"change", {{"models", std::move(switches)}, {"nodes", hand_overs}}},
                      {"output", report.output.empty() ? Json() : Json(report.output)}});
}

}  // namespace espalier
