// SPDX-License-Identifier: Apache-2.0
#include "fitting/change_fit.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "estimation/learning_examples.h"
#include "estimation/network_forecast.h"
#include "fitting/change_voices.h"
#include "fitting/figures.h"
#include "fitting/fit_records.h"

namespace espalier {
namespace {

// With fewer prunings, a part that is set aside says by chance alone when to stop, and is missed
// where learning goes on. Networks this small hardly overfit, and calibration mends their ranges.
constexpr std::size_t kEnoughToValidate = 400;

constexpr std::array kChangeVoices{Voice::Naive, Voice::Rule, Voice::Network, Voice::Calibrated};

Positions runs_with_changes(const TraceStories& traces) {
  Positions usable;
  for (std::size_t i = 0; i < traces.runs.size(); ++i) {
    if (!traces.runs[i].changes.empty()) usable.push_back(i);
  }
  return usable;
}

std::string what_is_missing(const TraceStories& traces) {
  try {
    require_change_examples(traces, kFewestRuns);
  } catch (const Error& error) {
    return std::string(error.what()) + " (" + error.hint() + ")";
  }
  return {};
}

// There is no rule to blend with: prunings have no history of their own.
TuningOptions network_alone(TuningOptions options) {
  options.blends = false;
  return options;
}

}  // namespace

ChangeFit::ChangeFit(const TraceStories& traces, const FittingOptions& options,
                     const Fitters& fitters)
    : traces_(traces), options_(options), fitters_(fitters), usable_(runs_with_changes(traces)) {
  if (usable_.size() < kFewestRuns) return;
  const std::size_t folds = folds_for(traces.runs, usable_, options.folds);
  families_ = dealt_families(traces.runs, usable_, folds);
  parts_ = deal_parts(traces.runs, usable_, {.count = folds, .seed = options.network.seed});
  done_.resize(parts_.size());
  if (examples_of(usable_).size() < kEnoughToValidate) learn_from_all();
}

void ChangeFit::learn_from_all() {
  for (FitParts& parts : parts_) {
    parts.learn.insert(parts.learn.end(), parts.validation.begin(), parts.validation.end());
    std::ranges::sort(parts.learn);
    parts.validation = parts.learn;
  }
}

std::vector<ChangeExample> ChangeFit::examples_of(const Positions& runs) const {
  std::vector<ChangeExample> examples;
  for (const std::size_t run : runs) {
    const auto& changes = traces_.runs[run].changes;
    examples.insert(examples.end(), changes.begin(), changes.end());
  }
  return examples;
}

void ChangeFit::do_job(std::size_t job, const FitWatch& watch) {
  const auto learned = examples_of(parts_[job].learn);
  const auto validation = examples_of(parts_[job].validation);
  done_[job].network = fitters_.change({learned, validation}, options_.network, watch);
  if (job < folds()) judge(job);
}

void ChangeFit::judge(std::size_t fold) {
  const std::vector<ChangeExample> seen = examples_of(parts_[fold].learn);
  const NothingHappens naive(seen);
  const MeanJump rule(seen);
  const NetworkChangeEstimator network(done_[fold].network.weights);
  for (const std::size_t run : parts_[fold].judge) {
    std::vector<Pruning> changes;
    for (const ChangeExample& one : traces_.runs[run].changes) changes.push_back(one.change);
    const auto by_naive = naive.after(changes);
    const auto by_rule = rule.after(changes);
    const auto by_network = network.after(changes);
    for (std::size_t i = 0; i < changes.size(); ++i) {
      HeldOut answer{.run = run, .family = families_[run], .fold = fold, .epoch = 0, .item = i};
      answer.came = traces_.runs[run].changes[i].after;
      answer.said[position_of(Voice::Naive)] = by_naive[i];
      answer.said[position_of(Voice::Rule)] = by_rule[i];
      answer.said[position_of(Voice::Network)] = by_network[i];
      done_[fold].answers.push_back(answer);
    }
  }
}

void ChangeFit::gather_answers() {
  answers_.resize(1);
  for (Done& done : done_)
    answers_[0].insert(answers_[0].end(), done.answers.begin(), done.answers.end());
  tune_across_folds(answers_[0], folds(), network_alone(options_.tuning));
}

EstimatorReport ChangeFit::report(const Tuning& tuning) const {
  EstimatorReport report{.missing = {}, .runs = usable_.size()};
  report.questions = answers_.front().size();
  report.folds = folds();
  report.judged_by_seeds = families_[usable_.front()].has_value();
  report.loss_range = range_of_losses(answers_);
  report.voices = voice_figures(answers_, folds(), kChangeVoices);
  report.is_guaranteed = {tuning.adjustment.is_guaranteed};
  report.reliability = reliability_of(answers_);
  for (const Missed& missed : worst_misses(answers_, options_.worst))
    report.worst.push_back(worst_case(traces_.runs, missed, 0));
  for (std::size_t i = 0; i < parts_.size(); ++i)
    report.fits.push_back(network_fit(parts_[i], done_[i].network));
  return report;
}

void ChangeFit::tell(FitResult& result) {
  if (parts_.empty()) {
    result.change.missing = what_is_missing(traces_);
    return;
  }
  gather_answers();
  const Tuning tuning = tune(answers_.front(), network_alone(options_.tuning));
  result.tuning.change = tuning.adjustment;
  result.tuning.harm = least_harm(examples_of(usable_));
  result.change = report(tuning);
  result.fitted.change = std::move(done_.back().network.weights);
}

}  // namespace espalier
