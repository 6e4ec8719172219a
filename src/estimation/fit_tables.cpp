// SPDX-License-Identifier: Apache-2.0
#include "estimation/fit_tables.h"

#include <algorithm>

#include "core/error.h"

namespace espalier {
namespace {

// A loss that grows further diverges; how far doesn't matter, and one such curve shall not outweigh
// all others.
constexpr double kFarthestTarget = 10;
// Of a change, in whatever unit its loss has: what 32 bits can square.
constexpr double kLargestJump = 1e18;

float within_reach(double target, double reach) {
  return static_cast<float>(std::clamp(target, -reach, reach));
}

std::vector<double> levels_of(const std::vector<double>& losses) {
  std::vector<double> levels;
  levels.reserve(losses.size());
  for (const double loss : losses) levels.push_back(loss_level(loss, losses.front()));
  return levels;
}

void add_targets(RunTable& table, const RunSequence& sequence, std::size_t place) {
  RunTable::Ahead target{};
  RunTable::Ahead weight{};
  const std::vector<double>& losses = sequence.losses;
  const double unit = loss_unit(losses[place], losses.front());
  // From a loss of 0 that began at 0, nothing is relative.
  const std::size_t count = unit < kLeastFirstLoss ? 0 : targets_at(sequence, place);
  for (std::size_t i = 0; i < count; ++i) {
    target[i] = within_reach((losses[place + i + 1] - losses[place]) / unit, kFarthestTarget);
    weight[i] = 1;
  }
  table.targets.push_back(target);
  table.weights.push_back(weight);
}

}  // namespace

RunTable run_table(const RunSequence& sequence) {
  RunTable table;
  const std::vector<double> levels = levels_of(sequence.losses);
  for (std::size_t place = 0; place < levels.size(); ++place) {
    table.losses.push_back(loss_inputs(levels[place == 0 ? 0 : place - 1], levels[place]));
    // Before the stage nothing is forecast, and any place will do.
    const CurvePlace at{std::max(place, sequence.stage), sequence.stage,
                        levels[place] - levels[sequence.stage]};
    table.places.push_back(place_inputs(at, sequence.now));
    add_targets(table, sequence, place);
  }
  return table;
}

ChangeTable change_table(std::span<const ChangeExample> examples) {
  ChangeTable table;
  for (const auto& [change, after] : examples) {
    table.inputs.push_back(change_inputs(change));
    table.targets.push_back(within_reach(after - change.before.back(), kLargestJump));
  }
  return table;
}

void check_sequence(const RunSequence& sequence) {
  check_history({sequence.losses, sequence.now, sequence.stage});
  ESPALIER_CHECK(sequence.guessed.empty() || sequence.guessed.size() == sequence.losses.size());
}

void check_example(const ChangeExample& example) {
  check_change(example.change);
  check_history({{example.after}, {}, 0});
}

}  // namespace espalier
