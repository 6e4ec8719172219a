// SPDX-License-Identifier: Apache-2.0
// Claim: an ensemble advances 200 million members by an epoch each second on two cores, many times
// as many as runs that go one by one through the same formulas.
#include <algorithm>
#include <ctime>
#include <functional>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "core/parallel.h"
#include "instances.h"
#include "meter.h"
#include "program.h"
#include "realisations/ensemble.h"
#include "realisations/truth.h"
#include "report.h"

namespace espalier::bench {
namespace {

constexpr double kClaimed = 200e6;
constexpr unsigned kClaimedThreads = 2;
constexpr std::uint64_t kSeed = 1;
// Members that a thread takes through the whole plan: their losses stay in its cache.
constexpr std::size_t kBlock = 1024;

struct Settings {
  std::size_t members = 32'768;
  int epochs = 200;
  std::string json;
};

// Floating-point operations of one member and epoch; a comparison that chooses between two values
// counts as one, what is done to the bits of a number (seven operations in a power) as none.
//   power 1:  x = loss − floor; rate·x; factor·luck; their product; the lesser of it and x;
//             loss − it; whether x ≤ 0: 7 in all.
//   other powers: instead of rate·x
//             ln: ≥ 1e-300; exponent; m − 1, m + 1, ÷; s²; 9 Horner steps of 2; 6 to put it
//             together; times the power: 31. x is computed again in the second pass: 1.
//             e^: two bounds; 2 to round; n; 4 for the rest r; 10 Horner steps of 2; 4 to put it
//             together: 33. Times the rate stays: 7 + 31 + 1 + 33 = 72 in all.
// Bytes: the luck, 8; the losses stay in the cache. Jumps are too rare to count.
constexpr double kFlopsOfLinear = 7;
constexpr double kFlopsOfPower = 72;
constexpr double kBytes = 8;

// The smart factory with noise in everything.
Problem noisy_factory(double power) {
  Scenario scenario = smart_factory(Loss{0.15}, Seconds{1000});
  for (RunSpec& run : scenario.runs) {
    std::get<PowerRule>(std::get<RuleShape>(run.learn.rule)).power = power;
    run.learn.noise = {0.1, 0.1};
  }
  for (ModelChangeSpec& change : scenario.model_changes) change.jump.noise = 0.1;
  return Problem::actual(scenario);
}

// Every placement in turn, as far as one leads to the next.
std::vector<PlacementId> plan_for(const Problem& problem, int epochs) {
  std::vector<PlacementId> plan;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    const auto share = epoch * static_cast<std::int32_t>(problem.size()) / epochs;
    const PlacementId at = plan.empty() ? problem.start().placement : plan.back();
    plan.push_back(problem.change(at, {share}) ? PlacementId{share} : at);
  }
  return plan;
}

// Final losses of the members that the span has room for.
using Method = std::function<void(std::span<double> losses, unsigned threads)>;

// --- together ------------------------------------------------------------------------------------

void follow_block(const Ensemble& ensemble, const Problem& problem,
                  const std::vector<PlacementId>& plan, std::span<double> losses,
                  std::size_t first) {
  std::ranges::fill(losses, problem.start().loss.value);
  PlacementId from = problem.start().placement;
  for (std::size_t k = 0; k < plan.size(); ++k) {
    ensemble.advance(losses, static_cast<int>(k) + 1, from, plan[k], first);
    from = plan[k];
  }
}

void follow_together(const Ensemble& ensemble, const Problem& problem,
                     const std::vector<PlacementId>& plan, std::span<double> losses,
                     unsigned threads) {
  for_each_index((losses.size() + kBlock - 1) / kBlock, threads, [&](unsigned, std::size_t block) {
    const std::size_t first = block * kBlock;
    const auto part = losses.subspan(first, std::min(kBlock, losses.size() - first));
    follow_block(ensemble, problem, plan, part, first);
  });
}

// --- one by one ----------------------------------------------------------------------------------

double follow_truth(const Problem& problem, const std::vector<PlacementId>& plan,
                    std::uint64_t run) {
  const Truth truth(problem, kSeed, run);
  State state = problem.start();
  for (const PlacementId to : plan) state = truth.advance(state, to).value();
  return state.loss.value;
}

// The luck of one member, drawn before.
struct DrawnLuck {
  std::vector<double> decrease;
  std::vector<double> jump;
};

DrawnLuck drawn_luck(const Problem& problem, const std::vector<PlacementId>& plan,
                     std::uint64_t run) {
  const RunDraws draws(kSeed, run);
  DrawnLuck luck;
  PlacementId from = problem.start().placement;
  for (const PlacementId to : plan) {
    const int epoch = static_cast<int>(luck.jump.size()) + 1;
    luck.decrease.push_back(luck_of_decrease(draws, problem.training(to).noise, epoch));
    luck.jump.push_back(luck_of_jump(draws, problem.change(from, to)->jump_noise, epoch));
    from = to;
  }
  return luck;
}

// What Truth does, without the drawing and the costs.
double follow_rule(const Problem& problem, const std::vector<PlacementId>& plan,
                   const DrawnLuck& luck) {
  double loss = problem.start().loss.value;
  PlacementId from = problem.start().placement;
  for (std::size_t k = 0; k < plan.size(); ++k) {
    const Jump jump = problem.change(from, plan[k])->jump.expected;
    loss = problem.training(plan[k]).rule.expected.next(
        static_cast<int>(k) + 1, with_luck(jump, luck.jump[k]).apply(loss), luck.decrease[k]);
    from = plan[k];
  }
  return loss;
}

// --- measuring -----------------------------------------------------------------------------------

// A plan for one problem, and its final losses as far as somebody found them.
struct Workload {
  std::string name;
  Problem problem;
  std::vector<PlacementId> plan;
  double flops;
  std::vector<double> losses{};
};

Workload workload(double power, int epochs) {
  const Problem problem = noisy_factory(power);
  return {fmt::format("power {}", power), problem, plan_for(problem, epochs),
          power == 1 ? kFlopsOfLinear : kFlopsOfPower};
}

// To the last bit, as far as both have members.
bool agrees(const std::vector<double>& a, const std::vector<double>& b) {
  const auto common = static_cast<std::ptrdiff_t>(std::min(a.size(), b.size()));
  return std::equal(a.begin(), a.begin() + common, b.begin());
}

struct Speed {
  double total = 0;     // member-epochs per second
  double per_core = 0;  // the same by processor time: other programs take none of it
};

Speed speed_of(Report& report, Workload& work, std::size_t members, unsigned threads,
               const Method& method) {
  std::vector<double> losses(members);
  std::clock_t ticks = 0;
  std::size_t runs = 0;
  const double seconds = median_seconds([&] {
    const std::clock_t begin = std::clock();
    method(losses, threads);
    ticks += std::clock() - begin;
    ++runs;
  });
  if (!agrees(losses, work.losses)) report.fail("losses differ: " + work.name);
  if (losses.size() > work.losses.size()) work.losses = std::move(losses);
  const auto done = static_cast<double>(members * work.plan.size());
  const double core_seconds = static_cast<double>(ticks) / CLOCKS_PER_SEC;
  return {done / seconds, done * static_cast<double>(runs) / core_seconds};
}

struct Methods {
  std::size_t few;    // members that go one by one: more would be no faster, but take longer
  std::size_t many;   // members of an ensemble
  Method truth{};     // each member draws its luck
  Method rule{};      // each member finds its luck drawn
  Method drawing{};   // an ensemble draws its luck and follows one plan
  Method together{};  // an ensemble finds its luck drawn
};

// Returns the speed of the ensemble.
Speed race(Report& report, Workload& work, const Methods& methods, unsigned threads) {
  const Speed truth = speed_of(report, work, methods.few, threads, methods.truth);
  const Speed rule = speed_of(report, work, methods.few, threads, methods.rule);
  const Speed drawing = speed_of(report, work, methods.many, threads, methods.drawing);
  const Speed together = speed_of(report, work, methods.many, threads, methods.together);
  const auto add = [&](const char* way, const Speed& speed, const Speed& reference) {
    report.add({work.name + ", " + way, static_cast<std::int64_t>(threads), speed.total / 1e6,
                speed.per_core / 1e6, speed.total * work.flops / 1e9, speed.total * kBytes / 1e9,
                speed.total / reference.total});
  };
  add("Truth::advance", truth, truth);
  add("ensemble, draws too", drawing, truth);
  add("LearningRule::next, luck drawn", rule, rule);
  add("ensemble, luck drawn", together, rule);
  return together;
}

// Returns the speed of the ensemble on the claimed number of threads.
Speed measure(Report& report, const Settings& settings, double power) {
  Workload work = workload(power, settings.epochs);
  const Problem& problem = work.problem;
  const auto& plan = work.plan;
  const std::size_t few = std::min<std::size_t>(settings.members, 2 * kBlock);
  std::vector<DrawnLuck> luck(few);
  for (std::size_t i = 0; i < few; ++i) luck[i] = drawn_luck(problem, plan, i);
  Ensemble ensemble(problem, kSeed, settings.members);
  ensemble.prepare(settings.epochs);

  Methods methods{.few = few, .many = settings.members};
  methods.truth = [&](std::span<double> losses, unsigned threads) {
    for_each_index(losses.size(), threads,
                   [&](unsigned, std::size_t i) { losses[i] = follow_truth(problem, plan, i); });
  };
  methods.rule = [&](std::span<double> losses, unsigned threads) {
    for_each_index(losses.size(), threads, [&](unsigned, std::size_t i) {
      losses[i] = follow_rule(problem, plan, luck[i]);
    });
  };
  methods.drawing = [&](std::span<double> losses, unsigned threads) {
    Ensemble fresh(problem, kSeed, losses.size());
    fresh.prepare(settings.epochs, threads);
    follow_together(fresh, problem, plan, losses, threads);
  };
  methods.together = [&](std::span<double> losses, unsigned threads) {
    follow_together(ensemble, problem, plan, losses, threads);
  };
  race(report, work, methods, 1);
  return race(report, work, methods, kClaimedThreads);
}

int run(const Settings& settings) {
  Report report(
      "An ensemble advances 200 million members by an epoch each second on two cores, to the same "
      "bits as one by one.",
      {"way", "threads", "M/s", "M/s per core", "GFlop/s", "GB/s", "ratio"});
  measure(report, settings, 1);
  const Speed speed = measure(report, settings, 1.4);
  report.conclude(fmt::format(
      "M/s: million members by an epoch each second; per core: by processor time. Each takes {} "
      "bytes of luck, and {} operations with power 1 or {} with another; drawing is not counted.",
      kBytes, kFlopsOfLinear, kFlopsOfPower));
  report.conclude(fmt::format("Power 1.4 on {} threads: {:.0f} M/s, {} the {:.0f} claimed.",
                              kClaimedThreads, speed.total / 1e6,
                              speed.total >= kClaimed ? "more than" : "LESS than", kClaimed / 1e6));
  if (speed.total < kClaimed && kClaimedThreads * speed.per_core >= kClaimed) {
    report.conclude(fmt::format("Other programs took part of the cores; by processor time: {:.0f}.",
                                kClaimedThreads * speed.per_core / 1e6));
  }
  return report.finish(settings.json);
}

void add_options(CLI::App& app, Settings& settings) {
  app.add_option("--members", settings.members, "size of the ensemble");
  app.add_option("--epochs", settings.epochs, "length of the plan");
}

}  // namespace
}  // namespace espalier::bench

int main(int argc, char** argv) {
  using namespace espalier::bench;
  return run_program(argc, argv, "Measures how fast an ensemble follows a plan.", add_options, run);
}
