// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "render/figures.h"
#include "render/plan_drawing.h"
#include "render/text.h"

namespace espalier {
namespace {

// `\n` of DOT, which dot_quoted must not escape, goes between the lines of a label.
std::string label(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    const std::string quoted = dot_quoted(line);
    text += (text.empty() ? "" : "\\n") + quoted.substr(1, quoted.size() - 2);
  }
  return "\"" + text + "\"";
}

std::string change_label(const Planned& planned, PlacementId from, PlacementId to,
                         const EnergyScale& scale) {
  const auto change = planned.problem.change(from, to);
  if (!change || from == to) return "\"\"";
  return label({duration(change->time), scale(change->energy)});
}

}  // namespace

std::string dot_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : printable(text)) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

std::string plan_dot(const Planned& planned, const PlanResult& result) {
  const Plan& plan = *result.plan;
  const EnergyScale scale(plan.end().energy);
  std::string dot =
      "digraph plan {\n  rankdir=LR;\n  node [shape=box, style=rounded, "
      "fontname=\"sans-serif\"];\n" +
      fmt::format("  label={};\n",
                  dot_quoted(planned.scenario.name + ", " + planned.strategy.name)) +
      fmt::format("  start [shape=plain, label={}];\n",
                  label({"start", "loss " + loss_figure(plan.start.loss)}));
  std::string previous = "start";
  PlacementId at = plan.start.placement;
  int number = 0;
  for (const Stage& stage : plan.stages()) {
    const std::string id = fmt::format("stage{}", ++number);
    dot +=
        fmt::format("  {} [label={}];\n", id,
                    label({planned.problem.name_of(stage.placement), counted(stage.epochs, "epoch"),
                           duration(stage.time) + ", " + scale(stage.energy),
                           "loss " + loss_figure(stage.loss)}));
    dot += fmt::format("  {} -> {} [label={}];\n", previous, id,
                       change_label(planned, at, stage.placement, scale));
    previous = id;
    at = stage.placement;
  }
  const State end = plan.end();
  dot += fmt::format("  end [shape=plain, label={}];\n",
                     label({scale(end.energy), duration(end.time)}));
  return dot + fmt::format("  {} -> end;\n}}\n", previous);
}

}  // namespace espalier
