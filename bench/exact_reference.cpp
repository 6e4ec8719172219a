// SPDX-License-Identifier: Apache-2.0
// Claim: `exact` finds the optimum that general solvers find, and finds it faster; it also finds it
// where they give up.
#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "boost_rcsp.h"
#include "core/plan.h"
#include "instances.h"
#include "meter.h"
#include "milp_cbc.h"
#include "program.h"
#include "report.h"
#include "strategies/registry.h"
#include "timeout.h"

namespace espalier::bench {
namespace {

struct Settings {
  double limit_seconds = 300;
  std::string json;
};

struct Alternative {
  std::string name;
  std::function<Solution(const Problem&, Estimator, Seconds)> solve;
};

struct Timed {
  PlanResult result;
  double seconds = 0;
};

Timed plan_exactly(const Problem& problem, const Settings& settings) {
  Timed timed;
  timed.seconds = median_seconds([&] {
    const Timeout timeout(Seconds{settings.limit_seconds});
    timed.result =
        strategy_named("exact").planner(problem, {})->plan(problem.start(), timeout.token());
  });
  return timed;
}

bool is_equal(double a, double b) {
  return std::abs(a - b) <= 1e-6 * std::max(std::abs(a), std::abs(b));
}

// Adds one row. The ratio of the times is a lower bound where the alternative was stopped.
void compare(Report& report, const InstanceSpec& spec, const Alternative& alternative,
             const Settings& settings) {
  const Problem problem = Problem::estimated(random_scenario(spec));
  const Timed exact = plan_exactly(problem, settings);
  const bool is_optimal = exact.result.verdict == Verdict::Optimal;
  const double energy = exact.result.plan ? exact.result.plan->end().energy.value : 0;
  const auto epochs =
      static_cast<std::int64_t>(exact.result.plan ? exact.result.plan->steps.size() : 0);
  const MemoryMeter memory;
  const Stopwatch watch;
  const Solution theirs =
      alternative.solve(problem, Estimator::Expected, Seconds{settings.limit_seconds});
  const double seconds = watch.seconds();
  const bool is_finished = theirs.outcome == Outcome::Optimal;
  std::vector<Cell> row{name_of(spec), epochs,           is_optimal, exact.seconds,
                        energy,        alternative.name, seconds};
  row.insert(row.end(), {static_cast<double>(memory.peak_bytes()) / 1e6,
                         is_finished ? Cell(theirs.energy.value) : Cell(),
                         fmt::format("{}{:.3g}", is_finished ? "" : "> ", seconds / exact.seconds),
                         is_finished ? Cell(is_equal(energy, theirs.energy.value)) : Cell()});
  report.add(row);
  if (!is_optimal) report.fail("exact did not prove its plan: " + name_of(spec));
  if (is_finished && !is_equal(energy, theirs.energy.value))
    report.fail("different energies: " + name_of(spec));
}

int run(const Settings& settings) {
  Report report(
      "`exact` finds the optimum that general solvers find, faster, and where they give up.",
      {"instance", "epochs", "proved", "exact s", "energy", "alternative", "its s", "its MB",
       "its energy", "its s/exact s", "same energy"});
  const Alternative boost{"Boost RCSP", solve_with_boost};
  const Alternative cbc{"CBC", solve_with_cbc};
  for (const int epochs : {20, 30, 50, 200}) {
    for (const std::uint64_t seed : {1, 2}) {
      compare(report, {.epochs = epochs, .seed = seed}, boost, settings);
    }
  }
  for (const int epochs : {20, 50, 200}) {
    for (const std::uint64_t seed : {1, 2}) {
      const InstanceSpec spec{.epochs = epochs, .rules = RuleKind::Steps, .seed = seed};
      compare(report, spec, cbc, settings);
      compare(report, spec, boost, settings);
    }
  }
  return report.finish(settings.json);
}

void add_options(CLI::App& app, Settings& settings) {
  app.add_option("--limit", settings.limit_seconds, "time for each run of each solver, in seconds");
}

}  // namespace
}  // namespace espalier::bench

int main(int argc, char** argv) {
  using namespace espalier::bench;
  return run_program(argc, argv,
                     "Compares `exact` with Boost's constrained shortest paths and with CBC.",
                     add_options, run);
}
