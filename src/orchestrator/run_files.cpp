// SPDX-License-Identifier: Apache-2.0
#include "orchestrator/run_files.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/provenance.h"
#include "files/written_file.h"
#include "io/durable_write.h"
#include "orchestrator/event_json.h"
#include "orchestrator/journal.h"
#include "render/json.h"
#include "render/names.h"

namespace espalier {
namespace {

// Commas and quotes in names are for files of other programs.
std::string csv_word(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char letter : text)
    quoted += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return quoted + "\"";
}

std::string metrics_line(const RunSetup& setup, std::size_t epoch, const EpochRecord& record) {
  const PlacementNames names =
      names_of(setup.scenario, setup.problem.training(record.step.placement).at);
  const auto planned = [&](auto field) {
    return record.planned ? fmt::format("{}", ((*record.planned).*field).value) : std::string();
  };
  return fmt::format(
      "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", epoch, csv_word(names.model),
      csv_word(names.nodes), csv_word(names.data.value_or("")), csv_word(names.level.value_or("")),
      record.step.loss.value, planned(&Step::loss), record.step.time.value, planned(&Step::time),
      record.step.energy.value, planned(&Step::energy), name_of(record.provenance),
      csv_word(record.source), record.selected, record.members, record.network.sha256);
}

}  // namespace

std::string metrics_text(const RunSetup& setup, const RunState& state) {
  std::string text =
      "epoch,model,nodes,data,level,loss,planned_loss,time,planned_time,energy,planned_energy,"
      "provenance,source,selected,members,network\n";
  for (std::size_t i = 0; i < state.epochs.size(); ++i)
    text += metrics_line(setup, i + 1, state.epochs[i]);
  return text;
}

void write_metrics(const RunDirectory& directory, const RunSetup& setup, const RunState& state) {
  write_durably(directory.metrics(), metrics_text(setup, state));
}

std::string plan_text_json(const RunSetup& setup, const RunState& state, const PlanResult& result) {
  const State now = standing(setup, state);
  Json data{{"asked_after_epoch", state.epoch_number()},
            {"from",
             {{"placement", setup.problem.name_of(now.placement)},
              {"loss", now.loss.value},
              {"time", now.time.value}}},
            {"verdict", name_of(result.verdict)},
            {"estimator", name_of(result.estimator)}};
  data["from"]["energy"] = now.energy.value;
  data["from"].update(source_json(energy_source(setup, state)));
  if (result.chance) data["probability"] = result.chance->probability;
  data["notes"] = result.notes;
  data["steps"] = Json::array();
  if (result.plan) {
    int epoch = result.plan->start.epoch;
    for (const Step& step : result.plan->steps) {
      Json row{{"epoch", ++epoch},
               {"placement", setup.problem.name_of(step.placement)},
               {"loss", step.loss.value},
               {"time", step.time.value}};
      row["energy"] = step.energy.value;
      row.update(source_json(planned_source()));
      data["steps"].push_back(std::move(row));
    }
  }
  return data.dump(1) + "\n";
}

void write_plan(const RunDirectory& directory, const RunSetup& setup, const RunState& state,
                const PlanResult& result) {
  write_durably(directory.plan(state.asked.size()), plan_text_json(setup, state, result));
}

// Not flushed: the journal has them, and whoever resumes the run writes the file again.
void append_events(const RunDirectory& directory, std::span<const RunEvent> events) {
  if (events.empty()) return;
  std::string lines;
  for (const RunEvent& event : events) lines += event_text(event) + "\n";
  WrittenFile(directory.events(), WrittenFile::From::End).write(lines);
}

void write_run_files(const RunDirectory& directory, const RunSetup& setup, const RunState& state) {
  write_metrics(directory, setup, state);
  std::string text;
  for (const RunEvent& event : read_journal(directory.journal()).events)
    text += event_text(event) + "\n";
  write_durably(directory.events(), text);
}

}  // namespace espalier
