// SPDX-License-Identifier: Apache-2.0
#include "realisations/ensemble.h"

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/parallel.h"
#include "realisations/luck.h"
#include "realisations/member_loops.h"

namespace espalier {
namespace {

// Members whose luck is drawn in one go.
constexpr std::size_t kBlock = 1024;

// Runs job(round, first, count) for each round and block of members, on up to `workers` threads.
template <class Job>
void for_each_block(std::size_t members, std::size_t rounds, unsigned workers, Job&& job) {
  const std::size_t blocks = (members + kBlock - 1) / kBlock;
  for_each_index(rounds * blocks, workers, [&](unsigned, std::size_t index) {
    const std::size_t first = index % blocks * kBlock;
    job(index / blocks, first, std::min(kBlock, members - first));
  });
}

bool has_run_noise(const LuckTable& table) { return table.noise().run != 0; }
bool has_epoch_noise(const LuckTable& table) { return table.noise().epoch != 0; }

bool any(const std::vector<LuckTable>& tables, bool (*has_it)(const LuckTable&)) {
  return std::any_of(tables.begin(), tables.end(), has_it);
}

void draw_epoch_of(std::vector<LuckTable>& tables, int epoch, std::size_t first,
                   std::span<const double> z) {
  for (LuckTable& table : tables) {
    if (has_epoch_noise(table)) table.draw_epoch(epoch, first, z);
  }
}

void general_epoch(std::span<double> losses, std::span<const double> luck, const LearningRule& rule,
                   int epoch) {
  for (std::size_t i = 0; i < losses.size(); ++i) {
    losses[i] = rule.next(epoch, losses[i], luck[i]);
  }
}

void train(std::span<double> losses, std::span<const double> luck, const LearningRule& rule,
           int epoch) {
  const auto* power = std::get_if<PowerRule>(&rule.shape());
  if (!power) return general_epoch(losses, luck, rule, epoch);
  if (power->power == 1) return linear_epoch(losses, luck, *power, rule.factor());
  power_epoch(losses, luck, *power, rule.factor());
}

}  // namespace

Ensemble::Ensemble(const Problem& actual, std::uint64_t seed, std::size_t members,
                   std::uint64_t first_run)
    : actual_(&actual), seed_(seed), first_run_(first_run), size_(members) {
  const std::vector<NoiseSpec> noises = decrease_noises(actual);
  for (const NoiseSpec& noise : noises) decreases_.emplace_back(noise, members);
  for (const Training& training : actual.placements()) {
    const auto found = std::find(noises.begin(), noises.end(), training.noise);
    decrease_of_.push_back(static_cast<std::size_t>(found - noises.begin()));
  }
  for (const double sigma : jump_noises(actual)) {
    jumps_.emplace_back(NoiseSpec{.run = 0, .epoch = sigma}, members);
  }
  if (!any(decreases_, has_run_noise)) return;
  for_each_block(size_, 1, 0, [&](std::size_t, std::size_t first, std::size_t count) {
    draw_runs(first, count);
  });
}

void Ensemble::prepare(int last_epoch, unsigned workers) {
  if (last_epoch <= prepared_) return;
  for (LuckTable& table : decreases_) table.make_room(last_epoch);
  for (LuckTable& table : jumps_) table.make_room(last_epoch);
  const auto epochs = static_cast<std::size_t>(last_epoch - prepared_);
  for_each_block(size_, epochs, workers,
                 [&](std::size_t round, std::size_t first, std::size_t count) {
                   draw_epoch(prepared_ + 1 + static_cast<int>(round), first, count);
                 });
  prepared_ = last_epoch;
}

void Ensemble::advance(std::span<double> losses, int epoch, PlacementId from, PlacementId to,
                       std::size_t first_member) const {
  const Training& training = actual_->training(to);
  const auto change = actual_->change(from, to);
  ESPALIER_CHECK(change && training.possible);
  ESPALIER_CHECK(1 <= epoch && epoch <= prepared_);
  ESPALIER_CHECK(first_member <= size_ && losses.size() <= size_ - first_member);
  const auto factors = [&](const LuckTable& luck) {
    return luck.factors(epoch, first_member, losses.size());
  };
  const Jump& jump = change->jump.expected;
  if (jump != Jump{}) apply_jump(losses, factors(luck_of_jumps(change->jump_noise)), jump);
  train(losses, factors(decreases_[decrease_of_[to.pos()]]), training.rule.expected, epoch);
}

void Ensemble::draw_runs(std::size_t first, std::size_t count) {
  std::array<double, kBlock> room;
  const std::span<double> z(room.data(), count);
  RunDraws(seed_, first_run_ + first).of_runs(z);
  for (LuckTable& table : decreases_) {
    if (has_run_noise(table)) table.draw_run(first, z);
  }
}

void Ensemble::draw_epoch(int epoch, std::size_t first, std::size_t count) {
  std::array<double, kBlock> room;
  const std::span<double> z(room.data(), count);
  const RunDraws draws(seed_, first_run_ + first);
  if (any(decreases_, has_epoch_noise)) {
    draws.of_epochs(epoch, z);
    draw_epoch_of(decreases_, epoch, first, z);
  }
  if (any(jumps_, has_epoch_noise)) {
    draws.of_switches(epoch, z);
    draw_epoch_of(jumps_, epoch, first, z);
  }
}

const LuckTable& Ensemble::luck_of_jumps(double sigma) const {
  return *std::lower_bound(
      jumps_.begin(), jumps_.end(), sigma,
      [](const LuckTable& table, double wanted) { return table.noise().epoch < wanted; });
}

}  // namespace espalier
