// SPDX-License-Identifier: Apache-2.0
// Claim: `depl` is close to the best fixed plan there is.
#include <fmt/format.h>

#include "meter.h"
#include "noisy_instances.h"
#include "program.h"
#include "report.h"
#include "short_courses.h"
#include "strategies/registry.h"

namespace espalier::bench {
namespace {

struct Settings {
  int cases = 40;
  std::size_t members = 1000;
  std::string json;
};

constexpr std::uint64_t kOracleSeed = 4242;
constexpr double kProbabilities[] = {0.8, 0.9, 0.95};

struct Gaps {
  double sum = 0;
  double worst = 0;
  int count = 0;
  int unpromised = 0;
  int missed = 0;  // nothing promised though the oracle has a plan with room to spare

  void add(double gap) {
    sum += gap;
    worst = std::max(worst, gap);
    ++count;
  }
};

NoisySpec spec_of(std::uint64_t seed) {
  NoisySpec spec = random_noisy_spec(seed);
  spec.base.models = 2;
  spec.base.node_sets = 2;
  spec.base.epochs = 12;
  spec.has_options = seed % 2 == 1;
  spec.probability = kProbabilities[seed % 3];
  return spec;
}

std::string text_of(const Problem& problem, const Course& course) {
  std::string text;
  for (const Stretch& stretch : course)
    text += fmt::format("{}{}× {}", text.empty() ? "" : ", ", stretch.epochs,
                        problem.name_of(stretch.placement));
  return text;
}

// Both on the oracle's ensemble, at the share that depl's plan reaches there, or what depl asks of
// itself if that is less.
void measure(Report& report, Gaps& gaps, std::uint64_t seed, const Settings& settings) {
  const NoisySpec spec = spec_of(seed);
  const Problem problem = Problem::estimated(noisy_scenario(spec));
  const Stopwatch watch;
  const PlanResult result = strategy_named("depl").planner(problem, {})->plan(problem.start(), {});
  const double seconds = watch.seconds();
  CourseTrial trial(problem, problem.start(), kOracleSeed, settings.members);
  if (result.verdict != Verdict::Feasible) {
    ++gaps.unpromised;
    const double room = spec.probability + 0.5 * (1 - spec.probability);
    if (!cheapest_short_course(trial, room)) return;
    ++gaps.missed;
    report.fail(fmt::format("seed {}: nothing promised, though there is a plan", seed));
    return;
  }
  const Course course = course_of(*result.plan);
  trial.prepare_run(course);
  const TrialResult ours = trial.run(course);
  const double share = std::min(ours.share, spec.probability + 0.006);
  const Stopwatch oracle_watch;
  const auto best = cheapest_short_course(trial, share);
  if (!best) return report.fail(fmt::format("seed {}: the oracle found nothing", seed));
  const double gap = ours.mean_energy / best->mean_energy - 1;
  gaps.add(gap);
  report.add({static_cast<std::int64_t>(seed), static_cast<std::int64_t>(problem.size()),
              spec.probability, ours.share, ours.mean_energy.value, best->mean_energy.value,
              100 * gap, seconds, oracle_watch.seconds(), text_of(problem, course),
              text_of(problem, best->course)});
}

int run(const Settings& settings) {
  Report report("`depl` is within 5 % of the best plan of at most three stretches, 1 % on average.",
                {"seed", "placements", "asked", "share", "depl J", "best J", "gap %", "depl s",
                 "oracle s", "depl", "best"});
  Gaps gaps;
  for (int seed = 1; seed <= settings.cases; ++seed)
    measure(report, gaps, static_cast<std::uint64_t>(seed), settings);
  report.conclude(fmt::format(
      "{} cases: {:.2f} % above the oracle on average, {:.2f} % at worst; nothing promised in {} "
      "more",
      gaps.count, 100 * gaps.sum / std::max(1, gaps.count), 100 * gaps.worst, gaps.unpromised));
  if (gaps.worst > 0.05) report.fail("more than 5 % above the oracle");
  if (gaps.sum > 0.01 * gaps.count) report.fail("more than 1 % above the oracle on average");
  return report.finish(settings.json);
}

void add_options(CLI::App& app, Settings& settings) {
  app.add_option("--cases", settings.cases, "how many random scenarios");
  app.add_option("--members", settings.members, "of the ensemble both are judged on");
}

}  // namespace
}  // namespace espalier::bench

int main(int argc, char** argv) {
  using namespace espalier::bench;
  return run_program(argc, argv, "Compares `depl` with every plan of at most three stretches.",
                     add_options, run);
}
