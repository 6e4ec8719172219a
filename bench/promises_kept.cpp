// SPDX-License-Identifier: Apache-2.0
// Claim: what `depl` and `policy` promise holds on realisations they have never seen, and costs no
// more than it must.
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "meter.h"
#include "noisy_instances.h"
#include "program.h"
#include "report.h"
#include "simulation/simulation.h"
#include "simulation/summary.h"
#include "strategies/registry.h"
#include "svg_plot.h"

namespace espalier::bench {
namespace {

struct Settings {
  int cases = 50;
  std::size_t runs = 20'000;
  std::string strategies = "depl,policy,expectation-margin";
  bool reference_noise = false;  // the noise of the reference scenario in every case
  std::string json;
  std::string svg;
};

constexpr std::uint64_t kFreshSeed = 20261116;
constexpr double kProbabilities[] = {0.8, 0.9, 0.95, 0.99};
constexpr double kLargestMiss = 0.01;
constexpr double kKept = 0.98;

// What became of the promises of one strategy.
struct Tally {
  int made = 0;
  int kept = 0;  // frequency ≥ probability − 2 standard errors
  double worst_miss = 0;
  double seconds = 0;
  std::map<double, std::vector<double>> achieved;  // by probability asked for
};

struct Outcome {
  bool promised = false;
  double share = 0;
  double energy = 0;
};

// A strategy whose planner has been asked already.
class Asked final : public Strategy {
 public:
  Asked(const StrategyInfo& info, const Planner& planner) : info_(info), planner_(planner) {}
  const StrategyInfo& info() const override { return info_; }
  std::unique_ptr<Planner> planner(const Problem&, const PlannerOptions&) const override {
    return planner_.fork();
  }

 private:
  const StrategyInfo& info_;
  const Planner& planner_;
};

// Mean energies of two strategies where both promise.
struct Duel {
  double ours = 0;  // sum of ratios to the other
  int count = 0;
  double worst = 0;
};

std::vector<std::string> names_of(const Settings& settings) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < settings.strategies.size();) {
    const std::size_t comma =
        std::min(settings.strategies.find(',', at), settings.strategies.size());
    names.push_back(settings.strategies.substr(at, comma - at));
    at = comma + 1;
  }
  return names;
}

class Experiment {
 public:
  explicit Experiment(const Settings& settings)
      : settings_(settings),
        names_(names_of(settings)),
        report_("promises are kept on realisations nobody has seen",
                {"case", "asked", "strategy", "promised", "planned share", "share", "kept",
                 "mean J", "seconds"}) {}

  int run() {
    for (int seed = 1; seed <= settings_.cases; ++seed) {
      for (const double probability : kProbabilities)
        one(static_cast<std::uint64_t>(seed), probability);
    }
    conclude();
    if (!settings_.svg.empty()) draw();
    return report_.finish(settings_.json);
  }

 private:
  void one(std::uint64_t seed, double probability) {
    NoisySpec spec = random_noisy_spec(seed);
    if (settings_.reference_noise) {
      spec.run_noise = 0.25;
      spec.epoch_noise = 0.3;
    }
    spec.probability = probability;
    const Scenario scenario = noisy_scenario(spec);
    const Problem problem = Problem::estimated(scenario);
    std::map<std::string, Outcome> outcomes;
    for (const std::string& name : names_) {
      const StrategyInfo& info = strategy_named(name).info();
      if (spec.has_options && !info.chooses_data) continue;
      outcomes[name] = measure(seed, problem, name);
    }
    for (const std::string& ours : names_) {
      for (const std::string& theirs : names_)
        compare(ours, theirs, outcomes[ours], outcomes[theirs]);
    }
  }

  Outcome measure(std::uint64_t seed, const Problem& problem, const std::string& name) {
    const Strategy& strategy = strategy_named(name);
    const double asked = problem.goal().probability;
    const Stopwatch watch;
    const auto planner = strategy.planner(problem, {});
    const PlanResult planned = planner->plan(problem.start(), {});
    const double seconds = watch.seconds();
    const bool promised = planned.plan && planned.verdict != Verdict::Infeasible;
    Tally& tally = tallies_[name];
    tally.seconds = std::max(tally.seconds, seconds);
    if (!promised) {
      report_.add({static_cast<std::int64_t>(seed), asked, name, false, {}, {}, {}, {}, seconds});
      return {};
    }
    SimulationOptions options;
    options.runs = settings_.runs;
    options.seed = kFreshSeed + seed;
    if (strategy.info().commits) options.run.loop = Loop::Open;
    const auto records = simulate_runs({problem, reality_of(problem)},
                                       Asked(strategy.info(), *planner), {}, options);
    const SimulationSummary summary = summarise(records, Luck::Drawn);
    const double error = std::sqrt(asked * (1 - asked) / static_cast<double>(settings_.runs));
    const bool kept = summary.probability >= asked - 2 * error;
    ++tally.made;
    tally.kept += kept;
    tally.worst_miss = std::max(tally.worst_miss, asked - summary.probability);
    tally.achieved[asked].push_back(summary.probability);
    report_.add({static_cast<std::int64_t>(seed), asked, name, true, planned.chance->probability,
                 summary.probability, kept, summary.energy.mean, seconds});
    return {true, summary.probability, summary.energy.mean};
  }

  void compare(const std::string& ours, const std::string& theirs, const Outcome& a,
               const Outcome& b) {
    if (ours == theirs || !a.promised || !b.promised) return;
    Duel& duel = duels_[ours + " / " + theirs];
    duel.ours += a.energy / b.energy;
    duel.worst = std::max(duel.worst, a.energy / b.energy);
    ++duel.count;
  }

  void conclude() {
    for (const auto& [name, tally] : tallies_) {
      report_.conclude(fmt::format(
          "{}: {} promises, {} kept ({:.1f} %), largest miss {:.4f}, slowest plan {:.2f} s", name,
          tally.made, tally.kept, 100.0 * tally.kept / std::max(1, tally.made), tally.worst_miss,
          tally.seconds));
      if (tally.kept < kKept * tally.made || tally.worst_miss > kLargestMiss)
        report_.fail(name + " does not keep its promises");
    }
    for (const auto& [pair, duel] : duels_) {
      report_.conclude(
          fmt::format("{}: mean energy {:+.2f} % on average over {}, {:+.2f} % at most", pair,
                      100 * (duel.ours / duel.count - 1), duel.count, 100 * (duel.worst - 1)));
    }
  }

  void draw() const {
    std::vector<Series> series;
    Series diagonal{"asked for", {}};
    for (const double p : kProbabilities) diagonal.points.push_back({p, p});
    series.push_back(diagonal);
    for (const auto& [name, tally] : tallies_) {
      Series one{name, {}};
      for (const auto& [asked, shares] : tally.achieved) {
        for (const double share : shares) one.points.push_back({asked, share});
      }
      series.push_back(std::move(one));
    }
    write_svg({"promised and achieved", "probability asked for",
               "share of fresh runs that reach the goal", std::move(series), Scale::Linear},
              settings_.svg);
  }

  const Settings settings_;
  const std::vector<std::string> names_;
  Report report_;
  std::map<std::string, Tally> tallies_;
  std::map<std::string, Duel> duels_;
};

int run(const Settings& settings) { return Experiment(settings).run(); }

void add_options(CLI::App& app, Settings& settings) {
  app.add_option("--cases", settings.cases, "how many random scenarios");
  app.add_option("--runs", settings.runs, "fresh realisations for each promise");
  app.add_option("--strategies", settings.strategies, "which, with commas between");
  app.add_flag("--reference-noise", settings.reference_noise,
               "0.25 for runs and 0.3 for epochs in every case");
  app.add_option("--svg", settings.svg, "also plot achieved against asked probability");
}

}  // namespace
}  // namespace espalier::bench

int main(int argc, char** argv) {
  using namespace espalier::bench;
  return run_program(argc, argv, "Counts how often promises are kept, and what they cost.",
                     add_options, run);
}
