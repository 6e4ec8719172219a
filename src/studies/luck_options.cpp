// SPDX-License-Identifier: Apache-2.0
#include "studies/luck_options.h"

#include "core/error.h"

namespace espalier {
namespace {

constexpr std::int64_t kUsualRuns = 100;
constexpr std::int64_t kMostRuns = 10'000'000;

}  // namespace

SimulationOptions simulation_options(const LuckOptions& options, Luck luck) {
  const std::int64_t runs = options.runs.value_or(kUsualRuns);
  if (runs < 1 || runs > kMostRuns) {
    throw Error(ErrorCode::BadInput, "--runs must be between 1 and 10000000",
                "--runs 100 is a good start");
  }
  SimulationOptions simulation;
  simulation.runs = luck == Luck::None ? 1 : static_cast<std::size_t>(runs);
  simulation.seed = options.seed;
  return simulation;
}

std::vector<std::string> luck_notes(const LuckOptions& options, Luck luck) {
  if (luck == Luck::Drawn || options.runs.value_or(1) <= 1) return {};
  return {"the scenario has no noise: all runs are alike, and one was made"};
}

}  // namespace espalier
