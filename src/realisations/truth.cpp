// SPDX-License-Identifier: Apache-2.0
#include "realisations/truth.h"

#include <algorithm>

#include "core/plan.h"
#include "core/portable_math.h"

namespace espalier {
namespace {

// Kinds of draws.
constexpr std::uint64_t kOfRun = 1;
constexpr std::uint64_t kOfEpoch = 2;
constexpr std::uint64_t kOfSwitch = 3;

// exp(σz − σ²/2): mean 1.
double lognormal(double sigma, double z) {
  return sigma == 0 ? 1 : portable_exp(sigma * z - 0.5 * sigma * sigma);
}

bool has_jump_noise(const Problem& problem, const std::size_t from) {
  for (std::size_t to = 0; to < problem.size(); ++to) {
    const auto change =
        problem.change({static_cast<std::int32_t>(from)}, {static_cast<std::int32_t>(to)});
    if (change && change->jump_noise != 0) return true;
  }
  return false;
}

}  // namespace

bool has_noise(const Problem& problem) {
  const auto& all = problem.placements();
  const auto noisy = [](const Training& t) { return t.noise != NoiseSpec{}; };
  if (std::any_of(all.begin(), all.end(), noisy)) return true;
  for (std::size_t from = 0; from < all.size(); ++from) {
    if (has_jump_noise(problem, from)) return true;
  }
  return false;
}

std::optional<State> Truth::advance(const State& from, PlacementId to) const {
  const Training& training = actual_->training(to);
  const auto change = actual_->change(from.placement, to);
  if (!change || !training.possible) return std::nullopt;
  const int epoch = from.epoch + 1;
  const double loss = jump_with_luck(epoch, *change).apply(from.loss.value);
  const double luck = luck_of_epoch(epoch, training.noise);
  return state_after(*actual_, from, to, *change,
                     Loss{training.rule.expected.next(epoch, loss, luck)});
}

double Truth::luck_of_run() const { return rng_.normal({run_, kOfRun, 0}); }

double Truth::luck_of_epoch(int epoch, const NoiseSpec& noise) const {
  const auto k = static_cast<std::uint64_t>(epoch);
  double luck = 1;
  if (noise.run != 0) luck *= lognormal(noise.run, luck_of_run());
  if (noise.epoch != 0) luck *= lognormal(noise.epoch, rng_.normal({run_, kOfEpoch, k}));
  return luck;
}

Jump Truth::jump_with_luck(int epoch, const Change& change) const {
  Jump jump = change.jump.expected;
  if (change.jump_noise == 0) return jump;
  const double z = rng_.normal({run_, kOfSwitch, static_cast<std::uint64_t>(epoch)});
  jump.add *= lognormal(change.jump_noise, z);
  return jump;
}

}  // namespace espalier
