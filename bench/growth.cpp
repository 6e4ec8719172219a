// SPDX-License-Identifier: Apache-2.0
// Claim: `exact` scales to hundreds of placements and hundreds of epochs, and re-planning is
// cheaper than planning.
#include <fmt/format.h>

#include "core/plan.h"
#include "instances.h"
#include "meter.h"
#include "program.h"
#include "report.h"
#include "strategies/registry.h"
#include "svg_plot.h"
#include "timeout.h"

namespace espalier::bench {
namespace {

struct Settings {
  int smallest = 3;
  int largest = 30;
  std::uint64_t seeds = 3;
  std::int64_t max_labels = 10'000'000;
  double limit_seconds = 60;
  std::string json;
  std::string svg;
};

// What the run observes after the plan's first epoch: half a percent more loss than planned.
State observed(const Plan& plan) {
  State state = plan.after(1);
  state.loss.value *= 1.005;
  return state;
}

std::string name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::Optimal:
      return "optimal";
    case Verdict::Feasible:
      return "feasible";
    case Verdict::Infeasible:
      return "infeasible";
    case Verdict::Limit:
      return "limit";
  }
  return "";
}

struct Timed {
  PlanResult result;
  double seconds = 0;
};

Timed timed_plan(Planner& planner, const State& now, const Settings& settings) {
  const Timeout timeout(Seconds{settings.limit_seconds});
  const Stopwatch watch;
  PlanResult result = planner.plan(now, timeout.token());
  return {std::move(result), watch.seconds()};
}

struct Growth {
  Series plan{"plan", {}};
  Series replan{"re-plan", {}};
};

bool is_sound(const Problem& problem, const PlanResult& result) {
  return result.plan && problem.goal().reached(result.plan->end().loss, result.plan->end().time);
}

void measure(Report& report, Growth& growth, const InstanceSpec& spec, const Settings& settings) {
  const Problem problem = Problem::estimated(random_scenario(spec));
  const MemoryMeter memory;
  const auto planner = strategy_named("exact").planner(
      problem, {.estimator = {}, .max_labels = settings.max_labels});
  const auto [first, plan_seconds] = timed_plan(*planner, problem.start(), settings);
  if (!is_sound(problem, first)) return report.fail("no plan: " + name_of(spec));
  const auto [second, replan_seconds] = timed_plan(*planner, observed(*first.plan), settings);
  report.add({name_of(spec), static_cast<std::int64_t>(problem.size()),
              static_cast<std::int64_t>(first.plan->steps.size()), name_of(first.verdict),
              first.gap() * 100, plan_seconds, first.stats.labels,
              static_cast<double>(first.stats.bytes) / 1e6, replan_seconds, name_of(second.verdict),
              plan_seconds / replan_seconds, static_cast<double>(memory.peak_bytes()) / 1e6});
  const auto placements = static_cast<double>(problem.size());
  growth.plan.points.push_back({placements, plan_seconds});
  growth.replan.points.push_back({placements, replan_seconds});
}

int run(const Settings& settings) {
  Report report(
      "`exact` scales to hundreds of placements and epochs; re-planning is cheaper than planning.",
      {"instance", "placements", "epochs", "verdict", "gap %", "plan s", "labels", "search MB",
       "re-plan s", "its verdict", "plan/re-plan", "peak MB"});
  struct Size {
    int side;
    int epochs;
  };
  Growth growth;
  for (const Size size : {Size{3, 200}, Size{5, 300}, Size{10, 200}, Size{10, 500}, Size{15, 500},
                          Size{20, 500}, Size{30, 500}}) {
    if (size.side < settings.smallest || size.side > settings.largest) continue;
    for (std::uint64_t seed = 1; seed <= settings.seeds; ++seed) {
      measure(report, growth,
              {.models = size.side, .node_sets = size.side, .epochs = size.epochs, .seed = seed},
              settings);
    }
  }
  if (!settings.svg.empty()) {
    write_svg({"exact: time to plan", "placements", "seconds", {growth.plan, growth.replan}},
              settings.svg);
  }
  return report.finish(settings.json);
}

void add_options(CLI::App& app, Settings& settings) {
  app.add_option("--smallest", settings.smallest, "fewest models and fewest node sets");
  app.add_option("--largest", settings.largest, "most models and most node sets");
  app.add_option("--seeds", settings.seeds, "instances of each size");
  app.add_option("--limit", settings.limit_seconds, "time for each plan, in seconds");
  app.add_option("--labels", settings.max_labels, "give up after this many labels");
  app.add_option("--svg", settings.svg, "also write a log–log plot to this file");
}

}  // namespace
}  // namespace espalier::bench

int main(int argc, char** argv) {
  using namespace espalier::bench;
  return run_program(argc, argv, "Measures how `exact` grows with the number of placements.",
                     add_options, run);
}
