// SPDX-License-Identifier: Apache-2.0
// The judges are judged first: enumeration, Boost and CBC find the same least energy, and the two
// ways to search PACT's graph take the same decision.
#include <cmath>

#include <fmt/format.h>

#include "boost_rcsp.h"
#include "core/plan.h"
#include "enumeration.h"
#include "instances.h"
#include "literal_pact.h"
#include "meter.h"
#include "milp_cbc.h"
#include "program.h"
#include "report.h"

namespace espalier::bench {
namespace {

struct Settings {
  int cases = 20;
  std::string json;
};

constexpr Seconds kLimit{60};

InstanceSpec tiny(std::uint64_t seed, RuleKind rules) {
  return {.models = 2,
          .node_sets = 2,
          .epochs = 8,
          .rules = rules,
          .switching = seed % 2 == 0 ? Switching::OneWay : Switching::TwoWay,
          .deadline = seed % 3 == 0 ? DeadlineKind::Loose : DeadlineKind::Binding,
          .seed = seed};
}

// The plan does what its solver says, to the tolerance of a solver of linear programmes.
bool holds(const Problem& problem, const Solution& solution) {
  const Plan plan = follow(problem, Estimator::Expected, problem.start(), solution.placements);
  const Goal& goal = problem.goal();
  return plan.end().loss.value <= goal.loss.value + 1e-6 &&
         plan.end().time.value <= goal.deadline.value + 1e-6 &&
         std::abs((plan.end().energy - solution.energy).value) <= 1e-6;
}

bool is_same(const Problem& problem, const Solution& a, const Solution& b) {
  if (a.outcome != b.outcome) return false;
  if (a.outcome != Outcome::Optimal) return true;
  return std::abs((a.energy - b.energy).value) <= 1e-6 * a.energy.value && holds(problem, b);
}

struct Tally {
  std::int64_t cases = 0;
  std::int64_t boost = 0;
  std::int64_t cbc = 0;
  std::int64_t cbc_cases = 0;
  std::int64_t sequences = 0;
  std::int64_t epochs = 0;
};

Tally compare_solvers(RuleKind rules, int cases) {
  Tally tally;
  for (int seed = 1; seed <= cases; ++seed) {
    const Problem problem =
        Problem::estimated(random_scenario(tiny(static_cast<std::uint64_t>(seed), rules)));
    const Solution truth = enumerate_plans(problem, Estimator::Expected);
    ++tally.cases;
    tally.sequences += truth.size;
    tally.epochs += static_cast<std::int64_t>(truth.placements.size());
    tally.boost += is_same(problem, truth, solve_with_boost(problem, Estimator::Expected, kLimit));
    if (!is_additive(problem, Estimator::Expected)) continue;
    ++tally.cbc_cases;
    tally.cbc += is_same(problem, truth, solve_with_cbc(problem, Estimator::Expected, kLimit));
  }
  return tally;
}

int compare_searches(int cases) {
  int same = 0;
  for (int seed = 1; seed <= cases; ++seed) {
    InstanceSpec spec = tiny(static_cast<std::uint64_t>(seed), RuleKind::Power);
    spec.noise = 0.1;
    spec.estimator = Estimator::Robust;
    const Problem problem = Problem::estimated(random_scenario(spec));
    LiteralOptions options{.loss_step = Loss{0.1},
                           .time_step = problem.goal().deadline * (1 / 12.0)};
    const auto single = decide_literally(problem, problem.start(), options);
    options.search = PathSearch::PerGoal;
    const auto per_goal = decide_literally(problem, problem.start(), options);
    same += single.paths == per_goal.paths &&
            single.best.has_value() == per_goal.best.has_value() &&
            (!single.best || single.best->placements.front() == per_goal.best->placements.front());
  }
  return same;
}

void report_solvers(Report& report, const std::string& name, RuleKind rules, int cases) {
  const Tally tally = compare_solvers(rules, cases);
  report.add({name, tally.cases,
              static_cast<double>(tally.epochs) / static_cast<double>(tally.cases),
              tally.sequences / tally.cases, tally.boost, tally.cbc_cases, tally.cbc});
  if (tally.boost != tally.cases) report.fail("Boost and enumeration differ (" + name + ")");
  if (tally.cbc != tally.cbc_cases) report.fail("CBC and enumeration differ (" + name + ")");
}

int run(const Settings& settings) {
  const int cases = settings.cases;
  Report report("Enumeration, Boost and CBC find the same least energy.",
                {"rules", "cases", "epochs", "sequences", "boost same", "cbc cases", "cbc same"});
  report_solvers(report, "power", RuleKind::Power, cases);
  report_solvers(report, "curve", RuleKind::Curve, cases);
  report_solvers(report, "power and curve", RuleKind::Mixed, cases);
  report_solvers(report, "steps", RuleKind::Steps, cases);
  const int same = compare_searches(cases);
  report.conclude(fmt::format(
      "PACT's graph, one Dijkstra run or one per goal vertex: same decision in {} of {} cases.",
      same, cases));
  if (same != cases) report.fail("the two searches of PACT's graph differ");
  return report.finish(settings.json);
}

void add_options(CLI::App& app, Settings& settings) {
  app.add_option("--cases", settings.cases, "random cases per kind of rule")
      ->check(CLI::PositiveNumber);
}

}  // namespace
}  // namespace espalier::bench

int main(int argc, char** argv) {
  using namespace espalier::bench;
  return run_program(argc, argv, "Checks the reference solvers against each other.", add_options,
                     run);
}
