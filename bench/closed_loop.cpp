// SPDX-License-Identifier: Apache-2.0
// Claim: on the smart factory, closed-loop `pact` stays close to the optimum although its estimates
// are wrong: a bias of ±10 % on every model, and noise on every rate and jump on top of it.
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "core/learning_rule.h"
#include "instances.h"
#include "program.h"
#include "report.h"
#include "simulation/run.h"
#include "splitmix.h"
#include "strategies/registry.h"

namespace espalier::bench {
namespace {

constexpr double kBias = 0.1;
constexpr std::array kStrategies{"pact", "exact", "one-switch", "static-learn"};
constexpr std::array kTargets{0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45};

struct Settings {
  int worlds = 40;
  double spread = 0.1;
  std::string json;
};

// The factory as somebody with wrong estimates sees it. `signs` has one bit per model: its bias is
// up or down.
Scenario misjudged(Scenario scenario, unsigned signs, double spread, SplitMix& dice) {
  const auto noise = [&] {
    return std::exp(spread * normal_quantile(dice.uniform(1e-9, 1 - 1e-9)) - spread * spread / 2);
  };
  for (RunSpec& run : scenario.runs) {
    auto& power = std::get<PowerRule>(std::get<RuleShape>(run.learn.rule));
    const bool is_up = (signs >> run.model.index & 1U) != 0;
    power.rate *= (is_up ? 1 + kBias : 1 - kBias) * noise();
    run.learn.noise = {spread, spread};
  }
  for (ModelChangeSpec& change : scenario.model_changes) {
    change.jump.expected.add *= noise();
    change.jump.noise = spread;
  }
  return scenario;
}

struct Excess {
  double sum = 0;
  int reached = 0;
};

// Energy above the optimum, relative; nothing if the goal was missed.
void live_through(const Problem& actual, const Problem& estimated, double optimum,
                  std::map<std::string, Excess>& all) {
  const auto reality = reality_of(actual)(1, 0);
  for (const char* name : kStrategies) {
    const auto planner = strategy_named(name).planner(estimated, {});
    const RunRecord record = simulate_run(estimated, *reality, *planner);
    if (!record.reached()) continue;
    all[name].sum += record.course.end().energy.value / optimum - 1;
    ++all[name].reached;
  }
}

int run(const Settings& settings) {
  std::vector<std::string> columns{"target", "optimum J"};
  for (const char* name : kStrategies) columns.push_back(fmt::format("{} vs optimum", name));
  columns.emplace_back("pact reached");
  Report report("closed-loop pact within 5 % of the optimum on average, with wrong estimates",
                columns);
  SplitMix dice(1);
  double mean = 0;
  for (const double target : kTargets) {
    const Scenario factory = smart_factory(Loss{target}, Seconds{1000});
    const Problem actual = Problem::actual(factory);
    const double optimum = strategy_named("exact")
                               .planner(actual, {})
                               ->plan(actual.start(), {})
                               .plan->end()
                               .energy.value;
    std::map<std::string, Excess> all;
    for (int world = 0; world < settings.worlds; ++world) {
      const Scenario wrong =
          misjudged(factory, static_cast<unsigned>(world), settings.spread, dice);
      live_through(actual, Problem::estimated(wrong), optimum, all);
    }
    std::vector<Cell> row{target, optimum};
    for (const char* name : kStrategies) {
      const Excess& excess = all[name];
      row.emplace_back(fmt::format("{:+.2f} %", 100 * excess.sum / std::max(1, excess.reached)));
    }
    row.emplace_back(fmt::format("{}/{}", all["pact"].reached, settings.worlds));
    report.add(row);
    mean += all["pact"].sum / std::max(1, all["pact"].reached) / kTargets.size();
    if (all["pact"].reached < settings.worlds) report.fail("pact missed the goal");
  }
  report.conclude(fmt::format("pact ends {:+.2f} % above the optimum on average", 100 * mean));
  if (mean > 0.05) report.fail("that is more than 5 %");
  return report.finish(settings.json);
}

void add_options(CLI::App& app, Settings& settings) {
  app.add_option("--worlds", settings.worlds, "wrong estimates per target")->capture_default_str();
  app.add_option("--spread", settings.spread, "sigma of the noise on rates and jumps")
      ->capture_default_str();
}

}  // namespace
}  // namespace espalier::bench

int main(int argc, char** argv) {
  using namespace espalier::bench;
  return run_program(argc, argv, "Closed loop with wrong estimates on the smart factory.",
                     add_options, run);
}
