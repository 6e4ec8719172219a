// SPDX-License-Identifier: Apache-2.0
#include "realisations/luck.h"

#include <algorithm>

namespace espalier {
namespace {

// Kinds of draws.
constexpr std::uint64_t kOfRun = 1;
constexpr std::uint64_t kOfEpoch = 2;
constexpr std::uint64_t kOfSwitch = 3;

template <class T>
std::vector<T> distinct(std::vector<T> values, auto before) {
  std::sort(values.begin(), values.end(), before);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

PlacementId placement_id(std::size_t index) { return {static_cast<std::int32_t>(index)}; }

std::vector<double> jump_noises_from(const Problem& problem, PlacementId from) {
  std::vector<double> found;
  for (std::size_t to = 0; to < problem.size(); ++to) {
    const auto change = problem.change(from, placement_id(to));
    if (change) found.push_back(change->jump_noise);
  }
  return distinct(std::move(found), std::less<>());
}

}  // namespace

std::vector<NoiseSpec> decrease_noises(const Problem& problem) {
  std::vector<NoiseSpec> found;
  for (const Training& training : problem.placements()) found.push_back(training.noise);
  return distinct(std::move(found), [](const NoiseSpec& a, const NoiseSpec& b) {
    return a.run != b.run ? a.run < b.run : a.epoch < b.epoch;
  });
}

std::vector<double> jump_noises(const Problem& problem) {
  std::vector<double> found;
  for (std::size_t from = 0; from < problem.size(); ++from) {
    const auto some = jump_noises_from(problem, placement_id(from));
    found.insert(found.end(), some.begin(), some.end());
  }
  return distinct(std::move(found), std::less<>());
}

double RunDraws::of_run() const {
  return known_.mean + known_.deviation * rng_.normal(of(kOfRun, 0));
}
double RunDraws::of_epoch(int epoch) const { return rng_.normal(of(kOfEpoch, epoch)); }
double RunDraws::of_switch(int epoch) const { return rng_.normal(of(kOfSwitch, epoch)); }

void RunDraws::of_runs(std::span<double> z) const {
  rng_.normals(of(kOfRun, 0), z);
  for (double& one : z) one = known_.mean + known_.deviation * one;
}
void RunDraws::of_epochs(int epoch, std::span<double> z) const {
  rng_.normals(of(kOfEpoch, epoch), z);
}
void RunDraws::of_switches(int epoch, std::span<double> z) const {
  rng_.normals(of(kOfSwitch, epoch), z);
}

DrawKey RunDraws::of(std::uint64_t stream, int epoch) const {
  return {run_, stream, static_cast<std::uint64_t>(epoch)};
}

double luck_of_decrease(const RunDraws& draws, const NoiseSpec& noise, int epoch) {
  double luck = 1;
  if (noise.run != 0) luck *= lognormal(noise.run, draws.of_run());
  if (noise.epoch != 0) luck *= lognormal(noise.epoch, draws.of_epoch(epoch));
  return luck;
}

double luck_of_jump(const RunDraws& draws, double sigma, int epoch) {
  return sigma == 0 ? 1 : lognormal(sigma, draws.of_switch(epoch));
}

}  // namespace espalier
