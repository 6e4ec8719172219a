// SPDX-License-Identifier: Apache-2.0
#include "clairvoyance/clairvoyant.h"

#include <algorithm>
#include <memory>
#include <mutex>

#include "clairvoyance/foresight_planner.h"
#include "clairvoyance/tolerances.h"
#include "core/infinite.h"
#include "core/parallel.h"
#include "courses/data_choice.h"

namespace espalier {
namespace {

// With more ways to choose data, plans may mix data, and nothing is paid once: only a bound.
constexpr std::size_t kMostSelections = 64;

// The problems to choose from: one for each selection of data.
class Choices {
 public:
  explicit Choices(const Problem& actual) : actual_(&actual) {
    for (const DataSelection& data : all_selections(actual, kMostSelections))
      add(actual.with_data(data));
    is_relaxed_ = choices_.empty();
    if (is_relaxed_) add(actual);
  }

  ClairvoyantResult solve(std::uint64_t seed, std::uint64_t run,
                          const ForesightSearch::Limits& limits) const {
    std::optional<Plan> best;
    std::int64_t labels = 0;
    double upper = kInfinite;
    double lower = kInfinite;
    for (const Choice& choice : choices_) {
      const Truth truth(*choice.problem, seed, run);
      ForesightPlanner planner(choice.ways, truth, Foresight(choice.ways, seed, run), upper);
      planner.solve(limits);
      lower = std::min(lower, planner.lower());
      labels += planner.labels();
      if (!planner.plan()) continue;
      best = planner.plan();
      upper = best->end().energy.value;
    }
    return result(best, std::min(lower, upper), Truth(*actual_, seed, run), labels);
  }

 private:
  struct Choice {
    std::unique_ptr<const Problem> problem;
    Ways ways;
  };

  void add(Problem problem) {
    auto owned = std::make_unique<const Problem>(std::move(problem));
    Ways ways(*owned);
    choices_.push_back({std::move(owned), std::move(ways)});
  }

  ClairvoyantResult result(const std::optional<Plan>& best, double lower, const Truth& truth,
                           std::int64_t labels) const {
    ClairvoyantResult result{Verdict::Limit, {}, Joules{lower}, labels};
    if (!best) {
      if (lower == kInfinite) result.verdict = Verdict::Infeasible;
    } else if (!is_relaxed_) {
      result.plan = replay(truth, *best);
      if (lower >= best->end().energy.value * (1 - kClosed)) {
        result.verdict = Verdict::Optimal;
        result.lower_bound = result.plan->end().energy;
      }
    }
    return result;
  }

  // With what is to be paid once paid when it is due.
  static Plan replay(const Truth& truth, const Plan& plan) {
    Plan replayed{truth.problem().start(), {}};
    State now = replayed.start;
    for (const Step& step : plan.steps) {
      now = truth.advance(now, step.placement).value();
      replayed.steps.push_back({now.placement, now.loss, now.time, now.energy, now.paid});
    }
    return replayed;
  }

  const Problem* actual_;
  std::vector<Choice> choices_;
  bool is_relaxed_ = false;
};

}  // namespace

ClairvoyantResult clairvoyant_optimum(const Problem& actual, std::uint64_t seed, std::uint64_t run,
                                      const ClairvoyantOptions& options, std::stop_token stop) {
  return Choices(actual).solve(seed, run, {options.max_labels, std::move(stop)});
}

std::vector<ClairvoyantResult> clairvoyant_optima(const Problem& actual,
                                                  const Realisations& realisations,
                                                  const ClairvoyantOptions& options,
                                                  const std::stop_token& stop,
                                                  const std::function<void(std::size_t)>& done) {
  const Choices choices(actual);
  std::vector<std::optional<ClairvoyantResult>> found(realisations.runs);
  std::mutex reporting;
  std::size_t finished = 0;
  for_each_index(realisations.runs, realisations.workers, [&](unsigned, std::size_t run) {
    if (stop.stop_requested()) return;
    found[run] = choices.solve(realisations.seed, run, {options.max_labels, stop});
    const std::lock_guard lock(reporting);
    ++finished;
    if (done) done(finished);
  });
  std::vector<ClairvoyantResult> results;
  for (auto& result : found) {
    if (!result) break;
    results.push_back(std::move(*result));
  }
  return results;
}

}  // namespace espalier
