// SPDX-License-Identifier: Apache-2.0
// Claim: a promise takes a second to find as a fixed plan, two as a policy.
#include <fmt/format.h>

#include "meter.h"
#include "noisy_instances.h"
#include "policies/policy_search.h"
#include "program.h"
#include "report.h"
#include "strategies/registry.h"

namespace espalier::bench {
namespace {

struct Settings {
  int seeds = 5;
  std::string json;
};

constexpr double kPlanSeconds = 1;
constexpr double kPolicySeconds = 2;

// The smart factory with the noise of examples/noisy-factory.yaml.
Scenario noisy_factory() {
  Scenario scenario = smart_factory(Loss{0.15}, Seconds{1000});
  for (RunSpec& run : scenario.runs) run.learn.noise = {0.25, 0.3};
  for (ModelChangeSpec& change : scenario.model_changes) change.jump.noise = 0.2;
  return scenario;
}

double seconds_of(const Problem& problem, const char* strategy) {
  const Stopwatch watch;
  strategy_named(strategy).planner(problem, {})->plan(problem.start(), {});
  return watch.seconds();
}

double seconds_of_grid(const Problem& problem) {
  const Stopwatch watch;
  find_policy(problem, {.resolution = {300, 500}}, {});
  return watch.seconds();
}

void measure(Report& report, const std::string& name, const Problem& problem) {
  const double margin = seconds_of(problem, "expectation-margin");
  const double depl = seconds_of(problem, "depl");
  const double grid = seconds_of_grid(problem);
  const double policy = seconds_of(problem, "policy");
  report.add({name, static_cast<std::int64_t>(problem.size()), margin, depl, depl / margin, grid,
              policy, depl < kPlanSeconds, grid < kPolicySeconds});
}

int run(const Settings& settings) {
  Report report("`depl` takes less than a second, a policy on 300 × 500 × 9 states less than two",
                {"scenario", "placements", "margin s", "depl s", "depl/margin", "grid policy s",
                 "policy in all s", "depl < 1 s", "grid < 2 s"});
  measure(report, "noisy factory", Problem::estimated(noisy_factory()));
  for (int seed = 1; seed <= settings.seeds; ++seed) {
    NoisySpec spec;
    spec.base.seed = static_cast<std::uint64_t>(seed);
    measure(report, fmt::format("3x3, 60 epochs, seed {}", seed),
            Problem::estimated(noisy_scenario(spec)));
  }
  report.conclude(
      "2,000 members to search, 20,000 to fit and to judge; `policy` in all includes `depl`, which "
      "chooses its data and is kept where it is as good.");
  return report.finish(settings.json);
}

void add_options(CLI::App& app, Settings& settings) {
  app.add_option("--seeds", settings.seeds, "random scenarios of nine placements");
}

}  // namespace
}  // namespace espalier::bench

int main(int argc, char** argv) {
  using namespace espalier::bench;
  return run_program(argc, argv, "Measures how long promises take to find.", add_options, run);
}
