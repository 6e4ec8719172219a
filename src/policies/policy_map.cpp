// SPDX-License-Identifier: Apache-2.0
#include "policies/policy_map.h"

#include <algorithm>
#include <cmath>

#include "core/portable_math.h"
#include "realisations/normal_quantile.h"

namespace espalier {
namespace {

// What the values of one policy may take.
constexpr double kMostBytes = 64e6;
constexpr double kFewestLevels = 30;
// Nodes of the luck, relative to that of runs which are just lucky enough: there it is decided
// whether a run makes it, and values bend. Beyond the first and the last, runs are taken to be as
// lucky as there.
constexpr PerLuck<double> kLuck{-0.72, -0.32, -0.02, 0.28, 0.58, 0.98, 1.68, 2.78};
constexpr double kLeastJustEnough = -1.9;
constexpr double kMostJustEnough = -0.4;
// But at least so high.
constexpr double kLastButOne = 0.4;
constexpr double kLast = 1.5;
// Weights below this are left out at both ends of a row.
constexpr float kNegligible = 1e-6F;

PlacementId placement_id(std::size_t i) { return {static_cast<std::int32_t>(i)}; }

double highest_loss(const Problem& problem) {
  // A little room, for a start that is at its goal already.
  const double goal = problem.goal().loss_bound().value;
  return std::max(problem.ceiling(), 1.01 * goal + 1e-6);
}

// The ways of all lucks share their knots, so that one sweep serves all of them side by side.
struct LuckRow {
  std::size_t first = 0;
  std::vector<LuckValues> weights;
};

LuckRow joined(const PerLuck<KnotWeights>& rows) {
  std::size_t first = rows[0].first;
  std::size_t end = 0;
  for (const KnotWeights& row : rows) {
    first = std::min(first, row.first);
    end = std::max(end, row.first + row.weights.size());
  }
  LuckRow all{first, {}};
  for (std::size_t knot = first; knot < end; ++knot) {
    PerLuck<double> weights{};
    for (std::size_t j = 0; j < kLuckNodes; ++j) {
      const std::size_t i = knot - rows[j].first;  // beyond the end if it is below the first
      if (i < rows[j].weights.size()) weights[j] = rows[j].weights[i];
    }
    all.weights.push_back(luck_values(weights));
  }
  return all;
}

bool is_negligible(const LuckValues& weights) { return sum_of(weights) < kNegligible; }

void trim(LuckRow& row) {
  while (!row.weights.empty() && is_negligible(row.weights.back())) row.weights.pop_back();
  const auto begin = std::find_if_not(row.weights.begin(), row.weights.end(), is_negligible);
  row.first += static_cast<std::size_t>(begin - row.weights.begin());
  row.weights.erase(row.weights.begin(), begin);
}

}  // namespace

PolicyResolution affordable(const Problem& problem, PolicyResolution wanted) {
  const double bytes = static_cast<double>(problem.size() * (wanted.losses + 1) *
                                           (wanted.times + 1) * sizeof(LuckValues));
  if (bytes <= kMostBytes) return wanted;
  const double shrink = std::sqrt(kMostBytes / bytes);
  const auto shrunk = [&](std::size_t levels) {
    return static_cast<std::size_t>(
        std::max(kFewestLevels, std::floor(shrink * static_cast<double>(levels))));
  };
  return {shrunk(wanted.losses), shrunk(wanted.times)};
}

PolicyMap::PolicyMap(const Problem& problem, PolicyResolution resolution)
    : problem_(&problem),
      losses_(problem.goal().loss_bound().value, highest_loss(problem), resolution.losses),
      steps_(resolution.times),
      start_(problem.start().time),
      step_((problem.goal().time_bound() - start_) * (1 / static_cast<double>(steps_))) {
  set_luck();
  add_sites();
  add_targets();
  add_moves();
}

void PolicyMap::set_luck() {
  const auto& all = problem_->placements();
  const auto has_luck = [](const Training& t) { return t.possible && t.noise.run != 0; };
  if (std::none_of(all.begin(), all.end(), has_luck)) return;
  const double just_enough = std::clamp(portable_normal_quantile(1 - problem_->goal().probability),
                                        kLeastJustEnough, kMostJustEnough);
  for (std::size_t j = 0; j < kLuckNodes; ++j) luck_[j] = just_enough + kLuck[j];
  luck_[kLuckNodes - 2] = std::max(luck_[kLuckNodes - 2], kLastButOne);
  luck_[kLuckNodes - 1] = std::max(luck_[kLuckNodes - 1], kLast);
}

void PolicyMap::add_sites() {
  for (std::size_t i = 0; i < problem_->size(); ++i) {
    const Placement& at = problem_->training(placement_id(i)).at;
    const auto same = std::find_if(example_of_.begin(), example_of_.end(), [&](PlacementId p) {
      const Placement& other = problem_->training(p).at;
      return other.model == at.model && other.nodes == at.nodes;
    });
    site_of_.push_back(static_cast<std::uint32_t>(same - example_of_.begin()));
    if (same == example_of_.end()) example_of_.push_back(placement_id(i));
  }
}

void PolicyMap::add_targets() {
  for (std::size_t i = 0; i < problem_->size(); ++i) {
    const Training& training = problem_->training(placement_id(i));
    if (!training.possible) continue;
    Target target{.placement = placement_id(i),
                  .site = site_of_[i],
                  .energy = static_cast<float>(training.energy.value),
                  .time = steps_of(training.time),
                  .latest = static_cast<double>(steps_) - training.time / step_,
                  .once = training.once,
                  .once_mark = training.once_mark,
                  .rows = {},
                  .weights = {}};
    add_rows(target);
    targets_.push_back(std::move(target));
  }
}

void PolicyMap::add_rows(Target& target) const {
  const Training& training = problem_->training(target.placement);
  const NoiseSpec& noise = training.noise;
  for (std::size_t knot = 0; knot < losses_.size(); ++knot) {
    PerLuck<KnotWeights> rows;
    for (std::size_t j = 0; j < kLuckNodes; ++j) {
      const double luck = portable_exp(noise.run * luck_[j] - 0.5 * noise.run * noise.run);
      const Landing landing =
          epoch_landing(training.rule.expected, losses_.knot(knot), luck, noise.epoch);
      rows[j] = spread_over(losses_, landing);
    }
    LuckRow row = joined(rows);
    trim(row);
    target.rows.push_back({static_cast<std::uint32_t>(row.first),
                           static_cast<std::uint32_t>(row.weights.size()),
                           static_cast<std::uint32_t>(target.weights.size())});
    target.weights.insert(target.weights.end(), row.weights.begin(), row.weights.end());
  }
}

void PolicyMap::add_moves() {
  moves_.resize(example_of_.size());
  jumps_.push_back({{}, 0, weighted_jumps({}, 0), {}, 0});
  for (std::size_t site = 0; site < moves_.size(); ++site) {
    for (std::size_t k = 0; k < targets_.size(); ++k) {
      const auto change = problem_->change(example_of_[site], targets_[k].placement);
      if (!change) continue;
      moves_[site].push_back({static_cast<std::uint32_t>(k), jump_like(*change),
                              static_cast<float>(change->energy.value), steps_of(change->time)});
    }
    std::stable_sort(moves_[site].begin(), moves_[site].end(),
                     [](const Move& a, const Move& b) { return a.jump < b.jump; });
  }
}

std::uint32_t PolicyMap::jump_like(const Change& change) {
  const Jump& jump = change.jump.expected;
  const double spread = jump.add == 0 ? 0 : change.jump_noise;
  const auto known = std::find_if(jumps_.begin(), jumps_.end(), [&](const JumpKind& other) {
    return other.jump == jump && other.spread == spread;
  });
  const auto index = static_cast<std::uint32_t>(known - jumps_.begin());
  if (known != jumps_.end()) return index;
  JumpKind& kind = jumps_.emplace_back(JumpKind{jump, spread, weighted_jumps(jump, spread), {}, 0});
  while (kind.knots < losses_.size() && !is_too_high(jump, losses_.knot(kind.knots))) {
    for (const WeightedJump& one : kind.each)
      kind.landings.push_back(landing_of(losses_, one, losses_.knot(kind.knots)));
    ++kind.knots;
  }
  return index;
}

TimeSteps PolicyMap::steps_of(Seconds time) const {
  // More than all there are is as good as infinite.
  const double steps = std::min(time / step_, static_cast<double>(steps_ + 1));
  const double whole = std::floor(steps);
  return {static_cast<std::uint32_t>(whole), static_cast<float>(steps - whole)};
}

std::int64_t PolicyMap::bytes() const {
  std::size_t bytes = 0;
  for (const Target& target : targets_)
    bytes += target.weights.size() * sizeof(LuckValues) + target.rows.size() * sizeof(Row);
  for (const JumpKind& kind : jumps_) bytes += kind.landings.size() * sizeof(JumpLanding);
  return static_cast<std::int64_t>(bytes);
}

}  // namespace espalier
