// SPDX-License-Identifier: Apache-2.0
#include "realisations/truth.h"

#include <algorithm>

#include "core/plan.h"

namespace espalier {

bool has_noise(const Problem& problem) {
  const auto decreases = decrease_noises(problem);
  const auto jumps = jump_noises(problem);
  const auto is_noisy = [](const NoiseSpec& noise) { return noise != NoiseSpec{}; };
  return std::any_of(decreases.begin(), decreases.end(), is_noisy) ||
         std::any_of(jumps.begin(), jumps.end(), [](double sigma) { return sigma != 0; });
}

std::optional<Loss> Truth::arrival(const State& from, PlacementId to) const {
  const auto change = actual_->change(from.placement, to);
  if (!change) return std::nullopt;
  const double luck = luck_of_jump(draws_, change->jump_noise, from.epoch + 1);
  return Loss{with_luck(change->jump.expected, luck).apply(from.loss.value)};
}

std::optional<State> Truth::advance(const State& from, PlacementId to) const {
  const Training& training = actual_->training(to);
  const auto change = actual_->change(from.placement, to);
  const auto loss = arrival(from, to);
  if (!change || !loss || !training.possible) return std::nullopt;
  const int epoch = from.epoch + 1;
  const double luck = luck_of_decrease(draws_, training.noise, epoch);
  return state_after(*actual_, from, to, *change,
                     Loss{training.rule.expected.next(epoch, loss->value, luck)});
}

}  // namespace espalier
