// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/run_screen.h"
#include "cli/run_settings.h"
#include "io/wording.h"
#include "orchestrator/journal.h"
#include "render/figures.h"
#include "render/table.h"

namespace espalier {
namespace {

constexpr const char* presence_name(Presence presence) {
  switch (presence) {
    case Presence::Expected:
      return "expected";
    case Presence::Online:
      return "online";
    case Presence::Silent:
      return "silent";
    case Presence::Lost:
      break;
  }
  return "lost";
}

constexpr const char* activity_name(Activity activity) {
  switch (activity) {
    case Activity::Gathering:
      return "waits for nodes of the next round";
    case Activity::Making:
      return "makes the fresh network";
    case Activity::Working:
      return "nodes are at work";
    case Activity::Combining:
      return "combines what nodes sent";
    case Activity::Deciding:
      return "asks the strategy";
    case Activity::Waiting:
      break;
  }
  return "waits for any node";
}

std::string activity_text(const RunSetup& setup, const RunState& state) {
  std::vector<std::string> names;
  for (const NodeName& name : awaited(setup, state)) names.push_back(name.value);
  return names.empty() ? activity_name(state.activity) : "waits for " + listed(names);
}

constexpr const char* words_of(Ending ending) {
  switch (ending) {
    case Ending::Reached:
      return "the goal was reached";
    case Ending::DeadlinePassed:
      return "no further epoch fitted before the deadline";
    case Ending::NothingToSay:
      return "the strategy knew no way to go on";
    case Ending::Diverged:
      return "training diverged";
    case Ending::Stopped:
      return "it was stopped";
    case Ending::NodesGone:
      return "no node was left that could go on with it";
    case Ending::NodesFail:
      break;
  }
  return "no node could do its work";
}

std::string standing(const RunDirectory& directory, const RunSetup& setup, const RunState& state) {
  if (const auto pid = holder_of(directory))
    return fmt::format("running (process {}): {}", *pid, activity_text(setup, state));
  if (state.end && !can_resume(*state.end)) return fmt::format("over: {}", words_of(*state.end));
  if (state.end) return fmt::format("can be resumed: {}", words_of(*state.end));
  return "can be resumed: it was interrupted";
}

std::string nodes_text(const RunSetup& setup, const RunState& state, bool is_running,
                       const Ink& ink) {
  Table table(
      {{"node"}, {"set"}, {"samples", Align::Right}, {is_running ? "state" : "state then"}});
  for (const auto& [name, node] : state.nodes)
    table.add({{name.value},
               {setup.scenario.node_sets[node.nodes.pos()].name},
               {fmt::format("{}", node.samples)},
               {presence_name(node.presence),
                node.presence == Presence::Lost ? Style::Warning : Style::Plain}});
  return table.text(ink);
}

Json nodes_json(const RunSetup& setup, const RunState& state) {
  Json nodes = Json::array();
  for (const auto& [name, node] : state.nodes)
    nodes.push_back({{"node", name.value},
                     {"nodes", setup.scenario.node_sets[node.nodes.pos()].name},
                     {"samples", node.samples},
                     {"state", presence_name(node.presence)}});
  return nodes;
}

std::vector<std::string> commands_for(const RunDirectory& directory, const RunState& state,
                                      bool is_sound) {
  const std::string where = " " + directory.root().string();
  if (holder_of(directory)) return {"espalier logs" + where, "espalier stop" + where};
  if (!state.end || can_resume(*state.end) || !is_sound)
    return {"espalier resume" + where + (is_sound ? "" : " --salvage")};
  if (state.epochs.empty()) return {"espalier logs" + where};
  return {"espalier export" + where + " --model model.safetensors"};
}

ExitCode show_status(const std::string& named, const Console& console) {
  const RunDirectory directory = run_directory_of(named);
  const LoadedRun run = load_run(directory);
  const JournalReading reading = read_journal(directory.journal());
  const RunState state = replayed(run.setup, reading.events);
  const RunSummary summary{directory.root().string(), run.setup, state,
                           commands_for(directory, state, reading.fault.empty())};
  if (console.format() == Format::Json) {
    Json data = summary_json(summary);
    data["is_running"] = holder_of(directory).has_value();
    data["events"] = reading.events.size();
    data["journal"] = reading.fault.empty() ? "sound" : reading.fault;
    data["nodes"] = nodes_json(run.setup, state);
    console.answer(ok_document(std::move(data)));
    return ExitCode::Done;
  }
  std::string text = fmt::format("{} · {}\n", console.ink()(Style::Bold, summary.directory),
                                 standing(directory, run.setup, state));
  if (!reading.fault.empty()) text += console.ink()(Style::Bad, reading.fault) + "\n";
  if (!state.epochs.empty())
    text += "  " + Narrator(run.setup).epoch_line(state, state.epochs.size()).text + "\n";
  if (state.plan && state.plan->next && !(state.end && !can_resume(*state.end)))
    text += "  ahead: " + Narrator(run.setup).stages_text(*state.plan) + "\n";
  console.answer(text + "\n" +
                 nodes_text(run.setup, state, holder_of(directory).has_value(), console.ink()) +
                 "\n" + summary_text(summary, console.ink()));
  return ExitCode::Done;
}

}  // namespace

void add_status_command(CLI::App& app, Invocation& call) {
  auto directory = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("status", "tell how far a run is");
  command->add_option("DIR", *directory, "folder of the run; the newest in runs/ if absent")
      ->type_name("");
  add_output_options(*command, call.output);
  command->callback([directory, &call] {
    call.action = [directory](const Console& console) { return show_status(*directory, console); };
  });
  command->footer(
      "Reads the run's folder alone, so that it works whether or not somebody carries the run on.\n"
      "\nExamples:\n"
      "  espalier status\n"
      "  espalier status runs/factory-1 --format json | jq .data.loss\n\n"
      "Exit codes: 0 told; 4 no run there.");
}

}  // namespace espalier
