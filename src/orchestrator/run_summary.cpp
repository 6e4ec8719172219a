// SPDX-License-Identifier: Apache-2.0
#include "orchestrator/run_summary.h"

#include <fmt/format.h>

#include "core/provenance.h"
#include "io/wording.h"
#include "orchestrator/narration.h"
#include "render/figures.h"
#include "render/sections.h"
#include "render/text.h"

namespace espalier {
namespace {

std::string spent(const std::string& what, const std::string& planned, const std::string& source) {
  return fmt::format("  {}{}{}\n", what, planned.empty() ? "" : ", planned at first " + planned,
                     source.empty() ? "" : "   (" + source + ")");
}

int switches_of(const RunSummary& summary) {
  return summary.state.course.switches(summary.setup.problem);
}

std::string dropped_text(const RunCounts& counts) {
  std::vector<std::string> parts;
  const auto add = [&](int count, const char* what) {
    if (count > 0) parts.push_back(fmt::format("{} {}", count, what));
  };
  add(counts.dropped.duplicate, "twice");
  add(counts.dropped.late, "late");
  add(counts.dropped.unselected, "unasked");
  add(counts.bad_results, "failed or malformed");
  return parts.empty() ? "" : "  results that did not count: " + listed(parts) + "\n";
}

Json planned_json(const PlannedStage& end) {
  Json value{{"loss", end.loss.value}, {"time", end.time.value}, {"energy", end.energy.value}};
  value.update(source_json(planned_source()));
  return value;
}

}  // namespace

std::string summary_text(const RunSummary& summary, const Ink& ink) {
  const RunState& state = summary.state;
  const Narrator narrator(summary.setup);
  std::string text;
  if (state.end) {
    const bool is_good = *state.end == Ending::Reached;
    text += ink(is_good ? Style::Good : Style::Warning, narrator.ending_text(state)) + "\n";
  }
  const State now = standing(summary.setup, state);
  const auto& planned = state.promised;
  const std::string source = printable(text_of(energy_source(summary.setup, state)));
  text += spent("energy " + energy_figure(now.energy),
                planned ? energy_figure(planned->energy) : "", source);
  const bool is_measured = summary.setup.accounting == Accounting::Measured;
  const std::string clock = is_measured ? "measured: the orchestrator's clock" : source;
  text += spent(
      "time   " + duration(now.time) + " of " + duration(summary.setup.problem.goal().deadline),
      planned ? duration(planned->time) : "", clock);
  text += fmt::format(
      "  {}, {}, {} lost, {} of the plan\n",
      counted(static_cast<long long>(state.epochs.size()), "epoch"),
      switches_of(summary) == 1 ? "1 switch" : fmt::format("{} switches", switches_of(summary)),
      counted(state.counts.nodes_lost, "node"), counted(state.counts.replans, "change"));
  text += dropped_text(state.counts);
  if (!state.epochs.empty())
    text += fmt::format("  model: {}/models/epoch-{:04}.safetensors\n", summary.directory,
                        state.epochs.size());
  return text + next_text(summary.next, ink);
}

Json summary_json(const RunSummary& summary) {
  const RunState& state = summary.state;
  const State now = standing(summary.setup, state);
  const EnergySource source = energy_source(summary.setup, state);
  const auto& planned = state.promised;
  Json value{{"directory", summary.directory},
             {"run", summary.setup.run},
             {"end", state.end ? Json(name_of(*state.end)) : Json()},
             {"reached", state.end == Ending::Reached},
             {"epochs", state.epochs.size()},
             {"placement", summary.setup.problem.name_of(now.placement)},
             {"loss", now.loss.value},
             {"goal", summary.setup.problem.goal().loss.value},
             {"time", now.time.value},
             {"deadline", summary.setup.problem.goal().deadline.value},
             {"energy", now.energy.value},
             {"planned", planned ? planned_json(*planned) : Json()},
             {"switches", switches_of(summary)},
             {"nodes_lost", state.counts.nodes_lost},
             {"replans", state.counts.replans},
             {"repeated_rounds", state.counts.repeated_rounds},
             {"bad_results", state.counts.bad_results},
             {"duplicate_results", state.counts.dropped.duplicate},
             {"late_results", state.counts.dropped.late},
             {"unselected_results", state.counts.dropped.unselected},
             {"network", state.network.sha256}};
  value.update(source_json(source));
  if (!state.epochs.empty()) {
    value["model"] =
        fmt::format("{}/models/epoch-{:04}.safetensors", summary.directory, state.epochs.size());
  }
  return value;
}

}  // namespace espalier
