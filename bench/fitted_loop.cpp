// SPDX-License-Identifier: Apache-2.0
// Claim: closed-loop `pact` with estimators that were fitted to traces costs at most 5 % more than
// `pact` that is told the truth, averaged over targets. The truth is replayed from traces of runs
// that the estimators never saw. And what calibration, the run's own lessons and the network are
// good for: each is left out in turn.
#include <optional>

#include <fmt/format.h>

#include "cli/arguments.h"
#include "estimation/forecaster_file.h"
#include "io/scenario_file.h"
#include "io/trace_file.h"
#include "outlook/fitted_imagination.h"
#include "outlook/imagined_outlook.h"
#include "program.h"
#include "replay/trace_imagination.h"
#include "replay/traced_optimum.h"
#include "replay/traced_world.h"
#include "report.h"
#include "simulation/run.h"
#include "strategies/registry.h"

namespace espalier::bench {
namespace {

struct Settings {
  std::string scenario = "examples/factory-loop.yaml";
  std::string world;
  std::string fitted;
  std::string strategy = "pact";
  std::vector<double> targets{0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2};
  std::vector<std::string> settings;
  bool courses = false;
  std::string json;
};

// Somebody who believes something.
struct Arm {
  std::string name;
  std::optional<ForecastParts> parts{};  // absent: is told the truth
};

std::vector<Arm> arms() {
  return {{"told the truth"},
          {"fitted", ForecastParts{}},
          {"uncalibrated", ForecastParts{.calibration = false}},
          {"uncorrected", ForecastParts{.correction = false}},
          {"neither", ForecastParts{.calibration = false, .correction = false}},
          {"power law alone", ForecastParts{.network = false}}};
}

// The traces, and what is planned in them.
struct Loop {
  Loop(const Settings& settings, Scenario read)
      : scenario(std::move(read)),
        whole(Problem::estimated(scenario)),
        world(scenario, whole, load_traces(settings.world), settings.world),
        base(world.within(whole)),
        strategy(strategy_named(settings.strategy)) {}

  std::unique_ptr<Imagination> imagination(const Arm& arm, const LearningForecaster* forecaster,
                                           std::size_t run) const {
    if (!arm.parts) return std::make_unique<TraceImagination>(world, base, run);
    return std::make_unique<FittedImagination>(*forecaster, conditions_of(scenario, base), base);
  }

  RunRecord live(const Arm& arm, const LearningForecaster* forecaster, std::size_t run) const {
    const auto imagination_of_run = imagination(arm, forecaster, run);
    ImaginedOutlook outlook(base, *imagination_of_run);
    const auto reality = reality_of(world, base)(1, run);
    return simulate_run(base, *reality, outlook, {strategy, {}});
  }

  Scenario scenario;
  Problem whole;
  TracedWorld world;
  Problem base;
  const Strategy& strategy;
};

struct Tally {
  double excess = 0;  // of energy, summed over the runs that reached the goal
  int reached = 0;
  int missed = 0;
};

// "L on gold 10, M on silver 35"
std::string stages_of(const Problem& problem, const Plan& course) {
  std::string text;
  for (const Stage& stage : course.stages()) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", problem.name_of(stage.placement),
                        stage.epochs);
  }
  return text;
}

Scenario scenario_for(const Settings& settings, double target) {
  std::vector<Setting> all;
  for (const std::string& text : settings.settings) all.push_back(parse_setting(text));
  Scenario scenario = load_scenario(settings.scenario, all);
  scenario.goal.loss = Loss{target};
  return scenario;
}

int run(const Settings& settings) {
  std::vector<std::string> columns{"target", "optimum J", "told the truth J"};
  for (const Arm& arm : arms()) {
    if (arm.parts) columns.push_back(arm.name);
  }
  columns.emplace_back("beyond traces");
  Report report("pact with fitted estimators within 5 % of pact that is told the truth", columns);
  std::vector<std::optional<LearningForecaster>> forecasters;
  for (const Arm& arm : arms()) {
    auto& forecaster = forecasters.emplace_back();
    if (arm.parts) forecaster.emplace(load_forecaster(settings.fitted, *arm.parts));
  }
  std::vector<Tally> tallies(forecasters.size());
  for (const double target : settings.targets) {
    const Loop loop(settings, scenario_for(settings, target));
    for (std::size_t seed = 0; seed < loop.world.seed_count(); ++seed) {
      const PlanResult optimum = traced_optimum(loop.world, loop.base, seed, {});
      const RunRecord told = loop.live(arms().front(), nullptr, seed);
      std::vector<Cell> row{target};
      row.push_back(optimum.plan ? Cell{optimum.plan->end().energy.value} : Cell{});
      row.push_back(told.reached() ? Cell{told.course.end().energy.value} : Cell{"missed"});
      std::vector<std::pair<std::string, Plan>> courses;
      int beyond = told.unknown_epochs;
      for (std::size_t arm = 1; arm < forecasters.size(); ++arm) {
        const RunRecord record = loop.live(arms()[arm], &*forecasters[arm], seed);
        beyond += record.unknown_epochs;
        courses.emplace_back(arms()[arm].name, record.course);
        if (!record.reached() || !told.reached()) {
          row.emplace_back(record.reached() ? "reached" : "missed");
          tallies[arm].missed += told.reached() ? 1 : 0;
          continue;
        }
        const double excess = record.course.end().energy.value / told.course.end().energy.value - 1;
        tallies[arm].excess += excess;
        ++tallies[arm].reached;
        row.emplace_back(fmt::format("{:+.1f} %", 100 * excess));
      }
      row.emplace_back(std::int64_t{beyond});
      report.add(row);
      if (!settings.courses) continue;
      if (optimum.plan) report.conclude("optimum: " + stages_of(loop.base, *optimum.plan));
      report.conclude("told: " + stages_of(loop.base, told.course));
      for (const auto& [name, course] : courses)
        report.conclude(name + ": " + stages_of(loop.base, course));
    }
  }
  for (std::size_t arm = 1; arm < tallies.size(); ++arm) {
    const Tally& tally = tallies[arm];
    report.conclude(fmt::format("{}: {:+.2f} % on average over {}, {} missed", arms()[arm].name,
                                100 * tally.excess / std::max(1, tally.reached), tally.reached,
                                tally.missed));
  }
  const Tally& fitted = tallies[1];
  if (fitted.reached == 0 || fitted.excess / fitted.reached > 0.05)
    report.fail("that of the fitted one is more than 5 %");
  if (fitted.missed > 0) report.fail("a goal was missed that could be reached");
  return report.finish(settings.json);
}

void add_options(CLI::App& app, Settings& settings) {
  app.add_option("SCENARIO", settings.scenario, "placements, costs, goal")->capture_default_str();
  app.add_option("--world", settings.world, "traces that are the truth")->required();
  app.add_option("--fitted", settings.fitted, "estimators that were fitted to others")->required();
  app.add_option("--strategy", settings.strategy, "who decides")->capture_default_str();
  app.add_option("--targets", settings.targets, "losses to be reached");
  app.add_flag("--courses", settings.courses, "also tell who trained where");
  app.add_option("--set", settings.settings, "change a value of the scenario; repeatable")
      ->allow_extra_args(false);
}

}  // namespace
}  // namespace espalier::bench

int main(int argc, char** argv) {
  using namespace espalier::bench;
  return run_program(argc, argv, "Closed loop on traces with fitted estimators.", add_options, run);
}
