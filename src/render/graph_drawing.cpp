// SPDX-License-Identifier: Apache-2.0
#include "render/graph_drawing.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "render/axes.h"
#include "render/figures.h"
#include "render/plan_drawing.h"
#include "render/svg.h"

namespace espalier {
namespace {

constexpr double kPanelTop = 84;
constexpr double kPanelHeight = 420;
constexpr double kLeft = 70;

std::string what(const Planned& planned, const GraphState& node) {
  const State& s = node.state;
  return fmt::format("epoch {}, {}: loss {}, time {}, energy {}{}", s.epoch,
                     planned.problem.name_of(s.placement), loss_figure(s.loss), duration(s.time),
                     energy_figure(s.energy), node.goal ? ", goal" : "");
}

std::string heading_of(const StateGraph& graph) {
  return fmt::format(
      "{} states, {} actions; colours are placements, rings reach the goal, the thick way is the "
      "plan",
      graph.states.size(), graph.arcs.size());
}

void draw_legend(Svg& svg, const Planned& planned, const StateGraph& graph) {
  std::set<std::int32_t> used;
  for (const GraphState& node : graph.states) used.insert(node.state.placement.index);
  double x = kLeft;
  const double y = kPanelTop + kPanelHeight + 54;
  for (const std::int32_t p : used) {
    const std::string name = planned.problem.name_of(PlacementId{p});
    svg.dot({x + 5, y - 4}, 5, colour_class(PlacementId{p}.pos()));
    svg.text({x + 16, y}, name, "soft");
    x += 40 + 7.0 * static_cast<double>(name.size());
  }
}

}  // namespace

std::string graph_svg(const Planned& planned, const StateGraph& graph) {
  int epochs = 1;
  double top = planned.problem.goal().loss.value;
  for (const GraphState& node : graph.states) {
    epochs = std::max(epochs, node.state.epoch);
    top = std::max(top, node.state.loss.value);
  }
  const Box panel{kLeft, kPanelTop, std::clamp(epochs * 80.0, 700.0, 1600.0), kPanelHeight};
  const Scale x{0, static_cast<double>(epochs), panel.x + 20, panel.x + panel.width - 20};
  const Scale y{0, top * 1.05, panel.y + panel.height, panel.y};
  Svg svg(panel.x + panel.width + 40, kPanelTop + kPanelHeight + 80,
          "states of " + planned.scenario.name);
  svg.text({kLeft, 30}, planned.scenario.name, "title");
  svg.text({kLeft, 52}, heading_of(graph), "soft");
  draw_number_axis(svg, x, panel, "epoch");
  draw_value_axis(svg, y, panel, "loss");
  const double target = y(planned.problem.goal().loss.value);
  svg.line({panel.x, target}, {panel.x + panel.width, target}, "limit");
  const auto at = [&](std::size_t i) {
    const State& s = graph.states[i].state;
    return Point{x(s.epoch), y(s.loss.value)};
  };
  for (const bool chosen : {false, true}) {
    for (const GraphArc& arc : graph.arcs) {
      if (arc.chosen == chosen) svg.line(at(arc.from), at(arc.to), chosen ? "chosen" : "faint");
    }
  }
  for (std::size_t i = 0; i < graph.states.size(); ++i) {
    const GraphState& node = graph.states[i];
    svg.dot(at(i), node.chosen ? 6 : 4, colour_class(node.state.placement.pos()),
            what(planned, node));
    if (node.goal) svg.dot(at(i), 7, "ring", what(planned, node));
  }
  draw_legend(svg, planned, graph);
  return svg.finish();
}

std::string graph_dot(const Planned& planned, const StateGraph& graph) {
  std::string dot =
      "digraph states {\n  rankdir=LR;\n  node [shape=ellipse, fontname=\"sans-serif\"];\n" +
      fmt::format("  label={};\n", dot_quoted(planned.scenario.name + ": " + heading_of(graph)));
  for (std::size_t i = 0; i < graph.states.size(); ++i) {
    const GraphState& node = graph.states[i];
    dot += fmt::format("  s{} [label={}{}{}];\n", i, dot_quoted(what(planned, node)),
                       node.goal ? ", peripheries=2" : "", node.chosen ? ", penwidth=3" : "");
  }
  for (const GraphArc& arc : graph.arcs) {
    dot += fmt::format("  s{} -> s{} [label={}{}];\n", arc.from, arc.to,
                       dot_quoted(energy_figure(arc.energy)),
                       arc.chosen ? ", penwidth=3" : ", color=gray");
  }
  return dot + "}\n";
}

}  // namespace espalier
