// SPDX-License-Identifier: Apache-2.0
#include "studies/compare_study.h"

#include <functional>

#include "courses/data_choice.h"
#include "realisations/truth.h"
#include "strategies/registry.h"

namespace espalier {
namespace {

// Who does not decide anew.
std::optional<std::string> note_on_commitment(const std::vector<const Strategy*>& strategies) {
  std::string names;
  for (const Strategy* strategy : strategies) {
    if (strategy->info().commits) names += (names.empty() ? "" : ", ") + strategy->info().name;
  }
  if (names.empty()) return std::nullopt;
  return names + ": follow their first plan to its end, as promised";
}

const char* optimum_note(const Environment& environment) {
  if (environment.traced() != nullptr)
    return "optimum: the least energy for someone who knows the traces of every run in advance";
  return environment.luck() == Luck::None
             ? "optimum: the least energy for someone who knows the true learning rules"
             : "optimum: the least energy for someone who knows the luck of every run in "
               "advance; on the same runs";
}

bool has_run(const CompareRow& row) { return row.summary.runs > 0; }

}  // namespace

std::vector<const Strategy*> usual_strategies(const ComparePoint& point) {
  const bool has_luck = has_noise(point.environment.actual()) || has_noise(point.input.estimated);
  const bool has_choice = has_data_choice(point.input.estimated);
  std::vector<const Strategy*> all;
  for (const Strategy* strategy : all_strategies()) {
    const StrategyInfo& info = strategy->info();
    if (info.tiny_only || (has_choice && !info.chooses_data)) continue;
    if (info.promises && !has_luck && !has_choice) continue;
    all.push_back(strategy);
  }
  return all;
}

std::vector<std::string> compare_notes(const Environment& environment, const LuckOptions& luck,
                                       const std::vector<const Strategy*>& strategies) {
  std::vector<std::string> notes = environment.notes(luck);
  notes.emplace_back(optimum_note(environment));
  notes.push_back(environment.source());
  if (const auto note = note_on_commitment(strategies)) notes.push_back(*note);
  return notes;
}

Simulated simulated_at(const ComparePoint& point, const CompareWork& work,
                       std::vector<std::string> notes) {
  const Environment& environment = point.environment;
  return {point.input.scenario, environment.believed(), work.simulation,    environment.luck(),
          std::move(notes),     point.input.words,      environment.truth()};
}

void drop_without_run(Comparison& comparison, std::vector<std::string>& notes) {
  std::string names;
  for (const CompareRow& row : comparison.rows) {
    if (!has_run(row)) names += (names.empty() ? "" : ", ") + row.strategy;
  }
  std::erase_if(comparison.rows, std::not_fn(has_run));
  notes.push_back(names.empty() ? "stopped early" : "stopped early, before any run of " + names);
}

}  // namespace espalier
