// SPDX-License-Identifier: Apache-2.0
#include "evidence/arena.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "outlook/fitted_imagination.h"
#include "outlook/imagined_outlook.h"
#include "replay/trace_imagination.h"
#include "replay/traced_even_course.h"
#include "replay/traced_optimum.h"
#include "strategies/registry.h"

namespace espalier {
namespace {

// A bias may not make a rule so quick that a lower loss would be worse: then as much of it as goes.
Problem biased(const Problem& problem, ModelId model, double bias) {
  for (double share = bias; std::abs(share) > 1e-3; share /= 2) {
    Problem wrong = problem.with_bias(model, share);
    const bool is_tame = std::ranges::all_of(wrong.placements(), [&](const Training& t) {
      return std::min(t.rule.expected.monotone_up_to(), t.rule.robust.monotone_up_to()) >=
             wrong.ceiling();
    });
    if (is_tame) return wrong;
  }
  return problem;
}

class BiasedOutlook final : public Outlook {
 public:
  BiasedOutlook(std::unique_ptr<Outlook> inner, ModelId model, double bias)
      : inner_(std::move(inner)), model_(model), bias_(bias) {}
  Problem after(const Plan& course) override {
    return biased(inner_->after(course), model_, bias_);
  }

 private:
  std::unique_ptr<Outlook> inner_;
  ModelId model_;
  double bias_;
};

CourseWish wish_of(Contender::Kind kind) {
  CourseWish wish;
  if (kind == Contender::Kind::OneSwitch) wish.most_switches = 1;
  if (kind == Contender::Kind::NoSwitch) wish.most_switches = 0;
  return wish;
}

}  // namespace

Arena::Arena(const Scenario& scenario, const std::vector<TraceRow>& rows,
             const LearningForecaster* forecaster)
    : scenario_(scenario),
      whole_(Problem::estimated(scenario_)),
      world_(scenario_, whole_, rows, "the traces"),
      problem_(world_.within(whole_)),
      longest_stays_(world_.longest_stays(problem_)),
      forecaster_(forecaster) {}

Seconds Arena::end_of_traces() const {
  Seconds end{0};
  for (std::size_t from = 0; from < problem_.size(); ++from) {
    const PlacementId here{static_cast<std::int32_t>(from)};
    end += problem_.training(here).time * longest_stays_[from];
    for (std::size_t to = 0; to < problem_.size(); ++to) {
      if (const auto change = problem_.change(here, {static_cast<std::int32_t>(to)}))
        end += change->time;
    }
  }
  return end;
}

RunRecord Arena::live(const Contender& who, std::size_t run, std::stop_token stop) const {
  return who.kind == Contender::Kind::Strategy ? decided(who, run, std::move(stop))
                                               : in_hindsight(who, run, std::move(stop));
}

RunRecord Arena::in_hindsight(const Contender& who, std::size_t run, std::stop_token stop) const {
  const PlanResult best =
      who.kind == Contender::Kind::EvenShares
          ? traced_even_course(world_, problem_, run, std::move(stop))
          : traced_optimum(world_, problem_, run, std::move(stop), wish_of(who.kind));
  RunRecord record;
  record.course.start = problem_.start();
  if (!best.plan) return record;
  record.course = *best.plan;
  record.end = RunEnd::Reached;
  for (const std::string& note : best.notes) count_note(record.notes, {note, 1});
  return record;
}

std::unique_ptr<Imagination> Arena::imagination_of(const Contender& who, std::size_t run) const {
  if (who.belief == Contender::Belief::Truth)
    return std::make_unique<TraceImagination>(world_, problem_, run);
  ESPALIER_CHECK(forecaster_ != nullptr);
  return std::make_unique<FittedImagination>(*forecaster_, conditions_of(scenario_, problem_),
                                             problem_);
}

// What a course begins to learn with.
ModelId Arena::first_model() const {
  for (const ModelId model : problem_.model_chains().front()) {
    const bool can_train = std::ranges::any_of(problem_.placements(), [&](const Training& t) {
      return t.at.model == model && t.possible;
    });
    if (can_train) return model;
  }
  return problem_.training(problem_.start().placement).at.model;
}

RunRecord Arena::decided(const Contender& who, std::size_t run, std::stop_token stop) const {
  const auto imagination = imagination_of(who, run);
  OutlookOptions options;
  options.longest_stays = longest_stays_;
  std::unique_ptr<Outlook> outlook =
      std::make_unique<ImaginedOutlook>(problem_, *imagination, options);
  if (who.bias != 0)
    outlook = std::make_unique<BiasedOutlook>(std::move(outlook), first_model(), who.bias);
  const auto reality = reality_of(world_, problem_)(1, run);
  // Later epochs teach nothing, whoever decides.
  const RunOptions limits{.max_epochs =
                              std::accumulate(longest_stays_.begin(), longest_stays_.end(), 0)};
  return simulate_run(problem_, *reality, *outlook, {strategy_named(who.strategy), who.planning},
                      limits, std::move(stop));
}

}  // namespace espalier
