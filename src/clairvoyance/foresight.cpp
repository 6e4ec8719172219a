// SPDX-License-Identifier: Apache-2.0
#include "clairvoyance/foresight.h"

#include <algorithm>
#include <variant>

#include "core/infinite.h"

namespace espalier {
namespace {

// Plans with more epochs than this are not looked for, nor, in large problems, such that the spots
// are more than that.
constexpr std::size_t kMostEpochs = 5000;
constexpr std::size_t kMostSpots = 100'000;

PlacementId id_of(std::size_t placement) { return {static_cast<std::int32_t>(placement)}; }

// The least loss after an epoch that begins between the two; up to `low` the rule rises.
double least_after(const LearningRule& rule, int epoch, double luck, double low, double high) {
  double least = std::min(rule.next(epoch, low, luck), rule.next(epoch, high, luck));
  // A power rises, then falls: the ends are enough. A curve may turn at each of its points.
  const auto* curve = std::get_if<CurveRule>(&rule.shape());
  if (!curve) return least;
  for (const double point : curve->points) {
    if (low < point && point < high) least = std::min(least, rule.next(epoch, point, luck));
  }
  return least;
}

}  // namespace

Ways::Ways(const Problem& actual) : problem_(&actual), jump_noises_(espalier::jump_noises(actual)) {
  for (std::size_t from = 0; from < actual.size(); ++from) {
    first_.push_back(ways_.size());
    for (std::size_t to = 0; to < actual.size(); ++to) {
      const Training& target = actual.training(id_of(to));
      const auto change = actual.change(id_of(from), id_of(to));
      if (!change || !target.possible) continue;
      const auto noise =
          std::lower_bound(jump_noises_.begin(), jump_noises_.end(), change->jump_noise);
      ways_.push_back({static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to),
                       (change->energy + target.energy).value, (change->time + target.time).value,
                       change->jump.expected,
                       static_cast<std::uint32_t>(noise - jump_noises_.begin())});
    }
  }
  first_.push_back(ways_.size());
}

Foresight::Foresight(const Ways& ways, std::uint64_t seed, std::uint64_t run)
    : ways_(&ways),
      draws_(seed, run),
      size_(ways.placements()),
      spots_(size_),
      jump_luck_(ways.jump_noises().size(), 1) {
  const State& start = problem().start();
  Spot& spot = spots_[start.placement.pos()];
  spot.is_reachable = start.time <= problem().goal().time_bound();
  spot.least_loss = spot.most_loss = spot.most_arrival = start.loss.value;
  spot.least_energy = start.energy.value;
  spot.least_time = start.time.value;
}

bool Foresight::reaches(int epoch) {
  while (epochs() < epoch && !has_ended_) {
    if (static_cast<std::size_t>(epochs()) >= std::min(kMostEpochs, kMostSpots / size_ + 1)) {
      is_whole_ = false;
      has_ended_ = true;
    } else {
      look_at(epochs() + 1);
    }
  }
  return epoch <= epochs();
}

void Foresight::look_at(int epoch) {
  for (const double sigma : ways_->jump_noises())
    jump_luck_.push_back(luck_of_jump(draws_, sigma, problem().start().epoch + epoch));
  std::vector<Spot> spots(size_);
  for (const Ways::Way& way : ways_->all()) {
    const Spot& before = spot(epoch - 1, way.from);
    if (before.is_reachable) arrive(before, way, epoch, spots);
  }
  for (std::size_t p = 0; p < size_; ++p) {
    if (!spots[p].is_reachable) continue;
    complete(spots[p], epoch, problem().training(id_of(p)));
    is_relaxed_ |= spots[p].tail < kInfinite;
  }
  const auto is_reachable = [](const Spot& spot) { return spot.is_reachable; };
  has_ended_ = std::none_of(spots.begin(), spots.end(), is_reachable);
  if (!has_ended_) spots_.insert(spots_.end(), spots.begin(), spots.end());
}

void Foresight::arrive(const Spot& from, const Ways::Way& way, int epoch,
                       std::vector<Spot>& spots) const {
  const double time = from.least_time + way.time;
  if (time > problem().goal().time_bound().value) return;
  Spot& to = spots[way.to];
  if (!to.is_reachable)
    to = {.is_reachable = true,
          .least_loss = kInfinite,
          .least_energy = kInfinite,
          .least_time = kInfinite};
  const Jump jump = this->jump(epoch, way);
  to.least_loss = std::min(to.least_loss, jump.apply(from.least_loss));
  to.most_arrival = std::max(to.most_arrival, jump.apply(from.most_loss));
  to.least_energy = std::min(to.least_energy, from.least_energy + way.energy);
  to.least_time = std::min(to.least_time, time);
}

// From what arrives to what comes out.
void Foresight::complete(Spot& spot, int epoch, const Training& training) const {
  const LearningRule& rule = training.rule.expected;
  const int number = problem().start().epoch + epoch;
  spot.luck = luck_of_decrease(draws_, training.noise, number);
  spot.rising_up_to = rule.monotone_up_to(spot.luck);
  if (spot.most_arrival <= spot.rising_up_to) {
    spot.tail = kInfinite;
    spot.least_loss = rule.next(number, spot.least_loss, spot.luck);
    spot.most_loss = rule.next(number, spot.most_arrival, spot.luck);
    return;
  }
  spot.tail = least_after(rule, number, spot.luck, spot.rising_up_to, spot.most_arrival);
  spot.most_loss = spot.most_arrival;  // steps alone can lift a loss, and they never fall
  spot.least_loss = spot.least_loss > spot.rising_up_to
                        ? spot.tail
                        : std::min(rule.next(number, spot.least_loss, spot.luck), spot.tail);
}

double Foresight::train(int epoch, std::size_t placement, double loss) const {
  const Spot& at = spot(epoch, placement);
  if (loss > at.rising_up_to) return at.tail;
  const LearningRule& rule = problem().training(id_of(placement)).rule.expected;
  return std::min(rule.next(problem().start().epoch + epoch, loss, at.luck), at.tail);
}

double Foresight::largest_before(int epoch, std::size_t placement, double loss) const {
  const Spot& at = spot(epoch, placement);
  if (loss >= at.tail) return at.most_arrival;
  const LearningRule& rule = problem().training(id_of(placement)).rule.expected;
  return rule.largest_before(problem().start().epoch + epoch, loss,
                             std::min(at.rising_up_to, at.most_arrival), at.luck);
}

}  // namespace espalier
