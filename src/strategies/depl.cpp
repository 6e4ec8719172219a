// SPDX-License-Identifier: Apache-2.0
// Problem.    Data, models, switches, node sets and levels such that the goal is reached with a
//             given probability, at least mean energy. No product of per-epoch bounds says how
//             likely that is: where a run is slow throughout, epochs are not independent.
// Idea.       1. Data: every selection, or, if they are many, the greedy way through them.
//             2. Models, node sets and levels: `exact` for runs that are more and more unlucky, and
//                for targets that are lower and lower.
//             3. The plans so found, each as long as it takes, and what lies next to them, compete
//                on an ensemble.
//             4. The winner is fitted to a larger ensemble and judged on a fresh one (promise.h).
// Invariant.  A plan that is returned as feasible has been seen to hold its promise on realisations
//             that had no part in choosing it.
// Complexity. About ten deterministic plans for each selection; a few hundred trials of courses.
// Reference.  The decisions are those of DepL (2024); its algorithm is not public.
#include "strategies/depl.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/infinite.h"
#include "courses/committed_planner.h"
#include "courses/course_search.h"
#include "courses/data_choice.h"
#include "courses/promise.h"
#include "realisations/normal_quantile.h"
#include "realisations/truth.h"
#include "search/efficient_placements.h"
#include "strategies/described.h"
#include "strategies/exact.h"

namespace espalier {
namespace {

constexpr std::size_t kMembers = 2000;
constexpr std::uint64_t kSearchSeed = 0x736561726368;
// More selections than this are not all tried; of those that are, the best few are looked at
// closely.
constexpr std::size_t kMostSelections = 64;
constexpr std::size_t kCloseLooks = 3;
// How unlucky a run to plan for, as shares of what the probability asks for.
constexpr double kCautions[] = {0, 0.4, 0.8, 1.2};
constexpr double kLeastCaution = 0.3;
// How much lower a target to plan for, as a share: where to begin, and how finely.
constexpr double kFirstMargin = 0.15;
constexpr double kMarginStep = 0.004;
// Suggestions that moves begin from.
constexpr std::size_t kStarts = 4;
// For a first look at simple courses: how far down they switch, and how many are worth a second
// look.
constexpr std::size_t kFewMembers = 500;
constexpr double kFirstShares[] = {0.03, 0.3, 0.6, 0.85};
constexpr std::size_t kSimpleStarts = 3;
// Labels spent on a plan that is only a suggestion.
constexpr std::int64_t kLabels = 200'000;
// Placements that moves may go to.
constexpr std::size_t kMostPlacements = 16;
// How often the search begins again with a higher demand, when its winner does not hold.
constexpr int kRounds = 4;

double standard_error(double share, std::size_t members) {
  return std::sqrt(share * (1 - share) / static_cast<double>(members));
}

class DeplPlanner final : public CommittedPlanner {
 public:
  DeplPlanner(const Problem& problem, const PlannerOptions& options)
      : CommittedPlanner(problem), options_(options) {}

  std::unique_ptr<Planner> fork() const override { return std::make_unique<DeplPlanner>(*this); }

 private:
  struct Choice {
    DataSelection data;
    double energy = kInfinite;
  };

  PlanResult decide(const State& now, const std::stop_token& stop) override {
    PlanResult result =
        has_noise(problem()) ? decide_by_luck(now, stop) : decide_for_certain(now, stop);
    if (stop.stop_requested()) result.verdict = Verdict::Limit;
    return result;
  }

  // --- without noise: the best of the exact plans ---

  PlanResult decide_for_certain(const State& now, const std::stop_token& stop) {
    PlanResult best;
    bool is_proved = true;
    for (const DataSelection& data : selections(now, 0, stop)) {
      PlanResult result = plan_with(problem().with_data(data), now, options_.max_labels, stop);
      is_proved &= result.verdict != Verdict::Limit;
      const bool is_better = result.plan && (!best.plan || result.plan->end().energy.value <
                                                               best.plan->end().energy.value);
      if (is_better) best = std::move(result);
    }
    if (!best.plan) return best;
    best.plan = follow(problem(), Estimator::Expected, now, placements_of(course_of(*best.plan)));
    best.chance = Chance{1, {1, 1}, 1, best.plan->end().energy};
    is_proved &= all_selections(problem(), kMostSelections).size() > 0;
    best.verdict = is_proved ? Verdict::Optimal : Verdict::Feasible;
    best.lower_bound = is_proved ? best.plan->end().energy : Joules{};
    return best;
  }

  // --- with noise ---

  PlanResult decide_by_luck(const State& now, const std::stop_token& stop) {
    Promises promises(problem(), now, options_.judged_runs, stop);
    CourseTrial trial(problem(), now, kSearchSeed, kMembers);
    std::vector<Course> first = suggestions(trial, now, promises.demand(), stop);
    const std::vector<PlacementId> placements = placements_near(first, now);
    for (Course& course : simple_courses(placements, now, promises.demand(), stop))
      first.push_back(std::move(course));
    std::int64_t tried = 0;
    // The best of many looks better on a small ensemble than it is.
    const double doubt = 0.5 * standard_error(promises.demand(), kMembers);
    double demand = promises.demand() + doubt;
    TrialResult likeliest;
    std::vector<Course> starts = first;
    for (int round = 0; round < kRounds && !stop.stop_requested(); ++round) {
      CourseSearch search(trial, placements, demand, stop);
      const std::vector<TrialResult> finalists = search.improve_from(starts, kStarts);
      tried += search.tried();
      if (search.likeliest().share > likeliest.share) likeliest = search.likeliest();
      if (finalists.empty()) break;
      starts.clear();
      for (const TrialResult& finalist : finalists) starts.push_back(finalist.course);
      if (const auto promise = promise_from(promises, starts, stop))
        return with_stats(result_of(problem(), now, *promise), tried);
      demand += doubt;
    }
    // Something that is dearer, but holds.
    first.push_back(likeliest.course);
    if (const auto promise = promise_from(promises, first, stop))
      return with_stats(result_of(problem(), now, *promise), tried);
    if (likeliest.course.empty()) return {};
    return with_stats(
        result_of(problem(), now, {likeliest.course, promises.judge(likeliest.course)}), tried);
  }

  // The cheapest of these on the ensemble for fitting, its switches adjusted to it.
  static std::optional<Promise> promise_from(Promises& promises, std::vector<Course> courses,
                                             const std::stop_token& stop) {
    std::erase_if(courses, [](const Course& course) { return course.empty(); });
    return promises.make([&](CourseTrial& trial, double share) -> std::optional<Course> {
      CourseSearch search(trial, {}, share, stop);
      const std::vector<TrialResult> fit = search.improve_from(courses, 1);
      return fit.empty() ? std::nullopt : std::optional(fit.front().course);
    });
  }

  static PlanResult with_stats(PlanResult result, std::int64_t tried) {
    result.stats.labels = tried;
    return result;
  }

  // --- plans to begin with ---

  PlanResult plan_with(const Problem& fixed, const State& now, std::int64_t max_labels,
                       const std::stop_token& stop) const {
    PlannerOptions options = options_;
    options.max_labels = std::min(max_labels, options_.max_labels);
    State from = now;
    from.energy += fixed.start().energy - problem().start().energy;
    return make_exact_planner(fixed, Estimator::Expected, PlanShape::any(), options)
        ->plan(from, stop);
  }

  double energy_with(const DataSelection& data, const State& now, double z, int epochs,
                     const std::stop_token& stop) const {
    const Problem fixed = problem().with_data(data).unlucky(z, epochs);
    const PlanResult result = plan_with(fixed, now, kLabels, stop);
    return result.plan && fixed.goal().reached(result.plan->end().loss, result.plan->end().time)
               ? result.plan->end().energy.value
               : kInfinite;
  }

  // The most promising first, at this much bad luck.
  std::vector<DataSelection> selections(const State& now, double z,
                                        const std::stop_token& stop) const {
    const auto energy = [&](const DataSelection& data) {
      return energy_with(data, now, z, kUsualEpochs, stop);
    };
    const std::vector<DataSelection> all = all_selections(problem(), kMostSelections);
    if (all.size() == 1) return all;
    if (all.empty()) return promising_selections(problem(), energy);
    std::vector<Choice> choices;
    for (const DataSelection& data : all) choices.push_back({data, energy(data)});
    std::stable_sort(choices.begin(), choices.end(),
                     [](const Choice& a, const Choice& b) { return a.energy < b.energy; });
    std::vector<DataSelection> sorted;
    for (Choice& choice : choices) sorted.push_back(std::move(choice.data));
    return sorted;
  }

  std::vector<Course> suggestions(CourseTrial& trial, const State& now, double demand,
                                  const std::stop_token& stop) const {
    std::vector<Course> courses;
    const double z = std::max(kLeastCaution, portable_normal_quantile(demand));
    std::vector<DataSelection> data = selections(now, z, stop);
    if (data.size() > kCloseLooks) data.resize(kCloseLooks);
    for (const DataSelection& selection : data)
      suggest(trial, selection, now, demand, stop, courses);
    return courses;
  }

  // Plans of falling hopes: for runs that are unluckier and unluckier, and for lower and lower
  // targets with ordinary luck. Which kind is nearer to the best depends on what binds.
  void suggest(CourseTrial& trial, const DataSelection& data, const State& now, double demand,
               const std::stop_token& stop, std::vector<Course>& courses) const {
    const Problem fixed = problem().with_data(data);
    int epochs = kUsualEpochs;
    const auto add = [&](const Problem& world) {
      if (stop.stop_requested()) return false;
      const PlanResult result = plan_with(world, now, kLabels, stop);
      if (!result.plan || result.plan->steps.empty()) return false;
      courses.push_back(course_of(*result.plan));
      epochs = epochs_of(courses.back());
      return true;
    };
    const double z = std::max(kLeastCaution, portable_normal_quantile(demand));
    for (const double share : kCautions) add(fixed.unlucky(share * z, epochs));
    // As `expectation` with its least margin does.
    double low = 0;
    double high = 1;
    for (double margin = kFirstMargin; high - low > kMarginStep; margin = 0.5 * (low + high)) {
      Goal goal = fixed.goal();
      goal.loss = goal.loss * (1 - margin);
      const bool is_short =
          add(fixed.with_goal(goal)) && falls_short(trial, courses.back(), demand);
      (is_short ? low : high) = margin;
    }
  }

  static bool falls_short(CourseTrial& trial, const Course& course, double demand) {
    trial.prepare_run(course);
    return trial.run(course).share < demand;
  }

  // The best of all courses with at most one switch, tried on a small ensemble: what suits the mean
  // may be far from what suits an unlucky run.
  std::vector<Course> simple_courses(const std::vector<PlacementId>& placements, const State& now,
                                     double demand, const std::stop_token& stop) const {
    std::vector<Course> courses;
    for (const PlacementId first : placements) {
      const std::vector<int> lengths = lengths_of(first, now);
      courses.push_back({{first, lengths.back()}});
      for (const PlacementId last : placements) {
        for (const int epochs : lengths) courses.push_back(tidied({{first, epochs}, {last, 1}}));
      }
    }
    CourseTrial small(problem(), now, kSearchSeed, kFewMembers);
    return CourseSearch(small, {}, demand, stop).cheapest_of(courses, kSimpleStarts);
  }

  // How long it takes there, as expected, to come some of the way to the target.
  std::vector<int> lengths_of(PlacementId placement, const State& now) const {
    const Goal& goal = problem().goal();
    std::vector<int> lengths;
    State state = now;
    for (const double share : kFirstShares) {
      const double loss = now.loss.value * std::pow(goal.loss.value / now.loss.value, share);
      while (state.loss.value > loss) {
        const auto next = advance(problem(), Estimator::Expected, state, placement);
        const bool goes_on = next && next->time <= goal.time_bound() && next->loss < state.loss;
        if (!goes_on && state.placement == placement) break;
        if (!next) break;
        state = *next;
      }
      lengths.push_back(std::max(1, state.epoch - now.epoch));
    }
    lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
    return lengths;
  }

  std::vector<PlacementId> placements_near(const std::vector<Course>& courses,
                                           const State& now) const {
    std::set<PlacementId> near;
    for (const Course& course : courses) {
      for (const Stretch& stretch : course) near.insert(stretch.placement);
    }
    if (problem().size() <= kMostPlacements) {
      for (std::size_t p = 0; p < problem().size(); ++p)
        near.insert(PlacementId{static_cast<std::int32_t>(p)});
    } else {
      near.merge(efficient_placements(problem(), Estimator::Expected, now));
    }
    return {near.begin(), near.end()};
  }

  static constexpr int kUsualEpochs = 60;  // of a plan, before one is known

  const PlannerOptions options_;
};

}  // namespace

const Strategy& depl_strategy() {
  static const DescribedStrategy strategy(
      {.name = "depl",
       .summary = "the cheapest fixed plan that keeps a promised probability",
       .description =
           "Chooses data, models, switches, node sets and levels such that the goal is reached "
           "with the scenario's probability, at least mean energy, and stands by its plan. The "
           "probability is counted on fresh realisations of the scenario's noise and comes with "
           "its confidence interval.",
       .estimator = Estimator::Expected,
       .anytime = true,
       .promises = true,
       .commits = true,
       .chooses_data = true},
      [](const Problem& problem, Estimator, const PlannerOptions& options) {
        return std::unique_ptr<Planner>(std::make_unique<DeplPlanner>(problem, options));
      });
  return strategy;
}

}  // namespace espalier
