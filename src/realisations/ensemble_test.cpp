// SPDX-License-Identifier: Apache-2.0
#include "realisations/ensemble.h"

#include <algorithm>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/parallel.h"
#include "realisations/truth.h"
#include "support/random_scenario.h"

namespace espalier {
namespace {

constexpr PlacementId kLarge{0};
constexpr PlacementId kSmall{1};
constexpr std::uint64_t kSeed = 7;

// Two models on one node set; L learns by `rule`, S likewise after a jump that scales and adds.
Problem two_models(const RuleShape& rule, NoiseSpec noise = {0.2, 0.3}, double jump_noise = 0.25) {
  const LearnSpec learn{rule, noise, {}};
  Scenario scenario;
  scenario.goal = {Loss{0.2}, Seconds{20}, 0.95};
  scenario.start = {{0}, {0}, Loss{2.3}};
  scenario.models = {{"L", {}, 0}, {"S", {}, 0.5}};
  scenario.node_sets = {{"gold", {}, {}}};
  scenario.runs = {{{0}, {0}, Seconds{1}, Joules{2}, learn},
                   {{1}, {0}, Seconds{1}, Joules{1}, learn}};
  scenario.model_changes = {{{0}, {1}, Seconds{0.5}, Joules{0.25}, {{0.3, 1.1}, jump_noise, {}}}};
  return Problem::actual(scenario);
}

// Placements by epoch.
using Script = std::vector<PlacementId>;

Script half_and_half(std::size_t epochs) {
  Script script(epochs, kLarge);
  std::fill(script.begin() + static_cast<std::ptrdiff_t>(epochs / 2), script.end(), kSmall);
  return script;
}

// The reference: one member, through Truth.
double loss_alone(const Problem& problem, std::uint64_t run, const Script& script) {
  const Truth truth(problem, kSeed, run);
  State state = problem.start();
  for (const PlacementId to : script) state = truth.advance(state, to).value();
  return state.loss.value;
}

// Members first … first + losses.size() − 1 through the script.
void follow(const Ensemble& ensemble, const Problem& problem, const Script& script,
            std::span<double> losses, std::size_t first = 0) {
  std::fill(losses.begin(), losses.end(), problem.start().loss.value);
  PlacementId from = problem.start().placement;
  int epoch = 0;
  for (const PlacementId to : script) {
    ensemble.advance(losses, ++epoch, from, to, first);
    from = to;
  }
}

std::vector<double> losses_together(const Problem& problem, const Script& script,
                                    std::size_t members, std::uint64_t first_run = 0) {
  Ensemble ensemble(problem, kSeed, members, first_run);
  ensemble.prepare(static_cast<int>(script.size()));
  std::vector<double> losses(members);
  follow(ensemble, problem, script, losses);
  return losses;
}

void expect_same_as_alone(const Problem& problem, const Script& script, std::size_t members) {
  const std::vector<double> losses = losses_together(problem, script, members);
  for (std::size_t i = 0; i < members; ++i) {
    EXPECT_EQ(losses[i], loss_alone(problem, i, script)) << "member " << i;
  }
}

// An odd number of members: vectors have a rest, strips and blocks too.
constexpr std::size_t kMembers = 1100 + 67;

TEST(Ensemble, LearnsByPowersAsTheTruthDoes) {
  for (const double power : {0.5, 1.0, 1.4, 2.0}) {
    SCOPED_TRACE(power);
    expect_same_as_alone(two_models(PowerRule{0.08, 0.02, power}), half_and_half(24), kMembers);
  }
}

TEST(Ensemble, StopsAtTheFloorAsTheTruthDoes) {
  for (const double power : {0.5, 1.0, 1.4}) {
    SCOPED_TRACE(power);
    const Problem fast = two_models(PowerRule{0.9, 0.5, power}, {0.3, 0.6});
    expect_same_as_alone(fast, half_and_half(24), kMembers);
    const Problem below_floor = two_models(PowerRule{0.9, 3, power});
    expect_same_as_alone(below_floor, half_and_half(4), kMembers);
    const Problem no_floor = two_models(PowerRule{0.9, 0, power});
    expect_same_as_alone(no_floor, half_and_half(24), kMembers);
  }
}

TEST(Ensemble, LearnsByStepsAndCurvesAsTheTruthDoes) {
  const Problem steps = two_models(StepsRule{{-0.5, -0.4, 0.1, -0.9, -0.7, -0.3}});
  expect_same_as_alone(steps, half_and_half(8), kMembers);
  const Problem curve = two_models(CurveRule{{2.2, 1.5, 1.1, 0.8, 0.65, 0.6}});
  expect_same_as_alone(curve, half_and_half(8), kMembers);
}

TEST(Ensemble, DrawsOnlyWhatIsNoisy) {
  const RuleShape rule = PowerRule{0.08, 0.02, 1.4};
  for (const NoiseSpec noise : {NoiseSpec{0, 0}, NoiseSpec{0.2, 0}, NoiseSpec{0, 0.3}}) {
    for (const double jump_noise : {0.0, 0.25}) {
      expect_same_as_alone(two_models(rule, noise, jump_noise), half_and_half(10), 9);
    }
  }
}

// Where one can go from here; the start itself at worst.
PlacementId some_next(const Problem& problem, PlacementId from, const CounterRng& dice, int epoch) {
  Script possible;
  for (std::int32_t to = 0; to < static_cast<std::int32_t>(problem.size()); ++to) {
    if (problem.change(from, {to}) && problem.training({to}).possible) possible.push_back({to});
  }
  const std::uint64_t pick = dice.bits({0, 0, static_cast<std::uint64_t>(epoch)});
  return possible[pick % possible.size()];
}

Script random_script(const Problem& problem, std::uint64_t seed, int epochs) {
  const CounterRng dice(seed);
  Script script;
  PlacementId at = problem.start().placement;
  for (int epoch = 1; epoch <= epochs; ++epoch) {
    at = some_next(problem, at, dice, epoch);
    script.push_back(at);
  }
  return script;
}

TEST(Ensemble, FollowsRandomPlansAsTheTruthDoes) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    const bool noisy = seed % 5 != 0;
    const Problem problem =
        Problem::actual(support::random_scenario(seed, {.max_models = 4, .noisy = noisy}));
    expect_same_as_alone(problem, random_script(problem, seed, 12), 21);
  }
}

TEST(Ensemble, BeginsAtAnyRun) {
  const Problem problem = two_models(PowerRule{0.08, 0.02, 1.4});
  const Script script = half_and_half(10);
  constexpr std::uint64_t kFirst = 1'000'000'007;
  const std::vector<double> losses = losses_together(problem, script, 50, kFirst);
  for (std::size_t i = 0; i < losses.size(); ++i) {
    EXPECT_EQ(losses[i], loss_alone(problem, kFirst + i, script));
  }
}

std::vector<double> losses_in_blocks(const Ensemble& ensemble, const Problem& problem,
                                     const Script& script, std::size_t block, unsigned workers) {
  std::vector<double> losses(ensemble.size());
  for_each_index((losses.size() + block - 1) / block, workers, [&](unsigned, std::size_t index) {
    const std::size_t first = index * block;
    const std::size_t count = std::min(block, losses.size() - first);
    follow(ensemble, problem, script, std::span(losses).subspan(first, count), first);
  });
  return losses;
}

TEST(Ensemble, DoesNotDependOnBlocksOrThreads) {
  const Problem problem = two_models(PowerRule{0.08, 0.02, 1.4});
  const Script script = half_and_half(10);
  const std::vector<double> whole = losses_together(problem, script, 5000);
  for (const unsigned workers : {1U, 2U, 5U}) {
    Ensemble ensemble(problem, kSeed, whole.size());
    ensemble.prepare(10, workers);
    for (const std::size_t block : {1, 7, 64, 1000, 4999}) {
      EXPECT_EQ(losses_in_blocks(ensemble, problem, script, block, workers), whole);
    }
  }
}

TEST(Ensemble, KeepsItsLuckWhenPreparedFurther) {
  const Problem problem = two_models(PowerRule{0.08, 0.02, 1.4});
  const Script script = half_and_half(12);
  Ensemble ensemble(problem, kSeed, 100);
  for (const int last : {3, 4, 2, 12}) ensemble.prepare(last);
  EXPECT_EQ(ensemble.prepared(), 12);
  std::vector<double> losses(100);
  follow(ensemble, problem, script, losses);
  EXPECT_EQ(losses, losses_together(problem, script, 100));
}

TEST(Ensemble, RefusesWhatIsNotPreparedOrNotPossible) {
  const Problem problem = two_models(PowerRule{0.08, 0.02, 1.4});
  Ensemble ensemble(problem, kSeed, 10);
  ensemble.prepare(2);
  std::vector<double> losses(10, 2.3);
  EXPECT_THROW(ensemble.advance(losses, 3, kLarge, kLarge), Error);
  EXPECT_THROW(ensemble.advance(losses, 0, kLarge, kLarge), Error);
  EXPECT_THROW(ensemble.advance(losses, 1, kSmall, kLarge), Error);
  EXPECT_THROW(ensemble.advance(losses, 1, kLarge, kLarge, 1), Error);
  EXPECT_EQ(losses, std::vector<double>(10, 2.3));
}

// Written out again in Python, the formulas give the same.
TEST(Ensemble, IsTheSameOnEveryMachine) {
  const auto losses = [](double power) {
    return losses_together(two_models(PowerRule{0.08, 0.02, power}), half_and_half(40), 4);
  };
  EXPECT_EQ(losses(1.4), (std::vector<double>{0.41871312264285176, 0.3803593400864972,
                                              0.3803268233015613, 0.23089429042377793}));
  EXPECT_EQ(losses(1), (std::vector<double>{0.38185215502343994, 0.32747168693700274,
                                            0.3218516185636444, 0.13918382960519327}));
}

}  // namespace
}  // namespace espalier
