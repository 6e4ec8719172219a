// SPDX-License-Identifier: Apache-2.0
// Claim: the clairvoyant optimum of a realisation is found and proved in about a millisecond for
// the smart factory and in a tenth of a second for nine placements and plans of 60 epochs.
#include <algorithm>
#include <ctime>

#include <fmt/format.h>

#include "clairvoyance/clairvoyant.h"
#include "noisy_instances.h"
#include "program.h"
#include "realisations/truth.h"
#include "report.h"

namespace espalier::bench {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr double kClaimedProofs = 0.98;

struct Settings {
  std::size_t runs = 20;
  std::string json;
};

Scenario noisy_factory(Seconds deadline) {
  Scenario scenario = smart_factory(Loss{0.15}, deadline);
  for (RunSpec& run : scenario.runs) run.learn.noise = {0.25, 0.3};
  for (ModelChangeSpec& change : scenario.model_changes) change.jump.noise = 0.2;
  return scenario;
}

bool reaches_goal(const Problem& actual, std::uint64_t run, const Plan& plan) {
  const Truth truth(actual, kSeed, run);
  State now = actual.start();
  for (const Step& step : plan.steps) now = truth.advance(now, step.placement).value();
  return actual.goal().reached(now.loss, now.time) && now.energy == plan.end().energy;
}

// Realisations, and the proved ones among them.
struct Total {
  std::size_t runs = 0;
  std::size_t proved = 0;
};

void measure(Report& report, Total& total, const std::string& name, const Scenario& scenario,
             std::size_t runs) {
  const Problem actual = Problem::actual(scenario);
  double sum = 0;
  double worst = 0;
  double gap = 0;
  std::size_t optimal = 0;
  std::size_t infeasible = 0;
  for (std::size_t run = 0; run < runs; ++run) {
    const std::clock_t begin = std::clock();
    const ClairvoyantResult result = clairvoyant_optimum(actual, kSeed, run);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    sum += seconds;
    worst = std::max(worst, seconds);
    optimal += result.verdict == Verdict::Optimal;
    infeasible += result.verdict == Verdict::Infeasible;
    if (!result.plan) continue;
    if (!reaches_goal(actual, run, *result.plan)) report.fail("a plan is wrong: " + name);
    gap = std::max(gap, 1 - result.lower_bound / result.plan->end().energy);
  }
  total.runs += runs;
  total.proved += optimal + infeasible;
  report.add({name, 1e3 * sum / static_cast<double>(runs), 1e3 * worst,
              static_cast<std::int64_t>(optimal), static_cast<std::int64_t>(infeasible),
              static_cast<std::int64_t>(runs - optimal - infeasible), 100 * gap});
}

void measure_factory(Report& report, Total& total, std::size_t runs) {
  for (const double deadline : {1000.0, 60.0, 45.0}) {
    measure(report, total, fmt::format("smart factory, deadline {}", deadline),
            noisy_factory(Seconds{deadline}), runs);
  }
}

void measure_random(Report& report, Total& total, Switching switching, int epochs,
                    std::size_t runs) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    NoisySpec spec;
    spec.base.epochs = epochs;
    spec.base.switching = switching;
    spec.base.seed = seed;
    measure(report, total, name_of(spec.base), noisy_scenario(spec), runs);
  }
}

int run(const Settings& settings) {
  Report report("The clairvoyant optimum of a realisation is proved within a fraction of a second.",
                {"case", "mean ms", "worst ms", "optimal", "infeasible", "bounded", "worst gap %"});
  Total total;
  measure_factory(report, total, settings.runs);
  for (const int epochs : {60, 100}) {
    measure_random(report, total, Switching::OneWay, epochs, settings.runs);
    measure_random(report, total, Switching::TwoWay, epochs, settings.runs);
  }
  const double share = static_cast<double>(total.proved) / static_cast<double>(total.runs);
  report.conclude(fmt::format("{:.1f} % of {} realisations proved; times by the processor's clock.",
                              100 * share, total.runs));
  if (share < kClaimedProofs) report.fail("fewer proofs than claimed");
  return report.finish(settings.json);
}

void add_options(CLI::App& app, Settings& settings) {
  app.add_option("--runs", settings.runs, "realisations of each case");
}

}  // namespace
}  // namespace espalier::bench

int main(int argc, char** argv) {
  using namespace espalier::bench;
  return run_program(argc, argv,
                     "Measures how long the clairvoyant optimum of a realisation takes.",
                     add_options, run);
}
