// SPDX-License-Identifier: Apache-2.0
#include "evidence/outcome.h"

namespace espalier {

std::vector<int> TryOutcome::switch_epochs() const {
  std::vector<int> switches;
  int sum = 0;
  for (std::size_t i = 0; i + 1 < stages.size(); ++i) {
    sum += stages[i].epochs;
    switches.push_back(sum);
  }
  return switches;
}

double TryOutcome::energy_on(const std::string& model) const {
  double sum = 0;
  for (const OutcomeStage& stage : stages) {
    if (stage.model == model) sum += stage.energy;
  }
  return sum;
}

TryOutcome outcome_of(const Problem& problem, const RunRecord& record) {
  const State end = record.course.end();
  TryOutcome outcome{.reached = record.reached(),
                     .energy = end.energy.value,
                     .time = end.time.value,
                     .loss = end.loss.value,
                     .epochs = static_cast<int>(record.course.steps.size()),
                     .untraced_epochs = record.unknown_epochs};
  for (const Stage& stage : record.course.stages())
    outcome.stages.push_back({problem.name_of(problem.training(stage.placement).at.model),
                              stage.epochs, stage.energy.value});
  for (const Step& step : record.course.steps)
    outcome.steps.push_back({step.time.value, step.loss.value, step.energy.value});
  return outcome;
}

}  // namespace espalier
