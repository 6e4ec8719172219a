// SPDX-License-Identifier: Apache-2.0
#include "fitting/run_fit.h"

#include <array>
#include <utility>

#include "core/error.h"
#include "estimation/learning_examples.h"
#include "estimation/power_law_experience.h"
#include "fitting/figures.h"
#include "fitting/fit_records.h"
#include "fitting/run_asking.h"
#include "fitting/usual_counts.h"

namespace espalier {
namespace {

constexpr std::size_t kFewestCurves = 100;  // curves

constexpr std::array kRunVoices{Voice::Naive, Voice::Rule, Voice::Network, Voice::Blend,
                                Voice::Calibrated};

Positions runs_with_examples(const TraceStories& traces) {
  require_run_examples(traces, kFewestRuns);
  Positions usable;
  for (std::size_t i = 0; i < traces.runs.size(); ++i) {
    if (has_run_example(traces.runs[i])) usable.push_back(i);
  }
  return usable;
}

}  // namespace

RunFit::RunFit(const TraceStories& traces, const FittingOptions& options, const Fitters& fitters)
    : traces_(traces),
      options_(options),
      fitters_(fitters),
      usable_(runs_with_examples(traces)),
      every_(affordable_every(traces.runs)) {
  const std::size_t folds = folds_for(traces.runs, usable_, options.folds);
  families_ = dealt_families(traces.runs, usable_, folds);
  parts_ = deal_parts(traces.runs, usable_, {.count = folds, .seed = options.network.seed});
  done_.resize(parts_.size());
}

std::vector<RunSequence> RunFit::sequences_of(const Positions& runs) const {
  std::vector<RunSequence> sequences;
  for (const std::size_t run : runs) {
    for (RunSequence& sequence : run_sequences(traces_.runs[run]))
      sequences.push_back(std::move(sequence));
  }
  return sequences;
}

// The power law has nothing to validate, so it learns from all.
PowerLawExperience RunFit::experience_of(const FitParts& parts) const {
  std::vector<RunStory> learnt;
  for (const Positions* runs : {&parts.learn, &parts.validation}) {
    for (const std::size_t run : *runs) learnt.push_back(traces_.runs[run]);
  }
  return learn_experience(learnt);
}

void RunFit::do_job(std::size_t job, const FitWatch& watch) {
  const auto learned = sequences_of(parts_[job].learn);
  const FitOptions how = paced(options_.network, learned.size(), kFewestCurves);
  const auto validation = sequences_of(parts_[job].validation);
  done_[job].network = fitters_.run({learned, validation}, how, watch);
  if (job < folds()) judge(job, watch.stop);
}

void RunFit::judge(std::size_t fold, const std::stop_token& stop) {
  const RunVoices voices{naive_voice(), power_law_voice(experience_of(parts_[fold])),
                         network_voice(done_[fold].network.weights)};
  AnswersAhead& answers = done_[fold].answers;
  answers.resize(kHorizons.size());
  for (const std::size_t run : parts_[fold].judge) {
    if (stop.stop_requested()) return;
    const HeldOut about{.run = run, .family = families_[run], .fold = fold};
    ask_about(traces_.runs[run], voices, about, {every_, stop}, answers);
  }
}

void RunFit::gather_answers() {
  answers_.resize(kHorizons.size());
  for (Done& done : done_) {
    for (std::size_t h = 0; h < done.answers.size(); ++h)
      answers_[h].insert(answers_[h].end(), done.answers[h].begin(), done.answers[h].end());
    done.answers.clear();
  }
  for (Answers& some : answers_) tune_across_folds(some, folds(), options_.tuning);
}

// Where nobody could be asked, what was learnt of the horizon before it.
HorizonTuning RunFit::tuning() const {
  HorizonTuning tuning;
  for (std::size_t h = 0; h < kHorizons.size(); ++h) {
    const Answers& asked = answers_[h];
    const Tuning one = asked.empty() && h > 0
                           ? Tuning{tuning.network_share[h - 1], tuning.adjustment[h - 1]}
                           : tune(asked, options_.tuning);
    tuning.network_share[h] = one.network_share;
    tuning.adjustment[h] = one.adjustment;
    if (asked.empty()) tuning.adjustment[h].is_guaranteed = false;
  }
  return tuning;
}

EstimatorReport RunFit::report(const HorizonTuning& tuning) const {
  EstimatorReport report{.missing = {}, .runs = usable_.size()};
  report.questions = answers_.front().size();
  report.folds = folds();
  report.judged_by_seeds = families_[usable_.front()].has_value();
  report.loss_range = range_of_losses(answers_);
  report.horizons.assign(kHorizons.begin(), kHorizons.end());
  report.voices = voice_figures(answers_, folds(), kRunVoices);
  report.network_share.assign(tuning.network_share.begin(), tuning.network_share.end());
  for (const Adjustment& one : tuning.adjustment) report.is_guaranteed.push_back(one.is_guaranteed);
  report.reliability = reliability_of(answers_);
  for (const Missed& missed : worst_misses(answers_, options_.worst))
    report.worst.push_back(worst_case(traces_.runs, missed, kHorizons[missed.horizon]));
  for (std::size_t i = 0; i < parts_.size(); ++i)
    report.fits.push_back(network_fit(parts_[i], done_[i].network));
  return report;
}

void RunFit::tell(FitResult& result) {
  gather_answers();
  result.tuning.horizons = tuning();
  result.tuning.experience = experience_of(parts_.back());
  result.tuning.usual = choose_usual_counts(answers_);
  result.run = report(result.tuning.horizons);
  result.samples = sample_curves(traces_.runs, answers_, options_.samples);
  result.fitted.run = std::move(done_.back().network.weights);
}

}  // namespace espalier
