// SPDX-License-Identifier: Apache-2.0
// Claim: `exact` scales to hundreds of placements and hundreds of epochs, and re-planning is
// cheaper than planning.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/infinite.h"
#include "core/plan.h"
#include "cpu_watch.h"
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
  std::uint64_t first_seed = 1;
  std::uint64_t seeds = 3;
  std::int64_t max_labels = 10'000'000;
  double limit_seconds = 60;
  bool check = false;
  std::string json;
  std::string svg;
};

// What a run sees some way through its plan.
struct Observation {
  std::string name;
  double share;   // of the plan's epochs; at least one of them
  double factor;  // of the loss that the last answer expects
};

// Half a percent more loss than planned; then as much less instead.
const std::vector<Observation>& observations() {
  static const std::vector<Observation> all{
      {"epoch 1, worse", 0, 1.005}, {"epoch 1, better", 0, 0.99}, {"10 %, worse", 0.1, 1.005},
      {"10 %, better", 0.1, 0.99},  {"50 %, worse", 0.5, 1.005},  {"50 %, better", 0.5, 0.99}};
  return all;
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
  double cpu_seconds = 0;  // of all threads: what a busy machine does not change
};

Timed timed_plan(Planner& planner, const State& now, double limit_seconds) {
  const Timeout timeout(Seconds{limit_seconds});
  const CpuWatch cpu;
  const Stopwatch watch;
  PlanResult result = planner.plan(now, timeout.token());
  return {std::move(result), watch.seconds(), cpu.seconds()};
}

struct Growth {
  Series plan{"plan", {}};
  Series replan{"re-plan", {}};
};

bool is_sound(const Problem& problem, const PlanResult& result) {
  return result.plan && problem.goal().reached(result.plan->end().loss, result.plan->end().time);
}

bool is_proof(const PlanResult& result) {
  return result.verdict == Verdict::Optimal || result.verdict == Verdict::Infeasible;
}

double gap_of(const PlanResult& result) {
  return result.plan || is_proof(result) ? result.gap() : kInfinite;
}

// What planning again took, at worst.
struct Replans {
  Timed first;
  Timed worst;
  std::string after;
  double gap = 0;  // the largest
  int proved = 0;
};

// What a planner that has never planned before says about the same state.
bool is_confirmed(const Problem& problem, const State& now, const PlanResult& result,
                  const Settings& settings) {
  const auto planner = strategy_named("exact").planner(
      problem, {.estimator = {}, .max_labels = settings.max_labels});
  const PlanResult fresh = planner->plan(now, {});
  if (!is_proof(fresh) || !is_proof(result)) return true;
  if (fresh.verdict != result.verdict) return false;
  if (!fresh.plan) return true;
  const double energy = fresh.plan->end().energy.value;
  return std::abs(energy - result.plan->end().energy.value) <= 2e-9 * energy;
}

// Follows the plan, or the last answer that was one, from observation to observation.
Replans plan_again(Report& report, Planner& planner, const Problem& problem, const Plan& first,
                   const Settings& settings, double limit_seconds) {
  Replans replans;
  Plan plan = first;
  for (const Observation& observation : observations()) {
    const auto epoch =
        std::max(1, static_cast<int>(observation.share * static_cast<double>(first.steps.size())));
    const auto done = static_cast<std::size_t>(epoch - plan.start.epoch);
    State now = plan.after(std::min(done, plan.steps.size() - 1));
    now.loss.value *= observation.factor;
    const Timed answer = timed_plan(planner, now, limit_seconds);
    if (replans.after.empty()) replans.first = answer;
    if (answer.cpu_seconds > replans.worst.cpu_seconds) {
      replans.worst = answer;
      replans.after = observation.name;
    }
    replans.proved += is_proof(answer.result);
    replans.gap = std::max(replans.gap, gap_of(answer.result));
    if (settings.check && !is_confirmed(problem, now, answer.result, settings))
      report.fail("planned from scratch it is another: " + observation.name);
    if (answer.result.plan && !answer.result.plan->steps.empty()) plan = *answer.result.plan;
  }
  return replans;
}

// The same by another planner, within a tenth of the time that planning took: what it is told, and
// that it needs a moment to stop.
constexpr double kHaste = 0.095;

Replans plan_again_in_haste(Report& report, const Problem& problem, const Settings& settings,
                            double seconds) {
  const auto planner = strategy_named("exact").planner(
      problem, {.estimator = {}, .max_labels = settings.max_labels});
  const Timed planned = timed_plan(*planner, problem.start(), settings.limit_seconds);
  if (!planned.result.plan) return {};
  return plan_again(report, *planner, problem, *planned.result.plan, settings, kHaste * seconds);
}

void measure(Report& report, Growth& growth, const InstanceSpec& spec, const Settings& settings) {
  const Problem problem = Problem::estimated(random_scenario(spec));
  const MemoryMeter memory;
  const auto planner = strategy_named("exact").planner(
      problem, {.estimator = {}, .max_labels = settings.max_labels});
  const Timed planned = timed_plan(*planner, problem.start(), settings.limit_seconds);
  const PlanResult& first = planned.result;
  if (!is_sound(problem, first)) return report.fail("no plan: " + name_of(spec));
  const Replans replans =
      plan_again(report, *planner, problem, *first.plan, settings, settings.limit_seconds);
  const auto peak = static_cast<double>(memory.peak_bytes());
  const Replans hurried = plan_again_in_haste(report, problem, settings, planned.seconds);
  report.add(
      {fmt::format("{}x{}, seed {}", spec.models, spec.node_sets, spec.seed),
       static_cast<std::int64_t>(first.plan->steps.size()), name_of(first.verdict),
       first.gap() * 100, planned.seconds, planned.cpu_seconds, first.stats.labels, peak / 1e6,
       replans.first.seconds, replans.worst.seconds, 100 * replans.worst.seconds / planned.seconds,
       100 * replans.worst.cpu_seconds / planned.cpu_seconds, replans.worst.result.stats.labels,
       replans.after, fmt::format("{} of {}", replans.proved, observations().size()),
       100 * hurried.worst.seconds / planned.seconds, hurried.gap * 100});
  const auto placements = static_cast<double>(problem.size());
  growth.plan.points.push_back({placements, planned.seconds});
  growth.replan.points.push_back({placements, replans.worst.seconds});
}

int run(const Settings& settings) {
  Report report(
      "`exact` scales to hundreds of placements and epochs; re-planning is cheaper than planning.",
      {"instance", "epochs", "verdict", "gap %", "plan s", "CPU s", "labels", "peak MB",
       "re-plan s", "worst s", "worst %", "of CPU %", "labels", "worst after", "proved",
       "in haste %", "gap %"});
  struct Size {
    int side;
    int epochs;
  };
  Growth growth;
  for (const Size size : {Size{3, 200}, Size{5, 300}, Size{10, 200}, Size{10, 500}, Size{15, 500},
                          Size{20, 500}, Size{30, 200}, Size{30, 500}}) {
    if (size.side < settings.smallest || size.side > settings.largest) continue;
    for (std::uint64_t i = 0; i < settings.seeds; ++i) {
      const std::uint64_t seed = settings.first_seed + i;
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
  app.add_flag("--check", settings.check, "also make every re-plan from scratch, and compare");
  app.add_option("--first", settings.first_seed, "seed of the first instance of each size");
  app.add_option("--svg", settings.svg, "also write a log–log plot to this file");
}

}  // namespace
}  // namespace espalier::bench

int main(int argc, char** argv) {
  using namespace espalier::bench;
  return run_program(argc, argv, "Measures how `exact` grows with the number of placements.",
                     add_options, run);
}
